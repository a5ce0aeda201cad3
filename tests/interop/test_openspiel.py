"""Our games in OpenSpiel, and OpenSpiel's games here."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forgeron

ROOT = Path(__file__).parent.parent.parent
CONNECT_FOUR = str(ROOT / "examples" / "game_connect_four.py")
TAKE_AWAY = str(ROOT / "tests" / "hostile" / "games" / "wrong_count.py")
HEX = str(ROOT / "examples" / "games" / "hex.py")
ADAPTED = str(ROOT / "examples" / "openspiel" / "breakthrough.py")
EXTRA = "pip install 'forgeron[openspiel]'"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def pyspiel() -> Any:
    return pytest.importorskip("pyspiel", reason=EXTRA)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("yolah", {}),
        ("mancala", {"preset": "course"}),
        ("yinsh", {"N": 3, "K": 3, "L": 1}),
        ("yut", {"pieces": 1}),
        (CONNECT_FOUR, {}),
    ],
    ids=lambda part: Path(part).stem if isinstance(part, str) else "",
)
def test_a_game_of_ours_passes_the_test_of_openspiel(
    name: str, options: dict[str, Any], pyspiel: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    from forgeron.interop.openspiel import load_game

    pyspiel.random_sim_test(load_game(name, **options), num_sims=1, serialize=False, verbose=False)


def test_its_states_are_our_positions(pyspiel: Any) -> None:
    from forgeron.interop.openspiel import load_game, register

    game = load_game(CONNECT_FOUR)
    assert register(forgeron.game(CONNECT_FOUR)) == "forgeron_connect_four"
    state = game.new_initial_state()
    for column in (0, 1, 0, 1, 0, 1, 0):
        assert state.legal_actions() == list(range(7))
        state.apply_action(column)
    assert state.is_terminal()
    assert state.returns() == [1.0, -1.0]


def test_its_algorithms_play_our_games(pyspiel: Any) -> None:
    from open_spiel.python.algorithms import cfr, exploitability, mcts, minimax

    from forgeron.interop.openspiel import load_game

    game = load_game(CONNECT_FOUR)
    state = game.new_initial_state()
    for column in (0, 1, 0, 1, 0, 1):
        state.apply_action(column)
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 100, mcts.RandomRolloutEvaluator(1, rng), random_state=rng, solve=True)
    assert bot.step(state) == 0
    value, _ = minimax.alpha_beta_search(load_game(TAKE_AWAY))
    assert value == 1.0  # ten stones, one to three a turn: leave a multiple of four
    small = load_game(HEX, size=2)
    solver = cfr.CFRSolver(small)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(small, solver.average_policy()) < 0.1


def test_a_game_of_openspiel_is_the_same_game_here(pyspiel: Any, run_python: Run) -> None:
    done = run_python(
        f"""
import pyspiel, random, forgeron
game = forgeron.game({ADAPTED!r})
theirs = pyspiel.load_game("breakthrough(rows=6,columns=6)").new_initial_state()
def leaves(state, depth):
    return 1 if depth == 0 else sum(leaves(state.child(action), depth - 1) for action in state.legal_actions())
assert [game.perft(game.start(), depth) for depth in (1, 2, 3)] == [leaves(theirs, depth) for depth in (1, 2, 3)]
position, rng = game.start(), random.Random(1)
while position.turn is not None:
    assert list(position.moves) == theirs.legal_actions() and position.turn == theirs.current_player()
    assert game.parse(str(position)) == position
    move = rng.choice(position.moves)
    position = position.push(move)
    theirs.apply_action(move)
assert theirs.is_terminal() and (position.outcome.winner == 0) == (theirs.returns()[0] > 0)
print(forgeron.match({ADAPTED!r}, "monte-carlo", "random", games=2, time="40n"))
""",
        FORGERON_JIT="0",
    )
    assert "monte-carlo – random: " in done.stdout


def test_dice_of_openspiel_are_thrown_here(pyspiel: Any, run_python: Run, tmp_path: Path) -> None:
    (tmp_path / "pig.py").write_text(
        "from forgeron.interop.openspiel_games import openspiel_game\n"
        "Pig = openspiel_game('pig(winscore=10)', module=__name__)\n"
    )
    file = str(tmp_path / "pig.py")
    done = run_python(
        f"import forgeron; print(forgeron.match({file!r}, 'expectimax', 'random', games=2, time='50n'))",
        FORGERON_JIT="0",
    )
    assert "expectimax – random: " in done.stdout


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("kuhn_poker", "it lacks perfect information"),
        ("matrix_rps", "it lacks moves one after the other"),
        ("no_such_game", "OpenSpiel has no game 'no_such_game'"),
        ("chess", "words, and 128 is the most"),
    ],
)
def test_a_game_that_does_not_fit_is_refused_with_the_reason(
    name: str, message: str, pyspiel: Any, run_python: Run
) -> None:
    done = run_python(
        f"""
from forgeron import ForgeronError
from forgeron.interop.openspiel_games import openspiel_game
try:
    openspiel_game({name!r}, module=__name__)
except ForgeronError as error:
    print(error)
""",
        FORGERON_JIT="0",
    )
    assert message in done.stdout


def test_compiled_code_is_told_apart() -> None:
    pytest.importorskip("pyspiel", reason=EXTRA)
    with pytest.raises(forgeron.ForgeronError, match="run as plain Python: set FORGERON_JIT=0"):
        forgeron.game(ADAPTED)


def test_without_openspiel_the_error_says_how_to_get_it() -> None:
    code = "import sys; sys.modules['pyspiel'] = None; import forgeron.interop.openspiel"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "this needs pyspiel: pip install 'forgeron[openspiel]'" in done.stderr
