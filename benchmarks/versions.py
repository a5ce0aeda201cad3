"""Two players of different versions of Forgeron at equal processor time, so that a busy machine does not matter.

    git worktree add ../old f2c07d7
    python benchmarks/versions.py yolah neural ../old:minimax --cpu 0.1 --games 400
    python benchmarks/versions.py mancala neural ../old:minimax --preset course --jobs 2
    python benchmarks/versions.py yut expectimax ../old:expectimax --cpu 0.05

FOLDER:PLAYER is a player of the version in that folder, PLAYER alone one of this version. Each side runs in a process
of its own and gets --cpu seconds of processor time a move. Openings are those of `forgeron match` with the same seed,
each played twice with the seats swapped; with dice both games of a pair have the same throws for each seat. A game ends
as soon as a search has proven its result. Finished pairs are kept in --journal, and the same command goes on; --keep
puts the result into the documentation, where docs/make_tables.py writes it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock, local
from typing import Any

from data_files import commit_of, keep_match, provenance

from forgeron.arena.event import Terms
from forgeron.core import chance
from forgeron.core.files import write_file
from forgeron.core.position import Position
from forgeron.stats.elo import Pentanomial, Summary, summarise

TOP = Path(__file__).parent.parent
#: Answers each line, the moves of a game so far, with the player's move, whether its value is proven, and what it cost.
SERVER = """
import json, sys, time
import forgeron
name, options, text, cpu = sys.argv[1:]
game = forgeron.game(name, **json.loads(options))
kind, _, chosen = text.partition(":")
chosen = dict(one.split("=", 1) for one in chosen.split(",")) if chosen else {}
player = forgeron.player(kind, game, **chosen)
player._clock = time.process_time
limit = forgeron.Limit(seconds=float(cpu))
print("ready", flush=True)
for line in sys.stdin:
    position = game.start()
    for move in line.split():
        position = position.play(move)
    began = time.process_time()
    choice = player.choose(position, limit)
    print(choice.move, int(choice.proven), choice.value, choice.nodes, time.process_time() - began, flush=True)
