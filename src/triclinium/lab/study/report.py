"""Names of things in a report, and the sentences that the page and the terminal share."""

import re
from collections import Counter
from collections.abc import Sequence

from triclinium.engine.core.text import Message, Name, msgid
from triclinium.engine.game import Game
from triclinium.engine.numbers import list_numbers
from triclinium.engine.option_components import map_axis_words
from triclinium.lab.study.choices import MIN_DEALS, OptionFlag, OptionReport, list_step_names
from triclinium.lab.study.compare import BOTH_KINDS, DISAGREE, ONE_KIND, SAME, SMALL, UNDECIDED, Difference, is_share
from triclinium.lab.study.components import ComponentOwners, ComponentReport
from triclinium.lab.study.figures import FIGURE_KINDS
from triclinium.lab.study.labels import find_stable_labels
from triclinium.lab.study.place_maps import make_place_map
from triclinium.lab.study.plan import NumberChange
from triclinium.lab.study.report_text import (
    Text,
    TextLike,
    _,
    capitalize,
    concatenate_texts,
    count,
    decimal,
    interval_text,
    join_texts,
    literal_name,
    percent,
    plural_text,
    render_text,
    share_text,
)
from triclinium.lab.study.screening import ScreeningEffect
from triclinium.lab.study.statistics import Estimate
from triclinium.lab.study.study_file import PRINTED, SCREEN
from triclinium.lab.study.summary import ArmReport, StudySummary
from triclinium.lab.study.worker import find_component

MAX_DIGITS = 9
MOST_NAMED = 10  # components in a sentence
CONFIRM_TEXT = _("These commands test whether one number alone has the effect shown:")
DEFAULT_QUESTION = msgid("How does the game play as printed?")
TRIED_PATTERN = re.compile(r"^(.*?) ?\((\d+) editions were tried\.\)$")  # end of a question from a balance search


