"""Clauses of hints on what a player visits, reaches or has after one option and not after another."""

from typing import Final

from triclinium.engine.core.state import Option, Seat
from triclinium.engine.core.text import msgid
from triclinium.games.missionnaires.rules import components
from triclinium.games.missionnaires.rules.actions.bons import BonWindow
from triclinium.games.missionnaires.rules.actions.cards import Cancel, PlayAtOnce
from triclinium.games.missionnaires.rules.actions.displacement import RivalTo, StormPort
from triclinium.games.missionnaires.rules.actions.effects import SendGendarme
from triclinium.games.missionnaires.rules.actions.move import Main
from triclinium.games.missionnaires.rules.actions.obstacles import Onward, PushTo
from triclinium.games.missionnaires.rules.components import OFF
from triclinium.games.missionnaires.rules.state import Missionnaires
from triclinium.games.missionnaires.rules.tours import measure_tour

Clause = tuple[str, tuple[int, ...]]

LANES: Final = {3: 1, 6: 2, 9: 3}  # differences in the table of travel, with the sea sections that make them


def describe_visit(better: Missionnaires, other: Missionnaires, seat: Seat) -> Clause | None:
    """Return a clause on a congregation that the player has visited, or is nearer to."""
    visited = [card for card in other.hand[seat] if card not in better.hand[seat]]
    if visited and len(better.hand[seat]) < len(other.hand[seat]):
        return msgid("you visit {0:space}"), (better.c.congregation_at[visited[0]],)
    return describe_nearer_goal(better, other, seat)


def describe_nearer_goal(better: Missionnaires, other: Missionnaires, seat: Seat) -> Clause | None:
    """Return a clause on the nearest goal, or else on the goal to which the player is most nearer."""
    here, there, far = better.at[seat], other.at[seat], better.c.distance
    if OFF in (here, there):
        return None
    goals = list_goals(better, other, seat)
    most = max(goals, key=lambda goal: far[there][goal] - far[here][goal])
    nearest = min(goals, key=lambda goal: far[here][goal])
    return describe_distance(better, other, seat, nearest) or describe_distance(better, other, seat, most)


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


def compare_steps(s: Missionnaires, better: Option, other: Option) -> Clause | None:
    """Return a clause on a way that is shorter or has fewer sea sections, if no goal is nearer."""
    c, hand, far = s.c, s.hand[s.who], s.c.distance
    here, there = (o if o < components.LEAP else s.at[s.who] for o in (better, other))
    goals = list_goals(s, s, s.who)
    is_move = better < components.LEAP or better == components.STOP
    if not is_move or components.LEAP <= other < components.TO or here == there or {here, there} & {*goals}:
        return None
    if any(far[here][goal] < far[there][goal] for goal in goals):
        return None
    longer = measure_tour(c, there, hand) - measure_tour(c, here, hand)
    if longer in LANES and max(better, other) < components.LEAP:
        return msgid("your way home through all congregations has {0} fewer sea {0:section|sections}"), (LANES[longer],)
    if longer > max(LANES):
        return msgid("your way home through all congregations gets shorter"), ()
    text = msgid("burning a voucher takes the whole turn, and you stay in {0:space}")
    return (text, (there,)) if components.BURN <= other < components.USE else None


def compare_gendarme(s: Missionnaires, start: int, here: int, there: int) -> Clause | None:
    """Return a clause on a gendarme who would be on the way to the nearest goal, or who is not in any case."""
    far = s.c.distance
    goal = min(list_goals(s, s, s.who), key=lambda goal: far[start][goal])
    barred = [far[start][town] + far[town][goal] == far[start][goal] for town in (here, there)]
    if barred[0]:
        return None
    if barred[1]:
        return msgid("a gendarme in {0:space} would be on your way to {1:space}"), (there, goal)
    return msgid("in neither town is he on your way to {0:space}, so the difference is mostly due to chance"), (goal,)


def describe_keeping(s: Missionnaires, card: int) -> Clause | None:
    """Return a clause on a voucher that would bring little now."""
    c, at, n, held = s.c, s.at[s.who], s.c.number[card], s.periodicals[s.who]
    goal = min(list_goals(s, s, s.who), key=lambda goal: c.distance[at][goal])
    if c.effect[card] == components.GAIN and held:
        text = msgid("you still hold {0} {0:periodical|periodicals}, and can take {1} more when they run short")
        return text, (held, n)
    if c.effect[card] == components.JOINS and s.hand[s.who] and not s.v.until_card:
        text = msgid("he would stay behind at your next visit, and {0:space} is {1} {1:space|spaces} away")
        return text, (goal, c.distance[at][goal])
    reach = {at}
    for _ in range(n):
        reach |= {town for space in reach for town in c.roads[space]}
    nearer = c.distance[at][goal] - min(c.distance[space][goal] for space in reach)
    text = msgid("the bonus move goes by road only, at most {0} {0:space|spaces} nearer to {1:space}")
    return (text, (nearer, goal)) if c.effect[card] == components.ADVANCE and nearer < n else None


def describe_choice(s: Missionnaires, better: Option, other: Option) -> Clause | None:
    """Return a clause on two options of the same question that follows from these options, or None."""
    step, c = s.asked, s.c
    if isinstance(step, Cancel) and other == components.OBEY and c.effect[step.card] == components.SKIP:
        return msgid("“{0:card}” does not make you miss a turn"), (step.card,)
    if isinstance(step, (BonWindow, PlayAtOnce)) and better == components.DONE:
        return describe_keeping(s, other - components.PLAY)
    if isinstance(step, (Main, Onward)):
        return compare_steps(s, better, other)
    if isinstance(step, (PushTo, SendGendarme)):
        start = step.space if isinstance(step, PushTo) else s.at[s.who]
        return compare_gendarme(s, start, better - components.TO, other - components.TO)
    if isinstance(step, (RivalTo, StormPort)):
        here, there, far = better - components.TO, other - components.TO, c.distance[c.bethel]
        rival = step.rival if isinstance(step, RivalTo) else s.turn
        ways = [len(c.near[space]) for space in (here, there)]
        if far[here] > far[there]:
            return msgid("{0:seat} is {1} {1:space|spaces} farther from the Bethel"), (rival, far[here] - far[there])
        if far[here] == far[there] and ways[0] < ways[1]:
            return msgid("{1:seat} can leave that place by only {0} ways instead of {2}"), (ways[0], rival, ways[1])
        text = msgid("you do not know where {0:seat} must go, so the difference is mostly due to chance")
        return None if s.v.open_hands else (text, (rival,))
    return None
