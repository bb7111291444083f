"""What the title says: questions, labels, log lines and score lines."""

from triclinium.engine.core.event import Event
from triclinium.engine.core.notation import Notation
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Arg, Joined, Message, Name, Reader, SeatName
from triclinium.engine.words import Words
from triclinium.games.ierusalem.rules.actions.favor import FavorTo
from triclinium.games.ierusalem.rules.actions.followers import can_call, price
from triclinium.games.ierusalem.rules.actions.parable import top_tile
from triclinium.games.ierusalem.rules.actions.supper import Go
from triclinium.games.ierusalem.rules.actions.visit import SeatApostle
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.kinds import (
    FIRST_MAHANE,
    GIVES_CALL,
    GIVES_DENARII,
    GIVES_JESUS,
    GIVES_MAHANE,
    GIVES_MEETING,
    GIVES_NOTHING,
    GIVES_OFFERING,
    GIVES_VP,
)
from triclinium.games.ierusalem.rules.scoring import behind_one_of, worth
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.turn import Column
from triclinium.games.ierusalem.rules.verbs import GO, ONTO, SEAT, SELL, TO, VISIT
from triclinium.games.ierusalem.ui.plain import plain_table
from triclinium.games.ierusalem.ui.view import IerusalemView
from triclinium.i18n.catalog import Domain

QUESTIONS = {
    "PickColour": "Which colour do you play?",
    "Post": "Where does your fourteenth Follower start?",
    "Play": "Your turn: play a card, or use the Illumination tile.",
    "Column": "Into which column goes {0}?",
    "Appreciation": "Whose appreciation does the Illumination tile give you?",
    "ScoreOrange": "Which orange Apostle is scored?",
    "Market": "The Market: trade, draw a Mahane card, or skip?",
    "Trade": "The Market: sell first, then buy. You have {0} {0:Denarius|Denarii}.",
    "TakeMahane": "Which Mahane card do you take?",
    "BuyMahane": "Buy one Mahane card for {0} Denarii?",
    "DrawXxxiii": "Draw a XXXIII A.D. card?",
    "Send": "The Temple: send a Follower out? You have {0} {0:Denarius|Denarii}.",
    "CallFollower": "Call a Follower: where to?",
    "FavorCall": "A Favor for you: call a Follower, where to?",
    "Listen": "Listen to Parable {0} ({1}) for {2} VP?",
    "DoFavor": "Which Favor do you do?",
    "FavorTo": "To whom do you do the Favor {0}?",
    "Leave": "Which Location does your Follower leave?",
    "Go": "Which space at the Last Supper does your Follower take?",
    "TakeOffering": "Take an Offering into your Camp?",
    "ChangePlaces": "Which of your Followers changes places?",
    "ChangeTo": "Which empty space does your Follower move to?",
    "Swap": "Which of your Followers do you swap?",
    "SwapWith": "With whose Follower do you swap?",
    "Redistribute": "Redistribute: discard a card of your board, or lay all out anew?",
    "Lay": "Lay your cards out anew: which one next, into which column?",
    "Visit": "Visit an Apostle column?",
    "Bring": "Which Apostle do you bring to the table?",
    "SeatApostle": "Where do you seat {0}?",
    "DiscardHand": "You hold {0} cards: discard one.",
    "Relief": "Your hand is empty: which column do you discard?",
    "Warehouse": "Your Camp holds {0} pieces for {1} spaces: discard a good.",
}

