"""A page without a server that shows every board in several positions: `python tests/browser/gallery.py FILE`."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import forgeron
from forgeron.drawing.bundle import bundle, style

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Boards</title><style>{style}
h2 {{ color: var(--fg-ink); }}
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 0; padding: 1rem; background: var(--page, #faf7f1); }}
@media (prefers-color-scheme: dark) {{ :root {{ --page: #191d23; }} }}
main {{ display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }}
h2 {{ font-size: 1rem; font-weight: 600; margin: 0 0 .5rem; }}
</style></head><body><main></main>
<script>{script}</script>
<script type="application/json" id="views">{views}</script>
<script>
const main = document.querySelector("main");
for (const {{ title, views, chosen }} of JSON.parse(document.getElementById("views").textContent)) {{
  const section = document.createElement("section");
  const heading = document.createElement("h2");
  heading.textContent = title;
  const host = document.createElement("div");
  section.append(heading, host);
  main.append(section);
  const board = new forgeron.boards.Board(host, {{ onMove: () => undefined, onThrow: () => undefined, motion: false }});
  (async () => {{
    for (const view of views) await board.show(view);
    for (const name of chosen) {{
      const place = host.querySelector(`.fg-place[data-name="${{name}}"]`);
      place.dispatchEvent(new MouseEvent("click", {{ bubbles: true }}));
    }}
  }})();
}}
</script></body></html>"""


def played(game: forgeron.Game, plies: int, seed: int) -> list[forgeron.Position]:
    """The last two positions of a random game of so many plies."""
    rng = random.Random(seed)
    found = [game.start()]
    while len(found) <= plies and found[-1].turn is not None:
        found.append(found[-1].play(rng.choice(found[-1].legal_moves())))
    return found[-2:]


def sections() -> list[dict[str, object]]:
    game = forgeron.game
    shown = [
        ("Yolah, in the middle of a game", played(game("yolah"), 18, 2), []),
        ("Yolah, a piece chosen", [game("yolah").start()], ["d5"]),
        ("Mancala, in the middle of a game", played(game("mancala"), 30, 3), []),
        ("Mancala, a hole chosen (owners alternate)", played(game("mancala", preset="course"), 12, 4), ["3"]),
        ("YINSH, in the middle of a game", played(game("yinsh"), 44, 6), []),
        ("YINSH N = 6, placing rings", played(game("yinsh", N=6), 7, 1), []),
        ("Yut Nori, two results in hand", [game("yut").parse("0,0,12,12/0,5,5,30:r:4,2")], ["12"]),
        ("Yut Nori, after a throw", played(game("yut"), 41, 8), []),
        ("Connect Four on the generic board", played(game("examples/game_connect_four.py"), 9, 8), []),
    ]
    return [
        {"title": title, "views": [position.view() for position in positions], "chosen": chosen}
        for title, positions, chosen in shown
    ]


def page() -> str:
    views = json.dumps(sections()).replace("<", "\\u003c")
    return _PAGE.format(style=style(), script=bundle(), views=views)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
