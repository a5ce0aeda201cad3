"""A bot of the Mancala course that knows the rules by heart (tests/naive) and nothing of Forgeron.

usage: mancala_bot.py STYLE [FAULT [AT]] [JoueurA | JoueurB]
STYLE is what it sends when its move ends the game: `move`, `result` (the RESULT line alone) or `both`; with `limit` it
sends RESULT LIMIT instead of the last move that a limit of 12 plies allows.
"""

import os
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
from naive.mancala import NaiveMancala

RUN = __name__ == "__main__"  # pytest imports this file to look for doctests
WORDS = [word for word in sys.argv[1:] if not word.startswith("Joueur")] if RUN else []
LIMIT = 12
STYLE, FAULT, AT = WORDS + ["move", "", "1"][len(WORDS) :]


def say(text: str) -> None:
    sys.stdout.write(text + ("\r\n" if FAULT == "crlf" else "\n"))
    sys.stdout.flush()


def misbehave(move: str) -> None:
    match FAULT:
        case "illegal":
            say("16R" if move != "16R" else "1R")
        case "garbage":
            say("I play \x1b[31m<hole>")
        case "empty":
            say("")
        case "late":
            time.sleep(60)
        case "crash":
            sys.exit("no more ideas")
        case "claims":
            say("RESULT LIMIT 60 36")
        case "lies":
            say(f"RESULT {move} 96 0")


def main() -> None:
    print(f"I was called {sys.argv[1:]}", file=sys.stderr, flush=True)
    if FAULT == "slow-start":
        time.sleep(0.7)
    luck = random.Random(7)
    board = NaiveMancala(owners="alternate", **({"limit": LIMIT} if STYLE == "limit" else {}))
    asked = 0
    for line in sys.stdin:
        word = line.strip()
        if word != "START":
            assert word in board.moves(), f"the opponent played {word!r}"
            board = board.play(word)
        if not board.ending:
            if STYLE == "limit" and board.plies == LIMIT - 1:  # as the course's bots do, instead of the last move
                claim = board.captured if not FAULT else (60, 36)
                say(f"RESULT LIMIT {claim[0]} {claim[1]}")
                return
            move = luck.choice(board.moves())
            board = board.play(move)
            if FAULT not in ("", "crlf", "slow-start", "wrong") and asked == int(AT):
                misbehave(move)
                asked += 1
                continue
            asked += 1
            if not board.ending or STYLE in ("move", "both"):
                say(move)
            if not board.ending:
                continue
            word = move
        if STYLE != "move":
            say(f"RESULT {word} {board.captured[0]} {board.captured[1]}")
        print(f"over after {board.plies} plies", file=sys.stderr, flush=True)
        return
    os._exit(0)


if RUN:
    main()
