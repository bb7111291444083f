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
    c, here, there = better.c, better.at[seat], other.at[seat]
    if OFF in (here, there):
        return None
    goals = [c.congregation_at[card] for card in better.hand[seat] if card in other.hand[seat]] or [c.bethel]
    goal = min(goals, key=lambda goal: c.distance[here][goal])
    saved = c.distance[there][goal] - c.distance[here][goal]
    if saved <= 0:
        return None
    if goal == c.bethel:
        return msgid("you are {1} {1:space|spaces} nearer to the Bethel"), (goal, saved)
    return msgid("you are {1} {1:space|spaces} nearer to {0:space}, which you still have to visit"), (goal, saved)


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
    clauses = (describe(better, other, seat) for describe in descriptions.values())
    return next((clause for clause in clauses if clause is not None), None)
