"""The process in which a game is tried: ``python -m forgeron.laws.worker REQUEST DESCRIPTOR``.

It writes one JSON object a line to the descriptor: what it is about to do (so that the other side knows what killed
it), what it found, and at the end what it saw. The game's own output goes nowhere.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from forgeron.core.game import Game
from forgeron.core.jit import JIT
from forgeron.core.registry import game_class
from forgeron.laws import catalogue
from forgeron.laws.findings import LOADS, Finding, digest_of
from forgeron.laws.hints import TookTooLong, hint_for, said_by
from forgeron.laws.law_runner import LawRunner, time_limit
from forgeron.laws.safe_notation import tokens_of
from forgeron.laws.source_locations import SourceLocation, is_authors, location_of_error, location_of_rule

BEGINS = "The game begins"


class LawWorker:
    """Tries one game as a request says, and tells what it finds."""

    def __init__(self, request: dict[str, Any], descriptor: int) -> None:
        self._request = request
        self._out = os.fdopen(descriptor, "w", encoding="utf-8", buffering=1)

    def tell(self, **message: Any) -> None:
        self._out.write(json.dumps(message) + "\n")

    def run(self) -> None:
        """Load the game, try it with each of the presets that were asked for, tell the end."""
        kind = self._load()
        if kind is None:
            return
        presets: list[str | None] = self._request["presets"] or [None, *kind.presets]
        for preset in presets:
            game = self._begin(kind, preset)
            if game is None or not self._try(game, preset, len(presets)):
                return
        self.tell(done=True, files=_author_files(kind))

    def _load(self) -> type[Game] | None:
        self.tell(at=LOADS)
        name = self._request["game"]
        try:
            with time_limit(self._request["load_seconds"]):
                kind = game_class(name)
        except (Exception, SystemExit, TookTooLong) as error:
            self._fail(LOADS, error)
            return None
        self.tell(passed=LOADS, note=f"{kind.title} ({kind.name})")
        return kind

    def _begin(self, kind: type[Game], preset: str | None) -> Game | None:
        """The game in its first position."""
        self.tell(at=BEGINS)
        try:
            with time_limit(self._request["load_seconds"]):
                game = kind(preset=preset, **self._request["options"])
                state: Any = game.start_state()
                if not isinstance(state, kind.state_class):
                    place = location_of_rule(game, "start_state")
                    self._tell_finding(
                        Finding(
                            BEGINS,
                            f"it returns {state!r}",
                            f"return a {kind.state_class.__qualname__}",
                            "start_state",
                            *(place or ("", 0)),
                        )
                    )
                    return None
        except (Exception, TookTooLong) as error:
            self._fail(BEGINS, error)
            return None
        return game

    def _try(self, game: Game, preset: str | None, shares: int) -> bool:
        """Whether the game keeps the laws."""
        request = self._request
        all_laws = catalogue.compiled_laws() if JIT else catalogue.QUICK if request["quick"] else catalogue.PLAIN
        laws = [law for law in all_laws if law.concerns(game)]
        inquiry = LawRunner(
            game,
            laws,
            seconds=request["seconds"] / shares,
            patience=request["patience"],
            notice=lambda law, visit: self.tell(at=law.sentence, moves=tokens_of(game, visit.line) if JIT else []),
            found=lambda finding: self._tell_finding(finding, preset),
        )
        finding = inquiry.run(request["plies"], request["seed"])
        if finding is not None:
            self._tell_finding(finding, preset)
            return False
        for law in laws:
            self.tell(passed=law.sentence, note=f"preset {preset}" if preset else "")
        self.tell(seen={"positions": inquiry.positions, "games": inquiry.games}, preset=preset)
        if JIT:
            self._show(game, preset)
        return True

    def _show(self, game: Game, preset: str | None) -> None:
        """What somebody may look at: counts, random games, one of them in full."""
        from forgeron.laws.game_summary import perft_row, sample_game, tally

        self.tell(exhibit={"perft": perft_row(game), "tally": tally(game), **sample_game(game)}, preset=preset)

    def _fail(self, law: str, error: BaseException) -> None:
        place = location_of_error(error, self._request["game"].partition(".")[0])
        if place is None:
            place = SourceLocation(_file_of(self._request["game"]), 0)
        self._tell_finding(Finding(law, said_by(error, place), hint_for(error), "", *place))

    def _tell_finding(self, finding: Finding, preset: str | None = None) -> None:
        data = finding.to_data()
        if preset is not None:
            data["options"] = preset
        self.tell(finding=data)


def _file_of(name: str) -> str:
    return str(Path(name).resolve()) if name.endswith(".py") else ""


def _author_files(kind: type[Game]) -> dict[str, str]:
    """The Python files that the game is made of, with their digests: nobody need try it again while they stay so."""
    package = kind.__module__.partition(".")[0]
    found = {}
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.endswith(".py") and is_authors(file, package):
            with contextlib.suppress(OSError):
                found[file] = digest_of(Path(file))
    return found


@contextlib.contextmanager
def _limited(megabytes: int) -> Iterator[None]:
    """A rule that takes all memory gets a MemoryError, not the machine."""
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        yield


if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    with _limited(asked["memory_mb"]):
        LawWorker(asked, int(sys.argv[2])).run()
