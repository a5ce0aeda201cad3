"""First bots for people who want to write their own: each is one file that speaks the native protocol.

A starter plays any game at random and is told the legal moves. A bot with rules has a board and legal moves of its own:
in Python those of Forgeron, for any game; in C and Java for Yolah, with nothing but the language.
"""

from __future__ import annotations

import re
from pathlib import Path

from forgeron.core.errors import OptionError, unknown_name

FILES = {"python": "starter.py", "c": "starter.c", "c++": "starter.cpp", "java": "Starter.java", "rust": "starter.rs"}
WITH_RULES = {"python": "rules.py", "c": "yolah_rules.c", "java": "YolahRules.java"}
#: The game whose rules are written out where `import forgeron` is not to be had.
SELF_CONTAINED = "yolah"
#: The class of every Java template, until it is named as its file.
_CLASS = "Starter"


def template_text(language: str, *, out: Path | None = None, rules_of: str | None = None) -> str:
    """The source of a first bot in a language, to be written to `out`; with the rules of a game if one is named."""
    if language not in FILES:
        raise unknown_name("template", language, FILES)
    if rules_of is not None and language not in WITH_RULES:
        raise OptionError(f"a bot with rules is there in {', '.join(WITH_RULES)}, not in {language}")
    if rules_of is not None and language != "python" and rules_of != SELF_CONTAINED:
        raise OptionError(
            f"in {language} a bot with rules is there for {SELF_CONTAINED}, not for {rules_of}; "
            "in Python there is one for every game"
        )
    file = FILES[language] if rules_of is None else WITH_RULES[language]
    text = (Path(__file__).parent / file).read_text(encoding="utf-8")
    if language == "python" and rules_of is not None:
        text = text.replace('"GAME"', repr(rules_of).replace("'", '"'))
    if language == "java" and out is not None:
        text = re.sub(rf"\b{_CLASS}\b", java_class(out), text)
    return text


def java_class(file: Path) -> str:
    """The name of the class in a Java file, which is that of the file.

    >>> java_class(Path("bots/MyBot.java"))
    'MyBot'
    """
    if file.suffix != ".java" or not re.fullmatch(r"[A-Za-z_]\w*", file.stem):
        raise OptionError(f"a Java file is named as its class, such as MyBot.java, not '{file.name}'")
    return file.stem
