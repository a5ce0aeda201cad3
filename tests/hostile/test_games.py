"""Games with mistakes, each as somebody would have written it: a message with file and line, never a crash.

A comment ``<- here`` in a game marks the line that must be named.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from forgeron.cli.main import main
from forgeron.core.errors import ForgeronError
from forgeron.core.jit import JIT
from forgeron.laws import quick_check

GAMES = Path(__file__).parent / "games"
EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py"

#: What is said of each, and in how few moves the mistake can be shown, worked out by hand where it is a number.
MISTAKES: dict[str, tuple[str, int | None]] = {
    "biased_random_move": ("random_move: in 400 draws the move 0 came", 0),
    "chance_without_rule": ("the game has no rule chance", 0),
    "crashes": ("the process died: a segmentation fault", None),
    "division_by_zero": ("divide by zero", 2),
    "division_by_zero_in_play": ("divide by zero", 3),
    "draw_raises": ("IndexError", 3),
    "duplicate_moves": ("the move 0 is listed twice", 3),
    "endless_import": ("it has not come to an end after 10 s", None),
    "endless_rule": ("it has not come to an end", 1),
    "evaluation_not_finite": ("evaluate: it says np.float64(inf)", 2),
    "exits": ("SystemExit: this game needs another NumPy", None),
    "false_symmetry": ("under the symmetry 'swap' turn or scores are others", 0),
    "float_field": ("fields are all np.uint64 or np.int64", None),
    "float_state": ("the field left becomes np.float64(9.0), a float64", 0),
    "hidden_state": ("asked twice about the same state", 0),
    "import_missing": ("No module named 'no_such_library'", None),
    "index_out_of_range": ("index 10 is out of bounds for axis 0 with size 8", 0),
    "index_out_of_range_late": ("index 7 is out of bounds for axis 0 with size 2", None),
    "key_collides": ("has the same key and differs in mover", 2),
    "key_no_word": ("key: it says '10'", 0),
    "list_too_long": ("this position has 3 moves, and max_moves is 2", 0),
    "memory_hog": ("MemoryError", 0),
    "missing_attribute": ("needs the class attribute 'max_moves'", None),
    "missing_rule": ("has no rule for: score", None),
    "misspelt_name": ("name 'mvoe' is not defined", 0),
    "move_too_large": ("it lists the move 16777216", 0),
    "moves_though_over": ("turn says OVER, and 0, 1 are listed", 3),
    "negative_field": ("the field left becomes -1, and np.uint64 cannot hold that", 2),
    "negative_move": ("it lists the move -1", 2),
    "no_move_not_over": ("there is no move, and turn says 0", 4),
    "nonsense_is_a_move": ("the text '' is taken for a move", 0),
    "notation_lossy": ("the position '9' is read as another one", 1),
    "outcomes_missing": ("it returns 2, and 3 moves are listed", 0),
    "parse_raises": ("the text '' raises ValueError", 0),
    "planes_are_blind": ("planes: player 0 sees the same after the moves 0 and 1", 0),
    "probabilities": ("the probabilities add up to 0.99", 0),
    "random_order": ("the order is not fixed", 0),
    "recursion": ("RecursionError", 0),
    "score_before_the_end": ("divide by zero", 0),
    "score_no_integer": ("score: it says -0.5", 4),
    "scores_no_integers": ("scores: it returns (np.float64(0.0), 0)", 0),
    "scores_raise": ("KeyError: 10", 0),
    "seats_wrong": ("seats: it is ('first', 'second', 'third')", 0),
    "shared_action": ("the moves 0 and 1 both have the action 0", 3),
    "solve_lies": ("it says 1 (player 0 wins), and by best play player 1 wins", 1),
    "start_no_state": ("start_state: it returns (10, 0)", None),
    "start_raises": ("KeyError: 'size'", None),
    "syntax_error": ("expected ':'", None),
    "thrower_unknown": ("thrower: it says 2", 2),
    "token_not_read_back": ("the token '3' of the legal move 2 is refused", 0),
    "token_shared": ("the moves 1 and 2 are both written 'more'", 0),
    "token_with_space": ("the move 0 is written 'take 1', with a space in it", 0),
    "too_many_features": ("features: 10 features are active, and max_features is 9", 0),
    "turn_of_nobody": ("turn: it says -1", 3),
    "two_games": ("defines 2 games (TakeAway, Other)", None),
    "unwritten_move": ("it returns 3, and out[2] was not written", 0),
    "view_no_json": ("view: it returns what JSON cannot say", 0),
    "weights_and_names": ("it returns 2 weights, and weight_names has 3 names", 0),
    "weights_too_short": ("weights: it returns 1, and evaluate reads more", 0),
    "wrong_count": ("count: it says 3, and 2 moves are listed", 3),
    "wrong_signature": ("moves must take (state, out), not (position, out)", None),
    "wrong_turn": ("turn: it says 2, which is CHANCE", 1),
}
#: Only compiled code shows these.
COMPILED = {
    "cannot_be_compiled": ("the rule 'key' cannot be compiled: Untyped global name 'NAMES'", 0),
    "compiled_differs": ("play of move 0 is (9, 1) in plain Python and", 0),
    "endless_game": ("a random game has not ended after 100,000 plies", 0),
}

Check = Callable[..., tuple[int, str]]


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Check:
    """Run `forgeron check-game` here; what it tries, it tries in another process."""

    def run(game: Path, *more: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.argv", ["forgeron", "check-game", str(game), "--seconds", "1", *more])
        with pytest.raises(SystemExit) as left:
            main()
        printed = capsys.readouterr()
        assert printed.err == ""
        return int(left.value.code or 0), printed.out

    return run


def marked_line(game: Path) -> int | None:
    lines = game.read_text().splitlines()
    return next((number for number, line in enumerate(lines, 1) if line.endswith("# <- here")), None)


def test_every_game_is_tried() -> None:
    assert {path.stem for path in GAMES.glob("*.py")} == {*MISTAKES, *COMPILED}


@pytest.mark.parametrize(
    "name", [*MISTAKES, *(pytest.param(one, marks=pytest.mark.skipif(not JIT, reason="compiles")) for one in COMPILED)]
)
def test_a_mistake_is_told_with_its_line_and_the_shortest_game(name: str, check: Check) -> None:
    game = GAMES / f"{name}.py"
    said, plies = {**MISTAKES, **COMPILED}[name]
    code, printed = check(game)
    assert code == 1
    broken = printed[printed.index("✗") :]
    assert said in broken
    assert "\n  what would do: " in broken
    line = marked_line(game)
    if line is not None:
        assert f"{game}, line {line}: " in broken
    shown = re.search(r"a game that shows it \((?:the first position|(\d+) pl\w+(, none is shorter)?)\)", broken)
    if plies is not None:
        assert shown is not None
        assert int(shown[1] or 0) == plies
        assert plies == 0 or shown[2]


def test_what_only_networks_see_keeps_no_game_from_being_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORGERON_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("planes_are_blind", "too_many_features"):
        quick_check.vet(str(GAMES / f"{name}.py"))
    with pytest.raises(ForgeronError, match="both have the action 0"):
        quick_check.vet(str(GAMES / "shared_action.py"))


def test_a_good_game_passes_and_is_shown(check: Check) -> None:
    code, printed = check(EXAMPLE)
    assert code == 0
    assert "perft  1: 7  2: 49  3: 343  4: 2,401" in printed
    assert printed.endswith("no law is broken\n")
    assert "✗" not in printed


def test_a_missing_file_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.argv", ["forgeron", "check-game", str(tmp_path / "nothing.py")])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert "there is no file" in capsys.readouterr().err


# --- before a game is played ------------------------------------------------------------------------------------------

TOURNAMENT = '[event]\ngame = "{game}"\ntime = "10n"\n[[entrant]]\nplayer = "random"\n[[entrant]]\nplayer = "greedy"\n'


@pytest.mark.parametrize("name", ["list_too_long", "index_out_of_range", "endless_rule", "crashes", "wrong_turn"])
@pytest.mark.parametrize("command", ["play", "match", "tournament", "perft"])
def test_no_command_trusts_a_game_with_a_mistake(
    name: str,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    game = GAMES / f"{name}.py"
    (tmp_path / "event.toml").write_text(TOURNAMENT.format(game=game))
    arguments = {
        "play": ["play", str(game), "--first", "random", "--second", "random"],
        "match": ["match", str(game), "random", "random", "--games", "2", "--time", "10n"],
        "tournament": ["tournament", "event.toml"],
        "perft": ["perft", str(game), "2"],
    }[command]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["forgeron", *arguments])
    with pytest.raises(SystemExit, match="2"):
        main()
    printed = capsys.readouterr()
    assert printed.out == ""
    assert MISTAKES[name][0] in printed.err
    assert printed.err.count("\n") == 1
    line = marked_line(game)
    assert line is None or f"line {line}: " in printed.err
    assert list(tmp_path.iterdir()) == [tmp_path / "event.toml"]


def test_a_good_game_is_tried_once_for_each_version_of_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORGERON_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "helper.py").write_text("COLUMNS = 7\n")
    game = tmp_path / "four.py"
    use = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from helper import COLUMNS"
    game.write_text(EXAMPLE.read_text().replace("COLUMNS = 7", use))
    tried = []
    plain = quick_check.plain
    monkeypatch.setattr(quick_check, "plain", lambda request: tried.append(request.game) or plain(request))

    def trials() -> int:
        quick_check.vet(str(game))
        return len(tried)

    assert [trials(), trials()] == [1, 1]
    (tmp_path / "helper.py").write_text("COLUMNS = 6\n")
    assert [trials(), trials()] == [2, 2]
    game.write_text(game.read_text() + "\n")
    assert [trials(), trials()] == [3, 3]
    for damaged in (tmp_path / "cache").rglob("*.json"):
        damaged.write_text("[" * 100_000)
    assert [trials(), trials()] == [4, 4]


@pytest.mark.skipif(not JIT, reason="plain Python takes its time for 100,000 plies")
@pytest.mark.parametrize("player", ["monte-carlo", "mcts"])
def test_an_endless_game_ends_with_an_error_that_names_the_limit(
    player: str, run_python: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    code = f"""
import forgeron
game = forgeron.game({str(GAMES / "endless_game.py")!r})
try:
    forgeron.player({player!r}, game, seed=1).analyse(game.start(), forgeron.Limit(nodes=100))
except forgeron.ForgeronError as error:
    print(type(error).__name__, error)
"""
    said = "EndlessGameError a random game has not ended after 100,000 plies, and no game may last longer\n"
    assert run_python(code).stdout == said
