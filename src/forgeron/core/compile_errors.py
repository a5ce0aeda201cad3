"""Compiler errors in somebody's rules, explained in one line: which rule, where, and why."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from forgeron.core.errors import ContractError

_RULE = re.compile(r"Function\(<function (\w+) at")
_REASON = re.compile(r"Failed in \w+ mode pipeline \(step: [^)]*\)\s*\n\s*(.+)")
_PLACE = re.compile(r"at (\S.*?\.py) \((\d+)\)")
# Numba writes the places of returns that do not fit together otherwise, with a path relative to where we are.
_RETURN = re.compile(r"Return of: [^\n]*\n\s*File \"([^\"]+\.py)\", line (\d+)")
_TYPE = re.compile(r"[\w.]+\.(\w+)\((?:u?int64(?:, )?)+\)")


def explain(error: Exception, arguments: tuple[Any, ...]) -> ContractError | None:
    """The error of a game's author behind an error of the compiler; None when there is no game among the arguments.

    The compiler tells how it got there, from our kernel to the line that it does not understand: the first function
    that is part of the contract is the rule, and what is said last is the reason.
    """
    from forgeron.core.contract import rules_of

    rules = next((found for found in map(rules_of, map(type, arguments)) if found), None)
    if rules is None:
        return None
    text = str(error)
    rule = next((name for name in _RULE.findall(text) if name in rules), None)
    if rule is None:
        return None
    code = rules[rule].__code__
    reason = list(_REASON.finditer(text))[-1:]
    place = _PLACE.search(text, reason[0].start()) if reason else None
    returned = _RETURN.search(text, reason[0].start()) if reason else None
    why = _TYPE.sub(r"\1", reason[0][1]) if reason else text.splitlines()[0]
    why = _PLACE.sub("", why).removesuffix(", defined ").strip()
    # A name that does not exist has no place: the next one in the text is where our kernel calls the rule.
    known = place is not None and "/forgeron/core/" not in place[1] and "/forgeron/kernels/" not in place[1]
    file, line = (place[1], place[2]) if place is not None and known else (code.co_filename, code.co_firstlineno)
    if returned is not None and Path(returned[1]).resolve() == Path(code.co_filename).resolve():
        line = returned[2]
    return ContractError(f"{file}, line {line}: the rule '{rule}' cannot be compiled: {why}")
