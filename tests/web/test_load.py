"""Many pages at once, on a small scale: `benchmarks/page_load.py` does the same with 100 games and 200 watchers."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from pathlib import Path


def test_nothing_is_lost_when_many_play_watch_and_talk_nonsense() -> None:
    path = Path(__file__).parent.parent.parent / "benchmarks" / "page_load.py"
    spec = importlib.util.spec_from_file_location("page_load", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["page_load"] = module
    spec.loader.exec_module(module)
    found = asyncio.run(module.measure(games=5, watchers=10, moves=6, fuzzed=50))
    assert len(found.trips_ms) == 30
    assert found.delivered == 60
    assert found.refused == 50
