"""What everybody knows of a match, as bytes; `docs/research.md` names every cell. Only the seats are turned."""

from typing import Final

from librt.strings import BytesWriter

from triclinium.engine.core.encoding import COUNT, FLAG, ID, MASK, WIDE, AttributeTable, Block, Encoding
from triclinium.engine.core.observer import Observer, Questions, count, flag, mask_from, nothing, seen_from, wide
from triclinium.engine.core.state import NOBODY, Seat, State, Step
from triclinium.games.testoftime.rules.actions.attack import AttackWithFollowers, AttackWithShamans
from triclinium.games.testoftime.rules.actions.convert import convert_cost
from triclinium.games.testoftime.rules.actions.create import ChooseKind, PayForCreate
from triclinium.games.testoftime.rules.actions.defend import DefendWithFollowers, DefendWithShamans
from triclinium.games.testoftime.rules.actions.meet import Meet
from triclinium.games.testoftime.rules.actions.preserve import PayForPreserve
from triclinium.games.testoftime.rules.actions.reverse import ChooseRounds, Past, PayForMark
from triclinium.games.testoftime.rules.components import ART, KIND_COUNT, KINDS, TOOLS, Components
from triclinium.games.testoftime.rules.scoring import dots, points, total
from triclinium.games.testoftime.rules.state import (
    NONE,
    Force,
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

FORCES: Final = 4  # of attackers, in the order of their placement, that are told one by one
SEATS: Final = 5
DECAYED: Final = 1  # of a past round: nobody preserved the Testament
KEPT: Final = 2  # of a past round: somebody preserved it
RECORD: Final = 3  # cells of a past round
HISTORIES: Final = 4096  # of Testaments that are kept, as bytes


class TestOfTimeObserver(Observer):
    """People, Testaments with their past, and what stands where in the present round."""

    def __init__(self, c: Components) -> None:
        self.questions = Questions(
            {
                "Move": "",
                "ChooseSpace": "",
                "ChooseKind": "-",
                "PayForCreate": "nn-n",
                "ChoosePreserved": "",
                "PayForPreserve": "nn-",
                "PayForSire": "nn",
                "PayForSireShaman": "nn",
                "ChooseRival": "",
                "PayForConvert": "nns",
                "ChooseTarget": "",
                "AttackWithShamans": "-",
                "AttackWithFollowers": "-n",
                "ChooseDefended": "",
                "DefendWithShamans": "-",
                "DefendWithFollowers": "-n",
                "ChooseReversed": "",
                "ChooseRounds": "-",
                "ChooseMark": "-nnnnn",
                "PayForMark": "-nnnnn",
                "DefendPastWithShamans": "-nnnnn",
                "DefendPastWithFollowers": "-nnnnnn",
                "Meet": "-sn",
            }
        )
        self.rounds = max(c.rounds)
        self.no_past = bytes(self.rounds * RECORD)
        self.histories: dict[tuple[tuple[Record, ...], Seat, int], bytes] = {}
        self.no_card = bytes(self.testament_cells())
        self.encoding = Encoding(self.common(), self.player(c))
        self.tables = {"kind": testaments(c)}

    def testament_cells(self) -> int:
        """Of a space where no Testament lies, after what is being created on it."""
        return sum([block.size for block in self.testament(1)])

    def common(self) -> list[Block]:
        return [
            *self.questions.blocks(),
            Block("round", COUNT, 1, top=self.rounds),
            Block("rounds", COUNT, 1, top=self.rounds),
            Block("starter", ID, 1, top=SEATS, of="seat"),
            Block("passes", COUNT, 1, top=SEATS),
            Block("variants", FLAG, 4, told="hostile_reverse, mercy, defenders_choose, one_payment"),
            Block("attacks per round", COUNT, 1, top=3),
            Block("focus", ID, 2, top=SEATS, told="whose Testament the question is about, and on which space"),
            Block("sections now", COUNT, 1, top=9, told="visible if the reversal under way ended here"),
        ]

    def player(self, c: Components) -> list[Block]:
        return [
            Block("waiting", COUNT, 2, top=c.max_followers, told="followers, shamans"),
            Block("in play", COUNT, 2, top=c.max_followers, told="followers, shamans"),
            Block("power", COUNT, 1, top=4),
            Block("saved", COUNT, 1, top=4),
            Block("worth", COUNT, 1, top=c.max_followers),
            Block("create", COUNT, KIND_COUNT, top=c.max_followers, told="what creating each kind costs"),
            Block("preserve", COUNT, KIND_COUNT, top=c.max_followers, told="what preserving each kind costs"),
            Block("convert", COUNT, 1, top=c.max_followers),
            Block("score", WIDE, 1, top=400),
            Block("sires", COUNT, c.sire_zones, 2, top=10),
            Block("shaman sires", COUNT, c.sire_shaman_zones, 2, top=10),
            Block("converts", COUNT, c.convert_zones, 3, top=10, told="followers, shamans, the rival as a seat"),
            Block("reversers", COUNT, 2, top=10),
            Block("making", ID, c.spaces, top=KIND_COUNT, of="kind"),
            Block("makers", COUNT, c.spaces, 2, top=10),
            *self.testament(c.spaces),
        ]

    def testament(self, spaces: int) -> list[Block]:
        """Written space by space: the cells of one follow each other."""
        each = [
            Block("kind", ID, 1, top=KIND_COUNT, of="kind"),
            Block("visible", COUNT, 1, top=9),
            Block("dots", COUNT, 1, top=20),
            Block("since", COUNT, 1, top=self.rounds),
            Block("points", WIDE, 1, top=200),
            Block("keepers", COUNT, 2, top=10),
            Block("defenders", COUNT, 2, top=10),
            Block("attack", COUNT, 1, top=20),
            Block("defence", COUNT, 1, top=20),
            Block("attackers", COUNT, SEATS, 2, top=10, told="followers and shamans, seat by seat from the observer"),
            Block("forces", COUNT, FORCES, 3, top=10, told="the first ones: seat, followers, shamans"),
            Block("past mark", ID, self.rounds, top=KEPT, of="mark", told="from the round after its creation"),
            Block("past strips", COUNT, self.rounds, top=5),
            Block("past attackers", MASK, self.rounds),
        ]
        return [
            Block(f"{i + 1}.{block.name}", block.kind, *shape_of(block), top=block.top, of=block.of, told=block.told)
            for i in range(spaces)
            for block in each
        ]

    def write(self, row: BytesWriter, s: State, seat: Seat) -> None:
        assert isinstance(s, TestOfTime)
        me = 0 if seat == NOBODY else seat
        self.questions.write(row, s, seat)
        count(row, s.round)
        count(row, s.rounds)
        row.append(seen_from(s.starter, me, s.seats))
        row.append(s.passes)
        flag(row, s.hostile_reverse)
        flag(row, s.mercy)
        flag(row, s.defenders_choose)
        flag(row, s.one_payment)
        count(row, s.attacks_per_round)
        slot = slot_of(s.stack[-1]) if s.who >= 0 else NONE
        row.append(seen_from(slot // s.c.spaces, me, s.seats) if slot >= 0 else 0)
        row.append(s.space(slot) if slot >= 0 else 0)
        reversing = slot >= 0 and isinstance(s.stack[-1], (Past, PayForMark))
        row.append(visible(s.c.size[s.kind[slot]], s.past[slot]) if reversing else 0)
        for i in range(s.seats):
            self.write_player(row, s, (me + i) % s.seats, me)

    def write_player(self, row: BytesWriter, s: TestOfTime, who: Seat, me: Seat) -> None:
        c = s.c
        row.append(s.waiting[who])
        row.append(s.waiting_shamans[who])
        row.append(s.followers[who])
        row.append(s.shamans[who])
        row.append(s.power(who))
        row.append(s.saved(who))
        count(row, s.worth(who))
        art = s.standing[who * KIND_COUNT + ART]
        for kind in range(KIND_COUNT):
            row.append(c.create_cost[kind][art])
        tools = s.standing[who * KIND_COUNT + TOOLS]
        for kind in range(KIND_COUNT):
            row.append(c.preserve_cost[kind][tools])
        row.append(convert_cost(s, who))
        wide(row, total(s, who))
        zones(row, s.sires[who], c.sire_zones)
        zones(row, s.shaman_sires[who], c.sire_shaman_zones)
        forces(row, s.converts[who], c.convert_zones, me, s.seats, False)
        pieces(row, s.reversers[who])
        first = who * c.spaces
        for slot in range(first, first + c.spaces):
            row.append(s.making[slot] + 1)
        for slot in range(first, first + c.spaces):
            pieces(row, s.makers[slot])
        for slot in range(first, first + c.spaces):
            if s.kind[slot] == NONE:
                row.write(self.no_card)
            else:
                self.write_testament(row, s, slot, me)

    def write_testament(self, row: BytesWriter, s: TestOfTime, slot: Slot, me: Seat) -> None:
        row.append(s.kind[slot] + 1)
        row.append(s.seen[slot])
        row.append(dots(s, slot))
        row.append(s.since[slot])
        wide(row, points(s, slot))
        pieces(row, s.keepers[slot])
        pieces(row, s.defenders[slot])
        attackers = s.attackers[slot]
        if attackers:
            count(row, s.attack_on(slot))
            count(row, s.defence_of(slot))
            by_seat(row, attackers, me, s.seats)
            forces(row, attackers, FORCES, me, s.seats, True)
        else:
            row.append(0)
            row.append(s.defence_of(slot) if s.defenders[slot] else 0)
            row.write(NO_ATTACKERS)
        past = s.past[slot]
        if past:
            self.write_past(row, past, me, s.seats)
        else:
            row.write(self.no_past)

    def write_past(self, row: BytesWriter, past: tuple[Record, ...], me: Seat, seats: int) -> None:
        """What happened to a Testament changes once a round, and is looked at hundreds of times."""
        key = (past, me, seats)
        cells = self.histories.get(key)
        if cells is None:
            if len(self.histories) >= HISTORIES:
                self.histories.clear()
            cells = self.histories[key] = history(past, self.rounds, me, seats)
        row.write(cells)


NO_ATTACKERS: Final = bytes(SEATS * 2 + FORCES * 3)


def shape_of(block: Block) -> tuple[int, ...]:
    """As it was given: a wide block adds an axis of its own."""
    return block.shape[:-1] if block.kind == WIDE else block.shape


def pieces(row: BytesWriter, group: Pieces) -> None:
    row.append((group >> 8) & 255)
    row.append(group & 255)


def zones(row: BytesWriter, used: tuple[Pieces, ...], room: int) -> None:
    """The parents in each used zone."""
    if not used:
        nothing(row, 2 * room)
        return
    for i in range(room):
        pieces(row, used[i] if i < len(used) else 0)


def forces(row: BytesWriter, placed: tuple[Force, ...], room: int, me: Seat, seats: int, seat_first: bool) -> None:
    """Pieces with the seat they belong to, or came from."""
    if not placed:
        nothing(row, 3 * room)
        return
    for i in range(room):
        force = placed[i] if i < len(placed) else -1
        seat = 0 if force < 0 else seen_from(force >> 16, me, seats)
        if seat_first:
            row.append(seat)
        pieces(row, max(force, 0))
        if not seat_first:
            row.append(seat)


def by_seat(row: BytesWriter, placed: tuple[Force, ...], me: Seat, seats: int) -> None:
    """All attackers of a Testament, added up for each seat from the observer on."""
    for i in range(SEATS):
        followers = 0
        shamans = 0
        if i < seats:
            who = (me + i) % seats
            for force in placed:
                if force >> 16 == who:
                    followers += followers_of(force)
                    shamans += shamans_of(force)
        count(row, followers)
        count(row, shamans)


def history(past: tuple[Record, ...], room: int, me: Seat, seats: int) -> bytes:
    """What happened to a Testament, round by round."""
    row = BytesWriter()
    nothing = bytes(room - len(past))
    for record in past:
        row.append(KEPT if is_preserved(record) else DECAYED)
    row.write(nothing)
    for record in past:
        row.append(strips_by_attack(record))
    row.write(nothing)
    for record in past:
        row.append(mask_from(record >> 8, me, seats))
    row.write(nothing)
    return row.getvalue()


def slot_of(step: Step[TestOfTime]) -> Slot:
    """The Testament space that a question is about, or NONE."""
    if isinstance(step, PayForMark):
        return step.past.slot
    if isinstance(step, (ChooseKind, PayForCreate, PayForPreserve, ChooseRounds, Past, Meet)):
        return step.slot
    if isinstance(step, (AttackWithShamans, AttackWithFollowers, DefendWithShamans, DefendWithFollowers)):
        return step.slot
    return NONE


def testaments(c: Components) -> AttributeTable:
    """A kind by its costs and its gold dots."""
    most = max(c.size)
    rows = [
        [*KIND_FLAGS[kind], c.create[kind], c.deaths[kind], c.preserve[kind], c.size[kind]]
        + list(c.sections[kind])
        + [0] * (most - c.size[kind])
        for kind in range(KIND_COUNT)
    ]
    names = [*KINDS, "create", "deaths", "preserve", "sections"] + [f"dots of section {i + 1}" for i in range(most)]
    return AttributeTable(names, rows)


KIND_FLAGS: Final = [[int(i == kind) for i in range(KIND_COUNT)] for kind in range(KIND_COUNT)]
