"""From files to a graph: sources, abilities, linking, triples, store, networks."""
