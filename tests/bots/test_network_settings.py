"""Tests of settings for training data: off, another file or half the weight, and the notes about them."""

import json
import logging
from pathlib import Path

import pytest

from tests.bots.test_networks import TOLD, list_choices, write_random_network
from triclinium.bots import create_bot
from triclinium.bots.networks import (
    NETWORK_VARIABLE,
    OFF,
    NetworkSetting,
    check_file_name,
    load_network,
    load_network_for_bot,
    override_network,
    parse_setting,
    read_network,
)
from triclinium.bots.registry import describe_network, strip_network_name
from triclinium.cli.main import main
from triclinium.engine.core.errors import BadComponents, BadSetup
from triclinium.engine.registry import load_game
from triclinium.games.evangelists.game import GAME
from triclinium.lab.arena import Tournament
from triclinium.lab.learn.acceptance import AcceptanceTest, play_test_match
from triclinium.lab.ratings import build_arena_report
from triclinium.lab.report import format_network
from triclinium.lab.totals import SimulationTotals
from triclinium.server.tables.options import TableOptions

EDITED = load_game("evangelists").with_components(GAME.file.with_changes({"game.rounds.2": 5}))


def test_network_settings_are_parsed() -> None:
    assert parse_setting("") == NetworkSetting()
    assert parse_setting(OFF) == NetworkSetting(off=True)
    assert parse_setting("a/net.safetensors") == NetworkSetting(file=Path("a/net.safetensors"))
    assert parse_setting("trust=0.5") == NetworkSetting(trust=0.5)
    assert parse_setting("a,b.safetensors,trust=1") == NetworkSetting(file=Path("a,b.safetensors"), trust=1.0)
    for wrong in ("trust=", "trust=much", "trust=2", "trust=nan", "a,trust=-1"):
        with pytest.raises(BadSetup, match="trust is a number from 0 to 1, not"):
            parse_setting(wrong)


def test_half_trust_also_applies_to_edited_components(tmp_path: Path) -> None:
    """By default a network is not used with edited components. A setting turns it on."""
    path = write_random_network(tmp_path)
    with override_network(str(path)):
        assert load_network(GAME).label == path.stem
        assert load_network_for_bot(EDITED, "steady") is None
    with override_network(f"{path},trust=0.5"):
        ranker = load_network_for_bot(EDITED, "steady")
        assert ranker is not None
        assert ranker.trust == 0.5
        assert load_network(EDITED).label == f"{path.stem}, trust=0.5"


def test_an_unused_network_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A network file that cannot be read causes one warning and must not make the bot play at random."""
    monkeypatch.setenv(NETWORK_VARIABLE, OFF)
    plain = list_choices("steady")
    changed = write_random_network(tmp_path, seed=6)
    changed.write_bytes(write_random_network(tmp_path, seed=7).read_bytes())
    assert check_file_name(changed)
    wrong = {
        str(changed): "its content does not match its name",
        str(write_random_network(tmp_path, {**TOLD, "version": "9"})): "it was trained for version 9 of the rules",
        str(tmp_path / "missing.safetensors"): "missing.safetensors is not a network file",
        "trust=all": "trust is a number from 0 to 1",
    }
    for said, why in wrong.items():
        monkeypatch.setenv(NETWORK_VARIABLE, said)
        caplog.clear()
        with caplog.at_level(logging.WARNING):
            assert create_bot("master", GAME).ranking_network is None
            assert create_bot("steady", GAME).ranking_network is None
        (line,) = caplog.messages
        assert "is not used by bots of evangelists" in line
        assert why in line
    assert list_choices("steady") == plain


def test_a_file_without_history_is_refused(tmp_path: Path) -> None:
    path = write_random_network(tmp_path, {name: said for name, said in TOLD.items() if name != "components"})
    with pytest.raises(BadComponents, match="its metadata lacks components"):
        read_network(path)


def test_matches_with_older_rules_use_no_network(tmp_path: Path) -> None:
    """A network is used only with the version of the rules for which it was trained."""
    with override_network(str(write_random_network(tmp_path))):
        player = create_bot("steady", GAME)
        assert player.get_ranking_network(GAME.deal(2, 1)) is not None
        older = GAME.deal(2, 1)
        older.version -= 1
        assert player.get_ranking_network(older) is None


def test_reports_name_the_network(tmp_path: Path) -> None:
    """A report of the lab names the network that the bots used."""
    path = write_random_network(tmp_path)
    tournament = Tournament("evangelists", ("steady", "steady+plain"), 2, 2, 1)
    with override_network(OFF):
        assert build_arena_report(tournament, [], 1.0)["net"] == ""
    with override_network(str(path)):
        assert build_arena_report(tournament, [], 1.0)["net"] == path.stem
        assert SimulationTotals(GAME, ["master@1s", "greedy"], {}, 1, 1).report(1, 1.0)["net"] == path.stem
        assert describe_network(["steady+plain", "strong", "a guest"], GAME) == ""
    assert format_network(path.stem) == f"; bots have learnt ({path.stem})"
    assert format_network("") == ""


def test_the_command_lists_bots_and_their_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command lists the bots, their acceptance tests, and whether their networks are used."""
    won = "182 of 300 (0.552 to 0.660), passed"
    path = write_random_network(tmp_path, {**TOLD, "gate steady, 2 seats": won})
    assert main(["bots", "--net", str(path)]) == 0
    text = capsys.readouterr().out
    assert f"steady, 2 seats: {won}" in text
    assert "not used: it was trained for evangelists" in text
    assert main(["bots", "--net", f"{path},trust=0.5", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    users = ["steady", "master"]
    expected = {"file": path.stem, "bots": users, "trust": 0.5, "why": "", "won": {"steady, 2 seats": won}}
    assert told["networks"]["evangelists"] == expected
    assert [one["name"] for one in told["bots"] if one["learns"]] == users
    assert main(["bots", "--net", "off"]) == 0
    assert "no game has a trained network" in capsys.readouterr().out
    assert main(["bots", "--net", str(tmp_path / "typo")]) == 2
    assert "typo is not a network file" in capsys.readouterr().err


def test_a_table_may_ask_for_plain_bots() -> None:
    """The form of a new table has a box for bots without networks.

    Such a bot keeps its name, also when it replaces a guest.
    """
    names = ["steady", "master@5s", "novice", "strong@300ms", "steady+plain", "lost"]
    plain = ["steady+plain", "master+plain@5s", "novice", "strong@300ms", "steady+plain", "lost"]
    assert [strip_network_name(name) for name in names] == plain
    assert [TableOptions(plain=True).resolve_bot_name(name) for name in names] == plain
    assert [TableOptions().resolve_bot_name(name) for name in names] == names


def test_an_acceptance_test_uses_its_components(tmp_path: Path) -> None:
    """The acceptance test of a network for an edition is played on that edition."""
    file = tmp_path / "edited.toml"
    file.write_text("[game]\n", encoding="utf-8")
    with pytest.raises(BadComponents):
        play_test_match(AcceptanceTest("evangelists", 2, "random", "random", 1, components=str(file)), 0)
