"""Clauses of hints that follow from two options of a question and from the position before them."""

from triclinium.engine.core.state import Option
from triclinium.engine.core.text import msgid
from triclinium.games.evangelists.rules import verbs
from triclinium.games.evangelists.rules.actions.interview import FollowInterview, count_follow_marks
from triclinium.games.evangelists.rules.actions.rearrange import FollowRearrange
from triclinium.games.evangelists.rules.actions.tradition import FollowTradition, Keep, LeaveFaceUp, Place
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists
from triclinium.games.evangelists.rules.turn import ChooseAction, compute_action_cost
from triclinium.games.evangelists.ui import hint_cities as cities
from triclinium.games.evangelists.ui import hint_reasons as reasons


def describe_choice(s: Evangelists, better: Option, other: Option) -> cities.Clause | None:
    """Return a clause on two options of the same question that follows from these options, or None."""
    step = s.asked
    if isinstance(step, ChooseAction):
        return compare_actions(s, better, other)
    if isinstance(step, LeaveFaceUp):
        first = step.city * s.c.box_size - verbs.FACE
        return compare_face_up(s, first + better, first + other)
    if isinstance(step, Place):
        here, there = (place_card(s, step.get_card(s), o - verbs.SLOT) for o in (better, other))
        found = (describe(here, there, s.who) for describe in (reasons.describe_track, reasons.describe_order))
        return next((clause for clause in found if clause is not None), None)
    if isinstance(step, FollowRearrange) and better == verbs.DECLINE and step.price:
        return msgid("{0:seat} gets no follow token from you"), (s.turn,)
    if isinstance(step, FollowInterview) and better == verbs.DECLINE and step.price:
        text = msgid("you keep a follow token instead of giving it to {0:seat} for {1} tally {1:mark|marks}")
        return text, (s.turn, count_follow_marks(s, s.who, step.witness))
    if isinstance(step, (Keep, FollowTradition)) and better not in (verbs.NONE, verbs.DECLINE):
        return compare_cards(s, better, other)
    return None


def compare_actions(s: Evangelists, better: Option, other: Option) -> cities.Clause | None:
    """Return a clause on two actions of a turn."""
    seat, c, city = s.who, s.c, s.pawn[s.who]
    here, there = ((plan_turn(s, o, verbs.INTERVIEW), plan_turn(s, o, verbs.TRADITION)) for o in (better, other))
    clause = cities.compare_turns(s, s, seat, here, there)
    witness = s.witness_at[city] if city < c.cities else EMPTY
    cards = cities.list_open_witnesses(s, seat).get(witness, 0)
    matching, size = cities.count_theme_cards(s, city, seat)
    if clause and better == verbs.TRADITION and clause[1] == (city, matching, size):
        return msgid("{1} of {2} cards in {0:place} {1:matches|match} your theme"), clause[1]
    if clause and better == verbs.INTERVIEW and not there[0][city] and clause[1] == (witness, cards):
        text = msgid("{1} of your cards {1:has|have} the circle of {0:witness}, for {2} tally marks or more")
        return text, (*clause[1], cards * (c.weak_alive if (s.alive >> witness) & 1 else c.weak_dead))
    if clause:
        return clause
    room, again = s.count_empty_slots(seat), s.octagons >= c.cost_weak + c.cost_strong
    if other == verbs.TRADITION and not room:
        return msgid("your gospel is full, so a Tradition would bring you no card"), ()
    if other == verbs.INTERVIEW and not s.count_circles(seat, witness):
        return msgid("{0:witness} is on none of your cards, so an Interview would bring no marks"), (witness,)
    if other == verbs.TRADITION and not matching:
        return msgid("no card in {0:place} matches your theme"), (city,)
    if (
        (better, other) == (verbs.INTERVIEW, verbs.TRADITION)
        and cards
        and again
        and not ((s.alive | s.dead) >> witness) & 1
    ):
        return msgid("you learn whether {0:witness} is alive before you spend the other octagons"), (witness,)
    if (
        (better, other) == (verbs.TRADITION, verbs.INTERVIEW)
        and room
        and can_show(s, witness)
        and there[0][city]
        and here[0][city]
    ):
        return msgid("a card with the circle of {0:witness} would bring more marks in a later Interview"), (witness,)
    if better in (verbs.TRADITION, verbs.INTERVIEW) and other == verbs.BOAT and s.octagons > c.cost_weak:
        return msgid("you can still sail afterwards, but a Travel back to {0:place} would cost an octagon"), (city,)
    if better in (verbs.TRADITION, verbs.INTERVIEW) and other in (verbs.TRAVEL, verbs.TRAVEL + 1):
        text = msgid("you can interview {0:witness}, on {1} of your cards, without an octagon for a Travel")
        if cards and here[0][city]:
            return text, (witness, cards)
        if better == verbs.TRADITION and room:
            return msgid("you can keep a card of {0:place} without an octagon for a Travel"), (city,)
    if other == verbs.END:
        return msgid("ending the turn would lose {0} unused {0:octagon|octagons}"), (s.octagons,)
    rearranges = other in (verbs.REARRANGE, verbs.REARRANGE + 1)
    if better == verbs.TRADITION and rearranges and room and here[0][city] >= compute_action_cost(s, other):
        return msgid("you can still rearrange leaves afterwards, with a new card on them"), ()
    return None


