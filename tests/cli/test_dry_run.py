"""`forgeron tournament --dry-run`: who is ready, what will be played, and how long."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]
ROOT = Path(__file__).parent.parent.parent
STARTER = (ROOT / "src" / "forgeron" / "bots" / "templates" / "starter.py").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_event(*programs: str, time: str = "5", format: str = "round-robin") -> None:
    tables = "".join(f'[[entrant]]\nname = "{one}"\ncommand = "python3 {one}.py"\n' for one in programs)
    Path("cup.toml").write_text(
        f'[event]\ngame = "{ROOT / "examples" / "game_connect_four.py"}"\ntime = "{time}"\nformat = "{format}"\n'
        f'[[entrant]]\nplayer = "random"\n{tables}'
    )


def test_a_dry_run_checks_every_bot_and_forecasts_without_writing(call: Run, tmp_path: Path) -> None:
    Path("good.py").write_text(STARTER)
    Path("bad.py").write_text("print(1\n")
    Path("cheat.py").write_text(STARTER.replace("random.choice(self.legal)", "'z9'"))
    write_event("good", "bad", "cheat")
    done = call("tournament", "cup.toml", "--dry-run", "--jobs", "2")
    assert done.returncode == 1
    text = " ".join(done.stdout.split())
    assert re.search(r"random ready player random", text)
    assert re.search(r"good ready (won|lost|draw) after \d+ plies", text)
    assert re.search(r"bad fails starts: it ended with exit code 1 \('SyntaxError", text)
    assert re.search(r"cheat fails moves as the first player: 'z9' is no move", text)
    assert "round 1: random – cheat, good – bad" in text
    assert "games: 12, of which 0 are played and 12 are left" in text
    assert re.search(r"expected duration: \d+ s, 2 at the same time", text)
    assert re.search(r"longest duration: \d+ min \d+ s if every move takes all its time, in games of \d+ plies", text)
    assert "not ready: bad, cheat" in text
    (hint,) = re.findall(r"to see what one said and heard: forgeron (check .*)$", done.stdout, re.MULTILINE)
    tried = call(*shlex.split(hint))
    assert tried.returncode == 1
    assert "SyntaxError" in tried.stdout
    assert not (tmp_path / "cup.journal").exists()


def test_a_dry_run_of_an_event_that_has_begun_says_what_is_left(call: Run) -> None:
    write_event(time="50n")
    Path("cup.toml").write_text(Path("cup.toml").read_text() + '[[entrant]]\nplayer = "greedy"\n')
    call("tournament", "cup.toml")
    journal = Path("cup.journal").read_bytes()
    Path("cup.toml").write_text(Path("cup.toml").read_text() + '[[entrant]]\nname = "late"\nplayer = "random"\n')
    done = call("tournament", "cup.toml", "--dry-run")
    assert done.returncode == 0
    assert "changed: late was added" in done.stdout
    assert "games: 6, of which 2 are played and 4 are left" in done.stdout
    assert "all entrants are ready" in done.stdout
    assert Path("cup.journal").read_bytes() == journal
