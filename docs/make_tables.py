"""Write the measured tables of the documentation from their data files: python docs/make_tables.py

A table stands between `<!-- table NAME -->` and `<!-- end of table -->`; what is in docs/data/NAME.json is written
there, with its date, commit and command. Benchmarks with `--keep` write such files. The table `levels` comes from the
file with which the levels are rated in the program.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
LADDER = DOCS.parent / "src" / "forgeron" / "players" / "ladder.json"
LEVELS = ("beginner", "novice", "casual", "club", "expert", "strongest")
_TABLE = re.compile(r"(<!-- table ([\w-]+) -->\n)(?:(?!<!-- ).)*(<!-- end of table -->)", re.DOTALL)


def table_of(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as Markdown; their keys are the titles of the columns."""
    titles = list(dict.fromkeys(key for row in rows for key in row))
    lines = [f"| {' | '.join(titles)} |", "|" + "---|" * len(titles)]
    lines += [f"| {' | '.join(cell(row.get(title)) for title in titles)} |" for row in rows]
    return "\n".join(lines)


def cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def level_rows(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the levels are worth; rungs that are no levels stand in brackets."""
    rows = []
    for game, ladder in sorted(data["games"].items()):
        scores = {one["match"][0]: one for one in ladder["matches"]}
        for level in ladder["levels"]:
            score = scores.get(level["name"])
            rows.append(
                {
                    "game": game,
                    "level": level["name"] if level["name"] in LEVELS else f"({level['name']})",
                    "player": f"`{level['player']}`",
                    "nodes a move": level["nodes"],
                    "Elo": str(level["elo"]),
                    "95 %": f"± {level['error']}" if score else "",
                    "against the one before": f"{score['points'] / score['games']:.1%} of {score['games']}"
                    if score
                    else "",
                    "measured": f"{ladder['date']}, {ladder['commit']}",
                }
            )
    return rows


def section(name: str) -> str:
    """What stands between the two marks of a table."""
    if name == "levels":
        return table_of(level_rows(json.loads(LADDER.read_text(encoding="utf-8"))))
    data = json.loads((DOCS / "data" / f"{name}.json").read_text(encoding="utf-8"))
    parts = [table_of(data["rows"])]
    if "date" in data:  # else every row says when it was measured
        parts.append(f"\n`{data['command']}`, {data['date']}, commit {data['commit']}, Python {data['python']}.")
    return "\n".join(parts)


def renewed(text: str) -> str:
    """A page with all its tables as the data files have them."""
    return _TABLE.sub(lambda found: found[1] + section(found[2]) + "\n" + found[3], text)


def main() -> None:
    for page in sorted(DOCS.rglob("*.md")):
        before = page.read_text(encoding="utf-8")
        after = renewed(before)
        if after != before:
            page.write_text(after, encoding="utf-8")
            print(page.relative_to(DOCS.parent))


if __name__ == "__main__":
    main()
