"""The games of a journal as an SQLite database, for any further question.

The database is an index: it is built from the journal whenever it is wanted, and holds nothing of its own.
"""

from __future__ import annotations

import difflib
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from forgeron.core.errors import ForgeronError
from forgeron.core.files import replaced_file
from forgeron.reports import schema
from forgeron.reports.result_table import Column, Kind, Output, ResultTable, Row
from forgeron.reports.results import EventResults


def build(results: EventResults, target: Path | None = None) -> sqlite3.Connection:
    """A new database of these results: in memory, or in a file that replaces an older one when it is complete."""
    if target is None:
        return _filled(sqlite3.connect(":memory:"), results)
    try:
        with replaced_file(target) as draft, closing(sqlite3.connect(draft)) as database:
            _filled(database, results)
    except sqlite3.OperationalError as error:
        raise ForgeronError(f"cannot write {target}: {error}") from None
    return sqlite3.connect(target)


def ask(results: EventResults, question: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The answer to a question in SQL: names of columns, and rows."""
    with closing(build(results)) as database:
        database.execute("PRAGMA query_only = ON")
        try:
            cursor = database.execute(question)
            names = [column[0] for column in cursor.description or ()]
            return names, cursor.fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise ForgeronError(
                f"the question cannot be answered: {error}; {_hint(results, question, error)}"
            ) from None


def _hint(results: EventResults, question: str, error: Exception) -> str:
    """What would do: the columns of the tables that were asked, the likeliest one first; or the tables there are."""
    names = {table.name: [name for one in _columns(table) for name, _ in _fields(one)] for table in _tables(results)}
    wrong = re.search(r"no such column: (?:\w+\.)?(\w+)", str(error))
    asked = [name for name in names if re.search(rf"\b{name}\b", question, re.IGNORECASE)]
    if wrong is None or not asked:
        return f"tables: {', '.join(names)}"
    near = difflib.get_close_matches(wrong[1], [column for table in asked for column in names[table]], n=1)
    guess = f"did you mean '{near[0]}'? " if near else ""
    return guess + "; ".join(f"columns of {table}: {', '.join(names[table])}" for table in asked)


def _tables(results: EventResults) -> list[ResultTable[Any]]:
    return [schema.standings(results), schema.games(results), schema.moves(results)]


def _filled(database: sqlite3.Connection, results: EventResults) -> sqlite3.Connection:
    with database:
        for table in _tables(results):
            database.execute(create_statement(table))
            columns = _columns(table)
            marks = ", ".join("?" for column in columns for _ in _fields(column))
            rows = ([field for one in columns for field in _values(one, one.value(row))] for row in table.rows)
            try:
                database.executemany(f"INSERT INTO {_quoted(table.name)} VALUES ({marks})", rows)
            except (sqlite3.ProgrammingError, sqlite3.DataError, OverflowError, ValueError) as error:
                # A journal may have been written by anybody; a database takes kinds to the letter.
                raise ForgeronError(f"a value of the table {table.name} fits no database: {error}") from None
        database.execute("CREATE INDEX games_by_reason ON games(reason)")
    return database


def create_statement(table: ResultTable[Row]) -> str:
    """The statement that makes the table, a line a column, with what there is to say about it as a comment."""
    lines = []
    for column in _columns(table):
        rest = f" REFERENCES {column.references}" if column.references else ""
        comment = f"  -- {column.description}" if column.description else ""
        lines += [(f"{_quoted(name)} {kind}{rest}", comment) for name, kind in _fields(column)]
    if table.key:
        lines.append((f"PRIMARY KEY ({', '.join(map(_quoted, table.key))})", ""))
    commas = [","] * (len(lines) - 1) + [""]
    body = "\n".join(f"    {line}{comma}{comment}" for (line, comment), comma in zip(lines, commas, strict=True))
    return f"CREATE TABLE {_quoted(table.name)} (\n{body}\n)"


def _columns(table: ResultTable[Row]) -> list[Column[Row]]:
    """The key comes first, as is the custom in a database."""
    return sorted(table.columns_for(Output.SQLITE), key=lambda column: column.name not in table.key)


def _fields(column: Column[Row]) -> list[tuple[str, str]]:
    """Names and types in the database: three for an estimate, else one."""
    names = [column.name]
    if column.kind is Kind.ESTIMATE:
        names += [f"{column.name}_low", f"{column.name}_high"]
    return [(name, _TYPES.get(column.kind, "REAL")) for name in names]


def _values(column: Column[Row], value: Any) -> list[Any]:
    if column.kind is Kind.ESTIMATE:
        return [None] * 3 if value is None else [value.value, value.low, value.high]
    return [None if value is None else _FORMATS.get(column.kind, lambda same: same)(value)]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


#: REAL, where none is given.
_TYPES = {
    Kind.TEXT: "TEXT",
    Kind.INTEGER: "INTEGER",
    Kind.TALLY: "INTEGER",
    Kind.COUNTS: "TEXT",
    Kind.NAMES: "TEXT",
    Kind.MOVES: "TEXT",
}

#: Kinds whose values the database does not take as they are.
_FORMATS: dict[Kind, Callable[[Any], Any]] = {
    Kind.VERDICT: lambda verdict: verdict.llr,
    Kind.TALLY: lambda counter: counter.total(),
    Kind.COUNTS: lambda counts: " ".join(map(str, counts)),
    Kind.NAMES: lambda names: ", ".join(names) or None,
    Kind.MOVES: " ".join,
    Kind.SCORE: lambda score: score.points,
}
