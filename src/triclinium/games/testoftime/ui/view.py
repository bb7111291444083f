"""View of a match. Nothing is hidden, so views differ only in the options of the viewer."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from triclinium.engine.core.state import Seat, Step
from triclinium.engine.view import (
    ALL_ON_TABLE,
    IS_SEAT,
    NOT_DRAWN,
    NOT_IN_PREVIEW,
    OWN_ON_TABLE,
    SHOW_ZERO,
    Label,
    PerKind,
    PerPlace,
    Ref,
    View,
    base_fields,
)
from triclinium.games.testoftime.rules.actions.attack import AttackWithFollowers, AttackWithShamans
from triclinium.games.testoftime.rules.actions.convert import compute_convert_cost
from triclinium.games.testoftime.rules.actions.create import ChooseKind, PayForCreate, compute_create_cost
from triclinium.games.testoftime.rules.actions.defend import DefendWithFollowers, DefendWithShamans
from triclinium.games.testoftime.rules.actions.meet import Meet
from triclinium.games.testoftime.rules.actions.payment import Payment
from triclinium.games.testoftime.rules.actions.preserve import PayForPreserve
from triclinium.games.testoftime.rules.actions.reverse import ChooseRounds, DefendPastWithFollowers, Past, PayForMark
from triclinium.games.testoftime.rules.components import KIND_COUNT
from triclinium.games.testoftime.rules.scoring import (
    count_testament_age,
    count_testament_points,
    count_total_points,
    count_visible_dots,
)
from triclinium.games.testoftime.rules.state import (
    NONE,
    Pieces,
    Record,
    Slot,
    TestOfTime,
    count_followers,
    count_shamans,
    count_strips_by_attack,
    count_visible,
    is_preserved,
)

Kind: TypeAlias = Annotated[int, Ref("kind")]
ByKind: TypeAlias = Annotated[list[int], PerKind("kind")]


@dataclass(slots=True)
class PieceGroup:
    """Followers and shamans that stand together."""

    followers: Annotated[int, Label("followers")]
    shamans: Annotated[int, Label("shamans")]


@dataclass(slots=True)
class Makers:
    """Pieces that create a Testament, and its kind."""

    kind: Kind
    followers: Annotated[int, Label("followers")]
    shamans: Annotated[int, Label("shamans")]


@dataclass(slots=True)
class Attackers(PieceGroup):
    """Attackers placed by one move; those who will be met are first, once the owner has chosen (TT-R10)."""

    seat: Annotated[Seat, Label("attacked by"), IS_SEAT]


@dataclass(slots=True)
class Converters(PieceGroup):
    """Pieces that paid for a convert, and the rival from whom it came."""

    from_: Annotated[Seat, Label("converted from"), IS_SEAT]


@dataclass(slots=True)
class SireZones:
    """Sire or Sire Shaman zones of a player: their number, and the parents in each used one."""

    zones: Annotated[int, NOT_DRAWN]
    used: Annotated[list[PieceGroup], Label("zones used")]


@dataclass(slots=True)
class ConvertZones:
    """The Convert zones of a player: their number, and the pieces in each used one."""

    zones: Annotated[int, NOT_DRAWN]
    used: Annotated[list[Converters], Label("zones used")]


@dataclass(slots=True)
class PastRound:
    """A past round of a Testament."""

    round: int
    preserved: bool
    strips: int  # sections lost by attack
    by: list[Seat]


@dataclass(slots=True)
class Vacant:
    """A Testament space without a card; one may be under construction."""

    space: Annotated[int, NOT_DRAWN]  # number of the space, from 1
    kind: Annotated[None, NOT_DRAWN]
    creating: Annotated[Makers | None, Label("being created")]


@dataclass(slots=True)
class Testament:
    """A Testament space with a card: its sections from the top, its past, and the pieces placed on it this round."""

    space: Annotated[int, NOT_DRAWN]  # number of the space, from 1
    kind: Annotated[Kind, Label("Testament")]
    creating: Annotated[Makers | None, Label("being created")]  # the card that will cover a buried one
    sections: Annotated[tuple[int, ...], NOT_DRAWN]  # gold dots of each section
    visible: Annotated[int, Label("visible sections"), SHOW_ZERO]
    dots: Annotated[int, Label("gold dots")]
    since: Annotated[int, Label("since round"), NOT_IN_PREVIEW]
    age: Annotated[int, NOT_DRAWN]
    points: Annotated[int, Label("points")]
    # Final points if nothing more is lost
    prospect: Annotated[int, Label("points if nothing more is lost"), NOT_IN_PREVIEW]
    preserve_cost: Annotated[int, Label("cost of preserving"), NOT_IN_PREVIEW]
    preserved: Annotated[PieceGroup | None, Label("preserved this round")]  # pieces that preserve it this round
    decays: Annotated[bool, Label("decays"), NOT_IN_PREVIEW]
    attackers: Annotated[list[Attackers], NOT_DRAWN]  # There may be many; `attack` is their total strength.
    defenders: Annotated[PieceGroup, Label("defenders"), NOT_IN_PREVIEW]
    attack: Annotated[int, Label("attack")]
    defence: Annotated[int, Label("defence")]
    strips: Annotated[int, Label("sections lost by attack")]  # sections lost by attack if nothing changes
    past: Annotated[list[PastRound], NOT_DRAWN]


TestamentSpace: TypeAlias = Vacant | Testament


@dataclass(slots=True)
class Player:
    """A player's board, people and prices."""

    waiting: Annotated[PieceGroup, Label("waiting")]
    in_play: Annotated[PieceGroup, Label("in play")]
    most: Annotated[PieceGroup, NOT_DRAWN]
    power: Annotated[int, Label("power of a shaman")]
    saved: Annotated[int, Label("lives saved per action")]
    worth: Annotated[int, Label("strength of the waiting pieces"), NOT_IN_PREVIEW]
    create_cost: Annotated[ByKind, Label("cost of creating"), NOT_IN_PREVIEW, OWN_ON_TABLE, PerPlace("cost")]
    preserve_cost: Annotated[ByKind, Label("cost of preserving"), NOT_IN_PREVIEW]
    convert_cost: Annotated[int, Label("cost of converting"), NOT_IN_PREVIEW]
    score: Annotated[int, Label("points")]
    prospect: Annotated[int, Label("points if nothing more is lost")]
    testaments: Annotated[list[TestamentSpace], Label("space"), ALL_ON_TABLE, PerPlace("space")]
    sire: Annotated[SireZones, Label("Sire")]
    sire_shaman: Annotated[SireZones, Label("Sire Shaman")]
    convert: Annotated[ConvertZones, Label("Convert")]
    reversers: Annotated[PieceGroup, Label("reversing time")]


