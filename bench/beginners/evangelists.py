"""The guide's advice for The Acts of the Evangelists."""

from bench.beginners.advice import Advice, Decision
from triclinium.engine.core.state import Option
from triclinium.games.evangelists.rules import verbs
from triclinium.games.evangelists.rules.actions.rearrange import ChooseHow

GOOD_INTERVIEW = 2  # own cards with the circle of a witness from which an Interview is worth its octagon


def pick_first(d: Decision) -> Option:
    return d.legal[0]


def start_in_port(d: Decision) -> Option:
    """Start in a city with a boat."""
    ports = [o for o in d.legal if (d.s.boats >> (o - verbs.START)) & 1]
    return (ports or d.legal)[0]


def count_circles(d: Decision, city: int) -> int:
    """Return the number of own cards with the circle of the city's witness, 0 if the interview is over or taken."""
    witness = d.s.witness_at[city]
    done = (d.s.interviews[d.seat] >> witness) & 1 or not d.s.piles[witness]
    return 0 if done else int(d.s.count_circles(d.seat, witness))


def rate_city(d: Decision, city: int) -> float:
    """Go where an Interview pays, or else where most cards are left in a box that was not opened this turn."""
    cards = 0 if (d.s.opened_boxes >> city) & 1 else d.s.list_occupied_places(city).bit_count()
    room = min(1, d.s.count_empty_slots(d.seat))
    return float(3 * count_circles(d, city) + cards * room)


def choose_action(d: Decision) -> Option:
    s = d.s
    here = s.pawn[d.seat]
    in_city = here < s.c.cities
    circles = count_circles(d, here) if in_city else 0
    last_round = s.marker + 1 >= s.c.track_end
    if d.has(verbs.INTERVIEW) and circles >= (1 if last_round else GOOD_INTERVIEW):
        return verbs.INTERVIEW
    if d.has(verbs.TRADITION) and s.count_empty_slots(d.seat):
        return verbs.TRADITION
    if d.has(verbs.BOAT) and s.octagons:
        return verbs.BOAT
    if d.has(verbs.TRAVEL) and s.octagons > 1:
        return verbs.TRAVEL
    if d.has(verbs.INTERVIEW) and circles:
        return verbs.INTERVIEW
    if d.has(verbs.REARRANGE) and find_best_rearrangement(d)[1] > 0:
        return verbs.REARRANGE
    if d.has(verbs.TRAVEL):
        return verbs.TRAVEL
    return verbs.END


def travel(d: Decision) -> Option:
    """Go to the best city within reach."""
    s = d.s
    base = verbs.SAIL if d.list_options("sail") else verbs.TO
    targets = d.list_options("to", "sail")

    def rate(o: Option) -> float:
        place = o - base
        if place < s.c.cities:
            return 10 + rate_city(d, place)
        return float(max(rate_city(d, city) - s.c.distance[place][city] for city in range(s.c.cities)))

    return d.best(targets, rate)


def rate_card(d: Decision, card: int) -> float:
    """A card of the player's own theme first; then motifs that the gospel has already, and circles of new witnesses."""
    s, c = d.s, d.s.c
    motifs = sum((c.motifs[own] & c.motifs[card]).bit_count() for own in s.slots[d.seat] if own >= 0)
    circles = sum(
        1
        for witness in range(len(c.witness_ids))
        if (c.circles[card] >> witness) & 1 and not (s.interviews[d.seat] >> witness) & 1
    )
    return float(4 * ((c.themes[card] >> s.theme[d.seat]) & 1) + 2 * circles + 0.5 * motifs)


def keep(d: Decision) -> Option:
    s = d.s
    first = s.asked.city * s.c.box_size
    cards = d.list_options("keep")
    if not cards:
        return verbs.NONE
    return d.best(cards, lambda o: rate_card(d, s.box[first + o - verbs.KEEP]))


def keep_second(d: Decision) -> Option:
    """Keep a second card as long as there is an octagon for it."""
    return keep(d)


def place(d: Decision) -> Option:
    """Take the slot that shows most points; otherwise low numbers go left, high numbers right."""
    s = d.s
    card = s.asked.get_card(s)
    slots = s.slots[d.seat]
    wanted = card / (len(s.c.numbers) - 1) * (len(slots) - 1)
    return d.best(d.legal, d.gain, lambda o: -abs(o - verbs.SLOT - wanted))


def leave_face_up(d: Decision) -> Option:
    """Show the card that fits the player's gospel least."""
    s = d.s
    first = s.asked.city * s.c.box_size
    return d.best(d.legal, lambda o: -rate_card(d, s.box[first + o - verbs.FACE]))


def how_strong(d: Decision) -> Option:
    """Strong with three circles or more if the witness lives, else weak."""
    s = d.s
    witness = s.asked.witness
    gain = s.count_circles(d.seat, witness) * (2 if (s.alive >> witness) & 1 else 1)
    return d.first(verbs.STRONG if gain >= 4 else verbs.WEAK, verbs.WEAK)


def follow_tradition(d: Decision) -> Option:
    """Copy whenever possible, the card that fits best."""
    copies = d.list_options("copy")
    return d.best(copies, lambda o: rate_card(d, o - verbs.COPY)) if copies else verbs.DECLINE


def follow_interview(d: Decision) -> Option:
    """Follow if it is free, or pays two marks or more."""
    return verbs.FOLLOW if d.s.asked.price == 0 or d.gain(verbs.FOLLOW) >= 2 else verbs.DECLINE


def follow_travel(d: Decision) -> Option:
    """Stay, unless a step leads for free into a city."""
    return verbs.DECLINE


def find_best_rearrangement(d: Decision) -> tuple[Option, int]:
    """Return the step of a Rearrange with the most points, and its gain."""
    best, gain = verbs.DONE, 0
    start = d.s.clone()
    if verbs.REARRANGE in start.legal:
        start.choose(verbs.REARRANGE)
    base = d.count_points(start)
    for leaf in [o for o in start.legal if o != verbs.DONE]:
        chosen = start.clone()
        chosen.choose(leaf)
        if not isinstance(chosen.asked, ChooseHow):
            continue
        for how in list(chosen.legal):
            t = chosen.clone()
            t.choose(how)
            if d.count_points(t) - base > gain:
                best, gain = leaf, d.count_points(t) - base
    return best, gain


def choose_leaf(d: Decision) -> Option:
    """Take the step with the most points, and stop when none brings any."""
    return d.first(find_best_rearrangement(d)[0], verbs.DONE)


def choose_how(d: Decision) -> Option:
    return d.best(d.legal, d.gain)


def follow_rearrange(d: Decision) -> Option:
    return verbs.DECLINE


def add_leaf(d: Decision) -> Option:
    return verbs.RIGHT


ADVICE: Advice = {
    "PickColour": pick_first,
    "StartCity": start_in_port,
    "ChooseAction": choose_action,
    "TravelTo": travel,
    "SailTo": travel,
    "Displace": pick_first,
    "Keep": keep,
    "KeepSecond": keep_second,
    "PlaceKept": place,
    "PlaceCopy": place,
    "LeaveFaceUp": leave_face_up,
    "HowStrong": how_strong,
    "FollowTravel": follow_travel,
    "FollowTradition": follow_tradition,
    "FollowInterview": follow_interview,
    "FollowRearrange": follow_rearrange,
    "ChooseLeaf": choose_leaf,
    "ChooseHow": choose_how,
    "AddLeaf": add_leaf,
}
