"""Makes the pictures of docs/story.md and of the pages of the games: `python docs/make_pictures.py` (needs node).

Everything is seeded and limited by nodes, so the same version makes the same pictures.
"""

from __future__ import annotations

import json
import math
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import forgeron
from forgeron.drawing.bundle import MODULES, style

FOLDER = Path(__file__).parent / "pictures"
INK, BAR = "#5b6670", "#c8643c"
FONT = f'font-family="system-ui, sans-serif" font-size="14" fill="{INK}"'


def board(name: str, position: forgeron.Position, arrows: Sequence[dict[str, Any]] = ()) -> None:
    """A position as the page draws it, with arrows."""
    view, marks = json.dumps(position.view()), json.dumps({"arrows": list(arrows)})
    code = (
        f"import {{ drawText }} from '{(MODULES / 'draw.js').as_uri()}';"
        f"process.stdout.write(drawText({view}, {marks}, {json.dumps(style())}))"
    )
    done = subprocess.run(["node", "--input-type=module", "-e", code], capture_output=True, text=True, check=True)
    (FOLDER / name).write_text(done.stdout.replace("<svg ", '<svg width="360" ', 1) + "\n", encoding="utf-8")


def arrows_of(lines: Sequence[forgeron.Line]) -> list[dict[str, Any]]:
    """The first moves of some lines, the wider the more of the search went there."""
    most = max(line.nodes for line in lines) or 1
    ends = [line.moves[0].split(":") for line in lines]
    return [
        {"from": a, "to": b, "weight": max(line.nodes / most, 0.15)} for (a, b), line in zip(ends, lines, strict=True)
    ]


def monte_carlo_arrows(position: forgeron.Position) -> list[dict[str, Any]]:
    """The eight moves after which 2,000 random games end best for White, the wider the better."""
    shares = {}
    for move in position.legal_moves():
        played = forgeron.play_many(position.play(move), seed=1, games=2_000)
        shares[move] = (played.losses + played.draws / 2) / 2_000
    best = sorted(shares, key=lambda move: -shares[move])[:8]
    low, high = shares[best[-1]], shares[best[0]]
    return [
        {
            "from": move.split(":")[0],
            "to": move.split(":")[1],
            "weight": 0.15 + 0.85 * (shares[move] - low) / (high - low),
        }
        for move in best
    ]


def bars(name: str, title: str, rows: Sequence[tuple[str, float, str]], *, logarithmic: bool = False) -> None:
    """A bar for each row: its label, its length, what is written behind it."""
    sizes = [math.log10(value) if logarithmic else value for _, value, _ in rows]
    height, longest = 34, max(sizes)
    parts = [
        f'<svg width="640" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {44 + height * len(rows)}" role="img" '
        f'aria-label="{title}">',
        f'<text x="0" y="22" {FONT} font-weight="600">{title}</text>',
    ]
    for i, ((label, _, said), size) in enumerate(zip(rows, sizes, strict=True)):
        y = 38 + i * height
        parts += [
            f'<text x="0" y="{y + 18}" {FONT}>{label}</text>',
            f'<rect x="130" y="{y + 4}" width="{max(440 * size / longest, 2):.0f}" height="20" rx="3" fill="{BAR}"/>',
            f'<text x="{136 + max(440 * size / longest, 2):.0f}" y="{y + 18}" {FONT}>{said}</text>',
        ]
    (FOLDER / name).write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")


def under_way(game: forgeron.Game, plies: int) -> forgeron.Position:
    """A position in the middle of a game between two greedy players."""
    player = forgeron.player("greedy", game, seed=1)
    position, rng = game.start(), random.Random(3)
    for _ in range(plies):
        while position.turn == "chance":
            position = position.play(rng.choice(position.legal_moves()))
        position = position.play(player.choose(position, forgeron.Limit(nodes=1)).move)
    return forgeron.next_decision(position)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    game = forgeron.game("yolah")
    position = game.start().play("d5:b7")
    board("story-engine.svg", position, [{"from": "e5", "to": to} for to in ("f5", "g5", "h5", "e6", "e7", "e8", "f6")])
    board("story-monte-carlo.svg", position, monte_carlo_arrows(position))
    found = forgeron.player("mcts", game, seed=1).analyse(position, forgeron.Limit(nodes=20_000), lines=8)
    board("story-mcts.svg", position, arrows_of(found.lines))
    # Figures of docs/players.md (ablation) and docs/strength.md.
    nodes_to_depth_4 = [
        ("minimax", 8_121_676), ("alpha-beta", 227_524), ("deepening", 285_381), ("table", 100_245),
        ("killers", 47_359), ("history", 32_343), ("pvs", 33_917), ("reductions", 7_436),
    ]  # fmt: skip
    rows = [(name, float(nodes), f"{nodes:,}") for name, nodes in nodes_to_depth_4]
    bars("story-minimax.svg", "Nodes to depth 4 in four Yolah positions (logarithmic)", rows, logarithmic=True)
    for name, plies in (("yolah", 20), ("mancala", 12), ("yinsh", 44), ("yut", 24)):
        board(f"game-{name}.svg", under_way(forgeron.game(name), plies))


if __name__ == "__main__":
    main()
