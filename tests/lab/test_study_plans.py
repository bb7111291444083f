"""Tests of study plans: the study file, the number of deals, parts, and the studies of the repository."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.matches import list_our_games
from tests.toy import TOY
from triclinium.bots import Bot, create_bot
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadComponents
from triclinium.engine.core.rng import Rng
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.lab.study import run, screening
from triclinium.lab.study.comparison_plan import make_comparison_plan
from triclinium.lab.study.editions import make_edition
from triclinium.lab.study.plan import NumberChange
from triclinium.lab.study.screening import (
    can_load,
    compute_default_matches,
    find_factors,
    repair_changes,
)
from triclinium.lab.study.screening_deals import MATCHES_PER_EDITION
from triclinium.lab.study.store import StudyFolder
from triclinium.lab.study.study_file import BAN, LADDER, SCREEN, EditionRequest, Study, Value, read_study
from triclinium.lab.study.worker import play_part

RICH = EditionRequest("rich", {"game.coins": 9})
STUDY = Study("figs", seats=3, bots=("greedy",), also=("random",), matches=30, editions=(RICH,), seed=7)

pytestmark = pytest.mark.usefixtures("figs")


def test_a_study_file_says_what_a_command_says(tmp_path: Path) -> None:
    """A study file and a command with the same settings give the same study.

    Defaults are filled in, and an edition can be changed numbers or a whole file.
    """
    (tmp_path / "mine.toml").write_text(TOY.file.with_changes({"game.hand": 2}).to_toml_text())
    (tmp_path / "study.toml").write_text(
        'game = "figs"\nseats = 3\nbots = ["greedy"]\nalso = []\ndetect = 0.1\nseed = 7\nvariants = { gift = "on" }\n'
        '[band]\ndecisions = 2\n[[edition]]\nname = "rich"\n[edition.set]\n"game.coins" = 9\n'
        '[[edition]]\nname = "mine"\ncomponents = "mine.toml"\n'
    )
    study = read_study(tmp_path / "study.toml")
    plan = run.make_plan(study)
    assert [edition.name for edition in plan.editions] == ["rich", "mine"]
    assert [plan.load_edition_game(i).file.value_at("game.hand") for i in (0, 1)] == [3, 2]
    assert (plan.variants, plan.bands, len(plan.arms)) == ((("gift", "on"),), (("decisions", 2.0),), 4)
    folder = StudyFolder(tmp_path / "played", plan)
    folder.open(study)
    assert run.reopen_study(folder.path)[0].plan.hash == plan.hash
    (tmp_path / "study.toml").write_text('game = "figs"\nbot = ["greedy"]\n')
    with pytest.raises(BadComponents, match="no key 'bot'; did you mean 'bots'"):
        read_study(tmp_path / "study.toml")


@pytest.mark.parametrize(
    "study",
    [
        replace(STUDY, matches=0, detect=0.1),
        replace(STUDY, matches=0, detect=0.1, editions=()),
        replace(STUDY, kind=BAN, matches=0, verbs=("lay",), editions=()),
        replace(STUDY, kind=LADDER, matches=0, bots=("random", "greedy"), editions=()),
        replace(STUDY, game="evangelists", kind=SCREEN, matches=24, only=("reach.boat",), editions=()),
        replace(STUDY, editions=(EditionRequest("mine", components=f"# with a remark\n{TOY.file.to_toml_text()}"),)),
    ],
    ids=["compare", "lone", "ban", "ladder", "screen", "file"],
)
def test_a_study_folder_is_recognized(study: Study, tmp_path: Path) -> None:
    """study.toml has everything that reports and records need, including defaults of the command."""
    plan = run.make_plan(study)
    StudyFolder(tmp_path / "played", plan).open(study)
    assert run.reopen_study(tmp_path / "played")[0].plan.hash == plan.hash


def test_an_edition_file_is_summarized_by_its_numbers() -> None:
    """The report lists the changed numbers, also for an edition from a file."""
    game = load_game("evangelists")
    text = game.file.with_changes({"game.octagons_per_turn": 4}).to_toml_text()
    edition = make_edition(game, EditionRequest("mine", components=text))
    assert edition.changes == (NumberChange("game.octagons_per_turn", 3, 4),)
    plan = make_comparison_plan(Study("evangelists", editions=(EditionRequest("mine", components=text),)))
    assert plan.load_edition_game(1).file.value_at("game.octagons_per_turn") == 4


def test_a_screening_has_editions_enough_for_its_numbers() -> None:
    """By default eight editions for each number, with six matches each."""
    assert [compute_default_matches(numbers) for numbers in (1, 30, 139)] == [1500, 1500, 8 * 140 * 6]


def test_the_editions_of_a_screening_are_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The editions of a screening are made and checked only once.

    Broken constraints are found without making the game.
    """
    only = ("game.testament_spaces", "game.cards_per_kind", "effects.*_share.*")
    study = Study("testoftime", kind=SCREEN, bots=("greedy",), only=only, matches=20 * MATCHES_PER_EDITION)
    game = study.load_game()
    free = find_factors(game, only)
    made: list[str] = []
    told: list[tuple[int, int]] = []
    on = type(game).with_components

    def noted(self: Game, file: ComponentsFile) -> Game:
        made.append(file.hash)
        return on(self, file)

    monkeypatch.setattr(type(game), "with_components", noted)
    plan = run.make_plan(study, lambda done, planned: told.append((done, planned)))
    assert told == [(done, 20) for done in range(2, 21)]
    assert len(set(made)) <= 2 * len(free) + 20
    assert min(len(one.changes) for one in plan.editions[1:]) < len(free), "four spaces do not go with two cards"
    assert all(can_load(game, {one.path: one.value for one in edition.changes}) for edition in plan.editions)


