"""Exact showdown odds of one hand against opponents who all show theirs."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from guts_sim.errors import InputError
from guts_sim.exact.checks import MOST_PLAYERS_ANY_FIELD, checked_hand, checked_players
from guts_sim.exact.hand_lists import HandList, RankingOrClasses, hand_list
from guts_sim.exact.results import Floats, HandOdds
from guts_sim.exact.small_fields import hero_chances
from guts_sim.exact.two_card import MAX_PLAYERS, best_law, two_card_class


def hand_odds_exact(hero_cards: Sequence[int], n_opponents: int, ranking: RankingOrClasses = "guts2") -> HandOdds:
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


def _small_odds(hands: HandList, hand: tuple[int, ...], n_opponents: int) -> Floats:
    """Probabilities that 0, 1, ... opponents tie and nobody is better, against one or two opponents."""
    cards = np.array([hand], dtype=np.int64)
    place = int(np.flatnonzero((hands.hands == cards).all(axis=1))[0])
    hero_starts = (hands.starts > place).astype(np.int64)
    hero_only = replace(hands, heroes=cards, hero_starts=hero_starts, multiplicity=np.ones(1, dtype=np.int64))
    chances = hero_chances(hero_only, n_opponents, np.ones(hands.n_classes))
    one_equal = chances.none_stronger - chances.none_as_strong - chances.tied_equal
    return np.concatenate([chances.none_as_strong, one_equal, chances.tied_equal])[: n_opponents + 1]
