"""The measured tables of the documentation are those of their data files."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parent.parent / "docs"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if "<!-- table " in page.read_text(encoding="utf-8")]


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_tables", DOCS / "make_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_has_what_was_measured(page: Path, tables: ModuleType) -> None:
    text = page.read_text(encoding="utf-8")
    assert text == tables.renewed(text), f"{page.name} is out of date: python docs/make_tables.py renews it"


def test_every_data_file_has_its_table_with_date_and_commit() -> None:
    marked = {name for page in PAGES for name in re.findall(r"<!-- table ([\w-]+) -->", page.read_text("utf-8"))}
    files = sorted((DOCS / "data").glob("*.json"))
    assert {file.stem for file in files} | {"levels"} == marked
    for file in files:
        data = json.loads(file.read_text(encoding="utf-8"))
        measured = (
            [f"{data['date']}, {data['commit']}"] if "date" in data else [row["measured"] for row in data["rows"]]
        )
        assert all(re.fullmatch(r"\d{4}-\d\d-\d\d, [0-9a-f]{7}", one) for one in measured), file.name


def test_a_changed_figure_is_noticed(tables: ModuleType) -> None:
    page = next(page for page in PAGES if page.name == "strength.md")
    text = page.read_text(encoding="utf-8")
    wrong = text.replace("99.5%", "99.6%")
    assert wrong != text
    assert tables.renewed(wrong) == tables.renewed(text)


def test_numbers_and_texts_are_cells(tables: ModuleType) -> None:
    rows = [{"a": 12_345, "b": "x"}, {"a": 0.25, "c": None}]
    assert tables.table_of(rows) == "| a | b | c |\n|---|---|---|\n| 12,345 | x |  |\n| 0.25 |  |  |"


def test_an_empty_table_is_filled_and_what_follows_stays(tables: ModuleType) -> None:
    table = "<!-- table scale-depth -->\n{}<!-- end of table -->\n"
    text = table.format("") + "\nwhat follows\n\n" + table.format("\n| old |\n")
    after = tables.renewed(text)
    assert after.count("what follows") == 1
    assert after == tables.renewed(after)
    assert "| old |" not in after
