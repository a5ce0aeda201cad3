"""The modules of the boards as one script, for what must work without a server: reports, notebooks, files on a disk.

Browsers load no modules from a file. So each module becomes a function that returns what it exports, in the order in
which they need each other. The modules keep to a few forms of import and export, and anything else is refused here.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

MODULES = Path(__file__).parent / "boards"

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.{1,2}/[\w./-]+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_NOTHING = re.compile(r"^export \{\};$", re.MULTILINE)
_LEFT_OVER = re.compile(r"^\s*(?:import|export)\b", re.MULTILINE)


@cache
def bundle(entry: str = "index.js", name: str = "forgeron") -> str:
    """The script that defines `name` as what the module at `entry` (in the folder of modules) exports."""
    found: dict[Path, str] = {}
    _visit(MODULES / entry, found, ())
    last = list(found)[-1]
    return f'"use strict";\nconst {name} = (() => {{\n{"".join(found.values())}return {_variable(last)};\n}})();\n'


def style() -> str:
    """The style sheet of all boards."""
    return (MODULES / "boards.css").read_text(encoding="utf-8")


def _visit(path: Path, found: dict[Path, str], above: tuple[Path, ...]) -> None:
    path = path.resolve()
    if path in above:
        raise ValueError(f"{path.name} imports itself by way of {', '.join(one.name for one in above)}")
    if path in found:
        return
    text = path.read_text(encoding="utf-8")
    for match in _IMPORT.finditer(text):
        _visit(path.parent / match[2], found, (*above, path))
    names = _EXPORT.findall(text)
    text = _IMPORT.sub(lambda match: _taken(path, match), text)
    text = _NOTHING.sub("", _EXPORT.sub("", text))
    strange = _LEFT_OVER.search(text)
    if strange:
        line = text[strange.start() :].strip().splitlines()[0]
        raise ValueError(f"{path.name}: '{line}' is a form of import or export that cannot be bundled")
    found[path] = f"const {_variable(path)} = (() => {{\n{text}\nreturn {{ {', '.join(names)} }};\n}})();\n"


def _taken(path: Path, match: re.Match[str]) -> str:
    names = match[1].replace(" as ", ": ").strip()
    return f"const {{ {names} }} = {_variable((path.parent / match[2]).resolve())};"


def _variable(path: Path) -> str:
    return "module_" + re.sub(r"\W", "_", path.relative_to(MODULES).with_suffix("").as_posix())
