"""Observation of a seat as bytes; `docs/research.md` lists every cell."""

from typing import Final

from librt.strings import BytesWriter

from triclinium.engine.core.encoding import (
    BITS,
    COUNT,
    FLAG,
    ID,
    WIDE,
    AttributeTable,
    CellBlock,
    Encoding,
    count_bytes,
    one_hot,
)
from triclinium.engine.core.observer import (
    Observer,
    QuestionEncoder,
    relative_seat,
    write_bits,
    write_count,
    write_flag,
    write_wide,
    write_zeros,
)
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.games.missionnaires.rules.actions.obstacles import find_declared_space
from triclinium.games.missionnaires.rules.components import EFFECTS, KINDS, OFF, Components
from triclinium.games.missionnaires.rules.state import SPECTATOR, STOPPED, Missionnaires

# Places of a territory or sea card; 0 is its deck.
IN_DISCARDS: Final = 1
IN_HAND: Final = 1  # first of the hands, plus the seat relative to the observer
PLACE_COUNT: Final = 5


class MissionnairesObserver(Observer):
    """The observer of congregation cards.

    A seat observes the cards it has looked at. For other cards it observes the towns that every player knows to be
    ruled out (LM-R17).
    """

    def __init__(self, c: Components) -> None:
        self.questions = QuestionEncoder(
            {
                "PickColour": "",
                "BonWindow": "",
                "Main": "w",
                "GoOn": "wwnnnnn",
                "Advance": "wwnnnnn",
                "Meet": "w",
                "Fee": "w",
                "PushTo": "w",
                "BethelJoin": "",
                "PlayAtOnce": "n",
                "Cancel": "n",
                "PayOrSkip": "n",
                "MoveGendarme": "",
                "SendGendarme": "n",
                "CongDone": "",
                "Swap": "",
                "StormPort": "",
                "MoveRival": "",
                "RivalTo": "s",
                "PlayOn": "",
            }
        )
        cards = len(c.congregations)
        self.set_bytes = count_bytes(cards)
        self.hand_slots = (cards + 1) // 2  # slots of a hand; two players may hold all cards between them
        self.reserve_slots = max([cards - seats * hand for seats, hand in c.hand.items()])
        self.unknown_places = bytes(len(c.card_ids))
        self.encoding = Encoding(self.common_blocks(c), self.player_blocks(c))
        self.tables = build_attribute_tables(c)

    def common_blocks(self, c: Components) -> list[CellBlock]:
        towns = len(c.congregations)
        return [
            *self.questions.blocks(),
            CellBlock("round", WIDE, 1, top=60),
            CellBlock("round limit", WIDE, 1, top=300),
            CellBlock("leader", ID, 1, top=4, id_table="seat"),
            CellBlock("turn", ID, 1, top=4, id_table="seat"),
            CellBlock(
                "variants",
                FLAG,
                8,
                note="visit_on_pass, share_spaces, until_card, called_away, card_per_coup, relief, open_hands, "
                "card_on_pass",
            ),
            CellBlock("play on", COUNT, 1, top=3),
            CellBlock("under way", ID, 1, top=c.spaces, id_table="space"),
            CellBlock("territories", COUNT, 1, top=c.territories_a_turn, note="cards taken this turn"),
            CellBlock("stock", COUNT, 1, top=c.periodicals_total),
            CellBlock("gendarmes", ID, len(c.gendarmes), top=c.spaces, id_table="space"),
            CellBlock("overseers", ID, len(c.overseers), top=c.spaces, id_table="space"),
            CellBlock("escorts", ID, len(c.overseers), top=4, id_table="seat"),
            CellBlock("newly joined", FLAG, len(c.overseers)),
            CellBlock("decks", COUNT, 2, top=60, note="territories, sea"),
            CellBlock(
                "where",
                ID,
                len(c.card_ids),
                top=PLACE_COUNT,
                id_table="whereabouts",
                note="of each territory and sea card",
            ),
            CellBlock("reserve size", COUNT, 1, top=towns),
            CellBlock(
                "reserve", ID, self.reserve_slots, top=towns, id_table="congregation", note="from the top, if known"
            ),
            CellBlock(
                "reserve not",
                BITS,
                self.reserve_slots,
                top=towns,
                id_table="congregation",
                note="towns that this card is known not to be",
            ),
        ]

    def player_blocks(self, c: Components) -> list[CellBlock]:
        return [
            CellBlock("colour", ID, 1, top=len(c.colours), id_table="colour"),
            CellBlock("at", ID, 1, top=c.spaces, id_table="space"),
            CellBlock("periodicals", COUNT, 1, top=c.periodicals_max),
            CellBlock("missed", COUNT, 1, top=3, note="turns to miss"),
            CellBlock("turns", WIDE, 1, top=60),
            CellBlock("passed", COUNT, 1, top=3, note="1: this turn, 2: the last one"),
            CellBlock("sailed from", ID, 1, top=c.spaces, id_table="space"),
            CellBlock("rank", COUNT, 1, top=4),
            CellBlock("stopped", FLAG, 1),
            CellBlock("ended", WIDE, 1, top=60, note="the round in which he came home, or stopped"),
            CellBlock("resigned", FLAG, 1),
            CellBlock("visited", BITS, top=len(c.congregations), id_table="congregation"),
            CellBlock("to visit", COUNT, 1, top=12),
            CellBlock("hand", ID, self.hand_slots, top=len(c.congregations), id_table="congregation"),
            CellBlock("hand not", BITS, self.hand_slots, top=len(c.congregations), id_table="congregation"),
        ]

    def write(self, row: BytesWriter, s: State, seat: Seat) -> None:
        assert isinstance(s, Missionnaires)
        me = 0 if seat == NOBODY else seat
        self.questions.write(row, s, seat)
        write_wide(row, s.round)
        write_wide(row, s.v.round_limit)
        row.append(relative_seat(s.first, me, s.seats))
        row.append(relative_seat(s.turn, me, s.seats))
        write_table_rules(row, s)
        row.append(find_declared_space(s) + 1)
        write_count(row, s.territories)
        write_count(row, s.count_stock())
        for space in s.gendarmes:
            row.append(space + 1)
        for space in s.overseer_space:
            row.append(space + 1)
        for company in s.escort:
            row.append(relative_seat(company, me, s.seats))
        for overseer in range(len(s.overseer_space)):
            row.append((s.newly_joined >> overseer) & 1)
        write_count(row, len(s.deck))
        write_count(row, len(s.sea_deck))
        self.write_cards(row, s, me)
        row.append(len(s.reserve))
        viewer_bit = 1 << (SPECTATOR if seat == NOBODY else seat)
        self.write_reserve(row, s, viewer_bit)
        for i in range(s.seats):
            self.write_player(row, s, (me + i) % s.seats, viewer_bit)

    def write_cards(self, row: BytesWriter, s: Missionnaires, me: Seat) -> None:
        """Write the place of every face-up card."""
        first = len(row)
        row.write(self.unknown_places)
        for card in s.discard:
            row[first + card] = IN_DISCARDS
        for card in s.sea_discard:
            row[first + card] = IN_DISCARDS
        for who in range(s.seats):
            for card in s.bons[who]:
                row[first + card] = IN_HAND + relative_seat(who, me, s.seats)

    def write_player(self, row: BytesWriter, s: Missionnaires, who: Seat, viewer_bit: int) -> None:
        row.append(s.colour[who] + 1)
        row.append(s.at[who] + 1)
        write_count(row, s.periodicals[who])
        write_count(row, s.missed[who])
        write_wide(row, s.turns[who])
        row.append(s.passed[who])
        row.append(s.sailed_from[who] + 1)
        rank = s.rank[who]
        write_count(row, rank)
        write_flag(row, rank == STOPPED)
        write_wide(row, s.ended_round[who])
        row.append((s.resigned >> who) & 1)
        write_bits(row, s.visited[who], self.set_bytes)
        row.append(len(s.hand[who]))
        self.write_hand(row, s.hand[who], s.hand_seen[who], s.hand_ruled_out[who], viewer_bit)

    def write_hand(
        self,
        row: BytesWriter,
        cards: tuple[int, ...],
        seen: tuple[int, ...],
        ruled_out: tuple[int, ...],
        viewer_bit: int,
    ) -> None:
        """Write the cards known to the observer, then the ruled-out towns of the others."""
        written = min(len(cards), self.hand_slots)
        for slot in range(written):
            row.append(cards[slot] + 1 if seen[slot] & viewer_bit else 0)
        write_zeros(row, self.hand_slots - written)
        for slot in range(written):
            write_bits(row, 0 if seen[slot] & viewer_bit else ruled_out[slot], self.set_bytes)
        write_zeros(row, (self.hand_slots - written) * self.set_bytes)

    def write_reserve(self, row: BytesWriter, s: Missionnaires, viewer_bit: int) -> None:
        """Write the reserve from the top, in the format of a hand."""
        cards, seen, ruled_out = s.reserve, s.reserve_seen, s.reserve_ruled_out
        last = len(cards) - 1
        written = min(len(cards), self.reserve_slots)
        for slot in range(written):
            row.append(cards[last - slot] + 1 if seen[last - slot] & viewer_bit else 0)
        write_zeros(row, self.reserve_slots - written)
        for slot in range(written):
            write_bits(row, 0 if seen[last - slot] & viewer_bit else ruled_out[last - slot], self.set_bytes)
        write_zeros(row, (self.reserve_slots - written) * self.set_bytes)