def can_show(s: Evangelists, witness: int) -> bool:
    """Return whether a card of the box can have the circle, as far as the player knows."""
    places = cities.list_box(s, s.pawn[s.who])
    return any(not (s.seen[at] >> s.who) & 1 or (s.c.circles[s.box[at]] >> witness) & 1 for at in places)


def plan_turn(s: Evangelists, o: Option, goal: Option) -> list[int]:
    """Return the octagons that the player can have for an action in each city if it does this one first."""
    c, place, t = s.c, s.pawn[s.who], s.clone()
    t.octagons = 0 if o == verbs.END else s.octagons if o == verbs.BOAT else s.octagons - compute_action_cost(s, o)
    t.travelled, t.sailed = s.travelled or o in (verbs.TRAVEL, verbs.TRAVEL + 1), s.sailed or o == verbs.BOAT
    others = [city for city in range(c.cities) if city != place]
    by_boat = [city for city in others if c.distance[place][city] <= c.reach_boat]
    starts = {verbs.TRAVEL: c.travel_weak[place], verbs.TRAVEL + 1: others, verbs.BOAT: by_boat}.get(o, [place])
    left = cities.list_octagons_in_cities(t, s.who, starts)
    return [s.octagons if o == goal and city == place else n for city, n in enumerate(left)]


def compare_cards(s: Evangelists, better: Option, other: Option) -> cities.Clause | None:
    """Return a clause on two cards that the player can keep or copy."""
    first = s.asked.city * s.c.box_size - verbs.KEEP if isinstance(s.asked, Keep) else 0
    cards = [
        o - verbs.COPY if o >= verbs.COPY else s.box[first + o]
        for o in (better, other)
        if o not in (verbs.NONE, verbs.DECLINE)
    ]
    here, there = (*(place_card(s, card) for card in cards), s)[:2]
    found = (
        describe(here, there, s.who)
        for describe in (
            reasons.describe_theme,
            reasons.describe_track,
            cities.describe_turn,
            cities.describe_witnesses,
        )
    )
    clause = next((clause for clause in found if clause is not None), None)
    if clause is None and len(cards) == 2:
        many, few = (
            sum(bool(s.c.motifs[card] & s.c.motifs[own]) for own in s.slots[s.who] if own >= 0) for card in cards
        )
        if many > few:
            text = msgid("“{0:card}” has a motif in common with {1} instead of {2} of your cards")
            return text, (cards[0], many, few)
    return clause


def place_card(s: Evangelists, card: int, slot: int = EMPTY) -> Evangelists:
    """Return the position with one more card in the player's gospel, in this slot or the best one."""
    positions, slots = [], s.slots[s.who]
    for at in [at for at, before in enumerate(slots) if before == EMPTY and slot in (EMPTY, at)]:
        positions.append(s.clone())
        positions[-1].slots[s.who] = (*slots[:at], card, *slots[at + 1 :])
        positions[-1].adjust_tracks(s.who)
    return max(positions, key=lambda t: sum(t.levels))


def compare_face_up(s: Evangelists, shown: int, hidden: int) -> cities.Clause | None:
    """Return a clause on the card of a box that stays face down instead of the one that the player shows."""
    seat, here, there = s.who, s.box[shown], s.box[hidden]
    rivals = [who for who in range(s.seats) if who != seat]
    few, many = (sum(cities.matches_theme(s, card, rival) for rival in rivals) for card in (here, there))
    if few < many:
        text = msgid("the face-up card matches the theme of {0} instead of {1} {1:opponent|opponents}")
        return text, (few, many)
    if cities.matches_theme(s, there, seat) > cities.matches_theme(s, here, seat):
        return msgid("“{0:card}”, which matches your theme, stays face down"), (there,)
    new, more = (sum(not (s.seen[at] >> rival) & 1 for rival in rivals) for at in (shown, hidden))
    if new < more:
        text = msgid("{0} instead of {1} {1:opponent|opponents} would see a card that is new to them")
        return text, (new, more)
    for rival in [rival for rival in rivals if not (s.seen[hidden] >> rival) & 1]:
        if reasons.can_raise(s, there, rival) > reasons.can_raise(s, here, rival):
            return msgid("“{0:card}”, which could move a cube of {1:seat} up, stays face down"), (there, rival)
        witnesses = cities.list_open_witnesses(s, rival).items()
        circles, fewer = (sum(n for w, n in witnesses if (s.c.circles[card] >> w) & 1) for card in (there, here))
        if circles > fewer:
            text = msgid("“{0:card}”, which shares more circles with the cards of {1:seat}, stays face down")
            return text, (there, rival)
    return None