class StudyReport:
    """The report of a study: its summary, with names for everything in it."""

    def __init__(self, game: Game, summary: StudySummary) -> None:
        self.game = game
        self.summary = summary
        self.steps = list_step_names(game)
        self.labels = find_stable_labels(game, summary.seats) if summary.options else {}
        self.meanings = map_axis_words(game.verbs, game.ids)
        self.numbers = {item.path: item.name for item in list_numbers(game)}
        self.place_map = make_place_map(game, summary.seats, summary.places)
        self._same_names = Counter(item.label for item in summary.things)

    @property
    def editions(self) -> list[str]:
        return [edition.name for edition in self.summary.editions]

    def edition_name(self, place: int) -> Text:
        """Return the name of an edition. Only the printed edition is translated."""
        called = self.editions[place]
        return _("printed edition") if called == PRINTED else lambda reader: called

    @property
    def bots(self) -> str:
        return self.summary.main_arms[0].arm.bots_label

    @property
    def check_bots(self) -> str:
        return self.summary.check_arms[0].arm.bots_label if self.summary.check_arms else ""

    @property
    def has_one_edition(self) -> bool:
        """Return whether the study has only one edition, which then needs no name."""
        return len(self.editions) < 2

    @property
    def fair_share(self) -> float:
        return 1 / self.summary.seats

    def farthest_place(self, arm: ArmReport) -> int:
        """Return the place whose wins are farthest from fair."""
        return max(range(len(arm.places)), key=lambda i: abs(arm.places[i].value - self.fair_share))

    @property
    def frequent_options(self) -> list[OptionReport]:
        """Options that are offered at least once a match."""
        return [option for option in self.summary.options["0"] if option.offered >= self.summary.main_arms[0].noted]

    @property
    def never_taken(self) -> list[OptionFlag]:
        return [flag for flag in self.summary.flags if flag.what == "never"]

    def question(self) -> TextLike:
        """Return the question of the study. Default questions are translated."""
        if searched := TRIED_PATTERN.match(self.summary.question):
            asked, tried = self._question_text(searched[1]), format_tried_editions(int(searched[2]))
            return lambda reader: f"{render_text(asked, reader)} ({tried(reader)})"
        return self._question_text(self.summary.question)

    def _question_text(self, question: str) -> TextLike:
        if question and question != DEFAULT_QUESTION:
            return literal_name(question)
        if self.summary.kind == SCREEN:
            return _("Which numbers matter?")
        return _(DEFAULT_QUESTION) if self.has_one_edition else _("What does “{0}” change?", self.edition_name(1))

    def option_names(self, step: str, options: Sequence[str]) -> dict[str, TextLike]:
        """Return the names of options of a step.

        These are button labels if all options of a verb have one, otherwise notation.
        """
        unnamed = {option.split()[0] for option in options if (step, option) not in self.labels}
        return {
            option: self.option_text(option) if option.split()[0] in unnamed else self.labels[step, option]
            for option in dict.fromkeys(options)
        }

    def option_text(self, option: str) -> Text:
        """Return notation with the names of cards and places."""
        word, *names = option.split()
        pairs = zip(self.meanings[word], names, strict=True)
        things = [
            self.game.all_components[self.game.component_index(*meant[part])].name if part in meant else part
            for meant, part in pairs
        ]
        return lambda reader: " ".join([word, *(reader.format_arg(part) for part in things)])

    def number_name(self, path: str) -> TextLike:
        return self.numbers.get(path, literal_name(path))

    def step_name(self, id: str) -> Message | Name:
        return self.steps.get(id, Name(id))

    def component_name(self, component: ComponentReport) -> TextLike:
        """Return the name of a card or place, with its id if the name alone is ambiguous."""
        if component.id.isdigit() or self._same_names[component.label] > 1:
            return _("{0} ({1})", component.name, Name(component.address))
        return component.name

    def component_names(self, components: Sequence[ComponentReport]) -> Text:
        return join_texts([self.component_name(component) for component in components])

    def score_line_name(self, group: str) -> TextLike:
        """Return the name of a line of the score sheet."""
        try:
            return self.game.words.score_line(group)
        except KeyError:
            return literal_name(group)

    def place_name(self, place: int) -> Text:
        """Return the name of a place in the turn order."""
        last = self.summary.seats - 1
        if place == 0:
            return _("the first player")
        if place == last:
            return _("the last player")
        names = (_("the second player"), _("the third player"), _("the fourth player"), _("the fifth player"))
        return names[place - 1] if place <= len(names) else _("player {0}", literal_name(str(place + 1)))

    def figure_name(self, figure: str) -> Text:
        if figure.startswith("place"):
            return _("wins of {0}", self.place_name(int(figure.split()[1])))
        return _(FIGURE_KINDS[figure].name)

    def format_value(self, figure: str, value: float, sign: bool = False) -> Text:
        """Return the value of a figure in its usual format."""
        if is_share(figure):
            digits = 1 if figure.startswith("place") else FIGURE_KINDS[figure].digits
            return percent(value, digits, sign)
        return decimal(value, FIGURE_KINDS[figure].digits, sign)

    def format_difference(self, difference: Difference, estimate: Estimate) -> tuple[Text, Text]:
        """Return a difference and its interval, in percentage points for shares."""
        share = is_share(difference.figure)
        digits = 1 if share else FIGURE_KINDS[difference.figure].digits
        digits = max(digits, 1) if not share and difference.band < 1 else digits
        return difference_texts(estimate, share, digits)

    def is_far_from_printed(self) -> bool:
        """Return whether any number was changed by more than a third."""
        for _edition, change in self.changes():
            a, b = change.printed, change.value
            if isinstance(a, (int, float)) and isinstance(b, (int, float)) and abs(b - a) > abs(a) / 3 + 1e-9:
                return True
        return False

    def facts(self) -> list[Text]:
        """Return the line below the title: how much was played, by which bots and with which components."""
        summary = self.summary
        bots = ", ".join(dict.fromkeys(item.arm.bots_label for item in summary.main_arms))
        return [
            plural_text("{1} {0:seat|seats}", summary.seats),
            _("bots: {0}", literal_name(bots)),
            plural_text("{1} {0:deal|deals}", summary.deals),
            plural_text("{1} {0:match|matches}", summary.matches),
            _("seed {0}", literal_name(str(summary.seed))),
            _("rules version {0}", literal_name(str(summary.version))),
            _("components {0}", literal_name(", ".join(item.hash[:8] for item in summary.editions[:3]))),
        ]

    def warnings(self) -> list[Text]:
        """Return reasons to trust the figures less."""
        summary = self.summary
        texts: list[Text] = []
        if summary.warning:
            same = min(summary.arms, key=lambda arm: arm.different / max(1, arm.matches))
            texts.append(
                _(
                    "Many of these matches are identical: only {0} of {1} are different. Intervals count only "
                    "different matches.",
                    count(same.different),
                    count(same.matches),
                )
            )
        if summary.interrupted:
            deals, planned = count(summary.deals), count(summary.planned)
            texts.append(_("This study is not finished: {0} of {1} deals have been played.", deals, planned))
        if summary.refitted:
            texts.append(_("The bots were tuned for each edition before they played it, including the printed one."))
        elif self.is_far_from_printed():
            texts.append(
                _(
                    "A number changes by more than a third. The bots were trained on the printed game and may play "
                    "this edition badly. Use --refit to tune them for each edition first."
                )
            )
        faults = sum(arm.faults for arm in summary.arms)
        if faults:
            texts.append(plural_text("{1} {0:time|times}, a bot failed and a legal option was played instead.", faults))
        return texts

    def changes(self) -> list[tuple[str, NumberChange]]:
        """Return the changed numbers, each with the name of its edition; none of a screening, which has hundreds."""
        if self.summary.kind == SCREEN:
            return []
        return [(edition.name, change) for edition in self.summary.editions for change in edition.changes]

    def main_difference(self) -> Difference:
        """Return the main difference: the first figure, or the least fair place of a single edition."""
        differences = self.summary.differences
        return (
            min(differences, key=lambda difference: (difference.p, -abs(difference.alone.value)))
            if self.has_one_edition
            else differences[0]
        )

    def answer_texts(self, main: Difference) -> list[Text]:
        """Return the sentences in the box next to the title, with the interval that decides the verdict."""
        value, bounds = self.format_difference(main, main.family)
        texts: list[Text] = []
        if not self.has_one_edition:
            name = capitalize(self.figure_name(main.figure))
            sentence = msgid("{0}: {1} points ({2}).") if is_share(main.figure) else msgid("{0}: {1} ({2}).")
            texts.append(_(sentence, name, value, bounds))
        else:
            fair = percent(self.fair_share, 0)
            texts.append(
                _(
                    "{0}: {1} points from the expected {2} ({3}).",
                    capitalize(self.figure_name(main.figure)),
                    value,
                    fair,
                    bounds,
                )
            )
        texts.append(
            _("Interim result: {0}.", format_verdict(main))
            if main.verdict == UNDECIDED
            else _("Conclusion: {0}.", format_verdict(main))
        )
        if main.check is not None:
            check_value, check_bounds = self.format_difference(main, main.check)
            checked = _(
                "{0} bots: {1} ({2}, {3} deals).",
                literal_name(self.check_bots),
                check_value,
                check_bounds,
                count(main.check.n),
            )
            texts.append(capitalize(checked))
        return texts


