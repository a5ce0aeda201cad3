"""The program as people run it: in a terminal, or with pipes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest

from forgeron.cli.main import main

Terminal = Callable[..., Any]
Run = Callable[..., "subprocess.CompletedProcess[str]"]

PATIENCE_SECONDS = 120


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Unfinished games go to a folder of the test; compiled code stays where all tests share it."""
    own = {"FORGERON_QUIET": "1", "FORGERON_DATA_DIR": str(tmp_path / "data"), "TERM": "xterm", "PYTHONUTF8": "1"}
    return {**os.environ, **own, "COLUMNS": "100"}


@pytest.fixture
def terminal(environment: dict[str, str]) -> Iterator[Terminal]:
    """Start the program in a terminal; the test talks to it with expect and sendline."""
    started = []

    def start(*arguments: str) -> Any:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*forkpty", category=DeprecationWarning)
            child = pexpect.spawn(
                sys.executable,
                ["-m", "forgeron", *arguments],
                env=environment,
                encoding="utf-8",
                timeout=PATIENCE_SECONDS,
                dimensions=(50, 100),
                # Whoever runs the tests in the background may have told their children to ignore Ctrl-C.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
            )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


@pytest.fixture
def run(environment: dict[str, str]) -> Run:
    """Run the program to its end with pipes; `typed` is what comes on stdin."""

    def to_the_end(*arguments: str, typed: str = "", **extra: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "forgeron", *arguments],
            input=typed,
            capture_output=True,
            encoding="utf-8",
            env={**environment, **extra},
            timeout=PATIENCE_SECONDS,
        )

    return to_the_end


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run the program in this process; it must refuse with one line on stderr, which is returned."""

    def run_here(*arguments: str) -> str:
        monkeypatch.setattr("sys.argv", ["forgeron", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        printed = capsys.readouterr()
        assert (left.value.code, printed.out) == (2, "")
        said = re.sub(r"(?m)^(compiling|drawing) .*\n", "", printed.err)  # notices of what takes time
        assert re.fullmatch(r"error: [^\n]+\n", said)
        return said

    return run_here


@pytest.fixture
def call(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the program in this process to its end: quicker than `run`, where nothing depends on its own process."""

    def run_here(*arguments: str, columns: int = 100) -> subprocess.CompletedProcess[str]:
        monkeypatch.setattr("sys.argv", ["forgeron", *arguments])
        monkeypatch.setenv("COLUMNS", str(columns))
        with pytest.raises(SystemExit) as left:
            main()
        printed = capsys.readouterr()
        code = left.value.code if isinstance(left.value.code, int) else 1
        return subprocess.CompletedProcess(arguments, code, printed.out, printed.err)

    return run_here
