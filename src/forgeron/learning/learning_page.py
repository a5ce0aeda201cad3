"""A run of learning as one HTML page that needs nothing else: losses, Elo by generation, games and time."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from forgeron.reports.formatting import duration
from forgeron.reports.line_chart import line_chart

if TYPE_CHECKING:
    from forgeron.learning.loop import Generation

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #111; background: #fff; margin: 2rem auto; max-width: 60rem;
  padding: 0 1rem; }
svg { max-width: 100%; height: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: 0.2rem 0.8rem 0.2rem 0; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
"""
_HEADINGS = (
    "generation",
    "positions",
    "games trained on",
    "loss",
    "loss kept back",
    "match",
    "Elo against the one before",
    "verdict",
    "time",
)


def learning_page(title: str, settings: Mapping[str, Any], history: Sequence[Generation]) -> str:
    """The page; its charts are for the generations that are complete."""
    title = html.escape(f"Learning {title}")
    spent = duration(sum(sum(one.seconds.values()) for one in history))
    promoted = sum(one.promoted for one in history)
    count = "1 generation" if len(history) == 1 else f"{len(history)} generations"
    said = f"{count}, {promoted} promoted, {spent} of self-play, training and matches"
    parts = [f"<h1>{title}</h1>", f"<p>{said}.</p>"]
    if history:
        parts += [_loss_chart(history), _elo_chart(history), _table(history)]
    listed = ", ".join(f"{name} = {value}" for name, value in settings.items())
    parts.append(f"<p>Settings: {html.escape(listed)}.</p>")
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


def elo_by_generation(history: Sequence[Generation]) -> list[tuple[float, float]]:
    """The Elo of the champion after each generation, 0 being where the loop began: what promotions add up to."""
    found, total = [(0.0, 0.0)], 0.0
    for one in history:
        gained = _elo(one)
        if one.promoted and gained is not None:
            total += gained
        found.append((float(one.number), total))
    return found


def _elo(one: Generation) -> float | None:
    """What its match says; None where somebody won every game."""
    value = (one.match["elo"] or {}).get("value")
    return value if isinstance(value, float | int) else None


def _loss_chart(history: Sequence[Generation]) -> str:
    series = {
        "training": [(one.number, one.epochs[-1]["training"]) for one in history],
        "games kept back": [(one.number, one.epochs[-1]["validation"]) for one in history],
        "games kept back, results alone": [(one.number, one.epochs[-1]["results"]) for one in history],
    }
    return line_chart("Loss by generation", "generation", "cross-entropy, nats", series)


def _elo_chart(history: Sequence[Generation]) -> str:
    return line_chart("Elo by generation", "generation", "Elo", {"champion": elo_by_generation(history)})


def _table(history: Sequence[Generation]) -> str:
    head = "".join(f'<th scope="col">{heading}</th>' for heading in _HEADINGS)
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in _cells(one))}</tr>" for one in history)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _cells(one: Generation) -> tuple[str, ...]:
    last, match, elo = one.epochs[-1], one.match, _elo(one)
    return (
        str(one.number),
        f"{one.positions:,}",
        f"{one.games:,}",
        f"{last['training']:.4f}",
        f"{last['validation']:.4f}",
        f"{match['points']:g} of {match['games']}",
        "–" if elo is None else f"{elo:+.0f}",
        "promoted" if one.promoted else html.escape(str(match["decision"])),
        duration(sum(one.seconds.values())),
    )