def test_editions_that_fail_to_load_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A change whose fault appears only when the game is made is left out of the screening."""
    game = load_game("testoftime")
    monkeypatch.setattr(screening, "meets_constraints", lambda game, changes: True)
    wanted: list[tuple[str, Value]] = [("game.start_followers", 99), ("game.sire_cost", 3)]
    assert repair_changes(game, wanted, Rng(1)) == {"game.sire_cost": 3}


def test_the_number_of_deals_follows_the_difference() -> None:
    """About 4,000 deals of two editions detect a difference of 3 points near one third."""
    two = replace(STUDY, matches=0)
    assert make_comparison_plan(two).deals == 4150
    assert make_comparison_plan(replace(two, editions=())).deals == 2100
    assert make_comparison_plan(replace(two, detect=0.1)).deals == 400


def test_parts_depend_only_on_the_plan() -> None:
    """Every match of every edition is in exactly one part, in the order of deals."""
    editions = (RICH, EditionRequest("a"), EditionRequest("b", {"game.coins": 4}))
    plan = make_comparison_plan(replace(STUDY, matches=55, editions=editions))
    cells = [cell for part in range(len(plan.parts)) for cell in plan.list_part_matches(part)]
    assert len({cell.number for cell in cells}) == len(cells) == plan.matches == 330
    assert all(plan.find_match(cell.number) == cell for cell in cells)
    firsts = [block[0] for block, _ in plan.parts]
    assert firsts == sorted(firsts)


STUDIES = Path(__file__).resolve().parents[2] / "docs" / "studies"


@pytest.mark.parametrize("game", list_our_games(), ids=lambda game: game.id)
def test_the_studies_of_the_repository_can_be_played(game: Game) -> None:
    """Each study of the repository can be played, and its report and figures are next to its file."""
    folder = STUDIES / game.id / "printed"
    assert (folder / "README.md").is_file()
    files = sorted([*STUDIES.glob(f"{game.id}/printed.toml"), *folder.glob("*.toml")])
    assert files
    for path in files:
        study = read_study(path)
        assert run.make_plan(study).game == game.id
        told = json.loads((path.with_suffix("") / run.SUMMARY_FILE).read_text(encoding="utf-8"))
        assert (told["game"], told["seats"], told["deals"]) == (study.game, study.get_seat_count(), study.matches)
        assert not told["interrupted"]
        assert (path.with_suffix("") / run.REPORT_FILE).stat().st_size < 150_000


def test_all_arms_are_played_by_plain_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots in studies use no networks, because training on one edition would favour it."""
    made: list[Bot] = []

    def noted(name: str, game: Game) -> Bot:
        made.append(create_bot(name, game))
        return made[-1]

    monkeypatch.setattr("triclinium.lab.study.worker.create_bot", noted)
    plan = make_comparison_plan(Study("figs", bots=("steady",), also=(), matches=1, seats=2, replays=0))
    play_part(plan, 0)
    assert made
    assert all(one.ignores_network for one in made)
