"""The plot of the comparison with peers: a bar for each program, its length the logarithm of its speed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

_ROW, _LEFT, _WIDTH = 20, 330, 420
_OURS, _THEIRS = "#c2410c", "#64748b"


def bar_chart(rows: Sequence[Mapping[str, Any]]) -> str:
    """An SVG of these rows, grouped by the kind of work; every power of ten has a line."""
    decades = math.ceil(math.log10(max(float(row["a CPU second"]) for row in rows)))
    parts: list[str] = []
    y, kind = 10, ""
    for row in rows:
        if row["work"] != kind:
            kind = str(row["work"])
            y += 22
            parts.append(f'<text x="10" y="{y}" font-weight="bold">{escape(kind)} a CPU second</text>')
            y += 8
        length = max(math.log10(max(float(row["a CPU second"]), 1.0)) / decades * _WIDTH, 1.0)
        colour = _OURS if str(row["program"]).startswith("Forgeron") else _THEIRS
        label = f"{row['program']}, {row['game']}"
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 14}" text-anchor="end">{escape(label)}</text>')
        parts.append(f'<rect x="{_LEFT}" y="{y + 3}" width="{length:.1f}" height="14" fill="{colour}"/>')
        parts.append(f'<text x="{_LEFT + length + 6:.1f}" y="{y + 14}">{row["a CPU second"]:,}</text>')
        y += _ROW
    height = y + 30
    lines = [
        f'<line x1="{x}" y1="10" x2="{x}" y2="{height - 24}" stroke="#cbd5e1"/>'
        f'<text x="{x}" y="{height - 8}" text-anchor="middle">10{"⁰¹²³⁴⁵⁶⁷⁸⁹"[power]}</text>'
        for power in range(decades + 1)
        for x in [round(_LEFT + power / decades * _WIDTH, 1)]
    ]
    size = f'width="{_LEFT + _WIDTH + 110}" height="{height}" viewBox="0 0 {_LEFT + _WIDTH + 110} {height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">'
    back = '<rect width="100%" height="100%" fill="white"/>'
    return "\n".join([head, back, *lines, *parts, "</svg>\n"])