# For each verb: its button, and its line in the log ({0} is the player); "" for what is told otherwise, or not at all.
VERBS = {
    "skip": ("Skip", ""),
    "done": ("Done", ""),
    "illuminate": ("Use the Illumination tile", "{0} uses the Illumination tile."),
    "listen": ("Listen", ""),
    "offering": ("Take the Offering", "{0} takes an Offering."),
    "draw": ("Draw from the deck", ""),
    "trade": ("Trade goods", ""),
    "mahane": ("Pay and take a Mahane card", "{0} pays for a Mahane card."),
    "post": ("{0}", "{0} starts with a second Follower here: {1}."),
    "call": ("{0}", "{0} calls a Follower: {1}."),
    "send": ("{0}", "{0} sends a Follower out: {1}."),
    "leave": ("{0}", "{0} lets a Follower leave: {1}."),
    "sell": ("Sell {0}", "{0} sells {1}."),
    "buy": ("Buy {0}", "{0} buys {1}."),
    "waste": ("Discard {0}", "{0} has no room and discards {1}."),
    "column": ("Column {0}", "{0} lays the card into column {1}."),
    "clear": ("Column {0}", "{0} has no card left and discards column {1}."),
    "appreciate": ("{0}", "{0} chooses the appreciation {1}."),
    "bring": ("{0}", ""),
    "to": ("{0}", ""),
    "favor": ("{0}", ""),
    "replace": ("{0}, in the place of {1}", "{0} takes a square from {2}: {1}."),
    "visit": ("{0}: Apostle column {1}", "{0} visits Apostle column {2} with {1}."),
    "seat": ("Seat {0}", ""),
    "score": ("{0}", "{0} scores for {1}."),
    "take": ("{0}", "{0} takes {1}."),
    "play": ("{0}", "{0} plays {1}."),
    "discard": ("{0}", "{0} discards {1}."),
    "drop": ("Discard {0}", "{0} discards from the board: {1}."),
    "go": ("{0}", "{0} goes to {1} at the Last Supper."),
    "move": ("{0}", ""),
    "onto": ("{0}", "{0} changes places, to {1}."),
    "swap": ("{0}", ""),
    "with": ("{0}", "{0} swaps with the Follower on {1}."),
    "colour": ("{0}", "{0} plays with the colour {1}."),
    "lay": ("{0} into column {1}", "{0} lays {1} into column {2}."),
}

NEWS = {
    "turn": "{0} begins a turn.",
    "marker": "The Sanhedrin meets: space {1}, {2} to go.",
    "judgment": "Judgment of the Sanhedrin: {1}.",
    "scored": "{0} scores {1} VP ({2}).",
    "received": "{0} receives {1} {1:Denarius|Denarii}.",
    "obtained": "{0} obtains {1} {2}.",
    "drew_mahane": "{0} draws a Mahane card.",
    "drew_xxxiii": "{0} draws a XXXIII A.D. card.",
    "drew_one": "{0} draws {1}.",
    "turned_up": "{1} is turned up beside the Mahane deck.",
    "reshuffled": "{0} shuffles {1} {1:card|cards} into a new deck.",
    "drew": "{0} draws {1} {1:card|cards}.",
    "drew_faces": "{0} draws {1} {1:card|cards}: {2}.",
    "listened": "{0} listens to Parable {1}, {2}.",
    "favor": "{0} does {2} a Favor: {1}.",
    "warehouse": "{0} opens the blocked space of the Camp.",
    "seated": "{0} seats {1} on {2}.",
    "all_seated": "All twelve Apostles are seated: the Judgments are removed.",
    "lost_offerings": "{0} has no room and loses {1} {1:Offering|Offerings}.",
    "end_marker": "The Sanhedrin has met for the last time; the game ends.",
    "end_followers": "All Followers of {0} are at the Last Supper; the game ends.",
}

SCORE_LINES = {
    "track": "VP on the track",
    "parables": "Parables",
    "seats": "Places behind the Apostles",
    "jesus": "Places at Jesus",
    "offerings": "Offerings",
    "illumination": "Illumination tile",
}

SOURCE_NAMES = (
    "start",
    "3 VP action",
    "space at the Last Supper",
    "Parables",
    "Favors",
    "visit",
    "orange Apostle",
    "Judgment",
)

APPRECIATIONS = (
    "purple: be invited to the Last Supper",
    "orange: score your Followers",
    "white: swap two Followers",
    "Judas: Denarii",
)

REWARDS = {  # by kind, from GIVES_DENARII on
    GIVES_DENARII: "{0} {0:Denarius|Denarii}",
    GIVES_VP: "{0} VP",
    GIVES_MEETING: "Meeting of the Sanhedrin",
    GIVES_MAHANE: "a Mahane card",
    GIVES_CALL: "call a Follower",
    GIVES_OFFERING: "an Offering",
}


