"""Names of things in a report, and the sentences that the page and the terminal share."""

import re
from collections import Counter
from collections.abc import Sequence

from triclinium.engine.core.text import Message, Name, msgid
from triclinium.engine.game import Game
from triclinium.engine.numbers import numbers
from triclinium.engine.option_components import meanings
from triclinium.lab.study.choices import FEW, Flag, Option, step_names
from triclinium.lab.study.compare import BOTH, DISAGREE, ONE, OPEN, SAME, SMALL, Difference, is_share
from triclinium.lab.study.components import Owners, ThingReport
from triclinium.lab.study.figures import KINDS
from triclinium.lab.study.labels import labels_of
from triclinium.lab.study.plan import Change
from triclinium.lab.study.report_text import (
    Sayable,
    Text,
    _,
    capital,
    count,
    counted,
    decimal,
    in_a_row,
    interval,
    joined,
    name,
    percent,
    say,
    share_text,
)
from triclinium.lab.study.statistics import Estimate
from triclinium.lab.study.study_file import PRINTED
from triclinium.lab.study.summary import ArmReport, Summary
from triclinium.lab.study.worker import find_component

MOST_DIGITS = 9
CONFIRM = _("Whether a number does by itself what it seems to do, these commands tell:")
AS_IT_IS = msgid("How does the game play as it is?")
TRIED = re.compile(r"^(.*?) ?\((\d+) editions were tried\.\)$")  # the end of a question that a search asks


