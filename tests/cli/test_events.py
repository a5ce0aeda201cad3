"""The commands match, tournament, results and replay, as people run them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

import forgeron
from forgeron.arena import journal as journals
from forgeron.arena.tournament_file import read_tournament
from forgeron.cli.event_runner import RemainingTime

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Terminal = Callable[..., Any]
EXAMPLES = Path(__file__).parent.parent.parent / "examples"
MATCH = ("match", "yolah", "greedy", "random", "--games", "8", "--time", "20n")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A finished game of random moves."""
    game = forgeron.game("yolah")
    position, moves = game.start(), []
    while position.turn is not None:
        moves.append(position.legal_moves()[len(moves) % len(position.moves)])
        position = position.play(moves[-1])
    path = tmp_path / "game.json"
    forgeron.Record.of(game, game.start(), tuple(moves), players=("ann", "bob\x1b[31m")).save(path)
    return path


@pytest.mark.parametrize("command", ["match", "tournament", "results", "replay"])
def test_every_help_page_has_examples(run: Run, command: str) -> None:
    done = run(command, "--help")
    assert done.returncode == 0
    assert f"forgeron {command}" in done.stdout.partition("Examples")[2]


def test_a_match_prints_lines_and_a_summary_and_keeps_its_games(run: Run, tmp_path: Path) -> None:
    done = run(*MATCH)
    assert done.returncode == 0, done.stderr
    assert re.search(
        r"^4 of 8 games, score [\d.]+%, Elo .*, LOS [\d.]+%, at most \d+ s left$", done.stdout, re.MULTILINE
    )
    (file,) = (tmp_path / "matches").iterdir()
    records = journals.read(file)[1]
    wins = sum(record.winner == record.players.index("greedy") for record in records.values())
    row = next(line.split() for line in done.stdout.splitlines() if line.split()[:1] == ["greedy"])
    assert (row[0], row[2], len(records)) == ("greedy", str(wins), 8)
    assert f"forgeron results matches/{file.name}" in done.stdout


def test_the_same_match_again_plays_nothing_twice_and_another_one_is_another_file(run: Run, tmp_path: Path) -> None:
    first = run(*MATCH)
    (file,) = (tmp_path / "matches").iterdir()
    before = file.read_bytes()
    again = run(*MATCH)
    assert again.stdout.startswith(f"resuming matches/{file.name}: 8 games are played so far")
    assert file.read_bytes() == before
    assert again.stdout.splitlines()[-8:] == first.stdout.splitlines()[-8:]
    run(*MATCH, "--seed", "5")
    assert len(list((tmp_path / "matches").iterdir())) == 2


def test_a_match_of_a_player_against_itself_gives_it_two_names(run: Run) -> None:
    done = run("match", "yolah", "greedy", "greedy", "--games", "2", "--time", "5n", "--sprt", "0", "20")
    assert "greedy (2)" in done.stdout
    assert "LLR" in done.stdout
    assert "test open: the results do not tell 0 from 20 nElo (LLR " in done.stdout


def test_the_test_of_a_match_says_what_it_found(run: Run) -> None:
    one_sided = ("--games", "100", "--time", "5n", "--sprt", "0", "50")
    better = run("match", "yolah", "greedy", "random", *one_sided).stdout
    assert "test accepted: a difference of 50 nElo explains the results better than 0 (LLR " in better
    worse = run("match", "yolah", "random", "greedy", *one_sided).stdout
    assert "test rejected: a difference of 0 nElo explains the results better than 50 (LLR -" in worse


def test_the_time_left_goes_by_the_games_of_this_run() -> None:
    now = [100.0]
    pace = RemainingTime(clock=lambda: now[0])
    pace.update(10, 25)
    assert pace.left is None
    now[0] = 110.0
    pace.update(15, 25)
    assert pace.left == 20.0
    pace.update(25, 25)
    assert pace.left == 0.0


