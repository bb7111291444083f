"""Additional figures for Les Missionnaires: effects of the deal, returns to the Bethel, and displaced proclaimers.

    python -m bench.missionnaires --seats 3 --matches 300 --bots steady --deal balanced --seed 90001

For whole matches it prints:

* how often the shortest and the longest tour of the deal win (shared among equal tours),
* the share of matches in which a player returns to the Bethel with congregations left,
* the share of turns that begin without a periodical,
* how often proclaimers are passed, or moved by a card.

`--hands` prints the share of dealt hands for which a return pays. It pays if it makes the tour fewer than five spaces
longer, because eight periodicals save 0.6 of a turn each.
"""

import argparse
import json
import sys
from collections import Counter

from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.event import Event
from triclinium.engine.core.rng import Rng
from triclinium.games.missionnaires.game import GAME
from triclinium.games.missionnaires.rules.events import DISPLACED, LEAPT, MOVED, TURN
from triclinium.games.missionnaires.rules.state import Missionnaires
from triclinium.games.missionnaires.rules.tours import find_short_tour, measure_short_tour

C = GAME.components
PAYS = 5  # maximum extension of a tour, in spaces, up to which a return pays


def measure_tours(s: Missionnaires) -> list[int]:
    """Return the length of the shortest tour of every hand, in spaces."""
    hands = [[C.congregation_at[card] for card in held] for held in s.hand]
    return [measure_short_tour(C.distance, C.bethel, C.bethel, towns) for towns in hands]


def count_event(s: Missionnaires, event: Event, seen: Counter[str]) -> None:
    """Count an event."""
    if event.type is TURN:
        seen["turns"] += 1
        seen["empty"] += s.periodicals[event.seat] == 0
    elif event.type in (LEAPT, DISPLACED):
        seen[event.type.id] += 1
    elif event.type is MOVED and event.facts[1] == C.bethel and not event.rule:
        seen["returns"] += s.at[event.seat] == C.bethel and len(s.hand[event.seat]) > 0


def play_match(seats: int, name: str, deal: str, seed: int) -> Counter[str]:
    """Play one match and return its counts."""
    s = GAME.deal(seats, seed, {"deal": deal}, listen=True)
    assert isinstance(s, Missionnaires)
    assert s.events is not None
    lengths, player, rng = measure_tours(s), create_bot(name, GAME), Rng(seed)
    seen: Counter[str] = Counter()
    while not s.over:
        s.play(choose_option(player, s, rng))
        for event in s.events:
            count_event(s, event, seen)
        s.events.clear()
    won = [score.rank for score in GAME.scores(s)].index(1)
    seen["went back"] = seen["returns"] > 0
    seen["winner's turns"] = s.ended_round[won]
    for which, length in (("shortest", min(lengths)), ("longest", max(lengths))):
        seen[which] = 1000 * (lengths[won] == length) // lengths.count(length)
    return seen


def collect_figures(seats: int, matches: int, name: str, deal: str, seed: int) -> dict[str, object]:
    """Return the figures for this many matches."""
    total: Counter[str] = Counter()
    for n in range(matches):
        total.update(play_match(seats, name, deal, seed + n))
    found: dict[str, object] = {"seats": seats, "matches": matches, "bots": name, "deal": deal, "seed": seed}
    found |= {f"{which} tour wins": round(total[which] / 1000 / matches, 3) for which in ("shortest", "longest")}
    found["matches with a return"] = round(total["went back"] / matches, 3)
    found["turns without a periodical"] = round(total["empty"] / total["turns"], 3)
    for which in ("leapt", "displaced", "returns", "winner's turns"):
        found[f"{which} a match"] = round(total[which] / matches, 2)
    return found


def measure_paying_hands(cards: int, deals: int, seed: int) -> float:
    """Return the share of hands of this size for which a return pays."""
    rng, pays = Rng(seed), 0
    for _ in range(deals):
        deck = list(range(len(C.congregations)))
        rng.shuffle(deck)
        way = find_short_tour(C.distance, C.bethel, C.bethel, [C.congregation_at[card] for card in deck[:cards]])
        whole = measure_short_tour(C.distance, C.bethel, C.bethel, way[1:-1])
        parts = [(way[1:i], way[i:-1]) for i in range(2, len(way) - 1)]
        loops = [sum(measure_short_tour(C.distance, C.bethel, C.bethel, towns) for towns in both) for both in parts]
        pays += min(loops) - whole < PAYS
    return round(pays / deals, 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--bots", default="steady")
    parser.add_argument("--deal", default="balanced")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hands", type=int, default=0, metavar="DEALS")
    asked = parser.parse_args()
    if asked.hands:
        found: dict[str, object] = {
            f"{n} cards": measure_paying_hands(n, asked.hands, asked.seed) for n in C.hand.values()
        }
    else:
        found = collect_figures(asked.seats, asked.matches, asked.bots, asked.deal, asked.seed)
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