@dataclass(slots=True)
class Focus:
    """A Testament space that the pending decision is about."""

    seat: Seat
    space: int


@dataclass(slots=True)
class PendingPrice:
    """The price being paid, and the share that each shaman pays."""

    cost: int
    power: int
    kind: Kind | None  # kind that is created for this price


@dataclass(slots=True)
class BroughtShamans:
    """The shamans of an attack or defence whose followers are asked for now."""

    shamans: int


@dataclass(slots=True)
class MetFollowers:
    """Followers that the owner's defenders have still to meet, and the rival asked about (TT-12.2)."""

    rival: Seat
    left: int


@dataclass(slots=True)
class Reversal:
    """The pending Reverse Time: the current record, and the visible sections if it ended now."""

    round: int
    price: int
    power: int
    doomed: int
    visible: int


@dataclass(slots=True)
class TestOfTimeView(View):
    """The whole table as any seat or a spectator sees it."""

    round: Annotated[int, Label("round")]
    rounds: Annotated[int, NOT_DRAWN]
    starter: Annotated[Seat, Label("starter"), IS_SEAT, NOT_IN_PREVIEW]
    # The seats that have passed since the last move, in order.
    passed: Annotated[list[Seat], Label("passed"), IS_SEAT, NOT_IN_PREVIEW]
    hostile_reverse: Annotated[bool, NOT_DRAWN]
    mercy: Annotated[bool, NOT_DRAWN]
    defenders_choose: Annotated[bool, NOT_DRAWN]
    attacks_per_round: Annotated[int, NOT_DRAWN]  # 0: unlimited
    one_payment: Annotated[bool, NOT_DRAWN]  # TT-14.6
    players: Annotated[list[Player], Label("players")]
    focus: Annotated[Focus | None, NOT_DRAWN]
    pledged: Annotated[
        PendingPrice | BroughtShamans | MetFollowers | None, NOT_DRAWN
    ]  # earlier choices of the pending decision
    reversal: Annotated[Reversal | None, NOT_DRAWN]


