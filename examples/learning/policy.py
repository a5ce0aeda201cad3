"""A policy learns Connect Four by playing against itself, thousands of games at a time, and is then a player like any
other. Learning needs PyTorch: pip install 'forgeron[train]'; playing needs NumPy alone.

    python examples/learning/policy.py [UPDATES]                     learns, writes policy.npz, plays two matches
    forgeron match examples/game_connect_four.py examples/learning/policy.py greedy --time 100n
"""

import sys
from pathlib import Path

import numpy as np

import forgeron
from forgeron.interop.batch import GameBatch

GAME_FILE = Path(__file__).parent.parent / "game_connect_four.py"
WEIGHTS = Path(__file__).with_name("policy.npz")
HIDDEN, GAMES, STEPS = 256, 1024, 24
#: How much of what really followed counts, against what the network thought of the next position (TD(λ)).
TRACE = 0.9


class PolicyPlayer(forgeron.Player):
    """Plays the legal move that the network rates highest."""

    name = "policy"
    summary = "the move that the learnt policy rates highest"

    def warm(self):
        self.layers = np.load(WEIGHTS)

    def think(self, position, search):
        seen = position.observe(position.turn).reshape(-1).astype(np.float32)
        hidden = np.maximum(self.layers["w1"] @ seen + self.layers["b1"], 0)
        rated = self.layers["w2"] @ hidden + self.layers["b2"]
        value = 1 / (1 + np.exp(-2 * np.tanh(rated[-1])))
        best = max(range(len(position.moves)), key=lambda i: rated[position.actions[i]])
        move = position.legal_moves()[best]
        return forgeron.Choice(move, float(value), (move,), 0, 1, search.seconds)


def learn(updates):
    """Actor-critic: after each turn, what follows is worth the opposite to the one who moved."""
    import torch
    from torch import nn

    torch.manual_seed(0)
    torch.set_num_threads(1)
    batch = GameBatch(forgeron.game(str(GAME_FILE)), GAMES, seed=1)
    inputs, actions = batch.observations[0].size, batch.masks.shape[1]
    net = nn.Sequential(nn.Linear(inputs, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, actions + 1))
    optimiser = torch.optim.Adam(net.parameters(), lr=1e-3)
    for update in range(updates):
        kept = []
        for _ in range(STEPS):
            seen = torch.from_numpy(batch.observations.reshape(GAMES, -1).astype(np.float32))
            legal = torch.from_numpy(batch.masks.astype(bool))
            with torch.no_grad():
                out = net(seen)
                chosen = torch.distributions.Categorical(logits=out[:, :-1].masked_fill(~legal, -1e9)).sample()
            batch.step(chosen.numpy())
            ended, rewards = torch.from_numpy(batch.ended.copy()), torch.from_numpy(batch.rewards.copy())
            kept.append((seen, legal, chosen, ended, rewards, torch.tanh(out[:, -1])))
        with torch.no_grad():
            seen = torch.from_numpy(batch.observations.reshape(GAMES, -1).astype(np.float32))
            after = value = torch.tanh(net(seen)[:, -1])
        targets = []
        for _, _, _, ended, rewards, before in reversed(kept):
            after = torch.where(ended, rewards, -(TRACE * after + (1 - TRACE) * value))
            value = before
            targets.append(after)
        seen, legal, chosen, _, _, _ = (torch.cat(part) for part in zip(*kept, strict=True))
        target = torch.cat(targets[::-1])
        for rows in torch.randperm(len(target)).split(len(target) // 8):
            out = net(seen[rows])
            value = torch.tanh(out[:, -1])
            policy = torch.distributions.Categorical(logits=out[:, :-1].masked_fill(~legal[rows], -1e9))
            gain = (target[rows] - value.detach()) * policy.log_prob(chosen[rows])
            error = (target[rows] - value).pow(2).mean()
            loss = -gain.mean() + 0.5 * error - 0.04 * policy.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        if (update + 1) % 50 == 0 or update + 1 == updates:
            print(f"update {update + 1}: {batch.finished_games:,} games, error of the value {error:.3f}", flush=True)
    first, last = net[0], net[2]
    layers = {"w1": first.weight, "b1": first.bias, "w2": last.weight, "b2": last.bias}
    np.savez(WEIGHTS, **{name: layer.detach().numpy() for name, layer in layers.items()})


def main(updates, games=100):
    learn(updates)
    for other in ("random", "greedy"):
        print(forgeron.match(str(GAME_FILE), __file__, other, games=games, time="100n"))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
