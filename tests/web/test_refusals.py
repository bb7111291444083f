"""Tests that options refused for the same reason share one line."""

from triclinium.server.presenter.decision import DecisionOffer, DecisionView, group_refusals


def number(n: int, why: str, rule: str = "TT-9.2") -> DecisionOffer:
    return DecisionOffer(f"followers {n}", "followers", f"{n} followers", why, rule)


def test_equal_refusals_share_one_line() -> None:
    refused = [number(n, "you have 4 waiting") for n in range(5, 31)]
    (line,) = group_refusals(DecisionView("How many?", [number(4, "", "")], refused))
    assert line.label == "5 followers … 30 followers (26)"
    assert (line.why, line.rule, line.reasons_differ) == ("you have 4 waiting", "TT-9.2", False)
    assert line.offers == refused


def test_two_or_three_refused_options_are_listed() -> None:
    (line,) = group_refusals(DecisionView("How many?", [], [number(n, "too many") for n in (5, 6, 7)]))
    assert line.label == "5 followers · 6 followers · 7 followers"


def test_a_sentence_may_differ_in_its_numbers() -> None:
    """The line shows the first sentence, and all of them when it is unfolded."""
    (line,) = group_refusals(DecisionView("How many?", [], [number(n, f"that takes {n}, 4 wait") for n in (5, 6)]))
    assert line.reasons_differ
    assert line.why == "that takes 5, 4 wait …"
    assert [offer.why for offer in line.offers] == ["that takes 5, 4 wait", "that takes 6, 4 wait"]


def test_other_sentences_rules_and_verbs_have_their_own_lines() -> None:
    other = DecisionOffer("shamans 1", "shamans", "1 shaman", "too many", "TT-9.2")
    refused = [number(5, "too many"), number(6, "none waits"), number(7, "too many", "TT-9.3"), other]
    lines = group_refusals(DecisionView("How many?", [], refused))
    assert [(line.offers[0].verb, line.rule) for line in lines] == [
        ("followers", "TT-9.2"),
        ("followers", "TT-9.2"),
        ("followers", "TT-9.3"),
        ("shamans", "TT-9.2"),
    ]
