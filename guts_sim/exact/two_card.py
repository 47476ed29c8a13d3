"""Two-card Guts for 2 to 10 players: exact values when all opponents share one threshold.

Everything follows from one table of counts: given the hero's class h, the number of families of u
hands of class b and m hands weaker than b among the 50 cards he does not hold. If the best
in-hand of a threshold field is b, nobody holds a better class, while those who hold a weaker one
matter only through their expected number, which is linear. So the chance that the best opponents
are u hands of class b needs no further detail, for every threshold and every number of players.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from guts_sim.exact.results import Floats, RoundValues, payoffs
from guts_sim.kernels._store import stored_table

N_RANKS = 13
N_CLASSES = 91
N_NONPAIRS = 78
MAX_PLAYERS = 10
MOST_EQUAL = 4  # disjoint hands of one class
ROUNDING = 1e-13


@dataclass(frozen=True)
class Threshold:
    """A field that enters above class `index`, never below it, and with probability `chance` at it."""

    index: int
    chance: float


def class_ranks(index: int) -> tuple[int, int]:
    """Higher and lower rank (0..12 for 2..A) of a two-card class; equal ranks for a pair.

    Parameters
    ----------
    index : int
        Class index 0..90, weakest first.

    Returns
    -------
    tuple of int
        The two ranks, the higher one first.

    Examples
    --------
    >>> class_ranks(0), class_ranks(77), class_ranks(90)
    ((1, 0), (12, 11), (12, 12))
    """
    if index >= N_NONPAIRS:
        return index - N_NONPAIRS, index - N_NONPAIRS
    high = 1
    while high * (high + 1) // 2 <= index:
        high += 1
    return high, index - high * (high - 1) // 2


def two_card_class(ranks: tuple[int, int]) -> int:
    """Class index of a hand of two ranks, in any order: the inverse of `class_ranks`."""
    high, low = max(ranks), min(ranks)
    return N_NONPAIRS + high if high == low else high * (high - 1) // 2 + low


def class_frequency() -> Floats:
    """Probability of each of the 91 classes."""
    weights = np.where(np.arange(N_CLASSES) < N_NONPAIRS, 16.0, 6.0)
    return weights / comb(52, 2)


def ordered_deals(n_cards: int, n_hands: int) -> int:
    """Count the ways to deal two-card hands to `n_hands` distinct players from `n_cards` cards."""
    return prod(comb(n_cards - 2 * hand, 2) for hand in range(n_hands))


def read_threshold(entry_probs: Floats) -> Threshold | None:
    """Read entry probabilities as a threshold with one mixed boundary class, None if they are not one.

    Probabilities within `ROUNDING` of 0 or 1 count as 0 or 1: "the top half" computed in floats may
    leave a trace of probability in the class below.
    """
    positive = np.flatnonzero(entry_probs > ROUNDING)
    if not len(positive):
        return Threshold(N_CLASSES - 1, 0.0)
    index = int(positive[0])
    if np.all(entry_probs[index + 1 :] >= 1.0 - ROUNDING):
        return Threshold(index, float(entry_probs[index]))
    return None


@lru_cache(maxsize=1)
def hero_families() -> Floats:
    """Count families by [hero class, class b, hands of class b, weaker hands] without the hero's cards."""
    free = np.full((N_CLASSES, N_RANKS), 4, dtype=np.int64)
    for index in range(N_CLASSES):
        for rank in class_ranks(index):
            free[index, rank] -= 1
    return _families("families-hero", free, MAX_PLAYERS - 1)


@lru_cache(maxsize=1)
def deck_families() -> Floats:
    """Count families by [class b, hands of class b, weaker hands] in the whole deck."""
    free = np.full((1, N_RANKS), 4, dtype=np.int64)
    families: Floats = _families("families-deck", free, MAX_PLAYERS)[0]
    return families


def _families(name: str, free: NDArray[np.int64], n_max: int) -> Floats:
    def count() -> Floats:
        from guts_sim.kernels.count_two import fill_family_table

        table = np.zeros((len(free), N_CLASSES, MOST_EQUAL + 1, n_max + 1))
        fill_family_table(free, table)
        return table

    table = stored_table(name, count)
    table.flags.writeable = False
    return table


@lru_cache(maxsize=MAX_PLAYERS)
def best_law(n_opponents: int) -> Floats:
    """Probability [h, b, u]: u opponents hold class b, all others weaker ones, given the hero's class h."""
    families = hero_families()
    law = np.zeros(families.shape[:3])
    for u in range(min(MOST_EQUAL, n_opponents) + 1):
        law[:, :, u] = families[:, :, u, n_opponents - u]
    law *= factorial(n_opponents) / ordered_deals(50, n_opponents)
    law.flags.writeable = False
    return law


@lru_cache(maxsize=1)
def opponent_law() -> Floats:
    """Probability [h, b] that one opponent holds class b, given the hero's class h."""
    law = hero_families()[:, :, 1, 0] / comb(50, 2)
    law.flags.writeable = False
    return law


def thin(by_count: Floats, chance: float) -> Floats:
    """Law of how many of u enter, each with probability `chance`, given the law of u on the last axis."""
    thinned = np.zeros_like(by_count)
    for u in range(by_count.shape[-1]):
        for entered in range(u + 1):
            weight = comb(u, entered) * chance**entered * (1.0 - chance) ** (u - entered)
            thinned[..., entered] += weight * by_count[..., u]
    return thinned


def threshold_values(n_players: int, field: Threshold, n_shares: float | None = None) -> RoundValues:
    """Values of all 91 classes against opponents who share one threshold; ``n_shares`` as in `payoffs`."""
    n_opponents = n_players - 1
    # entered[h, b, w]: the best class among the opponents is b, and w of those who hold it enter.
    entered = best_law(n_opponents)[:, field.index :].copy()
    entered[:, 0] = thin(entered[:, 0], field.chance)
    entry = np.ones(N_CLASSES - field.index)
    entry[0] = field.chance
    mean_others_in = n_opponents * (opponent_law()[:, field.index :] @ entry)
    p_nobody_else = entered[:, 0, 0]
    best_count = entered @ np.arange(MOST_EQUAL + 1.0)

    hero = np.arange(N_CLASSES)
    at_hero = np.maximum(hero - field.index, 0)  # a weaker hero is best only if nobody else is in
    best_by_ties = [entered[hero, at_hero, u] for u in range(MOST_EQUAL + 1)]
    for u in range(1, MOST_EQUAL + 1):
        best_by_ties[u] = np.where(hero >= field.index, best_by_ties[u], 0.0)
    above = np.arange(field.index, N_CLASSES)[None, :] > hero[:, None]
    mean_best_when_in = np.sum(best_count * above, axis=1)
    mean_best_when_in += np.sum([(u + 1) * chance for u, chance in enumerate(best_by_ties)], axis=0)
    return payoffs(
        n_shares or n_players,
        class_frequency(),
        p_nobody_else,
        best_by_ties,
        mean_others_in,
        best_count.sum(axis=1),
        mean_best_when_in,
    )
