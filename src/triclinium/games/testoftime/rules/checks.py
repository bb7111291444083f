"""Constraints TT-C1 to TT-C7 on a components file, and conditions that involve several numbers."""

from triclinium.engine.core.components import ComponentsFile, ComponentsTable, ConstraintCheck
from triclinium.engine.core.errors import ComponentsFault
from triclinium.games.testoftime.rules.components import KIND_COUNT, KINDS, Components


def find_faults(c: Components, file: ComponentsFile, printed: bool) -> list[ComponentsFault]:
    """Return every broken constraint, including those of the printed game if ``printed`` is true."""
    constraints = ConstraintCheck(printed)
    check_game_numbers(c, file.row("game"), constraints)
    rows = file.rows("testament")
    for kind in range(KIND_COUNT):
        check_testament(c, kind, rows[kind], constraints)
        if kind > 0:
            check_cost_order(c, kind, rows[kind].path, constraints)
    check_tables(c, file, constraints)
    return constraints.faults


def check_game_numbers(c: Components, game: ComponentsTable, constraints: ConstraintCheck) -> None:
    enough = game.integer("cards_per_kind") >= c.spaces
    constraints.check(
        enough,
        "TT-R8",
        "game.cards_per_kind",
        "must be at least the number of Testament spaces, so that the stock never runs out",
    )
    fits = c.start_followers <= c.max_followers
    constraints.check(fits, "TT-1.3", "game.start_followers", "must not exceed the maximum of followers")
    constraints.check(c.players == sorted(c.players), "TT-14.1", "options.players", "must be in ascending order")
    fits = c.mercy_pieces <= c.max_followers
    constraints.check(fits, "TT-14.3", "options.mercy_pieces", "must fit into the supply")


def check_testament(c: Components, kind: int, row: ComponentsTable, constraints: ConstraintCheck) -> None:
    """TT-C2 to TT-C6  Check one kind of Testament by itself."""
    path = row.path
    sections = c.sections[kind]
    if row.has("shows"):
        shown = row.integer("shows")
        constraints.check_printed(
            shown in c.dots[kind],
            "TT-C2",
            path,
            "no number of visible sections shows exactly {0} gold dots; correct the dots or 'shows'",
            shown,
        )
    constraints.check(1 <= len(sections) <= 60, "TT-C3", path, "a card has from 1 to 60 sections")
    most = row.integer("most_dots")
    for dots in sections:
        constraints.check_printed(
            dots <= most, "TT-C4", path, "a section holds from 0 to {0} gold dots, not {1}", most, dots
        )
    stands = len(sections) > 0 and sections[0] >= 1
    constraints.check(stands, "TT-C5", path, "the top section needs a gold dot, or it is worth nothing")
    least = min(c.create_cost[kind])
    deaths = c.deaths[kind]
    constraints.check(
        deaths <= least, "TT-C6", path, "{0} followers die, but with Art this Testament costs only {1}", deaths, least
    )


def check_cost_order(c: Components, kind: int, path: str, constraints: ConstraintCheck) -> None:
    """TT-C1, TT-C3, TT-C4  Check that the kinds are sorted from cheap to expensive, which the rules do not require."""
    before = kind - 1
    for name, figures in (("create", c.create), ("deaths", c.deaths), ("preserve", c.preserve)):
        constraints.check_printed(
            figures[kind] >= figures[before],
            "TT-C1",
            path,
            "{0} falls from {1} to {2}; the kinds go from cheap to expensive",
            name,
            figures[before],
            figures[kind],
        )
    size = c.size[kind]
    longer = size >= c.size[before]
    constraints.check_printed(
        longer, "TT-C3", path, "it has {0} sections, but the cheaper kind before it has {1}", size, c.size[before]
    )
    dots = c.dots[kind][-1]
    less = c.dots[before][-1]
    constraints.check_printed(
        dots > less, "TT-C4", path, "its {0} gold dots must be more than the {1} of the kind before it", dots, less
    )


def check_tables(c: Components, file: ComponentsFile, constraints: ConstraintCheck) -> None:
    """TT-C7  Check that derived tables in the file agree with the numbers."""
    for table, right in (
        ("visible_dots", c.dots),
        ("create_cost", c.create_cost),
        ("preserve_cost", c.preserve_cost),
    ):
        if file.has(table):
            for kind in range(KIND_COUNT):
                check_derived_row(file.row(table), KINDS[kind], list(right[kind]), constraints)
    if file.has("convert_cost_by_temples"):
        check_derived_row(file.row("convert_cost_by_temples"), "cost", c.convert_cost, constraints)


def check_derived_row(table: ComponentsTable, key: str, right: list[int], constraints: ConstraintCheck) -> None:
    """Check one row of a derived table.

    It may be shorter than the computed row (with three Art no space is free), but not different.
    """
    given = table.integers(key)
    same = 0 < len(given) <= len(right) and given == right[: len(given)]
    constraints.check(
        same,
        "TT-C7",
        table.path_to(key),
        "the figures give {0}, the table says {1}; correct the table or leave it out",
        str(right),
        str(given),
    )
