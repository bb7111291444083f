"""Two kinds of study about strategy: restricted play, where one seat may never take something, and a ladder of bots."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from triclinium.bots import assign_bots, choose_option, create_bot
from triclinium.engine.core.errors import BadSetup, suggest_names
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.option_components import Component, map_axis_words
from triclinium.lab.study.editions import make_edition
from triclinium.lab.study.plan import Edition, StudyArm, StudyPlan, build_plan
from triclinium.lab.study.study_file import PRINTED, EditionRequest, Study

CARDS, PLACES = ("card", "pile"), ("place", "track")  # shapes of components that --cards and --places search first
UNRESTRICTED = "unrestricted"  # name of the arm without a ban
DEFAULT_MATCHES = 150  # matches of each ban, and of each step of a ladder
LADDER_BOTS = ("novice", "greedy", "steady", "strong@100x")
RANDOM_MATCHES = 3  # random matches that show which verbs and components options can have


def find_optional_verbs(game: Game, seats: int) -> list[str]:
    """Return the verbs that appear together with others. A verb that is the only choice cannot be avoided."""
    optional: set[str] = set()
    for s in _play_random_positions(game, seats):
        verbs = {game.notation.verb_of(o).word for o in s.legal}
        optional |= verbs if len(verbs) > 1 else set()
    return [verb.word for verb in game.verbs if verb.word in optional and not verb.closes]


def find_option_components(game: Game, seats: int) -> list[Component]:
    """Return the cards, places and other components that options can refer to, as whole tables."""
    tables = {
        kind for axes in map_axis_words(game.verbs, game.ids).values() for axis in axes for kind, _ in axis.values()
    }
    for s in _play_random_positions(game, seats):
        tables |= {game.all_components[n].table for o in s.legal for n in game.option_components(s, o)}
    return [component for component in game.all_components if component.table in tables]


def _play_random_positions(game: Game, seats: int) -> Iterator[State]:
    """Yield the positions of a few random matches. The caller must read each position before asking for the next."""
    player = create_bot("random", game)
    for seed in range(RANDOM_MATCHES):
        s, rng = game.deal(seats, seed), Rng(seed)
        while not s.over:
            yield s
            s.choose(choose_option(player, s, rng))


def parse_component(game: Game, seats: int, text: str, shapes: Sequence[str]) -> str:
    """Return table and id of the component that a text names: ``G01``, ``card G01``, ``card:G01`` or its name.

    If several tables have the id, tables of the given shapes come first. Raise BadSetup if no component matches.
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
    raise BadSetup(f"no option of {game.id} takes a component {text!r}; {close} --cards list prints all of them")


def format_component_address(component: Component) -> str:
    return f"{component.table} {component.id}"


def make_ban_plan(study: Study) -> StudyPlan:
    """Return a plan with one arm for each banned verb, card or place, in which the first bot may never take it.

    The restricted bot plays at every place in turn. One more arm plays the same deals without a ban, with the same
    random numbers. The cost of a ban is measured against it.
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
        raise BadSetup(f"{study.game} has no verb that a ban could forbid")
    deals = -(-(study.matches or DEFAULT_MATCHES) // seats)
    arms: list[StudyArm] = []
    for kind, check in ((study.bots, False), (study.check_bots(), True)):
        if kind:
            bots = tuple(assign_bots(kind, seats))
            arms += [StudyArm(0, bots, deals, check, banned=verb, name=verb) for verb in verbs]
            arms += [StudyArm(0, bots, deals, check, component=component, name=component) for component in components]
            arms.append(StudyArm(0, bots, deals, check, name=UNRESTRICTED, rotates=True))
    return build_plan(study, _select_single_edition(study, game), arms)


def make_ladder_plan(study: Study) -> StudyPlan:
    """Return a plan in which each bot plays alone among the next weaker ones, at every place in turn."""
    rungs = study.bots if len(study.bots) > 1 else LADDER_BOTS
    for rung in rungs:
        study = replace(study, bots=(rung,), also=()).validate()
    seats = study.get_seat_count()
    deals = -(-(study.matches or DEFAULT_MATCHES) // seats)
    arms = [
        StudyArm(0, (better, *[worse] * (seats - 1)), deals, name=f"{better} / {worse}")
        for worse, better in itertools.pairwise(rungs)
    ]
    return build_plan(study, _select_single_edition(study, study.load_game()), arms)


def _select_single_edition(study: Study, game: Game) -> list[Edition]:
    """Return the only edition of a study: the one it names, or the printed one. Raise BadSetup if it names several."""
    if len(study.editions) > 1:
        raise BadSetup("a study of a ban or a ladder has only one edition")
    return [make_edition(game, study.editions[0] if study.editions else EditionRequest(PRINTED))]
