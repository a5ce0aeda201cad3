"""Thousands of wrong command lines in one process, made from the definition of each command.

usage: command_line_fuzz.py FOLDER SEED COUNT [COMMAND ...]

Prints one JSON object: how many invocations there were, how they ended, and every one that broke a promise:

- no exception but SystemExit leaves the program, and nobody sees a traceback;
- the exit code is 0, 1, 2 or 130, and not 0 where an error was said or a number is out of the bounds of its definition;
- a command line that is refused (2) says so in one line;
- nobody waits for two seconds of processor time without a word; whoever is still busy then is interrupted, as by
  Ctrl-C, and leaves.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
GAME = str(HERE.parent.parent / "examples" / "game_connect_four.py")
BOT = str(HERE / "bots" / "hostile_bot.py")
#: So much processor time may pass without a word; a busy machine needs more of it for the same work.
SILENT_CPU_SECONDS = float(os.environ.get("FUZZ_SILENT_SECONDS", "2"))
#: Waiting costs no processor time; so long may somebody wait for others without a word.
PATIENCE_SECONDS = 60.0
#: Whoever has said something and is still there after so long (a server, a long search) is sent away by Ctrl-C: that it
#: began is known then, and all that is left to see is how it leaves.
VISIT_SECONDS = 3.0
#: So many of the lines have a number that is refused for certain: these are cheap.
MOSTLY = float(os.environ.get("FUZZ_MOSTLY", "0.7"))
#: Nothing that is only wrong takes more: it would be an error here, not the end of the machine.
MEMORY_BYTES = 6 << 30

#: For each command a command line that would do, small enough to be run; the rest is made from the definition.
FITTING: dict[str, list[str]] = {
    "games": [GAME],
    "play": [GAME, "--first", "random", "--second", "random", "--nodes", "5", "--quiet"],
    "serve": ["missing.py", "--no-browser", "--port", "0"],
    "match": [GAME, "random", "random", "--games", "2", "--time", "5n"],
    "tournament": ["good.toml"],
    "results": ["good.journal"],
    "replay": ["good.json"],
    "analyse": [GAME, "--nodes", "20"],
    "ablation": [GAME, "--depth", "1", "--games", "0"],
    "tune": [GAME, "--games", "2", "--rounds", "1", "--nodes", "5", "--jobs", "1"],
    "selfplay": [GAME, "--games", "2", "--nodes", "5", "--jobs", "1"],
    "train": [GAME, "missing"],
    "perft": [GAME, "2"],
    "bot": [GAME, "--nodes", "5"],
    "check": [GAME, "--", sys.executable, "-S", BOT, "fuzz", "none"],
    "check-game": ["missing.py", "--seconds", "0.1"],
    "bench": ["missing.py"],
    "warmup": ["missing.py"],
    "doctor": ["surplus"],
    "new-game": ["fuzz-game", "--folder", "folder"],
    "build": ["missing.toml"],
    "import-games": ["missing", "missing"],
    "learn": [GAME, "--generations", "1"],
    "openings": [GAME, "--count", "1"],
    "publish": ["good.journal", "folder"],
    "suite": ["missing"],
    "probcut": ["missing.py"],
    "solve": ["missing.py"],
    "td": ["missing.py"],
}
NUMBERS = ["nan", "inf", "-inf", "1e309", "-1", "0", "9" * 5000, "-" + "9" * 400, "1e3", "0x10", "½", "", " ", "1_000",
           "٣", "+5", "3000000", "1.5", "--", "1 2", "\x1b[31m", "١٢"]  # fmt: skip
TEXTS = ["", " ", "'", '"unclosed', "'un closed", "\x1b[31mred", "x" * 5000, "no/such/file.py", "/", "..", "-", "--",
         "{}", "%s%n", "nan", "random", "human", "./typo", "./typo --fast@yinsh", "x@native", "random:", "random:a=b",
         "random:=", ":", "@", "yolah", "mancala", "yolah\n", "missing.toml", "date.toml", "list.toml", "nested.toml",
         "many.toml", "plies.toml", "wrong.toml", "nested.json", "nested.journal", "binary", "empty", "folder",
         "device", "text", "good.journal", "good.json", "9" * 5000 + "n", "3000000", "1e9", "-1", "5n", "0n", "1+",
         "60+nan", "a\x00b", "½", "=", "=b", "a=", "size=9", "size=" + "9" * 5000, "../" * 100, "~", "$HOME",
         "SELECT", "DROP TABLE games", "http://[", "ws://", "999.999.999.999"]  # fmt: skip


@dataclass(frozen=True)
class Parameter:
    """A parameter of a command, as its definition has it."""

    name: str
    is_argument: bool
    kind: str
    """as the annotation reads: int, float, str, list[str], …"""
    least: float | None
    most: float | None
    places: int

    @property
    def is_number(self) -> bool:
        return self.kind in ("int", "float")

    def fits(self, text: str) -> bool:
        """Whether a text is a number within the bounds."""
        try:
            value = int(text) if self.kind == "int" else float(text)
        except ValueError:
            return False
        return self.least is not None and self.most is not None and self.least <= value <= self.most


def definitions() -> dict[str, list[Parameter]]:
    """The parameters of every command."""
    found = commands().commands.items()
    return {name: [_parameter(one) for one in command.params] for name, command in found}


@functools.cache
def commands() -> Any:
    """The program: made once, as that takes longer than most of what is tried here."""
    import typer

    from forgeron.cli.main import app

    return typer.main.get_command(app)


def _parameter(one: Any) -> Parameter:
    annotation = one.type_descriptor.annotation
    kind = (
        annotation.__name__ if isinstance(annotation, type) and not hasattr(annotation, "__args__") else str(annotation)
    )
    return Parameter(one.opts[0], one.param_type_name == "argument", kind, one.min, one.max, one.nargs)


def write_files() -> None:
    """Files to be named: good ones, and such as somebody's hand, editor or disk makes of them."""
    deep = "[" * 100_000
    event = f'[event]\ngame = "{GAME}"\ntime = "5n"\n'
    two = '[[entrant]]\nplayer = "random"\n[[entrant]]\nname = "b"\nplayer = "random"\n'
    texts = {
        "good.toml": event + two,
        "date.toml": event.replace('"5n"', "1979-05-27") + two,
        "list.toml": event + "seed = [1]\njobs = {a = 1}\n" + two,
        "nested.toml": f"a = {deep}",
        "many.toml": event + "pairs = 1000000\n" + two,
        "plies.toml": event + "opening_plies = 100000\n" + two,
        "wrong.toml": event + "jobs = 99999999999999999999\n" + two + "memory_mb = 1e400\n",
        "nested.json": deep,
        "nested.journal": '{"format": ' + deep,
        "text": "this is\nno journal\n",
        "empty": "",
    }
    for name, text in texts.items():
        Path(name).write_text(text)
    Path("binary").write_bytes(bytes(range(256)) * 40)
    Path("folder").mkdir()
    with contextlib.suppress(OSError):
        os.mknod("device", 0o20666, os.makedev(1, 7))  # writes fail, as on a full disk
    if not Path("device").exists():
        Path("device").symlink_to("device")
    for arguments in (
        ["tournament", "good.toml"],
        ["play", *FITTING["play"][:-1], "--seed", "1", "--save", "good.json"],
    ):
        done = subprocess.run([sys.executable, "-m", "forgeron", *arguments], capture_output=True, check=False)
        assert done.returncode == 0, done.stderr


