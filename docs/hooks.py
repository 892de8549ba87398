"""For mkdocs: the site has the changelog, which stands beside `docs/`, as a page of its own."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add `changes.md`."""
    changes = Path(config.config_file_path).parent / "CHANGELOG.md"
    files.append(File.generated(config, "changes.md", content=changes.read_text(encoding="utf-8")))
    return files
