"""Clauses of hints on what a player visits, reaches or has after one option and not after another."""

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.games.missionnaires.rules.components import OFF
from triclinium.games.missionnaires.rules.state import Missionnaires

Clause = tuple[str, tuple[int, ...]]


def describe_visit(better: Missionnaires, other: Missionnaires, seat: Seat) -> Clause | None:
    """Return a clause on a congregation that the player has visited, or is nearer to."""
    c = better.c
    visited = [card for card in other.hand[seat] if card not in better.hand[seat]]
    if visited and len(better.hand[seat]) < len(other.hand[seat]):
        return msgid("you visit {0:space}"), (c.congregation_at[visited[0]],)
    return describe_nearer_goal(better, other, seat)


def describe_nearer_goal(better: Missionnaires, other: Missionnaires, seat: Seat) -> Clause | None:
    """Return a clause on the nearest congregation that is still to visit, or the Bethel, if the player is nearer."""
    if OFF in (better.at[seat], other.at[seat]):
        return None
    goals = list_goals(better, other, seat)
    return describe_distance(better, other, seat, min(goals, key=lambda goal: better.c.distance[better.at[seat]][goal]))


def describe_any_nearer_goal(better: Missionnaires, other: Missionnaires, seat: Seat) -> Clause | None:
    """Return a clause on the congregation that is still to visit, or the Bethel, to which the player is most nearer."""
    if OFF in (better.at[seat], other.at[seat]):
        return None
    far, goals = better.c.distance, list_goals(better, other, seat)
    return describe_distance(
        better, other, seat, max(goals, key=lambda goal: far[other.at[seat]][goal] - far[better.at[seat]][goal])
    )


def list_goals(better: Missionnaires, other: Missionnaires, seat: Seat) -> list[int]:
    """Return the congregations that the player must still visit after both options, or else the Bethel."""
    c = better.c
    return [c.congregation_at[card] for card in better.hand[seat] if card in other.hand[seat]] or [c.bethel]


def describe_distance(better: Missionnaires, other: Missionnaires, seat: Seat, goal: int) -> Clause | None:
    c = better.c
    saved = c.distance[other.at[seat]][goal] - c.distance[better.at[seat]][goal]
    if saved <= 0:
        return None
    if goal == c.bethel:
        return msgid("you are {1} {1:space|spaces} nearer to the Bethel"), (goal, saved)
    return msgid("you are {1} {1:space|spaces} nearer to {0:space}, which you still have to visit"), (goal, saved)


def describe_moved_pawn(better: Missionnaires, other: Missionnaires, seat: Seat) -> Clause | None:
    """Return a clause on another player who is farther from home, or a gendarme who is farther from the next goal."""
    far = better.c.distance
    for rival in range(better.seats):
        here, there = better.at[rival], other.at[rival]
        if rival != seat and here != there and OFF not in (here, there):
            more = far[here][better.c.bethel] - far[there][better.c.bethel]
            text = msgid("{0:seat} is {1} {1:space|spaces} farther from the Bethel")
            return (text, (rival, more)) if more > 0 else None
    moved = [(a, b) for a, b in zip(better.gendarmes, other.gendarmes, strict=True) if a != b]
    if len(moved) != 1 or OFF in (better.at[seat], *moved[0]):
        return None
    goal = min(list_goals(better, other, seat), key=lambda goal: far[better.at[seat]][goal])
    more = far[moved[0][0]][goal] - far[moved[0][1]][goal]
    text = msgid("the gendarme is {1} {1:space|spaces} farther from your next goal, {0:space}")
    return (text, (goal, more)) if more > 0 else None


def describe_voucher(better: Missionnaires, other: Missionnaires, seat: Seat) -> Clause | None:
    """Return a clause on a voucher that the player still has."""
    kept = [card for card in better.bons[seat] if card not in other.bons[seat]]
    return (msgid("you keep “{0:card}” for later"), (kept[0],)) if kept else None


def describe_company(better: Missionnaires, other: Missionnaires, seat: Seat) -> Clause | None:
    """Return a clause on an overseer who travels with the player."""
    overseer = better.find_overseer(seat)
    if overseer == OFF or other.find_overseer(seat) != OFF:
        return None
    return msgid("the {0:overseer} travels with you, so that a turn takes you up to two spaces"), (overseer,)


def describe_difference(topic: str, better: Missionnaires, other: Missionnaires, seat: Seat) -> Clause | None:
    """Return a clause on a topic, or for "" on the most important one that there is something to say about."""
    descriptions = {"way": describe_visit, "company": describe_company, "vouchers": describe_voucher}
    if topic:
        return descriptions[topic](better, other, seat)
    everything = (*descriptions.values(), describe_any_nearer_goal, describe_moved_pawn)
    clauses = (describe(better, other, seat) for describe in everything)
    return next((clause for clause in clauses if clause is not None), None)
