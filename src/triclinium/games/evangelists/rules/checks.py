"""Constraints AE-C1 to AE-C19 on a components file. AE-C20 is about play, and a test checks it."""

from triclinium.engine.core.components import ComponentsFile, ComponentsTable, ConstraintCheck, check
from triclinium.engine.core.errors import ComponentsFault
from triclinium.games.evangelists.rules.components import TRACK_IDS, Components, make_mask
from triclinium.games.evangelists.rules.devices import compute_device_levels
from triclinium.games.evangelists.rules.verbs import LEAVES_MOST, SLOTS_MOST


def find_faults(c: Components, file: ComponentsFile, printed: bool) -> list[ComponentsFault]:
    """Return the constraints that do not hold.

    With ``printed``, also check those that apply to the printed game only.
    """
    constraints = ConstraintCheck(printed)
    check_map(c, constraints)
    check_traditions(c, constraints)
    check_figures(c, file, constraints)
    return constraints.faults


def check_map(c: Components, constraints: ConstraintCheck) -> None:
    places = len(c.place_ids)
    check(c.cities == 9 and places == 19, "AE-C11", "place", "must be 9 cities and 10 waypoints")
    lines = sum([len(near) for near in c.lines]) // 2
    constraints.check_printed(lines == 26, "AE-C11", "edge", "must be 26 lines, not {0}", lines)
    for place in range(places):
        path = f"place.{c.place_ids[place]}"
        constraints.check_printed(2 <= len(c.lines[place]) <= 4, "AE-C11", path, "needs two to four lines")
        constraints.check(max(c.distance[place]) < places, "AE-C11", path, "is not connected to every other place")
    for city in range(c.cities):
        near = 2 <= len(c.sail_targets[city]) <= 5
        path = f"place.{c.place_ids[city]}"
        constraints.check(len(c.sail_targets[city]) > 0, "AE-C12", path, "has no other city that a boat could reach")
        constraints.check_printed(near, "AE-C12", path, "needs two to five other cities within two spaces")
    furthest = max([c.distance[a][b] for a in range(c.cities) for b in range(c.cities)])
    constraints.check_printed(
        furthest == 6,
        "AE-C12",
        "place",
        "has cities that are {0} lines apart; the greatest distance must be 6",
        furthest,
    )
    boats = [c.place_ids[city] for city in range(c.cities) if (c.boats_start >> city) & 1]
    ports = ["caesarea", "ephesus", "rome"]
    path = "game.boats_start"
    constraints.check(len(boats) == 3, "AE-C14", path, "needs three boats in different cities, not {0}", len(boats))
    constraints.check_printed(
        sorted(boats) == ports,
        "AE-C14",
        path,
        "must place the boats in Caesarea, Ephesus and Rome, not in {0}",
        ", ".join(boats),
    )
    check_displacing(c, constraints)


def check_displacing(c: Components, constraints: ConstraintCheck) -> None:
    """AE-C13  Check every placing of three boats with every ride onto another boat.

    Between 1 and 5 cities must be nearest.
    """
    for boats in range(1 << c.cities):
        if boats.bit_count() != 3:
            continue
        for city in range(c.cities):
            for goal in c.sail_targets[city]:
                if (boats >> city) & 1 and (boats >> goal) & 1:
                    choices = len(c.find_nearest_free(goal, boats & ~(1 << city)))
                    path = f"place.{c.place_ids[goal]}"
                    constraints.check_printed(
                        1 <= choices <= 5,
                        "AE-C13",
                        path,
                        "must give a displaced boat 1 to 5 nearest cities, not {0}",
                        choices,
                    )


def check_traditions(c: Components, constraints: ConstraintCheck) -> None:
    cards = range(len(c.numbers))
    check(c.numbers == list(range(1, 37)), "AE-C1", "tradition", "must be numbered 1 to 36 in order")
    for w, witness in enumerate(c.witness_ids):
        on = sum([(c.circles[card] >> w) & 1 for card in cards])
        wanted = 11 if witness in ("peter", "andrew", "matthew", "john") else 8
        path = f"witness.{witness}"
        constraints.check_printed(on == wanted, "AE-C2", path, "must be on {1} cards, not {0}", on, wanted)
        stated = c.witness_cards[w]
        constraints.check_printed(on == stated, "AE-C2", path, "is on {0} cards, but its entry says {1}", on, stated)
    circles = sum([c.circles[card].bit_count() for card in cards])
    constraints.check_printed(circles == 84, "AE-C3", "tradition", "must carry 84 circles, not {0}", circles)
    two = 0
    for card in cards:
        kind = (c.motifs[card].bit_count(), c.circles[card].bit_count())
        right = kind in ((2, 2), (1, 3))
        constraints.check_printed(
            right, "AE-C4", format_card_path(c, card), "needs two motifs and two circles, or one and three"
        )
        two += 1 if kind == (2, 2) else 0
    constraints.check_printed(
        two == 24, "AE-C4", "tradition", "must include 24 cards with two motifs and two circles, not {0}", two
    )
    check_motifs(c, constraints)
    for t, theme in enumerate(c.theme_ids):
        leads = c.back.count(t)
        matches = sum([(c.themes[card] >> t) & 1 for card in cards])
        right = leads == 6 and 7 <= matches <= 8
        constraints.check_printed(
            right, "AE-C6", f"theme.{theme}", "must be the first theme of 6 cards and the second of one or two others"
        )
    for card in cards:
        for other in range(card):
            same = c.motifs[card] == c.motifs[other] and c.circles[card] == c.circles[other]
            constraints.check_printed(
                not same,
                "AE-C7",
                format_card_path(c, card),
                "has the same motifs and circles as tradition {0}",
                c.numbers[other],
            )
    check_meetings(c, constraints)
    check_halves(c, constraints)


