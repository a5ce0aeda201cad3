"""Measured figures as files, with date and commit, from which docs/make_tables.py writes tables."""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "data"


def commit_of(folder: Path) -> str:
    """The commit that a clone is at."""
    words = ["git", "rev-parse", "--short=7", "HEAD"]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def provenance() -> dict[str, str]:
    """When and with what something is measured now."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit_of(ROOT),
        "python": platform.python_version(),
    }


def keep_match(name: str, measured: Mapping[str, Any]) -> None:
    """Put a match into a table of matches, in place of the one with the same title."""
    path = FOLDER / f"{name}.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    known = {one["match"]: one for one in data["rows"]}
    data["rows"] = list({**known, measured["match"]: measured}.values())
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def write_figures(name: str, command: str, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Keep the rows of a table, each from the titles of its columns to what is measured."""
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{name}.json"
    data = {**provenance(), "command": command, "rows": [dict(row) for row in rows]}
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path
