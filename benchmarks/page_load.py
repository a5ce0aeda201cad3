"""Many people at once: python benchmarks/page_load.py [--games 100] [--watchers 200] [--moves 40] [--fuzz 10000]

A server in a process of its own; so many games of two people each, all at the same time, and as many watchers spread
over them; beside them one page that says nonsense. Every move must reach everybody who looks at its game, and nothing
else may. Printed are the round trips of a move, from the page that makes it until the server's answer is there, and
the server's memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import websockets

GAME = "yolah"


@dataclass
class Result:
    """What was measured."""

    trips_ms: list[float] = field(default_factory=list)
    delivered: int = 0
    """moves that reached a watcher"""
    expected: int = 0
    refused: int = 0
    """fuzzed messages that were answered with a reason"""
    memory_mb: float = 0.0
    cpu_seconds: float = 0.0
    """of the server, for everything"""

    def report(self) -> str:
        trips = sorted(self.trips_ms)
        p50, p99 = trips[len(trips) // 2], trips[min(len(trips) - 1, len(trips) * 99 // 100)]
        return (
            f"{len(trips)} moves: mean {statistics.mean(trips):.1f} ms, median {p50:.1f}, p99 {p99:.1f}, "
            f"most {trips[-1]:.1f}; {self.delivered} of {self.expected} states delivered to watchers; "
            f"{self.refused} fuzzed messages refused; server: {self.memory_mb:.0f} MB, {self.cpu_seconds:.1f} CPU s"
        )


class Client:
    """A page without a browser."""

    def __init__(self, socket: Any, key: str) -> None:
        self.socket, self.key = socket, key

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def hear(self, *events: str) -> dict[str, Any]:
        """The next message of these kinds; a refusal is an error."""
        while True:
            message: dict[str, Any] = json.loads(await self.socket.recv())
            if message["event"] == "refused" and "refused" not in events:
                raise AssertionError(message["text"])
            if message["event"] in events:
                return message


def connect(url: str) -> Any:
    return websockets.connect(
        url.replace("http", "ws") + "ws", origin=url.rstrip("/"), max_size=1 << 22, open_timeout=120, ping_interval=None
    )


async def play(url: str, number: int, moves: int, watchers: int, found: Result) -> None:
    """One game of a person against themself, and those who watch it."""
    key, rng = f"{number:032x}", random.Random(number)
    async with connect(url) as socket:
        page = Client(socket, key)
        await page.say(do="new", key=key, game=GAME, options={}, sides=["person", "person"], clock=None)
        state = (await page.hear("game"))["state"]
        ready = [asyncio.Event() for _ in range(watchers)]
        looking = [
            asyncio.create_task(watch(url, state["id"], moves, f"{number:016x}{i:016x}", ready[i], found))
            for i in range(watchers)
        ]
        await asyncio.gather(*(one.wait() for one in ready))
        for ply in range(moves):
            move = rng.choice(state["view"]["moves"])["move"]
            started = time.perf_counter()
            await page.say(do="move", id=state["id"], key=key, ply=ply, move=move)
            state = (await page.hear("game"))["state"]
            found.trips_ms.append(1000 * (time.perf_counter() - started))
            assert state["ply"] == ply + 1, "a move was lost"
            await asyncio.sleep(rng.uniform(0.05, 0.25))
        await asyncio.wait_for(asyncio.gather(*looking), 120)


async def watch(url: str, game: str, moves: int, key: str, ready: asyncio.Event, found: Result) -> None:
    """Look at a game until its last move; every state must come, in order."""
    async with connect(url) as socket:
        page = Client(socket, key)
        await page.say(do="open", id=game, key=key)
        seen = (await page.hear("game"))["state"]["ply"]
        ready.set()
        found.expected += moves
        while seen < moves:
            ply = (await page.hear("game"))["state"]["ply"]
            assert ply == seen + 1, f"ply {ply} after {seen}"
            seen = ply
            found.delivered += 1


def nonsense(count: int, rng: random.Random) -> Iterator[str]:
    """Messages that are nearly right."""
    good = {"do": "move", "id": "a" * 12, "key": "0" * 32, "ply": 0, "move": "d5:b7"}
    values: list[Any] = [None, -1, 2**80, "", "x" * 3000, [], {}, [[[]]], True, "\u202e", "yolah", 1e308]
    for _ in range(count):
        message: dict[str, Any] = dict(good)
        for _ in range(rng.randrange(1, 4)):
            message[rng.choice([*message, "extra", "ask"])] = rng.choice(values)
        text = json.dumps(message)
        yield text[: rng.randrange(len(text))] if rng.random() < 0.2 else text


async def fuzz(url: str, count: int, found: Result) -> None:
    """Say nonsense as fast as the server reads it; each message is answered with a reason."""
    async with connect(url) as socket:
        page = Client(socket, "f" * 32)
        for text in nonsense(count, random.Random(1)):
            await socket.send(text)
            await page.hear("refused")
            found.refused += 1


async def server(folder: Path) -> tuple[asyncio.subprocess.Process, str]:
    words = [sys.executable, "-m", "forgeron", "serve", "--no-browser", "--port", "0", "--data", str(folder)]
    process = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    said = (await process.stdout.readline()).decode()
    match = re.search(r"http://localhost:\d+/", said)
    assert match, said
    return process, match[0]


def memory_mb(pid: int) -> float:
    """The most memory that the process has had."""
    text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    peak = re.search(r"VmHWM:\s+(\d+) kB", text)
    return int(peak[1]) / 1024 if peak else 0.0


def cpu_seconds(pid: int) -> float:
    """The CPU time that the process has used."""
    words = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


async def measure(games: int, watchers: int, moves: int, fuzzed: int) -> Result:
    """Everything at once."""
    found = Result()
    with tempfile.TemporaryDirectory() as folder:
        process, url = await server(Path(folder))
        try:
            shares = [watchers // games + (i < watchers % games) for i in range(games)]
            crowd = [play(url, i, moves, shares[i], found) for i in range(games)]
            await asyncio.gather(fuzz(url, fuzzed, found), *crowd)
            assert process.returncode is None, "the server has ended"
            found.memory_mb, found.cpu_seconds = memory_mb(process.pid), cpu_seconds(process.pid)
        finally:
            process.terminate()
            await process.wait()
    assert found.delivered == found.expected
    assert found.refused == fuzzed
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--watchers", type=int, default=200)
    parser.add_argument("--moves", type=int, default=40, help="of each game")
    parser.add_argument("--fuzz", type=int, default=10_000, help="messages that make no sense")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    found = asyncio.run(measure(given.games, given.watchers, given.moves, given.fuzz))
    print(f"{given.games} games, {given.watchers} watchers, load of the machine before {load:.1f}")
    print(found.report())


if __name__ == "__main__":
    main()
