"""Self-play for training data: shard after shard of games.

A shard is a pure function of the settings and its number, and is written whole or not at all. So a run that was killed
loses at most the shards under way, and the same settings go on where it stopped.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from forgeron.arena.bot_files import digest_of
from forgeron.arena.entrant import Entrant
from forgeron.core.contract import offers
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.files import write_file
from forgeron.core.game import Game
from forgeron.core.json_text import read_json
from forgeron.core.registry import game as open_game
from forgeron.core.rng import below, split, word
from forgeron.kernels.alphabeta_workspace import make_workspace
from forgeron.kernels.network import is_network
from forgeron.kernels.selfplay import JUDGED, LABELLED, RANDOM, play_game
from forgeron.kernels.transposition_table import make_table
from forgeron.learning.player_games import PlayerGames
from forgeron.learning.shards import Shard, header_of
from forgeron.players import player_names

if TYPE_CHECKING:
    from forgeron.learning.shard_workers import ShardMaker

#: Longer games are cut off: they teach nothing.
MAX_PLIES = 1000
#: Small enough for a core's own cache, and no search of self-play needs more.
_TABLE_MEGABYTES = 0.5
#: So many nodes a shard of compiled games should cost, some seconds, and one of a player's games: what a run that is
#: stopped may lose, and how often there is a sign of life. Within these bounds.
_SHARD_NODES, _PLAYER_SHARD_NODES = 12_000_000, 800_000
_LEAST_SHARD, _MOST_SHARD = 5, 1000
_USUAL_PLIES = 50
_SETTINGS = "settings.json"
#: The name in the settings of what tells an evaluation from others of the same name.
_DIGEST = "evaluation_digest"
#: The settings that need not be those a folder was begun with.
_GROWING = ("games", "shard_games")


@dataclass(frozen=True)
class SelfPlay:
    """All that decides what games are played."""

    game: str
    options: Mapping[str, Any]
    games: int
    nodes: int = 2500
    """what a move may cost"""
    evaluation: str = "default"
    opening_plies: int = 10
    """random plies at first, at most; each number from 1 is as likely"""
    random_share: float = 0.03
    """how often a later move is a random one"""
    seed: int = 0
    shard_games: int = _MOST_SHARD
    """a folder that is there already has its own"""
    player: Mapping[str, Any] | None = None
    """who plays, as `Entrant.to_data` writes it; None: alpha-beta in compiled code, by the evaluation"""

    def __post_init__(self) -> None:
        for name, least in (("games", 1), ("nodes", 1), ("opening_plies", 0), ("shard_games", 1), ("seed", 0)):
            if getattr(self, name) < least:
                raise OptionError(f"{name} of a self-play must be {least} or more, not {getattr(self, name)}")
        if not 0 <= self.random_share <= 1:
            raise OptionError(f"the share of random moves is from 0 to 1, not {self.random_share}")
        if self.player is not None and self.evaluation != "default":
            raise OptionError("a player brings its own evaluation: name it as an option, as in minimax:eval=network")

    def open(self) -> Game:
        """The game; one with chance is refused."""
        found = open_game(self.game, **self.options)
        if offers(found.state_class, "chance"):
            raise OptionError(f"{found.title} has chance moves, which forgeron td learns from, not self-play")
        return found

    @property
    def judge(self) -> str:
        """Who judges the positions, in words."""
        return f"the evaluation {self.evaluation}" if self.player is None else f"the player {self.player['name']}"


def suitable_shard_games(nodes: int, *, compiled: bool) -> int:
    """How many games a shard should have when a move costs so many nodes.

    >>> [suitable_shard_games(nodes, compiled=True) for nodes in (100, 2500, 20_000)]
    [1000, 96, 12]
    >>> [suitable_shard_games(nodes, compiled=False) for nodes in (100, 800, 20_000)]
    [160, 20, 5]
    """
    games = (_SHARD_NODES if compiled else _PLAYER_SHARD_NODES) // (_USUAL_PLIES * nodes)
    return min(max(games, _LEAST_SHARD), _MOST_SHARD)


def make_shard(settings: SelfPlay, number: int, evaluation: str | None = None) -> Shard:
    """The games of shard `number`; `evaluation` is where the evaluation of the settings is found on this machine."""
    game = settings.open()
    first = number * settings.shard_games
    courses = [_course(settings, i) for i in range(first, min(first + settings.shard_games, settings.games))]
    if settings.player is None:
        weights, memory = game.evaluation(evaluation or settings.evaluation), _memory(game)
        played = [_play(game, settings, weights, memory, *course) for course in courses]
        if not (offers(game.state_class, "evaluate") or is_network(weights)):
            for *_, (_moves, _values, flags) in played:
                judged = flags & ~RANDOM == JUDGED
                flags[judged] ^= JUDGED | LABELLED  # nobody judges these positions: the results count
    else:
        with closing(PlayerGames(game, settings.player, settings.nodes, settings.seed)) as games:
            played = [games.play(*course, settings.random_share, MAX_PLIES) for course in courses]
    header = header_of(game, shard=number, nodes_searched=sum(one[1] for one in played), selfplay=asdict(settings))
    columns = [np.concatenate([one[2][row] for one in played]) for row in range(3)]
    return Shard(
        header,
        np.array([len(one[2][0]) for one in played]),
        np.array([one[0] for one in played]),
        *columns,
    )


@lru_cache(maxsize=1)
def _memory(game: Game) -> tuple[np.ndarray, ...]:
    """What a search writes to, and rows for the moves of a position and for moves, values and flags of a game."""
    rows = [np.zeros(game.max_moves, np.int64), *(np.zeros(MAX_PLIES, np.int64) for _ in range(3))]
    return (make_workspace(game.max_moves), make_table(_TABLE_MEGABYTES), *rows)


def _course(settings: SelfPlay, number: int) -> tuple[np.uint64, int]:
    """The random stream of game `number`, and how many random plies it begins with."""
    with np.errstate(over="ignore"):
        stream = np.uint64(split(np.uint64(settings.seed), np.uint64(number)))
        opening = 1 + int(below(word(split(stream, 1), 1), max(settings.opening_plies, 1)))
    return stream, min(opening, settings.opening_plies)


def _play(
    game: Game,
    settings: SelfPlay,
    weights: np.ndarray,
    memory: tuple[np.ndarray, ...],
    stream: np.uint64,
    opening: int,
) -> tuple[int, int, list[np.ndarray]]:
    """The game of a stream: its result, the nodes that were searched, and its moves, values and flags."""
    workspace, table, out, *rows = memory
    plies, result, nodes = play_game(
        game.start_state(),
        stream,
        np.int64(opening),
        float(settings.random_share),
        np.int64(settings.nodes),
        workspace,
        table,
        weights,
        out,
        *rows,
    )
    return int(result), int(nodes), [row[:plies].copy() for row in rows]


@dataclass(frozen=True)
class Generated:
    """How far a generation of data has come."""

    shards: int
    total: int
    games: int
    """of the shards that are there"""
    made_games: int
    made_plies: int
    """both of the shards that were made by this run"""


def generate(
    settings: SelfPlay, folder: Path, jobs: int, make: ShardMaker | None = None
) -> Generator[Generated, None, None]:
    """Make the shards that are missing in the folder; yields at first and after each shard.

    `make` says where: in processes of this machine, so many at the same time, unless it is given.
    """
    from forgeron.learning.shard_workers import make_in_processes

    whole = _settle(settings, folder)
    total = -(-settings.games // whole.shard_games)
    missing = [number for number in range(total) if not shard_file(folder, number).exists()]
    games = plies = 0

    def far(done: int) -> Generated:
        return Generated(done, total, min(done * whole.shard_games, settings.games), games, plies)

    done = total - len(missing)
    yield far(done)
    if not missing:
        return
    with closing((make or make_in_processes)(whole, folder, missing, jobs)) as made:
        for one in made:
            done, games, plies = done + 1, games + one[0], plies + one[1]
            yield far(done)


def shard_file(folder: Path, number: int) -> Path:
    """Where a shard is kept."""
    return folder / f"shard-{number:05}.npz"


def shard_files(folder: Path) -> list[Path]:
    """The shards of a folder, in order."""
    found = sorted(folder.glob("shard-*.npz"))
    if not found:
        raise ForgeronError(f"there are no shards (shard-*.npz) in {folder}")
    return found


def read_settings(file: Path) -> dict[str, Any]:
    """The settings with which a folder was begun; a file that has none is refused."""
    try:
        begun = read_json(file.read_bytes())
    except (OSError, ValueError) as error:
        raise ForgeronError(f"cannot read {file}: {error}") from None
    if not isinstance(begun, dict):
        raise ForgeronError(f"cannot read {file}: it holds no settings")
    return begun


def _settle(settings: SelfPlay, folder: Path) -> SelfPlay:
    """Keep the settings in the folder, or refuse a folder that was begun with others; with which to go on in it.

    More games may be asked for; fewer than it was begun with change nothing. Its shards have the size that they have.
    """
    digest = _digest(settings)  # an evaluation that is not there leaves no folder
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / _SETTINGS
    asked = _as_kept(settings, digest)
    if file.exists():
        there = read_settings(file)
        begun = {_DIGEST: digest, "player": None, **there}  # a folder of an earlier version does not tell these
        differing = [name for name in asked if name not in _GROWING and begun.get(name) != asked[name]]
        if differing == ["evaluation"] and _DIGEST in there:
            differing = []  # another name for the same numbers
        if differing == [_DIGEST]:
            raise ForgeronError(f"{settings.judge} is not the one that {folder} was begun with: use another folder")
        if differing:
            said = ", ".join(f"{name} = {_shown(begun.get(name))}" for name in differing if name != _DIGEST)
            raise ForgeronError(f"{folder} was begun with {said}: use the same settings or another folder")
        games, size = (begun.get(name) for name in _GROWING)
        if not (type(games) is type(size) is int and games > 0 and size > 0):
            raise ForgeronError(f"cannot read {file}: it does not tell {' and '.join(_GROWING)}")
        settings = replace(settings, games=max(settings.games, games), shard_games=size)
        if games < settings.games and games % size:
            shard_file(folder, games // size).unlink(missing_ok=True)  # it has fewer games than it should have now
    write_file(file, json.dumps(_as_kept(settings, digest), indent=2) + "\n")
    return settings


def _as_kept(settings: SelfPlay, digest: str) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(json.dumps(asdict(settings)))
    return {**kept, _DIGEST: digest}


def _shown(value: object) -> object:
    """A setting as a person knows it: a player by its name."""
    return value.get("name") if isinstance(value, dict) else value


def _digest(settings: SelfPlay) -> str:
    """What tells who judges the positions from others of the same name."""
    game = settings.open()
    if settings.player is None:
        return digest_of_evaluation(game, settings.evaluation)
    entrant = Entrant.from_data(settings.player)
    if entrant.is_human:
        raise OptionError(f"a person plays no games by the thousand; name a player: {', '.join(player_names(game))}")
    entrant.check(game)
    return digest_of(entrant) or ""


def digest_of_evaluation(game: Game, evaluation: str) -> str:
    """The digest of the numbers of an evaluation."""
    weights = np.ascontiguousarray(game.evaluation(evaluation))
    return hashlib.blake2b(weights.tobytes(), digest_size=8).hexdigest()
