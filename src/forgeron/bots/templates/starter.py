#!/usr/bin/env python3
"""A first bot: it plays any game of Forgeron, legally, at random. Make `choose` better.

Test it with:  forgeron check GAME python3 THIS_FILE
"""

import random
import sys


class Bot:
    legal: list[str] = []  # the moves that are allowed now
    moves: list[str] = []  # those that led from the first position to this one
    seconds = 1.0  # what this move may take

    def choose(self) -> str:
        return random.choice(self.legal)

    def read_time(self, words: list[str]) -> None:
        """`go movetime 500`, or `go p1time 60000 p2time 60000 p1inc 0 p2inc 0`; all are milliseconds."""
        told = {words[i]: words[i + 1] for i in range(1, len(words) - 1, 2)}
        left = min(int(told.get("p1time", 30000)), int(told.get("p2time", 30000)))
        self.seconds = int(told.get("movetime", left // 30)) / 1000

    def obey(self, words: list[str]) -> None:
        if words[0] == "ugi":
            say("id name starter")
            say("option name legal type check")  # asks the referee to send the legal moves
            say("ugiok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "position":
            self.moves = words[words.index("moves") + 1 :] if "moves" in words else []
        elif words[0] == "legal":
            self.legal = words[1:]
        elif words[0] == "go":
            self.read_time(words)
            say("bestmove " + self.choose())
        elif words[0] == "quit":
            sys.exit()


def say(text: str) -> None:
    print(text, flush=True)  # without flush the referee waits, and the bot loses on time


if __name__ == "__main__":
    bot = Bot()
    for line in sys.stdin:
        if line.strip():
            bot.obey(line.split())
