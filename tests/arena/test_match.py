"""A match: fair pairs, a test that stops where it must, and the same answer however the games came about."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

import forgeron
from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms, points
from forgeron.arena.executor import in_processes
from forgeron.arena.journal import Journal
from forgeron.arena.match import Match, PairCounter, play_match
from forgeron.core.errors import ForgeronError
from forgeron.core.record import Record
from forgeron.stats.sprt import Sprt

MakeMatch = Callable[..., Match]
Run = Callable[..., dict[str, Record]]
Timeless = Callable[[Mapping[str, Record]], dict[str, Record]]
RACE = str(Path(__file__).parent.parent / "cli" / "dice_race.py")


def test_a_pair_is_one_opening_and_one_seed_with_seats_swapped(make_match: MakeMatch) -> None:
    tasks = make_match(games=12).due({})
    assert len(tasks) == len({task.id for task in tasks}) == 12
    openings = []
    for one, two in zip(tasks[::2], tasks[1::2], strict=True):
        assert (one.opening, one.seed) == (two.opening, two.seed)
        assert one.entrants == two.entrants[::-1]
        assert len(one.opening) == 4
        openings.append(one.opening)
    assert len(set(openings)) == 6


@pytest.mark.parametrize("game", [RACE, "yut"])
def test_both_games_of_a_pair_see_the_same_throws_for_each_seat(
    make_match: MakeMatch, run_event: Run, game: str
) -> None:
    match = make_match(game=game, games=6)
    records = run_event(match)
    rules = forgeron.game(game)
    for pair in match.schedule:
        throws: list[list[list[str]]] = []
        for one in pair:
            own: list[list[str]] = [[], []]
            positions = records[one.id].positions(rules)
            for before, token in zip(positions, records[one.id].moves, strict=False):
                if before.turn == "chance":
                    own[rules.thrower(before.state)].append(token)
            throws.append(own)
        for seat in (0, 1):
            first, second = throws[0][seat], throws[1][seat]
            common = min(len(first), len(second))
            assert first[:common] == second[:common]
        assert min(len(throws[0][0]), len(throws[1][0])) > 0


def test_the_standing_is_what_counting_by_hand_gives(make_match: MakeMatch, run_event: Run) -> None:
    match = make_match("monte-carlo", "greedy", games=20)
    records = run_event(match)
    standing = PairCounter(match).update(records)
    ends: Counter[float] = Counter()
    pairs = [0] * 5
    for one, two in match.schedule:
        assert records[one.id].players == ("monte-carlo", "greedy")
        assert records[two.id].players == ("greedy", "monte-carlo")
        brought = points(records[one.id], 0) + points(records[two.id], 1)
        pairs[round(2 * brought)] += 1
        ends[points(records[one.id], 0)] += 1
        ends[points(records[two.id], 1)] += 1
    assert list(standing.results) == pairs
    assert (standing.wins, standing.draws, standing.losses) == (ends[1], ends[0.5], ends[0])
    assert standing.decided
    assert standing.games == standing.played == 20


def test_the_test_stops_a_one_sided_match_early(make_match: MakeMatch, run_event: Run) -> None:
    match = make_match(games=200, sprt=Sprt(0, 50))
    records = run_event(match)
    standing = PairCounter(match).update(records)
    assert len(records) < 100
    assert standing.verdict is not None
    assert standing.verdict.decision == "accepted"
    assert match.due(records) == []
    assert PairCounter(match).update({}).decided is False


def test_the_answer_does_not_depend_on_the_order_in_which_games_end(make_match: MakeMatch, run_event: Run) -> None:
    every = run_event(make_match(games=60))
    match = make_match(games=60, sprt=Sprt(0, 50))
    ids = [game.id for pair in make_match(games=60).schedule for game in pair]
    renamed = dict(zip(ids, (game.id for pair in match.schedule for game in pair), strict=True))
    records = {renamed[id]: record for id, record in every.items()}
    expected = PairCounter(match).update(records)
    assert expected.games < 60
    for seed in range(5):
        order = list(records)
        random.Random(seed).shuffle(order)
        tally, so_far = PairCounter(match), {}
        for id in order:
            so_far[id] = records[id]
            standing = tally.update(so_far)
        assert replace(standing, played=0) == replace(expected, played=0)
        assert list(match.counted(so_far)) == list(match.counted(records))


def test_workers_play_the_same_games_as_one_process(
    make_match: MakeMatch, run_event: Run, timeless: Timeless, tmp_path: Path
) -> None:
    match = make_match("monte-carlo", "greedy", games=12)
    alone = run_event(match)
    with Journal(tmp_path / "workers.journal", match.settings()) as journal:
        for _ in play_match(match, journal, in_processes(2)):
            pass
        assert timeless(journal.records) == timeless(alone)


def test_a_match_that_was_left_goes_on_to_the_same_end(
    make_match: MakeMatch, run_event: Run, timeless: Timeless
) -> None:
    match = make_match("monte-carlo", "greedy", games=12)
    whole = run_event(match, "whole.journal")
    for stop in (1, 4, 9):
        assert len(run_event(match, "parts.journal", games=stop)) == stop
    assert timeless(run_event(match, "parts.journal")) == timeless(whole)


def test_a_bot_that_cannot_start_loses_every_game_and_the_match_goes_on(run_event: Run) -> None:
    terms = Terms.settle("yolah", time="20n")
    match = Match(terms, (Entrant("broken", command=("/bin/false",)), Entrant("greedy", "greedy")), 4)
    standing = PairCounter(match).update(run_event(match))
    assert (standing.wins, standing.losses) == (0, 4)
    assert (standing.crashes(0), standing.time_losses(0), standing.crashes(1)) == (4, 0, 0)


def test_settings_come_back_from_a_journal(make_match: MakeMatch) -> None:
    match = make_match(sprt=Sprt(-5, 5))
    assert Match.from_settings(match.settings(), Path()) == match


def test_an_odd_number_of_games_is_refused(make_match: MakeMatch) -> None:
    with pytest.raises(ForgeronError, match="give an even number such as 200, not 7"):
        make_match(games=7)


def test_what_is_wrong_with_an_entrant_is_said_before_the_first_game() -> None:
    terms = Terms.settle("yolah", time="20n")
    greedy = Entrant("greedy", "greedy")
    for entrant, message in [
        (greedy, "every entrant needs a name of its own; 'greedy' came more than once"),
        (Entrant("x", "monte-carlo", options={"bugdet": "ucb"}), "did you mean 'budget'"),
        (Entrant("x", "monte-carlo", options={"budget": "all"}), "option budget cannot be 'all'"),
        (Entrant("x", command=("bot",), protocol="natvie"), "did you mean 'native'"),
    ]:
        with pytest.raises(ForgeronError, match=message):
            Match(terms, (greedy, entrant), 2)


def test_processor_time_is_refused_for_programs_which_are_not_told_it() -> None:
    with pytest.raises(ForgeronError, match=r"time 0\.1cpu is processor time, which a program is not told"):
        Match(Terms.settle("yolah", time="0.1cpu"), (Entrant("greedy", "greedy"), Entrant("x", command=("true",))), 2)


def test_files_that_a_command_names_are_found_from_the_folder_of_the_event(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("")
    terms = Terms.settle("yolah", time="20n", folder=tmp_path)
    entrants = (Entrant("a", command=("python3", "bot.py", "-v")), Entrant("b", "random"))
    task = Match(terms, entrants, 2).due({})[0]
    assert task.entrants[0].command == ("python3", str(tmp_path / "bot.py"), "-v")
