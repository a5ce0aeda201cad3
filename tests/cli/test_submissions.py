"""Submissions of students: built in the sandbox, reported in one table, entered into a tournament."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import forgeron

Run = Callable[..., "subprocess.CompletedProcess[str]"]
EXAMPLES = Path(__file__).parent.parent.parent / "examples"
STUDENTS = sorted(one.name for one in (EXAMPLES / "submissions").iterdir() if one.is_dir())


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def hand_in(name: str, toml: str, **files: str) -> Path:
    folder = Path("submissions", name)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.toml").write_text(toml)
    for file, text in files.items():
        (folder / file.replace("_", ".")).write_text(text)
    return folder


def write_event() -> None:
    Path("cup.toml").write_text(
        f'[event]\ngame = "{EXAMPLES / "game_connect_four.py"}"\ntime = "10"\n'
        '[submissions]\nfolder = "submissions"\nstartup_seconds = 30\n'
        '[[entrant]]\nplayer = "random"\n'
    )


@pytest.mark.parametrize("student", STUDENTS)
def test_the_examples_are_built_and_play(call: Run, student: str) -> None:
    source = EXAMPLES / "submissions" / student
    about = tomllib.loads((source / "bot.toml").read_text())
    for program in (about.get("build", "true").split()[0], about["command"].split()[0]):
        if "/" not in program and shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    shutil.copytree(source, Path("submissions", student))
    built = call("build", "submissions")
    assert built.returncode == 0, built.stdout
    assert about["language"] in built.stdout
    write_event()
    assert call("tournament", "cup.toml").returncode == 0
    games = forgeron.read_results("cup.journal").games
    assert len(games) == 2
    assert all(game.record.reason in ("win", "draw") for game in games)
    assert not list(Path("submissions", student).glob("bot")), "nothing is written to a submission"
    assert "built before" in call("build", "submissions").stdout or "build" not in about


PYTHON = (EXAMPLES / "submissions" / "ann" / "bot.py").read_text()


def test_what_fails_is_in_the_table_and_left_out(call: Run, refused: Callable[..., str]) -> None:
    hand_in("ann", 'command = "python3 bot.py"\nbuild = "cp source.txt bot.py"', source_txt=PYTHON)
    hand_in("ben", 'command = "./bot"\nbuild = "echo main.c:3: error: no such thing >&2; exit 3"')
    hand_in("cleo", 'command = "./bot"\nbuild = "sleep 60"')
    hand_in("dora", 'comand = "./bot"')
    Path("submissions", "emil").mkdir()
    write_event()
    assert "not built since they were handed in: ann, ben, cleo; run: forgeron build" in refused(
        "tournament", "cup.toml"
    )
    done = call("build", "submissions", "--time", "5", columns=200)
    assert done.returncode == 1
    lines = {line.split()[0]: line for line in done.stdout.splitlines() if line.split()}
    assert "built" in lines["ann"]
    assert "main.c:3: error: no such thing" in lines["ben"]
    assert "it was not done after 5 s" in lines["cleo"]
    assert "there is no key in bot.toml 'comand'; did you mean 'command'?" in lines["dora"]
    assert "there is no bot.toml" in lines["emil"]
    played = call("tournament", "cup.toml")
    assert played.returncode == 0, played.stderr
    assert "note: ben does not take part: its build failed: main.c:3: error" in played.stdout
    assert {row.name for row in forgeron.read_results("cup.journal").rows} == {"ann", "random"}


def test_a_late_submission_enters_and_a_changed_one_is_built_again(call: Run) -> None:
    hand_in("ann", 'command = "python3 bot.py"\nbuild = "cp source.txt bot.py"', source_txt=PYTHON)
    write_event()
    call("build", "submissions")
    call("tournament", "cup.toml")
    hand_in("ann", 'command = "python3 bot.py"\nbuild = "cp source.txt bot.py"', source_txt=PYTHON + "# better\n")
    hand_in("zoe", 'name = "Zoe"\ncommand = "python3 bot.py"', bot_py=PYTHON)
    assert "built before" not in call("build", "submissions").stdout
    done = call("tournament", "cup.toml")
    assert "changed: Zoe was added" in done.stdout
    assert "note: ann: its files have changed; 2 games of its earlier version count" in done.stdout
    assert len(forgeron.read_results("cup.journal").games) == 6


def test_a_build_is_kept_within_its_memory_and_away_from_other_submissions(call: Run) -> None:
    greedy = "python3 -c 'x = bytearray(600 << 20); print(len(x))'"
    hand_in("ann", f'command = "./bot"\nbuild = "{greedy}"')
    hand_in("ben", 'command = "./bot"\nbuild = "echo stolen > ../ann/bot.toml; echo x > /dev/null"')
    hand_in("cleo", 'command = "./bot"\nbuild = "ln -s /etc/passwd bot; mkfifo pipe; touch fine"')
    call("build", "submissions", "--memory", "300", columns=200)
    assert "comm" in Path("submissions/ann/bot.toml").read_text()
    assert not Path("submissions/.built/ann").exists()
    assert sorted(one.name for one in Path("submissions/.built/cleo").iterdir()) == [".sources", "bot.toml", "fine"]


def test_two_submissions_with_one_name_are_refused(call: Run, refused: Callable[..., str]) -> None:
    hand_in("ann", 'name = "Star"\ncommand = "python3 bot.py"', bot_py=PYTHON)
    hand_in("ben", 'name = "Star"\ncommand = "python3 bot.py"', bot_py=PYTHON)
    write_event()
    assert "the submissions ann and ben have the same name 'Star'" in refused("tournament", "cup.toml")
    assert "there is no submission 'zed'" in refused("build", "submissions", "zed")
    assert "cannot read the submissions in nowhere" in refused("build", "nowhere")


def test_a_java_bot_is_started_as_its_author_starts_it(call: Run) -> None:
    if shutil.which("javac") is None:
        pytest.skip("javac is not installed")
    folder = hand_in("dora", 'name = "Dora"\nbuild = "javac *.java"\ncommand = "java Bot"\n')
    shutil.copy(EXAMPLES / "submissions" / "dora" / "Bot.java", folder)
    (folder / "weights.txt").write_text("1")
    assert call("build", "submissions").returncode == 0
    write_event()
    assert call("tournament", "cup.toml").returncode == 0
    games = forgeron.read_results("cup.journal").games
    assert [game.record.reason for game in games if game.at_fault] == []
    (folder / "weights.txt").write_text("2")
    assert call("build", "submissions").returncode == 0
    assert "Dora" in call("tournament", "cup.toml").stdout.partition("entrant")[0], "a change of its files is noticed"