def write_table_rules(row: BytesWriter, s: Missionnaires) -> None:
    """Write the variants of the table."""
    write_flag(row, s.v.visit_on_pass)
    write_flag(row, s.v.share_spaces)
    write_flag(row, s.v.until_card)
    write_flag(row, s.v.called_away)
    write_flag(row, s.v.card_per_coup)
    write_flag(row, s.v.relief)
    write_flag(row, s.v.open_hands)
    write_flag(row, s.v.card_on_pass)
    row.append(s.v.play_on)


def build_attribute_tables(c: Components) -> dict[str, AttributeTable]:
    """Return attributes of cards and spaces: effects, kinds, and distances to the congregations and home."""
    cards = [
        one_hot(c.effect[card], len(EFFECTS))
        + [int(c.bon[card]), int(card >= c.territories), c.number[card]]
        + one_hot(c.caller[card], len(c.overseers))
        for card in range(len(c.card_ids))
    ]
    towns = c.congregation_at
    homes = [[c.distance[town][c.bethel]] + [c.distance[town][other] for other in towns] for town in towns]
    spaces = [
        one_hot(c.kind[space], len(KINDS))
        + [int(c.port[space]), int(c.card_of[space] != OFF), c.distance[space][c.bethel]]
        + [c.distance[space][town] for town in towns]
        for space in range(c.spaces)
    ]
    names = [*KINDS, "port", "congregation card", "steps to the bethel"]
    return {
        "card": AttributeTable([*EFFECTS, "bon", "sea", "number", *c.overseers], cards),
        "congregation": AttributeTable(["steps to the bethel"] + [f"steps to {c.ids[goal]}" for goal in towns], homes),
        "space": AttributeTable(names + [f"steps to {c.ids[town]}" for town in towns], spaces),
    }
