"""Mancala's first position with preset `course`: a passive opponent no longer draws 0 : 0."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

PASSIVE = """
from forgeron import Choice, Player


class Passive(Player):
    name = "passive"
    summary = "sows reds, and whatever lets the opponent capture least"

    def think(self, position, search):
        def dislike(token):
            after = position.play(token)
            before = after.scores[1 - position.turn]
            risks = [after.play(answer).scores[1 - position.turn] - before for answer in after.legal_moves()]
            gain = after.scores[position.turn] - position.scores[position.turn]
            return max(risks, default=0), not token.endswith("R") or "T" in token, gain

        move = min(position.legal_moves(), key=dislike)
        return Choice(move, 0.5, (move,), 2, 1, search.seconds)
"""


def test_a_passive_opponent_is_beaten_from_the_first_position(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("passive.py").write_text(PASSIVE)
    words = ["--preset", "course", "--games", "2", "--time", "5000n", "--opening-plies", "0", "--journal", "m.journal"]
    done = run("match", "mancala", "./passive.py", "minimax", *words)
    assert done.returncode == 0, done.stderr
    question = "SELECT sum(winner = 'minimax') FROM games"
    assert run("results", "m.journal", "--query", question).stdout.split()[-1] == "2"
