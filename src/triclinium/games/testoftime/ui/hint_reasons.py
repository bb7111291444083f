"""Clauses of hints: how a round ends after one option and not after another, if all players pass from then on."""

from typing import Final

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.games.testoftime.ai.section_values import RIVAL_LOSS_VALUE, SHAMAN_VALUE, estimate_followers
from triclinium.games.testoftime.rules.components import PASS
from triclinium.games.testoftime.rules.scoring import count_visible_dots
from triclinium.games.testoftime.rules.state import NONE, Pieces, Slot, TestOfTime, count_followers, count_shamans

Clause = tuple[str, tuple[int, ...]]

UNDEFENDED_SHARE: Final = 0.5  # share of the strips of an attack that the owner is expected to leave undefended

EFFECTS: Final = (  # by kind
    msgid("Tools lower what you pay to preserve"),
    msgid("Art lowers what you pay to create"),
    msgid("a Burial Site saves lives whenever your people die"),
    msgid("a Temple converts followers of the others"),
    msgid("a Monument makes your shamans count more"),
)


def describe_end_of_round(better: TestOfTime, other: TestOfTime, seat: Seat) -> Clause | None:
    """Return the clause on the largest advantage at the end of the round, or else on the waiting pieces."""
    cheaper = describe_cheaper_kind(better, other, seat)
    if cheaper is not None:
        return cheaper
    last = min(better.round, other.round)
    here, there = pass_until_end(better, last), pass_until_end(other, last)
    gains = [
        find_own_gain(here, there, seat),
        find_rival_loss(here, there, seat),
        find_people_gain(here, there, seat),
    ]
    worth, clause = max(gains, key=lambda gain: gain[0])
    if worth > 0:
        return clause
    return (
        describe_new_kind(better, other, seat)
        or describe_defence(better, other, seat)
        or describe_waiting(better, other, seat)
    )


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


def find_rival_loss(here: TestOfTime, there: TestOfTime, seat: Seat) -> tuple[float, Clause | None]:
    """Return the value of the points that the others lose, with a clause on the Testament that loses most."""
    rivals = [slot for slot in range(len(here.kind)) if slot // here.c.spaces != seat]
    losses = {slot: count_final_points(there, slot) - count_final_points(here, slot) for slot in rivals}
    slot = max(rivals, key=lambda slot: losses[slot])
    value = sum(losses.values()) * UNDEFENDED_SHARE * RIVAL_LOSS_VALUE / min(2, here.seats - 1)
    text = msgid(
        "the Testament of {0:seat} on space {1} ({2:kind}) loses up to {3} more {3:section|sections}, "
        "worth {4} {4:point|points}"
    )
    owner, sections = slot // here.c.spaces, there.visible[slot] - here.visible[slot]
    return value, (text, (owner, here.get_space_number(slot), here.kind[slot], sections, losses[slot]))


def find_people_gain(here: TestOfTime, there: TestOfTime, seat: Seat) -> tuple[float, Clause | None]:
    """Return the value of additional followers and shamans, with a clause on both."""
    followers = here.followers[seat] - there.followers[seat]
    shamans = here.shamans[seat] - there.shamans[seat]
    value = (here.rounds - here.round) * (
        estimate_followers(here.followers[seat]) - estimate_followers(there.followers[seat]) + SHAMAN_VALUE * shamans
    )
    if followers > 0 and shamans > 0:
        text = msgid(
            "you have {0} more {0:follower|followers} and {1} more {1:shaman|shamans} at the end of this round"
        )
        return value, (text, (followers, shamans))
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


def describe_new_kind(better: TestOfTime, other: TestOfTime, seat: Seat) -> Clause | None:
    """Return a clause on the effect of a Testament of another kind that is being created."""
    for slot in range(seat * better.c.spaces, (seat + 1) * better.c.spaces):
        kind = better.making[slot]
        if kind not in (NONE, other.making[slot]):
            return EFFECTS[kind], ()
    return None


def describe_cheaper_kind(better: TestOfTime, other: TestOfTime, seat: Seat) -> Clause | None:
    """Return a clause on the pieces that a Testament of a cheaper kind takes."""
    for slot in range(seat * better.c.spaces, (seat + 1) * better.c.spaces):
        kind, dearer = better.making[slot], other.making[slot]
        if NONE not in (kind, dearer) and kind != dearer:
            fewer = count_pieces(other.makers[slot]) - count_pieces(better.makers[slot])
            saved = better.count_deaths_saved(seat)
            deaths = max(0, better.c.deaths[dearer] - saved) - max(0, better.c.deaths[kind] - saved)
            if fewer > 0 and deaths > 0:
                return msgid("you need {0} fewer {0:piece|pieces}, and {1} fewer {1:dies|die}"), (fewer, deaths)
    return None


def count_pieces(pieces: Pieces) -> int:
    return count_followers(pieces) + count_shamans(pieces)


def describe_defence(better: TestOfTime, other: TestOfTime, seat: Seat) -> Clause | None:
    """Return a clause on a rival who can defend less than the one whom the other option attacks."""
    here, there = find_attacked_rival(better, other, seat), find_attacked_rival(other, better, seat)
    if here == there or NONE in (here, there):
        return None
    few, many = better.compute_waiting_worth(here), other.compute_waiting_worth(there)
    text = msgid("{0:seat} can defend with a strength of only {1}, and {2:seat} with {3}")
    return (text, (here, few, there, many)) if few < many else None


def find_attacked_rival(s: TestOfTime, other: TestOfTime, seat: Seat) -> Seat:
    """Return the rival whom the seat attacks only in this position, or NONE."""
    for slot in range(len(s.attackers)):
        if len(s.attackers[slot]) > len(other.attackers[slot]) and s.attackers[slot][-1] >> 16 == seat:
            return slot // s.c.spaces
    return NONE


def describe_waiting(better: TestOfTime, other: TestOfTime, seat: Seat) -> Clause | None:
    """Return a clause on the pieces that still wait after the option, or on the end of the round."""
    if better.round > other.round:
        return msgid("the round ends at once, and nobody can attack any more"), ()
    if better.round < other.round:
        return None
    followers = better.waiting[seat] - other.waiting[seat]
    shamans = better.waiting_shamans[seat] - other.waiting_shamans[seat]
    if shamans > 0 > followers:
        text = msgid(
            "you keep {0} {0:shaman|shamans} waiting, who cannot die in a fight, instead of {1} {1:follower|followers}"
        )
        return text, (shamans, -followers)
    if followers > 0 > shamans:
        text = msgid("you keep {0} {0:follower|followers} waiting instead of {1} {1:shaman|shamans}")
        return text, (followers, -shamans)
    if followers < 0 or shamans < 0 or followers == shamans == 0:
        return None
    text = msgid("you have {0} more {0:piece|pieces} waiting for an attack, a defence or another move")
    return text, (followers + shamans,)
