"""Builds the wheel and the source distribution, installs each into a clean environment, and tries it there.

python tests/release_check.py [PYTHON …]: with other interpreters than the one that runs this, the wheel is tried with
each of them, too.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import urllib.request
import venv
from pathlib import Path

TOP = Path(__file__).parent.parent


def run(*command: str | Path, said: str = "", cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """Run a command that must succeed; what it printed."""
    words = [str(word) for word in command]
    done = subprocess.run(words, input=said, capture_output=True, text=True, cwd=cwd, env=env, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def build(folder: Path) -> tuple[Path, Path]:
    """The wheel and the source distribution."""
    run(sys.executable, "-m", "build", "--outdir", folder, TOP)
    return next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))


def install(archive: Path, folder: Path, python: str | None = None) -> Path:
    """A clean environment with nothing but the archive and what it depends on; its folder of programs."""
    if python is None:
        venv.create(folder, with_pip=True)
    else:
        run(python, "-m", "venv", folder)
    programs = folder / "bin"
    run(programs / "pip", "install", "--quiet", "--disable-pip-version-check", archive)
    return programs


def try_out(programs: Path, folder: Path) -> None:
    """Look, play, match and serve, as somebody would who has only installed it. Plain Python: compiling is no news."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("FORGERON_", "PYTHON"))}
    env |= {"FORGERON_JIT": "0", "FORGERON_DATA_DIR": str(folder / "data"), "FORGERON_CACHE_DIR": str(folder / "code")}
    forgeron = programs / "forgeron"
    assert re.match(r"forgeron \d+\.\d+\.\d+", run(forgeron, "--version", cwd=folder, env=env))
    assert "yinsh" in run(forgeron, "games", cwd=folder, env=env)
    played = run(forgeron, "play", "yolah", "--nodes", "20", said="d5:b7\nmoves\nresign\ny\n", cwd=folder, env=env)
    assert "d5:b7" in played
    for game in ("yolah", "mancala", "yinsh", "yut"):
        terms = ("--games", "2", "--time", "10n", "--journal", f"{game}.journal")
        assert "2 games" in run(forgeron, "match", game, "greedy", "random", *terms, cwd=folder, env=env)
    serve(forgeron, folder, env)
    run(forgeron, "doctor", cwd=folder, env=env)


def serve(forgeron: Path, folder: Path, env: dict[str, str]) -> None:
    command = [str(forgeron), "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder, env=env) as server:
        try:
            assert server.stdout is not None
            link = re.search(r"http://localhost:\d+/", server.stdout.readline())
            assert link, "the server printed no link"
            direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            assert b"Forgeron" in direct.open(link[0]).read()
            for path in ("static/app/main.js", "static/app/app.css", "static/boards/board.js"):
                assert direct.open(link[0] + path).read(), path
        finally:
            server.terminate()


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        wheel, source = build(folder / "dist")
        tries = [(wheel, None), (source, None), *((wheel, other) for other in sys.argv[1:])]
        for number, (archive, python) in enumerate(tries):
            work = folder / str(number)
            work.mkdir()
            try_out(install(archive, work / "environment", python), work)
            print(f"{archive.name} works with {python or sys.executable}", flush=True)


if __name__ == "__main__":
    main()
