"""`forgeron doctor`: it says what works here, and notices what does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from forgeron.cli import doctor_checks
from forgeron.cli.main import main


def run_doctor(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str
) -> tuple[int | str | None, str]:
    monkeypatch.setenv("FORGERON_QUIET", "1")
    monkeypatch.setattr("sys.argv", ["forgeron", "doctor", *arguments])
    with pytest.raises(SystemExit) as left:
        main()
    return left.value.code, capsys.readouterr().out


def test_a_sound_machine_has_nothing_broken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, printed = run_doctor(monkeypatch, capsys, "--json")
    found = json.loads(printed)
    assert (code, found["broken"]) == (0, False)
    checks = {check["topic"]: check for check in found["checks"]}
    assert "yolah" in checks["games"]["found"]
    assert "rlimits" in checks["sandbox of bots"]["found"]
    assert "random Yolah games a second" in checks["speed"]["found"]


def test_folders_that_cannot_be_written_are_broken_and_the_remedy_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FORGERON_DATA_DIR", str(tmp_path / "file" / "folder"))
    code, printed = run_doctor(monkeypatch, capsys)
    assert code == 1
    assert "✗ data folder" in printed
    assert "set FORGERON_DATA_DIR to another folder" in printed


def test_a_missing_library_is_broken_and_a_missing_extra_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_checks, "installed", lambda package: None)
    standings = {check.topic: check.standing for check in (doctor_checks._libraries(), doctor_checks._extras())}
    assert standings == {"libraries": "broken", "extras": "note"}
