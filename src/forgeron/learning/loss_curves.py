"""How the losses of a training fell, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from forgeron.analysis.evaluation_graph import save_graph
from forgeron.learning.network_training import Epoch
from forgeron.reports.line_chart import line_chart


def draw_curves(epochs: Sequence[Epoch], title: str) -> str:
    """The losses by epoch, as SVG text."""
    series = {
        "training": [(epoch.number, epoch.training) for epoch in epochs],
        "games kept back": [(epoch.number, epoch.validation) for epoch in epochs],
        "games kept back, results alone": [(epoch.number, epoch.results) for epoch in epochs],
    }
    return line_chart(title, "epoch", "cross-entropy, nats", series)


def save_curves(epochs: Sequence[Epoch], folder: Path, title: str) -> list[Path]:
    """Write them to loss.svg, and to loss.png where the extra `graph` is installed; the files."""
    svg = draw_curves(epochs, title)
    files = [folder / "loss.svg", *([folder / "loss.png"] if find_spec("resvg_py") else [])]
    for file in files:
        save_graph(svg, file)
    return files
