"""Formatting of numbers and untrusted texts, the same in every table and message."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.stats.elo import Estimate


def say(console: Console, text: str, style: str = "") -> None:
    """Print sentences: on a terminal their lines end between words, elsewhere they stay whole."""
    console.print(fill(text, console.width) if console.is_terminal else text, style=style, soft_wrap=True)


def fill(text: str, width: int) -> str:
    """A text in lines that end between words. A word longer than a line, such as a path to be copied, stays whole.

    >>> print(fill("  the games are in /tmp/cup.journal now", 16))
      the games are
      in
      /tmp/cup.journal
      now
    """
    from rich.cells import cell_len

    lines = []
    for part in text.split("\n"):
        words = part.split()
        indent = part[: len(part) - len(part.lstrip())]
        line = indent + " ".join(words[:1])
        for word in words[1:]:
            if cell_len(line) + 1 + cell_len(word) > width:
                lines.append(line)
                line = indent + word
            else:
                line += f" {word}"
        lines.append(line)
    return "\n".join(lines)


def plain(text: object) -> str:
    """A text of somebody else as it may be printed: no control characters.

    >>> plain("bot\\x1b[31m")
    'bot?[31m'
    """
    return "".join(character if character.isprintable() else "?" for character in str(text))


def with_error(estimate: Estimate | None) -> str:
    """A value and half its interval.

    >>> from forgeron.stats.elo import Estimate
    >>> with_error(Estimate(12.3, 2.1, 22.5)), with_error(Estimate(math.inf, 140.2, math.inf)), with_error(None)
    ('+12 ± 10', 'above +140', '–')
    >>> with_error(Estimate(-0.3, -10.0, 9.4)), with_error(Estimate(280.0, 57.0, math.inf))
    ('+0 ± 10', '+280, above +57')

    Every game won, and still too few to say that the winner is better: that is no estimate.

    >>> with_error(Estimate(math.inf, -72.0, math.inf))
    '–'
    """
    if estimate is None:
        return "–"
    value, low, high = estimate.value, estimate.low, estimate.high
    if math.isinf(value):
        bound = low if value > 0 else high
        says_nothing = math.isinf(bound) or bound * value <= 0
        return "–" if says_nothing else f"{'above' if value > 0 else 'below'} {bound:+z.0f}"
    if math.isfinite(estimate.error):
        return f"{value:+z.0f} ± {estimate.error:.0f}"
    bounds = [f"above {low:+z.0f}"] * math.isfinite(low) + [f"below {high:+z.0f}"] * math.isfinite(high)
    return ", ".join([f"{value:+z.0f}", *bounds])


def points(value: float) -> str:
    """A multiple of ½, exactly.

    >>> points(2.5), points(3.0), points(123456.5)
    ('2.5', '3', '123456.5')
    """
    return f"{value:.15g}"


def duration(seconds: float | None) -> str:
    """A time as people say it.

    >>> duration(42), duration(150), duration(7300), duration(None)
    ('42 s', '2 min 30 s', '2 h 1 min', '–')
    """
    if seconds is None:
        return "–"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def per_second(count: int, seconds: float) -> str:
    """A speed with three significant figures.

    >>> per_second(164_512, 0.001), per_second(1234, 1.0), per_second(5, 0.0)
    ('165 M/s', '1.23 k/s', '–')
    """
    if seconds <= 0:
        return "–"
    speed = count / seconds
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if speed >= size:
            return f"{speed / size:.3g}{unit}/s"
    return f"{speed:.3g} /s"
