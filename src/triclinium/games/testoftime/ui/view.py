"""The table as everybody sees it: nothing is hidden, so a view differs by viewer only in the options it carries."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from triclinium.engine.core.state import Seat, Step
from triclinium.engine.view import ASIDE, EVEN_ZERO, IS_SEAT, MINE, SHARED, UNTOLD, By, Label, Nth, Ref, View, base
from triclinium.games.testoftime.rules.actions.attack import AttackWithFollowers, AttackWithShamans
from triclinium.games.testoftime.rules.actions.convert import convert_cost
from triclinium.games.testoftime.rules.actions.create import ChooseKind, PayForCreate, create_cost
from triclinium.games.testoftime.rules.actions.defend import DefendWithFollowers, DefendWithShamans
from triclinium.games.testoftime.rules.actions.meet import Meet
from triclinium.games.testoftime.rules.actions.payment import Payment
from triclinium.games.testoftime.rules.actions.preserve import PayForPreserve
from triclinium.games.testoftime.rules.actions.reverse import ChooseRounds, DefendPastWithFollowers, Past, PayForMark
from triclinium.games.testoftime.rules.components import KIND_COUNT
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

Kind: TypeAlias = Annotated[int, Ref("kind")]
ByKind: TypeAlias = Annotated[list[int], By("kind")]


@dataclass(slots=True)
class Group:
    """Followers and shamans that stand together."""

    followers: Annotated[int, Label("followers")]
    shamans: Annotated[int, Label("shamans")]


@dataclass(slots=True)
class Makers:
    """Who creates a Testament, and which kind."""

    kind: Kind
    followers: Annotated[int, Label("followers")]
    shamans: Annotated[int, Label("shamans")]


@dataclass(slots=True)
class Attackers(Group):
    """Placed by one move; who is met stands in front once the owner has said so (TT-R10)."""

    seat: Annotated[Seat, Label("by"), IS_SEAT]


@dataclass(slots=True)
class Converters(Group):
    """Who paid for a convert, and the rival it came from."""

    from_: Annotated[Seat, Label("from"), IS_SEAT]


@dataclass(slots=True)
class SireZones:
    """The Sire or the Sire Shaman zones of a player: how many there are, and the parents in each used one."""

    zones: Annotated[int, ASIDE]
    used: Annotated[list[Group], Label("zones used")]


@dataclass(slots=True)
class ConvertZones:
    """The Convert zones of a player: how many there are, and who works in each used one."""

    zones: Annotated[int, ASIDE]
    used: Annotated[list[Converters], Label("zones used")]


@dataclass(slots=True)
class PastRound:
    """What happened to a Testament in one past round."""

    round: int
    preserved: bool
    strips: int  # by attack
    by: list[Seat]


@dataclass(slots=True)
class Vacant:
    """A Testament space without a card; one may be in the making."""

    space: Annotated[int, ASIDE]  # from 1
    kind: Annotated[None, ASIDE]
    creating: Annotated[Makers | None, Label("being created")]


@dataclass(slots=True)
class Testament:
    """A Testament space with a card: its sections from the top, its past, and what is placed on it this round."""

    space: Annotated[int, ASIDE]  # from 1
    kind: Annotated[Kind, Label("Testament")]
    creating: Annotated[Makers | None, Label("being created")]  # of the card that will cover a buried one
    sections: Annotated[tuple[int, ...], ASIDE]  # the gold dots of each
    visible: Annotated[int, Label("visible sections"), EVEN_ZERO]
    dots: Annotated[int, Label("gold dots")]
    since: Annotated[int, Label("since round"), UNTOLD]
    age: Annotated[int, ASIDE]
    points: Annotated[int, Label("points")]
    # its points at the end if nothing more is lost
    prospect: Annotated[int, Label("points if nothing more is lost"), UNTOLD]
    preserve_cost: Annotated[int, Label("cost of preserving"), UNTOLD]
    preserved: Annotated[Group | None, Label("preserved this round")]  # by whom, this round
    decays: Annotated[bool, Label("decays"), UNTOLD]
    attackers: Annotated[list[Attackers], ASIDE]  # there may be many; `attack` is what they count
    defenders: Annotated[Group, Label("defenders"), UNTOLD]
    attack: Annotated[int, Label("attack")]
    defence: Annotated[int, Label("defence")]
    strips: Annotated[int, Label("sections lost by attack")]  # sections that are lost by attack if nothing changes
    past: Annotated[list[PastRound], ASIDE]


TestamentSpace: TypeAlias = Vacant | Testament


@dataclass(slots=True)
class Player:
    """A player's board, people and prices."""

    waiting: Annotated[Group, Label("waiting")]
    in_play: Annotated[Group, Label("in play")]
    most: Annotated[Group, ASIDE]
    power: Annotated[int, Label("power of a shaman")]
    saved: Annotated[int, Label("saved per action")]
    worth: Annotated[int, Label("worth"), UNTOLD]
    create_cost: Annotated[ByKind, Label("cost of creating"), UNTOLD, MINE, Nth("cost")]
    preserve_cost: Annotated[ByKind, Label("cost of preserving"), UNTOLD]
    convert_cost: Annotated[int, Label("cost of converting"), UNTOLD]
    score: Annotated[int, Label("points")]
    prospect: Annotated[int, Label("points if nothing more is lost")]
    testaments: Annotated[list[TestamentSpace], Label("space"), SHARED, Nth("space")]
    sire: Annotated[SireZones, Label("Sire")]
    sire_shaman: Annotated[SireZones, Label("Sire Shaman")]
    convert: Annotated[ConvertZones, Label("Convert")]
    reversers: Annotated[Group, Label("reversing time")]


