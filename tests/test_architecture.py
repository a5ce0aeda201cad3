"""The law of the house (docs/architecture.md): rooms import only lower rooms, and nothing but the registry, by name,
reaches a game."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "forgeron"
#: A room may import itself and those before it. Single modules beside the rooms are published: everybody may import
#: them from outside, and games do.
LOWEST_FIRST = [
    "drawing",
    "core",
    "kernels",
    "laws",
    "stats",
    "players",
    "bots",
    "arena",
    "reports",
    "analysis",
    "learning",
    "interop",
    "web",
    "cli",
]
PLUGINS = "games"
#: The only place where the module of a game may be named.
REGISTRY = "core/registry.py"


def imported(tree: ast.AST) -> Iterator[str]:
    """The modules of Forgeron that a file imports, wherever in the file and in whatever form it does so."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "forgeron")
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                yield "forgeron.(sibling)" if node.level == 1 and node.module else "forgeron.(relative)"
            elif node.module == "forgeron":
                yield from (f"forgeron.{alias.name}" for alias in node.names)
            elif (node.module or "").startswith("forgeron."):
                yield str(node.module)


def published() -> set[str]:
    """What anybody may import: the names of `import forgeron` and the modules beside the rooms."""
    tree = ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and any(getattr(target, "id", "") == "__all__" for target in node.targets):
            names = set(ast.literal_eval(node.value))
    return names | {file.stem for file in SOURCE.glob("*.py") if not file.stem.startswith("__")}


def breaches(path: str, text: str) -> list[str]:
    """How the file at `path` (relative to the package) with this text breaks the law: a line for each."""
    tree = ast.parse(text)
    room = path.split("/")[0]
    found = []
    for module in imported(tree):
        if module.endswith(")"):
            # Modules of a game may call each other by relative names: one source can then be a part of two packages.
            if room != PLUGINS or module != "forgeron.(sibling)":
                found.append(f"{path}: imports are written in full")
            continue
        other = module.split(".")[1] if "." in module else ""
        if room == PLUGINS:
            own = f"forgeron.{'.'.join(path.split('/')[:2])}"
            if module != "forgeron" and not module.startswith(own) and other not in published():
                found.append(f"{path}: a game builds on what `import forgeron` publishes, not on {module}")
        elif other == PLUGINS:
            found.append(f"{path}: only the registry reaches a game, by name; this imports {module}")
        elif room in LOWEST_FIRST and other in LOWEST_FIRST:
            if LOWEST_FIRST.index(other) > LOWEST_FIRST.index(room):
                found.append(f"{path}: {room} may not import {other}, which is above it")
        elif room in LOWEST_FIRST and module != "forgeron" and other not in LOWEST_FIRST:
            found.append(f"{path}: inside the house {module} is imported from the room it lives in")
    if room != PLUGINS and path != REGISTRY:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "forgeron.games." in node.value:
                found.append(f"{path}, line {node.lineno}: only the registry names the module of a game")
    return found


def files() -> list[str]:
    return sorted(str(file.relative_to(SOURCE)) for file in SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", files())
def test_a_file_keeps_the_law(path: str) -> None:
    if "/" in path:
        assert breaches(path, (SOURCE / path).read_text(encoding="utf-8")) == []


def test_every_room_has_its_place_and_every_place_its_room() -> None:
    rooms = {path.split("/")[0] for path in files() if "/" in path}
    assert rooms == {*LOWEST_FIRST, PLUGINS}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("core/thing.py", "from forgeron.players.base import Player"),
        ("core/thing.py", "def f():\n    import forgeron.arena.referee"),
        ("core/thing.py", "from forgeron import players"),
        ("players/thing.py", "from forgeron.games.yolah import Yolah"),
        ("players/thing.py", "from forgeron import games"),
        ("arena/thing.py", "import importlib\nimportlib.import_module('forgeron.games.yut.players')"),
        ("arena/thing.py", "from .referee import Referee"),
        ("games/yolah/thing.py", "from forgeron.core.bits import popcount"),
        ("games/yolah/thing.py", "from forgeron.games.yut import rules"),
        ("games/yolah/thing.py", "from forgeron import core"),
        ("games/yolah/thing.py", "from ..yut import rules"),
    ],
)
def test_the_law_notices_who_breaks_it(path: str, text: str) -> None:
    assert breaches(path, text)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("players/thing.py", "from forgeron.core.position import Position\nfrom forgeron.kernels import greedy"),
        ("cli/thing.py", "from forgeron.arena.referee import Referee"),
        ("games/yolah/thing.py", "from forgeron import Game\nfrom forgeron.games.yolah.rules import State"),
        ("games/yolah/thing.py", "from .rules import State"),
    ],
)
def test_the_law_lets_the_others_be(path: str, text: str) -> None:
    assert breaches(path, text) == []


#: These mean the same wherever they stand: a game's state, and a node and a move list of a search.
SAME_MEANING = {"State", "Node", "Lists"}


def shared_names(sources: dict[str, str]) -> dict[str, list[str]]:
    """The names that more than one file gives to a class, with these files."""
    places: dict[str, list[str]] = {}
    for path, text in sources.items():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef) and node.name.lstrip("_") not in SAME_MEANING:
                places.setdefault(node.name.lstrip("_"), []).append(path)
    return {name: paths for name, paths in places.items() if len(paths) > 1}


def test_no_two_classes_share_a_name() -> None:
    assert shared_names({path: (SOURCE / path).read_text(encoding="utf-8") for path in files()}) == {}


def test_two_classes_of_one_name_are_noticed() -> None:
    assert shared_names({"a.py": "class Step: ...", "b.py": "class _Step: ...", "c.py": "class State: ..."}) == {
        "Step": ["a.py", "b.py"]
    }


def test_importing_forgeron_imports_neither_numba_nor_numpy(
    run_python: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    code = "import sys, forgeron; print([name for name in ('numba', 'numpy', 'rich') if name in sys.modules])"
    assert run_python(code).stdout == "[]\n"


def test_the_public_names_exist(run_python: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    code = "import forgeron; print(all(getattr(forgeron, name) is not None for name in forgeron.__all__))"
    assert run_python(code).stdout == "True\n"


# --- docs/architecture.md is true to the code ------------------------------------------------------------------------

PAGE = (SOURCE.parent.parent / "docs" / "architecture.md").read_text(encoding="utf-8")


def journeys() -> dict[str, list[tuple[str, str]]]:
    """The steps of each journey on the page: the file and the name in it."""
    found: dict[str, list[tuple[str, str]]] = {}
    for line in PAGE.splitlines():
        if line.startswith("### "):
            steps = found.setdefault(line[4:], [])
        elif step := re.match(r"\d\. `([\w/]+\.py)` · `([\w.]+)`: \S", line):
            steps.append((step[1], step[2]))
    return found


def defined(path: str) -> set[str]:
    """The functions, classes and methods that a file defines, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((SOURCE / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{one.name}" for one in node.body if isinstance(one, ast.FunctionDef)}
    return names


def test_the_page_has_four_journeys_of_at_most_eight_steps() -> None:
    assert [len(steps) for steps in journeys().values()] == [7, 8, 8, 8]


@pytest.mark.parametrize(("path", "name"), [step for steps in journeys().values() for step in steps])
def test_a_step_of_a_journey_is_in_the_code(path: str, name: str) -> None:
    assert name in defined(path)


def test_the_page_shows_every_room_in_its_order() -> None:
    drawn = re.findall(r"^   (\w+) {2,}\S", PAGE, re.MULTILINE)
    assert drawn == LOWEST_FIRST[::-1]
