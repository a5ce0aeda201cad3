"""What a student's folder may try on whoever builds it and plays it: it is refused in a line, and the others play."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import forgeron
from forgeron.arena.bot_files import digest, digest_of, others_submissions
from forgeron.arena.entrant import Entrant
from forgeron.arena.submissions import build_all, read_submissions, submitted_entrants
from forgeron.bots.sandbox import Sandbox

ANN = Path(__file__).parent.parent.parent / "examples" / "submissions" / "ann"
FITTING = 'command = "python3 bot.py"\n'
Made = Callable[..., Path]


@pytest.fixture
def hand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    """Hands in a folder with a `bot.toml`, a bot and other files."""
    monkeypatch.chdir(tmp_path)

    def make(name: str, toml: str | None = FITTING, **files: str) -> Path:
        folder = Path("submissions", name)
        folder.mkdir(parents=True)
        if toml is not None:
            (folder / "bot.toml").write_text(toml)
        shutil.copy(ANN / "bot.py", folder)
        for file, text in files.items():
            (folder / file.replace("_", ".")).write_text(text)
        return folder

    make("ann")
    return make


def problem_of(name: str) -> str:
    """What is wrong with a submission; the others are none the worse for it."""
    found = {one.name: one.problem for one in read_submissions(Path("submissions"))}
    assert found["ann"] == ""
    assert {one.name for one in submitted_entrants({"folder": "submissions"}, Path())} == {"ann"}
    return found[name]


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('protocol = "submissions/mal/evil.py"', "there is no protocol "),
        ("options = {day = 1979-05-27}", "is a text, a number, true or false, not '1979-05-27'"),
        ("options = {list = [1]}", "is a text, a number, true or false"),
        ("options = {size = nan}", "is a text, a number, true or false"),
        (f"options = {{size = {'9' * 400}}}", "is a text, a number, true or false"),
        ("options = {grace = 3600}", "grace is a limit; a submission has none of its own"),
        ('name = "\\u001b[31mred"', "characters that can be seen"),
        ('name = "\\u202eecila"', "characters that can be seen"),
        ('name = "   "', "characters that can be seen"),
        (f'name = "{"x" * 100_000}"', "more than 16 KB"),
        (f'name = "{"x" * 100}"', "at most 80 characters"),
        ('build = "true \\u0000"', "build is no line of a shell"),
        (f"a{'.a' * 2_000} = 1", "no key in bot.toml 'a'"),
        (f"options = {{a = {'[' * 5000}{']' * 5000}}}", "nested too deeply"),
        ("memory_mb = 1000000", "no key in bot.toml 'memory_mb'"),
    ],
)
def test_what_a_bot_toml_may_not_say(hand_in: Made, toml: str, said: str) -> None:
    hand_in("mal", FITTING + toml, evil_py="import pathlib\npathlib.Path('loaded').touch()\n")
    problem = problem_of("mal")
    assert said in problem
    assert problem.isprintable()
    assert not Path("loaded").exists(), "nothing of a submission is loaded into our process"


@pytest.mark.parametrize(
    "command",
    [
        "python3 ../ann/bot.py",
        "python3 bot.py ../ann/bot.py",
        "python3 bot.py {here}/submissions/ann/bot.py",
        "java -cp .:../ann Bot",
        "python3 bot.py --weights={here}/submissions/ann",
        "../ann/bot.py",
        "python3 link.py",
        "python3 bot.py /tmp",
        "python3 bot.py private.txt",
    ],
)
def test_a_command_names_nothing_of_others(hand_in: Made, command: str, tmp_path: Path) -> None:
    folder = hand_in("mal", f'command = "{command.format(here=tmp_path)}"')
    (folder / "link.py").symlink_to("../ann/bot.py")
    (folder / "private.txt").symlink_to(tmp_path)
    assert "which is not in its folder" in problem_of("mal")


@pytest.mark.parametrize("command", ["/usr/bin/env python3 bot.py", "python3 ./bot.py --depth=3 a:b, ..."])
def test_a_command_may_name_what_is_its_own_and_what_is_everybodys(hand_in: Made, command: str) -> None:
    hand_in("mal", f'command = "{command}"')
    assert {one.name: one.problem for one in read_submissions(Path("submissions"))}["mal"] == ""


def test_a_program_that_is_not_there_is_left_out(hand_in: Made) -> None:
    hand_in("mal", 'command = "./bot"')
    assert problem_of("mal") == ""


#: Folders in folders, too deep for any path, and for whoever calls himself for each.
NEST = "import os\nfor _ in range(1100):\n    os.mkdir('nest')\n    os.chdir('nest')\n"


def nested(folder: Path) -> None:
    subprocess.run([sys.executable, "-S", "-c", NEST], cwd=folder, check=True)


def big(folder: Path) -> None:
    with (folder / "data").open("wb") as file:
        file.truncate(1 << 40)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (nested, "nested more than 100 deep"),
        (big, "more than 512"),
        (lambda folder: os.mkfifo(folder / "bot.toml"), "not a regular file"),
        (lambda folder: (folder / "bot.toml").symlink_to("../ann/bot.toml"), "not a regular file"),
        (lambda folder: (folder / "bot.toml").mkdir(), "not a regular file"),
        (lambda folder: (folder / "bot.toml").write_bytes(b"name = '\xff'"), "is not TOML"),
    ],
    ids=["nested", "big", "fifo", "link", "folder", "latin-1"],
)
def test_a_folder_that_cannot_be_read_is_one_line(
    hand_in: Made, spoil: Callable[[Path], None], said: str, tmp_path: Path
) -> None:
    folder = hand_in("mal", FITTING if spoil in (nested, big) else None)
    spoil(folder)
    try:
        assert said in problem_of("mal")
    finally:
        subprocess.run(["rm", "-rf", str(folder)], check=True)  # pytest removes nothing that is nested so deep


def test_a_folder_whose_name_is_not_unicode_is_one_line(hand_in: Made) -> None:
    name = os.fsdecode(b"m\xe9l")
    hand_in(name)
    assert problem_of(name) == "the name of its folder has characters that cannot be shown"


def built(name: str) -> tuple[str, str]:
    found = build_all(read_submissions(Path("submissions")), seconds=60, memory_mb=1024, jobs=1, again=True)
    return next((one.verdict, one.note) for one in found if one.submission.name == name)


@pytest.mark.parametrize(
    ("build", "said"),
    [
        ("python3 nest.py", "what it leaves cannot be copied: File name too long"),
        ("truncate -s 250M a b c d e", "with 1250 MB, more than 10000 or 1024"),
    ],
    ids=["nested", "sparse"],
)
def test_what_a_build_leaves_is_bounded(hand_in: Made, build: str, said: str) -> None:
    hand_in("mal", f'{FITTING}build = "{build}"', nest_py=NEST)
    verdict, note = built("mal")
    assert verdict == "failed"
    assert said in note
    assert not list(Path("submissions/.built").glob("*mal*/*"))


def test_a_build_sees_no_other_submission(hand_in: Made, tmp_path: Path) -> None:
    if not {"bwrap", "landlock"} & {*Sandbox().layers}:
        pytest.skip("no layer here hides files")
    hand_in("ben", FITTING + 'build = "true"')
    built("ben")
    stolen = [tmp_path / "submissions" / name for name in ("ann/bot.py", ".built/ben/bot.py", ".built/ben.log")]
    hand_in("mal", FITTING + f'build = "cp {" ".join(map(str, stolen))} . ; cp bot.py own.py"')
    assert built("mal")[0] == "built"
    assert sorted(one.name for one in Path("submissions/.built/mal").glob("*.*")) == [
        ".sources",
        "bot.py",
        "bot.toml",
        "own.py",
    ]


def test_a_process_that_a_build_leaves_behind_changes_nothing_that_is_taken(hand_in: Made) -> None:
    """It would swap a file for a link to another while the file is copied."""
    swap = "while :; do ln -sf /etc/passwd leak; rm leak; touch leak; done"
    hand_in("mal", FITTING + f'build = "touch leak; ({swap}) & true"')
    for _ in range(3):
        assert built("mal")[0] == "built"
        leak = Path("submissions/.built/mal/leak")
        assert not leak.exists() or leak.read_bytes() == b""


def test_the_digest_of_a_submission_is_not_its_own_to_say(hand_in: Made) -> None:
    """A file that we leave in what was built says which sources it was; one that a student hands in says nothing."""
    folder = hand_in("mal", FITTING + 'build = "true"')
    os.mkfifo(folder / ".sources")  # nobody would ever write to it
    before = digest([folder.absolute()])
    (folder / "bot.py").write_text("print('another bot')")
    assert digest([folder.absolute()]) != before
    inner = folder / ".built" / "mal"
    inner.mkdir(parents=True)
    for name, text in (("bot.toml", FITTING), (".sources", "the same for ever"), ("bot.py", "first")):
        (inner / name).write_text(text)
    bot = Entrant("mal", command=("python3", str((inner / "bot.py").absolute())))
    before = str(digest_of(bot))
    (folder / "bot.py").write_text("print('a third')")
    assert digest_of(bot) != before


def test_a_bot_sees_nothing_of_what_others_have_handed_in(hand_in: Made) -> None:
    for name in ("ben", "mal"):
        hand_in(name, FITTING + 'build = "true"')
        built(name)
    ann, ben, mal = (
        one.located(Path().absolute()) for one in submitted_entrants({"folder": "submissions"}, Path().absolute())
    )
    home = Path("submissions").resolve()
    theirs = [home / "ann", home / "ben", *(home / ".built" / f"ben{end}" for end in ("", ".json", ".log"))]
    assert others_submissions(mal, ann) == theirs
    assert others_submissions(mal, ben) == theirs
    of_the_teacher = Entrant("teacher", command=("/bin/true",))
    assert {home / "ann", home / "ben", home / "mal"} <= {*others_submissions(of_the_teacher, ben)}
    assert others_submissions(of_the_teacher, of_the_teacher) == []


@pytest.mark.parametrize("name", ["random", "Random", " random "])
def test_a_name_that_looks_like_anothers_is_refused(hand_in: Made, name: str) -> None:
    hand_in("mal", f'{FITTING}name = "{name}"')
    with pytest.raises(forgeron.ForgeronError, match="the submission mal has the name of another entrant"):
        submitted_entrants({"folder": "submissions"}, Path(), [Entrant("random", player="random")])
    hand_in("zoe", f'{FITTING}name = "RANDOM"')
    with pytest.raises(forgeron.ForgeronError, match="the submissions mal and zoe have the same name"):
        submitted_entrants({"folder": "submissions"}, Path())


@pytest.mark.parametrize(
    "limits", [{"memory_mb": 0}, {"memory_mb": 1 << 40}, {"startup_seconds": -1}, {"startup_seconds": float("nan")}]
)
def test_limits_of_all_submissions_have_bounds(hand_in: Made, limits: dict[str, float]) -> None:
    with pytest.raises(forgeron.ForgeronError, match="memory_mb"):
        submitted_entrants({"folder": "submissions", **limits}, Path())
