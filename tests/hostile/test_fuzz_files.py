"""Game records, imported games, TOML files and messages of the page as anybody may write them: read, or one line."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import forgeron
from forgeron.arena.submissions import read_submissions
from forgeron.arena.tournament_file import ENTRANT_KEYS, EVENT_KEYS, read_tournament
from forgeron.learning.imported_games import import_games
from forgeron.reports.replay import load
from forgeron.web import connection
from forgeron.web.messages import FORMS
from web_pages import CONNECT_FOUR, HOST, SOCKET, Page, running

EXAMPLES = 300
SETTINGS = settings(
    max_examples=EXAMPLES, database=None, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
NUMBERS = st.integers() | st.integers(1, 6000).map(lambda n: int("9" * min(n, 4000))) | st.floats()
TEXTS = st.text(max_size=30) | st.sampled_from(["", "\x1b[31m", "\x00", "d5:b7", "yolah", "../x", "9" * 5000, "\ud800"])
LEAVES = st.none() | st.booleans() | NUMBERS | TEXTS
JUNK = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=8
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> None:
    """A folder for the files of a test; hypothesis makes many of them in one."""
    global FOLDER
    FOLDER = tmp_path


FOLDER = Path()


def one_line(reader: Callable[[], object]) -> None:
    """It reads, or says in one line what is wrong."""
    said = "-"
    try:
        reader()
    except forgeron.ForgeronError as error:
        said = str(error)
    assert said
    assert "\n" not in said
    assert "Traceback" not in said


# --- records ---------------------------------------------------------------------------------------------------------


def good_records() -> Iterator[dict[str, Any]]:
    for name in ("yolah", "mancala", "yinsh", "yut"):
        game = forgeron.game(name)
        position, moves = game.start(), []
        for _ in range(6):
            moves.append(position.legal_moves()[0])
            position = position.play(moves[-1])
        record = forgeron.Record.of(game, game.start(), tuple(moves), players=("a", "b"), reason="resign", winner=0)
        yield json.loads(record.to_json())


RECORDS = list(good_records())


@given(st.sampled_from(RECORDS), st.dictionaries(st.sampled_from(sorted(RECORDS[0])), JUNK, min_size=1, max_size=3))
@SETTINGS
def test_a_record_with_any_values_replays_or_is_refused(good: dict[str, Any], changed: dict[str, Any]) -> None:
    path = Path(FOLDER, "game.json")
    path.write_text(json.dumps({**good, **changed}), encoding="utf-8")
    one_line(lambda: load(path))


@given(st.sampled_from(RECORDS), st.integers(0, 5), TEXTS)
@SETTINGS
def test_a_record_with_any_move_replays_or_is_refused(good: dict[str, Any], at: int, move: str) -> None:
    moves = [*good["moves"][:at], move, *good["moves"][at + 1 :]]
    path = Path(FOLDER, "game.json")
    path.write_text(json.dumps({**good, "moves": moves}), encoding="utf-8")
    one_line(lambda: load(path))


def test_a_move_that_cannot_be_printed_is_no_move() -> None:
    with pytest.raises(forgeron.ForgeronError, match="moves cannot have such a value"):
        forgeron.Record.from_data({**RECORDS[0], "moves": ["d5:b7\n\x1b[31m"]})


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
@SETTINGS
def test_a_file_of_any_bytes_is_a_game_or_refused(data: bytes) -> None:
    path = Path(FOLDER, "game.txt")
    path.write_bytes(data)
    one_line(lambda: load(path))
    one_line(lambda: load(path, game=YOLAH))


YOLAH = forgeron.game("yolah")
#: Two legal moves and their points, and how a whole game would begin.
OPENING = bytes([2, 0, 27, 9, 28, 61])


@given(st.binary(max_size=600) | st.builds(lambda data: OPENING + data, st.binary(max_size=300)))
@SETTINGS
def test_any_bytes_are_games_of_yolahs_author_or_refused(data: bytes) -> None:
    Path(FOLDER, "games.bin").write_bytes(data)
    out = Path(FOLDER, "out")
    one_line(lambda: list(import_games(YOLAH, [Path(FOLDER, "games.bin")], out, 100)))


# --- TOML ------------------------------------------------------------------------------------------------------------

TOML_VALUES = st.one_of(
    NUMBERS.map(str),
    st.sampled_from(
        ["true", "1979-05-27", "1979-05-27T07:32:00Z", "07:32:00", "1979-99-99", "nan", "inf", "1e400", "9" * 5000,
         "0x" + "f" * 9000, "[]", "[1, [2]]", "{}", "{a = 1}", '""', "'''\n'''", '"\\u0000"', "[" * 2000, "{a=" * 500,
         "-1", '"\\ud800"', '"random"', '"true"', '"yolah"', '"swiss"', '"5n"']
    ),
    st.text(max_size=20).map(lambda text: json.dumps(text)),
)  # fmt: skip
BOT_KEYS = ["command", "build", "protocol", "options", "name", "authors", "threads", "memory_mb", "x"]


def table(keys: list[str]) -> st.SearchStrategy[str]:
    pairs = st.dictionaries(st.sampled_from(keys), TOML_VALUES, max_size=5)
    return pairs.map(lambda found: "".join(f"{name} = {value}\n" for name, value in found.items()))


@given(table([*EVENT_KEYS, "x"]), table([*ENTRANT_KEYS, "x"]), st.booleans())
@SETTINGS
def test_a_tournament_file_with_any_values_is_read_or_refused(event: str, player: str, whole: bool) -> None:
    given_names = [line.partition(" ")[0] for line in event.splitlines()]
    head = "".join(f'{name} = "{value}"\n' for name, value in (("name", "cup"), ("game", "yolah"), ("time", "5n"))
                   if whole and name not in given_names)  # fmt: skip
    path = Path(FOLDER, "cup.toml")
    path.write_text(
        f'[event]\n{head}{event}\n[[entrant]]\n{player}\n[[entrant]]\nplayer = "random"\n', encoding="utf-8"
    )
    one_line(lambda: read_tournament(path))


@given(table(BOT_KEYS) | st.text(max_size=200))
@SETTINGS
def test_a_bot_toml_with_any_values_is_the_problem_of_its_submission_only(text: str) -> None:
    place = Path(FOLDER, "submissions", "mal")
    place.mkdir(parents=True, exist_ok=True)
    (place / "bot.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
    found = read_submissions(place.parent)
    assert [one.name for one in found] == ["mal"]
    assert "\n" not in found[0].problem


# --- the page --------------------------------------------------------------------------------------------------------

GAMES = st.sampled_from(["yolah", "mancala", "yinsh", "yut", "connect-four", CONNECT_FOUR, "x", "../x"])
PRINTABLE = TEXTS.filter(lambda text: 0 < len(text) <= 40 and text.isprintable())
OPTIONS = st.dictionaries(
    st.sampled_from(["N", "K", "preset", "plies", "owners", "pieces", "x"]),
    st.booleans() | st.integers() | PRINTABLE,
    max_size=2,
)
MOVES = st.sampled_from(["d5:b7", "e5:f5", "a1", "3R", "t3", "1", "0", "-1", "٣"]) | PRINTABLE
POSITIONS = st.none() | PRINTABLE | st.sampled_from([str(forgeron.game(name).start()) for name in ("yolah", "yut")])
KEY = "0" * 32
#: A value for each field, mostly one that gets through the first check.
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "key": st.just(KEY),
    "id": st.sampled_from(["0" * 12, "game"]),
    "game": GAMES,
    "options": OPTIONS,
    "position": POSITIONS,
    "move": st.none() | MOVES,
    "moves": st.lists(MOVES, max_size=6),
    "places": st.dictionaries(st.sampled_from(["a1", "d5", "h8", "0", "x"]), PRINTABLE, max_size=4),
    "turn": st.integers(0, 1),
    "sides": st.lists(st.sampled_from(["person", "open", "beginner", "x"]), min_size=2, max_size=2),
    "clock": st.none() | st.just([1, 0]) | st.just([36_000, 1e-300]),
    "ply": st.integers(0, 3),
    "number": st.integers(0, 5),
    "search": st.sampled_from(["minimax", "mcts", "x"]),
    "ideas": st.lists(PRINTABLE, max_size=2),
    "depth": st.integers(0, 3),
    "players": st.just(["random", "random"]) | st.lists(PRINTABLE, min_size=2, max_size=3),
    "games": st.just(2),
    "names": st.lists(PRINTABLE, min_size=2, max_size=2),
    "time": st.sampled_from(["1n", "x", "0"]),
    "pace": st.booleans(),
    "order": st.sampled_from(["hold", "go", "step", "stop", "resume"]),
}  # fmt: skip


def message(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    fields = {name: FIELDS[name] for name in FORMS[kind]}
    return st.builds(lambda known, wrong: {"do": kind, **known, **wrong}, st.fixed_dictionaries(fields),
                     st.dictionaries(st.sampled_from([*fields, "extra"]), JUNK, max_size=1))  # fmt: skip


@pytest.mark.parametrize("kind", FORMS)
def test_no_message_of_a_page_ends_its_connection(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Each is answered, refused, or has no answer; the next question always has one."""
    monkeypatch.setattr(connection.Allowance, "take", lambda _self: True)
    numbers = itertools.count(1)
    with running(tmp_path / "games.sqlite") as server, server.websocket_connect(SOCKET, headers={"origin": HOST}) as it:
        page = Page(it, KEY)
        page.new("yolah", ["person", "person"])

        def say(said: dict[str, Any]) -> None:
            number = next(numbers)
            sent = {**said, "id": page.id} if said.get("id") == "game" else said
            it.send_text(json.dumps(sent))
            it.send_json({"do": "games", "key": KEY, "ask": number})
            answer = page.hear_until(lambda heard: heard.get("ask") == number)
            assert answer["event"] == "games"

        few = settings(SETTINGS, max_examples=8 if kind in ("event-new", "microscope", "count", "review") else 60)
        few(given(message(kind))(say))()
    assert [record for record in caplog.records if record.exc_info] == []
