"""Ann's bot, in Python: any legal move."""

import random
import sys

legal: list[str] = []


def say(text: str) -> None:
    print(text, flush=True)  # without flush the referee waits, and the bot loses on time


for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ugi":
        say("id name Ann")
        say("option name legal type check")  # asks the referee to send the legal moves
        say("ugiok")
    elif word == "isready":
        say("readyok")
    elif word == "legal":
        legal = rest
    elif word == "go":
        say(f"bestmove {random.choice(legal)}")
    elif word == "quit":
        break