def effect_texts(report: StudyReport, figure: str, effect: ScreeningEffect) -> Text:
    """Return an effect of a screening with its interval and what it means."""
    value, bounds = difference_texts(effect.estimate, is_share(figure), 1)
    sentence = (
        msgid("{0}: {1} from {2} to {3} changes it by {4} ({5}): a clear effect.")
        if effect.estimate.excludes_zero
        else msgid("{0}: {1} from {2} to {3} changes it by {4} ({5}): not clear.")
    )
    name, low, high = report.number_name(effect.path), literal_name(f"{effect.low}"), literal_name(f"{effect.high}")
    return _(sentence, capitalize(report.figure_name(figure)), name, low, high, value, bounds)


def format_question_with_tries(question: str, tried: int) -> str:
    """Return a question that states how many editions a balance search tried, for the study file."""
    return f"{question} ({tried} editions were tried.)".strip()


def format_tried_editions(tried: int) -> Text:
    """Return the number of editions that a search tried, because the best of many looks better than it is."""
    return plural_text("{1} {0:edition was|editions were} tested", tried)


def format_verdict(difference: Difference) -> Text:
    """Return the words for a verdict; a place of a single edition is favoured or not."""
    if difference.verdict == UNDECIDED and difference.needed == 0:
        return _("not settled: too few different deals")
    if difference.verdict == UNDECIDED:
        return _("not settled: needs {0} deals", count(_round_up(difference.needed)))
    place, up = difference.figure.startswith("place"), difference.family.value > 0
    if difference.verdict == SAME:
        return _("practically equal to the expected share") if place else _("no meaningful difference")
    if difference.verdict == SMALL and place:
        return _("a small advantage that does not matter") if up else _("a small disadvantage that does not matter")
    if difference.verdict == SMALL:
        return _("a small increase that does not matter") if up else _("a small decrease that does not matter")
    if place:
        return _("has an advantage") if up else _("has a disadvantage")
    return _("rises") if up else _("falls")


