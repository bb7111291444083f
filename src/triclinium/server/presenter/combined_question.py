"""A decision together with the question that follows it, as pages ask both: fewer clicks, the same options."""

from collections.abc import Callable
from dataclasses import replace

from triclinium.boardkit.combined_question import DEEP, Next, both, next_questions
from triclinium.boardkit.decision import Arranged, Section
from triclinium.engine.core.state import Seat, State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.match import TOGETHER
from triclinium.server.presenter.decision import Decision, Offer, decision

Change = Callable[[Offer], Offer]


def with_next(game: Game, s: State, seat: Seat, reader: Reader, seed: int, deep: int = 1) -> Decision:
    """What is asked, each option that leads on replaced by those of the question to which it leads."""
    found = decision(game, s, reader)
    if deep == DEEP:
        return found
    for one in next_questions(game, s, seat, seed):
        after = with_next(game, one.state, seat, reader, seed, deep + 1)
        said = game.say(one.option)
        first = next(offer for offer in found.allowed if offer.option == said)
        found = joined(found, first, prefixed(game, one, after, first, s, reader), one.is_quiet(s))
    return found


def prefixed(game: Game, one: Next, after: Decision, first: Offer, s: State, reader: Reader) -> Decision:
    """A next question whose options are chosen together with the one that leads to it."""
    quiet = one.is_quiet(s)
    safe = one.state.asked.safe(one.state)
    declined = game.say(safe) if safe in one.state.legal else ""

    def change(offer: Offer) -> Offer:
        label = offer.label
        if offer.option == declined and not quiet:
            label = first.label
        elif not quiet:
            label = reader.read(both(first.label, offer.label))
        return replace(offer, option=first.option + TOGETHER + offer.option, label=label)

    return replace(
        after,
        allowed=[change(offer) for offer in after.allowed],
        refused=[change(offer) for offer in after.refused],
        arranged=changed(after.arranged, change),
    )


def joined(here: Decision, first: Offer, after: Decision, quiet: bool) -> Decision:
    """Both questions as one. A first option that says nothing leaves the second question to be asked."""
    rest = without(here.arranged, first.option)
    own, more = (after, rest) if quiet else (here, after.arranged)
    groups = (own.arranged.groups if quiet else rest.groups) + more.groups
    groups.sort(key=lambda group: bool(group.folded))
    closing = after.arranged.closing + rest.closing
    return Decision(
        own.question,
        [offer for offer in here.allowed if offer is not first] + after.allowed,
        here.refused + after.refused,
        own.steps,
        Arranged(groups, closing),
        own.parts,
    )


def changed(arranged: Arranged[Offer], change: Change) -> Arranged[Offer]:
    """The same groups of changed offers."""
    groups = [
        replace(
            group, sections=[Section(part.name, [change(offer) for offer in part.offers]) for part in group.sections]
        )
        for group in arranged.groups
    ]
    return Arranged(groups, [change(offer) for offer in arranged.closing])


def without(arranged: Arranged[Offer], option: str) -> Arranged[Offer]:
    """All but one."""
    groups = [
        replace(group, sections=[Section(part.name, kept) for part in group.sections if (kept := _but(part, option))])
        for group in arranged.groups
    ]
    return Arranged(
        [group for group in groups if group.sections],
        [offer for offer in arranged.closing if offer.option != option],
    )


def _but(part: Section[Offer], option: str) -> list[Offer]:
    return [offer for offer in part.offers if offer.option != option]
