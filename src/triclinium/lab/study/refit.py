"""Bots that learn each edition before they play it: for a change so large that those of the printed game play it badly.

All editions are treated alike, the printed one too, and by as many generations, not by the clock: the same study fits
the same weights on any machine.
"""

from collections.abc import Callable
from typing import TypeAlias

from triclinium.lab.learn.evolution import Search, learn_weights
from triclinium.lab.learn.weights import weights_toml
from triclinium.lab.study.plan import Plan
from triclinium.lab.study.store import Folder

GENERATIONS = 20
PROPOSALS = 48  # of each
LESSONS = 400  # matches that the value model learns from
LEARNERS = ("greedy", "steady")  # who can learn; whoever else plays, greedy ones do

Fitting: TypeAlias = Callable[[str, int, int], None]  # the edition, generations done, and of how many


def fit_bots(folder: Folder, tell: Fitting | None = None) -> None:
    """Fit bots to every edition that none were fitted to; what is found lies in the folder."""
    for i in folder.unfitted():
        edition = folder.plan.editions[i]

        def hear(generation: int, best: float, name: str = edition.name) -> None:
            if tell is not None:
                tell(name, generation, GENERATIONS)

        found = learn_weights(_search(folder.plan), hear, folder.plan.game(i))
        how = f"Fitted to “{edition.name}” by {found['matches']} matches of {found['bot']} with {found['seats']} seats."
        folder.keep_weights(i, weights_toml(found, how, folder.plan.game(i).weights))


def _search(plan: Plan) -> Search:
    kind = plan.arms[0].bots[0].partition("@")[0]
    return Search(
        plan.title,
        plan.seats,
        kind if kind in LEARNERS else LEARNERS[0],
        generations=GENERATIONS,
        proposals=PROPOSALS,
        trials=0,
        dataset=LESSONS,
        seed=plan.seed,
    )
