"""A bot as somebody would write one: it reads lines, and answers with the move that leaves the opponent the fewest.

It takes the rules from Forgeron; a bot in another language brings its own. See docs/tournaments.md.
"""

import sys

import forgeron


def best_move(position: forgeron.Position) -> str:
    """The move after which the opponent has the fewest replies."""
    return min(position.legal_moves(), key=lambda move: len(position.play(move).moves))


def main() -> None:
    game = forgeron.game("yolah")
    position = game.start()
    for line in sys.stdin:
        words = line.split()
        match words:
            case ["ugi"]:
                print("id name mobility\nugiok", flush=True)
            case ["newgame", name, *options]:
                game = forgeron.game(name, **dict(option.split("=", 1) for option in options))
            case ["isready"]:
                print("readyok", flush=True)
            case ["position", *rest]:
                at = rest.index("moves") if "moves" in rest else len(rest)
                position = game.start() if rest[0] == "startpos" else game.parse(rest[1])
                for move in rest[at + 1 :]:
                    position = position.play(move)
            case ["go", *_]:
                print(f"bestmove {best_move(position)}", flush=True)
            case ["quit"]:
                return


if __name__ == "__main__":
    main()
