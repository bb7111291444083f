"""The constraints AE-C1 to AE-C19 that a components file must keep; AE-C20 is about play and stands in the tests."""

from triclinium.engine.core.components import ComponentsFile, Table, check
from triclinium.games.evangelists.rules.components import TRACK_IDS, Components, mask
from triclinium.games.evangelists.rules.devices import levels_of


def check_components(c: Components, sheet: ComponentsFile) -> None:
    """Raise BadComponents, naming the constraint and the entry, unless all of them hold."""
    check_map(c)
    check_traditions(c)
    check_figures(c, sheet)


def check_map(c: Components) -> None:
    places = len(c.place_ids)
    check(c.cities == 9 and places == 19, "AE-C11", "the map", "needs 9 cities and 10 waypoints")
    check(sum([len(n) for n in c.lines]) == 2 * 26, "AE-C11", "the map", "needs 26 lines")
    for place in range(places):
        check(2 <= len(c.lines[place]) <= 4, "AE-C11", c.place_ids[place], "needs two to four lines")
        check(max(c.distance[place]) < places, "AE-C11", c.place_ids[place], "is cut off from some place")
    for city in range(c.cities):
        within = len(c.sail[city])
        check(2 <= within <= 5, "AE-C12", c.place_ids[city], "needs two to five other cities within two spaces")
    furthest = max([c.distance[a][b] for a in range(c.cities) for b in range(c.cities)])
    check(furthest == 6, "AE-C12", "the map", f"has cities {furthest} lines apart; the greatest distance is 6")
    boats = [c.place_ids[city] for city in range(c.cities) if (c.boats_start >> city) & 1]
    ports = ["caesarea", "ephesus", "rome"]
    check(sorted(boats) == ports, "AE-C14", "boats_start", f"places boats in {', '.join(boats)}")
    check_displacing(c)


def check_displacing(c: Components) -> None:
    """AE-C13  For every placing of three boats and every ride onto another boat, 1 to 5 cities are nearest."""
    for boats in range(1 << c.cities):
        if boats.bit_count() != 3:
            continue
        for city in range(c.cities):
            for goal in c.sail[city]:
                if (boats >> city) & 1 and (boats >> goal) & 1:
                    choices = len(c.nearest_free(goal, boats & ~(1 << city)))
                    check(1 <= choices <= 5, "AE-C13", c.place_ids[goal], f"leaves {choices} nearest cities")


def check_traditions(c: Components) -> None:
    cards = range(len(c.numbers))
    check(c.numbers == list(range(1, 37)), "AE-C1", "the traditions", "must be numbered 1 to 36 in order")
    for w, witness in enumerate(c.witness_ids):
        on = sum([(c.circles[card] >> w) & 1 for card in cards])
        wanted = 11 if witness in ("peter", "andrew", "matthew", "john") else 8
        check(on == wanted, "AE-C2", witness, f"is on {on} cards, not {wanted}")
        check(on == c.witness_cards[w], "AE-C2", witness, f"is on {on} cards, and its entry says {c.witness_cards[w]}")
    circles = sum([c.circles[card].bit_count() for card in cards])
    check(circles == 84, "AE-C3", "the traditions", f"carry {circles} circles, not 84")
    two = 0
    for card in cards:
        kind = (c.motifs[card].bit_count(), c.circles[card].bit_count())
        check(
            kind in ((2, 2), (1, 3)),
            "AE-C4",
            name_of(c, card),
            "needs two motifs and two circles, or one and three",
        )
        two += 1 if kind == (2, 2) else 0
    check(two == 24, "AE-C4", "the traditions", f"have {two} cards with two motifs and two circles, not 24")
    check_motifs(c)
    for t, theme in enumerate(c.theme_ids):
        leads = c.back.count(t)
        matches = sum([(c.themes[card] >> t) & 1 for card in cards])
        check(leads == 6 and matches == 12, "AE-C6", theme, "must lead 6 cards and be second on 6 others")
    for card in cards:
        for other in range(card):
            same = c.motifs[card] == c.motifs[other] and c.circles[card] == c.circles[other]
            check(not same, "AE-C7", name_of(c, card), f"agrees with {name_of(c, other)} in motifs and circles")
    check_meetings(c)
    check_halves(c)


def check_motifs(c: Components) -> None:
    for m, motif in enumerate(c.motif_ids):
        on = sum([(mask >> m) & 1 for mask in c.motifs])
        check(on == 12, "AE-C5", motif, f"is on {on} cards, not 12")
        check(on == c.motif_cards[m], "AE-C5", motif, f"is on {on} cards, and its entry says {c.motif_cards[m]}")
        for n in range(m):
            both = sum([(mask >> m) & (mask >> n) & 1 for mask in c.motifs])
            check(1 <= both <= 4, "AE-C5", f"{motif} and {c.motif_ids[n]}", f"meet on {both} cards, not 1 to 4")


