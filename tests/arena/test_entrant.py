"""A player written as text: one notation, and one answer to everything that may be wrong with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import forgeron
from forgeron.arena.entrant import Entrant, two_entrants
from forgeron.core.errors import ForgeronError

ROOT = Path(__file__).parent.parent.parent
PLAYER_FILE = ROOT / "examples" / "player_mobility.py"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a player, a program, and a file that is neither."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(PLAYER_FILE.read_text(encoding="utf-8"))
    (tmp_path / "bot.py").write_text("#!/usr/bin/env python3\nclass Player: ...\nclass Mine(Player): ...\n")
    (tmp_path / "bot.py").chmod(0o755)
    (tmp_path / "notes.py").write_text("print('hello')\n")
    (tmp_path / "broken.py").write_text("class Mine(Player:\n")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "name", "player", "command", "protocol", "options"),
    [
        ("greedy", "greedy", "greedy", (), "native", {}),
        (" mcts:rave=true,memory=4 ", "mcts:rave=true,memory=4", "mcts", (), "native", {"rave": "true", "memory": "4"}),
        ("mine.py", "mobility", "mine.py", (), "native", {}),
        ("./mine.py:ties=last", "mobility:ties=last", "./mine.py", (), "native", {"ties": "last"}),
        ("human", "human", "human", (), "native", {}),
        ("./bot", "bot", None, ("./bot",), "native", {}),
        ("./bot.py", "bot.py", None, ("./bot.py",), "native", {}),
        ("./mine.py@native", "mine.py", None, ("./mine.py",), "native", {}),
        ("./bot --fast", "bot --fast", None, ("./bot", "--fast"), "native", {}),
        ("./bot 'two words'@yinsh", "bot two words", None, ("./bot", "two words"), "yinsh", {}),
        ("./bot@mancala:argument=yes,grace=5", "bot", None, ("./bot",), "mancala", {"argument": "yes", "grace": "5"}),
        ("./bot@native:threads=2", "bot", None, ("./bot",), "native", {"threads": "2"}),
        ("/usr/bin/python3 a/ann.py -v", "ann.py -v", None, ("/usr/bin/python3", "a/ann.py", "-v"), "native", {}),
        ("java -jar x.jar", "-jar x.jar", None, ("java", "-jar", "x.jar"), "native", {}),
        ("ssh me@host bot", "ssh me@host bot", None, ("ssh", "me@host", "bot"), "native", {}),
        ("player.py@yut", "player.py", None, ("player.py",), "yut", {}),
    ],
)
def test_a_text_says_who_plays(
    text: str, name: str, player: str | None, command: tuple[str, ...], protocol: str, options: dict[str, str]
) -> None:
    assert Entrant.parse(text) == Entrant(name, player, command, protocol, options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "name a player, the file of one, or a command"),
        ("gredy", r"there is no player 'gredy'; did you mean 'greedy'\? valid: "),
        ("gredy:x=1", "there is no player 'gredy'"),
        ("greedy:eval", "an option of player greedy is written key=value, not 'eval'; valid keys: eval"),
        ("greedy:", "is written key=value, not ''"),
        ("mcts:rave=true,rave=false", "option rave of player mcts came more than once"),
        ("greedy@native", "greedy is a player and speaks no protocol"),
        ("human:x=1", "a human has no options"),
        ("./bot@nativ", r"there is no protocol 'nativ'; did you mean 'native'\?"),
        ("./bot 'x", "is no command line: No closing quotation"),
        ("./nine.py", r"there is no file \./nine\.py; did you mean 'mine\.py'\?"),
        (
            "./notes.py",
            r"notes\.py defines no subclass of forgeron\.Player, and cannot be run .*'python3 \./notes\.py'",
        ),
        ("./broken.py", r"broken\.py, line 1: "),
    ],
)
def test_what_is_wrong_with_a_text_is_said_with_what_would_do(text: str, message: str) -> None:
    with pytest.raises(ForgeronError, match=message) as caught:
        Entrant.parse(text)
    assert "--" not in str(caught.value), "the library knows nothing of a command line"


def test_a_file_that_is_no_player_is_never_run_to_find_that_out(
    own_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own_folder / "hello.py").write_text("print('I am running')\n")
    with pytest.raises(ForgeronError):
        Entrant.parse("./hello.py")
    (own_folder / "hello.py").chmod(0o755)
    Entrant.parse("./hello.py")
    assert capsys.readouterr().out == ""


def test_a_protocol_can_be_given_beside_the_text() -> None:
    assert Entrant.parse("./mine.py", "yinsh") == Entrant("mine.py", command=("./mine.py",), protocol="yinsh")
    with pytest.raises(ForgeronError, match="there is no protocol 'nativ'"):
        Entrant.parse("./bot", "nativ")
    with pytest.raises(ForgeronError, match="speaks one protocol: yinsh or yut"):
        Entrant.parse("./bot@yinsh", "yut")


def test_two_that_are_written_alike_get_different_names() -> None:
    greedy = Entrant.parse("greedy")
    assert [one.name for one in two_entrants(greedy, greedy)] == ["greedy", "greedy (2)"]
    strong, weak = replace(greedy, time="5000n"), replace(greedy, time="200n")
    assert [one.name for one in two_entrants(weak, strong)] == ["greedy 200n", "greedy 5000n"]
    assert [one.name for one in two_entrants(greedy, strong)] == ["greedy", "greedy 5000n"]
    assert [one.name for one in two_entrants(strong, strong)] == ["greedy", "greedy (2)"]
    both = two_entrants(greedy, replace(greedy, threads=2))
    assert [one.name for one in both] == ["greedy 1 thread", "greedy 2 threads"]


def test_every_process_finds_the_files_of_an_entrant(own_folder: Path) -> None:
    (own_folder / "deep").mkdir()
    assert Entrant.parse("./mine.py").located(Path()).player == str(own_folder / "mine.py")
    assert Entrant("x", "../mine.py").located(own_folder / "deep").player == str(own_folder / "mine.py")
    assert Entrant("x", command=("./bot.py", "-v")).located(own_folder).command == (str(own_folder / "bot.py"), "-v")
    assert Entrant.parse("greedy").located(own_folder).player == "greedy"


@pytest.mark.parametrize(
    ("text", "game", "message"),
    [
        ("minimax", "yut", "entrant 'minimax': minimax does not play games with chance such as Yut Nori"),
        ("yut-example", "yolah", "entrant 'yut-example': yut-example plays Yut Nori only, not Yolah"),
        ("mcts:exploration=much", "yolah", "option exploration cannot be 'much'; it is auto or a number"),
        ("greedy:eval=missing.json", "yolah", r"there is no file 'missing\.json' with weights"),
        ("./typo", "yolah", r"entrant 'typo': there is no program '\./typo' that can be run"),
        ("./notes.py@native", "yolah", r"'\./notes\.py' is not executable: chmod \+x it"),
        ("typo.py@yut", "yut", r"there is no file 'typo\.py'; the command is FILE\.py"),
    ],
)
def test_who_cannot_play_is_refused_before_anything_begins(text: str, game: str, message: str) -> None:
    with pytest.raises(ForgeronError, match=message):
        Entrant.parse(text).check(forgeron.game(game))


def test_an_entrant_comes_back_from_its_data() -> None:
    for text in ("mcts:rave=true", "./mine.py:ties=last", "./bot --fast@yinsh"):
        assert Entrant.from_data(Entrant.parse(text).to_data()) == Entrant.parse(text)
    with pytest.raises(ForgeronError, match=r"there is no key of an entrant 'plyer'; did you mean 'player'\?"):
        Entrant.from_data({"name": "x", "plyer": "greedy"})
