"""AlphaZero in small: a network learns Connect Four from its own games. Needs PyTorch: pip install 'forgeron[train]'

python examples/learning/alphazero.py [ROUNDS]      20 rounds take some minutes
"""

import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn

import forgeron

GAME = forgeron.game(str(Path(__file__).parent.parent / "game_connect_four.py"))
ACTIONS, INPUTS = GAME.action_space, GAME.start().observe(0).size

body = nn.Sequential(nn.Flatten(), nn.Linear(INPUTS, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
heads = nn.ModuleDict({"policy": nn.Linear(256, ACTIONS), "value": nn.Linear(256, 1)})
optimiser = torch.optim.Adam([*body.parameters(), *heads.parameters()], lr=1e-3, weight_decay=1e-4)


def evaluate(leaves):
    """Values and policies of a batch of positions, as the search wants them."""
    with torch.no_grad():
        found = body(torch.tensor(leaves.observations, dtype=torch.float32))
        logits = heads["policy"](found).masked_fill(torch.tensor(leaves.masks) == 0, -1e9)
        return torch.sigmoid(heads["value"](found)).squeeze(1).numpy(), torch.softmax(logits, 1).numpy()


def self_play(player, rng, simulations):
    """What was seen in one game, how often each action was tried there, and how it ended for the player to move."""
    position, seen, tried, movers = GAME.start(), [], [], []
    while position.turn is not None:
        player.analyse(position, forgeron.Limit(nodes=simulations))
        seen.append(position.observe(position.turn))
        tried.append(player.visits / player.visits.sum())
        movers.append(position.turn)
        explores = len(seen) <= 12
        position = position.act(int(rng.choice(ACTIONS, p=tried[-1]) if explores else tried[-1].argmax()))
    winner = position.outcome.winner
    return seen, tried, [0.5 if winner is None else float(winner == mover) for mover in movers]


def learn(examples, rng, steps=60):
    seen, tried, won = (np.array(part, dtype=np.float32) for part in zip(*examples, strict=True))
    for _ in range(steps):
        rows = rng.integers(len(seen), size=256)
        found = body(torch.from_numpy(seen[rows]))
        loss = nn.functional.cross_entropy(heads["policy"](found), torch.from_numpy(tried[rows]))
        value = heads["value"](found).squeeze(1)
        loss = loss + nn.functional.binary_cross_entropy_with_logits(value, torch.from_numpy(won[rows]))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return loss.item()


def score_against(name, games, simulations):
    """Points of the search by the network against another player, seats in turn."""
    players = forgeron.player("mcts", GAME, evaluator=evaluate, batch=8), forgeron.player(name, GAME, seed=1)
    points = 0.0
    for number in range(games):
        position = GAME.start()
        while position.turn is not None:
            mover = players[(position.turn + number) % 2]
            position = position.play(mover.choose(position, forgeron.Limit(nodes=simulations)).move)
        winner = position.outcome.winner
        points += 0.5 if winner is None else float(winner == number % 2)
    return points / games


def main(rounds, games=25, simulations=64):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    rng, examples = np.random.default_rng(0), []
    for number in range(rounds):
        player = forgeron.player("mcts", GAME, evaluator=evaluate, noise=True, batch=8, seed=number)
        for _ in range(games):
            examples.extend(zip(*self_play(player, rng, simulations), strict=True))
        loss = learn(examples[-20_000:], rng)
        print(f"round {number + 1}: {len(examples):,} positions, loss {loss:.3f}", flush=True)
    for other in ("random", "greedy"):
        print(f"against {other}: {score_against(other, 20, simulations):.0%} of the points in 20 games")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