def difference_texts(estimate: Estimate, share: bool, digits: int) -> tuple[Text, Text]:
    """Return a difference and its interval, with enough digits that an interval without 0 does not show 0."""
    times = 100 if share else 1
    if estimate.excludes_zero:
        nearest = min(abs(estimate.low), abs(estimate.high)) * times
        while round(nearest, digits) == 0 and digits < MAX_DIGITS:
            digits += 1
    return decimal(times * estimate.value, digits, True), interval_text(estimate, share, digits, True)


def format_agreement(difference: Difference, bots: str) -> Text | None:
    texts = {
        BOTH_KINDS: _("both kinds of bots"),
        ONE_KIND: _("{0} only", literal_name(bots)),
        DISAGREE: _("the bots disagree"),
    }
    return texts.get(difference.agrees)


def _round_up(number: int) -> int:
    step = int(10 ** max(1, len(str(number)) - 2))
    return -(-number // step) * step


def confidence_text(estimate: Estimate, share: bool, digits: int) -> Text:
    """Return an interval such as ``95 %: 23 to 31 · n 600``."""
    return _("95% CI: {0}, n = {1}", interval_text(estimate, share, digits), count(estimate.n))


def chip_text(report: StudyReport, difference: Difference) -> Text:
    """Return the short form of a verdict, with its place and the agreement of the check bots."""
    verdict = format_verdict(difference)
    if difference.figure.startswith("place"):
        verdict = _("{0}: {1}", report.place_name(int(difference.figure.split()[1])), verdict)
    agrees = format_agreement(difference, report.bots)
    return verdict if agrees is None else concatenate_texts([verdict, agrees], " · ")


def components_text(report: StudyReport) -> Text:
    """Return which cards and places have a clear effect, among all with enough deals."""
    summary = report.summary
    judged = [component for component in summary.things if component.has_enough_deals]
    out = [component for component in judged if component.differs_from_fair]
    if not judged:
        return _("No card or place was taken in {0} deals, which is too few to compare wins.", count(MIN_DEALS))
    if not out:
        return _("None of {0} cards and places has a clear association with winning.", count(len(judged)))
    if len(out) <= MOST_NAMED:
        return _(
            "Of {0} cards and places, these have a clear association with winning: {1}.",
            count(len(judged)),
            report.component_names(out),
        )
    strongest = sorted(out, key=lambda component: -component.distance_from_fair)[:MOST_NAMED]
    return _(
        "Of {0} cards and places, {1} have a clear association with winning. The strongest: {2}.",
        count(len(judged)),
        count(len(out)),
        report.component_names(strongest),
    )


def taken_text(component: ComponentReport) -> Text:
    return share_text(component.taken_share) if component.offered else _("never available")


def owners_texts(owners: ComponentOwners | None) -> tuple[Text, Text]:
    """Return the owners' share of wins, and its difference from a fair share."""
    if owners is None:
        return _("nobody"), concatenate_texts([])
    if owners.above_fair is None:
        return share_text(owners.won), _("too few deals")
    value, bounds = difference_texts(owners.above_fair, True, 1)
    return share_text(owners.won), _("{0} ({1})", value, bounds)


def banned_name(report: StudyReport, arm_report: ArmReport) -> TextLike:
    """Return the banned verb, or the name and id of the banned card or place."""
    if not arm_report.arm.component:
        return literal_name(arm_report.arm.name)
    (index,) = find_component(report.game, arm_report.arm.component)
    return _("{0} ({1})", report.game.all_components[index].name, literal_name(arm_report.arm.component))


def ban_texts(arm_report: ArmReport) -> tuple[Text, Text, Text]:
    """Return the wins with a ban, the difference from free play, and how often the ban mattered."""
    assert arm_report.ban is not None
    value, bounds = difference_texts(arm_report.ban.difference, True, 1)
    met = concatenate_texts([])
    if arm_report.ban.offered is not None:
        met = _("{0} of {1} matches", count(arm_report.ban.offered), count(arm_report.matches))
        if arm_report.ban.forced:
            met = _("{0} (the only option in {1})", met, count(arm_report.ban.forced))
    return share_text(arm_report.focus, 1), _("{0} ({1})", value, bounds), met
