"""What a seat knows of a match, as bytes; `docs/research.md` names every cell."""

from typing import Final

from librt.strings import BytesWriter

from triclinium.engine.core.encoding import (
    BITS,
    COUNT,
    FLAG,
    ID,
    WIDE,
    AttributeTable,
    Block,
    Encoding,
    bytes_for,
    one_of,
)
from triclinium.engine.core.observer import Observer, Questions, bits, count, flag, nothing, seen_from, wide
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.games.missionnaires.rules.actions.obstacles import under_way
from triclinium.games.missionnaires.rules.components import EFFECTS, KINDS, OFF, Components
from triclinium.games.missionnaires.rules.state import SPECTATOR, STOPPED, Missionnaires

# Where a territory or sea card is; 0 is in its deck.
DISCARDED: Final = 1
HELD: Final = 1  # and the seat as the observer counts it
PLACES: Final = 5


class MissionnairesObserver(Observer):
    """A seat is told the congregation cards it has looked at; of others, which towns all know they are not (LM-R17)."""

    def __init__(self, c: Components) -> None:
        self.questions = Questions(
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
                "Calm": "",
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
        self.cells = bytes_for(cards)
        self.slots = (cards + 1) // 2  # of a hand: two may share all of them
        self.reserve = max([cards - seats * hand for seats, hand in c.hand.items()])
        self.nowhere = bytes(len(c.card_ids))
        self.encoding = Encoding(self.common(c), self.player(c))
        self.tables = tables(c)

    def common(self, c: Components) -> list[Block]:
        towns = len(c.congregations)
        return [
            *self.questions.blocks(),
            Block("round", WIDE, 1, top=60),
            Block("round limit", WIDE, 1, top=300),
            Block("leader", ID, 1, top=4, of="seat"),
            Block("turn", ID, 1, top=4, of="seat"),
            Block(
                "variants",
                FLAG,
                8,
                told="visit_on_pass, share_spaces, until_card, called_away, card_per_coup, relief, open_hands, "
                "card_on_pass",
            ),
            Block("play on", COUNT, 1, top=3),
            Block("under way", ID, 1, top=c.spaces, of="space"),
            Block("territories", COUNT, 1, top=c.territories_a_turn, told="cards taken this turn"),
            Block("stock", COUNT, 1, top=c.periodicals_total),
            Block("gendarmes", ID, len(c.gendarmes), top=c.spaces, of="space"),
            Block("overseers", ID, len(c.overseers), top=c.spaces, of="space"),
            Block("escorts", ID, len(c.overseers), top=4, of="seat"),
            Block("newly joined", FLAG, len(c.overseers)),
            Block("decks", COUNT, 2, top=60, told="territories, sea"),
            Block("where", ID, len(c.card_ids), top=PLACES, of="whereabouts", told="of each territory and sea card"),
            Block("reserve size", COUNT, 1, top=towns),
            Block("reserve", ID, self.reserve, top=towns, of="congregation", told="from the top, if known"),
            Block(
                "reserve not", BITS, self.reserve, top=towns, of="congregation", told="towns that it is known not to be"
            ),
        ]

    def player(self, c: Components) -> list[Block]:
        return [
            Block("colour", ID, 1, top=len(c.colours), of="colour"),
            Block("at", ID, 1, top=c.spaces, of="space"),
            Block("periodicals", COUNT, 1, top=c.periodicals_max),
            Block("missed", COUNT, 1, top=3, told="turns to miss"),
            Block("turns", WIDE, 1, top=60),
            Block("passed", COUNT, 1, top=3, told="1: this turn, 2: the last one"),
            Block("sailed from", ID, 1, top=c.spaces, of="space"),
            Block("rank", COUNT, 1, top=4),
            Block("stopped", FLAG, 1),
            Block("ended", WIDE, 1, top=60, told="the round in which he came home, or stopped"),
            Block("resigned", FLAG, 1),
            Block("visited", BITS, top=len(c.congregations), of="congregation"),
            Block("to visit", COUNT, 1, top=12),
            Block("hand", ID, self.slots, top=len(c.congregations), of="congregation"),
            Block("hand not", BITS, self.slots, top=len(c.congregations), of="congregation"),
        ]

    def write(self, row: BytesWriter, s: State, seat: Seat) -> None:
        assert isinstance(s, Missionnaires)
        me = 0 if seat == NOBODY else seat
        self.questions.write(row, s, seat)
        wide(row, s.round)
        wide(row, s.v.round_limit)
        row.append(seen_from(s.first, me, s.seats))
        row.append(seen_from(s.turn, me, s.seats))
        table_rules(row, s)
        row.append(under_way(s) + 1)
        count(row, s.territories)
        count(row, s.stock())
        for space in s.gendarmes:
            row.append(space + 1)
        for space in s.overseer:
            row.append(space + 1)
        for company in s.escort:
            row.append(seen_from(company, me, s.seats))
        for overseer in range(len(s.overseer)):
            row.append((s.newly >> overseer) & 1)
        count(row, len(s.deck))
        count(row, len(s.sea_deck))
        self.write_cards(row, s, me)
        row.append(len(s.reserve))
        looks = 1 << (SPECTATOR if seat == NOBODY else seat)
        self.write_reserve(row, s, looks)
        for i in range(s.seats):
            self.write_player(row, s, (me + i) % s.seats, looks)

    def write_cards(self, row: BytesWriter, s: Missionnaires, me: Seat) -> None:
        """Where each card is that lies open."""
        first = len(row)
        row.write(self.nowhere)
        for card in s.discard:
            row[first + card] = DISCARDED
        for card in s.sea_discard:
            row[first + card] = DISCARDED
        for who in range(s.seats):
            for card in s.bons[who]:
                row[first + card] = HELD + seen_from(who, me, s.seats)

    def write_player(self, row: BytesWriter, s: Missionnaires, who: Seat, looks: int) -> None:
        row.append(s.colour[who] + 1)
        row.append(s.at[who] + 1)
        count(row, s.periodicals[who])
        count(row, s.missed[who])
        wide(row, s.turns[who])
        row.append(s.passed[who])
        row.append(s.sailed[who] + 1)
        rank = s.rank[who]
        count(row, rank)
        flag(row, rank == STOPPED)
        wide(row, s.ended[who])
        row.append((s.resigned >> who) & 1)
        bits(row, s.visited[who], self.cells)
        row.append(len(s.hand[who]))
        self.write_hand(row, s.hand[who], s.hand_seen[who], s.hand_out[who], looks)

    def write_hand(
        self, row: BytesWriter, cards: tuple[int, ...], seen: tuple[int, ...], out: tuple[int, ...], looks: int
    ) -> None:
        """Each card by its number if the observer knows it; then the sets of those that all know the others are not."""
        written = min(len(cards), self.slots)
        for slot in range(written):
            row.append(cards[slot] + 1 if seen[slot] & looks else 0)
        nothing(row, self.slots - written)
        for slot in range(written):
            bits(row, 0 if seen[slot] & looks else out[slot], self.cells)
        nothing(row, (self.slots - written) * self.cells)

    def write_reserve(self, row: BytesWriter, s: Missionnaires, looks: int) -> None:
        """The same of the reserve, from the top."""
        cards, seen, out = s.reserve, s.reserve_seen, s.reserve_out
        last = len(cards) - 1
        written = min(len(cards), self.reserve)
        for slot in range(written):
            row.append(cards[last - slot] + 1 if seen[last - slot] & looks else 0)
        nothing(row, self.reserve - written)
        for slot in range(written):
            bits(row, 0 if seen[last - slot] & looks else out[last - slot], self.cells)
        nothing(row, (self.reserve - written) * self.cells)


def table_rules(row: BytesWriter, s: Missionnaires) -> None:
    """What the table agreed on."""
    flag(row, s.v.visit_on_pass)
    flag(row, s.v.share_spaces)
    flag(row, s.v.until_card)
    flag(row, s.v.called_away)
    flag(row, s.v.card_per_coup)
    flag(row, s.v.relief)
    flag(row, s.v.open_hands)
    flag(row, s.v.card_on_pass)
    row.append(s.v.play_on)


def tables(c: Components) -> dict[str, AttributeTable]:
    """A card by its effect; a space by its kind and the way to the congregations and home."""
    cards = [
        one_of(c.effect[card], len(EFFECTS))
        + [int(c.bon[card]), int(card >= c.territories), c.number[card]]
        + one_of(c.caller[card], len(c.overseers))
        for card in range(len(c.card_ids))
    ]
    towns = c.congregation_at
    homes = [[c.distance[town][c.bethel]] + [c.distance[town][other] for other in towns] for town in towns]
    spaces = [
        one_of(c.kind[space], len(KINDS))
        + [int(c.port[space]), int(c.card_of[space] != OFF), c.distance[space][c.bethel]]
        + [c.distance[space][town] for town in towns]
        for space in range(c.spaces)
    ]
    names = [*KINDS, "port", "congregation card", "steps to the bethel"]
    return {
        "card": AttributeTable([*EFFECTS, "bon", "sea", "number", *c.overseers], cards),
        "congregation": AttributeTable(["steps to the bethel"] + [f"steps to {c.ids[one]}" for one in towns], homes),
        "space": AttributeTable(names + [f"steps to {c.ids[town]}" for town in towns], spaces),
    }
