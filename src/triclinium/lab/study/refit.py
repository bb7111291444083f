"""Bots fitted to each edition before they play it, for changes so large that bots fitted to the printed game play
badly.

All editions are treated alike, including the printed one. Fitting runs for a fixed number of generations rather than
seconds, so the same study fits the same weights on any machine.
"""

from collections.abc import Callable
from typing import TypeAlias

from triclinium.lab.learn.evolution import WeightSearch, learn_weights
from triclinium.lab.learn.weights import format_weights_toml
from triclinium.lab.study.plan import StudyPlan
from triclinium.lab.study.store import StudyFolder

GENERATIONS = 20
PROPOSALS = 48  # proposals in each generation
DATASET_MATCHES = 400  # matches that the value model is fitted to
TRAINABLE_BOTS = ("greedy", "steady")  # bots that can be fitted; the first one replaces any other bot

# function called with the edition, the number of generations done, and the number planned
FittingProgress: TypeAlias = Callable[[str, int, int], None]


def fit_bots(folder: StudyFolder, on_generation: FittingProgress | None = None) -> None:
    """Fit bots to every edition that has no fitted weights yet, and save the weights in the folder."""
    for i in folder.list_unfitted_editions():
        edition = folder.plan.editions[i]

        def report_generation(generation: int, best: float, name: str = edition.name) -> None:
            if on_generation is not None:
                on_generation(name, generation, GENERATIONS)

        report = learn_weights(_make_search(folder.plan), report_generation, folder.plan.load_edition_game(i))
        how = (
            f"Fitted to “{edition.name}” by {report['matches']} matches of {report['bot']} "
            f"with {report['seats']} seats."
        )
        folder.save_weights(i, format_weights_toml(report, how, folder.plan.load_edition_game(i).weights))


def _make_search(plan: StudyPlan) -> WeightSearch:
    kind = plan.arms[0].bots[0].partition("@")[0]
    return WeightSearch(
        plan.game,
        plan.seats,
        kind if kind in TRAINABLE_BOTS else TRAINABLE_BOTS[0],
        generations=GENERATIONS,
        proposals=PROPOSALS,
        trials=0,
        dataset_matches=DATASET_MATCHES,
        seed=plan.seed,
    )
