"""What the referee's side of every protocol shares: a program that runs as a process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from forgeron.bots.contestant import Contestant
from forgeron.bots.faults import BotFault, Reason
from forgeron.bots.process import BotProcess
from forgeron.bots.sandbox import Sandbox


class ProcessHost(Contestant):
    """A program within its limits; subclasses speak to it."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        sandbox: Sandbox | None = None,
        startup_seconds: float = 10.0,
        hidden: Sequence[Path] = (),
    ) -> None:
        self.name = name
        self._command = list(command)
        self._sandbox = sandbox or Sandbox()
        self._startup_seconds = startup_seconds
        self._hidden = hidden
        self._process: BotProcess | None = None
        self._log = ""
        self.layers = self._sandbox.plan(self._command).layers
        self.latest: BotProcess | None = None
        """the process that was started last, for those who look for its mistake"""

    @property
    def log(self) -> str:
        return self._process.stderr if self._process else self._log

    def cpu_spent(self) -> float | None:
        return self._process.all_cpu_spent() if self._process else None

    @property
    def running(self) -> BotProcess:
        """The process of the program; a fault when there is none."""
        if self._process is None:
            raise BotFault(Reason.STARTUP, "it is not running")
        return self._process

    def start_process(self, command: Sequence[str]) -> BotProcess:
        self._process = self.latest = BotProcess(command, sandbox=self._sandbox, hidden=self._hidden)
        self.layers = self._process.layers  # what it has, not what it was to have
        return self._process

    def end_process(self, farewell: str | None = None, *, hang_up: bool = False) -> None:
        """Say goodbye or close its input, end it, and keep its log; nothing where none is running."""
        if self._process:
            self._process.close(farewell, hang_up=hang_up)
            self._log = self._process.stderr
            self._process = None
