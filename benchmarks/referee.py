"""What a game costs the referee: processor time per ply, rules and journal included, with instant bots written in C.

python benchmarks/referee.py [GAMES]
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import forgeron
from forgeron.arena.journal import Journal
from forgeron.arena.referee import Referee
from forgeron.bots.clock import TimeControl
from forgeron.bots.native_host import NativeHost
from forgeron.bots.sandbox import Sandbox

#: The length of game that is looked for.
PLIES = 200


def long_game() -> list[str]:
    """The moves of that of the golden games of Mancala whose length is nearest to 200 plies."""
    lines = Path("tests/golden/mancala-games.txt").read_text(encoding="utf-8").splitlines()
    games = [line.partition(";")[0].split() for line in lines if not line.startswith("#")]
    return min(games, key=lambda moves: abs(len(moves) - PLIES))


def exchange_lines(bots: Sequence[NativeHost], moves: list[str]) -> None:
    """The least a ply can cost in Python: one write, one wait, one read; no clock, no rules, no record."""
    line = "position startpos"
    for n, move in enumerate(moves):
        process = bots[n % 2]._process
        assert process is not None
        os.write(process._in, f"{line}\ngo movetime 5000\n".encode())
        process._poll.poll(5000)
        assert os.read(process._out, 65536) == f"bestmove {move}\n".encode()
        line += f" {move}" if n else f" moves {move}"


def exchange_and_play(bots: Sequence[NativeHost], game: forgeron.Game, moves: list[str]) -> None:
    """The same with nothing more than the rules: how much of a ply they are, with caches as cold as after any wait."""
    position, line = game.start(), "position startpos"
    for n, move in enumerate(moves):
        process = bots[n % 2]._process
        assert process is not None
        os.write(process._in, f"{line}\ngo movetime 5000\n".encode())
        process._poll.poll(5000)
        position = position.play(os.read(process._out, 65536).decode().split()[1])
        line += f" {move}" if n else f" moves {move}"


def python_chess(program: Path, games: int) -> str:
    """The same for a game of chess under python-chess: rules and engine module, no journal, no sandbox."""
    try:
        import chess
        import chess.engine
    except ImportError:
        return "python-chess is not installed (pip install chess): no comparison"
    rng, board = random.Random(1), chess.Board()
    while len(board.move_stack) < PLIES:
        board.push(rng.choice(list(board.legal_moves)))
        if board.is_game_over():
            board = chess.Board()
    moves = [move.uci() for move in board.move_stack]
    best = float("inf")
    with chess.engine.SimpleEngine.popen_uci([str(program), *moves]) as engine:
        for _ in range(games):
            began, board = time.process_time(), chess.Board()
            while len(board.move_stack) < len(moves):
                answer = engine.play(board, chess.engine.Limit(time=5))
                assert answer.move in board.legal_moves
                board.push(answer.move)
            best = min(best, (time.process_time() - began) / len(moves) * 1e6)
    return f"python-chess, {len(moves)} plies: {best:.1f} µs CPU a ply (best of {games} games)"


def main() -> None:
    game = forgeron.game("mancala", preset="course")
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    moves = long_game()
    with tempfile.TemporaryDirectory(dir=".") as folder:
        program = Path(folder, "instant").absolute()
        source = Path(__file__).with_name("instant_bot.c")
        subprocess.run(["cc", "-O2", "-o", program, source], check=True)
        print(python_chess(program, games))
        for bwrap in (False, True):
            sandbox = Sandbox(bwrap=bwrap)
            bots = [NativeHost(f"bot {seat}", [str(program), *moves], sandbox=sandbox) for seat in (0, 1)]
            cpu, wall, bare, rules = [], [], [], []
            with Journal(Path(folder, f"{bwrap}.jsonl"), {}) as journal:
                for number in range(games):
                    began = time.process_time(), time.perf_counter()
                    record = Referee(game, (bots[0], bots[1]), TimeControl(move_seconds=5), seed=number).play()
                    journal.append(str(number), record)
                    cpu.append((time.process_time() - began[0]) / len(moves) * 1e6)
                    wall.append((time.perf_counter() - began[1]) / len(moves) * 1e6)
                    assert record.reason in ("win", "draw"), record.extra["detail"]
                    middle = time.process_time()
                    exchange_lines(bots, moves)
                    bare.append((time.process_time() - middle) / len(moves) * 1e6)
                    middle = time.process_time()
                    exchange_and_play(bots, game, moves)
                    rules.append((time.process_time() - middle) / len(moves) * 1e6)
            for bot in bots:
                bot.close()
            print(
                f"{game}, {len(moves)} plies, {'+'.join(sandbox.layers)}: {min(cpu):.1f} µs CPU a ply (median "
                f"{median(cpu):.1f}), {min(wall):.1f} µs wall; a bare exchange of lines {min(bare):.1f} µs CPU, "
                f"with rules {min(rules):.1f} (best of {games} games)"
            )


if __name__ == "__main__":
    main()
