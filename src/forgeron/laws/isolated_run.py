"""Checks a game in a separate process, which may hang, run out of memory or crash."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from forgeron.core.errors import ForgeronError
from forgeron.laws.findings import LOADS, Finding


@dataclass(frozen=True)
class LawRequest:
    """What to try, and how long."""

    game: str
    """a registered name or the path of a file"""
    quick: bool = False
    """only the laws that need no time"""
    options: Mapping[str, Any] = field(default_factory=dict)
    presets: tuple[str | None, ...] = ()
    """none: the defaults, then every preset of the game"""
    seed: int = 0
    plies: int = 3_000
    seconds: float = 10.0
    """of trying laws, shared by the presets"""
    patience: float = 3.0
    """seconds after which a rule in plain Python is taken for endless"""
    load_seconds: float = 10.0
    silence_seconds: float = 60.0
    """without a word for so long, the process is ended"""
    memory_mb: int = 2_048

    def patient(self) -> LawRequest:
        """For compiled code: compiling takes its time, and memory; a kernel that never returns is found by its
        silence."""
        return replace(self, patience=600.0, silence_seconds=120.0, memory_mb=16_384)


Message = dict[str, Any]


def plain(request: LawRequest) -> Iterator[Message]:
    """Try the laws in plain Python, where every error has its line; yields what the worker tells, a finding last."""
    return _run(request, {"FORGERON_JIT": "0"})


def compiled(request: LawRequest) -> Iterator[Message]:
    """Try the laws of compiled code, compiled with its indices checked."""
    return _run(request, {"FORGERON_JIT": "1", "NUMBA_BOUNDSCHECK": "1"})


def _run(request: LawRequest, environment: Mapping[str, str]) -> Iterator[Message]:
    ears, mouth = os.pipe()
    with tempfile.TemporaryFile() as errors, os.fdopen(ears, "rb") as told:
        process = subprocess.Popen(
            [sys.executable, "-m", "forgeron.laws.worker", json.dumps(asdict(request)), str(mouth)],
            env={**os.environ, "FORGERON_QUIET": "1", **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            pass_fds=[mouth],
            start_new_session=True,
        )
        os.close(mouth)
        last: Message = {}
        finding: Message | None = None
        done = False
        try:
            for message in _messages(told, request.silence_seconds):
                if "at" in message:
                    last = message
                elif "finding" in message:
                    finding = message
                else:
                    done = done or "done" in message
                    yield message
            code = process.poll() if process.poll() is not None else _wait(process)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if finding is None and not done:
            finding = {"finding": _death(code, last, request, _tail(errors)).to_data()}
        if finding is not None:
            yield finding


def _messages(told: Any, silence: float) -> Iterator[Message]:
    """The objects that come, until the other side closes or is silent for too long."""
    waiting = b""
    with selectors.DefaultSelector() as selector:
        selector.register(told, selectors.EVENT_READ)
        while selector.select(silence):
            data = os.read(told.fileno(), 65_536)
            if not data:
                return
            *lines, waiting = (waiting + data).split(b"\n")
            for line in lines:
                yield json.loads(line)


def _wait(process: subprocess.Popen[bytes]) -> int | None:
    """How the process ended; None when it has not: then it was silent for too long."""
    deadline = time.monotonic() + 0.5
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    return process.returncode


def _death(code: int | None, last: Message, request: LawRequest, log: str) -> Finding:
    """What there is to say about a process that said nothing more."""
    law = str(last.get("at", LOADS))
    moves = tuple(map(str, last.get("moves", ()))) if "moves" in last else None
    file = request.game if request.game.endswith(".py") else ""
    if code is None:
        said = f"nothing was heard for {request.silence_seconds:g} s, so it was ended"
        return Finding(law, said, "is there a loop that never ends?", file=file, moves=moves)
    if code < 0:
        with contextlib.suppress(ValueError):
            name = signal.Signals(-code).name
            said = {"SIGSEGV": "a segmentation fault", "SIGKILL": "it was killed, perhaps for want of memory"}.get(
                name, name
            )
            remedy = "machine code does not check its indices: keep them inside their arrays, and sizes small"
            if law == LOADS:
                remedy = "something that the file does while it is loaded brings Python down"
            return Finding(law, f"the process died: {said}", remedy, file=file, moves=moves)
    if "MemoryError" in log:
        return Finding(law, "MemoryError", f"a game must do with {request.memory_mb} MB", file=file, moves=moves)
    if code == 0 or "Traceback" not in log:
        return Finding(
            law,
            f"the process ended by itself with exit code {code}",
            "a game must not end the program",
            file=file,
            moves=moves,
        )
    raise ForgeronError(f"the check of {request.game} failed by itself at '{law}': {log.splitlines()[-1]}")


def _tail(errors: Any) -> str:
    errors.seek(0, os.SEEK_END)
    errors.seek(max(errors.tell() - 20_000, 0))
    text: str = errors.read().decode(errors="replace").strip()
    return text
