"""The referee step by step: people who are waited for, going back, going on with a game, the same throws always."""

from __future__ import annotations

from pathlib import Path

import pytest

import forgeron
from forgeron.arena.entrant import Entrant
from forgeron.arena.human import Human
from forgeron.arena.referee import Referee
from forgeron.arena.task import GameRunner, GameTask
from forgeron.bots.clock import TimeControl
from forgeron.bots.contestant import Answer, BuiltIn, Contestant, MoveRequest
from forgeron.bots.faults import BotFault
from forgeron.core.errors import ForgeronError, IllegalMoveError, NotationError, OptionError

ROOT = Path(__file__).parent.parent.parent
GAME = forgeron.game(str(ROOT / "examples" / "game_connect_four.py"))
YUT = forgeron.game("yut")
NODES = TimeControl(move_nodes=20)


def builtin(name: str, game: forgeron.Game) -> BuiltIn:
    return BuiltIn(name, forgeron.player(name, game))


def people(game: forgeron.Game, control: TimeControl = NODES, **more: object) -> Referee:
    seats = Human("ada", timed=control is not NODES), Human("bob", timed=control is not NODES)
    referee = Referee(game, seats, control, **more)  # type: ignore[arg-type]
    referee.open()
    return referee


def play_first_moves(referee: Referee, plies: int) -> None:
    """Throws as they come, and the last legal move of people."""
    while len(referee.moves) < plies and referee.record is None:
        if referee.position.turn == "chance":
            referee.throw()
        else:
            referee.submit(referee.position.legal_moves()[-1])


def test_a_person_may_slip_and_resign() -> None:
    written = iter(["what?", "9", "4", "resign"])
    asked: list[MoveRequest] = []

    def ask(request: MoveRequest) -> str:
        asked.append(request)
        return next(written)

    seats = Human("ada", ask), BuiltIn("machine", forgeron.player("greedy", GAME))
    record = Referee(GAME, seats, TimeControl(move_seconds=60)).play()
    assert record.moves[0] == "4"
    assert (record.winner, record.reason, record.extra["detail"]) == (1, "resign", "ada resigns")
    assert len(asked) == 4


def test_two_people_are_waited_for_in_turn() -> None:
    referee = people(GAME)
    assert referee.awaited == 0
    referee.submit("4")
    assert referee.awaited == 1
    for move in "1424":
        referee.submit(move)
    referee.submit("1")
    referee.submit("4")
    assert referee.awaited is None
    assert referee.record is not None
    assert (referee.record.winner, referee.record.reason) == (0, "win")
    with pytest.raises(ForgeronError, match="nobody's move is waited for"):
        referee.submit("1")


def test_what_a_person_may_not_play_changes_nothing() -> None:
    referee = people(GAME)
    before = referee.record_so_far()
    with pytest.raises(NotationError):
        referee.submit("x4")
    for _ in range(6):
        referee.submit("4")
    with pytest.raises(IllegalMoveError):
        referee.submit("4")
    assert before.reason == "unfinished"
    assert referee.record_so_far().moves == ("4",) * 6
    assert referee.awaited == 0


def test_people_are_never_asked_by_the_referee() -> None:
    referee = people(GAME)
    with pytest.raises(ForgeronError, match="ada is a person whose moves are submitted"):
        referee.ask()


def test_a_person_may_resign_in_the_other_ones_turn() -> None:
    referee = people(GAME)
    referee.submit("4")
    referee.resign(0)
    assert referee.record is not None
    assert (referee.record.winner, referee.record.reason, referee.record.moves) == (1, "resign", ("4",))
    with pytest.raises(ForgeronError, match="the game is over: resign"):
        referee.resign(1)


def test_a_person_on_the_clock_loses_by_time_and_another_one_does_not() -> None:
    clock = TimeControl(base_seconds=10.0, increment_seconds=1.0)
    referee = people(GAME, clock)
    referee.submit("4", seconds=4.0)
    assert referee.clocks.left == [7.0, 10.0]
    referee.submit("4", seconds=20.0)
    assert referee.record is not None
    assert (referee.record.winner, referee.record.reason) == (0, "time")
    patient = people(GAME)
    patient.submit("4", seconds=10_000.0)
    assert patient.record is None


