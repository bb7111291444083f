"""The whole table in plain text, for the terminal, from a view."""

from collections.abc import Callable, Iterable

from triclinium.engine.core.text import Message, Name, Reader, Several, Who
from triclinium.engine.view import items, table_of, whole, word
from triclinium.engine.visible import VisibleScore, said
from triclinium.games.portals.rules.components import Components


def plain_table(c: Components, view: dict[str, object], reader: Reader, face: Callable[[int], Message]) -> str:
    """Timeline, row, players and the viewer's own hand."""
    return "\n".join(_Table(c, view, reader, face).lines())


class _Table:
    def __init__(self, c: Components, view: dict[str, object], reader: Reader, face: Callable[[int], Message]) -> None:
        self.c = c
        self.view = view
        self.reader = reader
        self.face = face

    def say(self, text: str, *args: int | Name | Who | Message | Several) -> str:
        return self.reader.read(Message(text, *args))

    def joined(self, line: str, more: str) -> str:
        """Two parts of a line, with the semicolon as the reader's language sets it."""
        return self.say("{0}; {1}", Name(line), Name(more))

    def lines(self) -> list[str]:
        found = [self.clock(), self.timeline(), self.portals(), ""]
        found += self.row()
        players = tables_of(self.view["players"])
        first = whole(self.view["first"])
        for who in players[first:] + players[:first]:  # in turn order (PP-2.1)
            found += ["", *self.player(who)]
        if "hand" in self.view:
            found += ["", self.say("Your hand")]
            found += [f"  {self.own(card)}" for card in sorted(tables_of(self.view["hand"]), key=self.when)]
        if self.view["ending"] is not None:
            found += ["", self.say("The game is over.")]
        elif self.view["last_round"]:
            found += ["", self.say("This is the last round.")]
        return found

    def clock(self) -> str:
        capsule = self.c.space_names[self.c.space_ids.index(word(self.view["capsule"]))]
        number = whole(self.view["round"])
        line = self.say("Round {0}, {1}", number, capsule) if number else self.say("Set-up, {0}", capsule)
        if not self.view["simplified"]:
            gauge = self.c.gauge_names[self.c.gauge_ids.index(word(self.view["gauge"]))]
            line = self.joined(line, self.say("gauge {0}", gauge))
            burnt = [self.c.colour_names[self.c.colour_ids.index(name)] for name in words_of(self.view["burnt"])]
            if burnt:
                line = self.joined(line, self.say("burnt this turn: {0}", Several(burnt)))
        if self.view["turn"] is not None:
            line = self.joined(line, self.say("{0} {0:action|actions} left", whole(self.view["actions"])))
        return line

    def timeline(self) -> str:
        """The capsule's space in brackets, what else is in range marked with a star."""
        spaces: list[str] = []
        reach = words_of(self.view["in_range"])
        for i, space in enumerate(self.c.space_ids):
            short = self.say("Gen") if i == 0 else self.say("NT") if i == self.c.spaces - 1 else space
            if space == self.view["capsule"]:
                short = f"[{short}]"
            elif space in reach:
                short = f"*{short}"
            spaces.append(short)
        return self.say("Timeline") + "  " + " ".join(spaces)

    def portals(self) -> str:
        names = [self.place(name) for name in words_of(self.view["portals"])]
        return self.say("Portals") + "  " + ", ".join(self.reader.say(name) for name in names)

    def row(self) -> list[str]:
        decks = table_of(self.view["decks"])
        found = [
            self.say("Row (Old Testament deck {0}, New Testament deck {1})", whole(decks["old"]), whole(decks["new"]))
        ]
        for card in items(self.view["row"]):
            found.append("  -" if card is None else f"  {self.card(word(card))}")
        gone = words_of(self.view["gone"])
        if gone:
            found.append(self.say("Out of the game: {0}", Name(", ".join(gone))))
        return found

    def player(self, who: dict[str, object]) -> list[str]:
        seat = whole(who["seat"])
        hand = tables_of(who["hand"])
        mark = ">" if seat == self.view["turn"] else " "
        head = self.say("{0}: {1} {1:point|points}", Who(seat), whole(who["points"]))
        if who["place"] is not None:
            head += ", " + self.say("on {0}", self.place(word(who["place"])))
        if self.view["third_card_ends"]:
            head += ", " + self.say("New Testament {0} of {1}", whole(who["new_played"]), self.c.new_to_end)
        else:
            head += ", " + self.say("New Testament {0}", whole(who["new_played"]))
        if who["team"] is not None:
            head += ", " + self.say("team {0}", whole(who["team"]) + 1)
        score = VisibleScore.from_json(tables_of(self.view["standing"])[seat])
        over = self.view["ending"] is not None
        total = Name(said(score.total, self.reader))
        head = self.joined(head, (self.say("in all {0}", total) if over else self.say("if it ended now: {0}", total)))
        backs = table_of(who["backs"])
        held = [
            self.say("{0} {1}", whole(backs[deck]), self.c.deck_names[i])
            for i, deck in enumerate(self.c.deck_ids)
            if backs[deck]
        ]
        known = [self.title(word(card["card"])) for card in hand if card["card"] is not None]
        line = self.say("hand {0}", len(hand)) + (f" ({', '.join(held)})" if held else "")
        if known and seat != self.view["viewer"]:
            line = self.joined(line, self.say("known: {0}", Several(known)))
        regions = self.counts(self.c.region_ids, self.c.region_names, table_of(who["regions"]))
        symbols = self.counts(self.c.symbol_ids, self.c.symbol_names, table_of(who["symbols"]))
        return [f"{mark} {head}", f"    {line}", f"    {regions}", f"    {symbols}"]

    def counts(self, ids: Iterable[str], names: list[Name], counted: dict[str, object]) -> str:
        return ", ".join(f"{self.reader.say(names[i])} {counted[name]}" for i, name in enumerate(ids))

    def when(self, card: dict[str, object]) -> int:
        """The period of a card of the own hand; what is never played comes last."""
        number = self.c.card_ids.index(word(card["card"]))
        return self.c.period[number] if number < self.c.events else self.c.spaces

    def own(self, card: dict[str, object]) -> str:
        """A card of the own hand and what could be done with it."""
        line = self.card(word(card["card"]))
        if "playable" not in card:
            return line
        if card["playable"]:
            return f"{line} - {self.say('playable here')}"
        if not card["in_range"]:
            return f"{line} - {self.say('out of range by {0}', whole(card['off']))}"
        if card["steps"] is None:
            # PP-1.9: before the pawn stands, no way is shut; there is none yet.
            stands = tables_of(self.view["players"])[whole(self.view["viewer"])]["place"] is not None
            return f"{line} - {self.say('in range, no free way')}" if stands else line
        return f"{line} - {self.say('in range, {0} {0:step|steps} away', whole(card['steps']))}"

    def card(self, name: str) -> str:
        return f"{name:4}{self.reader.read(self.face(self.c.card_ids.index(name)))}"

    def title(self, name: str) -> Name:
        return self.c.titles[self.c.card_ids.index(name)]

    def place(self, name: str) -> Name:
        return self.c.place_names[self.c.place_ids.index(name)]


def words_of(value: object) -> list[str]:
    return [word(item) for item in items(value)]


def tables_of(value: object) -> list[dict[str, object]]:
    return [table_of(item) for item in items(value)]
