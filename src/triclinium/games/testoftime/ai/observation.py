"""Observation of a match as bytes; `docs/research.md` lists every cell.

All facts are public; only the seats are rotated.
"""

from typing import Final

from librt.strings import BytesWriter

from triclinium.engine.core.encoding import COUNT, FLAG, ID, MASK, WIDE, AttributeTable, CellBlock, Encoding
from triclinium.engine.core.observer import (
    Observer,
    QuestionEncoder,
    relative_mask,
    relative_seat,
    write_count,
    write_flag,
    write_wide,
    write_zeros,
)
from triclinium.engine.core.state import NOBODY, Seat, State, Step
from triclinium.games.testoftime.rules.actions.attack import AttackWithFollowers, AttackWithShamans
from triclinium.games.testoftime.rules.actions.convert import compute_convert_cost
from triclinium.games.testoftime.rules.actions.create import ChooseKind, PayForCreate
from triclinium.games.testoftime.rules.actions.defend import DefendWithFollowers, DefendWithShamans
from triclinium.games.testoftime.rules.actions.meet import Meet
from triclinium.games.testoftime.rules.actions.preserve import PayForPreserve
from triclinium.games.testoftime.rules.actions.reverse import ChooseRounds, Past, PayForMark
from triclinium.games.testoftime.rules.components import ART, KIND_COUNT, KINDS, TOOLS, Components
from triclinium.games.testoftime.rules.scoring import count_testament_points, count_total_points, count_visible_dots
from triclinium.games.testoftime.rules.state import (
    NONE,
    Force,
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

MAX_FORCES: Final = 4  # number of attacking forces listed one by one, in the order of their placement
SEAT_COUNT: Final = 5
DECAYED: Final = 1  # mark of a past round in which the Testament decayed
PRESERVED: Final = 2  # mark of a past round in which the Testament was preserved
RECORD_CELLS: Final = 3  # number of cells for a past round
MAX_CACHED_HISTORIES: Final = 4096  # maximum number of Testament histories kept as bytes


class TestOfTimeObserver(Observer):
    """The observer of people, Testaments with their past, and all pieces placed in the present round."""

    def __init__(self, c: Components) -> None:
        self.questions = QuestionEncoder(
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
        self.no_past = bytes(self.rounds * RECORD_CELLS)
        self.history_cache: dict[tuple[tuple[Record, ...], Seat, int], bytes] = {}
        self.no_card = bytes(self.count_testament_cells())
        self.encoding = Encoding(self.common_blocks(), self.player_blocks(c))
        self.tables = {"kind": build_kind_table(c)}

    def count_testament_cells(self) -> int:
        """Return the number of cells of a space without a Testament, except those for one being created."""
        return sum([block.size for block in self.testament_blocks(1)])

    def common_blocks(self) -> list[CellBlock]:
        return [
            *self.questions.blocks(),
            CellBlock("round", COUNT, 1, top=self.rounds),
            CellBlock("rounds", COUNT, 1, top=self.rounds),
            CellBlock("starter", ID, 1, top=SEAT_COUNT, id_table="seat"),
            CellBlock("passes", COUNT, 1, top=SEAT_COUNT),
            CellBlock("variants", FLAG, 4, note="hostile_reverse, mercy, defenders_choose, one_payment"),
            CellBlock("attacks per round", COUNT, 1, top=3),
            CellBlock("focus", ID, 2, top=SEAT_COUNT, note="whose Testament the question is about, and on which space"),
            CellBlock("sections now", COUNT, 1, top=9, note="visible if the reversal under way ended here"),
        ]

    def player_blocks(self, c: Components) -> list[CellBlock]:
        return [
            CellBlock("waiting", COUNT, 2, top=c.max_followers, note="followers, shamans"),
            CellBlock("in play", COUNT, 2, top=c.max_followers, note="followers, shamans"),
            CellBlock("power", COUNT, 1, top=4),
            CellBlock("saved", COUNT, 1, top=4),
            CellBlock("worth", COUNT, 1, top=c.max_followers),
            CellBlock("create", COUNT, KIND_COUNT, top=c.max_followers, note="what creating each kind costs"),
            CellBlock("preserve", COUNT, KIND_COUNT, top=c.max_followers, note="what preserving each kind costs"),
            CellBlock("convert", COUNT, 1, top=c.max_followers),
            CellBlock("score", WIDE, 1, top=400),
            CellBlock("sires", COUNT, c.sire_zones, 2, top=10),
            CellBlock("shaman sires", COUNT, c.sire_shaman_zones, 2, top=10),
            CellBlock("converts", COUNT, c.convert_zones, 3, top=10, note="followers, shamans, the rival as a seat"),
            CellBlock("reversers", COUNT, 2, top=10),
            CellBlock("making", ID, c.spaces, top=KIND_COUNT, id_table="kind"),
            CellBlock("makers", COUNT, c.spaces, 2, top=10),
            *self.testament_blocks(c.spaces),
        ]

    def testament_blocks(self, spaces: int) -> list[CellBlock]:
        """Return the cells of all spaces; the cells of one space are contiguous."""
        each = [
            CellBlock("kind", ID, 1, top=KIND_COUNT, id_table="kind"),
            CellBlock("visible", COUNT, 1, top=9),
            CellBlock("dots", COUNT, 1, top=20),
            CellBlock("since", COUNT, 1, top=self.rounds),
            CellBlock("points", WIDE, 1, top=200),
            CellBlock("keepers", COUNT, 2, top=10),
            CellBlock("defenders", COUNT, 2, top=10),
            CellBlock("attack", COUNT, 1, top=20),
            CellBlock("defence", COUNT, 1, top=20),
            CellBlock(
                "attackers", COUNT, SEAT_COUNT, 2, top=10, note="followers and shamans, seat by seat from the observer"
            ),
            CellBlock("forces", COUNT, MAX_FORCES, 3, top=10, note="the first ones: seat, followers, shamans"),
            CellBlock(
                "past mark", ID, self.rounds, top=PRESERVED, id_table="mark", note="from the round after its creation"
            ),
            CellBlock("past strips", COUNT, self.rounds, top=5),
            CellBlock("past attackers", MASK, self.rounds),
        ]
        return [
            CellBlock(
                f"{i + 1}.{block.name}",
                block.kind,
                *get_original_shape(block),
                top=block.top,
                id_table=block.id_table,
                note=block.note,
            )
            for i in range(spaces)
            for block in each
        ]

    def write(self, row: BytesWriter, s: State, seat: Seat) -> None:
        assert isinstance(s, TestOfTime)
        me = 0 if seat == NOBODY else seat
        self.questions.write(row, s, seat)
        write_count(row, s.round)
        write_count(row, s.rounds)
        row.append(relative_seat(s.starter, me, s.seats))
        row.append(s.passes)
        write_flag(row, s.hostile_reverse)
        write_flag(row, s.mercy)
        write_flag(row, s.defenders_choose)
        write_flag(row, s.one_payment)
        write_count(row, s.attacks_per_round)
        slot = find_question_slot(s.stack[-1]) if s.who >= 0 else NONE
        row.append(relative_seat(slot // s.c.spaces, me, s.seats) if slot >= 0 else 0)
        row.append(s.get_space_number(slot) if slot >= 0 else 0)
        reversing = slot >= 0 and isinstance(s.stack[-1], (Past, PayForMark))
        row.append(count_visible(s.c.size[s.kind[slot]], s.past[slot]) if reversing else 0)
        for i in range(s.seats):
            self.write_player(row, s, (me + i) % s.seats, me)

    def write_player(self, row: BytesWriter, s: TestOfTime, who: Seat, me: Seat) -> None:
        c = s.c
        row.append(s.waiting[who])
        row.append(s.waiting_shamans[who])
        row.append(s.followers[who])
        row.append(s.shamans[who])
        row.append(s.get_shaman_power(who))
        row.append(s.count_deaths_saved(who))
        write_count(row, s.compute_waiting_worth(who))
        art = s.standing_counts[who * KIND_COUNT + ART]
        for kind in range(KIND_COUNT):
            row.append(c.create_cost[kind][art])
        tools = s.standing_counts[who * KIND_COUNT + TOOLS]
        for kind in range(KIND_COUNT):
            row.append(c.preserve_cost[kind][tools])
        row.append(compute_convert_cost(s, who))
        write_wide(row, count_total_points(s, who))
        write_zones(row, s.sires[who], c.sire_zones)
        write_zones(row, s.shaman_sires[who], c.sire_shaman_zones)
        write_forces(row, s.converts[who], c.convert_zones, me, s.seats, False)
        write_pieces(row, s.reversers[who])
        first = who * c.spaces
        for slot in range(first, first + c.spaces):
            row.append(s.making[slot] + 1)
        for slot in range(first, first + c.spaces):
            write_pieces(row, s.makers[slot])
        for slot in range(first, first + c.spaces):
            if s.kind[slot] == NONE:
                row.write(self.no_card)
            else:
                self.write_testament(row, s, slot, me)

    def write_testament(self, row: BytesWriter, s: TestOfTime, slot: Slot, me: Seat) -> None:
        row.append(s.kind[slot] + 1)
        row.append(s.visible[slot])
        row.append(count_visible_dots(s, slot))
        row.append(s.since[slot])
        write_wide(row, count_testament_points(s, slot))
        write_pieces(row, s.keepers[slot])
        write_pieces(row, s.defenders[slot])
        attackers = s.attackers[slot]
        if attackers:
            write_count(row, s.compute_attack_strength(slot))
            write_count(row, s.compute_defence_strength(slot))
            write_attackers_by_seat(row, attackers, me, s.seats)
            write_forces(row, attackers, MAX_FORCES, me, s.seats, True)
        else:
            row.append(0)
            row.append(s.compute_defence_strength(slot) if s.defenders[slot] else 0)
            row.write(NO_ATTACKERS)
        past = s.past[slot]
        if past:
            self.write_past(row, past, me, s.seats)
        else:
            row.write(self.no_past)

    def write_past(self, row: BytesWriter, past: tuple[Record, ...], me: Seat, seats: int) -> None:
        """Write the past of a Testament, cached because it changes once a round but is observed hundreds of times."""
        key = (past, me, seats)
        cells = self.history_cache.get(key)
        if cells is None:
            if len(self.history_cache) >= MAX_CACHED_HISTORIES:
                self.history_cache.clear()
            cells = self.history_cache[key] = encode_history(past, self.rounds, me, seats)
        row.write(cells)


NO_ATTACKERS: Final = bytes(SEAT_COUNT * 2 + MAX_FORCES * 3)


def get_original_shape(block: CellBlock) -> tuple[int, ...]:
    """Return the shape without the extra axis of a wide block."""
    return block.shape[:-1] if block.kind == WIDE else block.shape


def write_pieces(row: BytesWriter, group: Pieces) -> None:
    row.append((group >> 8) & 255)
    row.append(group & 255)


def write_zones(row: BytesWriter, used: tuple[Pieces, ...], room: int) -> None:
    """Write the parents in each used zone."""
    if not used:
        write_zeros(row, 2 * room)
        return
    for i in range(room):
        write_pieces(row, used[i] if i < len(used) else 0)


def write_forces(
    row: BytesWriter, placed: tuple[Force, ...], room: int, me: Seat, seats: int, seat_first: bool
) -> None:
    """Write pieces with the seat to which they belong, or from which they came."""
    if not placed:
        write_zeros(row, 3 * room)
        return
    for i in range(room):
        force = placed[i] if i < len(placed) else -1
        seat = 0 if force < 0 else relative_seat(force >> 16, me, seats)
        if seat_first:
            row.append(seat)
        write_pieces(row, max(force, 0))
        if not seat_first:
            row.append(seat)


def write_attackers_by_seat(row: BytesWriter, placed: tuple[Force, ...], me: Seat, seats: int) -> None:
    """Write the total attackers of a Testament for each seat, starting with the observer."""
    for i in range(SEAT_COUNT):
        followers = 0
        shamans = 0
        if i < seats:
            who = (me + i) % seats
            for force in placed:
                if force >> 16 == who:
                    followers += count_followers(force)
                    shamans += count_shamans(force)
        write_count(row, followers)
        write_count(row, shamans)


def encode_history(past: tuple[Record, ...], room: int, me: Seat, seats: int) -> bytes:
    """Return the past of a Testament as bytes, round by round."""
    row = BytesWriter()
    padding = bytes(room - len(past))
    for record in past:
        row.append(PRESERVED if is_preserved(record) else DECAYED)
    row.write(padding)
    for record in past:
        row.append(count_strips_by_attack(record))
    row.write(padding)
    for record in past:
        row.append(relative_mask(record >> 8, me, seats))
    row.write(padding)
    return row.getvalue()


def find_question_slot(step: Step[TestOfTime]) -> Slot:
    """Return the Testament space that a question is about, or NONE."""
    if isinstance(step, PayForMark):
        return step.past.slot
    if isinstance(step, (ChooseKind, PayForCreate, PayForPreserve, ChooseRounds, Past, Meet)):
        return step.slot
    if isinstance(step, (AttackWithShamans, AttackWithFollowers, DefendWithShamans, DefendWithFollowers)):
        return step.slot
    return NONE


def build_kind_table(c: Components) -> AttributeTable:
    """Return the costs and gold dots of each kind."""
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
