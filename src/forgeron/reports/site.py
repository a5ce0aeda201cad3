"""A static site of an event: a folder that any web server, or a browser alone, can show.

Each file is written whole or not at all, the first page last, so that a site is never seen half-written. Only what has
changed is written: a site can be renewed after every few games.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import forgeron
from forgeron.core.errors import ForgeronError
from forgeron.core.files import write_file
from forgeron.core.game import Game
from forgeron.core.json_text import read_json
from forgeron.drawing.bundle import bundle, style
from forgeron.reports.csv import games_csv, standings_csv
from forgeron.reports.results import EventResults
from forgeron.reports.site_pages import SiteOptions, SitePages, bot_file, game_file

#: Says that a folder is a site of ours, and what is in it.
MANIFEST = ".forgeron-site.json"
_HERE = Path(__file__).parent


def write_site(results: EventResults, game: Game | None, out: Path, options: SiteOptions | None = None) -> int:
    """Write the site, or renew it; how many files were written. A folder of somebody else's files is refused."""
    chosen = options or SiteOptions()
    known = _manifest(out)
    pages = SitePages(results, game, chosen)
    files: dict[str, str] = {}
    written = 0
    for one in results.games:
        # A page of a game depends on the game alone; to make one takes longer than to see that it is there.
        name = f"games/{game_file(one)}"
        files[name] = _digest(f"{forgeron.__version__} {pages.title} {one.id} {one.record.to_json()}")
        if known.get(name) != files[name] or not (out / name).is_file():
            _write(out / name, pages.replay(one))
            written += 1
    for name, text in _others(pages):
        files[name] = _digest(text)
        if known.get(name) != files[name] or not (out / name).is_file():
            _write(out / name, text)
            written += 1
    for name in known.keys() - files.keys():
        (out / name).unlink(missing_ok=True)
    if files != known:
        _write(out / MANIFEST, json.dumps({"files": files}, indent=0))
    return written


def _others(pages: SitePages) -> Iterator[tuple[str, str]]:
    """All files but the games, in the order in which they are written: what others need comes first."""
    yield "assets/site.css", style() + (_HERE / "site.css").read_text(encoding="utf-8")
    yield "assets/boards.js", bundle()
    yield "assets/replay.js", (_HERE / "site.js").read_text(encoding="utf-8")
    for row in pages.results.rows:
        yield f"bots/{bot_file(row.name)}", pages.bot(row)
    yield "games.html", pages.games()
    yield "standings.csv", standings_csv(pages.results)
    yield "games.csv", games_csv(pages.results)
    yield "index.html", pages.index()


def _manifest(out: Path) -> dict[str, str]:
    """What the site has so far."""
    try:
        if not out.exists() or not any(out.iterdir()):
            return {}
        found: Any = read_json((out / MANIFEST).read_bytes())
        return {str(name): str(digest) for name, digest in found["files"].items() if ".." not in name}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        raise ForgeronError(f"{out} is no site of Forgeron, and not empty; name a new folder") from None


def _write(path: Path, text: str) -> None:
    # What is lost in a power failure is written again: the journal has everything.
    write_file(path, text.encode("utf-8", "replace"), make_folder=True, sync=False)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
