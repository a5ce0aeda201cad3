"""What a ply costs the referee, this version and another one in turn, game by game, in one run.

python benchmarks/referee_versions.py FOLDER [GAMES]

FOLDER is a clone of another version, such as `git worktree add ../old v0.1`. Each version runs in a process of its own
and plays one game whenever it is told to: processor time per ply, rules and journal included, as in referee.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

TOP = Path(__file__).parent.parent
#: Plays a game for each line of its input, with resource limits alone or in bubblewrap, and prints what it cost.
PLAYER = """
import sys, time
from pathlib import Path
import forgeron
from forgeron.arena.journal import Journal
from forgeron.arena.referee import Referee
try:
    from forgeron.bots.clock import TimeControl
    from forgeron.bots.native_host import NativeHost
    from forgeron.bots.sandbox import Sandbox
except ImportError:  # where version 0.1 had them
    from forgeron.arena.clock import TimeControl
    from forgeron.arena.protocols.native import NativeBot as NativeHost
    from forgeron.arena.sandbox import Sandbox
program, journal, layer, *moves = sys.argv[1:]
game = forgeron.game("mancala", preset="course")
sandbox = Sandbox(bwrap=layer == "bwrap")
bots = [NativeHost(f"bot {seat}", [program, *moves], sandbox=sandbox) for seat in (0, 1)]
with Journal(Path(journal), {}) as kept:
    for number, _ in enumerate(sys.stdin):
        began = time.process_time()
        record = Referee(game, (bots[0], bots[1]), TimeControl(move_seconds=5), seed=number).play()
        kept.append(str(number), record)
        spent = time.process_time() - began
        assert record.reason in ("win", "draw"), record.extra["detail"]
        print(spent / len(moves) * 1e6, flush=True)
for bot in bots:
    bot.close()
"""


class Version:
    """One version of the referee, in a process of its own."""

    def __init__(self, name: str, source: Path, program: Path, layer: str, moves: list[str]) -> None:
        self.name, self.costs = name, list[float]()
        words = [str(program), str(program.parent / f"{name}-{layer}.journal"), layer, *moves]
        environment = {**os.environ, "PYTHONPATH": str(source), "FORGERON_QUIET": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", PLAYER, *words], env=environment, stdin=-1, stdout=-1, text=True, bufsize=1
        )

    def play(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("game\n")
        self.costs.append(float(self._process.stdout.readline()))

    def end(self) -> None:
        self._process.communicate()


def main() -> None:
    other = Path(sys.argv[1])
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    sys.path.insert(0, str(TOP / "benchmarks"))
    os.chdir(TOP)
    from referee import long_game

    moves = long_game()
    with tempfile.TemporaryDirectory(dir=".") as folder:
        program = Path(folder, "instant").absolute()
        subprocess.run(["cc", "-O2", "-o", program, TOP / "benchmarks" / "instant_bot.c"], check=True)
        for layer in ("rlimits", "bwrap"):
            versions = [
                Version("this", TOP / "src", program, layer, moves),
                Version("other", other / "src", program, layer, moves),
            ]
            for _ in range(games):
                for version in versions:
                    version.play()
            for version in versions:
                version.end()
                best, middle = min(version.costs), median(version.costs)
                print(f"{layer:8} {version.name:6} best {best:.1f} µs CPU a ply, median {middle:.1f} ({games} games)")


if __name__ == "__main__":
    main()
