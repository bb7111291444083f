"""Two studies of what play needs: restricted play, in which one seat may never take something, and a ladder of bots."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from triclinium.bots import bot, choice, seating
from triclinium.engine.core.errors import BadSetup, nearest
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.option_components import Component, meanings
from triclinium.lab.study.plan import Arm, Edition, Plan
from triclinium.lab.study.study_file import PRINTED, Study, Wanted, edition_of

CARDS, PLACES = ("card", "pile"), ("place", "track")  # shapes of components that --cards and --places ask for first
FREE = "free"  # the arm in which nothing is banned
MATCHES = 150  # of each ban, and of each step of a ladder
LADDER_BOTS = ("novice", "greedy", "steady", "strong@100x")
WALKS = 3  # matches of random bots that say which verbs and components options are about


def free_verbs(game: Game, seats: int) -> list[str]:
    """The verbs that stand beside others: where one alone is asked, nobody can do without it."""
    found: set[str] = set()
    for s in _random_positions(game, seats):
        verbs = {game.notation.verb(o).word for o in s.legal}
        found |= verbs if len(verbs) > 1 else set()
    return [verb.word for verb in game.verbs if verb.word in found and not verb.closes]


def free_components(game: Game, seats: int) -> list[Component]:
    """Return the cards, places and other components that options can be about: whole tables of them."""
    tables = {kind for axes in meanings(game.verbs, game.ids).values() for axis in axes for kind, _ in axis.values()}
    for s in _random_positions(game, seats):
        tables |= {game.things[n].table for o in s.legal for n in game.subjects(s, o)}
    return [one for one in game.things if one.table in tables]


def _random_positions(game: Game, seats: int) -> Iterator[State]:
    """Yield the positions of a few matches of random bots; each is read before the next is asked for."""
    player = bot("random", game)
    for seed in range(WALKS):
        s, rng = game.deal(seats, seed), Rng(seed)
        while not s.over:
            yield s
            s.choose(choice(player, s, rng))


def read_component(game: Game, seats: int, text: str, shapes: Sequence[str]) -> str:
    """Return table and id of the component that a text names: ``G01``, ``card G01``, ``card:G01`` or its name.

    Where several tables have the id, a table of one of these shapes comes first. Raise BadSetup if there is none.
    """
    reader = game.words.reader()
    wanted = text.replace(":", " ").lower()
    known = free_components(game, seats)
    names = {id(one): (one.id, address(one), reader.say(one.name)) for one in known}
    found = [one for one in known if wanted in (name.lower() for name in names[id(one)])]
    kinds = game.kinds()
    shaped = [one for one in found if one.table in kinds and kinds[one.table].shape in shapes]
    found = shaped or found
    if len(found) == 1:
        return address(found[0])
    if found:
        several = ", ".join(repr(address(one)) for one in found)
        raise BadSetup(f"{game.id} has several components {text!r}: write one of {several}")
    close = nearest(text, [name for one in known for name in names[id(one)]])
    raise BadSetup(f"no option of {game.id} takes a component {text!r}; {close} --cards list names them all")


def address(one: Component) -> str:
    return f"{one.table} {one.id}"


def ban_plan(study: Study) -> Plan:
    """For each verb, card and place an arm in which the first of the bots, at every place in turn, may never take it.

    One more arm plays the same deals with the same chance and nothing banned: what a ban costs is measured against it.
    """
    study = study.checked()
    game = study.game()
    seats = study.places()
    known = [verb.word for verb in game.verbs]
    for word in study.verbs:
        if word not in known:
            raise BadSetup(f"{study.title} has no verb {word!r}; {nearest(word, known)}")
    components = [read_component(game, seats, text, CARDS) for text in study.banned_cards]
    components += [read_component(game, seats, text, PLACES) for text in study.banned_places]
    components = list(dict.fromkeys(components))
    verbs = study.verbs or (() if components else tuple(free_verbs(game, seats)))
    if not verbs and not components:
        raise BadSetup(f"{study.title} has no verb that one could do without")
    deals = -(-(study.matches or MATCHES) // seats)
    arms: list[Arm] = []
    for kind, check in ((study.bots, False), (study.others(), True)):
        if kind:
            bots = tuple(seating(kind, seats))
            arms += [Arm(0, bots, deals, check, banned=verb, name=verb) for verb in verbs]
            arms += [Arm(0, bots, deals, check, component=one, name=one) for one in components]
            arms.append(Arm(0, bots, deals, check, name=FREE, rotates=True))
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
