"""What a study says of a figure: different, the same or not settled, and whether both kinds of bots agree."""

from dataclasses import replace

from triclinium.lab.study import statistics
from triclinium.lab.study.compare import OPEN, RISES, SAME, Raw, agreement, verdict_of, verdicts
from triclinium.lab.study.statistics import Estimate


def test_certainty_is_not_size() -> None:
    """Inside the band comes first, then beyond doubt, then not settled."""
    assert verdict_of(Estimate(0.01, 0.005, 0.015, 900, 0.002), 0.001, 0.03) == "small"
    assert verdict_of(Estimate(0.0, -0.01, 0.01, 900, 0.005), 1.0, 0.03) == SAME
    assert verdict_of(Estimate(0.05, 0.02, 0.08, 900, 0.01), 0.001, 0.03) == RISES
    assert verdict_of(Estimate(0.03, -0.02, 0.08, 90, 0.02), 0.2, 0.03) == OPEN


def test_a_finding_is_robust_if_both_kinds_of_bots_agree() -> None:
    """Both, one only, or they disagree."""
    assert agreement(RISES, Estimate(0.1, 0.05, 0.15, 200, 0.02), 0.03) == "both"
    assert agreement(RISES, Estimate(0.1, -0.05, 0.25, 200, 0.08), 0.03) == "one"
    assert agreement(RISES, Estimate(-0.1, -0.15, -0.05, 200, 0.02), 0.03) == "disagree"
    assert agreement(SAME, Estimate(0.1, 0.05, 0.15, 200, 0.02), 0.03) == "disagree"
    assert agreement(OPEN, Estimate(0.1, 0.05, 0.15, 200, 0.02), 0.03) == ""


def test_verdicts_are_taken_together() -> None:
    """A p-value of 0.02 alone is a call; among nine figures it is none, and a far smaller one still is."""
    none = Estimate(0.0, 0.0, 0.0, 0, 0.0)

    def figure(shift: float) -> Raw:
        return Raw("winner", 1, none, none, [shift + (-1) ** i for i in range(400)], (1.0, 1.0), 0.01, None)

    lone = verdicts([figure(0.117)], 1.0, 1.0)
    assert [(one.verdict, round(one.p, 2)) for one in lone] == [(RISES, 0.02)]
    family = verdicts([figure(0.117)] * 8 + [figure(0.5)], 1.0, 1.0)
    assert [one.verdict for one in family] == [OPEN] * 8 + [RISES]
    assert all(one.family.low < one.alone.low for one in family)


def test_what_is_the_same_over_and_over_counts_once() -> None:
    """LAB 6: a title without chance gives one match a thousand times; n is the number of different ones."""
    same = statistics.mean([9.0, 9.0])
    raw = Raw("decisions", 1, same, same, [4.0] * 1000, (0.0, 0.0), 1.0, None)
    assert verdicts([raw], 1.0, 1.0)[0].verdict == RISES
    told = verdicts([replace(raw, new=0.001)], 1.0, 1.0)[0]
    assert (told.verdict, told.alone.n) == (OPEN, 1)
    assert [statistics.fewer(n, new) for n, new in ((0, 0.5), (10, 1.0), (10, 0.31), (10, 0.01))] == [0, 10, 3, 1]
    assert statistics.mean_share([0.0, 1.0] * 50, new=0.1) == statistics.wilson(0.5, 10)