def test_a_match_against_a_command_calls_it_by_its_words(run: Run) -> None:
    bot = f"{sys.executable} {EXAMPLES / 'bots' / 'mobility.py'}@native"
    done = run("match", "yolah", bot, "random", "--games", "2", "--time", "5n", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    row = next(line.split() for line in done.stdout.splitlines() if line.split()[:1] == ["mobility.py"])
    assert sum(map(int, row[2:5])) == 2
    assert row[5:] == ["0", "0", "0"], "it made no fault"


def test_a_match_shows_a_live_table_and_can_be_stopped_and_continued(terminal: Terminal, tmp_path: Path) -> None:
    arguments = ("match", "yolah", "monte-carlo", "greedy", "--games", "30", "--time", "0.01", "--journal", "m.journal")
    child = terminal(*arguments)
    child.expect(r"[246] of 30 games")
    child.sendintr()
    child.expect(r"stopped: (\d+) games? (?:are|is) saved in m\.journal; run the same command to resume")
    safe = int(child.match[1])
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert len(journals.read(tmp_path / "m.journal")[1]) == safe
    child = terminal(*arguments)
    child.expect_exact(f"resuming m.journal: {safe} games are played so far")
    child.expect(r"pairs of monte-carlo by points")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert len(journals.read(tmp_path / "m.journal")[1]) == 30


def test_the_example_tournament_runs_and_is_reported_in_every_form(run: Run, tmp_path: Path) -> None:
    text = (EXAMPLES / "tournament.toml").read_text()
    tiny = (
        text.replace('"0.05"', '"5n"')
        .replace("pairs = 2", "pairs = 1")
        .replace("python3 bots", f"{sys.executable} bots")
    )
    assert tiny.count("5n") == 1
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "mobility.py").write_text((EXAMPLES / "bots" / "mobility.py").read_text())
    (tmp_path / "cup.toml").write_text(tiny)
    assert read_tournament(tmp_path / "cup.toml")[0].entrants[3].name == "mobility"
    done = run("tournament", "cup.toml", "--html", "cup.html")
    assert done.returncode == 0, done.stderr
    assert "Crosstable" in done.stdout
    assert " 0   " in next(line for line in done.stdout.splitlines() if "mobility" in line), "it made no fault"
    assert (tmp_path / "cup.html").read_text().startswith("<!doctype html>")
    again = run("tournament", "cup.toml")
    assert "resuming cup.journal: 12 games are played so far" in again.stdout
    written = run(
        "results", "cup.toml", "--csv", "t.csv", "--games-csv", "g.csv", "--json", "r.json", "--sqlite", "g.db"
    )
    assert written.stdout.splitlines() == [f"written: {name}" for name in ("t.csv", "g.csv", "r.json", "g.db")]
    assert len(json.loads((tmp_path / "r.json").read_text())["games"]) == 12
    answer = run("results", "cup.journal", "--query", "SELECT count(*) AS games, max(plies) > 4 AS longer FROM games")
    assert [line.split() for line in answer.stdout.splitlines() if "12" in line] == [["12", "1"]]
    assert "12 games" in run("results", "cup.journal").stdout


def test_a_changed_file_does_not_go_on_with_the_old_journal(run: Run, tmp_path: Path) -> None:
    players = '[[entrant]]\nplayer = "greedy"\n[[entrant]]\nplayer = "random"\n'
    (tmp_path / "cup.toml").write_text(f'[event]\ngame = "yolah"\ntime = "5n"\n{players}')
    assert run("tournament", "cup.toml").returncode == 0
    (tmp_path / "cup.toml").write_text(f'[event]\ngame = "yolah"\ntime = "6n"\n{players}')
    done = run("tournament", "cup.toml")
    assert done.returncode == 2
    assert "cup.journal belongs to an event with other settings (time); give another journal" in done.stderr


# --- replay ---------------------------------------------------------------------------------------------------------


def test_a_record_is_checked_and_printed(run: Run, record: Path) -> None:
    done = run("replay", str(record), "--all")
    assert done.returncode == 0
    assert "replays exactly" in done.stdout
    assert "\x1b[31m" not in done.stdout, "names cannot send commands to the terminal"
    game = forgeron.Record.load(record)
    positions = game.positions(forgeron.game("yolah"))
    for ply, position in enumerate(positions):
        assert position.draw() in done.stdout
        assert ply == 0 or f"{ply}. {game.moves[ply - 1]}\n" in done.stdout


