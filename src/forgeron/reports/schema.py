"""Every statistic of an event, defined once: its name, its kind, and how it is computed.

To add one, write a function from a row to its value (or an attribute of the row) and a line in the columns below. It
then appears in the terminal, CSV, JSON, SQLite and HTML, unless `outputs` says otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from forgeron.arena.match import Match, Standing
from forgeron.core.game import Game
from forgeron.reports.result_table import Column, Kind, Output, ResultTable
from forgeron.reports.results import ClassRow, EventResults, GameResult, StandingsRow, class_ranking
from forgeron.stats.elo import Trinomial

#: The entrants, the best first.
STANDINGS: tuple[Column[StandingsRow], ...] = (
    Column("player", Kind.TEXT, lambda row: row.entrant.player, outputs=Output.SQLITE),
    Column("command", Kind.TEXT, lambda row: " ".join(row.entrant.command) or None, outputs=Output.SQLITE),
    Column("protocol", Kind.TEXT, lambda row: row.entrant.protocol, outputs=Output.SQLITE),
    Column("options", Kind.TEXT, lambda row: json.dumps(dict(row.entrant.options)), outputs=Output.SQLITE),
    Column("place", Kind.INTEGER, lambda row: row.place, heading=""),
    Column("name", Kind.TEXT, lambda row: row.name, heading="entrant", label=True),
    Column("points", Kind.POINTS, lambda row: row.points, strong=True),
    Column(
        "adjusted_points",
        Kind.NUMBER,
        lambda row: row.adjusted,
        heading="less luck",
        decimals=1,
        description="points less the luck of the throws, in a game with dice",
    ),
    Column("games", Kind.INTEGER, lambda row: row.games),
    Column("wins", Kind.INTEGER, lambda row: row.score.wins, heading="won", detail=True),
    Column("draws", Kind.INTEGER, lambda row: row.score.draws, heading="drawn", detail=True),
    Column("losses", Kind.INTEGER, lambda row: row.score.losses, heading="lost", detail=True),
    Column("elo", Kind.ESTIMATE, lambda row: row.rating, heading="Elo", last=True),
    Column("faults", Kind.TALLY, lambda row: row.faults, outputs=~Output.SQLITE),
    Column(
        "overloads",
        Kind.INTEGER,
        lambda row: row.overloads,
        heading="overload",
        detail=True,
        description="losses on time with little processor time: the machine was perhaps overloaded",
    ),
)

_RESULTS: dict[float, str] = {1.0: "1 – 0", 0.5: "½ – ½", 0.0: "0 – 1"}

#: The games that count, in the order of the schedule.
GAMES: tuple[Column[GameResult], ...] = (
    Column("id", Kind.TEXT, lambda game: game.id, outputs=Output.JSON | Output.SQLITE),
    Column("number", Kind.INTEGER, lambda game: game.number, heading="game"),
    Column("round", Kind.INTEGER, lambda game: game.round),
    Column("players", Kind.TEXT, lambda game: game.names, parts=("first", "second"), references="entrants(name)"),
    Column(
        "winner",
        Kind.TEXT,
        lambda game: game.winner,
        outputs=Output.SQLITE,
        references="entrants(name)",
        description="NULL: a draw",
    ),
    Column("result", Kind.TEXT, lambda game: _RESULTS[game.points[0]], outputs=Output.READERS),
    Column(
        "points",
        Kind.POINTS,
        lambda game: game.points,
        parts=("points_first", "points_second"),
        outputs=~Output.READERS,
    ),
    Column(
        "scores",
        Kind.INTEGER,
        lambda game: game.record.scores,
        parts=("score_first", "score_second"),
        outputs=~Output.READERS,
    ),
    Column("reason", Kind.TEXT, lambda game: game.record.reason, heading="ended by"),
    Column("detail", Kind.TEXT, lambda game: game.detail, outputs=~Output.READERS),
    Column(
        "overload",
        Kind.TEXT,
        lambda game: game.overload,
        missing="",
        description="of a loss on time with little processor time: how little",
    ),
    Column(
        "at_fault",
        Kind.NAMES,
        lambda game: game.at_fault,
        outputs=Output.JSON | Output.SQLITE,
        description="whose own fault ended the game, if anybody's",
    ),
    Column("plies", Kind.INTEGER, lambda game: len(game.record.moves), outputs=~Output.JSON),
    Column("seed", Kind.INTEGER, lambda game: game.record.seed, outputs=Output.SQLITE),
    Column("seconds", Kind.NUMBER, lambda game: _total(game, "t"), outputs=Output.SQLITE),
    Column("cpu_seconds", Kind.NUMBER, lambda game: _total(game, "cpu"), outputs=Output.SQLITE),
    Column("moves", Kind.MOVES, lambda game: game.record.moves, outputs=Output.CSV | Output.JSON),
)


@dataclass(frozen=True)
class PlayedMove:
    """One ply of a game, with what was noted about it."""

    game: str
    ply: int
    token: str
    note: dict[str, Any]


#: The plies of all games. Only the database has room for them.
MOVES: tuple[Column[PlayedMove], ...] = (
    Column("game", Kind.TEXT, lambda move: move.game, references="games(id)"),
    Column("ply", Kind.INTEGER, lambda move: move.ply),
    Column("token", Kind.TEXT, lambda move: move.token),
    Column("seconds", Kind.NUMBER, lambda move: move.note.get("t"), description="NULL, like the rest, in openings"),
    Column("cpu_seconds", Kind.NUMBER, lambda move: move.note.get("cpu"), description="and at throws of dice"),
    Column("value", Kind.NUMBER, lambda move: move.note.get("v"), description="the mover's own win probability"),
    Column("depth", Kind.INTEGER, lambda move: move.note.get("d")),
    Column("nodes", Kind.INTEGER, lambda move: move.note.get("n")),
)

#: What only a match of two has, from the viewpoint of the first-named entrant. One row; neither CSV nor SQLite has it.
MATCH: tuple[Column[Standing], ...] = (
    Column(
        "score",
        Kind.SHARE,
        lambda match: match.summary.score and match.summary.score.value,
        outputs=Output.TERMINAL,
    ),
    Column("elo", Kind.ESTIMATE, lambda match: match.summary.elo, heading="Elo"),
    Column("nelo", Kind.ESTIMATE, lambda match: match.summary.nelo, heading="nElo", outputs=Output.JSON),
    Column(
        "los",
        Kind.SHARE,
        lambda match: match.summary.los,
        heading="LOS",
        description="likelihood of superiority",
    ),
    Column(
        "adjusted_score",
        Kind.SHARE,
        lambda match: match.adjusted and match.adjusted.score.value,
        heading="luck-adjusted score",
        description="score less the luck of the throws",
    ),
    Column(
        "adjusted_elo",
        Kind.ESTIMATE,
        lambda match: match.adjusted and match.adjusted.elo,
        heading="Elo",
        description="luck-adjusted Elo",
    ),
    Column(
        "luck_saving",
        Kind.SHARE,
        lambda match: match.adjusted and match.adjusted.saving,
        heading="games saved",
        description="games that this saves for the same error bar",
    ),
    Column(
        "pentanomial",
        Kind.COUNTS,
        lambda match: list(match.results),
        description="pairs by points",
        outputs=Output.JSON | Output.HTML,
    ),
    Column("llr", Kind.VERDICT, lambda match: match.verdict, heading="LLR"),
    Column("decision", Kind.TEXT, lambda match: match.verdict and match.verdict.decision, outputs=Output.JSON),
)


@dataclass(frozen=True)
class MatchSide:
    """One of the two entrants while a match is played."""

    name: str
    score: Trinomial
    crashes: int
    time_losses: int
    overloads: int


#: What the terminal shows while a match is played.
MATCH_SIDES: tuple[Column[MatchSide], ...] = (
    Column("name", Kind.TEXT, lambda side: side.name, heading="entrant", label=True),
    Column("points", Kind.POINTS, lambda side: side.score.points, strong=True),
    Column("wins", Kind.INTEGER, lambda side: side.score.wins, heading="won"),
    Column("draws", Kind.INTEGER, lambda side: side.score.draws, heading="drawn"),
    Column("losses", Kind.INTEGER, lambda side: side.score.losses, heading="lost"),
    Column("crashes", Kind.INTEGER, lambda side: side.crashes),
    Column("time_losses", Kind.INTEGER, lambda side: side.time_losses, heading="time losses"),
    Column("overloads", Kind.INTEGER, lambda side: side.overloads, heading="overload"),
)

#: What readers are told about that ranking.
CLASSES_NOTE = (
    "Each result is ranked among those of all games: by its class, within a class by the difference of markers. The "
    "rank is the mean of an entrant's games: the share of all other results that they beat. A game lost by a fault "
    "with x rings taken counts as x against all the rings that win. Beside it the course's mean grade, and how often "
    "each class came."
)

#: A ranking by classes of results, for games that have one; a column for each class comes after these.
CLASSES: tuple[Column[ClassRow], ...] = (
    Column("name", Kind.TEXT, lambda row: row.name, heading="entrant", label=True),
    Column(
        "rank",
        Kind.SHARE,
        lambda row: row.rank,
        heading="rank",
        strong=True,
        description="share of all other results that its own beat, by class, then by the difference of markers",
    ),
    Column("grade", Kind.NUMBER, lambda row: row.grade, heading="grade", decimals=3, description="mean"),
    Column(
        "markers",
        Kind.INTEGER,
        lambda row: row.markers,
        heading="lead",
        description="sum of the differences within the classes",
    ),
    Column("games", Kind.INTEGER, lambda row: row.games),
    Column("classes", Kind.TALLY, lambda row: row.classes, outputs=Output.JSON),
)


def standings(results: EventResults) -> ResultTable[StandingsRow]:
    """Place, points and rating of each entrant; the database calls this table entrants."""
    return ResultTable("entrants", _standings_columns(results), results.rows, "Standings", key=("name",))


def _standings_columns(results: EventResults) -> tuple[Column[StandingsRow], ...]:
    """Readers see nothing of luck in a game without dice; with it, 80 columns have no room for two others."""
    lucky = any(row.adjusted is not None for row in results.rows)
    hidden = dict.fromkeys(("draws", "overloads"), Output.TERMINAL) if lucky else {"adjusted_points": Output.READERS}
    return tuple(
        replace(column, outputs=column.outputs & ~hidden[column.name]) if column.name in hidden else column
        for column in STANDINGS
    )


def crosstable(results: EventResults) -> ResultTable[StandingsRow]:
    """The score of each entrant against each of the others."""
    who = tuple(column for column in STANDINGS if column.name in ("place", "name"))
    against = (_against(other, results) for other in results.rows)
    return ResultTable("crosstable", (*who, *against), results.rows, "Crosstable")


def standings_with_crosstable(results: EventResults) -> ResultTable[StandingsRow]:
    """Both in one table: a line an entrant."""
    against = (_against(other, results) for other in results.rows)
    return ResultTable("standings", (*_standings_columns(results), *against), results.rows, "Standings")


def games(results: EventResults) -> ResultTable[GameResult]:
    return ResultTable("games", GAMES, results.games, "Games", key=("id",))


def moves(results: EventResults) -> ResultTable[PlayedMove]:
    return ResultTable("moves", MOVES, _moves(results), "Moves", key=("game", "ply"))


def match(results: EventResults) -> ResultTable[Standing] | None:
    """The statistics of a match; None for any other event."""
    return None if results.match is None else match_statistics(results.match)


def match_statistics(standing: Standing) -> ResultTable[Standing]:
    return ResultTable("match", MATCH, [standing], "Match")


def match_sides(event: Match, standing: Standing) -> ResultTable[MatchSide]:
    """The two entrants while a match is played."""
    scores = (
        Trinomial(standing.wins, standing.draws, standing.losses),
        Trinomial(standing.losses, standing.draws, standing.wins),
    )
    sides = [
        MatchSide(event.names[i], scores[i], standing.crashes(i), standing.time_losses(i), standing.overloads[i])
        for i in range(len(scores))
    ]
    return ResultTable("sides", MATCH_SIDES, sides)


def classes(results: EventResults, game: Game | None) -> ResultTable[ClassRow] | None:
    """The ranking by classes of results; None for a game that has none, or without the game."""
    ranking = class_ranking(results, game) if game else None
    if ranking is None:
        return None
    labels, rows = ranking
    counts = (_class_count(label) for label in labels)
    return ResultTable("classes", (*CLASSES, *counts), rows, "Ranking by classes of results")


def _against(other: StandingsRow, results: EventResults) -> Column[StandingsRow]:
    """The score against one entrant: None where the two never met, and no games at all against oneself."""

    def score(row: StandingsRow) -> Trinomial | None:
        return Trinomial() if row.name == other.name else results.cross.get((row.name, other.name))

    heading = str(other.place)
    return Column(f"against {other.name}", Kind.SCORE, score, heading=heading, description=other.name)


def _class_count(label: str) -> Column[ClassRow]:
    return Column(label, Kind.INTEGER, lambda row: row.classes[label] or None, outputs=Output.READERS, missing="")


def _moves(results: EventResults) -> Iterator[PlayedMove]:
    for game in results.games:
        notes = game.move_notes
        for ply, token in enumerate(game.record.moves):
            yield PlayedMove(game.id, ply, token, notes.get(ply, {}))


def _total(game: GameResult, key: str) -> float:
    return float(sum(note.get(key, 0.0) for note in game.move_notes.values()))
