"""Texts that need code: labels of options; names of cards, Favors and spaces; and the table in plain text."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from triclinium.engine.core.event import Event
from triclinium.engine.core.notation import Notation, Verb
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Arg, JoinedList, Message, Name, msgid
from triclinium.engine.game_text import ActionHeading, GameText, TableNote
from triclinium.games.ierusalem.rules.actions.favor import DoFavor, FavorTo
from triclinium.games.ierusalem.rules.actions.followers import compute_send_price as price_of_sending
from triclinium.games.ierusalem.rules.actions.parable import Listen
from triclinium.games.ierusalem.rules.actions.perform import Perform, is_idle
from triclinium.games.ierusalem.rules.actions.redistribute import Rearrange
from triclinium.games.ierusalem.rules.actions.supper import Go
from triclinium.games.ierusalem.rules.actions.visit import Bring, SeatApostle, Visit
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import CARDS, FIRST_MAHANE, ORANGE, PURPLE, WHITE
from triclinium.games.ierusalem.rules.events import DREW
from triclinium.games.ierusalem.rules.impossible_actions import OBSTACLES
from triclinium.games.ierusalem.rules.scoring import count_shade_points
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.turn import Column
from triclinium.games.ierusalem.rules.verbs import (
    APPRECIATE,
    BRING,
    BUY,
    COLUMN,
    GO,
    LAY,
    MOVE,
    ONTO,
    PLAY,
    SEAT,
    SELL,
    SWAP,
    TO,
    VISIT,
    WITH,
)
from triclinium.games.ierusalem.ui.card_faces import name_card_back
from triclinium.games.ierusalem.ui.column_progress import format_progress
from triclinium.games.ierusalem.ui.favor_effects import list_effects_on_receiver
from triclinium.games.ierusalem.ui.hint_reasons import describe_choice, describe_difference, measure_column
from triclinium.games.ierusalem.ui.icons import ROMAN
from triclinium.games.ierusalem.ui.reward_text import (
    format_goods,
    join_semicolons,
    list_reward_texts,
    name_benefit,
    name_favor,
)
from triclinium.games.ierusalem.ui.supper_spaces import format_price, format_value, list_owner_names, list_space_rewards
from triclinium.games.ierusalem.ui.table_notes import list_table_notes
from triclinium.games.ierusalem.ui.view import IerusalemView
from triclinium.i18n.catalog import Domain

# The label of each verb, with its axes as parameters. A label that only names a thing is the same in every language.
LABELS: Final = {
    "skip": msgid("Skip"),
    "done": msgid("Done"),
    "illuminate": msgid("Use the Illumination tile"),
    "listen": msgid("Listen"),
    "offering": msgid("Take the Offering"),
    "draw": msgid("Draw from the deck"),
    "trade": msgid("Trade goods"),
    "mahane": msgid("Pay and take a Mahane card"),
    "post": "{0:location}",
    "call": "{0:location}",
    "send": "{0:location}",
    "leave": "{0:location}",
    "sell": msgid("Sell {0:good}"),
    "buy": msgid("Buy {0:good}"),
    "waste": msgid("Discard {0:good}"),
    "column": msgid("Column {0:column}"),
    "clear": msgid("Column {0:column}"),
    "appreciate": "{0:shade}",
    "bring": "{0:shade}",
    "to": "{0:seat}",
    "favor": "{0:marker}",
    "replace": msgid("{0:location}, in the place of {1:seat}"),
    "visit": msgid("Visit column {0:roman} with your column {1}"),
    "seat": msgid("Seat {0:chair}"),
    "score": "{0:apostle}",
    "take": "{0:mahane}",
    "play": "{0:card}",
    "discard": "{0:card}",
    "drop": msgid("Discard {0:card}"),
    "go": "{0:space}",
    "move": "{0:space}",
    "onto": "{0:space}",
    "swap": "{0:space}",
    "with": "{0:space}",
    "colour": "{0:colour}",
    "lay": msgid("{0:card} into column {1:column}"),
}

SOURCES: Final = (  # sources of VP, in the order of `Ierusalem.earned`
    Name("start", "source"),
    Name("3 VP action", "source"),
    Name("space at the Last Supper", "source"),
    Name("Parables", "source"),
    Name("Favors", "source"),
    Name("visit", "source"),
    Name("orange Apostle", "source"),
    Name("Judgment", "source"),
)

CARD_TEMPLATE: Final = "{0:card}"  # This template is the same in every language.

GIVERS: Final = (  # givers of an appreciation, by colour
    Name("a purple Apostle", "giver"),
    Name("an orange Apostle", "giver"),
    Name("a white Apostle", "giver"),
    Name("Judas", "giver"),
)


def axis_indexes(verb: Verb, o: Option) -> list[int]:
    """Return the index of an option on each axis of its verb."""
    rest = o - verb.first
    indexes: list[int] = []
    for axis in reversed(verb.axes):
        rest, at = divmod(rest, len(axis))
        indexes.insert(0, at)
    return indexes


class IerusalemText(GameText):
    """The texts of Ierusalem."""

    score_lines: Mapping[str, str] = {
        "track": "VP on the track",
        "parables": "Parables",
        "seats": "Places behind the Apostles",
        "jesus": "Places at Jesus",
        "offerings": "Offerings",
        "illumination": "Illumination tile",
    }

    feature_words: Mapping[str, tuple[str, str]] = {
        "track": ("{0} more VP on the track", "{0} fewer VP on the track"),
        "parables": ("{0} more VP for Parables", "{0} fewer VP for Parables"),
        "next_parable": ("enough Followers for the next Parable", "too few Followers for the next Parable"),
        "seats": ("{0} more VP behind seated Apostles", "{0} fewer VP behind seated Apostles"),
        "jesus": ("{0} more VP next to Jesus", "{0} fewer VP next to Jesus"),
        "illumination": ("the Illumination tile still to use", "no Illumination tile left"),
        "favors_done": ("{0} more {0:Favor done|Favors done}", "{0} fewer {0:Favor done|Favors done}"),
        "spoilt": (
            "{0} more {0:column that fits|columns that fit} no Apostle column",
            "{0} fewer {0:column that fits|columns that fit} no Apostle column",
        ),
        "locked": (
            "{0} more {0:card|cards} in columns that fit no Apostle column",
            "{0} fewer {0:card|cards} in columns that fit no Apostle column",
        ),
        "overfull": (
            "{0} more {0:piece|pieces} without room in the Camp",
            "{0} fewer {0:piece|pieces} without room in the Camp",
        ),
    }

    feature_topics: Mapping[str, str] = {
        "track": "track",
        "offerings": "open seats",
        "promise": "open seats",
        "goods": "goods",
        "reach": "goods",
        "denarii": "denarii",
        "desert": "followers",
        "mountain": "followers",
        "lake": "followers",
        "progress": "progress",
    }

    point_features = frozenset({"track", "parables", "seats", "jesus"})

    short_labels: Mapping[str, str] = {
        "play": "Play",
        "discard": "Discard",
        "drop": "Discard",
        "take": "Take",
        "column": "This column",
        "clear": "This column",
        "sell": "Sell",
        "buy": "Buy",
        "waste": "Discard",
    }

    verbs: Mapping[str, str] = {
        "sell": "Sell",
        "buy": "Buy",
        "send": "Send out",
        "replace": "In another player’s place",
        "take": "Take",
        "drop": "Discard",
        "visit": "Visit",
    }

    def __init__(self, c: Components, notation: Notation, domain: Domain) -> None:
        super().__init__(notation, domain)
        self.c = c
        self.names = {
            "good": c.good_names,
            "location": c.location_names,
            "shade": c.shade_names,
            "apostle": c.apostle_names,
            "colour": c.colour_names,
            "tile": c.tile_names,
            "source": SOURCES,
            "giver": GIVERS,
        }
        self.name_functions: dict[str, Callable[[int], Arg]] = {
            "card": self.name_card,
            "brief": self.name_card_briefly,
            "mahane": lambda card: self.name_card(card + FIRST_MAHANE),
            "marker": lambda marker: name_favor(c, marker),
            "benefit": lambda marker: name_benefit(c, marker),
            "parable": lambda number: c.parable_names[number - 1],
            "space": self.name_space,
            "chair": lambda chair: c.seat_ids[chair].upper(),
            "column": lambda column: column + 1,
            "roman": lambda number: ROMAN[number],
            "obstacle": lambda number: Message(OBSTACLES[number].text),
        }

    def describe_difference(
        self, topic: str, better: State, other: State, seat: Seat
    ) -> tuple[str, tuple[int, ...]] | None:
        assert isinstance(better, Ierusalem)
        assert isinstance(other, Ierusalem)
        return describe_difference(topic, better, other, seat)

    def describe_choice(self, s: State, better: Option, other: Option) -> tuple[str, tuple[int, ...]] | None:
        assert isinstance(s, Ierusalem)
        return describe_choice(s, better, other)

    def name_of(self, kind: str, number: int) -> Arg:
        return self.name_functions[kind](number) if kind in self.name_functions else super().name_of(kind, number)

    def short_name(self, kind: str, number: int) -> Arg:
        """Return a card's number and Location, or the name of its back if it is unknown."""
        if kind in ("card", "held"):
            return name_card_back(self.c, number - CARDS) if number >= CARDS else self.name_card_briefly(number)
        if kind == "marker":
            return self.c.marker_ids[number].upper()
        return self.name_of({"seat": "chair", "place": "location"}.get(kind, kind), number)

    def heading(self, s: State) -> ActionHeading | None:
        """IE-2.4  Return the heading of a card's action: the actions of the card, left to right."""
        assert isinstance(s, Ierusalem)
        own = super().heading(s)
        if (
            own is None
            or s.turn_card < 0
            or s.who != s.active
            or not any(isinstance(step, Visit) for step in s.stack[:-1])
        ):
            return own
        rule = own.stages[own.current_stage - 1][1]
        c, card = self.c, s.turn_card
        names = [c.location_names[c.card_location[card]], *(c.action_names[action] for action in c.card_actions[card])]
        # The list is empty during the last action.
        left = [step.begin for step in s.stack if isinstance(step, Perform)]
        return ActionHeading(
            c.card_ids[card].upper(), [(name, rule) for name in names], left[-1] if left else len(names)
        )

    def question(self, s: State) -> Message:
        """IE-4.1, IE-4.2, IE-4.5  Return the question with the reward, the goods to pay with, or the gains."""
        question_text = super().question(s)
        assert isinstance(s, Ierusalem)
        if isinstance(s.asked, Go) and not s.asked.free:
            held = [format_goods(n, good) for good, n in enumerate(s.goods[s.who * 3 : s.who * 3 + 3]) if n]
            return Message("{0} You have {1}.", question_text, JoinedList(held))
        if isinstance(s.asked, Listen):
            step = s.parables[s.who]
            gift = list_reward_texts(self.c.parable_reward[step], self.c.parable_amount[step])
            return Message("{0} Your Parable track gives {1}.", question_text, *gift) if gift else question_text
        if not isinstance(s.asked, DoFavor):
            return question_text
        return Message("{0} You get {1}.", question_text, JoinedList(self.list_giver_rewards(s)))

    def list_giver_rewards(self, s: Ierusalem) -> list[Arg]:
        """Return the rewards that the next Favor gives to the player who does it."""
        c, step = self.c, s.favors[s.who] + 1
        rewards: list[Arg] = [Message("a XXXIII A.D. card")] if s.xxxiii else []
        rewards.append(Message("{0} VP", c.favor_vp[step]))
        if step == c.warehouse_space:
            rewards.append(Message("the blocked space of the Camp"))
        if step == c.denarii_space:
            rewards.append(Message("{0} {0:Denarius|Denarii}", c.favor_denarii))
        return rewards

    def section(self, s: State, o: Option) -> "Arg | None":
        """IE-4.9  Return the column as the group of an option to move a card."""
        verb = self.notation.verb_of(o)
        return Message("column {0}", axis_indexes(verb, o)[1] + 1) if verb.word == "lay" else None

    def event_message(self, event: Event, viewer: Seat) -> Message | None:
        if event.type is DREW and event.secrets:
            cards = JoinedList([Message(CARD_TEMPLATE, card) for card in event.secrets])
            return Message("{who} draws {0} {0:card|cards}: {1}.", event.facts[0], cards, who=event.seat)
        return super().event_message(event, viewer)

    def table_notes(self, view: IerusalemView) -> Sequence[TableNote]:
        return list(list_table_notes(self.c, view))

    # -- labels -----------------------------------------------------------------------------------------------------

    def label(self, s: State, o: Option) -> Message:
        assert isinstance(s, Ierusalem)
        verb = self.notation.verb_of(o)
        if verb.closes and isinstance(s.asked, Rearrange):
            return Message("Leave everything as it is") if verb.word == "skip" else Message("Leave the rest as it is")
        base_label = Message(LABELS[verb.word], *axis_indexes(verb, o))
        denarii = self.count_option_denarii(s, o, verb.word)
        if denarii is not None:
            return Message("{0} ({1} {1:Denarius|Denarii})", base_label, denarii)
        if verb.word == "visit":
            return self.label_visit(s, *divmod(o - VISIT, 3))
        if verb.word == "appreciate":
            return self.label_appreciation(s, o - APPRECIATE)
        details = self.describe_option(s, o, verb.word)
        return Message("{0}: {1}", base_label, details) if details else base_label

    def count_option_denarii(self, s: Ierusalem, o: Option, verb: str) -> int | None:
        """Return the Denarii that an option moves, or None if it is not a trade."""
        if verb in ("send", "replace"):
            return price_of_sending(s, o)
        if verb in ("sell", "buy"):
            return self.c.price[o - (SELL if verb == "sell" else BUY)]
        return self.c.market_price if verb == "mahane" else None

    def label_visit(self, s: Ierusalem, source: int, apostles: int) -> Message:
        """IE-2.11, IE-2.12  Return the label of a visit: whether an Apostle waits, and the VP of the column's cards."""
        if source > 0:
            base_label = Message(LABELS["visit"], apostles + 1, source)
        else:
            base_label = Message("Visit column {0:roman} with Favors only", apostles + 1)
        if not s.waiting[apostles]:
            base_label = Message("{0}, where no Apostle waits", base_label)
        cards = s.columns[s.asked.who * 3 + source - 1] if source > 0 else b""
        points = sum(self.c.card_vp[card] for card in cards)
        return Message("{0} ({1} VP)", base_label, points) if points else base_label

    def label_appreciation(self, s: Ierusalem, shade: int) -> Message:
        """IE-2.10  Return the appreciation of a colour. The variant decides whose Followers orange scores (IE-R3)."""
        if shade == PURPLE:
            return Message("purple: be invited to the Last Supper")
        if shade == ORANGE and s.orange_scores_all:
            return Message("orange: score everyone’s Followers")
        if shade == ORANGE:
            return Message("orange: score your Followers")
        if shade == WHITE:
            return Message("white: swap two Followers")
        return Message("Judas: {0} {0:Denarius|Denarii}", self.c.judas_denarii)

    def describe_option(self, s: Ierusalem, o: Option, verb: str) -> Arg:
        """Return the facts about an option that help to choose it, or ""."""
        step, c = s.asked, self.c
        if verb == "go" and isinstance(step, Go):
            cost = [] if step.free else [format_price(c, o - GO)]
            return join_semicolons([*cost, *list_space_rewards(c, o - GO), format_value(s, o - GO)])
        if verb == "onto":
            return join_semicolons([*list_space_rewards(c, o - ONTO), format_value(s, o - ONTO)])
        if verb in ("move", "swap"):
            return format_value(s, o - (MOVE if verb == "move" else SWAP))
        if verb == "with":
            return join_semicolons([*list_owner_names(s, o - WITH), format_value(s, o - WITH)])
        if verb == "column" and isinstance(step, Column):
            return self.describe_column_outlook(s, (*s.columns[step.who * 3 + o - COLUMN], step.card))
        if verb == "lay":
            card, column = divmod(o - LAY, 3)
            there = s.columns[step.who * 3 + column]
            return self.describe_column_outlook(s, (*(other for other in there if other != card), card))
        if isinstance(step, SeatApostle):
            gains = self.list_seat_gains(s, o - SEAT, c.shade[step.apostle])
            return JoinedList(gains) if gains else ""
        if isinstance(step, FavorTo):
            return join_semicolons(list_effects_on_receiver(s, step.marker, o - TO))
        if isinstance(step, Bring):
            apostle = step.find_first_apostle(s, o - BRING)
            return c.apostle_names[apostle] if apostle >= 0 else ""
        return Message("none of it can be done now") if verb == "play" and is_idle(s, step.who, o - PLAY) else ""

    def list_seat_gains(self, s: Ierusalem, seat: int, shade: int) -> list[Arg]:
        """Return the value of an Apostle of this colour on this seat to each player with Followers there."""
        points = [count_shade_points(s, who, seat, shade) for who in range(s.seats)]
        return [Message("{0:seat} {1}", who, gain) for who, gain in enumerate(points) if gain != 0]

    def describe_column_outlook(self, s: Ierusalem, cards: Sequence[int]) -> Message:
        """IE-2.7  Return the goal of the deciding seat's column with these cards."""
        if len(cards) > self.c.visit_symbols:
            return Message("more than three cards, no visit")
        best = measure_column(s, s.who, 1, cards)
        return Message("fits no Apostle column") if best is None else format_progress(self.c, best)

    # -- names ------------------------------------------------------------------------------------------------------

    def name_card(self, card: int) -> Message:
        """Return ``R04 (Desert: Obtain Bread and Go to the Last Supper; 1 VP)``."""
        c = self.c
        actions = JoinedList([c.action_names[action] for action in c.card_actions[card]])
        place = c.location_names[c.card_location[card]]
        return Message("{0} ({1}: {2}; {3} VP)", c.card_ids[card].upper(), place, actions, c.card_vp[card])

    def name_card_briefly(self, card: int) -> Message:
        """Return ``R04 (Desert)``."""
        return Message("{0} ({1})", self.c.card_ids[card].upper(), self.c.location_names[self.c.card_location[card]])

    def name_space(self, space: int) -> str:
        """Return the name of a space: row and column."""
        name = self.c.space_ids[space]
        return name[:2].upper() + name[2:]
