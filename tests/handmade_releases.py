"""Two releases of the invented rulebook: in the newer one a subrule comes first in 601.2, and 119.8 is gone.

So 601.2a to 601.2n are one letter further (601.2n is 601.2p, since o is no letter of a subrule), 119.9 is
119.8, and what was 119.8 is nowhere.
"""

from __future__ import annotations

import re
from pathlib import Path

from cardlaw.graph.sources.references import next_letter

OLDER, NEWER = "2030-02-03", "2031-03-04"
_FIXTURE = Path(__file__).resolve().parent / "fixtures" / "rulebook.txt"
_NEW = "601.2a The hat comes off before anything else is done.\n\n"


def write_releases(folder: Path) -> tuple[Path, Path]:
    """The files of the older and of the newer release in `folder`."""
    text = _FIXTURE.read_text(encoding="utf-8")
    older, newer = folder / f"{OLDER}.txt", folder / f"{NEWER}.txt"
    older.write_text(text, encoding="utf-8")
    text = text.replace("February 3, 2030", "March 4, 2031")
    text = re.sub(
        r"^601\.2([a-n]) ", lambda found: f"601.2{next_letter(found[1])} ", text, flags=re.MULTILINE
    )
    text = text.replace("\n601.2b ", f"\n{_NEW}601.2b ", 1)
    text = re.sub(r"^119\.8\. .*\n\n", "", text, flags=re.MULTILINE).replace("\n119.9. ", "\n119.8. ")
    newer.write_text(text, encoding="utf-8")
    return older, newer
