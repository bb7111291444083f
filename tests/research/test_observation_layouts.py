"""Tests that docs/research.md has the layouts of the code."""

from pathlib import Path

from triclinium.research.observation_layouts import update_page

PAGE = Path(__file__).parents[2] / "docs" / "research.md"


def test_the_page_is_in_step_with_the_code() -> None:
    """To update it: python -m triclinium.research.observation_layouts docs/research.md"""
    text = PAGE.read_text(encoding="utf-8")
    assert update_page(text) == text
