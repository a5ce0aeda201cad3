"""A bot of the YINSH course that knows the rules by heart (tests/naive) and nothing of Forgeron.

usage: yinsh_bot.py SEED [FAULT [AT]]
"""

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
from naive.yinsh import NaiveYinsh

RUN = __name__ == "__main__"  # pytest imports this file to look for doctests
WORDS = sys.argv[1:] if RUN else []
SEED, FAULT, AT = WORDS + ["1", "", "1"][len(WORDS) :]


def say(text: str) -> None:
    print(text, flush=True)


def misbehave(turn: str) -> bool:
    """Do the deed; True when the bot should answer all the same."""
    match FAULT:
        case "illegal":
            say("S 0 0 M 1 0")
        case "garbage":
            say("P 99 \x07")
        case "incomplete":
            if "RS" not in turn:
                return True
            say(turn[: turn.index(" RS")])
        case "late":
            time.sleep(60)
        case "crash":
            sys.exit("no more ideas")
    return False


def main() -> None:
    first_line = sys.stdin.readline()
    print(f"first line: {first_line.strip()}", file=sys.stderr, flush=True)
    player, size, _seconds, length = first_line.split()
    board = NaiveYinsh(n=int(size), m=int(size), k=int(length), removal="free", pending="stop")
    luck = random.Random(int(SEED))
    asked = 0
    my_turn = player == "1"
    while True:
        if not my_turn:
            line = sys.stdin.readline().strip()
            if not line:
                return
            found = board.turns()
            assert line in found or turned(line) in found, f"the opponent played {line!r}"
            board = found.get(line) or found[turned(line)]
        if board.over:
            print("over", *board.removed, file=sys.stderr, flush=True)
            return
        turn = luck.choice(best(board.turns()))
        board = board.turns()[turn]
        if not FAULT or asked < int(AT) or misbehave(turn):
            say(turn)
        asked += 1
        my_turn = False


def best(turns: dict[str, NaiveYinsh]) -> list[str]:
    """Turns that take a row where there are any, so that games are short and have such turns."""
    return sorted(turn for turn in turns if "RS" in turn) or sorted(turns)


def turned(line: str) -> str:
    """The same turn with the ends of its rows exchanged: RS and RE may come in either order."""
    words = line.split()
    for i, word in enumerate(words):
        if word == "RS":
            words[i + 1 : i + 3], words[i + 4 : i + 6] = words[i + 4 : i + 6], words[i + 1 : i + 3]
    return " ".join(words)


if RUN:
    main()
