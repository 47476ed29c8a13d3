"""What chips are worth to a player who shuns risk."""

from dataclasses import dataclass
from math import inf, isinf

import numpy as np

from guts_sim.errors import InputError
from guts_sim.exact.results import Floats


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
    >>> round(log.certain_chips(float(log.of([4.0, 14.0]).mean())), 2)
    7.66
    >>> root = Utility(relative=0.5)
    >>> round(root.certain_chips(float(root.of([4.0, 16.0]).mean())), 2)
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

    def of(self, chips: Floats | list[float]) -> Floats:
        """Utility of ending with so many chips."""
        x = np.asarray(chips, np.float64)
        if self.absolute:
            return np.asarray(-np.expm1(-self.absolute * x) / self.absolute)
        if self.relative == 1.0:
            return np.asarray(np.log(x + self.wealth))
        if self.relative:
            power = 1.0 - self.relative
            return np.asarray((x + self.wealth) ** power / power)
        return x

    def certain_chips(self, utility: float) -> float:
        """Chips that are for sure worth as much: the inverse of `of`."""
        if isinf(utility):
            return utility
        if self.absolute:
            rest = 1.0 - self.absolute * utility
            return -inf if rest <= 0.0 else float(-np.log(rest) / self.absolute)
        if self.relative == 1.0:
            return float(np.exp(utility) - self.wealth)
        if self.relative:
            power = 1.0 - self.relative
            return float((power * utility) ** (1.0 / power) - self.wealth)
        return utility
