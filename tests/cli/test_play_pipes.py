"""Games without a terminal: two players, a person whose moves come from a file, dice."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import forgeron
from forgeron.arena.entrant import Entrant
from forgeron.arena.task import GameRunner, GameTask
from forgeron.core.record import Record
from forgeron.players.levels import DEFAULT_LEVEL, level, levels

Run = Callable[..., "subprocess.CompletedProcess[str]"]
RACE = str(Path(__file__).parent / "dice_race.py")
ROOT = Path(__file__).parent.parent.parent


def test_two_players_play_the_same_game_for_a_seed_and_nodes(run: Run) -> None:
    arguments = ("play", "yolah", "--first", "greedy", "--second", "monte-carlo", "--nodes", "300", "--quiet", "--seed")
    first, again, other = (run(*arguments, seed) for seed in ("7", "7", "8"))
    assert first.returncode == 0
    assert first.stdout == again.stdout != other.stdout


def test_quiet_prints_the_moves_of_a_whole_game_and_its_result(run: Run) -> None:
    done = run("play", "yolah", "--first", "greedy", "--second", "random", "--nodes", "1", "--quiet", "--seed", "3")
    *moves, result = done.stdout.splitlines()
    position = forgeron.game("yolah").start()
    for move in moves:
        position = position.play(move)
    outcome = position.outcome
    assert outcome is not None
    assert f"(black {outcome.scores[0]}, white {outcome.scores[1]})" in result
    winner = {0: "black (greedy) wins", 1: "white (random) wins", None: "draw"}[outcome.winner]
    assert result.startswith(winner)


def test_two_players_are_shown_with_a_board_after_each_move(run: Run) -> None:
    done = run("play", "yolah", "--first", "greedy", "--second", "greedy", "--seed", "3")
    moves = re.findall(r"^(?:black|white) \(greedy\) plays \S+ .*", done.stdout, re.MULTILINE)
    assert done.stdout.count("    a  b  c  d  e  f  g  h") == 2 * (len(moves) + 1)
    assert "\x1b" not in done.stdout


def test_moves_can_come_from_a_pipe_and_the_end_of_it_leaves(run: Run, tmp_path: Path) -> None:
    done = run("play", "yolah", "--second", "greedy", typed="d5:b7\nposition\n")
    assert done.returncode == 0
    assert "black> d5:b7\n" in done.stdout
    assert "The game is saved." in done.stdout
    assert len(list((tmp_path / "data" / "games").iterdir())) == 1


def test_two_people_can_play_and_undo_one_ply_at_a_time(run: Run) -> None:
    typed = "d5:b7\ne5:e6\nundo\nposition\n"
    done = run("play", "yolah", "--second", "human", typed=typed)
    assert "white> position\nw6b/1b6/8/3xw3/3wb3/8/8/b6w:w:1:0\n" in done.stdout


def test_a_finished_game_is_saved_with_its_result(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("play", "yolah", "--first", "greedy", "--second", "random", "--seed", "3", "-q", "--save", str(file))
    record = Record.load(file)
    assert record.players == ("greedy", "random")
    assert record.seed == 3
    outcome = record.positions(forgeron.game("yolah"))[-1].outcome
    assert outcome is not None
    assert (outcome.winner, outcome.scores) == (record.winner, record.scores)


def test_a_resigned_game_is_saved_with_its_winner(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("play", "yolah", "--second", "greedy", "--save", str(file), typed="resign\n")
    record = Record.load(file)
    assert (record.winner, record.reason, record.extra["detail"]) == (1, "resign", "human resigns")


def test_a_loaded_game_goes_on_with_other_players_when_they_are_named(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("play", "yolah", "--second", "greedy", typed=f"d5:b7\nsave {file}\n")
    done = run("play", "yolah", "--load", str(file), "--first", "random", "--second", "random", "-q", "--seed", "1")
    record = Record.load(file)
    position = record.positions(forgeron.game("yolah"))[-1]
    for move in done.stdout.splitlines()[:-1]:
        position = position.play(move)
    assert position.turn is None


def test_the_program_throws_the_dice_from_the_seed(run: Run, tmp_path: Path) -> None:
    arguments = ("play", RACE, "--first", "random", "--second", "random", "--quiet", "--seed")
    games = {run(*arguments, str(seed)).stdout for seed in range(3)}
    assert len(games) > 1
    assert run(*arguments, "0").stdout in games
    for text in games:
        *tokens, result = text.splitlines()
        position = forgeron.game(RACE).start()
        for token in tokens:
            position = position.play(token)
        assert position.turn is None
        assert result.endswith(": both runners are home")


def test_a_throw_is_announced_and_undoing_does_not_change_it(run: Run) -> None:
    typed = "left\nundo\nleft\n"
    done = run("play", RACE, "--second", "human", "--seed", "5", typed=typed)
    throws = re.findall(r"^(red|blue) \(human\) throws (\w+) \(33%\)$", done.stdout, re.MULTILINE)
    assert throws[0][0] == "red"
    assert throws[1] == throws[2]
    assert "red 0 0  blue 0 0  thrown " in done.stdout


def test_options_and_presets_reach_the_game(run: Run) -> None:
    lengths = {}
    for options in ((), ("--preset", "short"), ("-o", "goal=9")):
        done = run("play", RACE, "--first", "random", "--second", "random", "--quiet", "--seed", "2", *options)
        lengths[options] = len(done.stdout.splitlines())
    assert lengths[("--preset", "short")] < lengths[()] < lengths[("-o", "goal=9")]


def test_a_saved_game_keeps_its_options(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "race.json"
    run("play", RACE, "--second", "human", "-o", "goal=9", typed=f"left\nsave {file}\n")
    assert json.loads(file.read_text())["options"] == {"goal": 9}
    done = run("play", RACE, "--load", str(file), typed="position\n")
    assert "dice-race[goal=9]" in done.stdout


def test_the_only_move_is_played_by_an_empty_line(run: Run) -> None:
    # red's left runner is home, the right one has to run: hexadecimal fields of the state
    done = run("play", RACE, "--second", "human", "--position", "6:0:0:0:1:0:6", typed="\nposition\n")
    assert "only one legal move, right; press Enter to play it" in done.stdout
    assert "red 6 1  blue 0 0" in done.stdout


def test_a_finished_game_that_is_loaded_shows_its_result(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "race.json"
    played = run("play", RACE, "--first", "random", "--second", "random", "--seed", "3", "-q", "--save", str(file))
    shown = run("play", RACE, "--load", str(file))
    assert shown.stdout.splitlines()[-1] == played.stdout.splitlines()[-1]


def test_a_game_at_the_terminal_is_the_game_that_a_match_would_play(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "yut.json"
    sides = ("--first", "greedy", "--second", "random")
    shown = run("play", "yut", *sides, "--nodes", "20", "--seed", "9", "-q", "--save", str(file))
    task = GameTask("1", "yut", {}, (Entrant("greedy", "greedy"), Entrant("random", "random")), "20n", seed=9)
    with GameRunner() as runner:
        expected = runner.play(task)
    assert tuple(shown.stdout.splitlines()[:-1]) == expected.moves
    record = Record.load(file)
    for name in ("game", "options", "rules", "start", "moves", "players", "seed", "winner", "scores", "reason"):
        assert getattr(record, name) == getattr(expected, name)
    assert record.extra["detail"] == expected.extra["detail"]


def test_a_resigned_game_replays_exactly(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("play", "yolah", "--second", "greedy", "--save", str(file), typed="d5:b7\nresign\n")
    assert "replays exactly" in run("replay", str(file), "--all").stdout


def test_undoing_and_playing_on_gives_the_throws_of_the_game_that_was_never_undone(run: Run) -> None:
    def throws(*typed: str) -> list[str]:
        shown = run("play", RACE, "--second", "human", "--seed", "6", typed="\n".join(typed) + "\n").stdout
        return re.findall(r"throws (\w+)", shown)

    straight = throws("left", "left", "right", "left")
    back = throws("left", "left", "undo", "undo", "left", "left", "right", "left")
    assert back[-len(straight) + 1 :] == straight[1:]


def test_a_record_cannot_have_a_program_run_or_a_file_loaded(run: Run, tmp_path: Path) -> None:
    witness = tmp_path / "was_here"
    (tmp_path / "spy.py").write_text(f"open({str(witness)!r}, 'w')\nclass Spy(Player): ...\n")
    game = forgeron.game("yolah")
    for player in (f"touch {witness}", str(tmp_path / "spy.py"), f"python3 {tmp_path / 'spy.py'}@native"):
        record = Record.of(game, game.start(), ("d5:b7",), players=("human", player))
        record.save(tmp_path / "game.json")
        done = run("play", "yolah", "--load", str(tmp_path / "game.json"))
        assert done.returncode == 2
        assert "is not started by itself; name who goes on with --first and --second" in done.stderr
    assert not witness.exists()


def test_a_program_plays_at_the_terminal_and_is_named_when_the_game_goes_on(run: Run, tmp_path: Path) -> None:
    bot = f"{sys.executable} {ROOT / 'examples' / 'bots' / 'mobility.py'}"
    done = run("play", "yolah", "--second", bot, "--time", "20", typed="d5:b7\n")
    assert f"white ({bot}) plays" in done.stdout
    command = re.search(r"forgeron (play yolah --load .*)", done.stdout)
    assert command
    again = run(*shlex.split(command[1]), typed="position\n")
    assert f"white ({bot})" in again.stdout
    assert again.returncode == 0, again.stderr


def test_a_level_is_a_player_and_a_limit(run: Run, tmp_path: Path) -> None:
    done = run("play", "yolah", "--level", "club", typed="d5:b7\nresign\n")
    assert "white (minimax)" in done.stdout
    (kept,) = (tmp_path / "data" / "games").glob("yolah-*.json")
    record = Record.load(kept)
    assert record.extra["nodes"] == level(forgeron.game("yolah"), "club").nodes
    assert record.reason == "resign", "finished games are kept, too"
    assert f"forgeron analyse yolah {kept}" in done.stdout.replace("\n", " ")


def test_who_names_no_opponent_gets_the_default_level_and_with_a_limit_the_strongest_player(run: Run) -> None:
    game = forgeron.game(RACE)
    done = run("play", RACE, typed="quit\n")
    assert f"Your opponent is {DEFAULT_LEVEL}" in done.stdout
    assert "Others: --level beginner … strongest." in done.stdout
    assert f"({level(game, DEFAULT_LEVEL).player})" in done.stdout
    done = run("play", RACE, "--nodes", "50", typed="quit\n")
    assert f"({levels(game)[-1].player})" in done.stdout
    assert "Your opponent is" not in done.stdout


def test_a_level_that_is_none_is_refused_with_the_names(run: Run) -> None:
    done = run("play", "yolah", "--level", "casuel")
    assert done.returncode == 2
    assert "casual" in done.stderr
    assert run("play", "yolah", "--level", "casual", "--nodes", "3").returncode == 2