def check_meetings(c: Components) -> None:
    for t, theme in enumerate(c.theme_ids):
        for m, motif in enumerate(c.motif_ids):
            both = both_on(c.themes, t, c.motifs, m)
            check(2 <= both <= 6, "AE-C8", f"{theme} and {motif}", f"meet on {both} cards, not 2 to 6")
        for w, witness in enumerate(c.witness_ids):
            both = both_on(c.themes, t, c.circles, w)
            check(1 <= both <= 5, "AE-C8", f"{theme} and {witness}", f"meet on {both} cards, not 1 to 5")
        for u in range(t):
            both = both_on(c.themes, t, c.themes, u)
            check(1 <= both <= 4, "AE-C9", f"{theme} and {c.theme_ids[u]}", f"share {both} cards, not 1 to 4")
    for w, witness in enumerate(c.witness_ids):
        for m, motif in enumerate(c.motif_ids):
            both = both_on(c.circles, w, c.motifs, m)
            check(both >= 1, "AE-C8", f"{motif} and {witness}", "never meet")
        for v in range(w):
            both = both_on(c.circles, w, c.circles, v)
            check(both <= 5, "AE-C9", f"{witness} and {c.witness_ids[v]}", f"share {both} cards, not 5 at most")


def check_halves(c: Components) -> None:
    for first in (0, 18):
        half = range(first, first + 18)
        for m, motif in enumerate(c.motif_ids):
            on = sum([(c.motifs[card] >> m) & 1 for card in half])
            check(on >= 4, "AE-C10", motif, f"is on {on} of 18 cards, not on four")
        for t, theme in enumerate(c.theme_ids):
            on = sum([(c.themes[card] >> t) & 1 for card in half])
            check(on >= 4, "AE-C10", theme, f"is on {on} of 18 cards, not on four")
        for w, witness in enumerate(c.witness_ids):
            on = sum([(c.circles[card] >> w) & 1 for card in half])
            check(on >= (2 if first else 1), "AE-C10", witness, f"is on {on} of the cards {first + 1} to {first + 18}")


def check_figures(c: Components, sheet: ComponentsFile) -> None:
    payable = c.cost_weak <= c.cost_strong <= c.octagons
    check(payable, "AE-2.3", "game", "a strong action costs no less than a weak one and no more than a turn's octagons")
    counts = sheet.row("counts")
    cards = c.cities * c.box_size
    check(cards == len(c.numbers), "AE-C1", "cards_per_city_box", f"deals {cards} of {len(c.numbers)} cards")
    cubes = (c.white_in_bag, c.black_in_bag, c.black_in_supply)
    check(sum(cubes) == counts.integer("status_cubes"), "AE-C15", "status_cubes", f"add up to {sum(cubes)}")
    check(cubes == (6, 2, 7), "AE-C15", "status_cubes", f"are {cubes[0]} white, {cubes[1]} and {cubes[2]} black")
    check(c.black_target == c.black_in_bag, "AE-C15", "status_cubes", f"are made good to {c.black_target} black")
    leaves = counts.integer("codex_leaves")
    for seats in (2, 3, 4, 5):
        symbols = c.track_leaf[c.track_start[seats] + 1 : c.track_end]  # none is given at Game End (AE-R35)
        used = seats * (c.leaves_start + sum([1 for leaf in symbols if leaf]))
        fits = used == 5 * seats and leaves == 25
        check(fits, "AE-C16", "codex_leaves", f"are {leaves}, and {seats} players use {used}")
        tokens = c.tokens_stenographer + (seats - 1) * c.tokens_other + c.tokens_last
        check(tokens == seats, "AE-C17", "follow_tokens", f"are {tokens} with {seats} players")
        left = sheet.row("follow_tokens").row("left_in_box").integer(str(seats))
        all_tokens = counts.integer("follow_tokens")
        check(tokens + left == all_tokens, "AE-C17", "follow_tokens", f"are {tokens} and {left}, not {all_tokens}")
        rounds = sheet.row("game").row("rounds").integer(str(seats))
        steps = c.track_end - c.track_start[seats]
        check(steps == rounds, "AE-C18", "time_track", f"gives {steps} rounds to {seats} players, not {rounds}")
    check_knowledge(c, sheet.row("knowledge_check"))


def check_knowledge(c: Components, example: Table) -> None:
    """AE-C19  The gospel of the rulebook's Knowledge Check has the levels that the rulebook gives it."""
    slots = tuple([number - 1 for number in example.integers("slots")])
    before = tuple([-1 if slot + 1 == example.integer("just_added") else slot for slot in slots])
    interviewed = mask(example.indexes("interviewed", c.witness_ids))
    for key, gospel in (("before_adding", before), ("answer", slots)):
        expected = [example.row(key).integer(track) for track in TRACK_IDS]
        found = levels_of(c, gospel, interviewed, False)
        check(found == expected, "AE-C19", f"knowledge_check.{key}", f"gives {found}, not {expected}")


def name_of(c: Components, card: int) -> str:
    return f"tradition {c.numbers[card]}"


def both_on(these: list[int], a: int, those: list[int], b: int) -> int:
    """On how many cards a member of one kind meets a member of another."""
    return sum([(these[card] >> a) & (those[card] >> b) & 1 for card in range(len(these))])
