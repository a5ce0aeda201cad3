"""`forgeron match`: two programs against each other until it is clear which is better."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.event import ExecutorOption, JobsOption, Pace, find_executor, follow, say_resumed, say_stopped
from forgeron.cli.play import INTERRUPTED
from forgeron.cli.shared import GameArgument, OptionsOption, PresetOption, examples, new_console, open_game

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.arena.entrant import Entrant
    from forgeron.arena.match import Match, Standing

    Course = Generator[Standing, None, None]

ENTRANT = "A player with options as in monte-carlo:budget=equal, or a command in quotes, perhaps with @PROTOCOL."


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron match yolah monte-carlo greedy --time 0.05",
            "forgeron match yolah greedy './my-bot --fast' --games 400 --jobs 2",
            "forgeron match yolah monte-carlo monte-carlo:budget=equal --sprt 0 20",
            "forgeron match yolah greedy random --time 100n     repeatable",
        )
    )(match)


def match(
    game: GameArgument,
    a: Annotated[str, typer.Argument(metavar="A", help=ENTRANT)],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent, written likewise.")],
    games: Annotated[int, typer.Option(metavar="N", help="Games at most; an even number.")] = 200,
    time: Annotated[
        str, typer.Option(metavar="TIME", help="0.1 (seconds a move), 60+0.5 (clock and increment) or 1000n (nodes).")
    ] = "0.1",
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="ELO0 ELO1", help="Stop as soon as the test tells these nElo differences apart."),
    ] = None,
    jobs: JobsOption = None,
    seed: Annotated[int, typer.Option(metavar="N", help="For openings, throws and players.")] = 0,
    opening_plies: Annotated[
        int | None,
        typer.Option(metavar="K", help="Random plies before the players begin.", show_default="4, with dice 0"),
    ] = None,
    option: OptionsOption = None,
    preset: PresetOption = None,
    protocol_a: Annotated[str | None, typer.Option(metavar="NAME", help="The protocol that A speaks.")] = None,
    protocol_b: Annotated[str | None, typer.Option(metavar="NAME", help="The protocol that B speaks.")] = None,
    journal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where games are kept.", show_default="a file in matches/")
    ] = None,
    executor: ExecutorOption = "local",
) -> None:
    """Play two programs against each other, each opening twice with seats swapped.

    Every game is kept; the same command goes on where it was stopped.
    """
    from forgeron.arena.event import Terms, know_openings
    from forgeron.arena.journal import Journal
    from forgeron.arena.match import Match, play_match
    from forgeron.arena.sprt import Sprt

    chosen = open_game(game, option, preset).chosen
    both = entrants(a, b, protocol_a, protocol_b)
    if opening_plies is None and not know_openings(both):
        opening_plies = 0
    terms = Terms.settle(game, chosen, time=time, seed=seed, opening_plies=opening_plies)
    event = Match(terms, both, games, Sprt(*sprt) if sprt else None)
    where = find_executor(executor, 1 if jobs is None else jobs)
    console = new_console()
    with Journal(journal or default_journal(event), event.settings()) as kept:
        say_resumed(console, kept)
        try:
            standing = _follow(console, event, play_match(event, kept, where))
        except KeyboardInterrupt:
            say_stopped(console, kept)
            raise typer.Exit(INTERRUPTED) from None
    _conclude(console, event, standing, kept.path)


def entrants(a: str, b: str, protocol_a: str | None, protocol_b: str | None) -> tuple[Entrant, Entrant]:
    """The two entrants under different names."""
    from dataclasses import replace

    first, second = _entrant(a, protocol_a), _entrant(b, protocol_b)
    if first.name == second.name:
        second = replace(second, name=f"{second.name} (2)")
    return first, second


def _entrant(text: str, protocol: str | None) -> Entrant:
    from dataclasses import replace

    from forgeron.arena.entrant import Entrant
    from forgeron.arena.protocols import PROTOCOLS
    from forgeron.core.errors import OptionError, unknown_name

    head, _, tail = text.rpartition("@")
    if protocol is None and tail in PROTOCOLS and head:
        text, protocol = head, tail
    if protocol is not None and protocol not in PROTOCOLS:
        raise unknown_name("protocol", protocol, PROTOCOLS)
    found = Entrant.parse(text, **({"protocol": protocol} if protocol else {}))
    if found.player is not None:
        if protocol is not None:
            raise OptionError(f"{found.name} is a player of ours and speaks no protocol")
        return found
    words = [Path(word).name if "/" in word else word for word in found.command]
    if len(words) > 1 and words[0].startswith(("python", "java", "node", "bash")):
        del words[0]  # says nothing about who it is
    return replace(found, name=" ".join(words))


def default_journal(event: Match) -> Path:
    """A file for these settings: the same command finds it again, another one does not."""
    import hashlib
    import json
    import re

    text = json.dumps(event.settings(), sort_keys=True)
    digest = hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
    names = [re.sub(r"[^\w.-]+", "-", Path(name).stem)[:30] for name in (event.terms.game, *event.names)]
    return Path("matches") / f"{'_'.join(names)}_{digest}.journal"


def _follow(console: Console, event: Match, course: Course) -> Standing:
    from forgeron.cli.tables import duration, match_table, numbers

    pace = Pace()
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
        return numbers(event, standing) + left()

    return follow(
        console,
        noted(),
        table=lambda standing: match_table(event, standing, "" if standing.decided else left()),
        line=line,
    )


def _conclude(console: Console, event: Match, standing: Standing, path: Path) -> None:
    from forgeron.cli.tables import match_table, plain, with_error

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
        console.print(f"test {said} (LLR {verdict.llr:.2f})", style="bold", soft_wrap=True)
    console.print(f"pairs of {a} by points 0, ½, 1, 1½, 2: {list(standing.results)}", soft_wrap=True)
    console.print(f"normalised Elo {with_error(standing.summary.nelo)}", soft_wrap=True)
    unused = standing.played - standing.games
    if unused:
        console.print(f"{unused} games that were under way when the test was decided do not count", style="dim")
    console.print(f"games: {path} (forgeron results {path} --html report.html)", style="dim", soft_wrap=True)
