"""Players: thin objects over kernels that choose a move within a limit."""

from __future__ import annotations

from forgeron.core.errors import ContractError, ForgeronError
from forgeron.core.game import Game
from forgeron.core.registry import Registry
from forgeron.players.base import Player

_players = Registry("player", Player)  # type: ignore[type-abstract]


def player_names(game: Game | None = None) -> list[str]:
    """The names of all players, weakest family first; or of those that are offered for this game.

    A player of another package that cannot be loaded is offered for none; who asks for it by name is told why.
    """
    names = _players.names()
    return names if game is None else [name for name in names if _is_offered(name, game)]


def _is_offered(name: str, game: Game) -> bool:
    try:
        return player_class(name).plays(game)
    except ForgeronError:
        return False


def player_class(name: str) -> type[Player]:
    """The class of the player of this name, or of the Python file at this path."""
    found = _players.find(name)
    if missing := sorted(getattr(found, "__abstractmethods__", ())):
        raise ContractError(f"player {name}: {found.__name__} has no method {' and no '.join(missing)}")
    return found


def player(name: str, game: Game, /, *, seed: int = 0, threads: int = 1, **options: object) -> Player:
    """A player of this name, or of the Python file at this path, for this game.

    Its kernels are compiled, or loaded, before it is returned. ``player("mcts", game, evaluator=function)`` searches by
    a function of yours: `forgeron.EvaluatedMcts`.

    >>> import forgeron
    >>> player("random", forgeron.game("yolah"), seed=7)
    <Player random of yolah>
    """
    if name == "mcts" and "evaluator" in options:
        from forgeron.players.evaluated_mcts import EvaluatedMcts

        return EvaluatedMcts(game, options, seed=seed, threads=threads)
    return player_class(name)(game, options, seed=seed, threads=threads)