class Kept:
    """The files of the folder as they were: a command that writes to one of them must not spoil the next one's."""

    def __init__(self) -> None:
        self._texts = {name: Path(name).read_bytes() for name in os.listdir() if os.path.isfile(name)}
        self._states = {name: self._state(name) for name in self._texts}
        self._names = {*os.listdir(), "data"}

    @staticmethod
    def _state(name: str) -> tuple[int, ...]:
        """What tells a file that was written to from one that was not; reading them all would take longer."""
        about = os.lstat(name)
        return about.st_mode, about.st_ino, about.st_size, about.st_mtime_ns

    def restore(self) -> None:
        for name in {*os.listdir()} - self._names:
            shutil.rmtree(name) if os.path.isdir(name) else os.unlink(name)
        for name in os.listdir("folder"):
            (shutil.rmtree if os.path.isdir(f"folder/{name}") else os.unlink)(f"folder/{name}")
        for name, data in self._texts.items():
            if not os.path.lexists(name) or self._state(name) != self._states[name]:
                Path(name).write_bytes(data)
                self._states[name] = self._state(name)


class Output(io.TextIOWrapper):
    """What somebody would see; counts how much."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def text(self) -> str:
        data: io.BytesIO = self.buffer  # type: ignore[assignment]
        return data.getvalue().decode("utf-8", errors="replace")


def run(arguments: list[str]) -> tuple[int | str, str, str, bool]:
    """Exit code (or the exception that got out), both outputs, and whether it was silent for too long."""
    out, err = Output(), Output()
    silent = False

    def tired(number: int, _frame: Any) -> None:
        nonlocal silent, patience
        has_spoken = bool(out.text() or err.text())
        patience -= VISIT_SECONDS * (number == signal.SIGALRM)
        if number == signal.SIGPROF and not has_spoken:
            silent = True
        elif number == signal.SIGALRM and not has_spoken and patience > 0:
            return
        signal.raise_signal(signal.SIGINT)  # as a terminal does it: some commands have a way of their own to leave

    patience = PATIENCE_SECONDS
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(b""))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGPROF, tired)
    signal.signal(signal.SIGALRM, tired)
    signal.setitimer(signal.ITIMER_PROF, SILENT_CPU_SECONDS)
    signal.setitimer(signal.ITIMER_REAL, VISIT_SECONDS, VISIT_SECONDS)
    code: int | str = "came back"
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            commands().main(args=arguments, prog_name="forgeron")
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0 if left.code is None else str(left.code)
    except BaseException as error:
        code = f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.stdin = before
    return code, out.text(), err.text(), silent


def wrong_line(rng: random.Random, command: str, parameters: list[Parameter]) -> tuple[list[str], bool]:
    """A command line, and whether a number in it is out of its bounds."""
    line, tail = list(FITTING.get(command, ["surplus"])), []
    if "--" in line:
        at = line.index("--")
        line, tail = line[:at], line[at:]
    refused = False
    arguments = [one for one in parameters if one.is_argument]
    for one in rng.sample(parameters, rng.randint(1, min(3, len(parameters)))):
        value = rng.choice(NUMBERS if one.is_number and rng.random() < 0.8 else TEXTS)
        if one.is_argument:
            place = arguments.index(one)
            if place < len(line) and not line[place].startswith("--"):
                line[place] = value
        elif one.kind == "bool":
            line.append(one.name)
            continue
        elif one.name in line:
            line[line.index(one.name) + 1] = value
        else:
            line += [one.name, *([value] if one.places == 1 else [value, rng.choice(NUMBERS)])]
        refused = refused or (one.is_number and not one.is_argument and not one.fits(value))
    numbers = [one for one in parameters if one.is_number and not one.is_argument and one.name not in line]
    if numbers and rng.random() < MOSTLY:
        one = rng.choice(numbers)
        line += [one.name, rng.choice([text for text in NUMBERS if not one.fits(text)])]
        refused = True
    if rng.random() < 0.05:
        line.insert(rng.randrange(len(line) + 1), rng.choice(["--no-such-option", "-z", "--", "--help=1", "-o"]))
        refused = False
    if rng.random() < 0.03:
        del line[rng.randrange(len(line))]
        refused = False
    return [command, *line, *tail], refused and "--help" not in line


def broken_promise(code: int | str, out: str, err: str, silent: bool, refused: bool) -> str:
    """Which promise was broken, if any."""
    said = [line for line in err.splitlines() if not re.match(r"note: |compiling |drawing |the report has", line)]
    if not isinstance(code, int):
        return f"an exception: {code}"
    if "Traceback (most recent" in out + err:
        return "a traceback"
    if silent:
        return "silence"
    if code not in (0, 1, 2, 130):
        return f"exit code {code}"
    if code == 0 and (refused or any(line.startswith("error:") for line in said)):
        return "exit code 0 for a failure"
    if refused and code not in (2, 130):
        return f"exit code {code} for a wrong number"
    if code == 2 and not (len(said) == 1 and said[0].startswith("error: ") and len(said[0]) < 1200):
        return f"{len(said)} lines for a refusal"
    if code and not (out + err).strip():
        return f"exit code {code} without a word"
    if not all(one.isprintable() or one == "\n" for one in err):
        return "escape sequences on standard error"
    return ""


def main() -> None:
    folder, seed, count = Path(sys.argv[1]).absolute(), int(sys.argv[2]), int(sys.argv[3])
    os.chdir(folder)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    write_files()
    known = {name: one for name, one in definitions().items() if not sys.argv[4:] or name in sys.argv[4:]}
    rng = random.Random(seed)
    broken: list[dict[str, Any]] = []
    ends: Counter[str] = Counter()
    slowest: list[tuple[float, list[str]]] = []
    kept = Kept()
    for number in range(count):
        command = sorted(known)[number % len(known)]
        line, refused = wrong_line(rng, command, known[command])
        os.environ["COLUMNS"] = rng.choice(["20", "80"])
        began = time.process_time()
        Path(f"{folder}.last").write_text(json.dumps(line))  # what ended this process for good, if something does
        code, out, err, silent = run(line)
        slowest.append((round(time.process_time() - began, 2), line))
        kept.restore()
        ends[f"{command} {code if isinstance(code, int) else 'exception'}"] += 1
        why = broken_promise(code, out, err, silent, refused)
        if why:
            broken.append({"why": why, "line": line, "err": err[-600:]})
    print(json.dumps({"count": count, "ends": ends, "broken": broken, "slowest": sorted(slowest)[-10:]}))


if __name__ == "__main__":
    main()
