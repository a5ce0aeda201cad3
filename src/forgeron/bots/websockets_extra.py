"""The package `websockets`, which is an extra."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from forgeron.core.errors import OptionError


def need_websockets(part: str, protocol: str) -> Any:
    """The module `websockets.<part>`; where the package is missing, an error says who needs it and how to get it."""
    try:
        return import_module(f"websockets.{part}")
    except ImportError:
        raise OptionError(
            f"protocol {protocol} needs the package websockets: install it with pip install 'forgeron[ws]'"
        ) from None
