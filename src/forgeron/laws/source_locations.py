"""Source locations: the line in the author's files where something went wrong."""

from __future__ import annotations

import inspect
import re
import sysconfig
import traceback
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import forgeron
from forgeron.core.contract import rules_of
from forgeron.core.errors import ForgeronError
from forgeron.core.game import Game

_OURS = Path(forgeron.__file__).parent
_LIBRARY = {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}
_INSTALLED = {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}
#: How errors of ours begin that know the place.
_TOLD = re.compile(r"(\S.*?\.py), line (\d+): ")


class SourceLocation(NamedTuple):
    """A line of a file."""

    file: str
    line: int


def is_authors(file: str, package: str = "") -> bool:
    """Whether a file belongs to the author of a game, whose installed package is `package`."""
    path = Path(file)
    if file.startswith("<"):
        return False
    if path.is_relative_to(_OURS):
        return path.is_relative_to(_OURS / "games")
    for folder in _INSTALLED:
        if path.is_relative_to(folder):
            return bool(package) and path.relative_to(folder).parts[0].removesuffix(".py") == package
    return not any(path.is_relative_to(folder) for folder in _LIBRARY)


def location_of_error(error: BaseException, package: str = "") -> SourceLocation | None:
    """The deepest line of the author's that the error passed through."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return SourceLocation(error.filename, error.lineno)
    told = _TOLD.match(str(error)) if isinstance(error, ForgeronError) else None
    if told is not None:
        return SourceLocation(told[1], int(told[2]))
    frames = traceback.extract_tb(error.__traceback__)
    lines = [
        SourceLocation(frame.filename, frame.lineno or 0) for frame in frames if is_authors(frame.filename, package)
    ]
    cause = error.__cause__
    return lines[-1] if lines else location_of_error(cause, package) if cause is not None else None


def place_of_frame(frame: FrameType | None, package: str = "") -> SourceLocation | None:
    """The deepest line of the author's that is being run."""
    while frame is not None:
        if is_authors(frame.f_code.co_filename, package):
            return SourceLocation(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return None


def location_of_rule(game: Game, rule: str) -> SourceLocation | None:
    """Where the game's rule or method of this name begins; an attribute has the line of its class."""
    kind = type(game)
    function: Any = rules_of(kind.state_class).get(rule)
    if function is None:
        function = getattr(kind, rule, None)
        if not inspect.isfunction(function) or function.__module__ != kind.__module__:
            return _place_of_attribute(kind, rule)
    code = inspect.unwrap(function).__code__
    lines, first = inspect.getsourcelines(code)
    return SourceLocation(code.co_filename, first + next((i for i, line in enumerate(lines) if "def " in line), 0))


def _place_of_attribute(kind: type[Game], name: str) -> SourceLocation | None:
    """The line of the class that sets the attribute, or where the class begins."""
    try:
        lines, first = inspect.getsourcelines(kind)
        file = inspect.getsourcefile(kind) or ""
    except (OSError, TypeError):
        return None
    for i, line in enumerate(lines):
        if line.strip().replace(":", "=").replace(" ", "").startswith(f"{name}="):
            return SourceLocation(file, first + i)
    return SourceLocation(file, first)
