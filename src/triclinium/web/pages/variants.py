"""The choices of a table in words: what differs from print, whether that is still rated, and the presets."""

from collections.abc import Mapping
from dataclasses import dataclass

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.text import msgid
from triclinium.engine.game import Game
from triclinium.server.tables.lobby import last_variants
from triclinium.web.i18n import Speech
from triclinium.web.page_context import Reading

PROPOSED, PRINTED, SHORT, OURS = "proposed", "printed", "short", "ours"
ONE = msgid("One thing differs from the printed game.")
SEVERAL = msgid("{0} things differ from the printed game.")
NONE = msgid("All choices are as printed.")
RATED = msgid("The match is still rated.")
UNRATED = msgid("It is another kind of match, and not rated.")


@dataclass(frozen=True, slots=True)
class Differing:
    """What is not as printed: how much, what, and what that means for the rating."""

    heading: str
    lines: list[str]
    rating: str


@dataclass(frozen=True, slots=True)
class Preset:
    """Variants that go together under one name, in notation."""

    id: str
    label: str
    variants: Mapping[str, str]


def texts(speech: Speech) -> Mapping[str, str]:
    """What the page's script sums up with, while choices are made."""
    found = {"none": NONE, "one": ONE, "several": SEVERAL, "rated": RATED, "unrated": UNRATED}
    return {name: speech(text) for name, text in found.items()}


def differing(game: Game, variants: Mapping[str, str], speech: Speech, agreed: bool = False) -> Differing:
    """The variants of a table against the printed game; ``agreed``: without what the house itself does otherwise."""
    found = [(one, value) for one, value in game.differing(variants) if not (agreed and value == one.default)]
    lines = [
        speech("{0}: {1}.", speech.name(variant.label, game), speech.name(variant.name_of(value), game))
        for variant, value in found
    ]
    if not lines:
        return Differing(speech(NONE), [], "")
    heading = speech(ONE) if len(lines) == 1 else speech(SEVERAL, len(lines))
    return Differing(heading, lines, speech(RATED if all(variant.rated for variant, _ in found) else UNRATED))


def presets(reading: Reading, game: Game) -> list[Preset]:
    """What the house proposes, where that is not as printed; as printed; short, if the game has such a match; and what
    this person chose the last time. The first is where a new table begins."""
    speech = reading.speech
    proposed, printed = game.proposed(), game.printed()
    found = [Preset(PROPOSED, speech("Proposed"), proposed)] if proposed != printed else []
    found.append(Preset(PRINTED, speech("As printed"), printed))
    if game.short:
        short = {one.name: one.said(game.short[one.name]) for one in game.variants if one.name in game.short}
        found.append(Preset(SHORT, speech("Short"), {**proposed, **short}))
    ours = last_variants(reading.server, reading.person, game.id)
    if ours is not None and playable(game, ours) and all(ours != other.variants for other in found):
        found.append(Preset(OURS, speech("Ours"), ours))
    return found


def playable(game: Game, variants: Mapping[str, str]) -> bool:
    """Whether the game still knows them: a table may be older than the house."""
    try:
        game.read_variants(variants)
    except BadSetup:
        return False
    return True
