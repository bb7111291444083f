"""Two studies of what play needs: restricted play, in which one seat may never take something, and a ladder of bots."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from triclinium.bots import assign_bots, choose_option, create_bot
from triclinium.engine.core.errors import BadSetup, suggest_names
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.option_components import Component, map_axis_words
from triclinium.lab.study.plan import Edition, StudyArm, StudyPlan
from triclinium.lab.study.study_file import PRINTED, EditionRequest, Study, make_edition

CARDS, PLACES = ("card", "pile"), ("place", "track")  # shapes of components that --cards and --places ask for first
FREE_PLAY = "free"  # the arm in which nothing is banned
DEFAULT_MATCHES = 150  # of each ban, and of each step of a ladder
LADDER_BOTS = ("novice", "greedy", "steady", "strong@100x")
RANDOM_MATCHES = 3  # matches of random bots that say which verbs and components options are about


def find_optional_verbs(game: Game, seats: int) -> list[str]:
    """The verbs that stand beside others: where one alone is asked, nobody can do without it."""
    optional: set[str] = set()
    for s in _play_random_positions(game, seats):
        verbs = {game.notation.verb_of(o).word for o in s.legal}
        optional |= verbs if len(verbs) > 1 else set()
    return [verb.word for verb in game.verbs if verb.word in optional and not verb.closes]


def find_option_components(game: Game, seats: int) -> list[Component]:
    """Return the cards, places and other components that options can be about: whole tables of them."""
    tables = {
        kind for axes in map_axis_words(game.verbs, game.ids).values() for axis in axes for kind, _ in axis.values()
    }
    for s in _play_random_positions(game, seats):
        tables |= {game.all_components[n].table for o in s.legal for n in game.option_components(s, o)}
    return [component for component in game.all_components if component.table in tables]


def _play_random_positions(game: Game, seats: int) -> Iterator[State]:
    """Yield the positions of a few matches of random bots; each is read before the next is asked for."""
    player = create_bot("random", game)
    for seed in range(RANDOM_MATCHES):
        s, rng = game.deal(seats, seed), Rng(seed)
        while not s.over:
            yield s
            s.choose(choose_option(player, s, rng))


def parse_component(game: Game, seats: int, text: str, shapes: Sequence[str]) -> str:
    """Return table and id of the component that a text names: ``G01``, ``card G01``, ``card:G01`` or its name.

    Where several tables have the id, a table of one of these shapes comes first. Raise BadSetup if there is none.
    """
    reader = game.words.reader()
    wanted = text.replace(":", " ").lower()
    components = find_option_components(game, seats)
    names = {
        id(component): (component.id, format_component_address(component), reader.format_arg(component.name))
        for component in components
    }
    matching = [component for component in components if wanted in (name.lower() for name in names[id(component)])]
    kinds = game.kinds()
    shaped = [
        component for component in matching if component.table in kinds and kinds[component.table].shape in shapes
    ]
    matching = shaped or matching
    if len(matching) == 1:
        return format_component_address(matching[0])
    if matching:
        several = ", ".join(repr(format_component_address(component)) for component in matching)
        raise BadSetup(f"{game.id} has several components {text!r}: write one of {several}")
    close = suggest_names(text, [name for component in components for name in names[id(component)]])
    raise BadSetup(f"no option of {game.id} takes a component {text!r}; {close} --cards list names them all")


def format_component_address(component: Component) -> str:
    return f"{component.table} {component.id}"


def make_ban_plan(study: Study) -> StudyPlan:
    """For each verb, card and place an arm in which the first of the bots, at every place in turn, may never take it.

    One more arm plays the same deals with the same chance and nothing banned: what a ban costs is measured against it.
    """
    study = study.validate()
    game = study.load_game()
    seats = study.get_seat_count()
    verb_words = [verb.word for verb in game.verbs]
    for word in study.verbs:
        if word not in verb_words:
            raise BadSetup(f"{study.game} has no verb {word!r}; {suggest_names(word, verb_words)}")
    components = [parse_component(game, seats, text, CARDS) for text in study.banned_cards]
    components += [parse_component(game, seats, text, PLACES) for text in study.banned_places]
    components = list(dict.fromkeys(components))
    verbs = study.verbs or (() if components else tuple(find_optional_verbs(game, seats)))
    if not verbs and not components:
        raise BadSetup(f"{study.game} has no verb that one could do without")
    deals = -(-(study.matches or DEFAULT_MATCHES) // seats)
    arms: list[StudyArm] = []
    for kind, check in ((study.bots, False), (study.check_bots(), True)):
        if kind:
            bots = tuple(assign_bots(kind, seats))
            arms += [StudyArm(0, bots, deals, check, banned=verb, name=verb) for verb in verbs]
            arms += [StudyArm(0, bots, deals, check, component=component, name=component) for component in components]
            arms.append(StudyArm(0, bots, deals, check, name=FREE_PLAY, rotates=True))
    return study.build_plan(_select_single_edition(study, game), arms)


def make_ladder_plan(study: Study) -> StudyPlan:
    """Each bot alone among the next weaker ones, at every place in turn."""
    rungs = study.bots if len(study.bots) > 1 else LADDER_BOTS
    for rung in rungs:
        study = replace(study, bots=(rung,), also=()).validate()
    seats = study.get_seat_count()
    deals = -(-(study.matches or DEFAULT_MATCHES) // seats)
    arms = [
        StudyArm(0, (better, *[worse] * (seats - 1)), deals, name=f"{better} / {worse}")
        for worse, better in itertools.pairwise(rungs)
    ]
    return study.build_plan(_select_single_edition(study, study.load_game()), arms)


def _select_single_edition(study: Study, game: Game) -> list[Edition]:
    """One edition: the first that the study names, or the printed one."""
    if len(study.editions) > 1:
        raise BadSetup("a ban or a ladder is played on one edition")
    return [make_edition(game, study.editions[0] if study.editions else EditionRequest(PRINTED))]