def check_motifs(c: Components, constraints: ConstraintCheck) -> None:
    for m, motif in enumerate(c.motif_ids):
        on = sum([(mask >> m) & 1 for mask in c.motifs])
        path = f"motif.{motif}"
        constraints.check_printed(on == 12, "AE-C5", path, "must be on {1} cards, not {0}", on, 12)
        stated = c.motif_cards[m]
        constraints.check_printed(on == stated, "AE-C5", path, "is on {0} cards, but its entry says {1}", on, stated)
        for n in range(m):
            both = sum([(mask >> m) & (mask >> n) & 1 for mask in c.motifs])
            met = 1 <= both <= 4
            constraints.check_printed(
                met, "AE-C5", path, "must be on 1 to 4 cards together with {0}, not {1}", c.motif_ids[n], both
            )


def check_meetings(c: Components, constraints: ConstraintCheck) -> None:
    for t, theme in enumerate(c.theme_ids):
        path = f"theme.{theme}"
        for m, motif in enumerate(c.motif_ids):
            both = count_cards_with_both(c.themes, t, c.motifs, m)
            constraints.check_printed(
                1 <= both <= 6, "AE-C8", path, "must be on 1 to 6 cards together with {0}, not {1}", motif, both
            )
        for w, witness in enumerate(c.witness_ids):
            both = count_cards_with_both(c.themes, t, c.circles, w)
            constraints.check_printed(
                both <= 5, "AE-C8", path, "must be on at most 5 cards together with {0}, not {1}", witness, both
            )
        for u in range(t):
            both = count_cards_with_both(c.themes, t, c.themes, u)
            other = c.theme_ids[u]
            constraints.check_printed(
                both <= 4, "AE-C9", path, "must be on at most 4 cards together with {0}, not {1}", other, both
            )
    for w, witness in enumerate(c.witness_ids):
        path = f"witness.{witness}"
        for m, motif in enumerate(c.motif_ids):
            both = count_cards_with_both(c.circles, w, c.motifs, m)
            constraints.check_printed(both >= 1, "AE-C8", path, "must be on at least one card together with {0}", motif)
        for v in range(w):
            both = count_cards_with_both(c.circles, w, c.circles, v)
            other = c.witness_ids[v]
            constraints.check_printed(
                both <= 5, "AE-C9", path, "must be on at most 5 cards together with {0}, not {1}", other, both
            )


def check_halves(c: Components, constraints: ConstraintCheck) -> None:
    for first in (0, 18):
        half = range(first, first + 18)
        last = first + 18
        for m, motif in enumerate(c.motif_ids):
            on = sum([(c.motifs[card] >> m) & 1 for card in half])
            path = f"motif.{motif}"
            constraints.check_printed(
                on >= 4, "AE-C10", path, "is on only {0} of the cards {1} to {2}", on, first + 1, last
            )
        for t, theme in enumerate(c.theme_ids):
            on = sum([(c.themes[card] >> t) & 1 for card in half])
            path = f"theme.{theme}"
            constraints.check_printed(
                on >= 3, "AE-C10", path, "is on only {0} of the cards {1} to {2}", on, first + 1, last
            )
        for w, witness in enumerate(c.witness_ids):
            on = sum([(c.circles[card] >> w) & 1 for card in half])
            path = f"witness.{witness}"
            least = 2 if first else 1
            constraints.check_printed(
                on >= least, "AE-C10", path, "is on only {0} of the cards {1} to {2}", on, first + 1, last
            )


