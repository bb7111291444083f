"""Small charts of ratings: the place of each rating on a common scale, and the history of one rating."""

from collections.abc import Sequence

from triclinium.server.ratings.rating import Rating

WIDTH, HEIGHT = 200, 36


class RatingScale:
    """A scale from 0 to 100 percent for several ratings."""

    def __init__(self, ratings: Sequence[Rating]) -> None:
        ends = ratings or [Rating()]
        self.lowest = min(rating.mu - rating.sigma for rating in ends)
        self.width = max(rating.mu + rating.sigma for rating in ends) - self.lowest

    def to_percent(self, mu: float) -> float:
        return round(4 + 92 * (mu - self.lowest) / self.width, 1)

    def rating_bar(self, rating: Rating) -> tuple[float, float, float]:
        """Return the left end, the width and the middle of a rating's bar, in percent."""
        left, right = self.to_percent(rating.mu - rating.sigma), self.to_percent(rating.mu + rating.sigma)
        return left, round(right - left, 1), self.to_percent(rating.mu)


def draw_rating_history(ratings: Sequence[Rating]) -> tuple[str, str]:
    """Return the SVG paths of a rating's history and of its band of uncertainty."""
    if len(ratings) < 2:
        ratings = [*ratings, *ratings]
    low = min(rating.mu - rating.sigma for rating in ratings)
    span = max(rating.mu + rating.sigma for rating in ratings) - low
    xs = [round(WIDTH * n / (len(ratings) - 1), 1) for n in range(len(ratings))]

    def list_path_points(shift: int) -> list[str]:
        ys = [HEIGHT * (1 - (rating.mu + shift * rating.sigma - low) / span) for rating in ratings]
        return [f"{x} {y:.1f}" for x, y in zip(xs, ys, strict=True)]

    return "M" + "L".join(list_path_points(0)), "M" + "L".join(list_path_points(1) + list_path_points(-1)[::-1]) + "Z"
