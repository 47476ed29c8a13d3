"""Exact values, round laws and thresholds of one Guts round: one front for every method of counting."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from guts_sim.errors import InputError
from guts_sim.exact.checks import MOST_PLAYERS_ANY_FIELD, checked_entry_probs, checked_players
from guts_sim.exact.hand_lists import HandList, Ints, RankingOrClasses, hand_list
from guts_sim.exact.results import Floats, RoundLaw, RoundValues, ThresholdEquilibrium
from guts_sim.exact.small_fields import class_values, hero_values, small_round_law
from guts_sim.exact.two_card import MAX_PLAYERS, N_CLASSES, Threshold, read_threshold, threshold_values
from guts_sim.exact.two_card_law import threshold_round_law

_FAR = 5.0


@dataclass(frozen=True, eq=False)
class HandValues:
    """Values of hands that differ by more than an exchange of suits, finer than classes.

    Attributes
    ----------
    cards : int64 array, shape (n_hands, hand_size)
        One hand of each kind, cards ascending.
    hand_class : int64 array, shape (n_hands,)
        Its class, 0 the weakest; ascending.
    multiplicity : int64 array, shape (n_hands,)
        Number of hands of the kind.
    values : RoundValues
        Values per kind, arrays of shape (n_hands,).
    """

    cards: Ints
    hand_class: Ints
    multiplicity: Ints
    values: RoundValues


def supports(n_players: int, hand_size: int, entry_probs: ArrayLike) -> bool:
    """Whether a round can be counted exactly.

    Parameters
    ----------
    n_players : int
        Number of players.
    hand_size : int
        Cards per hand.
    entry_probs : array, shape (n_classes,)
        Entry probability per hand class, shared by the opponents.

    Returns
    -------
    bool
        True for two or three players with hands of 2 or 3 cards, and for 4 to 10 players with two
        cards (ranking ``"guts2"``) if `entry_probs` is a threshold: 0 below a class, 1 above it.

    Examples
    --------
    >>> supports(3, 3, [0.5] * 741), supports(5, 2, [0.0] * 50 + [1.0] * 41), supports(4, 3, [1.0] * 741)
    (True, True, False)
    """
    if hand_size not in (2, 3) or not 2 <= n_players <= MAX_PLAYERS:
        return False
    if n_players <= MOST_PLAYERS_ANY_FIELD:
        return True
    entry = np.asarray(entry_probs, dtype=np.float64)
    return hand_size == 2 and entry.shape == (N_CLASSES,) and read_threshold(entry) is not None


def two_card_values(n_players: int, entry_probs: ArrayLike) -> RoundValues:
    """Values of the 91 two-card classes for 2 to 10 players, against a threshold field.

    Parameters
    ----------
    n_players : int
        Number of players, 2 to 10.
    entry_probs : array, shape (91,)
        Entry probability per class, shared by the opponents: 0 below some class, 1 above it, anything
        at it.

    Returns
    -------
    RoundValues
        Exact up to rounding: relative error of every probability about 1e-14.

    Raises
    ------
    InputError
        If the number of players or the field is not allowed.

    Examples
    --------
    >>> from guts_sim.hands import class_index
    >>> entry = np.arange(91) >= class_index("A4", "guts2")
    >>> two_card_values(5, entry).exploitability(entry)
    0.0
    """
    n_players = checked_players(n_players)
    return threshold_values(n_players, _checked_threshold(checked_entry_probs(entry_probs, N_CLASSES)))


def exact_values(
    n_players: int, ranking: RankingOrClasses, entry_probs: ArrayLike, *, n_shares: float | None = None
) -> RoundValues:
    """Exact value of being in and out per hand class, against opponents who share a field.

    Parameters
    ----------
    n_players : int
        2 or 3; 4 to 10 with the ranking ``"guts2"`` and a threshold field (see `supports`).
    ranking : str, Ranking or int array of shape (1326,) or (22100,)
        Ranking of two- or three-card hands, or the class of every hand in the order of
        ``itertools.combinations(range(52), hand_size)``.
    entry_probs : array, shape (n_classes,)
        Entry probability per class.
    n_shares : float, optional
        Among how many players the chips left on the table are shared; default all. Infinity: they are worth nothing.

    Returns
    -------
    RoundValues

    Raises
    ------
    InputError
        If an argument is malformed or the round cannot be counted exactly.

    Examples
    --------
    >>> from guts_sim.hands import class_index
    >>> entry = np.arange(741) >= class_index("K98", "guts3")
    >>> values = exact_values(2, "guts3", entry)
    >>> round(float(values.frequency @ entry), 6), values.exploitability(entry)
    (0.503167, 0.0)
    """
    n_players, hands, entry = _checked_round(n_players, ranking, entry_probs)
    if n_players > MOST_PLAYERS_ANY_FIELD:
        return threshold_values(n_players, _checked_threshold(entry), n_shares)
    return class_values(hands, n_players, entry, n_shares)


def exact_hand_values(n_players: int, ranking: RankingOrClasses, entry_probs: ArrayLike) -> HandValues:
    """Exact values per kind of hand up to an exchange of suits, for two or three players.

    Deviations may look at suits, which classes do not show: these values certify them too.

    Parameters
    ----------
    n_players : int
        2 or 3.
    ranking : str, Ranking or int array of shape (1326,) or (22100,)
        As in `exact_values`.
    entry_probs : array, shape (n_classes,)
        Entry probability per class, shared by the opponents.

    Returns
    -------
    HandValues

    Raises
    ------
    InputError
        If an argument is malformed.

    Examples
    --------
    >>> from guts_sim.hands import class_index
    >>> entry = np.arange(741) >= class_index("K98", "guts3")
    >>> hands = exact_hand_values(2, "guts3", entry)
    >>> len(hands.cards), hands.values.exploitability(entry[hands.hand_class])
    (1755, 0.0)
    """
    checked_players(n_players, MOST_PLAYERS_ANY_FIELD)
    n_players, hands, entry = _checked_round(n_players, ranking, entry_probs)
    values = hero_values(hands, n_players, entry)
    return HandValues(hands.heroes, hands.hero_classes, hands.multiplicity, values)


def exact_round_law(n_players: int, ranking: RankingOrClasses, entry_probs: ArrayLike) -> RoundLaw:
    """Exact law of the number of players in and tied best when all share a field.

    Parameters
    ----------
    n_players, ranking, entry_probs
        As in `exact_values`.

    Returns
    -------
    RoundLaw

    Raises
    ------
    InputError
        If an argument is malformed or the round cannot be counted exactly.

    Examples
    --------
    >>> from guts_sim.hands import class_index
    >>> law = exact_round_law(5, "guts2", np.arange(91) >= class_index("A4", "guts2"))
    >>> round(law.p_nobody, 6), round(law.p_one, 6), round(law.expected_multiplier, 6)
    (0.354425, 0.431241, 0.599246)
    """
    n_players, hands, entry = _checked_round(n_players, ranking, entry_probs)
    if n_players > MOST_PLAYERS_ANY_FIELD:
        return threshold_round_law(n_players, _checked_threshold(entry))
    return small_round_law(hands, n_players, entry)


def exact_threshold(n_players: int, ranking: RankingOrClasses = "guts2") -> ThresholdEquilibrium:
    """Symmetric pure threshold that is closest to an equilibrium.

    Parameters
    ----------
    n_players : int
        2 to 10 with ``"guts2"``; 2 or 3 with any other ranking.
    ranking : str, Ranking or int array of shape (1326,) or (22100,)
        As in `exact_values`.

    Returns
    -------
    ThresholdEquilibrium
        The threshold at which no class gains by deviating, if there is one: exploitability 0.
        Otherwise the threshold of least exploitability.

    Raises
    ------
    InputError
        If an argument is malformed or the game cannot be counted exactly.

    Examples
    --------
    >>> from guts_sim.hands import class_names
    >>> equilibrium = exact_threshold(5)
    >>> class_names("guts2")[equilibrium.index], equilibrium.exact
    ('A4', True)
    """
    n_players = checked_players(n_players)
    hands = hand_list(ranking)
    _check_supported(n_players, hands)

    def values_of(index: int) -> RoundValues:
        if hands is hand_list("guts2"):
            return threshold_values(n_players, Threshold(index, 1.0))
        return class_values(hands, n_players, pure_threshold(index, hands.n_classes))

    index = least_exploitable(values_of, hands.n_classes)
    entry = pure_threshold(index, hands.n_classes)
    values = values_of(index)
    law = exact_round_law(n_players, ranking, entry)
    return ThresholdEquilibrium(n_players, index, entry, values, law, values.exploitability(entry))


def pure_threshold(index: int, n_classes: int) -> Floats:
    """Entry probabilities 0 below class `index` and 1 from it on."""
    return (np.arange(n_classes) >= index).astype(np.float64)


def least_exploitable(values_of: Callable[[int], RoundValues], n_classes: int) -> int:
    """Pure threshold of least exploitability, 0 where there is an exact equilibrium.

    The boundary class gains the more from being in, the tighter the threshold is, so bisection finds
    where its gain changes sign; an exact threshold lies there. If it is not exact, its neighbours on
    either side are compared, up to those that lose `_FAR` times as much as the best one.
    """

    def exploitability(index: int) -> float:
        return values_of(index).exploitability(pure_threshold(index, n_classes))

    low, high = 0, n_classes - 1
    while low < high:
        middle = (low + high) // 2
        if values_of(middle).delta[middle] >= 0.0:
            high = middle
        else:
            low = middle + 1
    best, least = low, exploitability(low)
    for neighbours in (range(low - 1, -1, -1), range(low + 1, n_classes)):
        for index in neighbours:
            if least == 0.0:
                return best
            found = exploitability(index)
            if found < least:
                best, least = index, found
            elif found > _FAR * least:
                break
    return best


def _checked_round(n_players: int, ranking: RankingOrClasses, entry_probs: ArrayLike) -> tuple[int, HandList, Floats]:
    n_players = checked_players(n_players)
    hands = hand_list(ranking)
    _check_supported(n_players, hands)
    return n_players, hands, checked_entry_probs(entry_probs, hands.n_classes)


def _check_supported(n_players: int, hands: HandList) -> None:
    if n_players > MOST_PLAYERS_ANY_FIELD and hands is not hand_list("guts2"):
        raise InputError(
            f"n_players: {n_players} players are counted exactly only with two cards and the ranking guts2; "
            f"allowed here are 2 to {MOST_PLAYERS_ANY_FIELD}"
        )


def _checked_threshold(entry: Floats) -> Threshold:
    field = read_threshold(entry)
    if field is None:
        raise InputError(
            f"entry_probs: more than {MOST_PLAYERS_ANY_FIELD} players are counted exactly only against a "
            "threshold: 0 below a class, 1 above it, anything at it"
        )
    return field
