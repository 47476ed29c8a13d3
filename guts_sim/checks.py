"""Checks of plain numbers that several public functions share."""

import math
import reprlib

import numpy as np

from guts_sim.errors import InputError


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
        raise InputError(f"{name} must be a whole number {allowed}, got {reprlib.repr(value)}")
    return count


def _whole_number(value: object) -> int | None:
    if isinstance(value, bool | np.bool_):
        return None
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating) and math.isfinite(value) and value == int(value):
        return int(value)
    return None
