"""Two studies of what play needs: a ban, in which one seat may never take a verb, and a ladder of bots."""

import itertools
from dataclasses import replace

from triclinium.bots import bot, play_out, seating
from triclinium.bots.base import Answer
from triclinium.engine.core.errors import BadSetup, nearest
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Seat
from triclinium.engine.game import Game
from triclinium.lab.study.plan import Arm, Edition, Plan
from triclinium.lab.study.studyfile import PRINTED, Study, Wanted, edition_of

MATCHES = 150  # of each ban, and of each step of a ladder
LADDER_BOTS = ("novice", "greedy", "steady", "strong@100x")
WALKS = 3  # matches that say which verbs can be done without


def free_verbs(game: Game, seats: int) -> list[str]:
    """The verbs that stand beside others: where one alone is asked, nobody can do without it."""
    found: set[str] = set()
    for seed in range(WALKS):
        s = game.deal(seats, seed)
        offered: list[set[str]] = [{game.notation.verb(o).word for o in s.legal}]

        def hear(seat: Seat, answer: Answer) -> None:
            offered.append({game.notation.verb(o).word for o in s.legal})  # noqa: B023

        play_out(s, [bot("random", game)] * seats, [Rng(seed + seat) for seat in range(seats)], hear)
        for verbs in offered:
            found |= verbs if len(verbs) > 1 else set()
    return [verb.word for verb in game.verbs if verb.word in found and not verb.closes]


def ban_plan(study: Study) -> Plan:
    """For each verb an arm in which the first of the bots, at every place in turn, may never take it."""
    study = study.checked()
    game = study.game()
    known = [verb.word for verb in game.verbs]
    for word in study.verbs:
        if word not in known:
            raise BadSetup(f"{study.title} has no verb {word!r}; {nearest(word, known)}")
    verbs = study.verbs or tuple(free_verbs(game, study.places()))
    if not verbs:
        raise BadSetup(f"{study.title} has no verb that one could do without")
    seats = study.places()
    deals = -(-(study.matches or MATCHES) // seats)
    arms: list[Arm] = []
    for kind, check in ((study.bots, False), (study.others(), True)):
        if kind:
            bots = tuple(seating(kind, seats))
            arms += [Arm(0, bots, deals, check, banned=verb, name=verb) for verb in verbs]
    return study.base(_edition(study, game), arms)


def ladder_plan(study: Study) -> Plan:
    """Each bot alone among the next weaker ones, at every place in turn."""
    rungs = study.bots if len(study.bots) > 1 else LADDER_BOTS
    for rung in rungs:
        study = replace(study, bots=(rung,), also=()).checked()
    seats = study.places()
    deals = -(-(study.matches or MATCHES) // seats)
    arms = [
        Arm(0, (better, *[worse] * (seats - 1)), deals, name=f"{better} / {worse}")
        for worse, better in itertools.pairwise(rungs)
    ]
    return study.base(_edition(study, study.game()), arms)


def _edition(study: Study, game: Game) -> list[Edition]:
    """One edition: the first that the study names, or the printed one."""
    if len(study.editions) > 1:
        raise BadSetup("a ban or a ladder is played on one edition")
    return [edition_of(game, study.editions[0] if study.editions else Wanted(PRINTED))]
