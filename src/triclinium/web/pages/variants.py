"""The variants of a table in words: differences from the printed game, their effect on ratings, and presets."""

from collections.abc import Mapping
from dataclasses import dataclass

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.text import msgid
from triclinium.engine.game import Game
from triclinium.server.tables.lobby import load_last_variants
from triclinium.web.i18n import Localizer
from triclinium.web.page_context import PageContext

PROPOSED, PRINTED, SHORT, LAST_USED = "proposed", "printed", "short", "ours"
ONE_DIFFERS = msgid("One change from the printed rules.")
SEVERAL_DIFFER = msgid("{0} changes from the printed rules.")
NOTHING_DIFFERS = msgid("Standard rules.")
STILL_RATED = msgid("The match is still rated.")
NOT_RATED = msgid("The match is not rated, because these options change the game too much.")


@dataclass(frozen=True, slots=True)
class VariantDifferences:
    """The differences of a table from the printed game: a heading, a line for each, and the effect on ratings."""

    heading: str
    lines: list[str]
    rating: str


@dataclass(frozen=True, slots=True)
class VariantPreset:
    """A named set of variants, in notation."""

    id: str
    label: str
    variants: Mapping[str, str]


def list_summary_texts(localize: Localizer) -> Mapping[str, str]:
    """Return the sentences with which the page's script sums up the chosen variants."""
    sentences = {
        "none": NOTHING_DIFFERS,
        "one": ONE_DIFFERS,
        "several": SEVERAL_DIFFER,
        "rated": STILL_RATED,
        "unrated": NOT_RATED,
    }
    return {name: localize(text) for name, text in sentences.items()}


def describe_differences(
    game: Game, variants: Mapping[str, str], localize: Localizer, skip_defaults: bool = False
) -> VariantDifferences:
    """Return how a table differs from the printed game. ``skip_defaults`` leaves out our own default variants."""
    differences = [
        (choice, value)
        for choice, value in game.changed_variants(variants)
        if not (skip_defaults and value == choice.default)
    ]
    lines = [
        localize("{0}: {1}.", localize.name(variant.label, game), localize.name(variant.name_of(value), game))
        for variant, value in differences
    ]
    if not lines:
        return VariantDifferences(localize(NOTHING_DIFFERS), [], "")
    heading = localize(ONE_DIFFERS) if len(lines) == 1 else localize(SEVERAL_DIFFER, len(lines))
    return VariantDifferences(
        heading, lines, localize(STILL_RATED if all(variant.rated for variant, _ in differences) else NOT_RATED)
    )


def list_presets(context: PageContext, game: Game) -> list[VariantPreset]:
    """Return the presets for a new table, the default first.

    They are the variants that we propose (if they differ from print), the printed ones, a short match (if the game has
    one), and those that this person chose last time.
    """
    localize = context.localize
    proposed, printed = game.proposed_variants(), game.printed_variants()
    choices = [VariantPreset(PROPOSED, localize("Recommended"), proposed)] if proposed != printed else []
    choices.append(VariantPreset(PRINTED, localize("Standard"), printed))
    if game.short_variants:
        short = {
            variant.name: variant.format_value(game.short_variants[variant.name])
            for variant in game.variants
            if variant.name in game.short_variants
        }
        choices.append(VariantPreset(SHORT, localize("Short"), {**proposed, **short}))
    last_used = load_last_variants(context.services.store, context.person, game.id)
    if (
        last_used is not None
        and can_play_variants(game, last_used)
        and all(last_used != other.variants for other in choices)
    ):
        choices.append(VariantPreset(LAST_USED, localize("Custom"), last_used))
    return choices


def can_play_variants(game: Game, variants: Mapping[str, str]) -> bool:
    """Return whether the game still knows these variants: the table can be older than the game's version."""
    try:
        game.read_variants(variants)
    except BadSetup:
        return False
    return True
