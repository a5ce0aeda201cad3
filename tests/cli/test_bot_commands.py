"""`forgeron bot` and `forgeron check` as people run them."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from forgeron.bots.templates import WITH_RULES

Run = Callable[..., "subprocess.CompletedProcess[str]"]
CONNECT_FOUR = str(Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py")

COMPILERS = {
    "python": ("bot.py", None, [sys.executable, "-S", "bot.py"]),
    "c": ("bot.c", ["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", "bot", "bot.c"], ["./bot"]),
    "c++": ("bot.cpp", ["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-o", "bot", "bot.cpp"], ["./bot"]),
    "rust": ("bot.rs", ["rustc", "-o", "bot", "bot.rs"], ["./bot"]),
    "java": ("MyBot.java", ["javac", "MyBot.java"], ["java", "-Xshare:auto", "-cp", ".", "MyBot"]),
}


@pytest.mark.parametrize("language", COMPILERS)
def test_the_starter_bot_is_short_and_plays_legally(
    language: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, compiler, command = COMPILERS[language]
    if compiler and not shutil.which(compiler[0]):
        pytest.skip(f"there is no {compiler[0]} here")
    monkeypatch.chdir(tmp_path)
    assert run("bot", "--template", language, "--out", file).returncode == 0
    source = (tmp_path / file).read_text()
    assert len(source.splitlines()) < 70
    assert "import forgeron" not in source
    if compiler:
        subprocess.run(compiler, check=True, cwd=tmp_path, capture_output=True)
    done = run("check", CONNECT_FOUR, "--time", "5", "--", *_found(command, tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("✓") == 9


@pytest.mark.parametrize("language", WITH_RULES)
def test_a_bot_with_rules_plays_whole_games_two_plies_ahead(
    language: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, compiler, command = COMPILERS[language]
    command = [sys.executable, "bot.py"] if language == "python" else command
    if compiler and not shutil.which(compiler[0]):
        pytest.skip(f"there is no {compiler[0]} here")
    monkeypatch.chdir(tmp_path)
    assert run("bot", "yolah", "--template", language, "--with-rules", "--out", file).returncode == 0
    assert ("import forgeron" in (tmp_path / file).read_text()) == (language == "python")
    if compiler:
        subprocess.run(compiler, check=True, cwd=tmp_path, capture_output=True)
    words = shlex.join(_found(command, tmp_path))
    done = run("match", "yolah", words, "random", "--games", "10", "--time", "30", "--journal", "m.journal")
    assert done.returncode == 0, done.stderr
    question = "SELECT count(*), sum(winner = 'random') FROM games WHERE reason IN ('win', 'draw')"
    ended, lost = map(int, run("results", "m.journal", "--query", question).stdout.split()[-2:])
    assert ended == 10, "all games were played to their end"
    assert lost <= 3, "random wins one game in seventy; which games are played depends on the path of the bot"


def test_a_bot_with_rules_in_python_is_there_for_every_game(run: Run, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    assert run("bot", CONNECT_FOUR, "--template", "python", "--with-rules", "--out", str(bot)).returncode == 0
    done = run("check", CONNECT_FOUR, "--time", "30", "--", sys.executable, str(bot))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("✓") == 9


def test_a_bot_is_not_tried_by_processor_time_of_which_it_is_not_told(run: Run) -> None:
    result = run("check", "yolah", "true", "--time", "0.1cpu")
    assert result.returncode == 2
    assert "time 0.1cpu is processor time, which a program is not told" in result.stderr


def test_long_lines_are_shown_with_their_end(run: Run, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nsys.exit('x' * 300 + ' the reason')\n")
    done = run("check", CONNECT_FOUR, f"{sys.executable} {bot}")
    assert "(311 characters)" in done.stdout
    assert "xxx the reason" in done.stdout


def _found(command: list[str], folder: Path) -> list[str]:
    """The command with the names of its files in full: a bot runs in a folder of its own."""
    return [str(folder / word) if word == "." or (folder / word).is_file() else word for word in command]


def test_a_failed_check_shows_the_bots_words_and_exits_with_one(run: Run, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nprint('hello')\nprint('I am lost', file=sys.stderr)\nsys.exit(4)\n")
    done = run("check", CONNECT_FOUR, f"{sys.executable} {bot}")
    assert done.returncode == 1
    assert "✓ starts" in done.stdout
    assert "✗ completes the handshake: it ended with exit code 4 ('I am lost')" in done.stdout
    assert "right would be: answer 'ugi'" in done.stdout
    assert "← hello" in done.stdout
    assert "    I am lost" in done.stdout


def test_a_bot_can_be_typed_at(run: Run) -> None:
    done = run("bot", CONNECT_FOUR, "--player", "random", typed="help\nmoves\nugi\nisready\ngo nodes 5\nquit\n")
    assert done.returncode == 0
    assert "1 2 3 4 5 6 7" in done.stdout.splitlines()
    assert done.stdout.splitlines()[-1].startswith("bestmove ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["bot"], "name a game"),
        (["bot", "yolah", "--protocol", "yola-ws"], "did you mean 'yolah-ws'?"),
        (["bot", "yolah", "--protocol", "mancala"], "protocol mancala is not for yolah"),
        (["bot", "yolah", "--player", "./x"], "'./x' is a command"),
        (["bot", "--template", "pascal"], "there is no template 'pascal'"),
        (["bot", "--template", "java", "--out", "my-bot.java"], "a Java file is named as its class"),
        (["bot", "mancala", "--template", "c", "--with-rules"], "is there for yolah, not for mancala"),
        (["bot", "--template", "python", "--with-rules"], "say whose rules"),
        (["bot", "yolah", "--template", "rust", "--with-rules"], "in python, c, java, not in rust"),
        (["check", "yolah", "./x", "--protocol", "nativ"], "did you mean 'native'?"),
        (["check", "mancala", "./x", "--time", "soon"], "'soon' is not a time"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_reason(run: Run, words: list[str], message: str) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert message in done.stderr


def test_the_course_protocols_are_spoken_at_the_terminal_too(run: Run) -> None:
    words = ["--player", "random", "--nodes", "5"]
    mancala = run("bot", "mancala", "--preset", "course", "--protocol", "mancala", *words, typed="START\n")
    assert mancala.stdout.strip()[-1] in "RB"
    yinsh = run("bot", "yinsh", "--protocol", "yinsh", *words, typed="2 5 60 5\nP 0 0\n")
    assert yinsh.stdout.startswith("P ")
