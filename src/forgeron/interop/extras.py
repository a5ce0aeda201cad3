"""Packages that are not always there, and what is said when they are not."""

from __future__ import annotations

import importlib
from types import ModuleType

from forgeron.core.errors import ForgeronError


def needed(module: str, extra: str) -> ModuleType:
    """The module; without it, an error that says how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise ForgeronError(f"this needs {name}: pip install 'forgeron[{extra}]' ({error})") from None
