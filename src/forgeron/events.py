"""Matches and tournaments from Python: played, or read from their journals.

>>> import forgeron
>>> result = forgeron.match("yolah", "greedy", "random", games=4, time="20n")
>>> print(result)
greedy – random: 4 of 4, score 100.0%
>>> result.wins, result.draws, result.losses, len(result.records)
(4, 0, 0, 4)
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from forgeron.arena.entrant import Entrant, two_entrants
from forgeron.arena.event import Terms, know_openings
from forgeron.arena.executor import executor
from forgeron.arena.journal import Journal
from forgeron.arena.match import Match, Standing, play_match
from forgeron.arena.revision import open_event
from forgeron.arena.tournament import play_tournament
from forgeron.arena.tournament_file import read_tournament
from forgeron.core.game import Game
from forgeron.core.record import Record
from forgeron.core.registry import game_source
from forgeron.drawing.notebook import curve_svg, table_html
from forgeron.reports import results
from forgeron.reports.formatting import with_error
from forgeron.reports.results import EventResults
from forgeron.stats.elo import Estimate
from forgeron.stats.sprt import Sprt, Verdict

__all__ = ["MatchResult", "match", "read_results", "tournament"]


@dataclass(frozen=True)
class MatchResult:
    """What a match came to; every number is from the viewpoint of the player named first."""

    names: tuple[str, str]
    records: tuple[Record, ...]
    """the games that count, in the order of the schedule"""
    standing: Standing
    """the counts behind the properties, with faults and pairs"""

    @property
    def games(self) -> int:
        return self.standing.games

    @property
    def wins(self) -> int:
        return self.standing.wins

    @property
    def draws(self) -> int:
        return self.standing.draws

    @property
    def losses(self) -> int:
        return self.standing.losses

    @property
    def points(self) -> float:
        """Wins and half of the draws."""
        return self.standing.points

    @property
    def score(self) -> Estimate | None:
        """Points a game, 0 … 1, with the 95 % interval (`low`, `high`, `error`); None when nothing was played."""
        return self.standing.summary.score

    @property
    def elo(self) -> Estimate | None:
        """The difference of strength in Elo, with the same interval; infinite when every point went one way."""
        return self.standing.summary.elo

    @property
    def los(self) -> float:
        """The likelihood of superiority: that the first player is the stronger one."""
        return self.standing.summary.los

    @property
    def verdict(self) -> Verdict | None:
        """What the sequential test says, where there was one."""
        return self.standing.verdict

    def _repr_html_(self) -> str:
        """The counts as a table and the course of the score as a curve, as a notebook shows it."""
        elo = "–" if self.elo is None else f"{self.elo.value:+.0f} ± {self.elo.error:.0f}"
        score = "–" if self.score is None else f"{self.score.value:.1%}"
        row = (self.names[0], self.names[1], self.games, self.wins, self.draws, self.losses, score, elo)
        heads = ("player", "against", "games", "won", "drawn", "lost", "score", "Elo")
        points, course = 0.0, []
        for number, record in enumerate(self.records, 1):
            winner = None if record.winner is None else record.players[record.winner]
            points += 0.5 if winner is None else float(winner == self.names[0])
            course.append(points / number)
        curve = curve_svg(course, 0.0, 1.0, 0.5, f"score of {self.names[0]} game by game") if course else ""
        return f"{table_html(heads, [row])}{curve}"

    def __str__(self) -> str:
        first, second = self.names
        counts = f"{first} – {second}: {self.points:g} of {self.games}"
        if self.score is None or self.elo is None:
            return counts
        elo = with_error(self.elo)
        return f"{counts}, score {self.score.value:.1%}" + ("" if elo == "–" else f", Elo {elo}")


def match(
    game: Game | str,
    first: str,
    second: str,
    *,
    games: int = 200,
    time: str = "0.1",
    seed: int = 0,
    opening_plies: int | None = None,
    sprt: tuple[float, float] | None = None,
    jobs: int = 1,
    journal: str | Path | None = None,
    listener: Callable[[Standing], None] | None = None,
) -> MatchResult:
    """Play two players against each other, each opening twice with seats swapped.

    A player is written as everywhere: `mcts`, `mcts:rave=true`, `./my_player.py`, `./my-bot --fast@native`. `time` is
    "0.1" (seconds a move), "60+0.5" (a clock with increment), "0.1cpu" (processor time) or "1000n" (nodes a move:
    repeatable). `sprt` ends the match as soon as the sequential test tells these two differences (in normalised Elo)
    apart. With a `journal` every game is kept, and the same call goes on where it was interrupted. `listener` is told
    after every game.

    With several `jobs` games are played in worker processes: a script that asks for that must begin its work under
    ``if __name__ == "__main__":``.
    """
    entrants = two_entrants(Entrant.parse(first), Entrant.parse(second))
    if opening_plies is None and not know_openings(entrants):
        opening_plies = 0
    name, options = (game, None) if isinstance(game, str) else (game_source(game), game.chosen)
    terms = Terms.settle(name, options, time=str(time), seed=seed, opening_plies=opening_plies)
    event = Match(terms, entrants, games, Sprt(*sprt) if sprt else None)
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal(Path(journal or Path(folder) / "match.journal"), event.settings()) as kept,
        closing(play_match(event, kept, executor(jobs))) as course,
    ):
        for standing in course:
            if listener is not None:
                listener(standing)
        return MatchResult(event.names, tuple(event.counted(kept.records).values()), standing)


def tournament(
    file: str | Path,
    *,
    jobs: int | None = None,
    journal: str | Path | None = None,
    replay: Sequence[str] = (),
    listener: Callable[[int, int], None] | None = None,
) -> EventResults:
    """Play the tournament of a TOML file (docs/tournaments.md), or go on with it where it was interrupted.

    A file that was edited since then is taken as it is: only what is new is played, and all games of the entrants
    named in `replay`.

    Games are kept in `journal`, by default beside the file; `listener` is told after every game how many were played,
    of how many. `jobs` as in `match`.
    """
    path = Path(file)
    event, wanted = read_tournament(path)
    with open_event(event, Path(journal or path.with_suffix(".journal")), replay) as opened:
        event, kept = opened.tournament, opened.journal
        with closing(play_tournament(event, kept, executor(wanted if jobs is None else jobs))) as course:
            for played, total in course:
                if listener is not None:
                    listener(played, total)
        return results.results_of(event, kept.records)


def read_results(journal: str | Path) -> EventResults:
    """The results so far of the match or tournament with this journal; nobody needs to have stopped writing it."""
    return results.read_results(Path(journal))
