"""Before a game that does not come with the package is played: the quick laws, once for each version of its files.

A game that breaks one of them is refused with its line. Without this, a wrong index in somebody's rules would end the
program with a segmentation fault and no word.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from pathlib import Path

import platformdirs

import forgeron
from forgeron.core.errors import ContractError, StorageError
from forgeron.core.files import write_file
from forgeron.core.json_text import read_json
from forgeron.laws.findings import Finding, digest_of
from forgeron.laws.isolated_run import LawRequest, plain

#: What a first start may cost: some hundred plies in plain Python.
SECONDS = 0.3
PLIES = 400


def vet(name: str) -> None:
    """Refuse a game that breaks a quick law; nothing is run when its files are those that were tried before."""
    memory = _memory_of(name)
    if _is_known(memory):
        return
    request = LawRequest(name, quick=True, plies=PLIES, seconds=SECONDS, load_seconds=30.0)
    for message in plain(request):
        if "finding" in message:
            found = Finding.from_data(message["finding"])
            raise ContractError(f"{found.summary} (`forgeron check-game {name}` tells more)")
        if "done" in message:
            _remember(memory, message["files"])


def _memory_of(name: str) -> Path:
    chosen = os.environ.get("FORGERON_CACHE_DIR")
    root = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("forgeron"))
    what = str(Path(name).resolve()) if name.endswith(".py") else name
    return root / "checked-games" / f"{hashlib.blake2b(what.encode(), digest_size=10).hexdigest()}.json"


def _versions() -> list[str]:
    return [forgeron.__version__, sys.version.split()[0]]


def _is_known(memory: Path) -> bool:
    try:
        data = read_json(memory.read_text(encoding="utf-8"))
        files = {Path(file): digest for file, digest in data["files"].items()}
        return bool(files) and data["versions"] == _versions() and all(digest_of(f) == d for f, d in files.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def _remember(memory: Path, files: dict[str, str]) -> None:
    """A folder that cannot be written only costs the next start its time."""
    with contextlib.suppress(StorageError):
        write_file(memory, json.dumps({"versions": _versions(), "files": files}), make_folder=True, sync=False)
