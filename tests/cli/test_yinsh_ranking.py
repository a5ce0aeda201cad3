"""The final ranking of the YINSH assignment, in the table of an event."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import forgeron

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_ranking_combines_all_games_by_class_and_then_by_markers(call: Run) -> None:
    Path("cup.toml").write_text(
        '[event]\ngame = "yinsh"\noptions = { N = 3, K = 3, M = 3, L = 2 }\ntime = "20n"\n'
        '[[entrant]]\nname = "ann"\nplayer = "random"\n[[entrant]]\nname = "bob"\nplayer = "greedy"\n'
        '[[entrant]]\nname = "cid"\nplayer = "random"\n[[entrant]]\nname = "bad"\ncommand = "/bin/false"\n'
    )
    done = call("tournament", "cup.toml", columns=80)
    assert done.returncode == 0, done.stderr
    table = done.stdout[done.stdout.index("Ranking by classes") :].partition("first-move")[0]
    assert "rank" in table
    assert "grade" in table
    assert "loss" in table
    assert max(map(len, table.splitlines())) <= 80
    call("results", "cup.journal", "--json", "r.json")
    rows = json.loads(Path("r.json").read_text())["classes"]
    results = forgeron.read_results("cup.journal")
    game = results.event.terms.open_game()
    seen: dict[str, list[tuple[int, ...]]] = {}
    for one in results.games:
        end = one.record.positions(game)[-1]
        for seat in (0, 1):
            if one.at_fault:  # at no ring removed: 0 - 2 for who is at fault
                won = one.names[seat] not in one.at_fault
                value = (2, 2, 0) if won else (-2, -2, 0)
            else:
                value = tuple(game.ranking(end, seat))
            seen.setdefault(one.names[seat], []).append(value)
    everything = [value for values in seen.values() for value in values]
    for row in rows:
        beaten = []
        for value in seen[row["name"]]:
            others = list(everything)
            others.remove(value)
            beaten.append(
                sum(1.0 if value > other else 0.5 if value == other else 0.0 for other in others) / len(others)
            )
        assert row["rank"] == pytest.approx(sum(beaten) / len(beaten))
        assert row["markers"] == sum(value[2] for value in seen[row["name"]])
    assert [row["rank"] for row in rows] == sorted((row["rank"] for row in rows), reverse=True)
    assert rows[-1]["name"] == "bad"
    assert rows[-1]["classes"] == {"loss -2": 6}
