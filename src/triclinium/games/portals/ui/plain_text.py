"""The table in plain text, made from a view, for terminals."""

from collections.abc import Callable
from dataclasses import dataclass

from triclinium.engine.core.text import Arg, JoinedList, Message, Name, Reader, SeatName
from triclinium.engine.visible_scores import format_number
from triclinium.games.portals.rules.components import Components
from triclinium.games.portals.ui.view import Card, OwnBonus, OwnEvent, Player, PortalsView


def format_table(c: Components, view: PortalsView, reader: Reader, face: Callable[[int], Message]) -> str:
    """Return the timeline, the row, the players and the viewer's own hand."""
    return "\n".join(_TableText(c, view, reader, face).format_lines())


@dataclass
class _TableText:
    c: Components
    view: PortalsView
    reader: Reader
    face: Callable[[int], Message]

    def _(self, text: str, *args: Arg) -> str:
        return self.reader.read(Message(text, *args))

    def join_parts(self, line: str, more: str) -> str:
        """Return two parts of a line, joined by the semicolon of the reader's language."""
        return self._("{0}; {1}", line, more)

    def format_lines(self) -> list[str]:
        view = self.view
        lines = [self.format_clock(), self.format_timeline(), self.format_portals(), ""]
        lines += self.format_row()
        for who in view.players[view.first :] + view.players[: view.first]:  # Players are in turn order (PP-2.1).
            lines += ["", *self.format_player(who)]
        lines += self.format_legend()
        if view.hand is not None:
            lines += ["", self._("Your hand")]
            lines += [f"  {self.format_own_card(card)}" for card in sorted(view.hand, key=self.get_period_order)]
        if view.ending is not None:
            lines += ["", self._("The game is over.")]
        elif view.last_round:
            lines += ["", self._("This is the last round.")]
        return lines

    def format_clock(self) -> str:
        view = self.view
        capsule = self.c.space_names[view.capsule]
        line = self._("Round {0}, {1}", view.round, capsule) if view.round else self._("Set-up, {0}", capsule)
        if not view.simplified:
            line = self.join_parts(line, self._("gauge {0}", self.c.gauge_names[view.gauge]))
            if view.burnt:
                burnt = JoinedList([self.c.colour_names[colour] for colour in view.burnt])
                line = self.join_parts(line, self._("burnt this turn: {0}", burnt))
        if view.turn is not None:
            line = self.join_parts(line, self._("{0} {0:action|actions} left", view.actions))
        return line

    def format_timeline(self) -> str:
        """Return the timeline: the capsule's space in brackets, other spaces in range with a star."""
        spaces: list[str] = []
        for space, name in enumerate(self.c.space_ids):
            short = self._("Gen") if space == 0 else self._("NT") if space == self.c.spaces - 1 else name
            if space == self.view.capsule:
                short = f"[{short}]"
            elif space in self.view.in_range:
                short = f"*{short}"
            spaces.append(short)
        return self._("Timeline") + "  " + " ".join(spaces) + "  " + self._("([ ] capsule, * in range)")

    def format_portals(self) -> str:
        names = [self.reader.format_arg(self.c.place_names[place]) for place in self.view.portals]
        return self._("Portals") + "  " + ", ".join(names)

    def format_row(self) -> list[str]:
        decks = self.view.decks
        lines = [self._("Row (Old Testament deck {0}, New Testament deck {1})", decks.old, decks.new)]
        for card in self.view.row:
            lines.append("  -" if card is None else f"  {self.format_card(card)}")
        known = [hidden_card.card for hidden_card in self.view.buried if hidden_card.card is not None]
        if self.view.gone or known:
            gone = ", ".join(self.c.card_ids[card] for card in self.view.gone + known)
            lines.append(self._("Out of the game: {0}", gone))
        backs = [
            hidden_card.back for hidden_card in self.view.buried if hidden_card.card is None
        ]  # PP-R12: the viewer knows only their backs.
        if backs:
            counts = [backs.count(deck) for deck in range(len(self.c.deck_ids))]
            lines.append(self._("Discarded face down: {0}", ", ".join(self.format_deck_counts(counts))))
        return lines

    def format_player(self, who: Player) -> list[str]:
        mark = ">" if who.seat == self.view.turn else " "
        # Partners count together (PP-12.1).
        side = who if self.view.teams is None or who.team is None else self.view.teams[who.team]
        regions = self.format_counts(self.c.region_names, side.regions)
        symbols = self.format_counts(self.c.symbol_names, side.symbols, self.list_symbol_marks(who))
        lines = [
            f"{mark} {self.format_player_head(who)}",
            f"    {self.format_hand(who)}",
            f"    {regions}",
            f"    {symbols}",
        ]
        if who.played:
            cards = ", ".join(self.c.card_ids[card] for card in who.played)
            lines.append("    " + self._("witnessed: {0}", cards))
        return lines

    def format_player_head(self, who: Player) -> str:
        """Return a player's name, place and progress."""
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
        total = format_number(score.shown_total, self.reader)
        if self.view.ending is not None:
            return self.join_parts(line, self._("in all {0}", total))
        if score.is_provisional:
            return self.join_parts(line, self._("if it ended now: {0} without unseen cards", total))
        return self.join_parts(line, self._("if it ended now: {0}", total))

    def format_hand(self, who: Player) -> str:
        """Return a player's hand by its backs, and the cards in it that are known."""
        held = self.format_deck_counts(who.backs)
        known = [self.c.titles[hidden_card.card] for hidden_card in who.hand if hidden_card.card is not None]
        line = self._("hand {0}", len(who.hand)) + (f" ({', '.join(held)})" if held else "")
        if known and who.seat != self.view.viewer:
            line = self.join_parts(line, self._("known: {0}", JoinedList(known)))
        if who.perhaps:
            perhaps = [self.c.titles[card] for card in who.perhaps]
            line = self.join_parts(line, self._("perhaps, if not discarded: {0}", JoinedList(perhaps)))
        return line

    def format_deck_counts(self, counts: list[int]) -> list[str]:
        """Return the number of cards of each deck, without zeros."""
        return [self._("{0} {1}", n, self.c.deck_names[deck]) for deck, n in enumerate(counts) if n]

    def format_counts(self, names: list[Name], counted: list[int], marks: list[str] | None = None) -> str:
        """Return each name with its count and its mark."""
        every = zip(names, counted, marks or [""] * len(names), strict=True)
        return ", ".join(f"{self.reader.format_arg(name)} {n}{mark}" for name, n, mark in every)

    def list_symbol_marks(self, who: Player) -> list[str]:
        """PP-11.5  Return the marks of each symbol: +1 for a known Symbol card of the side, then the star."""
        side = [
            entry for entry in self.view.players if entry is who or (who.team is not None and entry.team == who.team)
        ]
        held = {self.c.symbol_card[entry.card] for player in side for entry in player.hand if entry.card is not None}
        return [("+1" if symbol in held else "") + star for symbol, star in enumerate(self.list_majority_stars(who))]

    def list_majority_stars(self, who: Player) -> list[str]:
        """PP-11.6  Return a star for each symbol that the player leads.

        "(?)" is added if an unseen card could change it.
        """
        return [
            "" if who.seat not in ahead else "*(?)" if unsettled else "*"
            for ahead, unsettled in zip(self.view.leaders, self.view.unsettled, strict=True)
        ]

    def format_legend(self) -> list[str]:
        """Return the meaning of the marks that occur."""
        all_marks = " ".join(mark for who in self.view.players for mark in self.list_symbol_marks(who))
        meanings = [
            ("*", self._("* most of a symbol")),
            ("?", self._("(?) an unseen Symbol card could change it")),
            ("+", self._("+1 a Symbol card known in hand")),
        ]
        line = ""
        for sign, meaning in meanings:
            if sign in all_marks:
                line = self.join_parts(line, meaning) if line else meaning
        return ["", line] if line else []

    def get_period_order(self, own: OwnEvent | OwnBonus) -> int:
        """Return the period of a card in the viewer's hand; cards that are never played come last."""
        return self.c.period[own.card] if isinstance(own, OwnEvent) else self.c.spaces

    def format_own_card(self, own: OwnEvent | OwnBonus) -> str:
        """Return a card in the viewer's hand with its state."""
        line = self.format_card(own.card)
        if isinstance(own, OwnBonus):
            return line
        if own.playable:
            return f"{line} - {self._('playable here')}"
        if not own.in_range:
            return f"{line} - {self._('out of range by {0}', own.off)}"
        if own.steps is None:
            # PP-1.9: without a pawn on the map there are no ways yet.
            stands = self.view.viewer is not None and self.view.players[self.view.viewer].place is not None
            return f"{line} - {self._('in range, path blocked')}" if stands else line
        return f"{line} - {self._('in range, {0} {0:step|steps} away', own.steps)}"

    def format_card(self, card: Card) -> str:
        return f"{self.c.card_ids[card]:4}{self.reader.read(self.face(card))}"
