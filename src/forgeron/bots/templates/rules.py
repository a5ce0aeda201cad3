#!/usr/bin/env python3
"""A bot that knows the rules: it looks two plies ahead, with the board and moves of Forgeron. Make `judge` better.

Test it with:  forgeron check GAME python3 THIS_FILE     (with the Python that has Forgeron)
"""

import random
import sys

import forgeron


def judge(position: forgeron.Position, me: int) -> float:
    """How good a position is for me: the lead in points; at the end nothing counts but who has won."""
    lead = position.scores[me] - position.scores[1 - me]
    winner = position.outcome.winner if position.outcome else None
    return lead if winner is None else lead + (1000 if winner == me else -1000)


def freedom(position: forgeron.Position, me: int) -> float:
    """The moves there are to choose from: good for me when it is my turn, bad when it is the opponent's."""
    if position.turn not in (0, 1):
        return 0.0
    return 0.1 * len(position.moves) * (1 if position.turn == me else -1)


def value(position: forgeron.Position, me: int, plies: int) -> float:
    """What I can expect so many plies further on: my best move, the opponent's best answer, the mean of throws.

    Freedom is added up on the way, so that both sides' moves count: after my move the opponent's, after that mine.
    """
    if plies == 0 or position.turn is None:
        return judge(position, me) + freedom(position, me)
    after = [value(position.push(move), me, plies - 1) for move in position.moves]
    if position.turn == "chance":
        return sum(p * v for p, v in zip(position.chances(), after, strict=True))
    return (max(after) if position.turn == me else min(after)) + freedom(position, me)


def choose(position: forgeron.Position, seconds: float) -> str:
    """Two plies ahead, my move and the answer, which takes less than any limit of seconds."""
    print(f"thinking for at most {seconds:g} s", file=sys.stderr)  # standard error is the bot's log
    me = 0 if position.turn == 0 else 1
    moves = position.legal_moves()
    random.shuffle(moves)  # of equally good moves any
    return max(moves, key=lambda move: value(position.play(move), me, 1))


def read_time(words: list[str]) -> float:
    """`go movetime 500`, or `go p1time 60000 p2time 60000 p1inc 0 p2inc 0`; all are milliseconds."""
    told = {words[i]: words[i + 1] for i in range(1, len(words) - 1, 2)}
    left = min(int(told.get("p1time", 30000)), int(told.get("p2time", 30000)))
    return int(told.get("movetime", left // 30)) / 1000


def main() -> None:
    game = forgeron.game("GAME")
    position = game.start()
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "ugi":
            say("id name rules")
            say("ugiok")
        elif words[0] == "newgame":  # newgame mancala owners=halves plies=400 …
            game = forgeron.game("GAME", **dict(word.split("=", 1) for word in words[2:]))
        elif words[0] == "isready":
            value(game.start(), 0, 1)  # compile the rules before the clock runs
            say("readyok")
        elif words[0] == "position":  # position startpos moves m1 m2 …, or position pos TOKEN moves …
            position = game.start() if words[1] == "startpos" else game.parse(words[2])
            for move in words[words.index("moves") + 1 :] if "moves" in words else []:
                position = position.play(move)
        elif words[0] == "go":
            say("bestmove " + choose(position, read_time(words)))
        elif words[0] == "quit":
            return


def say(text: str) -> None:
    print(text, flush=True)  # without flush the referee waits, and the bot loses on time


if __name__ == "__main__":
    main()
