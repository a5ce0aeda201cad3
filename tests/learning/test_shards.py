"""Shards of training data: what was played is read, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.game import Game
from forgeron.core.weights import write_weights
from forgeron.kernels.selfplay import JUDGED, LABELLED, PROVED, RANDOM
from forgeron.learning.data_generation import SelfPlay, generate, make_shard, shard_file, shard_files
from forgeron.learning.positions import Positions
from forgeron.learning.shards import Shard, header_of, read_shard, write_shard

SETTINGS = SelfPlay("yolah", {}, games=6, nodes=60, shard_games=2, seed=5)


def replayed(game: Game, shard: Shard) -> list[list[forgeron.Position]]:
    """The positions of each game, the last one included; an illegal move raises."""
    found, at = [], 0
    for length in shard.lengths:
        positions = [game.start()]
        for move in shard.moves[at : at + length]:
            positions.append(positions[-1].push(int(move)))
        at += int(length)
        found.append(positions)
    return found


@pytest.fixture(scope="module")
def shard() -> Shard:
    return make_shard(replace(SETTINGS, games=20, shard_games=20), 0)


def test_games_are_legal_from_the_start_to_a_known_result(shard: Shard) -> None:
    game = forgeron.game("yolah")
    ended = 0
    for positions, result in zip(replayed(game, shard), shard.results, strict=True):
        outcome = positions[-1].outcome
        if outcome is not None:
            ended += 1
            assert result == (0 if outcome.winner is None else 1 - 2 * outcome.winner)
    assert shard.games == 20
    assert set(shard.results.tolist()) <= {-1, 0, 1}


def test_a_proven_value_is_the_last_of_its_game_and_its_result(shard: Shard) -> None:
    at = 0
    for length, result in zip(shard.lengths, shard.results, strict=True):
        flags, values = shard.flags[at : at + length], shard.values[at : at + length]
        at += int(length)
        proven = np.flatnonzero(flags & PROVED)
        assert proven.tolist() in ([], [length - 1])
        if len(proven):
            mover = (int(length) - 1) % 2  # nobody passes before the result is known in these games
            assert np.sign(values[-1]) == (result if mover == 0 else -result)


def test_openings_are_random_and_not_judged(shard: Shard) -> None:
    at, openings = 0, []
    for length in shard.lengths:
        flags = shard.flags[at : at + length]
        plies = int(np.argmax(flags & JUDGED > 0))
        assert 1 <= plies <= SETTINGS.opening_plies
        assert (flags[:plies] == RANDOM).all()
        assert (flags[plies:] & JUDGED > 0).all()
        openings.append(tuple(shard.moves[at : at + plies].tolist()))
        at += int(length)
    assert len(set(openings)) == len(openings)


def test_a_game_without_an_evaluation_teaches_how_its_games_ended(tmp_path: Path) -> None:
    text = (Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py").read_text()
    assert "def evaluate(state, weights)" in text
    before, _, after = text.partition("@rule\ndef evaluate(state, weights)")
    file = tmp_path / "blind.py"
    file.write_text(before + "@rule\n" + after.partition("@rule\n")[2])
    shard = make_shard(SelfPlay(str(file), {}, games=20, nodes=15, opening_plies=2), 0)
    assert (shard.flags & LABELLED).any()
    assert not ((shard.flags & JUDGED > 0) & (shard.flags & PROVED == 0)).any()
    assert not shard.values[shard.flags & LABELLED > 0].any()


def test_the_same_settings_make_the_same_shard_and_another_seed_another(shard: Shard) -> None:
    settings = replace(SETTINGS, games=20, shard_games=20)
    again, other = make_shard(settings, 0), make_shard(replace(settings, seed=6), 0)
    assert again.moves.tobytes() == shard.moves.tobytes()
    assert again.values.tobytes() == shard.values.tobytes()
    assert other.moves.tobytes() != shard.moves.tobytes()


def test_games_do_not_depend_on_how_they_are_put_into_shards(shard: Shard) -> None:
    small = [make_shard(replace(SETTINGS, games=20, shard_games=5), number) for number in range(4)]
    assert np.concatenate([one.moves for one in small]).tobytes() == shard.moves.tobytes()


def test_a_shard_is_read_as_it_was_written(shard: Shard, tmp_path: Path) -> None:
    write_shard(tmp_path / "a.npz", shard)
    read = read_shard(tmp_path / "a.npz", forgeron.game("yolah"))
    for name in ("lengths", "results", "moves", "values", "flags"):
        assert (getattr(read, name) == getattr(shard, name)).all()
    assert read.header["selfplay"]["seed"] == 5


def test_a_shard_of_another_game_is_refused(shard: Shard, tmp_path: Path) -> None:
    write_shard(tmp_path / "a.npz", shard)
    with pytest.raises(ForgeronError, match=r"has games of yolah .* not of mancala"):
        read_shard(tmp_path / "a.npz", forgeron.game("mancala"))


def test_a_damaged_shard_is_refused_in_a_line(shard: Shard, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    write_shard(path, shard)
    data = path.read_bytes()
    for damaged in (b"", b"nonsense", data[:500], data[:-30], data[:900] + bytes(100) + data[1000:]):
        path.write_bytes(damaged)
        with pytest.raises(ForgeronError) as caught:
            read_shard(path)
        assert "\n" not in str(caught.value)
    with pytest.raises(ForgeronError, match="there is no shard"):
        read_shard(tmp_path / "absent.npz")


def test_arrays_that_do_not_fit_together_are_refused(shard: Shard, tmp_path: Path) -> None:
    write_shard(tmp_path / "a.npz", replace(shard, values=shard.values[:-1]))
    with pytest.raises(ForgeronError, match="do not fit together"):
        read_shard(tmp_path / "a.npz")
    write_shard(tmp_path / "a.npz", replace(shard, header={**header_of(forgeron.game("yolah")), "schema": 99}))
    with pytest.raises(ForgeronError, match="another schema"):
        read_shard(tmp_path / "a.npz")


def test_games_that_cannot_be_are_refused(shard: Shard, tmp_path: Path) -> None:
    game, file = forgeron.game("yolah"), tmp_path / "a.npz"
    for result in (100, -128):
        write_shard(file, replace(shard, results=np.full(shard.games, result)))
        with pytest.raises(ForgeronError, match="are not all -1, 0 or 1"):
            Positions(game, [file])
    ends = np.cumsum(shard.lengths)
    for ply, number, place in ((0, 1, 1), (int(ends[2]) + 4, 4, 5)):
        moves = shard.moves.copy()
        moves[ply] = 64 * 64 - 1
        write_shard(file, replace(shard, moves=moves))
        with pytest.raises(ForgeronError, match=rf"game {number} of .* is not of Yolah: move {place} is illegal"):
            Positions(game, [file])


def test_a_position_counts_where_it_is_judged_first(shard: Shard, tmp_path: Path) -> None:
    """The same game twice, the first time as the opening of another one, in which nothing is judged."""
    length = int(shard.lengths[0])
    moves, values, flags = (column[:length] for column in (shard.moves, shard.values, shard.flags))
    twice = Shard(
        shard.header,
        np.array([length, length]),
        np.array([1, 1]),
        np.concatenate([moves, moves]),
        np.concatenate([values, values]),
        np.concatenate([np.full(length, RANDOM), flags]),
    )
    write_shard(tmp_path / "a.npz", twice)
    write_shard(tmp_path / "b.npz", shard)
    both = Positions(forgeron.game("yolah"), [tmp_path / "a.npz", tmp_path / "b.npz"])
    alone = Positions(forgeron.game("yolah"), [tmp_path / "b.npz"])
    assert len(both) == len(alone)


def test_a_run_that_was_stopped_goes_on_and_makes_the_same_shards(tmp_path: Path) -> None:
    list(generate(SETTINGS, tmp_path / "whole", jobs=1))
    stopped = generate(SETTINGS, tmp_path / "parts", jobs=1)
    next(stopped)
    next(stopped)
    stopped.close()
    assert len(shard_files(tmp_path / "parts")) in (1, 2)
    last = list(generate(SETTINGS, tmp_path / "parts", jobs=2))[-1]
    assert last.shards == last.total == 3
    for number in range(3):
        whole, part = (read_shard(shard_file(tmp_path / name, number)) for name in ("whole", "parts"))
        assert whole.moves.tobytes() == part.moves.tobytes()
        assert whole.values.tobytes() == part.values.tobytes()


def test_more_games_fill_the_last_shard_too(tmp_path: Path) -> None:
    list(generate(replace(SETTINGS, games=SETTINGS.shard_games + 1), tmp_path / "grown", jobs=1))
    more = replace(SETTINGS, games=2 * SETTINGS.shard_games)
    last = list(generate(more, tmp_path / "grown", jobs=1))[-1]
    assert (last.games, last.made_games) == (more.games, SETTINGS.shard_games)
    for number in range(2):
        grown, whole = read_shard(shard_file(tmp_path / "grown", number)), make_shard(more, number)
        assert np.array_equal(grown.lengths, whole.lengths)
        assert np.array_equal(grown.moves, whole.moves)


def test_fewer_games_in_between_lose_none(tmp_path: Path) -> None:
    size = SETTINGS.shard_games
    for games in (2 * size + 1, size + 1, 3 * size):
        assert list(generate(replace(SETTINGS, games=games), tmp_path, jobs=1))[-1].games == games
    assert [read_shard(file).games for file in shard_files(tmp_path)] == [size] * 3


def test_a_short_shard_made_when_fewer_games_were_asked_for_is_whole(tmp_path: Path) -> None:
    size = SETTINGS.shard_games
    stopped = generate(replace(SETTINGS, games=3 * size), tmp_path, jobs=1)
    next(stopped)
    stopped.close()
    for games in (size + 1, 3 * size):
        list(generate(replace(SETTINGS, games=games), tmp_path, jobs=1))
    assert [read_shard(file).games for file in shard_files(tmp_path)] == [size] * 3


def test_a_folder_keeps_the_size_of_its_shards(tmp_path: Path) -> None:
    list(generate(SETTINGS, tmp_path, jobs=1))
    more = replace(SETTINGS, games=SETTINGS.games + 3, shard_games=99)
    assert list(generate(more, tmp_path, jobs=1))[-1].games == more.games
    assert [read_shard(file).games for file in shard_files(tmp_path)] == [2, 2, 2, 2, 1]
    (tmp_path / "settings.json").write_text(
        (tmp_path / "settings.json").read_text().replace('games": 2', 'games": "2"')
    )
    with pytest.raises(ForgeronError, match="does not tell games and shard_games"):
        next(generate(more, tmp_path, jobs=1))


def test_the_same_evaluation_by_another_name_goes_on(tmp_path: Path) -> None:
    game = SETTINGS.open()
    for name in ("here.json", "moved.json"):
        write_weights(tmp_path / name, game.name, game.weight_names, game.weights(), "")
        settings = replace(SETTINGS, evaluation=str(tmp_path / name))
        assert list(generate(settings, tmp_path / "out", jobs=1))[-1].games == SETTINGS.games


def test_an_evaluation_that_is_not_there_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ForgeronError, match="cannot read the network"):
        next(generate(replace(SETTINGS, evaluation=str(tmp_path / "none.network")), tmp_path / "out", jobs=1))
    assert not (tmp_path / "out").exists()


def test_an_evaluation_that_has_changed_since_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    game = SETTINGS.open()
    write_weights(file, game.name, game.weight_names, game.weights(), "")
    settings = replace(SETTINGS, evaluation=str(file))
    list(generate(settings, tmp_path / "out", jobs=1))
    write_weights(file, game.name, game.weight_names, game.weights() / 2, "")
    with pytest.raises(ForgeronError, match=r"weights.json is not the one that .*out was begun with"):
        next(generate(settings, tmp_path / "out", jobs=1))


def test_a_folder_that_does_not_tell_its_evaluation_goes_on(tmp_path: Path) -> None:
    list(generate(replace(SETTINGS, games=1), tmp_path, jobs=1))
    settings = json.loads((tmp_path / "settings.json").read_text())
    del settings["evaluation_digest"]
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    assert list(generate(SETTINGS, tmp_path, jobs=1))[-1].games == SETTINGS.games


def test_a_folder_that_was_begun_with_other_settings_is_refused(tmp_path: Path) -> None:
    list(generate(replace(SETTINGS, games=1), tmp_path, jobs=1))
    with pytest.raises(ForgeronError, match="was begun with seed = 5"):
        next(generate(replace(SETTINGS, seed=6), tmp_path, jobs=1))


def test_settings_that_make_no_sense_are_refused() -> None:
    for wrong in ({"games": 0}, {"nodes": 0}, {"random_share": 1.5}, {"shard_games": 0}, {"opening_plies": -1}):
        with pytest.raises(OptionError):
            replace(SETTINGS, **wrong)
    with pytest.raises(OptionError, match="chance"):
        replace(SETTINGS, game="yut").open()