"""


def version_of(text: str) -> tuple[Path, str]:
    """The folder and the player of [FOLDER:]PLAYER."""
    folder, _, player = text.partition(":")
    return (Path(folder).resolve(), player) if os.path.isdir(folder) else (TOP, text)


class Side:
    """A player of some version, in a process of its own."""

    def __init__(self, text: str, given: argparse.Namespace, options: dict[str, object]) -> None:
        folder, player = version_of(text)
        environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "FORGERON_QUIET": "1"}
        self.name, self.moves, self.nodes, self.cpu_seconds = text, 0, 0, 0.0
        self._process = subprocess.Popen(
            [sys.executable, "-c", SERVER, given.game, json.dumps(options), player, str(given.cpu)],
            env=environment,
            cwd=tempfile.gettempdir(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if self._read() != ["ready"]:
            raise SystemExit(f"{text} does not start")

    def _read(self) -> list[str]:
        assert self._process.stdout is not None
        return self._process.stdout.readline().split()

    def choose(self, moves: list[str]) -> tuple[str, bool, float]:
        """Its move, and its value if that is proven."""
        assert self._process.stdin is not None
        self._process.stdin.write(" ".join(moves) + "\n")
        self._process.stdin.flush()
        move, proven, value, nodes, seconds = self._read()
        self.moves, self.nodes, self.cpu_seconds = (
            self.moves + 1,
            self.nodes + int(nodes),
            self.cpu_seconds + float(seconds),
        )
        return move, proven == "1", float(value)

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


def play_out(position: Position, opening: Sequence[str], sides: tuple[Side, Side], seed: int) -> float:
    """The points of the first of the sides, which has seat 0, after these moves; the seed is for throws."""
    for move in opening:
        position = position.play(move)
    moves, throws = list(opening), [0, 0]
    while position.outcome is None:
        if position.turn == "chance":
            thrower = position.game.thrower(position.state)
            throws[thrower] += 1
            position = chance.throw(position, seed, throws[thrower])
            moves.append(str(position.last_move))
            continue
        seat = 1 if position.turn == 1 else 0
        move, proven, value = sides[seat].choose(moves)
        if proven:
            return value if seat == 0 else 1.0 - value
        position = position.play(move)
        moves.append(move)
    return {0: 1.0, 1: 0.0, None: 0.5}[position.outcome.winner]


class Pairs:
    """The points of the first player in both games of each pair, by the number of its opening; kept in a file."""

    def __init__(self, path: Path | None, settings: dict[str, object]) -> None:
        self.points: dict[int, tuple[float, float]] = {}
        self._lock, self._file = Lock(), None
        if path is None:
            return
        title, before = json.dumps(settings) + "\n", path.read_text(encoding="utf-8") if path.exists() else ""
        if before and not before.startswith(title):
            raise SystemExit(f"{path} is not of this match: its first line is not {title.strip()}")
        whole = before[: before.rfind("\n") + 1] or title  # a line that was torn is played again
        self.points = {number: (a, b) for number, a, b in map(json.loads, whole.splitlines()[1:])}
        write_file(path, whole)
        self._file = path.open("a", encoding="utf-8")

    def _write(self, line: object) -> None:
        if self._file is not None:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()

    def add(self, number: int, both: tuple[float, float]) -> None:
        with self._lock:
            self.points[number] = both
            self._write([number, *both])

    @property
    def summary(self) -> Summary:
        return summarise(Pentanomial.of(self.points.values()))

    def __str__(self) -> str:
        counts, found = Pentanomial.of(self.points.values()), self.summary
        assert found.score is not None
        assert found.elo is not None
        score = f"{100 * found.score.value:.1f} % ({100 * found.score.low:.1f} – {100 * found.score.high:.1f})"
        elo = f"Elo {found.elo.value:+.0f} ({found.elo.low:+.0f} to {found.elo.high:+.0f})"
        return f"{found.games} games: {score}, {elo}, pairs {list(counts)}"


def row(given: argparse.Namespace, pairs: Pairs) -> dict[str, Any]:
    """The line of the table."""
    (mine, a), (theirs, b) = version_of(given.a), version_of(given.b)
    names = [
        player if folder == TOP else f"{player} of {commit_of(folder)}" for folder, player in ((mine, a), (theirs, b))
    ]
    game = f"{given.game} ({given.preset})" if given.preset else given.game
    score, elo, now = pairs.summary.score, pairs.summary.elo, provenance()
    assert score is not None
    assert elo is not None
    return {
        "match": f"{game}: {names[0]} – {names[1]}, {given.cpu:g} s",
        "games": pairs.summary.games,
        "score": f"{score.value:.1%}",
        "95 %": f"{score.low:.1%} – {score.high:.1%}",
        "Elo": f"{elo.value:+.0f}",
        "pairs by points 0, ½, 1, 1½, 2": ", ".join(map(str, Pentanomial.of(pairs.points.values()))),
        "goal": f"{given.goal:.0%}" if given.goal else "",
        "measured": f"{now['date']}, {now['commit']}",
    }


def told(sides: list[tuple[Side, Side]]) -> str:
    """What both sides used so far."""
    shown = []
    for all_of_one in zip(*sides, strict=True):
        moves, cpu = sum(side.moves for side in all_of_one), sum(side.cpu_seconds for side in all_of_one)
        speed = sum(side.nodes for side in all_of_one) / max(cpu, 1e-9) / 1e6
        shown.append(f"{all_of_one[0].name}: {1000 * cpu / max(moves, 1):.1f} ms a move, {speed:.2f} M nodes/s")
    return "; ".join(shown)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("a", metavar="[FOLDER:]PLAYER")
    parser.add_argument("b", metavar="[FOLDER:]PLAYER")
    parser.add_argument("--cpu", type=float, default=0.1, help="seconds of processor time a move")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--plies", type=int, help="random plies of an opening")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="pairs at the same time")
    parser.add_argument("--preset", help="of the game's options")
    parser.add_argument("--journal", type=Path, help="where finished pairs are kept")
    parser.add_argument("--keep", action="store_true", help="keep the result for the documentation, in docs/data")
    parser.add_argument("--goal", type=float, help="what the score should be, told beside it, such as 0.82")
    given = parser.parse_args()
    options: dict[str, object] = {"preset": given.preset} if given.preset else {}
    terms = Terms.settle(given.game, preset=given.preset, time="1", seed=given.seed, opening_plies=given.plies)
    settings = {
        key: value for key, value in vars(given).items() if key not in ("games", "jobs", "journal", "keep", "goal")
    }
    game, openings, pairs = terms.open_game(), terms.openings(given.games // 2), Pairs(given.journal, settings)
    mine, sides = local(), list[tuple[Side, Side]]()

    def play(number: int) -> None:
        if not hasattr(mine, "sides"):
            mine.sides = Side(given.a, given, options), Side(given.b, given, options)
            sides.append(mine.sides)
        a, b = mine.sides
        start, opening, seed = game.start(), openings[number], 1_000_000 * given.seed + number
        pairs.add(number, (play_out(start, opening, (a, b), seed), 1.0 - play_out(start, opening, (b, a), seed)))
        if len(pairs.points) % 5 == 0 or len(pairs.points) == len(openings):
            print(f"{pairs}; {told(sides)}", flush=True)

    with ThreadPoolExecutor(given.jobs) as pool:
        list(pool.map(play, [number for number in range(len(openings)) if number not in pairs.points]))
    for side in (side for both in sides for side in both):
        side.end()
    print(pairs)
    if given.keep:
        keep_match("strength-versions", row(given, pairs))


if __name__ == "__main__":
    main()
