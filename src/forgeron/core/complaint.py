"""What the compiler says of a function it cannot compile, in one sentence a game's author can act on."""

from __future__ import annotations

import re
from pathlib import Path

from forgeron.core.errors import ContractError

_STAGE = re.compile(r"Failed in \w+ mode pipeline \(step: [^)]*\)\n")
_FUNCTION = re.compile(r"Function\(<function (\w+) at")
_PLACE = re.compile(r"\bat (\S[^\n]*?\.py) \((\d+)\)")


def explain(text: str, what: str) -> ContractError:
    """The error for a compilation of `what` that failed with this text of Numba's.

    The text is a nest of failures, outermost first: the innermost one is the cause, and the last function named before
    it is where it happened.
    """
    *outer, cause = _STAGE.split(text)
    functions = _FUNCTION.findall("".join(outer))
    lines = [line.strip() for line in cause.splitlines() if line.strip()]
    said = lines[0] if lines else "no reason given"
    if len(lines) > 1 and lines[1].startswith(">>>"):
        said = f"{said} {lines[1].removeprefix('>>> ')}"
    where = f"function '{functions[-1]}'" if functions else "a function"
    place = _PLACE.search(cause)
    if place:
        where += f" ({Path(place[1]).name}, line {place[2]}{_quoted(Path(place[1]), int(place[2]))})"
    return ContractError(
        f"cannot compile {what}: in {where}: {said}. FORGERON_JIT=0 runs the same code as plain Python, to find out why"
    )


def _quoted(file: Path, line: int) -> str:
    """The line of the source, where it can be read."""
    try:
        return f": {file.read_text(encoding='utf-8').splitlines()[line - 1].strip()}"
    except (OSError, IndexError, UnicodeDecodeError):
        return ""
