"""Exact counting of one Guts round, without sampling.

Money is in units of the active pot P = 1, and every chip left on the table after the round is worth
1/N of itself to each of the N players. With K opponents in and L in-players who do not share the
best hand, staying out pays 1/N if nobody is in and L/N otherwise; being in pays 1 alone, 1/w + L/N
among w players tied best, and -1 + L/N when beaten.
"""

from guts_sim.exact.odds import hand_odds_exact
from guts_sim.exact.results import HandOdds, RoundLaw, RoundValues, ThresholdEquilibrium
from guts_sim.exact.rounds import (
    HandValues,
    exact_hand_values,
    exact_round_law,
    exact_threshold,
    exact_values,
    supports,
    two_card_values,
)

__all__ = [
    "HandOdds",
    "HandValues",
    "RoundLaw",
    "RoundValues",
    "ThresholdEquilibrium",
    "exact_hand_values",
    "exact_round_law",
    "exact_threshold",
    "exact_values",
    "hand_odds_exact",
    "supports",
    "two_card_values",
]
