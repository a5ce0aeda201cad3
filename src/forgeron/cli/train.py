"""`forgeron train`: a network from the shards of self-play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.event_runner import ExecutorOption, JobsOption, find_executor, say_resumed
from forgeron.cli.interrupts import INTERRUPTED
from forgeron.cli.number_options import games_option, rounds_option, seed_option, share_option
from forgeron.cli.shared import (
    GameArgument,
    OptionsOption,
    PresetOption,
    examples,
    new_console,
    open_game,
    require_torch,
)

if TYPE_CHECKING:
    import numpy as np
    from rich.console import Console

    from forgeron.arena.executor import Executor
    from forgeron.arena.match import Match, Standing
    from forgeron.core.game import Game
    from forgeron.learning.network_training import Epoch, Training
    from forgeron.learning.positions import Positions

TrialGames = Annotated[
    int,
    games_option(
        least=0,
        help="Games of the match at the end, at most; 0: no match, and nothing is proven.",
    ),
]
TrialTime = Annotated[str, typer.Option(metavar="TIME", help="Time control of the match, as in forgeron match.")]
TrialSprt = Annotated[
    tuple[float, float], typer.Option(metavar="ELO0 ELO1", help="The nElo differences that the match tells apart.")
]


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron train yolah selfplay/yolah-default-2500-0",
            "forgeron train yolah data/yolah-1 data/yolah-2 --hidden 56 --epochs 20 --out mine",
            "forgeron train yolah data/yolah-3 --start network --rate 0.002     goes on learning",
            "forgeron train yolah data/yolah-1 --against default --time 0.05 --jobs 2",
            "forgeron train yolah data/yolah-1 --games 0     without the match",
        )
    )(train)


def train(
    game: GameArgument,
    data: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of shards (forgeron selfplay).")],
    hidden: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=4096,
            metavar="N",
            help="Hidden lanes; with the phases a multiple of 16.",
            show_default="64 less the phases of the game",
        ),
    ] = None,
    epochs: Annotated[int, rounds_option(help="How often to go through the data.")] = 12,
    batch: Annotated[int, typer.Option(min=1, max=1 << 24, metavar="N", help="Positions a step.")] = 8192,
    rate: Annotated[
        float, typer.Option(min=1e-9, max=10, metavar="X", help="The learning rate at its highest.")
    ] = 0.005,
    result_share: Annotated[float, share_option()] = 0.4,
    start: Annotated[
        str | None,
        typer.Option(
            metavar="EVAL",
            help="A network to begin with, network or a file; it may have fewer hidden lanes.",
            show_default="random weights",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="EVAL",
            help="What it must beat: default, network, or a file.",
            show_default="the game's network, or default",
        ),
    ] = None,
    games: TrialGames = 400,
    time: TrialTime = "0.1cpu",
    sprt: TrialSprt = (0.0, 20.0),
    seed: Annotated[int, seed_option(help="For first weights, order, symmetries and the match.")] = 0,
    jobs: JobsOption = None,
    executor: ExecutorOption = "local",
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where all is kept.", show_default="a folder in training/")
    ] = None,
    option: OptionsOption = None,
    preset: PresetOption = None,
) -> None:
    """Train a network on games of self-play, write it in whole numbers, and promote it if it wins its match.

    The match is against what was there before. The same command goes on where it was stopped: after the last epoch, or
    in the middle of the match.
    """
    from forgeron.core.network_file import check_trainable
    from forgeron.learning.data_generation import shard_files
    from forgeron.learning.network_training import Training
    from forgeron.learning.positions import Positions
    from forgeron.learning.promotion import PromotionTest, champion_of

    found = open_game(game, option, preset)
    hidden = 64 - found.phases if hidden is None else hidden
    check_trainable(found, hidden)
    training = Training(hidden=hidden, epochs=epochs, batch=batch, rate=rate, seed=seed)
    trial = PromotionTest(games, time, *sprt, seed=seed)
    where = find_executor(executor, 1 if jobs is None else jobs)
    champion = against or champion_of(found)
    found.evaluation(champion)  # one that is not there is refused before the work
    first = _network_of(found, start) if start is not None else None
    require_torch()
    folder = out or Path("training") / f"{found.name}-{hidden}-{seed}"
    console = new_console()
    files = [file for place in data for file in shard_files(place)]
    positions = Positions(found, files, result_share)
    folder.mkdir(parents=True, exist_ok=True)
    console.print(
        f"{len(positions):,} different positions of {len(positions.firsts) - 1:,} games in {len(files)} shards"
    )
    candidate = folder / "candidate.network"
    try:
        _learn(console, positions, training, candidate, first)
        event = trial.match(game, found.chosen, candidate, champion) if games else None
        _conclude(console, event, where, candidate, folder / f"{found.name}.network", game)
    except KeyboardInterrupt:
        console.print(f"\nstopped: what is done is safe in {folder}; the same command goes on", soft_wrap=True)
        raise typer.Exit(INTERRUPTED) from None


def _network_of(game: Game, name: str) -> np.ndarray:
    """The network to begin with."""
    from forgeron.kernels.network import is_network

    network = game.evaluation(name)
    if not is_network(network):
        from forgeron.core.errors import OptionError

        raise OptionError(f"{name} is no network: say network, or the name of a file (.network)")
    return network


def _learn(
    console: Console, positions: Positions, training: Training, candidate: Path, start: np.ndarray | None
) -> None:
    """Train, write the network, and draw how the losses fell."""
    from forgeron.learning.loss_curves import save_curves
    from forgeron.learning.network_training import export
    from forgeron.learning.network_training import train as run

    done = []
    model = None
    for epoch, trained in run(positions, training, candidate.with_name("checkpoint.pt"), start):
        model = trained
        done.append(epoch)
        console.print(describe(epoch, training.epochs), soft_wrap=True)
    games = len(positions.firsts) - 1
    note = f"{len(positions)} positions of {games} games, {training.epochs} epochs, seed {training.seed}"
    mean, most = export(candidate, positions, model, note)
    console.print(f"whole numbers differ from the model by {mean:.4f} log-odds on the average, at most {most:.3f}")
    pictures = save_curves(done, candidate.parent, f"{positions.game.title}: loss by epoch")
    console.print(f"loss curves: {', '.join(map(str, pictures))}", soft_wrap=True)


def _conclude(console: Console, event: Match | None, where: Executor, candidate: Path, target: Path, game: str) -> None:
    """Play the match, and put the network in its place if it is the stronger one."""
    from forgeron.core.files import write_file
    from forgeron.learning.promotion import is_promoted

    if event is not None:
        standing = _play_trial(console, event, where, candidate)
        if not is_promoted(standing):
            console.print(f"not promoted: not shown to be stronger; it stays in {candidate}", soft_wrap=True)
            return
    write_file(target, candidate.read_bytes())
    said = "promoted" if event is not None else "network (no match was played)"
    console.print(f"{said}: {target}; to play with it:", soft_wrap=True)
    console.print(f"  forgeron match {game} minimax:eval={target} minimax", soft_wrap=True)


def _play_trial(console: Console, event: Match, where: Executor, candidate: Path) -> Standing:
    from forgeron.arena.journal import Journal
    from forgeron.arena.match import play_match
    from forgeron.cli.match import follow_match
    from forgeron.learning.promotion import trial_journal

    champion = event.entrants[1].options["eval"]
    console.print(f"match against {champion}, at most {event.games} games at {event.terms.time}", soft_wrap=True)
    with Journal(trial_journal(candidate.parent, candidate), event.settings()) as kept:
        say_resumed(console, kept)
        standing = follow_match(console, event, play_match(event, kept, where))
    console.print(verdict_line(standing), soft_wrap=True)
    return standing


def verdict_line(standing: Standing) -> str:
    """How the match ended, in a line."""
    from forgeron.reports.formatting import with_error

    verdict = standing.verdict
    assert verdict is not None
    won = f"{standing.points:g} of {standing.games} points, Elo {with_error(standing.summary.elo)}"
    return f"{won}: test {verdict.decision} (LLR {verdict.llr:.2f} of {verdict.lower:.2f} … {verdict.upper:.2f})"


def describe(epoch: Epoch, epochs: int) -> str:
    """An epoch in a line."""
    losses = f"training {epoch.training:.4f}, kept back {epoch.validation:.4f} (results alone {epoch.results:.4f})"
    return f"epoch {epoch.number} of {epochs}: loss {losses}"
