"""What chips are worth to a player who shuns risk.

Utilities with constant aversion are exponential in some growth: of the chips themselves (absolute aversion) or of the
logarithm of what the player owns (relative aversion). So they are written here: with growth g and power p the utility
of a change is (exp(p g) - 1) / p, or g where p is 0. Measured from where the player stands, neither small aversions nor
large fortunes lose digits.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from guts_sim.errors import InputError
from guts_sim.exact.results import Floats

MOST_EXPONENT = 350.0
"""Largest exponent that is worked with: half of what an exponential bears, as the worth of two states is compared."""


@dataclass(frozen=True)
class Utility:
    """Concave utility of the chips that a player ends with.

    Attributes
    ----------
    absolute : float
        Constant absolute risk aversion a per chip: (1 - exp(-a x)) / a. 0 for the chips themselves.
    relative : float
        Constant relative risk aversion g: (x + wealth)**(1 - g) / (1 - g), the logarithm if it is 1. Not together
        with ``absolute``.
    wealth : float
        Chips that the player owns besides those at the table, for ``relative``.

    Raises
    ------
    InputError
        Both aversions, or a relative one of at least 1 without other wealth: ruin would be worth minus infinity.

    Examples
    --------
    An even chance of 4 or 14 chips is worth 7.66 sure ones to a player who owns one chip more and takes logarithms.

    >>> log = Utility(relative=1.0, wealth=1.0)
    >>> round(log.certain_chips([4.0, 14.0], [0.5, 0.5]), 2)
    7.66
    >>> root = Utility(relative=0.5)
    >>> round(root.certain_chips([4.0, 16.0], [0.5, 0.5]), 2)
    9.0
    """

    absolute: float = 0.0
    relative: float = 0.0
    wealth: float = 0.0

    def __post_init__(self) -> None:
        if self.absolute and self.relative:
            raise InputError("risk_aversion, relative_risk_aversion: give one of them, not both")
        if self.wealth and not self.relative:
            raise InputError("wealth: other chips matter to relative risk aversion only; give that too")
        if self.relative >= 1.0 and self.wealth == 0.0:
            raise InputError(
                f"relative_risk_aversion, wealth: at {self.relative:g} ruin would be worth minus infinity; give less"
                " than 1, or the chips that the player owns besides those at the table"
            )

    @property
    def is_linear(self) -> bool:
        """Whether only the mean counts."""
        return self.absolute == 0.0 and self.relative == 0.0

    @property
    def power(self) -> float:
        """The p of the module's text: negative, or positive where ruin has a finite price, or 0."""
        return 1.0 - self.relative if self.relative else -self.absolute

    def standpoint(self, chips: ArrayLike) -> Floats:
        """Chips from which a player with so many is measured: his own, but one for who owns nothing.

        A logarithm knows no growth from nothing.
        """
        stacks = np.asarray(chips, np.float64)
        return np.where(stacks + self.wealth > 0.0, stacks, 1.0) if self.relative else stacks

    def growth(self, standpoint: ArrayLike, chips: ArrayLike) -> Floats:
        """Growth from a `standpoint` to some chips, of the chips or of the logarithm of all that is owned."""
        start = np.asarray(standpoint, np.float64)
        change = np.asarray(chips, np.float64) - start
        if not self.relative:
            return change
        before, after = start + self.wealth, np.asarray(chips, np.float64) + self.wealth
        with np.errstate(divide="ignore", over="ignore"):  # minus infinity where all is lost
            share = change / before
            # Each form where it keeps its digits: for small changes, and for nearly all or many times what was owned.
            return np.asarray(np.where(np.abs(share) < 0.5, np.log1p(share), np.log(after) - np.log(before)))

    def factor(self, growth: Floats) -> Floats:
        """How much less the same change is worth after some growth: exp(p g).

        Raises
        ------
        InputError
            The aversion is too strong for numbers to hold what is lost.
        """
        return np.exp(self._exponent(growth, MOST_EXPONENT))

    def gain(self, growth: Floats) -> Floats:
        """Utility of some growth, in units in which a small one is worth itself: (exp(p g) - 1) / p."""
        if self.power == 0.0:
            return growth
        return np.asarray(np.expm1(self._exponent(growth, 2.0 * MOST_EXPONENT)) / self.power)

    def _exponent(self, growth: Floats, most: float) -> Floats:
        if self.power == 0.0:
            return np.zeros_like(growth)
        with np.errstate(over="ignore"):
            exponent = np.asarray(self.power * growth)
        if exponent.max(initial=0.0) > most:
            raise self._refusal(float(exponent.max()))
        return exponent

    def certain_growth(self, mean_gain: Floats, mean_factor: Floats) -> Floats:
        """Sure growth that is worth as much as a lottery.

        Parameters
        ----------
        mean_gain, mean_factor : float64 array
            Means of `gain` and of `factor` over the lottery; either tells the other, but the first is precise for small
            gains, the second for large ones.
        """
        if self.power == 0.0:
            return mean_gain
        with np.errstate(divide="ignore", invalid="ignore"):
            small, large = np.log1p(self.power * mean_gain), np.log(mean_factor)
        return np.asarray(np.where(np.abs(mean_factor - 1.0) < 0.5, small, large) / self.power)

    def change(self, standpoint: ArrayLike, growth: ArrayLike) -> Floats:
        """Chips won by some growth from a standpoint: the inverse of `growth`."""
        if not self.relative:
            return np.asarray(growth, np.float64)
        return np.asarray((np.asarray(standpoint, np.float64) + self.wealth) * np.expm1(growth))

    def certain_chips(self, chips: ArrayLike, chances: ArrayLike) -> float:
        """Chips that are for sure worth as much as a lottery of chips."""
        start, probability = self.standpoint(np.max(chips)), np.asarray(chances, np.float64)
        growth = self.growth(start, chips)
        sure = self.certain_growth(probability @ self.gain(growth), probability @ self.factor(growth))
        return float(start + self.change(start, sure))

    def too_strong(self, growth: ArrayLike) -> InputError:
        """Error that says how much aversion is possible where the largest loss is some (negative) growth."""
        return self._refusal(float(self.power * np.asarray(growth, np.float64)))

    def _refusal(self, exponent: float) -> InputError:
        name, given = ("relative_risk_aversion", self.relative) if self.relative else ("risk_aversion", self.absolute)
        if np.isinf(exponent):
            return InputError(f"{name}: {given:g} is too much, beyond what numbers hold; give less")
        most = float(f"{0.95 * given * MOST_EXPONENT / exponent:.2g}")
        return InputError(f"{name}: {given:g} is too much where so many chips can be lost; give at most {most:g}")
