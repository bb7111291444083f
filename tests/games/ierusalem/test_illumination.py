"""Tests of the Illumination tile (IE-2.5, IE-2.6)."""

from tests.games.ierusalem.table import (
    ANA,
    BEN,
    C,
    count_followers,
    goods,
    list_earned,
    name_asked,
    options,
    pass_on,
    play,
    refused,
    spaces,
    table,
)
from triclinium.games.ierusalem import GAME
from triclinium.games.ierusalem.rules.refusals import (
    ALL_SEATED,
    ILLUMINATION_SPENT,
    NO_INVITATION,
    NO_ORANGE,
    NO_SWAP,
    ORANGE_ONLY,
)
from triclinium.games.ierusalem.rules.state import FROM_ORANGE

ALL_TWELVE = {f"s{i + 1:02}": name for i, name in enumerate(C.apostle_ids)}


def test_illumination_replaces_the_card() -> None:
    """IE-2.5, IE-R23  The tile replaces the card once per game, and the steps C to G follow."""
    s = table(denarii={ANA: 1})
    play(s, "illuminate", "appreciate silver")
    assert s.denarii[ANA] == 6
    assert s.illumination[ANA] == 0
    assert name_asked(s) == "BuyMahane"
    for _ in range(4):
        pass_on(s)
    assert s.active == ANA
    refused(s, "illuminate", ILLUMINATION_SPENT)


def test_illumination_purple_invites() -> None:
    """IE-2.5  A purple appreciation invites a Follower for free, with an Offering, without seating an Apostle."""
    s = table(goods={ANA: (0, 0, 0)})
    play(s, "illuminate", "appreciate purple", "go t4", "offering")
    assert spaces(s, ANA) == ["tl", "t4"]
    assert count_followers(s, ANA) == (1, 1, 1)
    assert goods(s, ANA) == (0, 0, 0)
    assert s.offerings[ANA] == 2


def test_illumination_orange_scores_a_seated_apostle() -> None:
    """IE-2.5  The tile scores a seated orange Apostle. If there are several, the player chooses one."""
    seated = {"s02": "john", "s05": "thomas", "s09": "peter"}
    s = table(seated=seated, supper={ANA: "u1c2 u3c2 u1c7"})
    play(s, "illuminate", "appreciate orange")
    refused(s, "score peter", ORANGE_ONLY)
    assert options(s) == ["score john", "score thomas"]
    play(s, "score john")
    assert list_earned(s, FROM_ORANGE) == [8, 0, 0, 0]


def test_illumination_orange_with_one_seated_is_not_asked() -> None:
    """IE-D4a  One seated orange Apostle is scored at once."""
    s = table(seated={"s02": "john"}, supper={ANA: "u1c2"})
    play(s, "illuminate", "appreciate orange")
    assert list_earned(s, FROM_ORANGE) == [5, 0, 0, 0]


def test_illumination_white_swaps() -> None:
    """IE-2.5, IE-R43  A white appreciation swaps with any player's Follower, without cost, reward or Meeting."""
    s = table(supper={ANA: "u3c4", BEN: "d3c2"})
    play(s, "illuminate", "appreciate white", "swap u3c4", "with d3c2")
    assert spaces(s, ANA) == ["d3c2"]
    assert spaces(s, BEN) == ["u3c4"]
    assert s.marker == 0
    assert s.get_vp(ANA) == 1
    assert name_asked(s) == "BuyMahane"


def test_illumination_types_that_are_impossible() -> None:
    """IE-R23  Orange needs a seated Apostle, purple a Follower in a Location, and white two Followers to swap."""
    s = table(at={ANA: (0, 0, 0)})
    play(s, "illuminate")
    refused(s, "appreciate purple", NO_INVITATION)
    refused(s, "appreciate orange", NO_ORANGE)
    s = table(supper={ANA: ""})
    play(s, "illuminate")
    refused(s, "appreciate white", NO_SWAP)


def test_illumination_may_have_no_effect() -> None:
    """IE-R29  The effect of an appreciation may be declined, but the tile is spent."""
    s = table()
    play(s, "illuminate", "appreciate white", "skip")
    assert s.illumination[ANA] == 0


def test_illumination_ends_once_all_apostles_are_seated() -> None:
    """IE-2.6  When all Apostles are seated the tile cannot be used, but still counts at the end."""
    s = table(seated=ALL_TWELVE)
    refused(s, "illuminate", ALL_SEATED)
    assert GAME.scores(s)[ANA].line_points("illumination") == 5


def test_a_visit_may_follow_the_illumination() -> None:
    """IE-R23  The tile only replaces the card, so a matching column may be visited in the same turn."""
    s = table(columns={ANA: ["r03 r01 r07"]}, denarii={ANA: 0})
    play(s, "illuminate", "appreciate silver")
    assert options(s) == ["skip", "visit 1 1"]
    play(s, "visit 1 1", "bring white", "seat s01", "skip")
    assert name_asked(s) == "BuyMahane"


def test_illumination_orange_scores_all_as_an_option() -> None:
    """IE-2.5, IE-R3  With the table option an orange appreciation of the tile also scores all players."""
    s = table(seated={"s02": "john"}, supper={ANA: "u1c2", BEN: "u2c2"}, variants={"orange_scores_all": True})
    play(s, "illuminate", "appreciate orange")
    assert list_earned(s, FROM_ORANGE) == [5, 4, 0, 0]
