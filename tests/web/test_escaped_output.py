"""Tests that templates escape everything they write."""

import pytest
from jinja2 import DictLoader
from markupsafe import Markup

from triclinium.web.template_environment import TemplateEnvironment


class Marked:
    def __html__(self) -> str:
        return "<i>marked</i>"

    def __str__(self) -> str:
        return "<not marked>"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("plain", "plain"),
        ("<b>&'\"", "&lt;b&gt;&amp;&#39;&#34;"),
        (Markup("<b>"), "<b>"),
        (Marked(), "<i>marked</i>"),
        (-3, "-3"),
        (True, "True"),
        (["<"], "[&#39;&lt;&#39;]"),
    ],
)
def test_values_are_escaped_once(value: object, shown: str) -> None:
    page = "{{ x }}|{% include 'part' %}|{% block b %}{{ x }}{% endblock %}|{% import 'macros' as m %}{{ m.told(x) }}"
    macros = "{% macro told(x) %}{{ x }}{% endmacro %}"
    templates = TemplateEnvironment(DictLoader({"page": page, "part": "{{ x }}", "macros": macros}))
    assert templates.get_template("page").render(x=value) == "|".join([shown] * 4)