class IerusalemWords(Words):
    """The words of Ierusalem."""

    def __init__(self, c: Components, notation: Notation, domain: Domain) -> None:
        super().__init__(notation, domain)
        self.c = c

    def question(self, s: State) -> Message:
        assert isinstance(s, Ierusalem)
        step = s.asked
        who = step.who
        name = step.id
        args: tuple[Arg, ...] = ()
        if isinstance(step, Column):
            args = (self.card(step.card),)
        elif isinstance(step, FavorTo):
            args = (self.marker(step.marker),)
        elif isinstance(step, SeatApostle):
            args = (self.c.apostle_names[step.apostle],)
        elif name in ("Trade", "Send"):
            args = (s.denarii[who],)
        elif name == "BuyMahane":
            args = (self.c.buy_price,)
        elif name == "Listen":
            number = s.parables[who] + 1
            args = (number, self.c.parable_names[number - 1], top_tile(s, number))
        elif name == "DiscardHand":
            args = (len(s.hand[who]),)
        elif name == "Warehouse":
            args = (s.camp_fill(who), s.camp_space(who))
        return Message(QUESTIONS[name], *args)

    def label(self, s: State, o: Option) -> Message:
        assert isinstance(s, Ierusalem)
        verb = self.notation.verb(o).word
        said = Message(VERBS[verb][0], *self.named(o))
        if verb in ("send", "replace"):
            return Message("{0} ({1} {1:Denarius|Denarii})", said, price(s, o))
        if verb == "sell" or verb == "buy":
            return Message("{0} ({1} {1:Denarius|Denarii})", said, self.c.price[(o - SELL) % 3])
        step = s.asked
        if isinstance(step, Go) and o >= GO:
            space = o - GO
            parts: list[Arg] = [] if step.free else [self.cost(space)]
            parts += [self.value(s, space)]
            reward = self.reward(self.c.space_reward[space], self.c.space_amount[space])
            if reward is not None:
                parts.append(reward)
            return Message("{0}: {1}", said, Joined(parts))
        if verb == "onto":
            parts = [self.value(s, o - ONTO)]
            reward = self.reward(self.c.space_reward[o - ONTO], self.c.space_amount[o - ONTO])
            if reward is not None:
                parts.append(reward)
            return Message("{0}: {1}", said, Joined(parts))
        if verb == "visit":
            source = (o - VISIT) // 3
            cards = s.columns[step.who * 3 + source - 1] if source > 0 else ()
            points = sum(self.c.card_vp[card] for card in cards)
            return Message("{0} ({1} VP)", said, points) if points else said
        if isinstance(step, SeatApostle):
            gains = self.gains(s, o - SEAT, self.c.shade[step.apostle])
            return Message("{0}: {1}", said, Joined(gains)) if gains else said
        if isinstance(step, FavorTo):
            calls = any(kind == GIVES_CALL for kind, _ in self.c.marker_benefit[step.marker])
            return Message("{0}: cannot call a Follower", said) if calls and not can_call(s, o - TO) else said
        return said

    def event(self, event: Event, viewer: Seat) -> Message | None:
        who = SeatName(event.seat)
        facts = event.facts
        kind = event.kind
        if kind in ("chosen", "forced"):
            template = VERBS[self.notation.verb(facts[0]).word][1]
            return Message(template, who, *self.named(facts[0])) if template else None
        if kind == "drew":
            if event.secrets:
                return Message(NEWS["drew_faces"], who, facts[0], Joined([self.card(card) for card in event.secrets]))
            return Message(NEWS[kind], who, facts[0])
        if kind in ("drew_mahane", "drew_xxxiii"):
            card = event.secrets[0] if event.secrets else facts[0]
            return Message(NEWS["drew_one"], who, self.card(card)) if card >= 0 else Message(NEWS[kind], who)
        if kind not in NEWS:
            return None
        args: list[Arg] = list(facts)
        if kind == "judgment":
            args = [self.c.tile_names[facts[0]]]
        elif kind == "scored":
            args = [facts[0], Message(SOURCE_NAMES[facts[1]])]
        elif kind == "obtained":
            args = [facts[0], self.c.good_names[facts[1]]]
        elif kind == "listened":
            args = [facts[0], self.c.parable_names[facts[0] - 1]]
        elif kind == "favor":
            args = [self.marker(facts[0]), SeatName(facts[1])]
        elif kind == "turned_up":
            args = [self.card(facts[0])]
        elif kind == "seated":
            args = [self.c.apostle_names[facts[0]], Name(self.c.seat_ids[facts[1]].upper())]
        return Message(NEWS[kind], who, *args)

    def score_line(self, name: str) -> Message:
        return Message(SCORE_LINES[name])

    def figure(self, kind: str, number: int) -> Arg:
        names = {
            "good": self.c.good_names,
            "location": self.c.location_names,
            "shade": self.c.shade_names,
            "apostle": self.c.apostle_names,
        }[kind]
        return names[number]

    def table(self, view: IerusalemView, reader: Reader) -> str:
        return plain_table(self.c, view, reader)

    # -- how options and facts are named ----------------------------------------------------------------------------

    def named(self, o: Option) -> list[Arg]:
        """What an option points at, in the order of its verb's names."""
        c = self.c
        verb = self.notation.verb(o)
        at = o - verb.first
        word = verb.word
        if word in ("post", "call", "send", "leave"):
            return [c.location_names[at]]
        if word in ("sell", "buy", "waste"):
            return [c.good_names[at]]
        if word in ("column", "clear"):
            return [at + 1]
        if word == "appreciate":
            return [Message(APPRECIATIONS[at])]
        if word == "bring":
            return [c.shade_names[at]]
        if word == "to":
            return [SeatName(at)]
        if word == "favor":
            return [self.marker(at)]
        if word == "replace":
            return [c.location_names[at // 4], SeatName(at % 4)]
        if word == "visit":
            own = Message("Favors alone") if at < 3 else Message("column {0}", at // 3)
            return [own, at % 3 + 1]
        if word == "seat":
            return [Name(c.seat_ids[at].upper())]
        if word == "score":
            return [c.apostle_names[at]]
        if word == "take":
            return [self.card(at + FIRST_MAHANE)]
        if word in ("play", "discard", "drop"):
            return [self.card(at)]
        if word in ("go", "move", "onto", "swap", "with"):
            return [self.space(at)]
        if word == "colour":
            return [c.colour_names[at]]
        if word == "lay":
            return [self.card(at // 3), at % 3 + 1]
        return []

    def gains(self, s: Ierusalem, seat: int, shade: int) -> list[Arg]:
        """What an Apostle of this colour on this seat is worth to each player with Followers behind or beside him."""
        points = [behind_one_of(s, who, seat, shade) for who in range(s.seats)]
        return [Message("{0} {1}", SeatName(who), gain) for who, gain in enumerate(points) if gain != 0]

    def card(self, card: int) -> Message:
        """``R04 (Desert: Obtain Bread and Go to the Last Supper, 1)``."""
        c = self.c
        actions = Joined([c.action_names[action] for action in c.card_actions[card]])
        name = Name(c.card_ids[card].upper())
        return Message(
            "{0} ({1}: {2}; {3} VP)", name, c.location_names[c.card_location[card]], actions, c.card_vp[card]
        )

    def space(self, space: int) -> Name:
        """A space is called by its row and column."""
        name = self.c.space_ids[space]
        return Name(name[:2].upper() + name[2:])

    def marker(self, marker: int) -> Message:
        """A Favor: what it gives, and the symbol on its other side."""
        c = self.c
        gifts = [self.reward(kind, amount) or Name("") for kind, amount in c.marker_benefit[marker]]
        symbol = c.location_names[c.marker_location[marker]]
        return Message("{0} ({1}; {2})", Name(c.marker_ids[marker].upper()), Joined(gifts), symbol)

    def reward(self, kind: int, amount: int) -> Message | None:
        """What a space, a track space or a Favor gives."""
        if kind < GIVES_DENARII:
            return Message("{0} {1}", amount, self.c.good_names[kind])
        if kind in (GIVES_JESUS, GIVES_NOTHING):
            return None
        return Message(REWARDS[kind], amount)

    def cost(self, space: int) -> Message:
        """What a space costs."""
        goods = [
            Message("{0} {1}", n, self.c.good_names[good]) for good, n in enumerate(self.c.space_cost[space]) if n > 0
        ]
        return Message("costs {0}", Joined(goods))

    def value(self, s: Ierusalem, space: int) -> Message:
        """What a Follower there scores at the end, as it stands."""
        c = self.c
        if (c.jesus_spaces >> space) & 1:
            return Message("{0} VP at the end", s.jesus_vp)
        seat = c.space_seat[space]
        if seat < 0:
            return Message("no VP at the end")
        distance = c.space_distance[space]
        if s.seated[seat] >= 0:
            return Message("{0} VP at the end", worth(c.shade_value[c.shade[s.seated[seat]]], distance))
        values = [worth(value, distance) for value in c.shade_value]
        return Message("{0} to {1} VP at the end", min(values), max(values))
