"""Tournament files: short ones work, and a mistake is named with what would do."""

from __future__ import annotations

from pathlib import Path

import pytest

from forgeron.arena.entrant import Entrant
from forgeron.arena.tournament_file import ENTRANT_KEYS, EVENT_KEYS, read_tournament
from forgeron.core.errors import ForgeronError

GOOD = """\
[event]
game = "yolah"
time = "0.5"
[[entrant]]
player = "greedy"
[[entrant]]
name = "mine"
command = "./bot --fast"
memory_mb = 512
"""


@pytest.fixture(autouse=True)
def bot(tmp_path: Path) -> None:
    """The program of the good file: a program that is not there is a mistake of its own."""
    (tmp_path / "bot").write_text("#!/bin/sh\n")
    (tmp_path / "bot").chmod(0o755)


def test_a_short_file_has_sensible_defaults(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(GOOD)
    event, jobs = read_tournament(file)
    assert (event.name, event.format, event.pairs, jobs) == ("cup", "round-robin", 1, 1)
    assert event.entrants == (Entrant("greedy", "greedy"), Entrant("mine", command=("./bot", "--fast"), memory_mb=512))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[event]", "[evnt]", r"there is no table 'evnt'; did you mean 'event'\? valid: entrant, event"),
        ("time =", "tiem =", r"there is no key in \[event\] 'tiem'; did you mean 'time'\? valid: challengers, "),
        ('time = "0.5"', "", r"\[event\] needs time: a time such as"),
        ('time = "0.5"', 'time = "soon"', "'soon' is not a time"),
        ('time = "0.5"', 'time = "0.5"\npairs = "two"', r"\[event\]: pairs is a whole number, not 'two'"),
        ('time = "0.5"', 'time = "0.5"\npairs = true', r"\[event\]: pairs is a whole number, not True"),
        ('time = "0.5"', 'time = "0.5"\npairs = 0', "pairs is 1 or more, not 0"),
        ('time = "0.5"', 'time = "0.5"\njobs = 0', "jobs is 1 or more, not 0"),
        ('time = "0.5"', 'time = "0.5"\nrounds = 3', "rounds can be chosen for the format swiss, not for round-robin"),
        (
            'time = "0.5"',
            'time = "0.5"\nformat = "swis"',
            r"no format 'swis'; did you mean 'swiss'\? valid: gauntlet, ",
        ),
        ('time = "0.5"', 'time = "0.5"\nformat = "swiss"\nrounds = 2', "2 entrants can play 1 to 1 rounds"),
        ('time = "0.5"', 'time = "0.5"\nchallengers = ["x"]', "challengers are for the format gauntlet"),
        (
            'time = "0.5"',
            'time = "0.5"\nformat = "gauntlet"\nchallengers = ["mien"]',
            r"there is no entrant 'mien'; did you mean 'mine'\?",
        ),
        ('time = "0.5"', 'time = "0.5"\npreset = "x"', r"there is no preset of yolah 'x'; valid: "),
        ('time = "0.5"', 'time = "0.5"\noptions = {size = 3}', "there is no option of yolah 'size'"),
        ('time = "0.5"', 'time = "0.5"\noptions = {name = 3}', "there is no option of yolah 'name'"),
        ('time = "0.5"', 'time = "0.5"\nseed = -1', "a seed is a number from 0"),
        ('game = "yolah"', 'game = "yola"', r"there is no game 'yola'; did you mean 'yolah'\?"),
        ('player = "greedy"', 'player = "greed"', r"there is no player 'greed'; did you mean 'greedy'\?"),
        ('player = "greedy"', 'plyer = "greedy"', r"there is no key in entrant 1 'plyer'; did you mean 'player'\?"),
        ('player = "greedy"', 'player = "greedy"\ncommand = "x"', "needs a player or a command, and not both"),
        ('player = "greedy"', "", "entrant 1 needs a name"),
        ("memory_mb = 512", 'memory_mb = "much"', "entrant 2: memory_mb is a whole number, not 'much'"),
        ("memory_mb = 512", "memory_mb = 0", "entrant 2: memory_mb and startup_seconds are more than 0"),
        ("memory_mb = 512", 'protocol = "ugii"', "there is no protocol 'ugii'"),
        ('name = "mine"', 'name = "greedy"', "every entrant needs a name of its own; 'greedy' came more than once"),
        ('[[entrant]]\nname = "mine"', "[other]\nname = 3", "there is no table 'other'"),
        ("[event]", "[event", "is not TOML: "),
        ("./bot --fast", "./bto --fast", r"entrant 'mine': there is no program '\./bto' that can be run"),
        ('player = "greedy"', 'player = "human"', "people play at a terminal"),
        ('player = "greedy"', 'player = "./mine.py"', r"entrant '\./mine\.py': there is no file .*/mine\.py"),
    ],
)
def test_a_mistake_in_a_file_is_named_with_what_would_do(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    file = tmp_path / "cup.toml"
    file.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(ForgeronError, match=message) as error:
        read_tournament(file)
    assert str(error.value).startswith(str(file))


def test_a_file_without_entrants_or_event_says_what_it_needs(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    for text, message in [
        ("", r"needs a table \[event\]"),
        ('[event]\ngame = "yolah"\ntime = 1\n', r"needs entrants: a table \[\[entrant\]\] for each"),
        (GOOD.partition("[[entrant]]\nname")[0], "needs 2 entrants or more, not 1"),
    ]:
        file.write_text(text)
        with pytest.raises(ForgeronError, match=message):
            read_tournament(file)
    with pytest.raises(ForgeronError, match=r"cannot read .*missing\.toml: No such file"):
        read_tournament(tmp_path / "missing.toml")


def test_every_key_of_an_event_has_its_effect_in_the_settings(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    changed = {
        "name": '"other"',
        "pairs": "3",
        "seed": "9",
        "opening_plies": "2",
        "format": '"gauntlet"',
        "jobs": "2",
        "openings": '"book.openings"',
    }
    (tmp_path / "book.openings").write_text("d5:b7\n")
    file.write_text(GOOD)
    plain = read_tournament(file)
    for key, value in changed.items():
        file.write_text(GOOD.replace("[event]", f"[event]\n{key} = {value}"))
        assert read_tournament(file) != plain
    assert set(changed) | {"game", "options", "preset", "rounds", "challengers", "time"} == set(EVENT_KEYS)


def test_the_page_about_tournaments_explains_every_key() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "tournaments.md").read_text(encoding="utf-8")
    first_cells = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    explained = {word.strip("`, ") for cell in first_cells for word in cell.split()}
    assert {*EVENT_KEYS, *ENTRANT_KEYS} <= explained
