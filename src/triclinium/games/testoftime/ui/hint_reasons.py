"""Clauses of hints: how a round ends after one option and not after another, and what players can still do in it."""

from typing import Final

from triclinium.engine.core.state import ASK, Option, Seat
from triclinium.engine.core.text import msgid
from triclinium.games.testoftime.ai.quick_policy import choose_quick_option
from triclinium.games.testoftime.ai.section_values import RIVAL_LOSS_VALUE, SHAMAN_VALUE, estimate_followers
from triclinium.games.testoftime.ai.sensible_options import list_sensible_options
from triclinium.games.testoftime.rules.actions.attack import AttackWithFollowers, AttackWithShamans
from triclinium.games.testoftime.rules.actions.payment import Payment
from triclinium.games.testoftime.rules.actions.preserve import ChoosePreserved, compute_preserve_cost
from triclinium.games.testoftime.rules.actions.reverse import ChooseRounds
from triclinium.games.testoftime.rules.components import FOLLOWERS, ON, PASS
from triclinium.games.testoftime.rules.scoring import count_total_points, count_visible_dots
from triclinium.games.testoftime.rules.state import NONE, Pieces, Slot, TestOfTime, count_followers, count_shamans
from triclinium.games.testoftime.rules.turn import Move

Clause = tuple[str, tuple[int, ...]]

UNDEFENDED_SHARE: Final = 0.5  # share of the strips of an attack that the owner is expected to leave undefended


def describe_end_of_round(better: TestOfTime, other: TestOfTime, seat: Seat) -> Clause | None:
    """Return the clause on the largest advantage at the end of the round, or else on the waiting pieces."""
    first = describe_cheaper_kind(better, other, seat) or describe_last_pass(better, other, seat)
    if first is not None:
        return first
    last = min(better.round, other.round)
    here, there = pass_until_end(better, last), pass_until_end(other, last)
    gains = [
        find_own_gain(here, there, seat),
        find_rival_loss(better, here, there, seat),
        find_people_gain(here, there, seat),
    ]
    worth, clause = max(gains, key=lambda gain: gain[0])
    if worth > 0:
        return clause
    people = gains[-1][1] if here.followers[seat] > there.followers[seat] else None
    return describe_waiting(better, other, seat) or people


def pass_until_end(s: TestOfTime, last: int) -> TestOfTime:
    """Return the position after this round if everybody passes."""
    t = s.clone()
    while not t.over and t.round <= last:
        t.choose(PASS if PASS in t.legal else t.legal[0])
    return t


def count_final_points(s: TestOfTime, slot: Slot) -> int:
    """Return the points of a Testament at the end of the match if it loses nothing more."""
    return count_visible_dots(s, slot) * (s.rounds - s.since[slot]) if s.kind[slot] != NONE else 0


def find_own_gain(here: TestOfTime, there: TestOfTime, seat: Seat) -> tuple[float, Clause | None]:
    """Return the points that the seat's Testaments gain, with a clause on the one that gains most."""
    own = range(seat * here.c.spaces, (seat + 1) * here.c.spaces)
    gains = {slot: count_final_points(here, slot) - count_final_points(there, slot) for slot in own}
    slot = max(own, key=lambda slot: gains[slot])
    space, kind, points = here.get_space_number(slot), here.kind[slot], count_final_points(here, slot)
    if there.kind[slot] == kind and here.since[slot] == there.since[slot]:
        sections = here.visible[slot] - there.visible[slot]
        text = msgid(
            "your Testament on space {0} ({1:kind}) keeps {2} more {2:section|sections}, worth {3} {3:point|points}"
        )
        return sum(gains.values()), (text, (space, kind, sections, gains[slot]))
    if there.kind[slot] == NONE or there.visible[slot] == 0:
        text = msgid("you have a new Testament on space {0} ({1:kind}), worth up to {2} points")
        return sum(gains.values()), (text, (space, kind, points))
    text = msgid("your new Testament on space {0} ({1:kind}) is worth up to {2} more {2:point|points}")
    return sum(gains.values()), (text, (space, kind, gains[slot]))