class Report:
    """A summary, and the names of things in it."""

    def __init__(self, game: Game, summary: Summary) -> None:
        self.game = game
        self.summary = summary
        self.steps = step_names(game)
        self.labels = labels_of(game, summary.seats) if summary.options else {}
        self.meanings = meanings(game.verbs, game.ids)
        self.numbers = {one.path: one.name for one in numbers(game)}
        self._same_names = Counter(one.label for one in summary.things)

    @property
    def editions(self) -> list[str]:
        return [edition.name for edition in self.summary.editions]

    def edition(self, place: int) -> Text:
        """What an edition is called; the printed one in the reader's language."""
        called = self.editions[place]
        return _("printed") if called == PRINTED else lambda reader: called

    @property
    def bots(self) -> str:
        return self.summary.main[0].arm.kind

    @property
    def others(self) -> str:
        return self.summary.check[0].arm.kind if self.summary.check else ""

    @property
    def is_lone(self) -> bool:
        """Whether there is one edition, which need not be named then."""
        return len(self.editions) < 2

    @property
    def fair(self) -> float:
        return 1 / self.summary.seats

    def farthest_place(self, arm: ArmReport) -> int:
        """Return the place whose wins are farthest from fair."""
        return max(range(len(arm.places)), key=lambda i: abs(arm.places[i].value - self.fair))

    @property
    def frequent_options(self) -> list[Option]:
        """Return the options that are on offer at least once a match."""
        return [one for one in self.summary.options["0"] if one.offered >= self.summary.main[0].noted]

    @property
    def never_taken(self) -> list[Flag]:
        return [one for one in self.summary.flags if one.what == "never"]

    def question(self) -> Sayable:
        """As the study asks it; the usual ones are asked in every language."""
        if searched := TRIED.match(self.summary.question):
            asked, tried = self._asked(searched[1]), tried_text(int(searched[2]))
            return lambda reader: f"{say(asked, reader)} ({tried(reader)})"
        return self._asked(self.summary.question)

    def _asked(self, question: str) -> Sayable:
        if question and question != AS_IT_IS:
            return name(question)
        return _(AS_IT_IS) if self.is_lone else _("What does “{0}” change?", self.edition(1))

    def options(self, step: str, options: Sequence[str]) -> dict[str, Sayable]:
        """What options of a step are called: as their buttons say it, where all of one verb have a label."""
        unnamed = {one.split()[0] for one in options if (step, one) not in self.labels}
        return {
            one: self.in_words(one) if one.split()[0] in unnamed else self.labels[step, one]
            for one in dict.fromkeys(options)
        }

    def in_words(self, option: str) -> Text:
        """Notation in which cards and places have their names."""
        word, *names = option.split()
        pairs = zip(self.meanings[word], names, strict=True)
        things = [self.game.things[self.game.thing(*meant[one])].name if one in meant else one for meant, one in pairs]
        return lambda reader: " ".join([word, *(reader.say(one) for one in things)])

    def number_name(self, path: str) -> Sayable:
        return self.numbers.get(path, name(path))

    def step(self, id: str) -> Message | Name:
        return self.steps.get(id, Name(id))

    def thing(self, one: ThingReport) -> Sayable:
        """Return the name of a card or place, with its id where the name alone does not tell it from all others."""
        if one.id.isdigit() or self._same_names[one.label] > 1:
            return _("{0} ({1})", one.name, Name(one.address))
        return one.name

    def things(self, several: Sequence[ThingReport]) -> Text:
        return joined([self.thing(one) for one in several])

    def line(self, group: str) -> Sayable:
        """The name of a line of the score sheet."""
        try:
            return self.game.words.score_line(group)
        except KeyError:
            return name(group)

    def place(self, place: int) -> Text:
        """The seats in the order of turns."""
        last = self.summary.seats - 1
        if place == 0:
            return _("the first player")
        if place == last:
            return _("the last player")
        names = (_("the second player"), _("the third player"), _("the fourth player"), _("the fifth player"))
        return names[place - 1] if place <= len(names) else _("player {0}", name(str(place + 1)))

    def figure(self, figure: str) -> Text:
        if figure.startswith("place"):
            return _("wins of {0}", self.place(int(figure.split()[1])))
        return _(KINDS[figure].name)

    def value(self, figure: str, value: float, sign: bool = False) -> Text:
        """A figure as people read it."""
        if is_share(figure):
            digits = 1 if figure.startswith("place") else KINDS[figure].digits
            return percent(value, digits, sign)
        return decimal(value, KINDS[figure].digits, sign)

    def apart(self, one: Difference, estimate: Estimate) -> tuple[Text, Text]:
        """A difference and its interval: of shares in points."""
        share = is_share(one.figure)
        digits = 1 if share else KINDS[one.figure].digits
        digits = max(digits, 1) if not share and one.band < 1 else digits
        return difference_texts(estimate, share, digits)

    def far_from_print(self) -> bool:
        """Whether any number was moved by more than a third."""
        for _edition, change in self.changes():
            a, b = change.printed, change.value
            if isinstance(a, (int, float)) and isinstance(b, (int, float)) and abs(b - a) > abs(a) / 3 + 1e-9:
                return True
        return False

    def facts(self) -> list[Text]:
        """Return how much was played, by whom and with what, for the line below the title."""
        summary = self.summary
        bots = ", ".join(dict.fromkeys(one.arm.kind for one in summary.main))
        return [
            counted("{1} {0:seat|seats}", summary.seats),
            _("bots: {0}", name(bots)),
            counted("{1} {0:deal|deals}", summary.deals),
            counted("{1} {0:match|matches}", summary.matches),
            _("seed {0}", name(str(summary.seed))),
            _("rules version {0}", name(str(summary.version))),
            _("components {0}", name(", ".join(one.hash[:8] for one in summary.editions[:3]))),
        ]

    def warnings(self) -> list[Text]:
        """Return why a reader should trust the figures less."""
        summary = self.summary
        found: list[Text] = []
        if summary.warning:
            same = min(summary.arms, key=lambda one: one.different / max(1, one.matches))
            found.append(
                _(
                    "Many of these matches are the same match: {0} different ones of {1}. Intervals count those alone.",
                    count(same.different),
                    count(same.matches),
                )
            )
        if summary.interrupted:
            deals, planned = count(summary.deals), count(summary.planned)
            found.append(_("This study is not finished: {0} of {1} deals were played.", deals, planned))
        if summary.refitted:
            found.append(_("The bots were fitted to each edition before they played it, to the printed one too."))
        elif self.far_from_print():
            found.append(
                _(
                    "A number moves by more than a third. The bots learnt the printed game; they may play this one "
                    "badly. With --refit they learn each edition first."
                )
            )
        faults = sum(one.faults for one in summary.arms)
        if faults:
            found.append(counted("{1} {0:time|times} a bot failed and a legal option was taken in its place.", faults))
        return found

    def changes(self) -> list[tuple[str, Change]]:
        """Return the changed numbers, each with the name of its edition."""
        return [(edition.name, change) for edition in self.summary.editions for change in edition.changes]

    def main(self) -> Difference:
        """What the study is about: the first figure; of a lone edition, the place that is least likely to be fair."""
        found = self.summary.differences
        return min(found, key=lambda one: (one.p, -abs(one.alone.value))) if self.is_lone else found[0]

    def answer(self, main: Difference) -> list[Text]:
        """Return the sentences in the box next to the title, with the interval that the verdict goes by."""
        value, bounds = self.apart(main, main.family)
        said: list[Text] = []
        if not self.is_lone:
            said.append(_("{0}: {1} points ({2}).", capital(self.figure(main.figure)), value, bounds))
        else:
            fair = percent(self.fair, 0)
            said.append(
                _("{0}: {1} points from the fair {2} ({3}).", capital(self.figure(main.figure)), value, fair, bounds)
            )
        said.append(
            _("So far: {0}.", verdict_text(main)) if main.verdict == OPEN else _("So: {0}.", verdict_text(main))
        )
        if main.check is not None:
            told, reach = self.apart(main, main.check)
            checked = _("{0} bots: {1} ({2}, {3} deals).", name(self.others), told, reach, count(main.check.n))
            said.append(capital(checked))
        return said


