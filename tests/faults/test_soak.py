"""Twenty seconds of `soak.py`, whose ten minutes are run by hand."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from soak import soak


@pytest.mark.programs
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_server_under_mixed_load(whole: Path) -> None:
    told = soak(whole, 12)
    assert told["wrong"] == {}
    assert told["asked"]["good"] > 20