def test_a_question_that_is_left_unanswered_changes_nothing() -> None:
    referee = Referee(GAME, (builtin("greedy", GAME), builtin("random", GAME)), NODES)
    referee.open()
    first, again = referee.ask(), referee.ask()
    assert isinstance(first, Answer)
    assert isinstance(again, Answer)
    assert (first.text, referee.moves) == (again.text, [])
    referee.accept(first)
    assert referee.moves == [first.text]


def test_stepping_is_playing() -> None:
    def referee() -> Referee:
        return Referee(YUT, (builtin("expectimax", YUT), builtin("random", YUT)), NODES, seed=5)

    stepped = referee()
    stepped.open()
    while stepped.record is None:
        stepped.advance()
    assert stepped.record.moves == referee().play().moves


def test_going_back_brings_the_same_throws_again() -> None:
    referee = people(YUT, seed=3)
    play_first_moves(referee, 30)
    whole = list(referee.moves)
    for plies in (0, 1, 7, 18):
        referee = referee.rewound(plies)
        referee.open()
        assert referee.moves == whole[:plies]
        play_first_moves(referee, 30)
        assert referee.moves == whole


def test_other_moves_leave_each_seat_its_own_throws() -> None:
    def throws(choice: int) -> tuple[list[str], list[str]]:
        referee = people(YUT, seed=3)
        own: tuple[list[str], list[str]] = ([], [])
        while len(referee.moves) < 60 and referee.record is None:
            if referee.position.turn == "chance":
                seat = YUT.thrower(referee.position.state)
                own[seat].append(str(referee.throw().last_move))
            else:
                referee.submit(referee.position.legal_moves()[choice])
        return own

    one, other = throws(0), throws(-1)
    for seat in (0, 1):
        common = min(len(one[seat]), len(other[seat]))
        assert one[seat][:common] == other[seat][:common]
        assert common > 3


def test_a_game_goes_on_from_its_moves_as_if_it_had_never_been_left() -> None:
    whole = Referee(YUT, (builtin("greedy", YUT), builtin("random", YUT)), NODES, seed=11).play()
    for plies in (0, 1, 9, len(whole.moves)):
        seats = builtin("greedy", YUT), builtin("random", YUT)
        again = Referee(YUT, seats, NODES, played=whole.moves[:plies], seed=11).play()
        assert (again.moves, again.winner, again.scores) == (whole.moves, whole.winner, whole.scores)


def test_clocks_go_back_with_the_game() -> None:
    referee = people(GAME, TimeControl(base_seconds=60.0))
    for seconds in (5.0, 7.0, 11.0):
        referee.submit("4", seconds)
    assert referee.clocks.left == [44.0, 53.0]
    back = referee.rewound(2)
    assert back.clocks.left == [55.0, 53.0]
    assert [answer.seconds for _, answer in back.answers] == [5.0, 7.0]


def test_a_game_cannot_go_back_behind_its_opening_or_beyond_its_end() -> None:
    referee = people(GAME, opening=("4", "4"))
    with pytest.raises(OptionError, match=r"can go back to ply 2 … 2, not 1"):
        referee.rewound(1)
    with pytest.raises(OptionError, match="not 3"):
        referee.rewound(3)


def test_the_games_of_an_event_are_those_of_the_referee() -> None:
    task = GameTask("1", "yut", {}, (Entrant("a", "greedy"), Entrant("b", "random")), "20n", seed=9)
    with GameRunner() as runner:
        record = runner.play(task)
    assert record.moves == Referee(YUT, (builtin("greedy", YUT), builtin("random", YUT)), NODES, seed=9).play().moves


def test_whoever_fails_while_watching_is_the_one_that_loses() -> None:
    class Fragile(Human):
        def watch(self, request: MoveRequest) -> None:
            from forgeron.bots.faults import Reason

            if request.seat == 0:
                raise BotFault(Reason.CRASH, "it cannot look")

    seats: tuple[Contestant, Contestant] = Human("ada", timed=False), Fragile("eve", timed=False)
    referee = Referee(GAME, seats, NODES)
    referee.open()
    referee.submit("4")
    assert referee.record is not None
    assert (referee.record.winner, referee.record.extra["detail"]) == (0, "eve: it cannot look")
