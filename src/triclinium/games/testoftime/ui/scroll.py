"""Reverse Time as it is drawn, the past of a Testament unrolled; and what every number of a decision would mean."""

from typing import Final

from triclinium.games.testoftime.rules.components import KINDS, Components
from triclinium.games.testoftime.ui.columns import Column, Seen, number, parts

ROLL_LEFT: Final = 132  # the papyrus of a reversal: where its cards begin and end
ROLL_RIGHT: Final = 718
CARD: Final = 156  # the card of the record in hand


class Card:
    """One round on the papyrus of Reverse Time."""

    def __init__(self, x: float, w: float, record: Seen, left: int, option: str) -> None:
        by = record["by"]
        self.x = round(x, 1)
        self.w = round(w, 1)
        self.middle = round(w / 2, 1)
        self.round = number(record, "round")
        self.preserved = bool(record["preserved"])
        self.strips = number(record, "strips")
        self.by = by if isinstance(by, list) else []
        self.left = left  # sections left after that round, as it is by now
        self.option = option
        self.state = "later"  # gone, hand, later


class Roll:
    """Time unrolled: the past of one Testament, as it is and as it is being rewritten."""

    def __init__(self, c: Components, view: Seen, focus: Seen) -> None:
        self.seat = number(focus, "seat")
        self.space = number(focus, "space")
        self.who = number(view, "who")
        seen = parts(parts(view, "players")[self.seat], "testaments")[self.space - 1]
        kind = str(seen["kind"])
        index = KINDS.index(kind)
        past = parts(seen, "past")
        reversal = view["reversal"]
        final = number(view, "rounds") - number(seen, "since")
        self.name = c.names[index]
        self.own = self.seat == self.who
        self.size = c.size[index]
        self.before = number(seen, "visible")
        self.column = Column(c, kind, self.before)
        self.points = c.dots[index][self.before] * final
        self.visible = self.before
        self.rewritten: Column | None = None
        self.price = self.doomed = 0
        self.power = number(parts(view, "players")[self.who], "power")
        hand = 0
        if isinstance(reversal, dict):
            hand = number(reversal, "round")
            self.visible = number(reversal, "visible")
            self.rewritten = Column(c, kind, self.visible)
            self.price = number(reversal, "price")
            self.power = number(reversal, "power")
            self.doomed = number(reversal, "doomed")
        self.now = c.dots[index][self.visible] * final
        self.dots = c.dots[index][self.visible]
        self.cards: list[Card] = []
        room = ROLL_RIGHT - ROLL_LEFT
        usual = min(72.0, (room - CARD) / max(1, len(past) - 1)) if hand else min(96.0, room / len(past))
        x = ROLL_LEFT + (room - usual * (len(past) - 1) - (CARD if hand else usual)) / 2
        lost = 0
        self.hand: Card | None = None
        for i, record in enumerate(past):
            lost += number(record, "strips") + (0 if record["preserved"] else 1)
            mine = number(record, "round") == hand
            w = CARD if mine else usual
            card = Card(x, w, record, max(0, self.size - lost), "" if hand else f"rounds {len(past) - i}")
            x += w
            if mine:
                card.state = "hand"
                self.hand = card
            elif hand and card.round < hand:
                card.state = "gone"
            self.cards.append(card)
        # Sections if the record in hand is changed. By the records it may lie deeper than nothing.
        self.changed = max(0, self.size - lost + (1 if self.own else -1))


class Figures:
    """What a number in the decision would mean."""

    def __init__(self, what: str, followers: int, shamans: int, result: int) -> None:
        self.what = what  # pay, strips, uncovered, saved, dead
        self.followers = followers
        self.shamans = shamans
        self.result = result


def outcomes(view: Seen) -> dict[str, Figures]:
    """For every number that the viewer may choose: what comes of it."""
    asked = str(view["asked"])
    options = view.get("options")
    if not isinstance(options, list):
        return {}
    who = number(view, "who")
    focus = view["focus"]
    pledged = view["pledged"] if isinstance(view["pledged"], dict) else {}
    power = number(parts(view, "players")[who], "power")
    reversal = view["reversal"]
    if isinstance(reversal, dict):
        power = number(reversal, "power")
    seen: Seen = {}
    if isinstance(focus, dict):
        seen = parts(parts(view, "players")[number(focus, "seat")], "testaments")[number(focus, "space") - 1]
    found: dict[str, Figures] = {}
    for option in options:
        verb, _, rest = str(option).partition(" ")
        if verb not in ("shamans", "followers", "rounds"):
            continue
        n = int(rest)
        beside = number(pledged, "shamans") if "shamans" in pledged else 0
        strength = beside * power + n if verb == "followers" else n * power
        people = (n, beside) if verb == "followers" else (0, n)
        if "cost" in pledged:
            found[option] = Figures("pay", max(0, number(pledged, "cost") - n * number(pledged, "power")), n, 0)
        elif verb == "rounds":
            found[option] = Figures("dead", 0, n, (n + power - 1) // power)
        elif asked.startswith("Attack"):
            strips = number(seen, "attack") + strength - number(seen, "defence")
            found[option] = Figures("strips", *people, min(number(seen, "visible"), max(0, strips)))
        elif asked.startswith("DefendPast") and isinstance(reversal, dict):
            record = next(one for one in parts(seen, "past") if one["round"] == reversal["round"])
            found[option] = Figures("strips", *people, max(0, number(record, "strips") - strength))
        else:
            left = number(seen, "attack") - number(seen, "defence") - strength
            found[option] = Figures("strips", *people, min(number(seen, "visible"), max(0, left)))
    return found
