"""Progress that shows in a notebook, and in a terminal as well.

from forgeron.interop.notebook import ProgressBar
result = forgeron.match("yolah", "mcts", "greedy", games=200, listener=ProgressBar(200))
"""

from __future__ import annotations

import sys
import time
from typing import Any, TextIO

from forgeron.core.errors import OptionError

_SECONDS = 0.2


class ProgressBar:
    """A listener for `forgeron.match` (called with the standing) and `forgeron.tournament` (with two numbers).

    `total` is how many games there will be; a tournament says so by itself.
    """

    def __init__(self, total: int = 0, *, label: str = "games", file: TextIO | None = None) -> None:
        if total < 0:
            raise OptionError(f"a total is 0 (not known) or more, not {total}")
        self.total, self.label = total, label
        self.done = 0
        self._file = sys.stderr if file is None else file
        self._handle = _notebook_display() if file is None else None
        self._shown = 0.0

    def __call__(self, done: Any, total: int | None = None) -> None:
        """Show how far it has come; a few times a second, and at the end."""
        self.total = self.total if total is None else total
        self.done = int(getattr(done, "played", done))
        ended = bool(getattr(done, "decided", False)) or self.done == self.total
        now = time.monotonic()
        if ended or now >= self._shown + _SECONDS:
            self._shown = now
            self._show(ended)

    def _show(self, ended: bool) -> None:
        text = f"{self.done:,} of {self.total:,} {self.label}" if self.total else f"{self.done:,} {self.label}"
        if self._handle is not None:
            most = f' max="{self.total}" value="{self.done}"' if self.total else ""
            self._handle.update(_Html(f"<progress{most}></progress> {text}"))
            return
        self._file.write(f"\r{text}" + ("\n" if ended else ""))
        self._file.flush()


class _Html:
    def __init__(self, text: str) -> None:
        self._text = text

    def _repr_html_(self) -> str:
        return self._text


def _notebook_display() -> Any:
    """A place in the output of a notebook's cell that can be written again; None outside of a notebook."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display

    return display(_Html(""), display_id=True)
