"""One source, two speeds: what the cache and the switches promise, each tried in fresh processes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import forgeron
from forgeron.core import compile_turn

Run = Callable[..., subprocess.CompletedProcess[str]]
EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py"

USE_EVERYTHING = """
import forgeron
from forgeron.core import cache
from forgeron.kernels.playout import play_many
game = forgeron.game({name!r})
start = game.start()
print(game.perft(start, 2), game.count(start, 2), play_many(start, seed=1, games=20), start.key)
while start.turn == "chance":
    start = start.push(0)
for name in forgeron.player_names(game):
    print(forgeron.player(name, game, seed=2).choose(start, forgeron.Limit(nodes=100)).move)
print(len(cache.compilations))
"""


@pytest.mark.parametrize("name", forgeron.game_names())
def test_a_second_process_uses_the_stored_code_and_does_not_compile(name: str, run_python: Run) -> None:
    """In the folder of all tests: most of it has been compiled by one of them already, which saves minutes."""
    code = USE_EVERYTHING.format(name=name)
    first = run_python(code).stdout.splitlines()
    second = run_python(code).stdout.splitlines()
    assert second[-1] == "0"
    assert second[:-1] == first[:-1]


def test_an_empty_folder_means_to_compile_once(run_python: Run, tmp_path: Path) -> None:
    code = USE_EVERYTHING.format(name=str(EXAMPLE))
    first, second = (run_python(code, FORGERON_CACHE_DIR=str(tmp_path)).stdout.splitlines() for _ in range(2))
    assert int(first[-1]) > 8
    assert second == [*first[:-1], "0"]


@pytest.mark.parametrize("name", [*forgeron.game_names(), str(EXAMPLE)], ids=lambda name: Path(name).stem)
def test_bounds_are_kept_and_plain_python_says_the_same(name: str, run_python: Run, tmp_path: Path) -> None:
    code = (
        "import forgeron; from forgeron.kernels.playout import play_many;"
        f"game = forgeron.game({name!r}); start = game.start();"
        "print(game.perft(start, 2), play_many(start, seed=1, games={games}))"
    )
    checked = run_python(code.format(games=2000), NUMBA_BOUNDSCHECK="1", FORGERON_CACHE_DIR=str(tmp_path)).stdout
    assert checked == run_python(code.format(games=2000)).stdout
    plain = run_python(code.format(games=5), FORGERON_JIT="0").stdout
    assert plain.replace("np.int64", "") == run_python(code.format(games=5)).stdout


def test_the_portable_bit_functions_play_the_same_games(run_python: Run, tmp_path: Path) -> None:
    code = (
        "import forgeron; from forgeron.kernels.playout import play_many;"
        "game = forgeron.game('yolah'); print(game.perft(game.start(), 3), play_many(game.start(), seed=4, games=3000))"
    )
    portable = run_python(code, FORGERON_PEXT="0", FORGERON_CACHE_DIR=str(tmp_path)).stdout
    assert portable == run_python(code).stdout


def test_a_changed_rule_is_never_run_from_old_code(run_python: Run, tmp_path: Path) -> None:
    file = tmp_path / "game_connect_four.py"
    shutil.copy(EXAMPLE, file)
    code = f"import forgeron; game = forgeron.game({str(file)!r}); print(game.perft(game.start(), 3))"
    environment = {"FORGERON_CACHE_DIR": str(tmp_path / "cache")}
    assert run_python(code, **environment).stdout == "343\n"
    text = file.read_text()
    assert text.count("COLUMNS = 7") == 1
    file.write_text(text.replace("COLUMNS = 7", "COLUMNS = 6"))
    assert run_python(code, **environment).stdout == "216\n"


@pytest.mark.parametrize("edited", ["game_connect_four.py", "width.py"])
def test_what_is_edited_while_a_program_runs_does_not_name_its_old_rules(
    edited: str, run_python: Run, tmp_path: Path
) -> None:
    helper = "import numpy as np\nfrom forgeron import compiled\n@compiled\ndef allowed(tops):\n    return tops\n"
    (tmp_path / "width.py").write_text(helper)
    file = tmp_path / "game_connect_four.py"
    text = EXAMPLE.read_text().replace("return TOP &", "return allowed(TOP) &")
    start = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from width import allowed\n"
    file.write_text(text.replace("COLUMNS = 7", start + "COLUMNS = 7"))
    change = {
        "game_connect_four.py": ("allowed(TOP)", "allowed(without_lowest(TOP))"),
        "width.py": ("return tops", "return tops & (tops - np.uint64(1))"),
    }[edited]
    code = f"import forgeron; game = forgeron.game({str(file)!r}); {{}}print(game.perft(game.start(), 3))"
    edit = f"from pathlib import Path; file = Path({str(tmp_path / edited)!r});"
    edit += f"file.write_text(file.read_text().replace{change!r});"
    environment = {"FORGERON_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    assert run_python(code.format(edit), **environment).stdout == "343\n"
    assert run_python(code.format(""), **environment).stdout == "216\n"


def test_a_changed_helper_module_is_never_run_from_old_code(run_python: Run, tmp_path: Path) -> None:
    helper = tmp_path / "width.py"
    helper.write_text("COLUMNS = 7\n")
    file = tmp_path / "game_connect_four.py"
    file.write_text(
        EXAMPLE.read_text().replace(
            "COLUMNS = 7", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from width import COLUMNS"
        )
    )
    code = f"import forgeron; game = forgeron.game({str(file)!r}); print(game.perft(game.start(), 3))"
    environment = {"FORGERON_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    assert run_python(code, **environment).stdout == "343\n"
    helper.write_text("COLUMNS = 5\n")
    assert run_python(code, **environment).stdout == "125\n"


def test_what_else_a_process_has_imported_means_no_compilation(run_python: Run, tmp_path: Path) -> None:
    """A game that says `import forgeron` refers to the whole package, of which more or less may be loaded."""
    file = tmp_path / "game_connect_four.py"
    text = EXAMPLE.read_text().replace("from forgeron import OVER, Game, compiled, rules_for", "import forgeron")
    for name in ("Game", "compiled", "rules_for", "OVER"):
        text = text.replace(f"({name})", f"(forgeron.{name})").replace(f"@{name}", f"@forgeron.{name}")
        text = text.replace(f" {name}", f" forgeron.{name}")
    text = text.replace("popcount(", "forgeron.bits.popcount(").replace(" popcount,", "")
    file.write_text(text)
    use = (
        f"from forgeron.core import cache; game = forgeron.game({str(file)!r});"
        "print(game.perft(game.start(), 3), len(cache.compilations))"
    )
    environment = {"FORGERON_CACHE_DIR": str(tmp_path / "cache")}
    assert run_python(f"import forgeron; {use}", **environment).stdout.split()[0] == "343"
    more = "import forgeron, forgeron.protocol; forgeron.Player, forgeron.play_many, forgeron.probability_of;"
    assert run_python(f"{more} {use}", **environment).stdout == "343 0\n"


def test_a_changed_tuple_of_a_helper_module_is_never_run_from_old_code(run_python: Run, tmp_path: Path) -> None:
    helper = tmp_path / "kept.py"
    helper.write_text("import numpy\nKEPT = (numpy.uint64(2**64 - 1), 0)\n")
    file = tmp_path / "game_connect_four.py"
    text = EXAMPLE.read_text().replace(
        "    tops = open_tops(state)\n    while", "    tops = open_tops(state) & KEPT[0]\n    while"
    )
    assert "KEPT[0]" in text
    start = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from kept import KEPT\nCOLUMNS = 7"
    file.write_text(text.replace("COLUMNS = 7", start))
    code = f"import forgeron; game = forgeron.game({str(file)!r}); print(game.count(game.start(), 1).leaves)"
    environment = {"FORGERON_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    assert run_python(code, **environment).stdout == "7\n"
    helper.write_text("import numpy\nKEPT = (numpy.uint64(2**20 - 1), 0)\n")
    assert run_python(code, **environment).stdout == "3\n"


def test_compiling_is_announced_once_with_its_time(run_python: Run, tmp_path: Path) -> None:
    code = "import forgeron; game = forgeron.game('yolah'); game.perft(game.start(), 2)"
    environment = {"FORGERON_CACHE_DIR": str(tmp_path), "FORGERON_QUIET": "0"}
    first = run_python(code, **environment).stderr
    assert first.startswith("compiling count leaves in bulk for yolah … ")
    assert first.endswith(" s (once; kept for next time)\n")
    assert run_python(code, **environment).stderr == ""


def test_processes_that_want_the_same_kernels_at_once_compile_them_once(tmp_path: Path) -> None:
    code = (
        "import forgeron, json; from forgeron.core import cache; from forgeron.kernels.playout import play_many;"
        "game = forgeron.game('yut'); start = game.start(); print('ready', flush=True); input();"
        "print(game.perft(start, 1), play_many(start, seed=1, games=2)); print(json.dumps(cache.compilations))"
    )
    environment = {**os.environ, "FORGERON_CACHE_DIR": str(tmp_path), "FORGERON_QUIET": "1"}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    said = [process.communicate()[0].splitlines() for process in processes]
    assert len({results for results, _ in said}) == 1
    compiled = [what for _, compilations in said for what in json.loads(compilations)]
    assert len(compiled) > 1
    assert sorted(set(compiled)) == sorted(compiled)
    assert not list(tmp_path.rglob("*.lock"))


def test_a_process_that_was_killed_or_stopped_while_compiling_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "search.lock"
    hold = "import sys; from pathlib import Path; from forgeron.core.compile_turn import take_turn;"
    hold += f"end = take_turn(Path({str(path)!r})); print('mine', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "mine\n"
        monkeypatch.setattr(compile_turn, "PATIENCE_SECONDS", 0.1)
        compile_turn.take_turn(path)()  # it has waited long enough
        assert not path.exists()
        process.kill()
    with path.open("w"):
        monkeypatch.setattr(compile_turn, "PATIENCE_SECONDS", float("inf"))
        end = compile_turn.take_turn(path)  # of the one that was killed nothing is left
    other = tmp_path / "helper.lock"
    compile_turn.take_turn(other)()  # the same turn
    assert (path.exists(), other.exists()) == (True, False)
    end()
    assert not path.exists()


def test_a_damaged_or_unwritable_cache_only_costs_time(run_python: Run, tmp_path: Path) -> None:
    code = "import forgeron; game = forgeron.game('yolah'); print(game.perft(game.start(), 1))"
    run_python(code, FORGERON_CACHE_DIR=str(tmp_path))
    for damage in (lambda data: b"not code", lambda data: data[:3000] + bytes(50) + data[3050:], lambda data: b""):
        for file in tmp_path.rglob("*.bin"):
            file.write_bytes(damage(file.read_bytes()))
        assert run_python(code, FORGERON_CACHE_DIR=str(tmp_path)).stdout == "56\n"
    assert run_python(code, FORGERON_CACHE_DIR="/proc/no/such/folder").stdout == "56\n"
