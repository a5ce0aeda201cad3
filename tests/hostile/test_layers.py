"""What each layer of the sandbox stops, tried from inside it: the table of docs/protocol.md, measured."""

from __future__ import annotations

import io
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import forgeron
from forgeron.arena.entrant import Entrant
from forgeron.bots import sandbox, users
from forgeron.bots.landlock import landlock_refuses_connections, landlock_works
from forgeron.bots.process import BotProcess
from forgeron.bots.sandbox import Sandbox, bwrap_works, namespaces_work
from forgeron.bots.users import open_to_all, out_of_reach
from forgeron.cli.event_runner import say_weakness

HERE = Path(__file__).parent
DOCS = HERE.parent.parent / "docs" / "protocol.md"
NOBODY = 65534
#: An interpreter of this version that everybody may run: that of a virtual environment may lie where only root looks.
PYTHONS = [sys.executable, f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"]
PYTHON = next((name for name in PYTHONS if open_to_all(Path(name))), None)
pytestmark = pytest.mark.skipif(PYTHON is None, reason="no interpreter here that everybody may run")
#: The rows of the table, and what they are called in bots/attacks.py.
ROWS = {
    "signals the referee or its rival": "signals",
    "reads the referee's environment": "reads_environment",
    "traces the referee, reads its memory": "traces",
    "appends to the journal": "writes_journal",
    "poisons the compiled code": "poisons_code",
    "reads its rival's files": "reads_rival",
    "unmounts what hides them": "unmounts",
    "opens a connection": "connects",
    "finds descriptors of the referee": "has_descriptors",
    "has or gains capabilities": "gains_rights",
    "leaves a process behind": "stays",
    "leaves files in /dev/shm": "fills_shared_memory",
}
ONLY_RLIMITS = {"bwrap": False, "own_user": False, "landlock": False, "namespace": False}
COLUMNS: dict[str, dict[str, Any]] = {
    "`rlimits`": ONLY_RLIMITS,
    "`user`": {**ONLY_RLIMITS, "own_user": True},
    "`namespace`": {"own_user": False, "without_bwrap": True, "landlock": False},
    "`landlock`": {"own_user": False, "without_bwrap": True, "namespace": False},
    "`bwrap`": {"own_user": False},
}


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may enter, with a journal and a rival's file that only their owner writes."""
    made = Path(tempfile.mkdtemp(prefix="forgeron-attack-", dir="/var/tmp"))
    (made / "rival").mkdir()
    (made / "code").mkdir()
    (made / "rival" / "plan.txt").write_text("my secret plan")
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


def attack(folder: Path, settings: dict[str, Any], uid: int | None) -> dict[str, Any]:
    """What a bot could do, refereed by this user."""
    if uid is not None:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, uid, uid)
    environment = {
        **os.environ,
        "SECRET_OF_THE_REFEREE": "1",
        "FORGERON_CACHE_DIR": str(folder / "code"),
        "HOME": str(folder),
        "PYTHONPATH": os.pathsep.join([str(Path(forgeron.__file__).parents[1]), *filter(None, sys.path)]),
        "PATH": "/usr/local/bin:/usr/bin:/bin",
    }
    another: dict[str, Any] = {} if uid is None else {"user": uid, "group": uid, "extra_groups": []}
    done = subprocess.run(
        [str(PYTHON), str(HERE / "attack_run.py"), str(folder), json.dumps(settings)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        cwd="/",
        **another,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def documented() -> dict[str, dict[str, str]]:
    """The table of the documentation: what it says of each layer, by attack."""
    lines = DOCS.read_text(encoding="utf-8").splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("| a bot that"))
    heads = [cell.strip() for cell in lines[first].strip("|").split("|")]
    table = {}
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        table[cells[0]] = dict(zip(heads[1:], cells[1:], strict=True))
    return table


def test_the_documentation_names_every_attack() -> None:
    assert set(ROWS) <= set(documented())


CASES = [
    pytest.param(column, uid, id=f"{column.strip('`')}-{'nobody' if uid else 'here'}")
    for column in COLUMNS
    for uid in (None, NOBODY)
    if not (column == "`user`" and uid)
]


@pytest.mark.parametrize(("column", "uid"), CASES)
def test_a_layer_stops_what_the_documentation_says(column: str, uid: int | None, folder: Path) -> None:
    if (uid or column == "`user`") and os.getuid() != 0:
        pytest.skip("only root can be somebody else")
    if column == "`bwrap`" and not bwrap_works(bool(uid)):
        pytest.skip("bubblewrap is not installed or not allowed here")
    if column == "`landlock`" and not landlock_works():
        pytest.skip("this kernel has no Landlock")
    if column == "`namespace`" and not namespaces_work():
        pytest.skip("this kernel allows no namespaces")
    found = attack(folder, COLUMNS[column], uid)
    assert column.strip("`") in found["layers"]
    said = {what: documented()[what][column] for what in ROWS}
    could = {what: found[name] for what, name in ROWS.items()}
    is_root = (os.getuid() if uid is None else uid) == 0
    possible = {"possible": True, "possible unless root": not is_root, "stopped": False}
    expected = {what: possible[text] for what, text in said.items()}
    assert could == expected
    assert not found["left_folder"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can change the user")
@pytest.mark.parametrize("more", [{}, {"without_bwrap": True}], ids=["bwrap", "landlock"])
def test_all_layers_together_stop_everything(more: dict[str, Any], folder: Path) -> None:
    found = attack(folder, more, None)
    assert "user" in found["layers"]
    assert [name for name in ROWS.values() if found[name]] == []


CONNECTS = """
import socket
for port in PORTS:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        print("reached", flush=True)
    except OSError:
        print("refused", flush=True)
"""


@pytest.mark.parametrize("layer", ["bwrap", "landlock"])
def test_a_bot_that_connects_to_its_referee_reaches_nothing_else(layer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page, or the server of its rival's game, would be other ports of this machine."""
    if not landlock_refuses_connections() or (layer == "bwrap" and not bwrap_works()):
        pytest.skip("this machine cannot tell ports apart")
    if layer == "landlock":
        monkeypatch.setattr(sandbox, "bwrap_works", lambda as_another_user=False: False)
    with socket.create_server(("127.0.0.1", 0)) as own, socket.create_server(("127.0.0.1", 0)) as other:
        ports = [server.getsockname()[1] for server in (own, other)]
        code = CONNECTS.replace("PORTS", str(ports))
        open_to_one = Sandbox(network=True, port=ports[0])
        process = BotProcess([str(PYTHON), "-S", "-c", code], sandbox=open_to_one)
        try:
            assert layer in process.layers
            said = [process.receive(time.monotonic() + 60) for _ in ports]
        finally:
            process.close()
    assert said == ["reached", "refused"]


def test_a_folder_that_only_root_may_enter_is_found_in_a_class_path(tmp_path: Path) -> None:
    """Another user could not start it: a class path is a folder, not a file."""
    (tmp_path / "classes").mkdir()
    tmp_path.chmod(0o700)
    assert out_of_reach(["/bin/true", "-cp", f"/usr:{tmp_path / 'classes'}", "Starter"], "") == [tmp_path / "classes"]
    assert out_of_reach(["/bin/true", "-cp", "/usr", "Starter"], "") == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root has users to give away")
def test_an_event_says_when_bots_keep_the_user_id_of_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "may_show", lambda path: False)
    bot = tmp_path / "bot"
    bot.write_text("#!/bin/sh\n")
    bot.chmod(0o700)
    out = io.StringIO()
    say_weakness(Console(file=out, width=200), [Entrant("bot", command=(str(bot),))], Path())
    assert f"only root can read {bot}, and it cannot be shown" in " ".join(out.getvalue().split())
    monkeypatch.setattr(users, "may_show", lambda path: True)
    out.truncate(0)
    say_weakness(Console(file=out, width=200), [Entrant("bot", command=(str(bot),))], Path())
    assert "only root" not in out.getvalue()
