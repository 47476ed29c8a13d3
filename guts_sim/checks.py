"""Checks of plain numbers, given as numbers or typed as text, that several public functions share."""

import math
import re
import reprlib
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

from guts_sim.errors import InputError

# What people type for a number: 1000000, 1_000_000, 1e6, 0.95. Digits of other scripts, which Python reads
# as well, are taken for slips of the keyboard.
_NUMBER = re.compile(r"[+-]?(\d+(_\d+)*\.?\d*|\.\d+)(e[+-]?\d{1,6})?", re.ASCII | re.IGNORECASE)
_MOST_DIGITS = 4000  # Python refuses to write integers of more than 4,300 digits


def check_count(value: object, name: str, minimum: int = 1, maximum: int | None = None) -> int:
    """Return ``value`` as an int, or refuse it.

    Parameters
    ----------
    value
        A Python or NumPy integer, or a float without fraction (so that ``1e6`` can be written).
    name
        What the value is, for the message.
    minimum, maximum
        Inclusive limits; ``maximum=None`` means no upper limit.

    Returns
    -------
    int

    Raises
    ------
    InputError
        For booleans, text, nan, infinities, fractions and numbers outside the limits.

    Examples
    --------
    >>> check_count(1e6, "n_deals")
    1000000
    >>> check_count(0, "n_deals")
    Traceback (most recent call last):
    ...
    guts_sim.errors.InputError: n_deals must be a whole number of at least 1, got 0
    """
    count = _whole_number(value)
    if count is None or count < minimum or (maximum is not None and count > maximum):
        allowed = f"of at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"
        raise InputError(f"{name} must be a whole number {allowed}, got {shown(value)}")
    return count


ABOVE_0 = math.nextafter(0.0, 1.0)
"""Limit of `check_number` that leaves out 0 itself."""
HIGHEST_CONFIDENCE = 1.0 - 1e-12
"""Nearer to 1 too few digits are left of what is missing to it, of which quantiles and repeated looks take parts."""


def check_number(value: object, name: str, allowed: str, minimum: float = 0.0, maximum: float = math.inf) -> float:
    """Return ``value`` as a float, or refuse it.

    Parameters
    ----------
    value
        A Python or NumPy number.
    name, allowed
        What the value is, and what may be given instead, for the message.
    minimum, maximum
        Inclusive limits; infinities are refused all the same.

    Returns
    -------
    float

    Raises
    ------
    InputError
        For booleans, text, nan, infinities and numbers outside the limits.

    Examples
    --------
    >>> check_number(2, "effort", "a number of at least 1", 1.0)
    2.0
    >>> check_number(True, "effort", "a number of at least 1", 1.0)
    Traceback (most recent call last):
    ...
    guts_sim.errors.InputError: effort: True is not allowed; give a number of at least 1
    """
    # NumPy registers its numbers (but not its booleans) as Real.
    if not isinstance(value, bool) and isinstance(value, Real):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number) and minimum <= number <= maximum:
            return number
    raise InputError(f"{name}: {shown(value)} is not allowed; give {allowed}")


def read_number(text: str) -> Decimal | None:
    """Read a decimal number typed by a user; None if it is none, is not finite, or is absurdly long.

    Examples
    --------
    >>> read_number("1_000"), read_number("1e6"), read_number("nan"), read_number("1,5")
    (Decimal('1000'), Decimal('1E+6'), None, None)
    """
    text = text.strip()
    if not _NUMBER.fullmatch(text) or len(text) > _MOST_DIGITS:
        return None
    number = Decimal(text.replace("_", ""))
    return number if abs(number.adjusted()) < _MOST_DIGITS else None


def read_count(text: str, name: str, minimum: int = 1, maximum: int | None = None) -> int:
    """Read a whole number typed by a user, or refuse it in the words of `check_count`.

    Examples
    --------
    >>> read_count("1e6", "--deals")
    1000000
    """
    number = read_number(text)
    whole = None if number is None or number != number.to_integral_value() else int(number)
    return check_count(text if whole is None else whole, name, minimum, maximum)


def read_share(text: str) -> float | None:
    """Read a number from 0 to 1, or a percentage from 0% to 100%; None if the text is neither.

    Examples
    --------
    >>> read_share("30%"), read_share("0.3"), read_share("30")
    (0.3, 0.3, None)
    """
    text = text.strip()
    number = read_number(text.removesuffix("%"))
    if number is None:
        return None
    share = float(number) / (100.0 if text.endswith("%") else 1.0)
    return share if 0.0 <= share <= 1.0 else None


def shown(value: object) -> str:
    """Short text of any value for a message, even of numbers too long to be written and of unruly objects.

    Examples
    --------
    >>> shown("a" * 100), shown(10**5000)
    ("'aaaaaaaaaaaa...aaaaaaaaaaaaa'", 'a huge int')
    """
    try:
        return " ".join(reprlib.repr(value).split())
    except Exception:
        return f"a huge {type(value).__name__}" if isinstance(value, int) else f"a {type(value).__name__}"


def _whole_number(value: object) -> int | None:
    # NumPy registers its numbers (but not its booleans) with these classes, so help needs no NumPy.
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    number: Any = value  # the abstract classes promise less than every number keeps
    if isinstance(value, Integral) or (math.isfinite(number) and number == int(number)):
        return int(number)
    return None