def view(s: TestOfTime, seat: Seat | None) -> TestOfTimeView:
    """Return the whole table, with the options of the viewing seat."""
    return TestOfTimeView(
        *base_fields(s, seat, s.c.notation),
        round=s.round,
        rounds=s.rounds,
        starter=s.starter,
        passed=list_passed_seats(s),
        hostile_reverse=s.hostile_reverse,
        mercy=s.mercy,
        defenders_choose=s.defenders_choose,
        attacks_per_round=s.attacks_per_round,
        one_payment=s.one_payment,
        players=[view_player(s, player) for player in range(s.seats)],
        focus=view_focus(s),
        pledged=view_pending_choice(s),
        reversal=view_reversal(s),
    )


def list_passed_seats(s: TestOfTime) -> list[Seat]:
    """Return the seats that passed since the last move, in order, which are the seats before the one to move."""
    if s.over:
        return []
    if s.passes == s.seats:  # All have passed, and owners are asked which attackers they meet.
        return [(s.starter + i) % s.seats for i in range(s.seats)]
    return [(s.who - back) % s.seats for back in range(s.passes, 0, -1)]


def count_attacks(view: TestOfTimeView, seat: Seat) -> int:
    """TT-14.5  Return the number of a player's Attack moves this round, each of which placed one force."""
    cells = [cell for player in view.players for cell in player.testaments if isinstance(cell, Testament)]
    return sum([1 for cell in cells for force in cell.attackers if force.seat == seat])


def view_player(s: TestOfTime, player: Seat) -> Player:
    c = s.c
    slots = range(player * c.spaces, (player + 1) * c.spaces)
    return Player(
        waiting=PieceGroup(s.waiting[player], s.waiting_shamans[player]),
        in_play=PieceGroup(s.followers[player], s.shamans[player]),
        most=PieceGroup(c.max_followers, c.max_shamans),
        power=s.get_shaman_power(player),
        saved=s.count_deaths_saved(player),
        worth=s.compute_waiting_worth(player),
        create_cost=[compute_create_cost(s, player, kind) for kind in range(KIND_COUNT)],
        preserve_cost=[compute_preserve_cost_of_kind(s, player, kind) for kind in range(KIND_COUNT)],
        convert_cost=compute_convert_cost(s, player),
        score=count_total_points(s, player),
        prospect=sum([compute_prospective_points(s, slot) for slot in slots]),
        testaments=[view_space(s, slot) for slot in slots],
        sire=SireZones(c.sire_zones, [view_pieces(parents) for parents in s.sires[player]]),
        sire_shaman=SireZones(c.sire_shaman_zones, [view_pieces(parents) for parents in s.shaman_sires[player]]),
        convert=ConvertZones(
            c.convert_zones,
            [Converters(count_followers(force), count_shamans(force), force >> 16) for force in s.converts[player]],
        ),
        reversers=view_pieces(s.reversers[player]),
    )


