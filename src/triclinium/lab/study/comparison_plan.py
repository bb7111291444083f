"""Plan of a study that compares editions, or that measures a single one."""

from dataclasses import replace

from triclinium.bots import assign_bots
from triclinium.engine.core.errors import BadSetup
from triclinium.lab.study.editions import make_edition
from triclinium.lab.study.plan import Edition, StudyArm, StudyPlan, build_plan
from triclinium.lab.study.study_file import PRINTED, REPLAYS, EditionRequest, Study


def make_editions(study: Study) -> tuple[Edition, ...]:
    """Return the editions of a study, the control edition first.

    The control edition is the printed one unless the study names two or more editions.
    """
    game = study.load_game()
    made = tuple(make_edition(game, request) for request in study.editions)
    return made if len(made) > 1 else (make_edition(game, EditionRequest(PRINTED)), *made)


def make_comparison_plan(study: Study) -> StudyPlan:
    """Return the plan of a study that compares editions or measures one. Raise BadSetup or BadComponents."""
    study = study.validate()
    editions = make_editions(study)
    deals = replace(study, editions=tuple(EditionRequest(each.name) for each in editions)).count_deals()
    bots = tuple(assign_bots(study.bots, study.get_seat_count()))
    arms = [StudyArm(i, bots, deals) for i in range(len(editions))]
    if study.check_bots():
        other = tuple(assign_bots(study.check_bots(), study.get_seat_count()))
        arms += [StudyArm(i, other, study.count_check_deals(deals), check=True) for i in range(len(editions))]
    if again := study.count_replayed_deals(deals):
        arms += [StudyArm(0, bots, again, again=time) for time in range(1, REPLAYS + 1)]
    plan = build_plan(study, editions, arms)
    # A changed number may limit how many can play, so every edition is dealt once.
    for i, edition in enumerate(editions):
        try:
            plan.load_edition_game(i).deal(
                plan.seats, plan.seed, plan.load_edition_game(i).read_variants(dict(plan.variants))
            )
        except BadSetup as error:
            raise BadSetup(f"the edition {edition.name!r} cannot be dealt: {error}") from None
    return plan