def find_rival_loss(better: TestOfTime, here: TestOfTime, there: TestOfTime, seat: Seat) -> tuple[float, Clause | None]:
    """Return the value of the points that the others lose, with a clause on the Testament that loses most."""
    rivals = [slot for slot in range(len(here.kind)) if slot // here.c.spaces != seat]
    losses = {slot: count_final_points(there, slot) - count_final_points(here, slot) for slot in rivals}
    slot = max(rivals, key=lambda slot: losses[slot])
    value = sum(losses.values()) * UNDEFENDED_SHARE * RIVAL_LOSS_VALUE / min(2, here.seats - 1)
    owner, space, kind = slot // here.c.spaces, here.get_space_number(slot), here.kind[slot]
    attack, worth = better.compute_uncovered_attack(slot), better.compute_waiting_worth(owner)
    sure = min(better.visible[slot], attack - worth)
    if sure > 0:
        text = msgid(
            "{0:seat} can meet {1} of the {2} attackers on space {3} ({4:kind}), which loses {5} or more sections"
        )
        return value, (text, (owner, worth, attack, space, kind, sure))
    lost = there.visible[slot] - here.visible[slot]
    if attack > 0:
        text = msgid(
            "{0:seat} must spend a strength of {1} against the attack on space {2} ({3:kind}), or lose {4} more "
            "{4:section|sections} there, worth {5} {5:point|points}"
        )
        return value, (text, (owner, attack, space, kind, lost, losses[slot]))
    text = msgid(
        "the Testament of {0:seat} on space {1} ({2:kind}) loses {3} more {3:section|sections}, "
        "worth {4} {4:point|points}"
    )
    return value, (text, (owner, space, kind, lost, losses[slot]))


def find_people_gain(here: TestOfTime, there: TestOfTime, seat: Seat) -> tuple[float, Clause | None]:
    """Return the value of additional followers and shamans, with a clause on both."""
    followers = here.followers[seat] - there.followers[seat]
    shamans = here.shamans[seat] - there.shamans[seat]
    value = (here.rounds - here.round + (not here.over)) * (
        estimate_followers(here.followers[seat]) - estimate_followers(there.followers[seat]) + SHAMAN_VALUE * shamans
    )
    if followers > 0 > shamans:
        text = msgid(
            "you have {0} more {0:follower|followers}, but {1} fewer {1:shaman|shamans} at the end of this round"
        )
        return value, (text, (followers, -shamans))
    if shamans > 0 > followers:
        text = msgid(
            "you have {0} more {0:shaman|shamans}, but {1} fewer {1:follower|followers} at the end of this round"
        )
        return value, (text, (shamans, -followers))
    if followers > 0:
        return value, (msgid("you have {0} more {0:follower|followers} at the end of this round"), (followers,))
    return value, (msgid("you have {0} more {0:shaman|shamans} at the end of this round"), (shamans,))


def describe_cheaper_kind(better: TestOfTime, other: TestOfTime, seat: Seat) -> Clause | None:
    """Return a clause on the pieces that a Testament of a cheaper kind takes."""
    for slot in range(seat * better.c.spaces, (seat + 1) * better.c.spaces):
        kind, dearer = better.making[slot], other.making[slot]
        if NONE not in (kind, dearer) and kind != dearer:
            fewer = count_pieces(other.makers[slot]) - count_pieces(better.makers[slot])
            saved = better.count_deaths_saved(seat)
            deaths = max(0, better.c.deaths[dearer] - saved) - max(0, better.c.deaths[kind] - saved)
            if fewer > 0 and deaths > 0:
                return msgid("you need {0} fewer {0:piece|pieces}, and {1} fewer of them {1:dies|die}"), (fewer, deaths)
    return None


def count_pieces(pieces: Pieces) -> int:
    return count_followers(pieces) + count_shamans(pieces)


def describe_last_pass(better: TestOfTime, other: TestOfTime, seat: Seat) -> Clause | None:
    """Return a clause on the end of the match or of the round, which comes at once only after the better option."""
    rivals = [rival for rival in range(better.seats) if rival != seat]
    if better.over and not other.over:
        own, most = count_total_points(better, seat), max(count_total_points(better, rival) for rival in rivals)
        if own > most:
            return msgid("the match ends at once, and you win it with {0} points to {1}"), (own, most)
    rival = max(rivals, key=other.compute_waiting_worth)
    strength = other.compute_waiting_worth(rival)
    if strength == 0 or (better.over, better.round) <= (other.over, other.round):
        return None
    return msgid("the round ends at once, before {0:seat} can use the strength of {1} still waiting"), (rival, strength)


def describe_waiting(better: TestOfTime, other: TestOfTime, seat: Seat) -> Clause | None:
    """Return a clause on the pieces that still wait after the option."""
    if better.round != other.round or better.over != other.over:
        return None
    followers = better.waiting[seat] - other.waiting[seat]
    shamans = better.waiting_shamans[seat] - other.waiting_shamans[seat]
    if shamans > 0 > followers:
        text = msgid(
            "you keep {0} {0:shaman|shamans} waiting, who cannot die in a fight, instead of {1} {1:follower|followers}"
        )
        return text, (shamans, -followers)
    more, less = better.compute_waiting_worth(seat), other.compute_waiting_worth(seat)
    rivals = [rival for rival in range(better.seats) if rival != seat and better.has_attack_left(rival)]
    rival = max(rivals, key=better.compute_waiting_worth, default=seat)
    if more <= less or rival == seat:
        return None
    threat = better.compute_waiting_worth(rival)
    if threat > less:
        text = msgid("{0:seat} can attack with a strength of {1}, and you keep {2} for the defence instead of {3}")
        return text, (rival, threat, more, less)
    text = msgid("you have {0} more {0:piece|pieces} waiting for an attack, a defence or another move")
    return text, (followers + shamans,)


# -- clauses on two options of the same question -----------------------------------------------------------------------


def describe_choice(s: TestOfTime, better: Option, other: Option) -> Clause | None:
    """Return a clause on two options of the same question, after both moves are finished in the quickest way."""
    step, clause = s.asked, None
    if isinstance(step, ChoosePreserved):
        clause = compare_upkeep(s, better, other)
    elif isinstance(step, AttackWithFollowers):
        clause = compare_attacks(s, step, better, other)
    here, there = finish_move(s, better, False), finish_move(s, other, isinstance(step, Move))
    clause = clause or describe_end_of_round(here, there, s.who)
    if clause is None and isinstance(step, Payment) and step.power == 1:
        kept = here.waiting[s.who] - there.waiting[s.who]
        if kept > 0 and len(here.shaman_sires[s.who]) < s.c.sire_shaman_zones and here.shamans[s.who] < s.c.max_shamans:
            return msgid("you keep {0} more {0:follower|followers} for Sire Shaman, whose parents die"), (kept,)
        return msgid("shamans and followers pay the same here"), ()
    return clause


def finish_move(s: TestOfTime, o: Option, small: bool) -> TestOfTime:
    """Return the position after an option and the rest of its move, with few attackers or rounds if it is small."""
    t = s.clone()
    t.choose(o)
    while t.who == s.who and not isinstance(t.asked, Move):
        quick = choose_quick_option(t)
        if small and isinstance(t.asked, (AttackWithShamans, AttackWithFollowers, ChooseRounds)):
            quick = list_sensible_options(t)[0]
        t.choose(t.legal[0] if quick == ASK else quick)
    return t


def compare_upkeep(s: TestOfTime, better: Option, other: Option) -> Clause | None:
    """Return a clause on the points that preserving a Testament saves, and on its cost."""
    slots = [s.who * s.c.spaces + o - ON for o in (better, other)]
    here, there = (s.c.sections[s.kind[slot]][s.visible[slot] - 1] * (s.rounds - s.since[slot]) for slot in slots)
    costs = [compute_preserve_cost(s, slot) for slot in slots]
    space = s.get_space_number(slots[1])
    if here > there:
        text = msgid("the section that decays there is worth {0} points, and the one on space {1} only {2}")
        return text, (here, space, there)
    text = msgid("there {0} {0:piece saves|pieces save} {1} points, and on space {2} it takes {3} to save {4}")
    return (text, (costs[0], here, space, costs[1], there)) if here * costs[1] > there * costs[0] else None


def compare_attacks(s: TestOfTime, step: AttackWithFollowers, better: Option, other: Option) -> Clause | None:
    """Return a clause on the attackers whom the owner can meet, and on those who would die."""
    owner, seen = step.slot // s.c.spaces, s.visible[step.slot]
    brought = max(0, s.compute_uncovered_attack(step.slot)) + step.shamans * s.get_shaman_power(step.who)
    here, there, worth = brought + better - FOLLOWERS, brought + other - FOLLOWERS, s.compute_waiting_worth(owner)
    sure = [max(0, min(seen, attack - worth)) for attack in (here, there)]
    if sure[0] > sure[1]:
        text = msgid("{0:seat} can meet {1} attackers, so at least {2} sections are lost instead of {3}")
        return text, (owner, worth, sure[0], sure[1])
    if here > there:
        return msgid("{0:seat} needs a strength of {1} instead of {2} against the attack"), (owner, here, there)
    if sure[0] == seen:
        return msgid("{0} attackers take all sections already"), (here,)
    saved = s.count_deaths_saved(step.who)
    dead = [max(0, min(o - FOLLOWERS, worth) - saved) for o in (better, other)]
    text = msgid("{0:seat} can kill at most {1} of these followers instead of {2}")
    return (text, (owner, dead[0], dead[1])) if dead[0] < dead[1] else None
