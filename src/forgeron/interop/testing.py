"""The laws of games as an assertion, for the tests of a game of your own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from forgeron.laws.findings import Finding
from forgeron.laws.isolated_run import LawRequest, compiled, plain


def check_game(
    file: str | Path, *, seconds: float = 2.0, seed: int = 0, options: Mapping[str, object] | None = None
) -> None:
    """Assert that the game keeps every law, in plain Python and compiled, as `forgeron check-game` tries them.

    `seconds` is for each of the two; the defaults and every preset of the game share it, unless `options` are given.
    """
    request = LawRequest(
        str(file),
        options=dict(options or {}),
        presets=(None,) if options else (),
        seed=seed,
        plies=1_000_000,
        seconds=seconds,
    )
    for messages in (plain(request), compiled(request.patient())):
        for message in messages:
            if "finding" in message:
                found = Finding.from_data(message["finding"])
                shown = f"\n  the game that shows it: {' '.join(found.moves)}" if found.moves else ""
                raise AssertionError(f"{found.law}\n  {found.summary}{shown}")
