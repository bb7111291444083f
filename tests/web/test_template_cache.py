"""Tests that templates are compiled once for all processes of a user, and that foreign files are not used."""

import os
import sys
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from triclinium.web.template_environment import TemplateCache, ensure_private_folder


def page(cache: TemplateCache, source: str = "{{ 6 * 7 }}") -> str:
    return Environment(loader=DictLoader({"page": source}), bytecode_cache=cache).get_template("page").render()


def test_compiled_templates_are_shared_by_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert page(TemplateCache(tmp_path)) == "42"
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr(Environment, "compile", None)  # compiling would fail from now on
    assert page(TemplateCache(tmp_path)) == "42"


def test_a_changed_template_is_compiled_again(tmp_path: Path) -> None:
    cache = TemplateCache(tmp_path)
    assert page(cache) == "42"
    assert page(cache, "{{ 6 + 7 }}") == "13"
    assert page(TemplateCache(tmp_path), "{{ 7 - 6 }}") == "1"


def test_without_a_folder_each_process_has_its_own_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = TemplateCache(None)
    assert page(cache) == "42"
    monkeypatch.setattr(Environment, "compile", None)
    assert page(cache) == "42"


def test_a_damaged_cache_or_a_full_disk_is_harmless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert page(TemplateCache(tmp_path)) == "42"
    for path in tmp_path.iterdir():
        path.write_bytes(b"no code")
    assert page(TemplateCache(tmp_path)) == "42"

    def full(*args: object, **more: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("tempfile.NamedTemporaryFile", full)
    assert page(TemplateCache(tmp_path), "{{ 1 }}") == "1"


@pytest.mark.skipif(sys.platform == "win32", reason="modes are not kept there")
def test_a_cache_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    assert ensure_private_folder(tmp_path / "own" / "deep") == tmp_path / "own" / "deep"
    assert (tmp_path / "own" / "deep").stat().st_mode & 0o077 == 0
    os.chmod(tmp_path / "own" / "deep", 0o777)
    assert ensure_private_folder(tmp_path / "own" / "deep") is None
    (tmp_path / "file").write_text("")
    assert ensure_private_folder(tmp_path / "file" / "templates") is None
