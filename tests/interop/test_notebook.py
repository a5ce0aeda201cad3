"""What a notebook shows, and the example notebook, executed."""

from __future__ import annotations

import io
import xml.etree.ElementTree as xml
from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.interop.notebook import ProgressBar

ROOT = Path(__file__).parent.parent.parent
NOTEBOOK = ROOT / "examples" / "notebook.ipynb"


@pytest.fixture(scope="module")
def match() -> forgeron.MatchResult:
    return forgeron.match("yolah", "greedy", "random", games=4, time="20n")


def test_a_position_is_a_drawing_with_a_line_below() -> None:
    shown = forgeron.game("yolah").start().play("d5:b7")._repr_html_()
    assert len(xml.fromstring(shown).findall(".//{*}circle")) >= 8
    assert "Yolah: white to move, after d5:b7; black 1, white 0" in shown


def test_a_game_without_a_view_is_shown_as_text_and_nothing_becomes_markup() -> None:
    file = ROOT / "tests" / "hostile" / "games" / "wrong_count.py"
    position = forgeron.game(str(file)).start()
    assert position._repr_html_().startswith("<div><pre>")
    assert "State(left=" in position._repr_html_()


def test_a_choice_and_a_match_are_tables(match: forgeron.MatchResult) -> None:
    lines = tuple(forgeron.Line((move,), 0.5, 7) for move in ("<b>", "c", "d"))
    choice = forgeron.Choice("<b>", 0.5, ("<b>",), 3, 21, 0.5, lines)
    assert choice._repr_html_().count("<tr>") == 4
    assert "<td>&lt;b&gt;</td>" in choice._repr_html_()
    shown = match._repr_html_()
    assert "<td>greedy</td><td>random</td><td>4</td>" in shown
    assert "<polyline" in shown


def test_results_are_frames(match: forgeron.MatchResult, tmp_path: Path) -> None:
    pytest.importorskip("pandas", reason="pip install 'forgeron[notebook]'")
    from forgeron.interop.frames import frame, games_frame

    games = frame(match)
    assert len(games) == 4
    assert list(games["winner"]) == ["greedy"] * 4
    journal = tmp_path / "m.journal"
    forgeron.match("yolah", "greedy", "random", games=2, time="20n", journal=journal)
    results = forgeron.read_results(journal)
    standings = frame(results)
    assert list(standings["name"]) == ["greedy", "random"]
    assert list(standings["points"]) == [2.0, 0.0]
    assert len(games_frame(results)) == 2
    assert results._repr_html_().startswith("<table>")
    assert len(frame(match.records[0])) == len(match.records[0].moves)
    with pytest.raises(forgeron.OptionError, match="there is no frame of a int"):
        frame(3)


def test_progress_is_a_line_in_a_terminal() -> None:
    out = io.StringIO()
    bar = ProgressBar(3, file=out)
    for done in (1, 2, 3):
        bar(done)
    assert out.getvalue().endswith("\r3 of 3 games\n")


def test_states_are_never_floats() -> None:
    game = forgeron.game("yolah")  # its state has signed and unsigned fields
    position = game.start().play("d5:b7")
    for thing in (position, position.state):
        assert np.asarray(thing).dtype == np.uint64
    assert np.stack([np.asarray(position), np.asarray(game.start())]).dtype == np.uint64
    with pytest.raises(forgeron.OptionError, match=r"an array of \d integers of 64 bits"):
        game.from_array(np.asarray(position).astype(float))


def test_the_example_notebook_runs() -> None:
    nbformat = pytest.importorskip("nbformat", reason="pip install nbclient ipykernel")
    client = pytest.importorskip("nbclient", reason="pip install nbclient ipykernel")
    pytest.importorskip("ipykernel", reason="pip install 'forgeron[notebook]'")
    pytest.importorskip("pandas", reason="pip install 'forgeron[notebook]'")
    book = nbformat.read(NOTEBOOK, as_version=4)
    assert all(not cell.get("outputs") for cell in book.cells), "outputs are made by whoever runs it"
    client.NotebookClient(
        book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}
    ).execute()
    shown = [
        output["data"].get("text/html", "")
        for cell in book.cells
        for output in cell.get("outputs", ())
        if "data" in output
    ]
    text = "\n".join("".join(part) for part in shown)
    assert "<svg" in text
    assert "10 of 10 games" in text
    assert "dataframe" in text
