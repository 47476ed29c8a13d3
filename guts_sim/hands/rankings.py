"""The orders in which hands beat each other, as named, frozen objects."""

from dataclasses import dataclass
from typing import Literal

from guts_sim.errors import InputError

Family = Literal["table", "high5", "low5", "exposed"]


@dataclass(frozen=True)
class Ranking:
    """An order of hands.

    Get one from `get_ranking` or `guts3_ranking`; every function that takes a ranking also takes its name.

    Attributes
    ----------
    name : str
        Name in the registry, for example ``"guts3"``.
    hand_sizes : tuple of int
        Numbers of cards that a hand may have.
    categories : tuple of str
        Kinds of hands, the weakest first.
    n_classes : int or None
        Number of classes of equal hands; None where the classes depend on the number of cards.
    family : {"table", "high5", "low5", "exposed"}
        How hands are evaluated: by a table over ranks and flush (up to three cards), or by a key.
    low : bool
        Whether the ace is the lowest rank and small, unpaired hands are the strong ones.

    Examples
    --------
    >>> get_ranking("guts2").hand_sizes, get_ranking("guts2").categories
    ((2,), ('high card', 'pair'))
    """

    name: str
    hand_sizes: tuple[int, ...]
    categories: tuple[str, ...]
    n_classes: int | None
    family: Family
    low: bool = False

    def __str__(self) -> str:
        return self.name


_HIGH_CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "trips",
    "straight",
    "flush",
    "full house",
    "quads",
    "straight flush",
)
_EXPOSED_CATEGORIES = ("high card", "pair", "two pair", "trips", "quads")
_LOW_CATEGORIES = ("quads", "full house", "trips", "two pair", "pair", "high card")


def guts3_ranking(
    straights_flushes: bool = True,
    trips_above_straight_flush: bool = False,
    straight_below_flush: bool = False,
) -> Ranking:
    """Order of three-card hands, with the switches seen at real tables.

    By default straight flush > trips > straight > flush > pair > high card: with three cards a straight
    is rarer than a flush. A-K-Q is the highest straight, 3-2-A the lowest, K-A-2 none.

    Parameters
    ----------
    straights_flushes : bool
        Whether straights and flushes count. Without them trips > pair > high card, 455 classes.
    trips_above_straight_flush : bool
        Whether three of a kind beat a straight flush.
    straight_below_flush : bool
        Whether a flush beats a straight, as it does with five cards.

    Returns
    -------
    Ranking
        Named ``guts3``, ``guts3-plain``, ``guts3-trips-top``, ``guts3-flush-over-straight`` or
        ``guts3-trips-top-flush-over-straight``.

    Raises
    ------
    InputError
        If straights and flushes do not count and yet their place is moved.

    Examples
    --------
    >>> guts3_ranking().n_classes, guts3_ranking(straights_flushes=False).n_classes
    (741, 455)
    >>> guts3_ranking(straight_below_flush=True).categories
    ('high card', 'pair', 'straight', 'flush', 'trips', 'straight flush')
    """
    if not straights_flushes:
        if trips_above_straight_flush or straight_below_flush:
            raise InputError("trips_above_straight_flush and straight_below_flush need straights_flushes=True")
        return Ranking("guts3-plain", (3,), ("high card", "pair", "trips"), 455, "table")
    runs = ("straight", "flush") if straight_below_flush else ("flush", "straight")
    top = ("straight flush", "trips") if trips_above_straight_flush else ("trips", "straight flush")
    name = "guts3" + "-trips-top" * trips_above_straight_flush + "-flush-over-straight" * straight_below_flush
    return Ranking(name, (3,), ("high card", "pair", *runs, *top), 741, "table")


_RANKINGS = {
    ranking.name: ranking
    for ranking in (
        Ranking("guts2", (2,), ("high card", "pair"), 91, "table"),
        guts3_ranking(),
        guts3_ranking(straights_flushes=False),
        guts3_ranking(trips_above_straight_flush=True),
        guts3_ranking(straight_below_flush=True),
        guts3_ranking(trips_above_straight_flush=True, straight_below_flush=True),
        Ranking("low2", (2,), ("pair", "high card"), 91, "table", low=True),
        Ranking("low3", (3,), ("trips", "pair", "high card"), 455, "table", low=True),
        Ranking("high1", (1,), ("high card",), 13, "table"),
        Ranking("high5", (5, 6, 7), _HIGH_CATEGORIES, 7462, "high5"),
        Ranking("low5", (5, 6, 7), _LOW_CATEGORIES, 6175, "low5", low=True),
        Ranking("exposed", (1, 2, 3, 4), _EXPOSED_CATEGORIES, None, "exposed"),
    )
}


def ranking_names() -> tuple[str, ...]:
    """Names that `get_ranking` knows.

    Examples
    --------
    >>> ranking_names()[:3]
    ('guts2', 'guts3', 'guts3-plain')
    """
    return tuple(_RANKINGS)


def get_ranking(ranking: str | Ranking) -> Ranking:
    """Ranking of that name; a ranking is returned as it is.

    ``guts2`` and the ``guts3`` orders are those of Guts, ``low2`` and ``low3`` its low hands, ``high1`` is
    one card (Indian poker), ``high5`` and ``low5`` are the best five of five to seven cards, high and
    ace-to-five low, ``exposed`` compares the one to four cards shown in Anaconda.

    Parameters
    ----------
    ranking : str or Ranking
        A name of `ranking_names`, or a ranking.

    Returns
    -------
    Ranking

    Raises
    ------
    InputError
        If there is no ranking of that name.

    Examples
    --------
    >>> get_ranking("guts2").n_classes
    91
    """
    if isinstance(ranking, Ranking):
        return ranking
    if not isinstance(ranking, str) or ranking not in _RANKINGS:
        raise InputError(f"unknown ranking {ranking!r}; choose from {', '.join(_RANKINGS)}")
    return _RANKINGS[ranking]


def default_ranking(n_cards: int) -> Ranking:
    """Ranking that hands of ``n_cards`` cards are usually compared by.

    Parameters
    ----------
    n_cards : int
        1 to 7.

    Returns
    -------
    Ranking

    Raises
    ------
    InputError
        If no ranking takes that many cards.

    Examples
    --------
    >>> [str(default_ranking(n)) for n in (1, 2, 3, 4, 7)]
    ['high1', 'guts2', 'guts3', 'exposed', 'high5']
    """
    by_size = {1: "high1", 2: "guts2", 3: "guts3", 4: "exposed", 5: "high5", 6: "high5", 7: "high5"}
    if n_cards not in by_size:
        raise InputError(f"no ranking compares hands of {n_cards} cards; allowed are 1 to 7")
    return get_ranking(by_size[n_cards])