def test_one_can_step_to_and_fro(terminal: Terminal, record: Path) -> None:
    plies = len(forgeron.Record.load(record).moves)
    child = terminal("replay", str(record))
    child.expect_exact(f"0/{plies}> ")
    for typed, ply in [("", 1), ("", 2), ("b", 1), ("e", plies), ("7", 7), ("x", 7), ("b", 6)]:
        child.sendline(typed)
        child.expect_exact(f"{ply}/{plies}> ")
    child.sendline("q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_moves_go_out_as_text_and_come_back_as_the_same_game(run: Run, record: Path, tmp_path: Path) -> None:
    text = run("replay", str(record), "--moves").stdout
    assert tuple(text.split()) == forgeron.Record.load(record).moves
    lines = text.splitlines()
    (tmp_path / "moves.txt").write_text("# a game\n" + "\n".join(f"{i}. {line}" for i, line in enumerate(lines, 1)))
    done = run("replay", "moves.txt", "--game", "yolah", "--save", "again.json")
    assert done.stdout == "written: again.json\n", done.stderr
    first, second = forgeron.Record.load(record), forgeron.Record.load(tmp_path / "again.json")
    assert (first.moves, first.winner, first.scores) == (second.moves, second.winner, second.scores)


def test_turns_with_spaces_are_read_as_turns(run: Run, tmp_path: Path) -> None:
    (tmp_path / "turns.txt").write_text("P 0 0\nP 1 0  # course notation\n")
    moves = run("replay", "turns.txt", "--game", "yinsh", "--moves")
    assert len(moves.stdout.split()) == 2, moves.stderr
    (tmp_path / "tokens.txt").write_text(moves.stdout)
    assert run("replay", "tokens.txt", "--game", "yinsh", "--moves").stdout == moves.stdout


def test_a_record_that_was_changed_is_told_from_one_that_was_not(run: Run, record: Path) -> None:
    data = json.loads(record.read_text())
    record.write_text(json.dumps({**data, "winner": 1 - data["winner"] if data["winner"] is not None else 0}))
    done = run("replay", str(record), "--all")
    assert done.returncode == 1
    assert "does not replay exactly: the record says seat" in done.stderr
    assert "replays exactly" not in done.stdout
    record.write_text(json.dumps({**data, "scores": [99, 0]}))
    assert "the record says 99 : 0, the board" in run("replay", str(record), "--moves").stderr


def test_a_game_of_a_journal_is_chosen_by_number_or_id(run: Run, tmp_path: Path) -> None:
    run(*MATCH, "--journal", "m.journal")
    records = journals.read(tmp_path / "m.journal")[1]
    assert tuple(run("replay", "m.journal", "--game", "3", "--moves").stdout.split()) == list(records.values())[2].moves
    for id, one in records.items():
        if one.players[0] == "random":
            assert tuple(run("replay", "m.journal", "--game", id, "--moves").stdout.split()) == one.moves
            break


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("match", "yut", "minimax", "random"), "minimax does not play games with chance such as Yut Nori"),
        (("match", "yolah", "./typo", "greedy"), "there is no program './typo' that can be run"),
        (("match", "yolah", "human", "greedy"), "people play at a terminal, not in matches"),
        (("match", "yolah", "greedy:eval=x", "random"), "there is no evaluation of Yolah 'x'"),
    ],
)
def test_who_cannot_play_is_refused_before_a_journal_is_begun(
    refused: Callable[..., str], own_folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    assert message in refused(*arguments)
    assert not list(own_folder.iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("match", "yola", "greedy", "random"), "there is no game 'yola'"),
        (("match", "yolah", "greedi", "random"), "there is no player 'greedi'; did you mean 'greedy'?"),
        (("match", "yolah", "greedy", "random", "--games", "3"), "give an even number such as 200, not 3"),
        (("match", "yolah", "greedy", "random", "--time", "x"), "'x' is not a time"),
        (("match", "yolah", "greedy", "random", "--sprt", "10", "0"), "a test needs elo0 < elo1"),
        (("match", "yolah", "greedy", "random", "--jobs", "0"), "'--jobs': Input should be greater than or equal to 1"),
        (
            ("match", "yolah", "greedy", "random", "--executor", "rai"),
            "there is no executor 'rai'; did you mean 'ray'?",
        ),
        (("match", "yolah", "greedy", "random", "--protocol-a", "native"), "speaks no protocol"),
        (("match", "yolah", "greedy", "./b", "--protocol-b", "nativ"), "there is no protocol 'nativ'; did you mean"),
        (("match", "yolah", "greedy", "random", "-o", "size=3"), "there is no option of yolah 'size'"),
        (("tournament", "missing.toml"), "cannot read missing.toml: No such file"),
        (("results", "missing.journal"), "cannot read missing.journal: No such file"),
        (("results", str(EXAMPLES / "game_connect_four.py")), "is damaged"),
        (("replay", "missing.json"), "cannot read missing.json: No such file"),
        (("replay", str(EXAMPLES / "count_results.py")), "holds plain moves; say of which game with --game"),
        (("replay", str(EXAMPLES / "count_results.py"), "--game", "yolah"), "line 1: "),
    ],
)
def test_a_mistake_is_one_line(refused: Callable[..., str], arguments: tuple[str, ...], message: str) -> None:
    assert message in refused(*arguments)


def test_a_match_says_why_a_player_crashed_and_where(
    call: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "from forgeron import Player\n\n\nclass Mine(Player):\n    name = 'mine'\n    summary = 'fails'\n\n"
        "    def think(self, position, search):\n        return position.best\n"
    )
    done = call("match", "yolah", "./mine.py", "random", "--games", "2", "--time", "10n")
    assert done.returncode == 0, done.stderr
    assert re.search(r"mine lost 2 games by a fault \(crash\); game 1: .*'best'.* \(mine\.py, line 9\)", done.stdout)
