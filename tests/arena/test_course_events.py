"""Bots that speak the protocols of the courses, in tournaments and matches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from forgeron.arena.absent import at_fault
from forgeron.arena.tournament import Tournament
from forgeron.arena.tournament_file import read_tournament
from forgeron.core.errors import ForgeronError
from forgeron.core.record import Record
from forgeron.reports.results import results_of

BOTS = Path(__file__).parent.parent / "bots" / "programs"
#: protocol → game, preset, time, and the command of a bot that knows nothing of Forgeron.
STRANGERS = {
    "mancala": ("mancala", "course", "500n", f"{sys.executable} {BOTS}/mancala_bot.py both"),
    "yinsh": ("yinsh", "course", "60+0", f"{sys.executable} {BOTS}/yinsh_bot.py 3"),
    "yut": ("yut", "", "500n", f"{BOTS}/yut_players.py Player"),
    "yolah-ws": ("yolah", "", "500n", f"{sys.executable} {BOTS}/yolah_client.py none 0"),
}

Run = Callable[..., dict[str, Record]]
Timeless = Callable[[Mapping[str, Record]], dict[str, Record]]


def cup(folder: Path, protocol: str, event: str = "", entrant: str = "", **changes: str) -> Tournament:
    """A tournament file with a stranger and a player of ours, read."""
    game, preset, time, command = STRANGERS[protocol]
    terms = {"game": game, "preset": preset, "time": time, **changes}
    lines = ["[event]", *(f'{key} = "{value}"' for key, value in terms.items() if value), event, "[[entrant]]"]
    lines += ['name = "stranger"', f'command = "{command}"', f'protocol = "{protocol}"', entrant]
    lines += ["[[entrant]]", 'player = "random"']
    path = folder / "cup.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return read_tournament(path)[0]


@pytest.mark.parametrize("protocol", STRANGERS)
def test_a_bot_of_a_course_plays_a_tournament_to_its_end(
    protocol: str, tmp_path: Path, run_event: Run, timeless: Timeless
) -> None:
    pytest.importorskip("websockets") if protocol == "yolah-ws" else None
    event = cup(tmp_path, protocol)
    records = run_event(event)
    assert [at_fault(record) for record in records.values()] == [(), ()], [one.extra for one in records.values()]
    assert {record.players for record in records.values()} == {("stranger", "random"), ("random", "stranger")}
    game = event.terms.open_game()
    for record in records.values():
        end = record.positions(game)[-1].outcome
        assert end is not None
        assert (end.winner, end.scores) == (record.winner, record.scores)
    assert sum(row.points for row in results_of(event, records).rows) == 2
    # Broken off after one game, it comes to the same two.
    run_event(event, "torn.journal", games=1)
    assert timeless(run_event(event, "torn.journal")) == timeless(records)


def test_openings_are_left_out_where_a_protocol_knows_none_and_drawn_where_it_does(tmp_path: Path) -> None:
    assert cup(tmp_path, "mancala").terms.opening_plies == 0
    assert cup(tmp_path, "yolah-ws", preset="").terms.opening_plies == 4


@pytest.mark.parametrize(
    ("protocol", "event", "entrant", "changes", "said"),
    [
        ("mancala", "opening_plies = 2", "", {}, "'stranger': protocol mancala knows no openings"),
        ("mancala", "", "", {"game": "yolah", "preset": ""}, "'stranger': protocol mancala is for mancala, not yolah"),
        ("mancala", "", "options = { grase = 1 }", {}, "there is no option of protocol mancala 'grase'"),
        ("yinsh", "", "", {"time": "1"}, "'stranger': protocol yinsh .* a clock, for example 120\\+0"),
    ],
)
def test_what_a_protocol_cannot_do_is_said_before_the_first_game(
    protocol: str, event: str, entrant: str, changes: dict[str, str], said: str, tmp_path: Path
) -> None:
    with pytest.raises(ForgeronError, match=said):
        cup(tmp_path, protocol, event, entrant, **changes)
