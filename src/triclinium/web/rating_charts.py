"""Numbers as small drawings: where ratings lie on one line, and the course of one rating."""

from collections.abc import Sequence

from triclinium.server.ratings.rating import Rating

WIDE, HIGH = 200, 36


class Scale:
    """Where ratings lie on a line of 100 percent."""

    def __init__(self, known: Sequence[Rating]) -> None:
        ends = known or [Rating()]
        self.low = min(one.mu - one.sigma for one in ends)
        self.span = max(one.mu + one.sigma for one in ends) - self.low

    def at(self, mu: float) -> float:
        return round(4 + 92 * (mu - self.low) / self.span, 1)

    def bar(self, known: Rating) -> tuple[float, float, float]:
        """Left end, width and middle."""
        left, right = self.at(known.mu - known.sigma), self.at(known.mu + known.sigma)
        return left, round(right - left, 1), self.at(known.mu)


def course(known: Sequence[Rating]) -> tuple[str, str]:
    """The paths of a rating's course and of the band of its uncertainty."""
    if len(known) < 2:
        known = [*known, *known]
    low = min(one.mu - one.sigma for one in known)
    span = max(one.mu + one.sigma for one in known) - low
    xs = [round(WIDE * n / (len(known) - 1), 1) for n in range(len(known))]

    def path(shift: int) -> list[str]:
        ys = [HIGH * (1 - (one.mu + shift * one.sigma - low) / span) for one in known]
        return [f"{x} {y:.1f}" for x, y in zip(xs, ys, strict=True)]

    return "M" + "L".join(path(0)), "M" + "L".join(path(1) + path(-1)[::-1]) + "Z"
