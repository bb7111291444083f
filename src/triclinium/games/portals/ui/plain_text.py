"""The whole table in plain text, for the terminal, from a view."""

from collections.abc import Callable
from dataclasses import dataclass

from triclinium.engine.core.text import Arg, Joined, Message, Name, Reader, SeatName
from triclinium.engine.visible_scores import said
from triclinium.games.portals.rules.components import Components
from triclinium.games.portals.ui.view import Card, OwnBonus, OwnEvent, Player, PortalsView


def plain_table(c: Components, view: PortalsView, reader: Reader, face: Callable[[int], Message]) -> str:
    """Timeline, row, players and the viewer's own hand."""
    return "\n".join(_Table(c, view, reader, face).lines())


@dataclass
class _Table:
    c: Components
    view: PortalsView
    reader: Reader
    face: Callable[[int], Message]

    def _(self, text: str, *args: Arg) -> str:
        return self.reader.read(Message(text, *args))

    def joined(self, line: str, more: str) -> str:
        """Two parts of a line, with the semicolon as the reader's language sets it."""
        return self._("{0}; {1}", line, more)

    def lines(self) -> list[str]:
        view = self.view
        found = [self.clock(), self.timeline(), self.portals(), ""]
        found += self.row()
        for who in view.players[view.first :] + view.players[: view.first]:  # in turn order (PP-2.1)
            found += ["", *self.player(who)]
        found += self.legend()
        if view.hand is not None:
            found += ["", self._("Your hand")]
            found += [f"  {self.own(card)}" for card in sorted(view.hand, key=self.when)]
        if view.ending is not None:
            found += ["", self._("The game is over.")]
        elif view.last_round:
            found += ["", self._("This is the last round.")]
        return found

    def clock(self) -> str:
        view = self.view
        capsule = self.c.space_names[view.capsule]
        line = self._("Round {0}, {1}", view.round, capsule) if view.round else self._("Set-up, {0}", capsule)
        if not view.simplified:
            line = self.joined(line, self._("gauge {0}", self.c.gauge_names[view.gauge]))
            if view.burnt:
                burnt = Joined([self.c.colour_names[colour] for colour in view.burnt])
                line = self.joined(line, self._("burnt this turn: {0}", burnt))
        if view.turn is not None:
            line = self.joined(line, self._("{0} {0:action|actions} left", view.actions))
        return line

    def timeline(self) -> str:
        """The capsule's space in brackets, what else is in range marked with a star."""
        spaces: list[str] = []
        for space, name in enumerate(self.c.space_ids):
            short = self._("Gen") if space == 0 else self._("NT") if space == self.c.spaces - 1 else name
            if space == self.view.capsule:
                short = f"[{short}]"
            elif space in self.view.in_range:
                short = f"*{short}"
            spaces.append(short)
        return self._("Timeline") + "  " + " ".join(spaces) + "  " + self._("([ ] capsule, * in range)")

    def portals(self) -> str:
        names = [self.reader.say(self.c.place_names[place]) for place in self.view.portals]
        return self._("Portals") + "  " + ", ".join(names)

    def row(self) -> list[str]:
        decks = self.view.decks
        found = [self._("Row (Old Testament deck {0}, New Testament deck {1})", decks.old, decks.new)]
        for card in self.view.row:
            found.append("  -" if card is None else f"  {self.card(card)}")
        known = [one.card for one in self.view.buried if one.card is not None]
        if self.view.gone or known:
            gone = ", ".join(self.c.card_ids[card] for card in self.view.gone + known)
            found.append(self._("Out of the game: {0}", gone))
        backs = [one.back for one in self.view.buried if one.card is None]  # PP-R12: the viewer knows no more of them
        if backs:
            counts = [backs.count(deck) for deck in range(len(self.c.deck_ids))]
            found.append(self._("Discarded face down: {0}", ", ".join(self.by_deck(counts))))
        return found

    def player(self, who: Player) -> list[str]:
        mark = ">" if who.seat == self.view.turn else " "
        side = who if self.view.teams is None or who.team is None else self.view.teams[who.team]  # PP-12.1
        regions = self.counts(self.c.region_names, side.regions)
        symbols = self.counts(self.c.symbol_names, side.symbols, self.marks(who))
        found = [f"{mark} {self.head(who)}", f"    {self.held(who)}", f"    {regions}", f"    {symbols}"]
        if who.played:
            cards = ", ".join(self.c.card_ids[card] for card in who.played)
            found.append("    " + self._("witnessed: {0}", cards))
        return found

    def head(self, who: Player) -> str:
        """Who it is, where, and how far."""
        line = self._("{0}: {1} {1:point|points}", SeatName(who.seat), who.points)
        if who.place is not None:
            line += ", " + self._("on {0}", self.c.place_names[who.place])
        if self.view.third_card_ends:
            line += ", " + self._("New Testament {0} of {1}", who.new_played, self.c.new_to_end)
        else:
            line += ", " + self._("New Testament {0}", who.new_played)
        if who.team is not None and self.view.teams is not None:
            points = self.view.teams[who.team].points
            line += ", " + self._("team {0} with {1} {1:point|points}", who.team + 1, points)
        score = self.view.standing[who.seat]
        total = said(score.told, self.reader)
        if self.view.ending is not None:
            return self.joined(line, self._("in all {0}", total))
        if score.is_reserved:
            return self.joined(line, self._("if it ended now: {0} without unseen cards", total))
        return self.joined(line, self._("if it ended now: {0}", total))

    def held(self, who: Player) -> str:
        """The hand of a player by its backs, and what is known of it."""
        held = self.by_deck(who.backs)
        known = [self.c.titles[one.card] for one in who.hand if one.card is not None]
        line = self._("hand {0}", len(who.hand)) + (f" ({', '.join(held)})" if held else "")
        if known and who.seat != self.view.viewer:
            line = self.joined(line, self._("known: {0}", Joined(known)))
        if who.perhaps:
            perhaps = [self.c.titles[card] for card in who.perhaps]
            line = self.joined(line, self._("perhaps, if not discarded: {0}", Joined(perhaps)))
        return line

    def by_deck(self, counts: list[int]) -> list[str]:
        """So many cards of each deck; of some not at all."""
        return [self._("{0} {1}", n, self.c.deck_names[deck]) for deck, n in enumerate(counts) if n]

    def counts(self, names: list[Name], counted: list[int], marks: list[str] | None = None) -> str:
        """So many of each, and its mark."""
        every = zip(names, counted, marks or [""] * len(names), strict=True)
        return ", ".join(f"{self.reader.say(name)} {n}{mark}" for name, n, mark in every)

    def marks(self, who: Player) -> list[str]:
        """PP-11.5  A Symbol card known in hand, a partner's too (PP-12.1), counts one more; then the star."""
        side = [one for one in self.view.players if one is who or (who.team is not None and one.team == who.team)]
        held = {self.c.symbol_card[one.card] for player in side for one in player.hand if one.card is not None}
        return [("+1" if symbol in held else "") + star for symbol, star in enumerate(self.stars(who))]

    def stars(self, who: Player) -> list[str]:
        """PP-11.6  Who has most of a symbol has a star, with a reserve where an unseen Symbol card could change it."""
        return [
            "" if who.seat not in ahead else "*(?)" if unsettled else "*"
            for ahead, unsettled in zip(self.view.leaders, self.view.unsettled, strict=True)
        ]

    def legend(self) -> list[str]:
        """What the marks of the symbols mean, those that there are."""
        found = " ".join(mark for who in self.view.players for mark in self.marks(who))
        told = [
            ("*", self._("* most of a symbol")),
            ("?", self._("(?) an unseen Symbol card could change it")),
            ("+", self._("+1 a Symbol card known in hand")),
        ]
        line = ""
        for sign, meaning in told:
            if sign in found:
                line = self.joined(line, meaning) if line else meaning
        return ["", line] if line else []

    def when(self, own: OwnEvent | OwnBonus) -> int:
        """The period of a card of the own hand; what is never played comes last."""
        return self.c.period[own.card] if isinstance(own, OwnEvent) else self.c.spaces

    def own(self, own: OwnEvent | OwnBonus) -> str:
        """A card of the own hand and what could be done with it."""
        line = self.card(own.card)
        if isinstance(own, OwnBonus):
            return line
        if own.playable:
            return f"{line} - {self._('playable here')}"
        if not own.in_range:
            return f"{line} - {self._('out of range by {0}', own.off)}"
        if own.steps is None:
            # PP-1.9: before the pawn stands, no way is shut; there is none yet.
            stands = self.view.viewer is not None and self.view.players[self.view.viewer].place is not None
            return f"{line} - {self._('in range, no free way')}" if stands else line
        return f"{line} - {self._('in range, {0} {0:step|steps} away', own.steps)}"

    def card(self, card: Card) -> str:
        return f"{self.c.card_ids[card]:4}{self.reader.read(self.face(card))}"
