"""The guide's advice for Ierusalem: Anno Domini."""

from bench.beginners.advice import Advice, Decision
from triclinium.engine.core.state import Option
from triclinium.games.ierusalem.rules import verbs
from triclinium.games.ierusalem.rules.actions.supper import find_affordable_spaces
from triclinium.games.ierusalem.rules.constants import (
    CALL_FOLLOWER,
    DO_FAVOR,
    GO_SUPPER,
    GOODS,
    INVITED,
    LAKE,
    MARKET,
    ORANGE,
    PARABLE,
    PURPLE,
    SILVER,
    TEMPLE,
    VP3,
    WHITE,
)


def count_out(d: Decision) -> int:
    """Return the number of own Followers in Desert, Mountain and Lake."""
    three = 3 * d.seat
    return int(sum(d.s.at_location[three : three + 3]))


def rate_action(d: Decision, action: int) -> float:
    """The worth of an action now: a Follower to the Supper before a Parable before the rest."""
    s = d.s
    if action == GO_SUPPER:
        return 7 if count_out(d) and find_affordable_spaces(s, d.seat) & s.free_spaces else 0
    if action == INVITED:
        return 8 if count_out(d) else 0
    if action == PARABLE:
        return 6 if s.parables[d.seat] < 7 and s.count_at_supper(d.seat) > s.parables[d.seat] else 0
    if action == DO_FAVOR:
        return 4 if s.markers[d.seat] else 0
    if action == VP3:
        return 3
    if action == CALL_FOLLOWER:
        return 3 if s.camp[d.seat] else 0
    return 1