def tried_question(question: str, tried: int) -> str:
    """The question of the study that a search ends with, for its file."""
    return f"{question} ({tried} editions were tried.)".strip()


def tried_text(tried: int) -> Text:
    """How many editions a search went through: the best of many looks better than it is."""
    return counted("{1} {0:edition was|editions were} tried", tried)


def verdict_text(one: Difference) -> Text:
    """Words for a verdict; of a lone edition a place is favoured or not."""
    if one.verdict == OPEN and one.needed == 0:
        return _("not settled: too few different deals")
    if one.verdict == OPEN:
        return _("not settled: {0} deals would tell", count(_round_up(one.needed)))
    place, up = one.figure.startswith("place"), one.family.value > 0
    if one.verdict == SAME:
        return _("as good as fair") if place else _("no difference that matters")
    if one.verdict == SMALL and place:
        return _("favoured, too little to matter") if up else _("at a disadvantage, too little to matter")
    if one.verdict == SMALL:
        return _("rises, too little to matter") if up else _("falls, too little to matter")
    if place:
        return _("favoured") if up else _("at a disadvantage")
    return _("rises") if up else _("falls")


def difference_texts(estimate: Estimate, share: bool, digits: int) -> tuple[Text, Text]:
    """Return a difference and its interval, with so many digits that an interval without 0 does not show one."""
    times = 100 if share else 1
    if estimate.excludes_zero:
        nearest = min(abs(estimate.low), abs(estimate.high)) * times
        while round(nearest, digits) == 0 and digits < MOST_DIGITS:
            digits += 1
    return decimal(times * estimate.value, digits, True), interval(estimate, share, digits, True)


def agreement_text(one: Difference, bots: str) -> Text | None:
    texts = {BOTH: _("both bots"), ONE: _("{0} only", name(bots)), DISAGREE: _("bots disagree")}
    return texts.get(one.agrees)


def _round_up(number: int) -> int:
    step = int(10 ** max(1, len(str(number)) - 2))
    return -(-number // step) * step


def sure(estimate: Estimate, share: bool, digits: int) -> Text:
    """``95 %: 23 to 31 · n 600``"""
    return _("95 %: {0} · n {1}", interval(estimate, share, digits), count(estimate.n))


def chip_text(report: Report, one: Difference) -> Text:
    """Return a verdict as a chip shows it, with the place that it is about and what the other bots say."""
    verdict = verdict_text(one)
    if one.figure.startswith("place"):
        verdict = _("{0}: {1}", report.place(int(one.figure.split()[1])), verdict)
    agrees = agreement_text(one, report.bots)
    return verdict if agrees is None else in_a_row([verdict, agrees], " · ")


def components_text(report: Report) -> Text:
    """Return which cards and places stand out among all that can be judged."""
    summary = report.summary
    judged = [one for one in summary.things if one.judged]
    out = [one for one in judged if one.stands_out]
    if not judged:
        return _("No card or place was taken in {0} deals: too few to say who wins with it.", count(FEW))
    if not out:
        return _("Of {0} cards and places none goes with more or fewer wins beyond doubt.", count(len(judged)))
    return _("Of {0} cards and places these go with more or fewer wins: {1}.", count(len(judged)), report.things(out))


def taken_text(one: ThingReport) -> Text:
    return share_text(one.taken_share) if one.offered else _("never on offer")


def owners_texts(owners: Owners | None) -> tuple[Text, Text]:
    """Return the owners' share of the wins, and how far that is above a fair share."""
    if owners is None:
        return _("nobody"), in_a_row([])
    if owners.above_fair is None:
        return share_text(owners.won), _("too few deals")
    value, bounds = difference_texts(owners.above_fair, True, 1)
    return share_text(owners.won), _("{0} ({1})", value, bounds)


def banned_name(report: Report, one: ArmReport) -> Sayable:
    """Return what is banned: a verb as it is, a card or place by its name, with its id."""
    if not one.arm.component:
        return name(one.arm.name)
    (found,) = find_component(report.game, one.arm.component)
    return _("{0} ({1})", report.game.things[found].name, name(one.arm.component))


def ban_texts(one: ArmReport) -> tuple[Text, Text, Text]:
    """Return the wins with a ban, the difference from free play, and how often the ban mattered."""
    assert one.ban is not None
    value, bounds = difference_texts(one.ban.difference, True, 1)
    met = in_a_row([])
    if one.ban.offered is not None:
        met = _("{0} of {1} matches", count(one.ban.offered), count(one.matches))
        if one.ban.forced:
            met = _("{0} (no other option in {1})", met, count(one.ban.forced))
    return share_text(one.focus, 1), _("{0} ({1})", value, bounds), met
