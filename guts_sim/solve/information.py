"""What a player knows when declaring, under any rules, and what hands are worth at the showdown.

Hands of two or three cards are numbered in colexicographic order. Strategies give one probability per *group* of hands;
deviations are measured per *set*, which may be finer: a set tells suits apart up to renaming them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from guts_sim.cards import N_RANKS, N_SUITS, SUITS
from guts_sim.hands import class_names, get_ranking, hand_class, rank_hands
from guts_sim.rules import GutsRules
from guts_sim.solve.hand_numbers import all_hands
from guts_sim.solve.passing import ways_to_hold
from guts_sim.solve.sampled import set_of_hand

FloatArray = NDArray[np.float64]
ANY_HAND = "any hand"
_SUITED_TWO = {(0, 1): "upper two", (0, 2): "outer two", (1, 2): "lower two"}


@dataclass(frozen=True, eq=False)
class Information:
    """Groups and sets of hands, the weakest own class first.

    Attributes
    ----------
    names : tuple of str
        Names of the groups.
    group_class : ndarray of int32, shape (n_groups,)
        Class of the own cards in each group, as fields name it; -1 where a group holds many classes.
    hand_group, hand_set : ndarray of int32, shape (n_hands,)
        Group and set of each hand.
    set_group : ndarray of int32, shape (n_sets,)
        Group of each set.
    hand_ways : ndarray of int64, shape (n_hands,)
        In how many equally likely ways each hand is held when declaring, after the pass if there is one.
    """

    names: tuple[str, ...]
    group_class: NDArray[np.int32]
    hand_group: NDArray[np.int32]
    hand_set: NDArray[np.int32]
    set_group: NDArray[np.int32]
    hand_ways: NDArray[np.int64]

    @property
    def hand_frequency(self) -> FloatArray:
        """Probability of holding each hand, shape (n_hands,)."""
        return np.asarray(self.hand_ways / self.hand_ways.sum(), np.float64)

    @cached_property
    def set_frequency(self) -> FloatArray:
        """Probability of holding a hand of each set, shape (n_sets,)."""
        ways = np.bincount(self.hand_set, weights=self.hand_ways, minlength=self.set_group.size)
        return np.asarray(ways / self.hand_ways.sum(), np.float64)

    @cached_property
    def group_frequency(self) -> FloatArray:
        """Probability of holding a hand of each group, shape (n_groups,)."""
        ways = np.bincount(self.hand_group, weights=self.hand_ways, minlength=len(self.names))
        return np.asarray(ways / self.hand_ways.sum(), np.float64)


@lru_cache(maxsize=32)
def information_of(rules: GutsRules, low: bool = False) -> Information:
    """Groups and sets of the hands that a player may hold when declaring.

    Parameters
    ----------
    rules : GutsRules
        Who declares blind knows nothing. Suits matter where they break ties or where a community card may
        complete a flush; otherwise a group is a class of equal hands.
    low : bool
        For the low pot: classes of low hands.
    """
    hands = all_hands(rules.cards)
    n_hands = len(hands)
    if rules.declaration == "blind":
        nothing = np.zeros(n_hands, np.int32)
        ways = ways_to_hold(rules)
        return Information((ANY_HAND,), np.array([-1], np.int32), nothing, nothing, nothing[:1], ways)
    ranking = get_ranking(f"low{rules.cards}") if low else rules.ranking
    classes = np.asarray(hand_class(hands, ranking, check=False), np.int64)
    names = class_names(ranking)
    patterns = [_pattern(hand) for hand in hands.tolist()] if rules.community else [(0, "")] * n_hands
    suits = _suits_by_weight(hands, rules)[:, 0] if rules.ties == "suits" else np.zeros(n_hands, np.int64)
    suit_names = [f" {suit}" for suit in SUITS] if rules.ties == "suits" else [""]
    labels = [
        (int(c), int(suit), number, f"{names[c]}{suit_names[suit]}{text}")
        for c, suit, (number, text) in zip(classes, suits, patterns)
    ]
    groups = sorted(set(labels))
    number = {group: i for i, group in enumerate(groups)}
    hand_group = np.array([number[label] for label in labels], np.int32)
    alike = np.array([set_of_hand(hand) for hand in hands.tolist()])
    keys = hand_group.astype(np.int64) * (alike.max() + 1) + alike
    _, first, hand_set = np.unique(keys, return_index=True, return_inverse=True)
    return Information(
        names=tuple(text for *_, text in groups),
        group_class=np.array([c for c, *_ in groups], np.int32),
        hand_group=hand_group,
        hand_set=hand_set.astype(np.int32),
        set_group=hand_group[first],
        hand_ways=ways_to_hold(rules),
    )


@lru_cache(maxsize=32)
def showdown_strengths(rules: GutsRules, low: bool = False) -> NDArray[np.int32]:
    """Strength of every combination of cards that is shown: above 0, equal hands alike, the larger the stronger."""
    shown = all_hands(rules.n_showdown_cards)
    ranks = rank_hands(shown, rules.low_ranking if low else rules.showdown_ranking, check=False)
    strengths = np.unique(ranks, return_inverse=True)[1].astype(np.int64)
    if rules.ties == "suits":
        for suits in _suits_by_weight(shown, rules).T:
            strengths = strengths * N_SUITS + suits
        strengths = np.unique(strengths, return_inverse=True)[1]
    return (strengths + 1).astype(np.int32)


def _suits_by_weight(hands: NDArray[np.uint8], rules: GutsRules) -> NDArray[np.int64]:
    """Suits of each hand from the card that counts most: pairs first, then high ranks, better suits first."""
    cards = hands.astype(np.int64)
    ranks, suits = np.divmod(cards, N_SUITS)
    alike = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    if rules.straights_flushes and hands.shape[1] == 3:
        wheel = np.sort(ranks, axis=1) == [0, 1, N_RANKS - 1]
        ranks = np.where(wheel.all(axis=1)[:, None] & (ranks == N_RANKS - 1), -1, ranks)
    weights = (alike * (N_RANKS + 1) + ranks + 1) * N_SUITS + suits
    return np.asarray(-np.sort(-weights, axis=1) % N_SUITS)


def _pattern(hand: Sequence[int]) -> tuple[int, str]:
    """Which cards of a hand share a suit: a number and a text to add to its name."""
    ranked = sorted(hand, reverse=True)
    suits = [card % N_SUITS for card in ranked]
    if len(set(suits)) == len(suits):
        return 0, ""
    if len(set(suits)) == 1:
        return 9, "s" if len(hand) == 2 else ""
    if len({card // N_SUITS for card in hand}) < 3:  # a pair and a kicker of one of its suits
        return 4, " (kicker suited)"
    first, second = next((i, j) for i, j in combinations(range(3), 2) if suits[i] == suits[j])
    return first + second, f" ({_SUITED_TWO[first, second]} suited)"
