"""Runs bots/attacks.py in a sandbox, as a referee would, and prints which attacks succeeded as JSON.

usage: attack_run.py FOLDER SETTINGS_OF_THE_SANDBOX
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
import uuid
from pathlib import Path

from forgeron.bots import sandbox
from forgeron.bots.orphan_processes import adopt_all
from forgeron.bots.process import BotProcess

BOT = Path(__file__).parent / "bots" / "attacks.py"


def living(mark: str) -> bool:
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (entry / "cmdline").read_bytes() and entry.name != str(os.getpid()):
                return True
        except OSError:
            continue
    return False


def main() -> None:
    folder, settings = Path(sys.argv[1]), json.loads(sys.argv[2])
    if settings.pop("without_bwrap", False):
        sandbox.bwrap_works = lambda as_another_user=False: False  # type: ignore[assignment]
    adopt_all()
    os.dup2(os.open(folder / "event.journal", os.O_RDWR | os.O_CREAT), 7, inheritable=True)
    mark = f"attack-{uuid.uuid4().hex}"
    with socket.create_server(("127.0.0.1", 0)) as server:
        words = [str(os.getpid()), folder / "event.journal", folder / "rival" / "plan.txt", server.getsockname()[1]]
        command = [sys.executable, "-S", str(BOT), *map(str, words), mark]
        process = BotProcess(command, sandbox=sandbox.Sandbox(**settings), hidden=(folder / "rival",))
        found: dict[str, object] = {"layers": list(process.layers)}
        while (line := process.receive(time.monotonic() + 60)) != "done":
            name, answer, *_why = line.split()
            found[name] = answer == "yes"
        process.close()
    found["stays"] = living(mark)
    found["fills_shared_memory"] = os.path.exists(f"/dev/shm/{mark}")
    found["left_folder"] = process.folder.exists()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
