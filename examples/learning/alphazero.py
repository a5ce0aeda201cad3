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
WEIGHTS = Path(__file__).with_name("alphazero.pt")
INPUTS, ACTIONS = GAME.start().observe(0).size, GAME.action_space
net = nn.Sequential(nn.Flatten(), nn.Linear(INPUTS, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
net.append(nn.Linear(256, ACTIONS + 1))  # a logit for every action, and one for winning


class AlphaZero(forgeron.EvaluatedMcts):
    """The search by the network; `forgeron match GAME alphazero.py greedy` plays it."""

    name = "alphazero"

    def warm(self):
        if WEIGHTS.exists():
            net.load_state_dict(torch.load(WEIGHTS))
        super().warm()

    def judge(self, leaves):
        with torch.no_grad():
            found = net(torch.tensor(leaves.observations, dtype=torch.float32))
        policies = found[:, :-1].masked_fill(torch.tensor(leaves.masks) == 0, -1e9).softmax(1)
        return torch.sigmoid(found[:, -1]).numpy(), policies.numpy()


def learn(observations, policies, results, optimiser, steps=60):
    for _ in range(steps):
        rows = np.random.randint(len(results), size=256)
        found = net(torch.from_numpy(observations[rows]).float())
        loss = nn.functional.cross_entropy(found[:, :-1], torch.from_numpy(policies[rows]))
        loss = loss + nn.functional.binary_cross_entropy_with_logits(found[:, -1], torch.from_numpy(results[rows]))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return loss.item()


def main(rounds, games=25):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    np.random.seed(0)
    optimiser = torch.optim.Adam(net.parameters(), lr=1e-3, weight_decay=1e-4)
    WEIGHTS.unlink(missing_ok=True)
    player, episodes = AlphaZero(GAME, {"noise": True, "batch": 8}), []
    for number in range(rounds):
        episodes += [player.self_play(forgeron.Limit(nodes=64), games * number + i) for i in range(games)]
        data = [np.concatenate(part)[-20_000:] for part in zip(*episodes, strict=True)]
        print(f"round {number + 1}: {len(data[2]):,} positions, loss {learn(*data, optimiser):.3f}", flush=True)
        torch.save(net.state_dict(), WEIGHTS)
    for other in ("random", "greedy"):
        print(forgeron.match(GAME, __file__, other, games=20, time="64n"))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
