"""A position that shows a rule, and the option that a reader tries there."""

from dataclasses import dataclass

from triclinium.engine.core.errors import BadNotation
from triclinium.engine.core.rule import NOT_ASKED
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.record import Record
from triclinium.engine.rule_positions import RulePosition
from triclinium.server.errors import NotFound
from triclinium.server.fallback_text import explain_rule, format_option


@dataclass(frozen=True, slots=True)
class TriedPosition:
    """A position after an option that the reader tries, or before it if the rules refuse it or none is tried."""

    record: Record
    seat: Seat  # the seat that decides before the option
    shown_label: str  # the option that shows the rule, in words
    tried_label: str  # the option that the reader tries, in words; empty: none
    refusal: str  # why the rules refuse it, with the number of the rule; empty: they allow it

    @property
    def is_played(self) -> bool:
        """True if the option was played."""
        return bool(self.tried_label and not self.refusal)


def try_option(game: Game, position: RulePosition, text: str, reader: Reader) -> TriedPosition:
    """Return the position after an option, which may be empty. Raise NotFound if it does not belong to the question."""
    record = position.record
    s = record.replay(game=game)
    shown = format_option(game, s, game.read(position.option), reader)
    if not text:
        return TriedPosition(record, s.who, shown, "", "")
    try:
        o = game.read(text)
    except BadNotation:
        raise NotFound("This option is not available now.") from None
    rule = s.refusal(o)
    if rule is NOT_ASKED:
        raise NotFound("This option is not available now.")
    tried = format_option(game, s, o, reader)
    if rule is not None:
        refusal = f"{explain_rule(game, s, o, rule, reader, {})} ({rule.number})"
        return TriedPosition(record, s.who, shown, tried, refusal)
    after = record.truncate(len(record.options))
    after.options.append(game.format_option(o))
    return TriedPosition(after, s.who, shown, tried, "")
