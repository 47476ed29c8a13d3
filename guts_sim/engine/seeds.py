"""From the user's seed to the keys of the random words."""

import secrets

import numpy as np

from guts_sim.checks import shown
from guts_sim.errors import InputError

# What a key is for. Keys of different purposes are unrelated, so that changing how often players mix
# their decisions never changes the cards.
PURPOSE_DEALS = 0
PURPOSE_ENTRY = 1

# Drawn seeds stay below 2**53, so that JSON readers that hold numbers as doubles keep every digit.
_DRAWN_SEED_BITS = 53


def resolve_seed(seed: object = None) -> int:
    """Return the seed to use and to record.

    Parameters
    ----------
    seed
        A Python or NumPy integer, 0 or larger, of any size; None draws a fresh one.

    Returns
    -------
    int
        The seed itself, or a drawn one below 2**53.

    Raises
    ------
    InputError
        If ``seed`` is negative, not an integer, or a boolean.

    Examples
    --------
    >>> resolve_seed(0), resolve_seed(2**64)
    (0, 18446744073709551616)
    >>> 0 <= resolve_seed() < 2**53
    True
    """
    if seed is None:
        return secrets.randbits(_DRAWN_SEED_BITS)
    if isinstance(seed, bool | np.bool_) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"seed must be an integer of at least 0 (or None), got {shown(seed)}")
    return int(seed)


def run_key(seed: int, purpose: int = PURPOSE_DEALS) -> np.uint64:
    """Key of the random words of a run for one purpose.

    Parameters
    ----------
    seed
        From `resolve_seed`.
    purpose
        `PURPOSE_DEALS`, `PURPOSE_ENTRY` or any other small number, 0 or larger.

    Returns
    -------
    numpy.uint64

    Notes
    -----
    The key is the first word of ``numpy.random.SeedSequence(seed, spawn_key=(purpose,))``: neighbouring
    seeds and purposes give unrelated keys, and no global random state is read or written.

    Examples
    --------
    >>> len({int(run_key(1)), int(run_key(1)), int(run_key(2)), int(run_key(1, PURPOSE_ENTRY))})
    3
    """
    return np.uint64(np.random.SeedSequence(seed, spawn_key=(purpose,)).generate_state(1, np.uint64)[0])
