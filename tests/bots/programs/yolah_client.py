"""A client of the Yolah server that knows the rules by heart (tests/naive) and nothing of Forgeron.

usage: yolah_client.py FAULT AT URL [KEY]
"""

import contextlib
import json
import random
import socket
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from naive.yolah import SQUARES, NaiveYolah

RUN = __name__ == "__main__"  # pytest imports this file to look for doctests
FAULT, AT, URL, *KEY = sys.argv[1:] if RUN else ["none", "0", ""]


def board_of(state: dict[str, str]) -> NaiveYolah:
    letters = {"black": "b", "white": "w", "empty": "hole"}
    board = {square: letters[name] for name in letters for i, square in enumerate(SQUARES) if int(state[name]) >> i & 1}
    points = (int(state["black score"]), int(state["white score"]))
    return NaiveYolah(tuple(sorted(board.items())), points, "bw"[int(state["ply"]) % 2])


def main() -> None:
    luck, asked, board = random.Random(5), 0, None
    if FAULT == "never-connects":
        time.sleep(60)
    from websockets.sync.client import connect  # only where it runs: the package is an extra

    with connect(URL) as server:

        def say(message: object) -> None:
            server.send(json.dumps(message))

        if FAULT == "wrong-key":
            say({"type": "join", "join key": "nonsense", "info": "stranger"})
        say({"type": "join", "join key": KEY[0], "info": "stranger"} if KEY else {"type": "new", "info": "stranger"})
        if FAULT == "early":
            say({"type": "my move", "move": "h8:h7"})
        for text in server:
            message = json.loads(text)
            if message["type"] == "game state":
                board = board_of(message["state"])
                if not board.moves():
                    print("over", *board.points, file=sys.stderr, flush=True)
            if message["type"] in ("error", "init"):
                print(message, file=sys.stderr, flush=True)
            if message["type"] != "your move":
                continue
            move = luck.choice(sorted(board.moves()))
            asked += 1
            if asked == int(AT) + 1:
                match FAULT:
                    case "illegal":
                        move = "d5:d5"
                    case "nothing":
                        say({"type": "my move"})
                        continue
                    case "late":
                        time.sleep(60)
                    case "crash":
                        sys.exit("no more ideas")
                    case "hangs-up":
                        server.close()
                        time.sleep(60)
                    case "chatters":
                        say("what?")
                        say({"type": "chat", "message": "\N{SNAKE}"})
                    case "big":
                        say({"type": "chat", "message": "x" * 100_000})
                    case "flood":
                        while True:
                            say({"type": "chat", "message": "x" * 50_000})
                    case "deaf":  # every message is answered, and no answer is read; there is little room for them
                        server.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
                        frame = b"\x81\x81\x00\x00\x00\x00x"
                        while True:
                            server.socket.sendall(frame * 1000)
                    case "small-flood":
                        while True:
                            say({})
                    case "crowd":  # nobody in it reads anything
                        crowd = []
                        while True:
                            with contextlib.suppress(Exception):
                                crowd.append(connect(URL))
                            for one in crowd:
                                with contextlib.suppress(Exception):
                                    one.send("x" * 1000)
            say({"type": "my move", "move": move})


if RUN:
    main()
