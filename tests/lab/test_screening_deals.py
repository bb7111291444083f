"""Tests of the deals of a screening: shared by all editions, or other deals for each edition."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from triclinium.lab.study import Study, make_plan, run_study, screening_deals
from triclinium.lab.study.match_tables import TableBuilder
from triclinium.lab.study.screening_deals import MATCHES_PER_EDITION, PILOT_DEALS, average_shared_variance
from triclinium.lab.study.store import read_study_hash
from triclinium.lab.study.study_file import OWN_DEALS, SCREEN, SHARED_DEALS, read_study
from triclinium.lab.study.worker import play_study_match

STUDY = Study(
    "evangelists",
    SCREEN,
    seats=2,
    bots=("random",),
    also=(),
    matches=36,
    figures=("decisions",),
    only=("game.octagons_per_turn", "reach.boat"),
)
TRIALS = 400


@pytest.mark.parametrize(
    ("part", "least", "most"),
    [
        (0.0, 0.0, 0.08),  # the deal decides nothing: few pilot studies choose shared deals
        (0.1, 0.02, 0.25),
        (0.5, 0.8, 1.0),  # the deal decides half of the variance: most of them do
    ],
)
def test_deals_are_shared_if_that_clearly_helps(part: float, least: float, most: float) -> None:
    rng = np.random.default_rng(7)
    chosen = values = 0.0
    for _ in range(TRIALS):
        deals = np.sqrt(part) * rng.standard_normal(PILOT_DEALS)
        first, other = (deals + np.sqrt(1 - part) * rng.standard_normal(PILOT_DEALS) for _ in range(2))
        found = average_shared_variance([(first, other)])
        chosen, values = chosen + found.is_smaller / TRIALS, values + found.value / TRIALS
    assert least <= chosen <= most
    assert values == pytest.approx(1 - part, abs=0.03)


def test_a_pilot_study_that_says_nothing_chooses_own_deals() -> None:
    same = np.ones(PILOT_DEALS)
    assert average_shared_variance([(same, same)]) == (1.0, False)
    assert average_shared_variance([(same * np.nan, same)]) == (1.0, False)


def test_editions_share_their_deals_or_have_their_own() -> None:
    """The same edition plays the same matches on shared deals, and other ones on deals of its own."""
    digests: dict[str, list[int]] = {}
    for deals in (SHARED_DEALS, OWN_DEALS):
        plan = make_plan(replace(STUDY, deals=deals))
        same = replace(plan, editions=(plan.editions[0],) * len(plan.editions))
        first = [planned for planned in same.list_part_matches(0) if planned.deal == 0]
        digests[deals] = [play_study_match(same, planned, TableBuilder()).last.digest() for planned in first]
        assert plan.shares_deals == (deals == SHARED_DEALS)
    assert len(set(digests[SHARED_DEALS])) == 1
    assert len(set(digests[OWN_DEALS])) == len(digests[OWN_DEALS]) > 2
    assert digests[SHARED_DEALS][0] == digests[OWN_DEALS][0]
    numbers = [arm.first_deal for arm in make_plan(replace(STUDY, deals=OWN_DEALS)).arms]
    assert numbers == [MATCHES_PER_EDITION * i for i in range(len(numbers))]


def test_a_small_screening_has_no_pilot_study() -> None:
    plan = make_plan(STUDY)
    assert not plan.shares_deals
    assert plan.shared_variance == 0


def test_the_choice_is_made_once_and_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The study file has the choice, so that its folder is recognized without a second pilot study."""
    monkeypatch.setattr(screening_deals, "PILOT_SHARE", 1.0)
    done = run_study(STUDY, tmp_path / "screened")
    found = done.screening
    assert found is not None
    assert 0 < found.shared_variance < 2
    assert found.shared_variance < 1 or not found.shares_deals
    stored = read_study(tmp_path / "screened" / "study.toml")
    assert stored.deals == (SHARED_DEALS if found.shares_deals else OWN_DEALS)
    assert stored.shared_variance == found.shared_variance
    assert make_plan(stored).hash == make_plan(STUDY).hash == read_study_hash(tmp_path / "screened")
    page = (tmp_path / "screened" / "report.html").read_text(encoding="utf-8")
    said = "All editions played the same deals." if found.shares_deals else "Each edition played deals of its own"
    assert said in page
    assert re.search(r"In a pilot study, (this clearly|shared deals) made the variance of an effect", page)
