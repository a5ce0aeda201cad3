"""`forgeron publish`: a site that is right, harmless, renewed, and readable."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

import forgeron
from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.arena.journal import Journal
from forgeron.arena.tournament import Tournament
from forgeron.core.record import Record
from forgeron.reports.site_pages import bot_file

Run = Callable[..., "subprocess.CompletedProcess[str]"]
ROOT = Path(__file__).parent.parent.parent
CONNECT_FOUR = str(ROOT / "examples" / "game_connect_four.py")
EVIL = "<img src=x onerror=alert(1)></script>"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Reader(HTMLParser):
    """The tags, texts and addresses of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.texts: list[str] = []
        self.handlers: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src")]
        self.handlers += [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def write_event(*more: str) -> None:
    """Two players of ours, and a bot that breaks as soon as it is asked for a move."""
    bot = (ROOT / "examples" / "submissions" / "ann" / "bot.py").read_text()
    broken = bot.replace('elif word == "go":', f'elif word == "go":\n        raise ValueError("{EVIL}")')
    Path("broken.py").write_text(
        broken.replace("import sys", f'import sys\nprint("my {EVIL} secret", file=sys.stderr)')
    )
    Path("cup.toml").write_text(
        f'[event]\nname = "cup"\ngame = "{CONNECT_FOUR}"\ntime = "10"\nopening_plies = 2\n'
        '[[entrant]]\nname = "ann"\nplayer = "random"\n[[entrant]]\nname = "bob"\nplayer = "random"\n'
        f'[[entrant]]\nname = "{EVIL}"\ncommand = "python3 broken.py"\n' + "".join(more)
    )


def write_players(*names: str) -> None:
    """Players of ours; who is none of them plays at random."""
    tables = [f'[[entrant]]\nname = "{one}"\nplayer = "{"greedy" if one == "greedy" else "random"}"\n' for one in names]
    Path("cup.toml").write_text(f'[event]\ngame = "{CONNECT_FOUR}"\ntime = "20n"\n{"".join(tables)}')


def test_a_site_has_every_bot_every_game_and_nothing_that_a_bot_can_run(call: Run, tmp_path: Path) -> None:
    write_event('[site]\ntitle = "Spring cup"\ntext = "Welcome & <b>enjoy</b>"\n')
    done = call("tournament", "cup.toml", "--publish", "site")
    assert done.returncode == 0, done.stderr
    site = tmp_path / "site"
    pages = {path: Reader(path) for path in site.rglob("*.html")}
    assert len(list((site / "bots").iterdir())) == 3
    assert len(list((site / "games").iterdir())) == 6
    for path, page in pages.items():
        assert "img" not in page.tags
        assert not page.handlers
        for address in page.addresses:
            assert (path.parent / address.partition("#")[0]).is_file(), address
        assert "Content-Security-Policy" in path.read_text()
    front = pages[site / "index.html"]
    assert "Spring cup" in front.texts
    assert "Welcome & <b>enjoy</b>" in front.texts
    own = pages[site / "bots" / bot_file(EVIL)]
    told = " ".join(own.texts)
    assert "Games lost by a fault" in told
    assert "ValueError" in told
    assert "secret" not in "".join(text for page in pages.values() for text in page.texts), "logs are private"


def test_logs_are_published_on_request_only(call: Run, tmp_path: Path) -> None:
    write_event()
    call("tournament", "cup.toml")
    call("publish", "cup.toml", "--out", "site", "--logs", "--title", "With logs")
    text = " ".join(text for path in (tmp_path / "site" / "bots").iterdir() for text in Reader(path).texts)
    assert f"my {EVIL} secret" in text


def test_a_site_is_renewed_only_where_something_has_changed(
    call: Run, tmp_path: Path, refused: Callable[..., str]
) -> None:
    write_players("random", "greedy")
    call("tournament", "cup.toml")
    call("publish", "cup.toml", "--out", "site")
    before = {path: path.stat().st_mtime_ns for path in Path("site").rglob("*") if path.is_file()}
    assert "0 files written" in call("publish", "cup.journal", "--out", "site").stdout
    assert {path: path.stat().st_mtime_ns for path in before} == before
    write_players("random", "greedy", "late")
    call("tournament", "cup.toml", "--publish", "site")
    games = list(Path("site/games").iterdir())
    assert len(games) == 6
    assert sum(before.get(path) == path.stat().st_mtime_ns for path in games) == 2
    write_players("random", "late")
    call("tournament", "cup.toml", "--publish", "site")
    assert len(list(Path("site/games").iterdir())) == 2, "what does not count any more is not shown any more"
    assert "4 games do not count: 4 of greedy (withdrawn)" in Path("site/index.html").read_text()
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "index.html").write_text("precious")
    assert "is no site of Forgeron, and not empty" in refused("publish", "cup.toml", "--out", "mine")
    assert (mine / "index.html").read_text() == "precious"


