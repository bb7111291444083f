"""The table as everybody sees it: nothing is hidden, so a view differs by viewer only in the options it carries."""

from triclinium.engine.core.state import Seat, Step
from triclinium.engine.view import frame
from triclinium.games.testoftime.rules.actions.attack import AttackWithFollowers, AttackWithShamans
from triclinium.games.testoftime.rules.actions.convert import convert_cost
from triclinium.games.testoftime.rules.actions.create import ChooseKind, PayForCreate, create_cost
from triclinium.games.testoftime.rules.actions.defend import DefendWithFollowers, DefendWithShamans
from triclinium.games.testoftime.rules.actions.payment import Payment
from triclinium.games.testoftime.rules.actions.preserve import PayForPreserve
from triclinium.games.testoftime.rules.actions.reverse import ChooseRounds, DefendPastWithFollowers, Past, PayForMark
from triclinium.games.testoftime.rules.components import KIND_COUNT, KINDS
from triclinium.games.testoftime.rules.scoring import age, dots, points, total
from triclinium.games.testoftime.rules.state import (
    NONE,
    Pieces,
    Record,
    Slot,
    TestOfTime,
    followers_of,
    is_preserved,
    shamans_of,
    strips_by_attack,
    visible,
)


def view(s: TestOfTime, seat: Seat | None) -> dict[str, object]:
    """The whole table."""
    seen = frame(s, seat, s.c.notation)
    seen |= {
        "round": s.round,
        "rounds": s.rounds,
        "starter": s.starter,
        "passed": passed(s),
        "hostile_reverse": s.hostile_reverse,
        "mercy": s.mercy,
        "players": [player_view(s, player) for player in range(s.seats)],
        "focus": focus(s),
        "pledged": pledged(s),
        "reversal": reversal(s),
    }
    return seen


def passed(s: TestOfTime) -> list[Seat]:
    """Who has passed since the last move, in order: the seats just before the one to move."""
    if s.over:
        return []
    return [(s.who - back) % s.seats for back in range(s.passes, 0, -1)]


def player_view(s: TestOfTime, player: Seat) -> dict[str, object]:
    """A player's board, people and prices."""
    c = s.c
    slots = range(player * c.spaces, (player + 1) * c.spaces)
    return {
        "waiting": {"followers": s.waiting[player], "shamans": s.waiting_shamans[player]},
        "in_play": {"followers": s.followers[player], "shamans": s.shamans[player]},
        "most": {"followers": c.max_followers, "shamans": c.max_shamans},
        "power": s.power(player),
        "saved": s.saved(player),
        "worth": s.worth(player),
        "create_cost": {KINDS[kind]: create_cost(s, player, kind) for kind in range(KIND_COUNT)},
        "preserve_cost": {KINDS[kind]: upkeep(s, player, kind) for kind in range(KIND_COUNT)},
        "convert_cost": convert_cost(s, player),
        "score": total(s, player),
        "prospect": sum(prospect(s, slot) for slot in slots),
        "testaments": [testament_view(s, slot) for slot in slots],
        "sire": {"zones": c.sire_zones, "used": [pieces_view(parents) for parents in s.sires[player]]},
        "sire_shaman": {
            "zones": c.sire_shaman_zones,
            "used": [pieces_view(parents) for parents in s.shaman_sires[player]],
        },
        "convert": {
            "zones": c.convert_zones,
            "used": [pieces_view(force) | {"from": force >> 16} for force in s.converts[player]],
        },
        "reversers": pieces_view(s.reversers[player]),
    }


def upkeep(s: TestOfTime, player: Seat, kind: int) -> int:
    """What preserving a Testament of this kind costs the player now."""
    return s.c.preserve_cost[kind][s.standing[player * KIND_COUNT]]


def prospect(s: TestOfTime, slot: Slot) -> int:
    """The points of a Testament at the end if nothing more is lost."""
    if s.kind[slot] == NONE or s.making[slot] != NONE:
        return 0
    return dots(s, slot) * (s.rounds - s.since[slot])


