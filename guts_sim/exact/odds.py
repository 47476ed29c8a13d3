"""Exact showdown odds of one hand against opponents who all show theirs."""

from collections.abc import Sequence
from math import comb

import numpy as np

from guts_sim.errors import InputError
from guts_sim.exact.checks import MOST_PLAYERS_ANY_FIELD, checked_hand, checked_players
from guts_sim.exact.hand_lists import HandList, RankingOrClasses, hand_list
from guts_sim.exact.results import HandOdds
from guts_sim.exact.two_card import MAX_PLAYERS, best_law, two_card_class


def hand_odds_exact(
    hero_cards: Sequence[int], n_opponents: int, ranking: RankingOrClasses = "guts2"
) -> HandOdds:
    """Odds of a hand against random hands of 1 to 9 opponents, all of whom go to the showdown.

    Parameters
    ----------
    hero_cards : sequence of int
        Codes (4 * rank + suit) of the two or three cards.
    n_opponents : int
        1 to 9 with two cards and the ranking ``"guts2"``; 1 or 2 with any other ranking.
    ranking : str, Ranking or int array of shape (1326,) or (22100,)
        Ranking of two- or three-card hands, or the class of every hand in the order of
        ``itertools.combinations(range(52), hand_size)``.

    Returns
    -------
    HandOdds

    Raises
    ------
    InputError
        If the cards, their number or the number of opponents is not allowed.

    Examples
    --------
    >>> odds = hand_odds_exact((50, 51), 1)  # two aces
    >>> round(odds.win * 1225), round(odds.tie * 1225), round(odds.lose * 1225)
    (1224, 1, 0)
    """
    hand = checked_hand(hero_cards)
    hands = hand_list(ranking)
    if len(hand) != hands.hand_size:
        raise InputError(f"hand: got {len(hand)} cards, the ranking takes {hands.hand_size}")
    if hands is hand_list("guts2"):
        _checked_opponents(n_opponents, MAX_PLAYERS - 1)
        index = two_card_class((hand[0] // 4, hand[1] // 4))
        by_count = best_law(n_opponents)[index, index, : n_opponents + 1]
    else:
        _checked_opponents(n_opponents, MOST_PLAYERS_ANY_FIELD - 1)
        by_count = _small_odds(hands, hand, n_opponents)
    ties = tuple(float(chance) for chance in by_count)
    return HandOdds(n_opponents, ties[0], ties, max(0.0, 1.0 - sum(ties)))


def _checked_opponents(n_opponents: int, most: int) -> None:
    try:
        checked_players(n_opponents + 1, most + 1)
    except (InputError, TypeError):
        raise InputError(f"n_opponents: got {n_opponents!r}, allowed are 1 to {most} here") from None


def _small_odds(hands: HandList, hand: tuple[int, ...], n_opponents: int) -> np.ndarray:
    """Probabilities that 0, 1, ... opponents tie and nobody is better, against one or two opponents."""
    from guts_sim.kernels.count_pairs import sweep_fields, sweep_ties

    size = hands.hand_size
    hero = np.array([hand], dtype=np.int64)
    place = int(np.flatnonzero((hands.hands == hero).all(axis=1))[0])
    hero_starts = (hands.starts > place).astype(np.int64)
    everyone = np.ones(hands.n_classes)
    single, double, tied = (np.zeros((1, 3)) for _ in range(3))
    sweep_fields(hands.hands, hands.starts, hero, hero_starts, everyone, n_opponents, single, double)
    if n_opponents == 1:
        not_beaten = single[0] / comb(52 - size, size)
        return np.array([not_beaten[1], not_beaten[2] - not_beaten[1]])
    sweep_ties(hands.hands, hands.starts, hero, hero_starts, everyone, tied)
    n_deals = comb(52 - size, size) * comb(52 - 2 * size, size)
    both_equal = tied[0, 1] - tied[0, 0]
    one_equal = double[0, 2] - double[0, 1] - both_equal
    return np.array([double[0, 1], one_equal, both_equal]) / n_deals
