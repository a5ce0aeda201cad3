"""Self-play of any player: the same kind of games as the compiled self-play writes, and nobody's by mistake."""

from __future__ import annotations

import math
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.arena.entrant import Entrant
from forgeron.core.errors import ForgeronError, IllegalMoveError
from forgeron.kernels.selfplay import JUDGED, LABELLED, PROVED, RANDOM
from forgeron.learning.data_generation import SelfPlay, generate, make_shard, shard_file
from forgeron.learning.positions import Positions
from forgeron.learning.shards import Shard, read_shard, write_shard

CONNECT_FOUR = str(Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py")
FOUR = SelfPlay(CONNECT_FOUR, {}, games=12, nodes=60, opening_plies=4, shard_games=12, seed=3)


def by(player: str, settings: SelfPlay = FOUR) -> SelfPlay:
    return replace(settings, player=Entrant.parse(player).located(Path()).to_data())


def games_of(shard: Shard) -> list[tuple[list[forgeron.Position], np.ndarray, np.ndarray, int]]:
    """The positions of each game, the last one included, with its values, flags and result; an illegal move raises."""
    game, found, at = forgeron.game(str(shard.header["game_file"]), **shard.header["options"]), [], 0
    for length, result in zip(shard.lengths, shard.results, strict=True):
        positions, ply = [game.start()], slice(at, at + int(length))
        for move in shard.moves[ply]:
            positions.append(positions[-1].push(int(move)))
        found.append((positions, shard.values[ply], shard.flags[ply], int(result)))
        at += int(length)
    return found


def played(settings: SelfPlay) -> Shard:
    shard = make_shard(settings, 0)
    return replace(shard, header={**shard.header, "game_file": settings.game})


@pytest.mark.parametrize("player", ["minimax", "mcts:guide=eval", "greedy", "monte-carlo"])
def test_games_are_legal_and_end_as_they_say(player: str) -> None:
    for positions, values, flags, result in games_of(played(by(player))):
        opening = int(np.argmax(flags & JUDGED > 0))
        assert 1 <= opening <= 4
        assert (flags[:opening] == RANDOM).all()
        assert (flags[opening:] & JUDGED > 0).all()
        proven = np.flatnonzero(flags & PROVED)
        if len(proven):
            assert proven.tolist() == [len(flags) - 1]
            assert np.sign(values[-1]) == (result if positions[-2].turn == 0 else -result)
            assert abs(values[-1]) > 999_000
        else:
            outcome = positions[-1].outcome
            assert outcome is not None
            assert result == (0 if outcome.winner is None else 1 - 2 * outcome.winner)
        assert np.abs(values[flags & PROVED == 0]).max(initial=0) <= 21_000


def test_a_value_is_what_the_player_says_of_the_position_and_the_move_its_choice() -> None:
    game = forgeron.game(CONNECT_FOUR)
    player = forgeron.player("minimax", game, seed=FOUR.seed)
    compared = 0
    for positions, values, flags, _ in games_of(played(by("minimax"))):
        for before, after, value, flag in zip(positions, positions[1:], values, flags, strict=False):
            if flag != JUDGED:
                continue
            choice = player.analyse(before, forgeron.Limit(nodes=FOUR.nodes))
            assert before.play(choice.move) == after
            assert 1 / (1 + math.exp(-value / 1000)) == pytest.approx(choice.value, abs=1e-3)
            compared += 1
    assert compared > 50


def test_games_do_not_depend_on_how_they_are_put_into_shards() -> None:
    whole = make_shard(by("mcts:guide=eval"), 0)
    parts = [make_shard(by("mcts:guide=eval", replace(FOUR, shard_games=4)), number) for number in range(3)]
    for name in ("lengths", "results", "moves", "values", "flags"):
        assert np.concatenate([getattr(one, name) for one in parts]).tobytes() == getattr(whole, name).tobytes()
    assert make_shard(by("mcts:guide=eval", replace(FOUR, seed=4)), 0).moves.tobytes() != whole.moves.tobytes()


def test_a_player_that_judges_nothing_leaves_the_judgement_to_the_result(tmp_path: Path) -> None:
    shard = make_shard(by("random", replace(FOUR, games=40, shard_games=40)), 0)
    after_openings = shard.flags[shard.flags != RANDOM]
    assert len(after_openings) > 100
    assert set((after_openings & ~np.uint8(RANDOM)).tolist()) == {LABELLED}
    write_shard(tmp_path / "shard-00000.npz", shard)
    positions = Positions(forgeron.game(CONNECT_FOUR), [tmp_path / "shard-00000.npz"])
    batch = positions.encode(positions.training)
    assert (batch.targets == batch.results).all()


def test_positions_of_a_players_games_can_be_learnt(tmp_path: Path) -> None:
    write_shard(tmp_path / "shard-00000.npz", make_shard(by("mcts:guide=eval"), 0))
    positions = Positions(forgeron.game(CONNECT_FOUR), [tmp_path / "shard-00000.npz"])
    targets = positions.encode(positions.training).targets
    assert len(targets) > 50
    assert ((targets > 0) & (targets < 1)).all()
    assert len(set(targets.tolist())) > 30


def test_a_program_plays_too() -> None:
    program = shlex.join([sys.executable, "-m", "forgeron", "bot", CONNECT_FOUR, "--player", "minimax"])
    settings = replace(FOUR, games=2, shard_games=2)
    theirs, ours = (games_of(played(by(who, settings))) for who in (program, "minimax"))
    for (positions, values, _, result), (same, our_values, _, our_result) in zip(theirs, ours, strict=True):
        known = len(same) - 2  # a program does not say what it has proven: it plays on from there
        assert 10 < known < len(positions)
        assert positions[: known + 1] == same[: known + 1]
        assert np.abs(values[:known] - our_values[:known]).max() <= 10
        assert result == our_result


PLAYER = """
import forgeron

class Mine(forgeron.Player):
    name = "mine"

    def think(self, position, search):
        move = position.legal_moves()[{which}]
        return forgeron.Choice(move, 0.25, (move,), 1, 1, search.seconds)
"""


def test_a_player_in_a_file_that_has_changed_since_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(PLAYER.format(which=0))
    settings = by(str(file), replace(FOUR, games=4, shard_games=2))
    assert list(generate(settings, tmp_path / "out", jobs=1))[-1].shards == 2
    shard = read_shard(shard_file(tmp_path / "out", 0))
    assert set(shard.values[shard.flags & JUDGED > 0].tolist()) == {round(1000 * math.log(1 / 3))}
    file.write_text(PLAYER.format(which=-1))
    with pytest.raises(ForgeronError, match=r"the player mine is not the one that .*out was begun with"):
        next(generate(settings, tmp_path / "out", jobs=1))


def test_an_illegal_move_ends_it_with_a_word(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(PLAYER.format(which=0).replace("position.legal_moves()[0]", '"z9"'))
    with pytest.raises((ForgeronError, IllegalMoveError), match="z9"):
        make_shard(by(str(file)), 0)


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("human", "a person plays no games by the thousand; name a player"),
        ("expectimax:eval=none.network", "cannot read the network"),
        ("yut-example", "plays Yut Nori only"),
    ],
)
def test_who_cannot_play_is_refused_and_leaves_no_folder(player: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ForgeronError, match=said):
        next(generate(by(player), tmp_path / "out", jobs=1))
    assert not (tmp_path / "out").exists()


def test_a_player_and_an_evaluation_are_one_too_many() -> None:
    with pytest.raises(ForgeronError, match="a player brings its own evaluation"):
        by("minimax", replace(FOUR, evaluation="network"))


def test_another_player_in_the_same_folder_is_refused_by_name(tmp_path: Path) -> None:
    settings = replace(FOUR, games=2, shard_games=2)
    list(generate(by("greedy", settings), tmp_path, jobs=1))
    with pytest.raises(ForgeronError, match="was begun with player = greedy: use the same"):
        next(generate(by("random", settings), tmp_path, jobs=1))
    with pytest.raises(ForgeronError, match="was begun with player = greedy: use the same"):
        next(generate(settings, tmp_path, jobs=1))
