"""Ctrl-C at every moment of a start, and while machine code never returns: one line, exit code 130, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

#: Far more than a start takes, for a machine that is busy with other things.
PATIENCE_SECONDS = 120

#: Runs the program and sends Ctrl-C to it when a module begins to be imported.
AT_IMPORT = """
import os, signal, sys
module, *sys.argv[1:] = sys.argv[1:]
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from forgeron.__main__ import run
run()
"""

#: Runs machine code that never returns, in the main thread or in a pool as players do.
ENDLESS = """
import os, signal, sys, threading
from concurrent.futures import ThreadPoolExecutor
from forgeron.cli import main
from forgeron.core.jit import kernel

@kernel
def spin(n):
    while n > 0:
        n |= 1
    return n

def stuck():
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    if sys.argv[1] == "pool":
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(spin, [1, 1]))
    spin(1)

spin(0)
main.main = stuck
from forgeron.__main__ import run
run()
"""


def run(code: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "FORGERON_QUIET": "1"},
        timeout=PATIENCE_SECONDS,
    )


@pytest.mark.parametrize(
    "module",
    ["forgeron.cli", "typer", "forgeron.cli.main", "forgeron.cli.tune", "numpy", "numpy.random", "numba",
     "forgeron.core.registry", "forgeron.games.yolah", "forgeron.players.random", "rich.table"],
)  # fmt: skip
def test_ctrl_c_while_the_program_starts_is_one_line(module: str, tmp_path: Path) -> None:
    match = ("match", "yolah", "random", "random", "--games", "2", "--time", "10n")
    done = run(AT_IMPORT, module, *match, folder=tmp_path)
    assert done.returncode == 130
    # With the journal open, it is said what is safe instead.
    assert done.stderr == "interrupted\n" or ("stopped: 0 games are saved" in done.stdout and not done.stderr)


def test_ctrl_c_ends_machine_code_that_never_returns(tmp_path: Path) -> None:
    done = run(ENDLESS, "main", folder=tmp_path)
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


def test_ctrl_c_ends_a_pool_of_threads_that_never_return(tmp_path: Path) -> None:
    done = run(ENDLESS, "pool", folder=tmp_path)
    assert (done.returncode, done.stderr) == (130, "interrupted\n")
