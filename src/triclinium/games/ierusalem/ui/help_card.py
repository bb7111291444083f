"""The help card: every icon with one line, as in the box (IE-1.14)."""

from typing import Final

from triclinium.engine.core.text import Name

HELP_LINES: Final = (  # tuples of an icon, its meaning, and the rule that explains it
    ("market", Name("Market: a Mahane card for 1 Denarius, or buy and sell goods", "help"), "IE-3.1"),
    ("desert", Name("Desert: a Stone for each of your Followers there", "help"), "IE-3.2"),
    ("mountain", Name("Mountain: a Bread for each of your Followers there", "help"), "IE-3.2"),
    ("lake", Name("Lake: a Fish for each of your Followers there", "help"), "IE-3.2"),
    ("temple", Name("Temple: send Followers out of the Camp for 1, 2 or 3 Denarii", "help"), "IE-3.3"),
    ("supper", Name("Go to the Last Supper: pay for an empty space with goods", "help"), "IE-4.2"),
    ("invite", Name("Be invited to the Last Supper: any empty space, free", "help"), "IE-4.4"),
    ("parable", Name("Listen to the next Parable: its number of Followers must be at the Supper", "help"), "IE-4.1"),
    ("favor", Name("Do a Favor: another player gains, you draw a XXXIII A.D. card and VP", "help"), "IE-4.5"),
    ("call", Name("Call a Follower: from the Camp to an empty square, free", "help"), "IE-4.6"),
    ("change", Name("Change places: one of your Followers at the Supper moves, free", "help"), "IE-4.7"),
    ("stone", Name("Obtain a Stone, worth 2 Denarii", "help"), "IE-4.8"),
    ("bread", Name("Obtain a Bread, worth 3 Denarii", "help"), "IE-4.8"),
    ("fish", Name("Obtain a Fish, worth 4 Denarii", "help"), "IE-4.8"),
    ("denarius", Name("Receive a Denarius", "help"), "IE-4.8"),
    ("redistribute", Name("Redistribute: rearrange the cards of your board, discard up to three", "help"), "IE-4.9"),
    ("meeting", Name("Meeting of the Sanhedrin: the marker moves; never optional", "help"), "IE-4.10"),
    ("mahane", Name("Draw a Mahane card, face up or from the deck", "help"), "IE-4.11"),
    ("xxxiii", Name("Draw a XXXIII A.D. card from the top", "help"), "IE-4.11"),
    ("offering", Name("Offering: 1 VP at the end, and a space of the Camp for good", "help"), "IE-4.3"),
    ("lamp", Name("Illumination tile: an Apostle’s appreciation instead of a card, once", "help"), "IE-2.5"),
    ("pent", Name("VP at once", "help"), "IE-0.2"),
    ("circ", Name("Apostle VP: when you visit with the card", "help"), "IE-2.12"),
    ("tri", Name("VP at the end", "help"), "IE-6.2"),
    ("trin", Name("VP lost at the end, behind Judas", "help"), "IE-6.2"),
    ("camp", Name("Camp: Followers, goods and Offerings take a space each", "help"), "IE-2.18"),
    ("lock", Name("A space of the Camp that the second Favor opens", "help"), "IE-4.5"),
)


def help_card() -> tuple[tuple[str, Name, str], ...]:
    return HELP_LINES
