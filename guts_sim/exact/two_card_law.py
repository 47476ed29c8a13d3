"""Exact law of one round of two-card Guts when all players share one threshold."""

from math import factorial

import numpy as np

from guts_sim.exact.results import Floats, RoundLaw
from guts_sim.exact.two_card import (
    MOST_EQUAL,
    N_CLASSES,
    Threshold,
    class_ranks,
    deck_families,
    ordered_deals,
    thin,
)
from guts_sim.kernels._store import stored_table


def threshold_round_law(n_players: int, field: Threshold) -> RoundLaw:
    """Joint law of the number in and the number tied best, two cards, 2 to 10 players.

    Parameters
    ----------
    n_players : int
        Number of players, all of whom play `field`.
    field : Threshold
        The common threshold.

    Returns
    -------
    RoundLaw
    """
    if field.chance in (0.0, 1.0):  # a pure threshold: few enough to keep
        name = f"contested-{n_players}-{field.index}-{field.chance:.0f}"
        joint = stored_table(name, lambda: _contested_counts(n_players, field)).copy()
    else:
        joint = _contested_counts(n_players, field)
    at_boundary = np.zeros(MOST_EQUAL + 1)  # nobody holds more than the boundary class, u hold it
    for u in range(min(MOST_EQUAL, n_players) + 1):
        at_boundary[u] = deck_families()[field.index, u, n_players - u]
    for entered, count in enumerate(thin(at_boundary, field.chance)[: n_players + 1]):
        joint[entered, entered] += count
    return RoundLaw(joint * (factorial(n_players) / ordered_deals(52, n_players)))


def _contested_counts(n_players: int, field: Threshold) -> Floats:
    """Families of hands by (number in, number tied best) whose best hand is above the boundary class."""
    from guts_sim.kernels.count_law import fill_contested_counts

    above = [class_ranks(index) for index in range(field.index + 1, N_CLASSES)]
    joint = np.zeros((n_players + 1, n_players + 1))
    best_classes = np.array(above, dtype=np.int64).reshape(-1, 2)
    fill_contested_counts(*class_ranks(field.index), field.chance, best_classes, n_players, joint)
    return joint


def tied_outs_law(n_players: int, field: Threshold) -> Floats:
    """Law of the number of players who tie for the best hand while nobody is in, two cards.

    Parameters
    ----------
    n_players : int
        Number of players, all of whom play `field`.
    field : Threshold
        The common threshold.

    Returns
    -------
    float64 array, shape (n_players + 1,)
        Item u: probability that nobody is in and u players share the best hand; sums to that of nobody in.
    """
    law = np.zeros(n_players + 1)
    for tied in range(1, min(MOST_EQUAL, n_players) + 1):
        counts = deck_families()[: field.index + 1, tied, n_players - tied].copy()
        counts[-1] *= (1.0 - field.chance) ** tied
        law[tied] = counts.sum()
    return law * (factorial(n_players) / ordered_deals(52, n_players))
