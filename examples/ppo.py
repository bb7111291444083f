"""Masked PPO that learns The Acts of the Evangelists for two players by self-play, in plain torch on `Batch`.

    pip install triclinium[research] torch
    python examples/ppo.py 10        # minutes

One network plays both seats, because observations number seats from the asked one. In half of the matches greedy plays
one seat, and its decisions are not used for training. The reward is the win plus the final lead. The current lead is
known at any time, so the value head only learns the expected change. Finally the network meets random and greedy bots
with its most probable options.

Ten minutes on two cores with the compiled build are 1,773,568 decisions in 13,637 matches. The network then wins 99% of
400 matches against random. It wins 6% against greedy, which evaluates the position after every option and needs no
training. After two minutes it wins 98% and 3%, and without the current lead 96% and 1%.
"""

import sys
import time
from typing import Any

import numpy as np

from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.rng import Rng
from triclinium.engine.registry import load_game
from triclinium.research.batch import Batch
from triclinium.research.network_inputs import NetworkInputs
from triclinium.research.vector_env import SingleSeatVectorEnv

try:
    import torch
    from torch import nn
except ImportError:
    sys.exit("torch is missing; pip install torch")

GAME = load_game("evangelists")
SEATS, MATCHES, STEPS = 2, 64, 64  # a rollout has this many steps in this many matches
EPOCHS, PARTS, CLIP, ENTROPY, LAMBDA, RATE = 3, 8, 0.2, 0.01, 0.95, 5e-4
MARGIN = 1.0  # weight of the final lead relative to the win
TAUGHT = 32  # number of matches with greedy in one seat
HIDDEN, FORBIDDEN = 128, -1e9
GREEDY = create_bot("greedy", GAME)


class Player:
    """A network with two hidden layers.

    Its outputs are the policy over all options and the value for the asked seat.
    """

    def __init__(self) -> None:
        self.inputs = NetworkInputs(GAME, SEATS)
        size = GAME.notation.size
        body = [nn.Linear(self.inputs.size, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU()]
        self.net = nn.Sequential(*body, nn.Linear(HIDDEN, size + 1))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=RATE)

    def look(self, rows: Any, mask: Any) -> tuple[Any, Any]:
        """Return the policy over the legal options, and the values."""
        out = self.net(torch.from_numpy(self.inputs.expand(rows)))
        odds = torch.distributions.Categorical(logits=out[:, :-1].masked_fill(~torch.from_numpy(mask), FORBIDDEN))
        return odds, out[:, -1]

    def learn(self, rows: Any, mask: Any, chosen: Any, before: Any, gained: Any, wanted: Any) -> None:
        """Optimise the clipped objective of PPO over the whole rollout, several times."""
        gained = (gained - gained.mean()) / (gained.std() + 1e-8)
        for _ in range(EPOCHS):
            for part in np.array_split(np.random.default_rng().permutation(len(rows)), PARTS):
                odds, values = self.look(rows[part], mask[part])
                ratio = (odds.log_prob(chosen[part]) - before[part]).exp()
                clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
                loss = -torch.min(ratio * gained[part], clipped * gained[part]).mean()
                loss = loss + (values - wanted[part]).square().mean() - ENTROPY * odds.entropy().mean()
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                self.optimizer.step()


def ahead(batch: Batch) -> Any:
    """Return the current lead of the asked seat in each match."""
    return MARGIN * np.array([GAME.margins(s)[s.who] for s in batch.states], np.float32)


def rollout(batch: Batch, player: Player, rng: Rng) -> tuple[Any, ...]:
    """Play a rollout and return the training data, with advantages (GAE) for the seat of each decision."""
    rows, masks, seats, chosen, logs, values, ended, own, lead = [], [], [], [], [], [], [], [], []
    each = np.arange(MATCHES)
    with torch.no_grad():
        for _ in range(STEPS):
            rows.append(batch.observations())
            masks.append(batch.mask())
            seats.append(batch.acting_seats())
            odds, value = player.look(rows[-1], masks[-1])
            option = odds.sample()
            lead.append(ahead(batch))
            own.append((each >= TAUGHT) | (seats[-1] != each % SEATS))
            for i in np.flatnonzero(~own[-1]).tolist():
                option[i] = choose_option(GREEDY, batch.states[i], rng)
            batch.step(option.tolist())
            chosen.append(option)
            logs.append(odds.log_prob(option))
            values.append(value.numpy() + lead[-1])
            ended.append(list(zip(batch.finished, batch.final_states, strict=True)))
        last = player.look(batch.observations(), batch.mask())[1].numpy() + ahead(batch)
    # the value of each seat's next decision; one seat loses what the other wins
    value_next = np.zeros((MATCHES, SEATS), np.float32)
    value_next[each, batch.acting_seats()], value_next[each, 1 - batch.acting_seats()] = last, -last
    gain_next = np.zeros((MATCHES, SEATS), np.float32)
    reward = np.zeros((MATCHES, SEATS), np.float32)  # the reward since the seat's last decision
    gains = np.zeros((STEPS, MATCHES), np.float32)
    for t in reversed(range(STEPS)):
        for (i, returns), final in ended[t]:
            value_next[i] = gain_next[i] = 0.0
            reward[i] = np.array(returns) - 1 / SEATS + MARGIN * np.array(GAME.margins(final))
        who = seats[t]
        delta = reward[each, who] + value_next[each, who] - values[t]
        gains[t] = gain_next[each, who] = delta + LAMBDA * gain_next[each, who]
        value_next[each, who], reward[each, who] = values[t], 0.0
    mine = np.flatnonzero(np.concatenate(own))
    gained, valued = gains.reshape(-1)[mine], (np.concatenate(values) - np.concatenate(lead))[mine]
    return (
        *(np.concatenate(rows)[mine], np.concatenate(masks)[mine], torch.cat(chosen)[mine], torch.cat(logs)[mine]),
        *(torch.from_numpy(gained), torch.from_numpy(gained + valued)),
    )


def share(player: Player, rival: str, matches: int) -> float:
    """Return the share of the win against a bot in this many matches, with a random seat in each."""
    many = SingleSeatVectorEnv(GAME, SEATS, num_envs=min(32, matches), rivals=rival)
    rows, info = many.reset(seed=1)
    won, over = 0.0, 0
    while over < matches:
        with torch.no_grad():
            odds, _ = player.look(rows, info["action_mask"].astype(bool))
        rows, rewards, ended, _, info = many.step(odds.probs.argmax(dim=1).numpy())
        won += float((rewards[ended] + 1 / SEATS).sum())
        over += int(ended.sum())
    return won / over


def main(minutes: float, matches: int = 400) -> dict[str, float]:
    """Return the share of the win against each bot after this many minutes of training."""
    torch.manual_seed(1)
    player, batch, made = Player(), Batch(GAME, SEATS, MATCHES, seed=1), 0
    begun, rng = time.monotonic(), Rng(1)
    while (left := 1 - (time.monotonic() - begun) / (60 * minutes)) > 0:
        player.optimizer.param_groups[0]["lr"] = RATE * max(left, 0.05)
        player.learn(*rollout(batch, player, rng))
        made += STEPS * MATCHES
    sys.stdout.write(f"{made:,} decisions, {batch.deal_count:,} matches\n")
    return {rival: round(share(player, rival, matches), 3) for rival in ("random", "greedy")}


if __name__ == "__main__":
    sys.stdout.write(f"{main(float(sys.argv[1]))}\n")