@dataclass(slots=True)
class Focus:
    """The Testament space that the pending decision is about."""

    seat: Seat
    space: int


@dataclass(slots=True)
class Price:
    """A price that is being paid, and what each shaman pays of it."""

    cost: int
    power: int
    kind: Kind | None  # of what is created for it


@dataclass(slots=True)
class Brought:
    """The shamans of an attack or a defence, whose followers are asked for now."""

    shamans: int


@dataclass(slots=True)
class Met:
    """What the owner divides: how many followers his defenders still meet, and of whom he is asked (TT-12.2)."""

    rival: Seat
    left: int


@dataclass(slots=True)
class Reversal:
    """A Reverse Time under way: the record in hand, and the sections that would be visible if it ended here."""

    round: int
    price: int
    power: int
    doomed: int
    visible: int


@dataclass(slots=True)
class TestOfTimeView(View):
    """The whole table."""

    round: Annotated[int, Label("round")]
    rounds: Annotated[int, ASIDE]
    starter: Annotated[Seat, Label("starter"), IS_SEAT, UNTOLD]
    passed: Annotated[list[Seat], Label("passed"), IS_SEAT, UNTOLD]  # since the last move, in order
    hostile_reverse: Annotated[bool, ASIDE]
    mercy: Annotated[bool, ASIDE]
    defenders_choose: Annotated[bool, ASIDE]
    attacks_per_round: Annotated[int, ASIDE]  # 0: unlimited
    one_payment: Annotated[bool, ASIDE]  # TT-14.6
    players: Annotated[list[Player], Label("players")]
    focus: Annotated[Focus | None, ASIDE]
    pledged: Annotated[Price | Brought | Met | None, ASIDE]  # what the pending decision has been told already
    reversal: Annotated[Reversal | None, ASIDE]


def view(s: TestOfTime, seat: Seat | None) -> TestOfTimeView:
    """The whole table, with the options of the seat that looks."""
    return TestOfTimeView(
        *base(s, seat, s.c.notation),
        round=s.round,
        rounds=s.rounds,
        starter=s.starter,
        passed=passed(s),
        hostile_reverse=s.hostile_reverse,
        mercy=s.mercy,
        defenders_choose=s.defenders_choose,
        attacks_per_round=s.attacks_per_round,
        one_payment=s.one_payment,
        players=[player_view(s, player) for player in range(s.seats)],
        focus=focus(s),
        pledged=pledged(s),
        reversal=reversal(s),
    )


def passed(s: TestOfTime) -> list[Seat]:
    """Who has passed since the last move, in order: the seats just before the one to move."""
    if s.over:
        return []
    if s.passes == s.seats:  # all have, and owners are asked whom they meet
        return [(s.starter + i) % s.seats for i in range(s.seats)]
    return [(s.who - back) % s.seats for back in range(s.passes, 0, -1)]


def attacks_made(view: TestOfTimeView, seat: Seat) -> int:
    """TT-14.5  The Attack moves of a player this round, each of which has placed a force of its own."""
    cells = [cell for player in view.players for cell in player.testaments if isinstance(cell, Testament)]
    return sum([1 for cell in cells for force in cell.attackers if force.seat == seat])


