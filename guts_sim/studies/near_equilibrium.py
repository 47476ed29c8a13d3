"""Strategies at or near the symmetric equilibrium that are found in no time, without the law of a round."""

from functools import cache

from guts_sim.exact import exact_threshold
from guts_sim.exact.rounds import least_exploitable
from guts_sim.exact.two_card import N_CLASSES, Threshold, threshold_values
from guts_sim.hands import get_ranking
from guts_sim.strategy import Strategy, threshold_strategy, top_strategy


@cache
def two_card_equilibrium(n_players: int) -> int:
    """Weakest class that the two-card equilibrium enters with.

    Examples
    --------
    >>> from guts_sim.hands import class_names
    >>> class_names("guts2")[two_card_equilibrium(5)]
    'A4'
    """
    return least_exploitable(lambda index: threshold_values(n_players, Threshold(index, 1.0)), N_CLASSES)


def equilibrium_field(n_players: int, cards: int) -> Strategy:
    """Strategy of the equilibrium, or with three cards and four or more players one that enters as often.

    There the equilibrium mixes and has to be solved on deals; continuous hands, where nobody else is in half the
    time, tell well enough how often it enters.
    """
    ranking = get_ranking(f"guts{cards}")
    if cards == 2:
        return threshold_strategy(ranking, two_card_equilibrium(n_players))
    if n_players <= 3:
        return threshold_strategy(ranking, exact_threshold(n_players, ranking).index)
    return top_strategy(ranking, 1.0 - 0.5 ** (1.0 / (n_players - 1)))