def rate_location(d: Decision, location: int) -> float:
    """A good for each own Follower there, if the Camp has room; Followers for money at the Temple."""
    s = d.s
    if location <= LAKE:
        room = max(0, s.count_camp_spaces(d.seat) - s.count_filled_spaces(d.seat) + 2)
        return float(min(room, s.at_location[3 * d.seat + location]) * (1 + 0.25 * location))
    if location == TEMPLE:
        return 1.5 * float(min(s.camp[d.seat], s.denarii[d.seat] // 2, max(0, 9 - count_out(d))))
    return 1.0 if location == MARKET else 0.0


def rate_card(d: Decision, card: int) -> float:
    c = d.s.c
    actions = sum(rate_action(d, action) for action in c.card_actions[card])
    fits = max(rate_column(d, card, column) for column in range(3))
    return rate_location(d, c.card_location[card]) + actions + fits


def rate_column(d: Decision, card: int, column: int) -> float:
    """A card belongs where the symbols then begin like those of an Apostle column; a third symbol that fits is best."""
    s, c = d.s, d.s.c
    have = [c.card_location[laid] for laid in s.columns[3 * d.seat + column]]
    wanted = [list(s.symbols[3 * n : 3 * n + 3]) for n in range(3)]
    after = [*have, c.card_location[card]]
    if any(is_in_order(after, symbols) for symbols in wanted):
        return 1.0 + 2.0 * len(after)
    return -4.0 if any(is_in_order(have, symbols) for symbols in wanted) and have else -1.0


def is_in_order(have: list[int], symbols: list[int]) -> bool:
    """Return whether these symbols occur in an Apostle column in this order; Favors may fill the gaps."""
    rest = iter(symbols)
    return all(symbol in rest for symbol in have)


def play(d: Decision) -> Option:
    """Play the card whose Location and actions do most now."""
    cards = d.list_options("play")
    return d.best(cards, lambda o: rate_card(d, o - verbs.PLAY)) if cards else d.legal[0]


def choose_column(d: Decision) -> Option:
    return d.best(d.legal, lambda o: rate_column(d, d.s.asked.card, o - verbs.COLUMN))


def post(d: Decision) -> Option:
    """Put the extra Follower on the Lake."""
    return d.legal[-1]


def go(d: Decision) -> Option:
    """Take the space that shows most points; if none shows any, one right behind the table."""
    c = d.s.c

    def near(o: Option) -> float:
        if o < verbs.GO:
            return -100.0
        space = o - verbs.GO
        return 5.0 if (c.jesus_spaces >> space) & 1 else -abs(c.space_y[space] - 4)

    return d.best(d.legal, lambda o: d.gain(o) if o >= verbs.GO else -9, near)


def take_most_points(d: Decision) -> Option:
    """Choose what shows most points."""
    return d.best(d.legal, d.gain)


def move_for_points(d: Decision) -> Option:
    """Choose the Follower whose new space then shows most points, or none if no space shows any."""

    def find_most(o: Option) -> int:
        after = d.preview_option(o)
        if o in (verbs.SKIP, verbs.DONE) or after.who != d.seat:
            return 0
        return max(d.count_points(d.choose_in(after, then)) for then in after.legal) - d.count_points(d.s)

    return d.best([*d.list_options("skip"), *d.legal], find_most)


def visit(d: Decision) -> Option:
    """Visit whenever possible, with most points on the cards."""
    visits = d.list_options("visit")
    return d.best(visits, d.gain, lambda o: o) if visits else verbs.SKIP


def bring(d: Decision) -> Option:
    """White before orange before purple; Judas last."""
    order = (WHITE, ORANGE, PURPLE, SILVER)
    return d.first(*(verbs.BRING + shade for shade in order))


def seat_apostle(d: Decision) -> Option:
    """Seat him where most own Followers score; Judas where most rivals lose."""

    def harm(o: Option) -> float:
        before, after = d.game.scores(d.s), d.game.scores(d.preview_option(o))
        others = [seat for seat in range(d.s.seats) if seat != d.seat]
        return -sum((after[seat].total or 0) - (before[seat].total or 0) for seat in others)

    return d.best(d.legal, lambda o: 2 * d.gain(o) + harm(o))


def appreciate(d: Decision) -> Option:
    return d.first(*(verbs.APPRECIATE + shade for shade in (PURPLE, ORANGE, WHITE, SILVER)))


def market(d: Decision) -> Option:
    """Trade if a space at the Supper can be paid afterwards; otherwise a Mahane card."""
    return d.first(verbs.MAHANE, verbs.TRADE) if d.s.count_goods(d.seat) < 3 else d.first(verbs.TRADE, verbs.MAHANE)


def trade(d: Decision) -> Option:
    """Sell Stones of which there are more than two, then buy a Fish if there is money; then stop."""
    s = d.s
    three = 3 * d.seat
    for good in range(len(GOODS)):
        if s.goods[three + good] > 3 and d.has(verbs.SELL + good):
            return verbs.SELL + good
    lacking = [good for good in range(3) if s.goods[three + good] == 0 and d.has(verbs.BUY + good)]
    return verbs.BUY + lacking[-1] if lacking else d.first(verbs.DONE)


def send(d: Decision) -> Option:
    """Send Followers out, to the Location where fewest are, as long as two Denarii are left."""
    s = d.s
    sends = d.list_options("send")
    if not sends:
        return d.first(verbs.DONE, verbs.SKIP)
    return d.best(sends, lambda o: -s.at_location[3 * d.seat + o - verbs.SEND], lambda o: o)


def call(d: Decision) -> Option:
    """Call to the Lake, else the Mountain, else the Desert."""
    calls = d.list_options("call")
    return calls[-1] if calls else d.legal[0]


def take_card(d: Decision) -> Option:
    """Take the card that does most; buy one only with four Denarii or more."""
    if d.s.asked.price == 2 and d.s.denarii[d.seat] < 4:
        return d.first(verbs.SKIP)
    cards = d.list_options("take")
    return d.best(cards, lambda o: rate_card(d, o - verbs.TAKE + 40)) if cards else d.first(verbs.DRAW)


def do_favor(d: Decision) -> Option:
    """Do every Favor."""
    favors = d.list_options("favor")
    return favors[0] if favors else d.legal[0]


def favor_to(d: Decision) -> Option:
    """To the player with fewest points."""
    scores = d.game.scores(d.s)
    return d.best(d.legal, lambda o: -(scores[o - verbs.TO].total or 0))


def leave(d: Decision) -> Option:
    """Leave the Desert before the Mountain before the Lake."""
    return d.first(verbs.LEAVE, verbs.LEAVE + 1, verbs.LEAVE + 2)


def waste(d: Decision) -> Option:
    """Discard the good of which there are most."""
    three = 3 * d.seat
    goods = d.list_options("waste")
    return d.best(goods, lambda o: d.s.goods[three + o - verbs.WASTE], lambda o: -o) if goods else d.legal[0]


def discard(d: Decision) -> Option:
    """Discard the card that would do least."""
    return d.best(d.legal, lambda o: -rate_card(d, o - verbs.DISCARD))


def rearrange(d: Decision) -> Option:
    """Leave the columns as they are."""
    return d.first(verbs.DONE, verbs.SKIP)


def pick_first(d: Decision) -> Option:
    return d.legal[0]


def take_offering(d: Decision) -> Option:
    return d.first(verbs.OFFERING)


def listen(d: Decision) -> Option:
    return d.first(verbs.LISTEN)


ADVICE: Advice = {
    "PickColour": pick_first,
    "Post": post,
    "Play": play,
    "Column": choose_column,
    "Market": market,
    "Trade": trade,
    "TakeMahane": take_card,
    "BuyMahane": take_card,
    "DrawXxxiii": lambda d: d.first(verbs.DRAW),
    "Send": send,
    "CallFollower": call,
    "FavorCall": call,
    "Listen": listen,
    "DoFavor": do_favor,
    "FavorTo": favor_to,
    "Leave": leave,
    "Go": go,
    "TakeOffering": take_offering,
    "Warehouse": waste,
    "ChangePlaces": move_for_points,
    "ChangeTo": take_most_points,
    "Swap": move_for_points,
    "SwapWith": take_most_points,
    "Rearrange": rearrange,
    "Visit": visit,
    "Bring": bring,
    "SeatApostle": seat_apostle,
    "Appreciation": appreciate,
    "ScoreOrange": take_most_points,
    "DiscardHand": discard,
    "Relief": pick_first,
}
