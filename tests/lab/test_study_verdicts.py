"""Tests of verdicts on a figure: different, the same or not settled, and agreement between both kinds of bots."""

import re
from dataclasses import replace

import numpy as np
import pytest

from tests.slow import slow
from triclinium.engine.core.text import Reader
from triclinium.lab.study import statistics
from triclinium.lab.study.compare import (
    FALLS,
    RISES,
    SAME,
    SMALL,
    UNDECIDED,
    RawDifference,
    check_agreement,
    decide_verdict,
    decide_verdicts,
)
from triclinium.lab.study.report import difference_texts, format_verdict
from triclinium.lab.study.statistics import Estimate

NONE = Estimate(0.0, 0.0, 0.0, 0, 0.0)
NUMBER = re.compile(r"[+−]?[\d,]+(?:\.\d+)?|∞")


def test_significance_differs_from_relevance() -> None:
    """An interval inside the band comes first, then one that excludes 0, then not settled."""
    assert decide_verdict(Estimate(0.01, 0.005, 0.015, 900, 0.002), 0.03) == "small"
    assert decide_verdict(Estimate(0.0, -0.01, 0.01, 900, 0.005), 0.03) == SAME
    assert decide_verdict(Estimate(0.05, 0.02, 0.08, 900, 0.01), 0.03) == RISES
    assert decide_verdict(Estimate(0.03, -0.02, 0.08, 90, 0.02), 0.03) == UNDECIDED


def test_a_finding_is_robust_if_both_kinds_of_bots_agree() -> None:
    """Both agree, only one finds a difference, or they disagree."""
    assert check_agreement(RISES, Estimate(0.1, 0.05, 0.15, 200, 0.02), 0.03) == "both"
    assert check_agreement(RISES, Estimate(0.1, -0.05, 0.25, 200, 0.08), 0.03) == "one"
    assert check_agreement(RISES, Estimate(-0.1, -0.15, -0.05, 200, 0.02), 0.03) == "disagree"
    assert check_agreement(SAME, Estimate(0.1, 0.05, 0.15, 200, 0.02), 0.03) == "disagree"
    assert check_agreement(UNDECIDED, Estimate(0.1, 0.05, 0.15, 200, 0.02), 0.03) == ""


def test_verdicts_are_taken_together() -> None:
    """A p-value of 0.02 alone is significant. Among nine figures it is not, but a far smaller one is."""

    def figure(shift: float) -> RawDifference:
        return RawDifference("winner", 1, NONE, NONE, [shift + (-1) ** i for i in range(400)], (1.0, 1.0), 0.01, None)

    lone = decide_verdicts([figure(0.117)], 1.0, 1.0)
    assert [(one.verdict, round(one.p, 2)) for one in lone] == [(RISES, 0.02)]
    family = decide_verdicts([figure(0.117)] * 8 + [figure(0.5)], 1.0, 1.0)
    assert [one.verdict for one in family] == [UNDECIDED] * 8 + [RISES]
    assert all(one.family.low < one.alone.low for one in family)


def test_repeated_matches_count_once() -> None:
    """A game without chance gives the same match a thousand times. n is the number of different matches."""
    same = statistics.estimate_mean([9.0, 9.0])
    raw = RawDifference("decisions", 1, same, same, [4.0] * 1000, (0.0, 0.0), 1.0, None)
    assert decide_verdicts([raw], 1.0, 1.0)[0].verdict == RISES
    told = decide_verdicts([replace(raw, distinct_share=0.001)], 1.0, 1.0)[0]
    assert (told.verdict, told.alone.n) == (UNDECIDED, 1)
    assert [statistics.compute_effective_count(n, new) for n, new in ((0, 0.5), (10, 1.0), (10, 0.31), (10, 0.01))] == [
        0,
        10,
        3,
        1,
    ]
    assert statistics.estimate_mean_share([0.0, 1.0] * 50, distinct_share=0.1) == statistics.estimate_share(0.5, 10)


def print_bounds(text: str) -> list[float]:
    """Return the bounds that a reader sees."""
    return [float(one.replace("−", "-").replace(",", "").replace("∞", "inf")) for one in NUMBER.findall(text)]


@pytest.mark.parametrize("figure", ["first", "winner", "place 1"])
def test_a_verdict_agrees_with_its_printed_interval(figure: str) -> None:
    """For random data "rises" and "falls" are printed if and only if the printed interval excludes 0."""
    rng, reader = np.random.default_rng(11), Reader()
    seen = set()
    for _ in range(40):
        figures, deals = int(rng.integers(1, 12)), int(rng.integers(2, 300))
        scale = 10.0 ** rng.integers(-6, 3)
        raw = []
        for _ in range(figures):
            shift = rng.normal() * rng.choice([0.0, 1.0, 3.0]) * scale / deals**0.5
            apart = (shift + scale * rng.standard_normal(deals)).tolist()
            band = scale * float(rng.choice([0.01, 0.3, 3.0]))
            raw.append(RawDifference(figure, 1, NONE, NONE, apart, (scale, scale), band, None))
        for one in decide_verdicts(raw, float(rng.choice([1.0, 1.3, 2.3])), 0.6):
            _, bounds = difference_texts(one.family, figure != "winner", 1)
            low, high = print_bounds(bounds(reader))
            said = format_verdict(one)(reader)
            moved = any(word in said for word in ("rises", "falls", "advantage", "does not matter"))
            assert moved == (low > 0 or high < 0), (said, bounds(reader))
            assert moved == (one.p < 0.05) == (one.verdict in (RISES, FALLS, SMALL))
            if moved:
                assert (low > 0) == any(
                    word in said for word in ("rises", "increase", " an advantage", "small advantage")
                )
            seen.add(one.verdict)
    assert seen == {RISES, FALLS, SMALL, SAME, UNDECIDED}


@pytest.mark.parametrize(("trials", "margin"), [(50, 4.6), slow(1000, 0.0)])
def test_studies_without_an_effect_are_rarely_flagged(trials: int, margin: float) -> None:
    """With nine correlated figures and five interim analyses, at most 5% of studies without effect report any
    difference."""
    deals, looks, figures = 250, 5, 9
    rng = np.random.default_rng(5)
    called = 0
    for _ in range(trials):
        common = rng.standard_normal((deals, 1))
        values = 0.5 * common + rng.standard_normal((deals, figures))
        for k in range(1, looks + 1):
            n = deals * k // looks
            raw = [
                RawDifference("winner", 1, NONE, NONE, values[:n, i].tolist(), (1.0, 1.0), 0.01, None)
                for i in range(figures)
            ]
            found = decide_verdicts(raw, statistics.compute_interim_widening(looks, k / looks), k / looks)
            if any(one.verdict in (RISES, FALLS, SMALL) for one in found):
                called += 1
                break
    assert called <= trials * 0.05 + margin  # 50 trials have a standard deviation of 1.5
