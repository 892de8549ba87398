"""What leaves the graph: the command line, texts, views and files."""
