"""First bots for people who want to write their own: each is one file that plays any game, by the native protocol."""

from __future__ import annotations

from pathlib import Path

from forgeron.core.errors import unknown_name

FILES = {"python": "starter.py", "c": "starter.c", "java": "Starter.java"}


def template_text(language: str) -> str:
    """The source of the starter bot in a language."""
    if language not in FILES:
        raise unknown_name("template", language, FILES)
    return (Path(__file__).parent / FILES[language]).read_text(encoding="utf-8")