def compute_preserve_cost_of_kind(s: TestOfTime, player: Seat, kind: int) -> int:
    """Return the player's current cost of preserving a Testament of this kind."""
    return s.c.preserve_cost[kind][s.standing_counts[player * KIND_COUNT]]


def compute_prospective_points(s: TestOfTime, slot: Slot) -> int:
    """Return the final points of a Testament if nothing more is lost."""
    if s.kind[slot] == NONE or s.making[slot] != NONE:
        return 0
    return count_visible_dots(s, slot) * (s.rounds - s.since[slot])


def view_space(s: TestOfTime, slot: Slot) -> TestamentSpace:
    space = s.get_space_number(slot)
    kind = s.kind[slot]
    making = s.making[slot]
    makers = s.makers[slot]
    creating = None if making == NONE else Makers(making, count_followers(makers), count_shamans(makers))
    if kind == NONE:
        return Vacant(space, None, creating)
    since = s.since[slot]
    preserved = s.keepers[slot] > 0
    return Testament(
        space=space,
        kind=kind,
        creating=creating,
        sections=s.c.sections[kind],
        visible=s.visible[slot],
        dots=count_visible_dots(s, slot),
        since=since,
        age=count_testament_age(s, slot),
        points=count_testament_points(s, slot),
        prospect=compute_prospective_points(s, slot),
        preserve_cost=compute_preserve_cost_of_kind(s, slot // s.c.spaces, kind),
        preserved=view_pieces(s.keepers[slot]) if preserved else None,
        decays=s.visible[slot] > 0 and not preserved,
        attackers=[Attackers(count_followers(force), count_shamans(force), force >> 16) for force in s.attackers[slot]],
        defenders=view_pieces(s.defenders[slot]),
        attack=s.compute_attack_strength(slot),
        defence=s.compute_defence_strength(slot),
        strips=min(s.visible[slot], max(0, s.compute_uncovered_attack(slot))),
        past=[view_past_round(record, round) for round, record in enumerate(s.past[slot], since + 1)],
    )


def view_pieces(pieces: Pieces) -> PieceGroup:
    return PieceGroup(count_followers(pieces), count_shamans(pieces))


def view_past_round(record: Record, round: int) -> PastRound:
    attacked = record >> 8
    by = [seat for seat in range(5) if (attacked >> seat) & 1] if attacked else []
    return PastRound(round, is_preserved(record), count_strips_by_attack(record), by)


def view_focus(s: TestOfTime) -> Focus | None:
    slot = NONE if s.over else find_question_slot(s.asked)
    return None if slot == NONE else Focus(slot // s.c.spaces, s.get_space_number(slot))


def view_pending_choice(s: TestOfTime) -> PendingPrice | BroughtShamans | MetFollowers | None:
    if s.over:
        return None
    step = s.asked
    if isinstance(step, Payment):
        return PendingPrice(step.cost, step.power, step.kind if isinstance(step, PayForCreate) else None)
    if isinstance(step, (AttackWithFollowers, DefendWithFollowers, DefendPastWithFollowers)):
        return BroughtShamans(step.shamans)
    if isinstance(step, Meet):
        return MetFollowers(step.rival, step.left)
    return None


def find_question_slot(step: Step[TestOfTime]) -> Slot:
    """Return the slot that a decision is about, or NONE."""
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
        Meet,
    )
    return step.slot if isinstance(step, about) else NONE


def view_reversal(s: TestOfTime) -> Reversal | None:
    if s.over:
        return None
    step = s.asked
    past = step.past if isinstance(step, PayForMark) else step
    if not isinstance(past, Past):
        return None
    return Reversal(
        round=s.since[past.slot] + past.index + 1,
        price=past.price,
        power=past.power,
        doomed=past.doomed,
        visible=count_visible(s.c.size[s.kind[past.slot]], s.past[past.slot]),
    )
