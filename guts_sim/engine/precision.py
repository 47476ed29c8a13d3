"""When a run that is to reach a precision may be looked at, and what an interval must be worth at each look.

Whoever plays on until an interval is short enough stops where it happens to be short, and its coverage suffers. So
the numbers of deals at which the run is judged are fixed beforehand: a first one, then twice as many each time, up to
the most that was allowed. With K of them every look is made at the confidence 1 - (1 - c) / K: the intervals of all
looks together are right with probability c at least (Bonferroni), so the one at which the run stops is, too.
"""

from collections.abc import Callable
from dataclasses import dataclass

from guts_sim.checks import ABOVE_0, check_number

FIRST_LOOK = 1 << 12  # deals: fewer say too little about the scatter


@dataclass(frozen=True)
class Target:
    """A precision to reach.

    Attributes
    ----------
    half_width : float
        Half of the length that the interval of the main estimate may have.
    looks : tuple of int
        Deals after which the run is judged, ascending; the last is the most that may be done.
    confidence : float
        What the intervals at each look must be worth, so that those of all looks together are worth what was asked.
    """

    half_width: float
    looks: tuple[int, ...]
    confidence: float


def check_precision(precision: object) -> float:
    """Return the half-width asked for, if it is a number above 0, else raise InputError."""
    return check_number(precision, "precision", "the half-width of an interval, such as 0.001", ABOVE_0)


def plan_looks(half_width: float, n_most: int, block_size: int, confidence: float) -> Target:
    """Fix the looks of a run, all but the last of them at ends of blocks.

    Examples
    --------
    >>> target = plan_looks(0.001, 100_000, 8192, 0.95)
    >>> target.looks, round(target.confidence, 4)
    ((8192, 16384, 32768, 65536, 100000), 0.99)
    """
    look = block_size * max(1, -(-FIRST_LOOK // block_size))
    looks = []
    while look < n_most:
        looks.append(look)
        look *= 2
    looks.append(n_most)
    return Target(half_width, tuple(looks), 1.0 - (1.0 - confidence) / len(looks))


def forecast(target: Target, n: int, half_width: float, seconds: float, n_timed: int) -> str:
    """Say what the run will take, from the half-width after ``n`` deals and the seconds for ``n_timed``.

    Examples
    --------
    >>> forecast(plan_looks(0.001, 100_000, 8192, 0.95), 8192, 0.002, 1.0, 8192)
    'precision 0.001: about 32,768 in all, 3 s more'
    """
    needed = n * (half_width / target.half_width) ** 2
    end = next((look for look in target.looks if look >= needed), None)
    last = target.looks[-1] if end is None else end
    rest = seconds / n_timed * (last - n)
    wait = f"{rest:.0f} s" if rest < 120 else f"{rest / 60:.0f} min" if rest < 7200 else f"{rest / 3600:.1f} h"
    if end is None:
        short = f"{half_width * (n / last) ** 0.5:.2g}"
        return f"precision {target.half_width:g}: not within the {last:,} allowed ({short} then), {wait} more"
    return f"precision {target.half_width:g}: about {last:,} in all, {wait} more"


HalfWidth = Callable[[float], float]
"""Half-width of the main estimate at a confidence; nan or infinite if it is not known."""
