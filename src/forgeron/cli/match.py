"""`forgeron match`: two programs against each other until it is clear which is better."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.bounds import MOST_GAMES, MOST_PLIES
from forgeron.cli.event_runner import (
    ExecutorOption,
    FairOption,
    JobsOption,
    RemainingTime,
    find_executor,
    follow,
    replay_unfair,
    say_resumed,
    say_stopped,
    say_weakness,
)
from forgeron.cli.interrupts import INTERRUPTED
from forgeron.cli.number_options import seed_option, threads_option
from forgeron.cli.shared import GameArgument, OptionsOption, PresetOption, examples, new_console, open_game, say_notices

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.arena.journal import Journal
    from forgeron.arena.match import Match, Standing

    Course = Generator[Standing, None, None]

ENTRANT = (
    "A player with options as in monte-carlo:budget=equal, its file, or a command in quotes, perhaps with @PROTOCOL."
)


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron match yolah monte-carlo greedy --time 0.05",
            "forgeron match yolah greedy './my-bot --fast' --games 400 --jobs 2",
            "forgeron match yolah monte-carlo monte-carlo:budget=equal --sprt 0 20",
            "forgeron match yolah ./my_player.py:depth=3 mcts  a player of your own",
            "forgeron match yolah greedy random --time 100n     reproducible",
            "forgeron match yolah minimax minimax --time-a 200n --time-b 5000n    a handicap",
        )
    )(match)


def match(
    game: GameArgument,
    a: Annotated[str, typer.Argument(metavar="A", help=ENTRANT)],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent, in the same form.")],
    games: Annotated[
        int,
        typer.Option(
            min=2, max=MOST_GAMES, metavar="N", help="Maximum number of games; even, because games are played in pairs."
        ),
    ] = 200,
    time: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="Time control: 0.1 (seconds per move), 60+0.5 (clock and increment), "
            "0.1cpu (processor time) or 1000n (nodes per move).",
        ),
    ] = "0.1",
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="ELO0 ELO1", help="Stop as soon as an SPRT decides between these two nElo differences."),
    ] = None,
    jobs: JobsOption = None,
    seed: Annotated[int, seed_option(help="Seed of openings, throws and players.")] = 0,
    opening_plies: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=MOST_PLIES,
            metavar="K",
            help="Random plies at the start of each game.",
            show_default="4; 0 with dice",
        ),
    ] = None,
    openings: Annotated[
        str | None, typer.Option(metavar="FILE", help="Begin from these openings (see forgeron openings).")
    ] = None,
    option: OptionsOption = None,
    preset: PresetOption = None,
    time_a: Annotated[str | None, typer.Option(metavar="TIME", help="Another time for A: a handicap.")] = None,
    time_b: Annotated[str | None, typer.Option(metavar="TIME", help="Another time for B.")] = None,
    threads_a: Annotated[int, threads_option(help="Search threads of A, a player.")] = 1,
    threads_b: Annotated[int, threads_option(help="Search threads of B, a player.")] = 1,
    protocol_a: Annotated[str | None, typer.Option(metavar="NAME", help="The protocol of A.")] = None,
    protocol_b: Annotated[str | None, typer.Option(metavar="NAME", help="The protocol of B.")] = None,
    journal: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The journal, the file of all games.", show_default="a file in matches/"),
    ] = None,
    executor: ExecutorOption = "local",
    fair: FairOption = False,
) -> None:
    """Play two programs against each other, each opening twice with seats swapped.

    Every game is stored in a journal; run the same command again to resume.
    """
    from forgeron.arena.entrant import Entrant, two_entrants
    from forgeron.arena.event import Terms, know_openings
    from forgeron.arena.journal import Journal
    from forgeron.arena.match import Match, play_match
    from forgeron.stats.sprt import Sprt

    found = open_game(game, option, preset)
    both = two_entrants(
        replace(Entrant.parse(a, protocol_a), time=time_a, threads=threads_a),
        replace(Entrant.parse(b, protocol_b), time=time_b, threads=threads_b),
    )
    if opening_plies is None and not know_openings(both):
        opening_plies = 0
    terms = Terms.settle(game, found.chosen, time=time, seed=seed, opening_plies=opening_plies, openings=openings)
    event = Match(terms, both, games, Sprt(*sprt) if sprt else None)
    where = find_executor(executor, 1 if jobs is None else jobs)
    console = new_console()
    say_notices(found, both)
    with Journal(journal or default_journal(event), event.settings()) as kept:
        say_resumed(console, kept)
        say_weakness(console, both, Path())
        try:
            fairly = replay_unfair(console, event, kept, where, fair=fair)
            standing = follow_match(console, event, play_match(event, kept, fairly))
        except KeyboardInterrupt:
            say_stopped(console, kept)
            raise typer.Exit(INTERRUPTED) from None
    _conclude(console, event, standing, kept)


def default_journal(event: Match) -> Path:
    """A file for these settings: the same command finds it again, another one does not."""
    import hashlib
    import json
    import re

    text = json.dumps(event.settings(), sort_keys=True)
    digest = hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
    names = [re.sub(r"[^\w.-]+", "-", Path(name).stem)[:30] for name in (event.terms.game, *event.names)]
    return Path("matches") / f"{'_'.join(names)}_{digest}.journal"


def follow_match(console: Console, event: Match, course: Course) -> Standing:
    """Play a match to its end, and show how it stands."""
    from forgeron.reports.formatting import duration
    from forgeron.reports.terminal import match_line, match_table

    pace = RemainingTime()
    every = max(2, event.games // 20)

    def noted() -> Course:
        with closing(course):
            for standing in course:
                pace.update(standing.played, event.games)
                yield standing

    def left() -> str:
        return f", at most {duration(pace.left)} left"

    def line(standing: Standing) -> str | None:
        if standing.played % every or standing.decided or not standing.games:
            return None
        return match_line(event, standing) + left()

    return follow(
        console,
        noted(),
        table=lambda standing: match_table(event, standing, "" if standing.decided else left()),
        line=line,
    )


def _conclude(console: Console, event: Match, standing: Standing, journal: Journal) -> None:
    from forgeron.reports.formatting import plain, say, with_error
    from forgeron.reports.results import results_of
    from forgeron.reports.terminal import match_table, show_faults

    # In a terminal the live table is there already.
    if not console.is_terminal:
        console.print(match_table(event, standing, ""))
    a = plain(event.names[0])
    verdict = standing.verdict
    if verdict is not None and event.sprt is not None:
        low, high = f"{event.sprt.elo0:g}", f"{event.sprt.elo1:g}"
        said = {
            "accepted": f"accepted: a difference of {high} nElo explains the results better than {low}",
            "rejected": f"rejected: a difference of {low} nElo explains the results better than {high}",
        }.get(verdict.decision, f"open: the results do not tell {low} from {high} nElo")
        say(console, f"test {said} (LLR {verdict.llr:.2f})", "bold")
    say(console, f"pairs of {a} by points 0, ½, 1, 1½, 2: {list(standing.results)}")
    console.print(f"normalised Elo {with_error(standing.summary.nelo)}", soft_wrap=True)
    unused = standing.played - standing.games
    if unused:
        console.print(f"{unused} games still running when the test was decided do not count", style="dim")
    if any(standing.faults):
        show_faults(console, results_of(event, journal.records))
    path = journal.path
    console.print(f"games: {path} (forgeron results {path} --html report.html)", style="dim", soft_wrap=True)