def test_watching_renews_the_site_until_the_event_is_over(
    call: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_players("random", "greedy")

    class Enough(Exception):
        pass

    def stop(played: int, total: int) -> None:
        if played == 1:
            raise Enough

    with pytest.raises(Enough):
        forgeron.tournament("cup.toml", listener=stop)
    seen = []

    def sleep(seconds: float) -> None:
        seen.append('http-equiv="refresh"' in Path("site/index.html").read_text())
        forgeron.tournament("cup.toml")

    monkeypatch.setattr("forgeron.cli.publish.time.sleep", sleep)
    done = call("publish", "cup.toml", "--out", "site", "--watch")
    assert done.returncode == 0
    assert seen == [True]
    assert "1 games, " in done.stdout
    assert "2 games, " in done.stdout
    assert 'http-equiv="refresh"' not in Path("site/index.html").read_text()


def class_of(count: int) -> Path:
    """The journal of a round robin of so many entrants whose games are made up: wins and draws by their numbers."""
    names = [f"student number {i:02d}" for i in range(1, count + 1)]
    terms = Terms.settle(CONNECT_FOUR, time="20n", opening_plies=0)
    event = Tournament("class", terms, tuple(Entrant(name, "random") for name in names))
    start = str(terms.open_game().start())
    with Journal(Path("class.journal"), event.settings()) as journal:
        for game in event.progress({}).due:
            weak, strong = (names.index(name) for name in game.seats)
            winner = None if (weak + strong) % 3 == 0 else int(strong < weak)
            record = Record(
                "connect-four", {}, 1, start, players=game.seats, winner=winner, reason="win", seed=game.seed
            )
            journal.append(game.id, record)
    return Path("class.journal")


def test_tables_of_twenty_entrants_fit_80_columns(call: Run) -> None:
    done = call("results", str(class_of(20)), columns=80)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    (top,) = [line for line in lines if line.split()[:2] == ["entrant", "points"]]
    assert top.split() == ["entrant", "points", "games", "won", "drawn", "lost", "faults", "overload", "Elo"]
    places = lines[lines.index(top) + 2 :][:20]
    assert [row.split()[0] for row in places] == [str(i) for i in range(1, 21)], "a line for each"
    assert all("student number" in row for row in places)
    (head,) = [line for line in lines if line.split()[:3] == ["entrant", "1", "2"]]
    assert head.split()[1:] == [str(i) for i in range(1, 21)]
    rows = [line for line in lines[lines.index(head) + 2 :] if line.strip()][:20]
    for row in rows:
        assert len(row.replace("student number", "student").split()) >= 20, row
    assert all("…" in row or "student number" in row for row in rows)


def test_the_site_replays_a_game_and_fits_a_phone(call: Run, tmp_path: Path) -> None:
    sync = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright: pip install playwright")
    import shutil

    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("browser tests need Chromium: apt install chromium")
    write_event()
    call("tournament", "cup.toml", "--publish", "site")
    moves = next(one.record.moves for one in forgeron.read_results("cup.journal").games if EVIL not in one.names)
    errors: list[str] = []

    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("dialog", lambda dialog: errors.append("a dialog"))
        page.goto((tmp_path / "site" / "index.html").as_uri())
        sync.expect(page.locator("#standings tbody tr")).to_have_count(3)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.locator("#standings tbody th a", has_text="ann").click()
        sync.expect(page.locator("h1")).to_have_text("ann")
        page.locator("#games tbody tr", has_text="bob").first.locator("a").first.click()
        sync.expect(page.locator("#v-board svg")).to_be_visible()
        sync.expect(page.locator("#v-moves li")).to_have_count(len(moves))
        page.locator("#v-next").click()
        sync.expect(page.locator("#v-move")).to_contain_text(f"1 of {len(moves)}")
        sync.expect(page.locator("#v-moves li.now")).to_have_text(moves[0])
        page.keyboard.press("End")
        sync.expect(page.locator("#v-move")).to_contain_text(f"{len(moves)} of {len(moves)}")
        browser.close()
    assert errors == []


def test_the_data_of_a_page_is_what_was_played(call: Run) -> None:
    write_event()
    call("tournament", "cup.toml", "--publish", "site")
    for game in forgeron.read_results("cup.journal").games:
        page = Path("site/games", f"{game.id}.html").read_text(encoding="utf-8")
        data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
        assert data["moves"] == list(game.record.moves)
        assert len(data["boards"]) == len(game.record.moves) + 1
