"""A tournament that goes on: entrants come, go and are replaced, bots break and are mended, journals are merged."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import forgeron
from forgeron.arena import journal as journals
from forgeron.arena.bot_files import digest_of
from forgeron.arena.entrant import Entrant

Run = Callable[..., "subprocess.CompletedProcess[str]"]
ROOT = Path(__file__).parent.parent.parent
CONNECT_FOUR = ROOT / "examples" / "game_connect_four.py"
STARTER = (ROOT / "src" / "forgeron" / "bots" / "templates" / "starter.py").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_event(*entrants: str, name: str = "cup", **event: object) -> None:
    """A tournament file; an entrant is a registered player, or NAME=PLAYER, or a program NAME.py of this folder."""
    settings = {"game": str(CONNECT_FOUR), "time": "20n", **event}
    lines = ["[event]", *(f"{key} = {json.dumps(value)}" for key, value in settings.items())]
    for one in entrants:
        own, _, player = one.partition("=")
        what = f'player = "{player or own}"'
        if one.endswith(".py"):
            own, what = own.removesuffix(".py"), f'command = "python3 {one}"'
        lines += ["[[entrant]]", f'name = "{own}"', what]
    Path(f"{name}.toml").write_text("\n".join(lines))


def meetings(name: str = "cup.journal") -> Counter[tuple[str, ...]]:
    """How often two met in the games that count."""
    return Counter(tuple(sorted(game.names)) for game in forgeron.read_results(name).games)


def test_after_an_edit_only_what_is_new_is_played(call: Run) -> None:
    write_event("ann=random", "bob=greedy", "cid=random")
    assert call("tournament", "cup.toml").returncode == 0
    before = journals.read(Path("cup.journal"))[1]
    write_event("dan=greedy", "ann=random", "cid=random")
    done = call("tournament", "cup.toml")
    assert "changed: bob was withdrawn: its 4 games stay in the journal and do not count" in done.stdout
    assert "changed: dan was added" in done.stdout
    assert "4 games in the journal do not count: 4 of bob (withdrawn)" in " ".join(done.stdout.split())
    after = journals.read(Path("cup.journal"))[1]
    assert dict(list(after.items())[: len(before)]) == before
    assert {name for record in list(after.values())[6:] for name in record.players} == {"ann", "cid", "dan"}
    assert meetings() == {("ann", "cid"): 2, ("ann", "dan"): 2, ("cid", "dan"): 2}
    write_event("ann=random", "bob=greedy", "cid=random")
    done = call("tournament", "cup.toml")
    assert "bob is back: its games count again" in done.stdout
    assert len(journals.read(Path("cup.journal"))[1]) == len(after)


def test_a_replaced_entrant_plays_again_and_more_pairs_add_games(call: Run) -> None:
    write_event("ann=random", "bob=greedy", "cid=random")
    call("tournament", "cup.toml")
    write_event("ann=random", "bob=random", "cid=random", pairs=2)
    done = call("tournament", "cup.toml")
    assert "changed: bob was replaced: 4 games of its earlier version do not count" in done.stdout
    assert "changed: pairs: 2 instead of 1" in done.stdout
    assert meetings() == {("ann", "bob"): 4, ("ann", "cid"): 4, ("bob", "cid"): 4}
    assert len(journals.read(Path("cup.journal"))[1]) == 4 + 12
    assert len(forgeron.read_results("cup.journal").outside) == 4


def test_both_games_of_a_pair_keep_their_opening_whoever_comes_and_goes(call: Run) -> None:
    write_event("ann=random", "bob=random", "cid=random", pairs=2)
    call("tournament", "cup.toml")
    write_event("dan=random", "cid=random", "ann=random", pairs=3)
    call("tournament", "cup.toml")
    openings: dict[tuple[str, ...], Counter[tuple[str, ...]]] = {}
    for game in forgeron.read_results("cup.journal").games:
        openings.setdefault(tuple(sorted(game.names)), Counter())[game.record.moves[:4]] += 1
    assert {tuple(found.values()) for found in openings.values()} == {(2, 2, 2)}


def test_a_changed_bot_is_named_and_replayed_on_request(call: Run) -> None:
    for name in ("ann", "bob"):
        Path(f"{name}.py").write_text(STARTER)
    write_event("ann.py", "bob.py", "random", time="5")
    done = call("tournament", "cup.toml")
    assert "have changed" not in done.stdout
    there = {
        name: digest_of(Entrant(name, command=("python3", str(Path(f"{name}.py").absolute()))))
        for name in ("ann", "bob")
    }
    for record in journals.read(Path("cup.journal"))[1].values():
        assert record.extra["files"] == [there.get(name) for name in record.players]
    Path("ann.py").write_text(STARTER + "# better\n")
    kept = call("tournament", "cup.toml")
    assert "note: ann: its files have changed; 4 games of its earlier version count" in kept.stdout
    assert "--replay ann plays all its games again" in kept.stdout
    assert len(journals.read(Path("cup.journal"))[1]) == 6
    again = call("tournament", "cup.toml", "--replay", "ann")
    assert "changed: ann: its 4 games are played again" in again.stdout
    assert len(journals.read(Path("cup.journal"))[1]) == 10
    results = forgeron.read_results("cup.journal")
    assert len(results.games) == 6
    played = {game.record.extra["files"][game.names.index("ann")] for game in results.games if "ann" in game.names}
    assert len(played) == 1
    assert played != {there["ann"]}
    assert "note: " not in call("tournament", "cup.toml").stdout


def test_a_bot_that_cannot_be_started_is_set_aside_after_two_games_and_replayed_when_mended(call: Run) -> None:
    Path("bad.py").write_text("syntax error(")
    write_event("bad.py", "ann=random", "bob=random", "cid=random", "dan=random", time="5")
    done = call("tournament", "cup.toml")
    assert "note: bad is set aside: it ended with exit code 1" in done.stdout
    assert "when its files are mended, the same command plays its games again" in done.stdout
    records = [one for one in journals.read(Path("cup.journal"))[1].values() if "bad" in one.players]
    assert [one.reason for one in records] == ["startup"] * 8
    assert sum("absent" in one.extra for one in records) == 6
    assert "changed: " not in call("tournament", "cup.toml").stdout, "nothing was mended, so nothing is tried again"
    Path("bad.py").write_text(STARTER)
    mended = call("tournament", "cup.toml")
    assert "changed: bad was set aside, and its files have changed: its 8 games are played again" in mended.stdout
    assert not any(game.at_fault for game in forgeron.read_results("cup.journal").games)
    assert "changed: " not in call("tournament", "cup.toml").stdout


def test_newcomers_of_a_swiss_tournament_begin_with_the_next_round(
    call: Run, run_partly: Callable[[int], None]
) -> None:
    write_event("a=random", "b=random", "c=random", "d=random", format="swiss", rounds=3)
    run_partly(4)
    write_event("a=random", "b=random", "c=random", "e=random", "f=random", format="swiss", rounds=3)
    done = call("tournament", "cup.toml")
    assert done.returncode == 0, done.stderr
    assert "changed: e was added and plays from round 2 on" in done.stdout
    assert "changed: d was withdrawn: what it has not played yet is forfeited" in done.stdout
    played = {game.round: set() for game in forgeron.read_results("cup.journal").games}
    for game in forgeron.read_results("cup.journal").games:
        played[game.round] |= set(game.names)
    assert played[1] == {"a", "b", "c", "d"}
    assert played[2] | played[3] == {"a", "b", "c", "e", "f"}


def test_who_leaves_a_round_that_has_begun_forfeits_the_rest_of_it(
    call: Run, run_partly: Callable[[int], None]
) -> None:
    write_event("a=random", "b=random", "c=random", "d=random", format="knockout")
    run_partly(1)
    write_event("a=random", "b=random", "c=random", format="knockout")
    assert call("tournament", "cup.toml").returncode == 0
    records = journals.read(Path("cup.journal"))[1].values()
    forfeits = [one for one in records if one.reason == "withdrawn"]
    assert forfeits
    assert all("d" in one.players and one.players[one.winner or 0] != "d" for one in forfeits)


@pytest.fixture
def run_partly(own_folder: Path) -> Callable[[int], None]:
    """Play only so many games of cup.toml."""

    def play(games: int) -> None:
        class Enough(Exception):
            pass

        def stop(played: int, total: int) -> None:
            if played == games:
                raise Enough

        with pytest.raises(Enough):
            forgeron.tournament("cup.toml", listener=stop)

    return play


@pytest.mark.parametrize(
    ("before", "after", "arguments", "message"),
    [
        ({"format": "knockout"}, {"format": "knockout", "more": True}, (), "takes no newcomers: z cannot be added"),
        (
            {"format": "swiss", "rounds": 1},
            {"format": "swiss", "rounds": 1, "more": True},
            (),
            "z can only be added with more rounds",
        ),
        ({"format": "swiss"}, {"format": "swiss"}, ("--replay", "a"), "a swiss cannot replay games"),
        ({"format": "swiss"}, {"format": "swiss", "pairs": 2}, (), "keeps its number of pairs, 1"),
        ({}, {"time": "30n"}, (), "belongs to an event with other settings (time)"),
        ({}, {"seed": 5}, (), "belongs to an event with other settings (seed)"),
        ({}, {}, ("--replay", "zed"), "there is no entrant 'zed'"),
    ],
)
def test_a_change_that_makes_no_sense_is_refused_and_changes_nothing(
    refused: Callable[..., str],
    before: dict[str, object],
    after: dict[str, object],
    arguments: tuple[str, ...],
    message: str,
) -> None:
    players = ["a=random", "b=random"]
    write_event(*players, **before)
    forgeron.tournament("cup.toml")
    there = Path("cup.journal").read_bytes()
    write_event(*players, *(["z=random"] if after.pop("more", False) else []), **after)
    assert message in refused("tournament", "cup.toml", *arguments)
    assert Path("cup.journal").read_bytes() == there


def test_a_journal_older_than_rolls_is_read_and_resumed_but_not_edited(refused: Callable[..., str]) -> None:
    write_event("a=random", "b=random")
    results = forgeron.tournament("cup.toml")
    old = forgeron.arena.tournament.Tournament.from_settings(
        {key: value for key, value in results.event.settings().items() if key != "roll"}, Path()
    )
    Path("cup.journal").unlink()
    with journals.Journal(Path("cup.journal"), old.settings()) as journal:
        for game, record in zip(old.progress({}).due, (one.record for one in results.games), strict=True):
            journal.append(game.id, record)
    assert len(forgeron.read_results("cup.journal").games) == 2
    assert len(forgeron.tournament("cup.toml").games) == 2
    write_event("a=random", "c=random")
    assert "belongs to an event with other settings (entrants)" in refused("tournament", "cup.toml")


def test_several_journals_are_one_table(call: Run, refused: Callable[..., str]) -> None:
    write_event("ann=random", "bob=greedy", name="monday")
    write_event("bob=greedy", "cid=random", name="friday", seed=3)
    for name in ("monday", "friday"):
        forgeron.tournament(f"{name}.toml")
    done = call("results", "monday.journal", "friday.journal", "--json", "both.json")
    assert done.returncode == 0, done.stderr
    both = json.loads(Path("both.json").read_text())
    assert both["title"] == "monday + friday"
    assert {row["name"]: row["games"] for row in both["standings"]} == {"ann": 2, "bob": 4, "cid": 2}
    assert "monday + friday: 4 games" in call("results", "monday.toml", "friday.toml").stdout
    assert "monday: 2 games" in call("results", "monday.journal", "monday.journal").stdout
    write_event("ann=random", "bob=random", name="other", game="yolah")
    forgeron.tournament("other.toml")
    assert "cannot be merged with monday" in refused("results", "monday.journal", "other.journal")


def test_an_edit_while_the_event_runs_is_taken_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from forgeron.cli import tournament as command
    from forgeron.cli.main import main

    write_event("ann=random", "bob=random")
    first = command._FileWatch.edited
    asked = []

    def edited(watch: command._FileWatch) -> bool:
        asked.append(1)
        if len(asked) == 1:
            Path("cup.toml").write_text("[event")
        elif len(asked) == 2:
            write_event("ann=random", "bob=random", "cid=random")
        return first(watch)

    monkeypatch.setattr(command._FileWatch, "edited", edited)
    monkeypatch.setattr("sys.argv", ["forgeron", "tournament", "cup.toml"])
    with pytest.raises(SystemExit) as left:
        main()
    printed = capsys.readouterr().out
    assert left.value.code == 0
    assert "the edit is not taken yet: cup.toml is not TOML" in printed
    assert "cup.toml was edited" in printed
    assert "changed: cid was added" in printed
    assert meetings() == {("ann", "bob"): 2, ("ann", "cid"): 2, ("bob", "cid"): 2}


def test_files_that_an_entrant_names_are_looked_for_beside_the_tournament_file(call: Run) -> None:
    """An evaluation among the options of a player, as its file and its command are; and it is a part of the bot."""
    weights = json.loads((ROOT / "src" / "forgeron" / "games" / "yolah" / "weights.json").read_text())
    Path("school").mkdir()
    Path("school/mine.json").write_text(json.dumps(weights))
    Path("school/cup.toml").write_text(
        '[event]\ngame = "yolah"\ntime = "1n"\n[[entrant]]\nname = "ann"\nplayer = "random"\n'
        '[[entrant]]\nname = "bob"\nplayer = "greedy"\noptions = { eval = "mine.json" }\n'
    )
    done = call("tournament", "school/cup.toml")
    assert done.returncode == 0, done.stderr
    assert not any(game.at_fault for game in forgeron.read_results("school/cup.journal").games)
    Path("school/mine.json").write_text(json.dumps({**weights, "note": "other ones"}))
    told = call("tournament", "school/cup.toml").stdout
    assert "note: bob: its files have changed; 2 games of its earlier version count" in told
    Path("school/mine.json").unlink()
    refused = call("tournament", "school/cup.toml")
    assert refused.returncode == 2
    assert "school/mine.json" in " ".join(refused.stderr.split())


def test_the_page_goes_on_with_an_event_that_was_edited_since(call: Run) -> None:
    from forgeron.web.event_process import play

    write_event("ann=random", "bob=random")
    call("tournament", "cup.toml")
    before = journals.read(Path("cup.journal"))[0]
    write_event("ann=random", "bob=random", "cid=random")
    call("tournament", "cup.toml")
    play(Path("cup.journal"), before)  # what the page knows of it: the settings with which it was begun
    results = forgeron.read_results("cup.journal")
    assert (len(results.games), results.due) == (6, 0)
