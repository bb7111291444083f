"""A ranker of options, learnt from what a search of The Acts of the Evangelists found; numpy alone.

    pip install triclinium[learn]
    python examples/rank.py 40 100       # matches, iterations of a search

lets a search play itself, fits a small network to the visits of its options, and tells how well the evaluation
foretells them on matches that were held out, alone and with the network: the cross entropy, and how often the first
choice is the same. `triclinium learn` does this at large, and tries what it has learnt against bots without it.

So, 995 decisions learnt from: the cross entropy falls from 1.165 to 1.033, where 0.850 is the least possible, and the
first choice agrees in 73 instead of 70 of 100.
"""

import sys

from triclinium.engine.registry import find_game
from triclinium.lab.learn.fit import fit
from triclinium.lab.learn.lessons import decisions_of, verbs_of
from triclinium.lab.learn.selfplay import SelfPlay, play_lesson


def main(matches: int, iterations: int) -> dict[str, float]:
    """Cross entropy and agreement, before and after."""
    game = find_game("evangelists")
    plan = SelfPlay(game.id, seats=(2,), matches=matches, iterations=iterations, seed=1)
    data = decisions_of(game, [play_lesson(plan, number) for number in range(matches)])
    learnt = fit(data, len(verbs_of(game)), seed=1)
    return {
        "decisions": learnt.decisions,
        "evaluation": round(learnt.before, 3),
        "with the ranker": round(learnt.after, 3),
        "least possible": round(learnt.entropy, 3),
        "agreed": round(learnt.agreed_before, 3),
        "agreed with it": round(learnt.agreed, 3),
    }


if __name__ == "__main__":
    sys.stdout.write(f"{main(int(sys.argv[1]), int(sys.argv[2]))}\n")