def testament_view(s: TestOfTime, slot: Slot) -> dict[str, object]:
    """A Testament space: the card with its sections from the top, its past, and what is placed on it this round."""
    kind = s.kind[slot]
    making = s.making[slot]
    seen: dict[str, object] = {
        "space": slot % s.c.spaces + 1,
        "kind": None if kind == NONE else KINDS[kind],
        "creating": None if making == NONE else {"kind": KINDS[making], **pieces_view(s.makers[slot])},
    }
    if kind != NONE:
        preserved = s.keepers[slot] > 0
        seen |= {
            "sections": list(s.c.sections[kind]),
            "visible": s.seen[slot],
            "dots": dots(s, slot),
            "since": s.since[slot],
            "age": age(s, slot),
            "points": points(s, slot),
            "prospect": prospect(s, slot),
            "preserve_cost": upkeep(s, slot // s.c.spaces, kind),
            "preserved": pieces_view(s.keepers[slot]) if preserved else None,
            "decays": s.seen[slot] > 0 and not preserved,
            "attackers": [pieces_view(force) | {"seat": force >> 16} for force in s.attackers[slot]],
            "defenders": pieces_view(s.defenders[slot]),
            "attack": s.attack_on(slot),
            "defence": s.defence_of(slot),
            "strips": min(s.seen[slot], max(0, s.uncovered(slot))),
            "past": [record_view(record, s.since[slot] + i + 1) for i, record in enumerate(s.past[slot])],
        }
    return seen


def pieces_view(pieces: Pieces) -> dict[str, object]:
    """Followers and shamans that stand together."""
    return {"followers": followers_of(pieces), "shamans": shamans_of(pieces)}


def record_view(record: Record, round: int) -> dict[str, object]:
    """What happened to a Testament in one past round."""
    by = [seat for seat in range(5) if (record >> 8 >> seat) & 1]
    return {"round": round, "preserved": is_preserved(record), "strips": strips_by_attack(record), "by": by}


def focus(s: TestOfTime) -> dict[str, object] | None:
    """The Testament space that the pending decision is about."""
    slot = NONE if s.over else slot_of(s.asked)
    return None if slot == NONE else {"seat": slot // s.c.spaces, "space": slot % s.c.spaces + 1}


def pledged(s: TestOfTime) -> dict[str, object] | None:
    """What the pending decision has been told already: a price with the power to pay it, or the shamans chosen."""
    if s.over:
        return None
    step = s.asked
    if isinstance(step, Payment):
        making = KINDS[step.kind] if isinstance(step, PayForCreate) else None
        return {"cost": step.cost, "power": step.power, "kind": making}
    if isinstance(step, (AttackWithFollowers, DefendWithFollowers, DefendPastWithFollowers)):
        return {"shamans": step.shamans}
    return None


def slot_of(step: Step[TestOfTime]) -> Slot:
    """The slot a decision is about, or NONE."""
    if isinstance(step, PayForMark):
        return step.past.slot
    about = (
        ChooseKind,
        PayForCreate,
        PayForPreserve,
        AttackWithShamans,
        AttackWithFollowers,
        DefendWithShamans,
        DefendWithFollowers,
        ChooseRounds,
        Past,
    )
    return step.slot if isinstance(step, about) else NONE


def reversal(s: TestOfTime) -> dict[str, object] | None:
    """A Reverse Time under way: the record in hand, and the sections that would be visible if it ended here."""
    if s.over:
        return None
    step = s.asked
    past = step.past if isinstance(step, PayForMark) else step
    if not isinstance(past, Past):
        return None
    return {
        "round": s.since[past.slot] + past.at + 1,
        "price": past.price,
        "power": past.power,
        "doomed": past.doomed,
        "visible": visible(s.c.size[s.kind[past.slot]], s.past[past.slot]),
    }
