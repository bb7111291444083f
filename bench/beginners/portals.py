"""The guide's advice for Portals and Prophets."""

from bench.beginners.advice import Advice, Decision
from triclinium.engine.core.state import Option
from triclinium.games.portals.rules.components import (
    BURN,
    DISCARD,
    DROP,
    END,
    HIDE,
    MOVE,
    NONE,
    PLAY,
    PORTAL,
    STAND,
    TAKE,
)

SOON = 3  # spaces of the timeline within which a period counts as near
FAR = 99


def count_steps(d: Decision, here: int, there: int) -> int:
    """Return the steps between two places by roads and portals."""
    c = d.s.c
    gates = [place for place in range(c.places) if (d.s.portals >> place) & 1]
    by_portal = [c.distance[here][a] + 1 + c.distance[b][there] for a in gates for b in gates if a != b]
    return int(min([c.distance[here][there], *by_portal]))


def count_rounds_to_wait(d: Decision, card: int) -> int:
    """Return the rounds until the capsule brings a card into range, FAR if it is past."""
    s = d.s
    if s.v.simplified:
        return 0
    gauge = 0 if s.gauge == s.c.full else s.gauge
    for wait in range(s.c.spaces):
        capsule = min(s.capsule + wait, s.c.spaces - 1)
        if (s.v.range_masks[capsule * (s.c.full + 1) + gauge] >> s.c.period[card]) & 1:
            return wait
    return FAR


def is_in_range(d: Decision, card: int) -> bool:
    return bool((d.s.compute_range_mask() >> d.s.c.period[card]) & 1)


def rate_event(d: Decision, card: int) -> float:
    """Points, two more for a region that is still missing in the player's row of events, one more for each symbol."""
    s, c = d.s, d.s.c
    regions = [c.region[played] for played in s.played[d.seat]]
    fewest = min(regions.count(region) for region in range(c.regions))
    missing = regions.count(c.region[card]) <= fewest
    return float(c.points[card] + 2.0 * missing + c.symbols[card].bit_count())


def find_target(d: Decision, cards: list[int]) -> tuple[float, int]:
    """Return the event that gives most for each action until it can be played, and its rate."""
    s, c = d.s, d.s.c
    best, target = 0.0, NONE
    for card in cards:
        if card >= c.events:
            continue
        wait = 0 if is_in_range(d, card) else count_rounds_to_wait(d, card)
        if wait == FAR:
            continue
        actions = max(count_steps(d, s.pawns[d.seat], c.place[card]) + 1, 4 * wait + 1 if wait else 0)
        rate = rate_event(d, card) / actions
        if rate > best:
            best, target = rate, card
    return best, target


def stand(d: Decision) -> Option:
    """Start on the place of a Genesis card, the one with most points."""
    s, c = d.s, d.s.c
    places = {STAND + c.place[card]: c.points[card] for card in s.hands[d.seat]}
    return d.best(
        d.legal, lambda o: places.get(o, 0), lambda o: -min(count_steps(d, o - STAND, p - STAND) for p in places)
    )


def take_turn(d: Decision) -> Option:
    s, c = d.s, d.s.c
    hand = list(s.hands[d.seat])
    plays = d.list_options("play")
    if plays:
        return d.best(plays, lambda o: rate_event(d, o - PLAY))
    here = s.pawns[d.seat]
    reachable = [
        card
        for card in hand
        if card < c.events and is_in_range(d, card) and count_steps(d, here, c.place[card]) < s.actions
    ]
    if reachable:
        target = max(reachable, key=lambda card: rate_event(d, card) / (1 + count_steps(d, here, c.place[card])))
        moves = step_towards(d, c.place[target])
        if moves:
            return moves[0]
    burn = find_useful_burn(d)
    if burn is not None:
        return burn
    draws = d.list_options("take")
    if len(hand) < c.hand_limit - 1 and s.actions and draws:
        best = max(draws, key=lambda o: rate_draw(d, o - TAKE))
        if rate_draw(d, best - TAKE) > 0:
            return best
        if len(hand) < 4 and d.list_options("draw"):
            return d.list_options("draw")[-1 if s.capsule >= c.spaces - 3 else 0]
    target = find_target(d, hand)[1]
    if target != NONE and c.place[target] != here:
        moves = step_towards(d, c.place[target])
        if moves:
            return moves[0]
    if s.actions and d.list_options("draw") and len(hand) < c.hand_limit:
        return d.list_options("draw")[-1 if s.capsule >= c.spaces - 3 else 0]
    past = [card for card in hand if card < c.events and count_rounds_to_wait(d, card) == FAR]
    if s.actions and len(hand) == c.hand_limit:
        burns = [BURN + card for card in past if d.has(BURN + card)]
        if burns:
            return int(burns[0])
        if past and d.has(DISCARD):
            return DISCARD
    return END


def step_towards(d: Decision, place: int) -> list[Option]:
    """Return the moves that come nearer to a place."""
    here = d.s.pawns[d.seat]
    far = count_steps(d, here, place)
    return [o for o in d.list_options("move") if count_steps(d, o - MOVE, place) < far]


def find_useful_burn(d: Decision) -> Option | None:
    """Burn a card that is past, or worth less, if a better card here comes into range by it."""
    s = d.s
    here = s.pawns[d.seat]
    if not s.actions:
        return None
    for o in sorted(d.list_options("burn"), key=lambda o: rate_event(d, o - BURN)):
        after = d.preview_option(o)
        mask = after.compute_range_mask()  # type: ignore[attr-defined]
        for card in after.hands[d.seat]:  # type: ignore[attr-defined]
            near = card < s.c.events and count_steps(d, here, s.c.place[card]) < s.actions
            if near and (mask >> s.c.period[card]) & 1 and rate_event(d, card) > rate_event(d, o - BURN):
                return o
    return None


def rate_draw(d: Decision, card: int) -> float:
    """A card of the row: its period must still come, or be in range, and its place be near."""
    s, c = d.s, d.s.c
    if card >= c.events:
        return 1.0  # a Region or Symbol card
    wait = 0 if is_in_range(d, card) else count_rounds_to_wait(d, card)
    if wait > SOON:
        return 0.0
    steps = count_steps(d, s.pawns[d.seat], c.place[card])
    return rate_event(d, card) / (2 + max(steps, 4 * wait))


def discard(d: Decision) -> Option:
    """Discard a card that is past, without fuel before one with fuel."""
    s, c = d.s, d.s.c
    hand = s.hands[d.seat]

    def rate(o: Option) -> float:
        card = hand[o - HIDE] if o >= HIDE else o - DROP
        if card >= c.events:
            return -5.0
        past = 20.0 if count_rounds_to_wait(d, card) == FAR else 0.0
        return float(past - 3 * c.fuel[card] - rate_event(d, card))

    return d.best(d.legal, rate)


def set_portal(d: Decision) -> Option:
    """Put a portal as far as possible from the others."""
    s, c = d.s, d.s.c
    others = [place for place in range(c.places) if (s.portals >> place) & 1]
    return d.best(d.legal, lambda o: min((c.distance[o - PORTAL][other] for other in others), default=0))


ADVICE: Advice = {"SetPortal": set_portal, "Stand": stand, "Turn": take_turn, "Discard": discard}
