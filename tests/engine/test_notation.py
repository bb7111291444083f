"""Tests of options as numbers and as words, in both directions."""

import pytest

from tests.toy import TOY
from triclinium.engine.core.errors import BadComponents, BadNotation
from triclinium.engine.core.notation import Notation, Verb

CARDS = ["r01", "r02", "r03"]
COLUMNS = ["1", "2"]


def notation() -> Notation:
    return Notation([Verb("lay", 40, 60, CARDS, COLUMNS), Verb("pass", 3, 1), Verb("keep", 12, 4, ["a", "b"])])


def test_card_by_column() -> None:
    found = notation()
    assert found.format_option(40) == "lay r01 1"
    assert found.format_option(43) == "lay r02 2"
    assert found.read("lay r03 1") == 44
    assert found.format_option(3) == "pass"
    assert found.read("  PASS ") == 3


def test_every_named_option_reads_back() -> None:
    for found in (notation(), TOY.notation):
        assert found.all_options() == sorted(found.all_options())
        for o in found.all_options():
            assert found.read(found.format_option(o)) == o
    assert notation().all_options() == [3, 12, 13, 40, 41, 42, 43, 44, 45]


def test_the_size_covers_all_options() -> None:
    assert notation().size == 100


def test_a_verb_knows_its_numbers() -> None:
    verb = Verb("lay", 40, 60, CARDS, COLUMNS)
    assert 40 in verb
    assert 45 in verb
    assert 46 not in verb
    assert 39 not in verb
    assert "lay" not in verb
    assert notation().verb_of(13).word == "keep"


@pytest.mark.parametrize("o", [-1, 0, 4, 14, 46, 99, 100, 10**20])
def test_a_number_without_a_verb_is_refused(o: int) -> None:
    with pytest.raises(BadNotation, match=f"there is no option with the number {o}"):
        notation().format_option(o)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "the option is empty"),
        ("   ", "the option is empty"),
        ("leep a", "no option begins with 'leep'; did you mean 'keep'?"),
        ("xyz", "no option begins with 'xyz'; known: keep, lay, pass"),
        ("keep", "'keep' takes 1 names, not 0"),
        ("pass a", "'pass' takes 0 names, not 1"),
        ("lay r01 1 1", "'lay' takes 2 names, not 3"),
        ("keep q", "'keep' knows no 'q'; known: a, b"),
        ("lay r0 1", "'lay' knows no 'r0'; did you mean 'r03'?"),
        ("lay 1 r01", "'lay' knows no '1'"),
    ],
)
def test_words_that_name_no_option_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(BadNotation) as caught:
        notation().read(text)
    assert str(caught.value).startswith(complaint)


@pytest.mark.parametrize("name", ["12", "1o", "x"])
def test_many_numbers_are_listed_as_a_range(name: str) -> None:
    """If many numbers are possible, the message names the smallest and the largest."""
    counted = Notation([Verb("take", 0, 11, [str(n) for n in range(11)])])
    with pytest.raises(BadNotation, match=f"'take' knows no '{name}'; known: 0 to 10$"):
        counted.read(f"take {name}")


def test_long_lists_of_spaces_are_shortened() -> None:
    spaces = [f"s{number:03}" for number in range(143)]
    with pytest.raises(BadNotation) as caught:
        Notation([Verb("go", 0, 143, spaces)]).read("go xyz")
    assert str(caught.value) == f"'go' knows no 'xyz'; known: {', '.join(spaces[:30])} and 113 more"


def test_a_verb_of_two_words_may_contain_a_space() -> None:
    """A verb of two words may be typed as two words, as pages print it.

    If the shorter verb takes the second word as a name, that reading is used.
    """
    found = Notation(
        [Verb("sire", 0, 1), Verb("sire_shaman", 1, 1), Verb("lay", 2, 2, ["low", "up"]), Verb("lay_up", 4, 1)]
    )
    assert [found.read(text) for text in ("sire", "Sire Shaman", "sire_shaman", "lay up", "lay_up")] == [0, 1, 1, 3, 4]
    with pytest.raises(BadNotation, match="'sire_shaman' takes 0 names, not 1"):
        found.read("sire shaman 2")


def test_a_name_of_several_words_may_contain_spaces() -> None:
    """A name of several words is accepted if the verb takes one name and the name exists.

    Otherwise the number of names is wrong.
    """
    found = Notation([Verb("move", 0, 2, ["dead_sea", "sea"]), Verb("lay", 2, 2, ["sea"], ["dead_sea", "sea"])])
    assert [found.read(text) for text in ("move dead_sea", "Move Dead  Sea", "move sea")] == [0, 0, 1]
    with pytest.raises(BadNotation, match="'move' takes 1 names, not 2"):
        found.read("move red sea")
    with pytest.raises(BadNotation, match="'lay' takes 2 names, not 3"):
        found.read("lay sea dead sea")


def test_a_long_word_is_cut() -> None:
    with pytest.raises(BadNotation) as caught:
        notation().read("z" * 10_000)
    assert len(str(caught.value)) < 200


def test_blocks_that_overlap() -> None:
    with pytest.raises(BadComponents, match="the options of 'keep' and 'lay' overlap"):
        Notation([Verb("lay", 15, 60, CARDS), Verb("keep", 12, 4, ["a"])])
    assert Notation([Verb("lay", 16, 60, CARDS), Verb("keep", 12, 4, ["a"])]).size == 76


def test_more_names_than_numbers_are_refused() -> None:
    with pytest.raises(BadComponents, match="'lay' has room for 5 options, but the components need 6"):
        Verb("lay", 40, 5, CARDS, COLUMNS)


@pytest.mark.parametrize("names", [["a", "a"], ["A"], ["a b"], [""], [" a"]])
def test_names_are_single_lower_case_words_and_unique(names: list[str]) -> None:
    with pytest.raises(BadComponents, match="must be one lower-case word and unique"):
        Verb("keep", 12, 4, names)


def test_two_verbs_with_one_word_are_refused() -> None:
    with pytest.raises(BadComponents, match="two verbs have the same word"):
        Notation([Verb("keep", 0, 1), Verb("keep", 1, 1)])
