"""Tests that the API reference in `docs/reference` is what its generator writes."""

from pathlib import Path

import pytest

from triclinium.testing.reference import PAGES, ReferencePage, format_page

FOLDER = Path(__file__).parents[1] / "docs" / "reference"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.id)
def test_a_page_of_the_reference_is_up_to_date(page: ReferencePage) -> None:
    committed = (FOLDER / f"{page.id}.md").read_text(encoding="utf-8")
    assert committed == format_page(page), "run `make docs`"


def test_the_reference_has_only_generated_pages() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == {page.id for page in PAGES} | {"README"}


def test_a_name_that_is_missing_in_its_module_is_reported() -> None:
    page = ReferencePage("wrong", "Wrong", "", {"Names": ("engine.match:Missing",)})
    with pytest.raises(LookupError, match="has no class or function Missing"):
        format_page(page)


def test_a_page_shows_signatures_attributes_and_docstrings() -> None:
    text = format_page(PAGES[0])
    assert "load_game(" in text
    assert "class Match" in text
    assert "| attribute | type | meaning |" in text
    assert "self," not in text
    assert "``" not in text.replace("```", "")