def player_view(s: TestOfTime, player: Seat) -> Player:
    c = s.c
    slots = range(player * c.spaces, (player + 1) * c.spaces)
    return Player(
        waiting=Group(s.waiting[player], s.waiting_shamans[player]),
        in_play=Group(s.followers[player], s.shamans[player]),
        most=Group(c.max_followers, c.max_shamans),
        power=s.power(player),
        saved=s.saved(player),
        worth=s.worth(player),
        create_cost=[create_cost(s, player, kind) for kind in range(KIND_COUNT)],
        preserve_cost=[upkeep(s, player, kind) for kind in range(KIND_COUNT)],
        convert_cost=convert_cost(s, player),
        score=total(s, player),
        prospect=sum([prospect(s, slot) for slot in slots]),
        testaments=[space_view(s, slot) for slot in slots],
        sire=SireZones(c.sire_zones, [group(parents) for parents in s.sires[player]]),
        sire_shaman=SireZones(c.sire_shaman_zones, [group(parents) for parents in s.shaman_sires[player]]),
        convert=ConvertZones(
            c.convert_zones,
            [Converters(followers_of(force), shamans_of(force), force >> 16) for force in s.converts[player]],
        ),
        reversers=group(s.reversers[player]),
    )


def upkeep(s: TestOfTime, player: Seat, kind: int) -> int:
    """What preserving a Testament of this kind costs the player now."""
    return s.c.preserve_cost[kind][s.standing[player * KIND_COUNT]]


def prospect(s: TestOfTime, slot: Slot) -> int:
    """The points of a Testament at the end if nothing more is lost."""
    if s.kind[slot] == NONE or s.making[slot] != NONE:
        return 0
    return dots(s, slot) * (s.rounds - s.since[slot])


def space_view(s: TestOfTime, slot: Slot) -> TestamentSpace:
    space = s.space(slot)
    kind = s.kind[slot]
    making = s.making[slot]
    makers = s.makers[slot]
    creating = None if making == NONE else Makers(making, followers_of(makers), shamans_of(makers))
    if kind == NONE:
        return Vacant(space, None, creating)
    since = s.since[slot]
    preserved = s.keepers[slot] > 0
    return Testament(
        space=space,
        kind=kind,
        creating=creating,
        sections=s.c.sections[kind],
        visible=s.seen[slot],
        dots=dots(s, slot),
        since=since,
        age=age(s, slot),
        points=points(s, slot),
        prospect=prospect(s, slot),
        preserve_cost=upkeep(s, slot // s.c.spaces, kind),
        preserved=group(s.keepers[slot]) if preserved else None,
        decays=s.seen[slot] > 0 and not preserved,
        attackers=[Attackers(followers_of(force), shamans_of(force), force >> 16) for force in s.attackers[slot]],
        defenders=group(s.defenders[slot]),
        attack=s.attack_on(slot),
        defence=s.defence_of(slot),
        strips=min(s.seen[slot], max(0, s.uncovered(slot))),
        past=[past_round(record, round) for round, record in enumerate(s.past[slot], since + 1)],
    )


def group(pieces: Pieces) -> Group:
    return Group(followers_of(pieces), shamans_of(pieces))


def past_round(record: Record, round: int) -> PastRound:
    attacked = record >> 8
    by = [seat for seat in range(5) if (attacked >> seat) & 1] if attacked else []
    return PastRound(round, is_preserved(record), strips_by_attack(record), by)


def focus(s: TestOfTime) -> Focus | None:
    slot = NONE if s.over else slot_of(s.asked)
    return None if slot == NONE else Focus(slot // s.c.spaces, s.space(slot))


def pledged(s: TestOfTime) -> Price | Brought | Met | None:
    if s.over:
        return None
    step = s.asked
    if isinstance(step, Payment):
        return Price(step.cost, step.power, step.kind if isinstance(step, PayForCreate) else None)
    if isinstance(step, (AttackWithFollowers, DefendWithFollowers, DefendPastWithFollowers)):
        return Brought(step.shamans)
    if isinstance(step, Meet):
        return Met(step.rival, step.left)
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
        Meet,
    )
    return step.slot if isinstance(step, about) else NONE


def reversal(s: TestOfTime) -> Reversal | None:
    if s.over:
        return None
    step = s.asked
    past = step.past if isinstance(step, PayForMark) else step
    if not isinstance(past, Past):
        return None
    return Reversal(
        round=s.since[past.slot] + past.at + 1,
        price=past.price,
        power=past.power,
        doomed=past.doomed,
        visible=visible(s.c.size[s.kind[past.slot]], s.past[past.slot]),
    )