def check_figures(c: Components, file: ComponentsFile, constraints: ConstraintCheck) -> None:
    payable = c.cost_weak <= c.cost_strong <= c.octagons
    constraints.check(
        payable,
        "AE-2.3",
        "game.cost_strong",
        "a strong action must cost at least as much as a weak one and at most the octagons of a turn",
    )
    cards = c.cities * c.box_size
    all_cards = len(c.numbers)
    path = "game.cards_per_city_box"
    constraints.check(cards <= all_cards, "AE-C1", path, "deals {0} cards instead of all {1}", cards, all_cards)
    constraints.check_printed(cards == all_cards, "AE-C1", path, "deals {0} cards instead of all {1}", cards, all_cards)
    path = "game.slots_per_leaf"
    constraints.check(
        c.slots_most <= SLOTS_MOST,
        "AE-C16",
        path,
        "makes a gospel of {0} slots; at most {1} are possible",
        c.slots_most,
        SLOTS_MOST,
    )
    path = "game.leaves_start"
    constraints.check(
        c.leaves_most <= LEAVES_MOST,
        "AE-C16",
        path,
        "makes a gospel of {0} leaves; at most {1} are possible",
        c.leaves_most,
        LEAVES_MOST,
    )
    check_cubes(c, file.row("counts").integer("status_cubes"), constraints)
    for seats in (2, 3, 4, 5):
        check_seats(c, file, seats, constraints)
    check_knowledge(c, file.row("knowledge_check"), constraints)


def check_cubes(c: Components, all_cubes: int, constraints: ConstraintCheck) -> None:
    """AE-C15  Check that there is a black cube for each witness, because otherwise the bag could run out."""
    white, black, supply = c.white_in_bag, c.black_in_bag, c.black_in_supply
    total = white + black + supply
    path = "status_cubes"
    enough = black + supply >= len(c.witness_ids)
    constraints.check(
        enough,
        "AE-C15",
        path,
        "has {0} black cubes, which is too few for {1} witnesses",
        black + supply,
        len(c.witness_ids),
    )
    constraints.check_printed(
        total == all_cubes, "AE-C15", path, "adds up to {0} cubes instead of {1}", total, all_cubes
    )
    right = (white, black, supply) == (6, 2, 7)
    constraints.check_printed(
        right,
        "AE-C15",
        path,
        "has {0} white cubes, {1} black ones in the bag and {2} in the supply instead of 6, 2 and 7",
        white,
        black,
        supply,
    )
    target = c.black_target
    constraints.check_printed(
        target == black, "AE-C15", path, "has {0} black cubes in the bag after the refill", target
    )


def check_seats(c: Components, file: ComponentsFile, seats: int, constraints: ConstraintCheck) -> None:
    """AE-C16, AE-C17, AE-C18  Check leaves, tokens and rounds for one number of players."""
    counts = file.row("counts")
    leaves = counts.integer("codex_leaves")
    symbols = c.track_leaf[c.track_start[seats] + 1 : c.track_end]  # Game End gives no leaf (AE-R35).
    used = seats * (c.leaves_start + sum([1 for leaf in symbols if leaf]))
    fits = used == 5 * seats and leaves == 25
    path = "counts.codex_leaves"
    constraints.check_printed(fits, "AE-C16", path, "has {0} leaves, and {1} players use {2}", leaves, seats, used)
    tokens = c.tokens_stenographer + (seats - 1) * c.tokens_other + c.tokens_last
    path = "follow_tokens"
    constraints.check(tokens == seats, "AE-C17", path, "has {0} tokens with {1} players", tokens, seats)
    left = file.row("follow_tokens").row("left_in_box").integer(str(seats))
    all_tokens = counts.integer("follow_tokens")
    right = tokens + left == all_tokens
    constraints.check_printed(
        right,
        "AE-C17",
        path,
        "has {0} tokens in play and {1} in the box instead of {2} in all",
        tokens,
        left,
        all_tokens,
    )
    label = (
        file.row("time_track").rows("space", "pos")[c.track_start[seats]].text("label") if constraints.printed else ""
    )
    wanted = "5" if seats == 5 else "2-4"
    path = "game.rounds"
    constraints.check_printed(
        label == wanted, "AE-C18", path, "begins on the space {0} with {1} players", repr(label), seats
    )


def check_knowledge(c: Components, example: ComponentsTable, constraints: ConstraintCheck) -> None:
    """AE-C19  Check that the gospel of the rulebook's Knowledge Check has the levels printed in the rulebook."""
    slots = tuple([number - 1 for number in example.integers("slots")])
    before = tuple([-1 if slot + 1 == example.integer("just_added") else slot for slot in slots])
    interviewed = make_mask(example.indexes("interviewed", c.witness_ids))
    for key, gospel in (("before_adding", before), ("answer", slots)):
        expected = [example.row(key).integer(track) for track in TRACK_IDS]
        levels = compute_device_levels(c, gospel, interviewed, False)
        path = example.path_to(key)
        constraints.check_printed(
            levels == expected, "AE-C19", path, "gives {0} instead of {1}", str(levels), str(expected)
        )


def format_card_path(c: Components, card: int) -> str:
    return f"tradition.{c.numbers[card]}"


def count_cards_with_both(these: list[int], a: int, those: list[int], b: int) -> int:
    """Return the number of cards that have member `a` of one kind and member `b` of another."""
    return sum([(these[card] >> a) & (those[card] >> b) & 1 for card in range(len(these))])
