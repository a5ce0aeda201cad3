"""JSON: reading text that may be anything, and writing text that can always be encoded."""

from __future__ import annotations

import json
from typing import Any


def read_json(text: str | bytes) -> Any:
    """The data of a JSON text; whatever is wrong with it is a ValueError.

    >>> read_json("[" * 100_000)
    Traceback (most recent call last):
    ValueError: nested too deeply
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def write_json(data: Any) -> str:
    """The data on one line, with no spaces; a lone half of a surrogate pair, which a bot may print, is escaped.

    >>> write_json({"name": "é", "n": 1}), write_json("\\ud800")
    ('{"name":"é","n":1}', '"\\\\ud800"')
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(data, separators=(",", ":"))
    return text
