"""Which card a player gives away when each passes one to the left before declaring."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from guts_sim.cards import N_CARDS, N_SUITS
from guts_sim.hands import rank_hands
from guts_sim.rules import GutsRules
from guts_sim.solve.hand_numbers import all_hands, places_of


@lru_cache(maxsize=32)
def passed_cards(rules: GutsRules) -> NDArray[np.uint8]:
    """Card that is passed from each hand, in the order of `all_hands`: the one without which the rest is best.

    What is kept ranks as a hand of its own (two cards as in two-card Guts); among equals the lowest card goes. Zeros if
    the rules know no pass.
    """
    hands = all_hands(rules.cards)
    if not rules.pass_left:
        return np.zeros(len(hands), np.uint8)
    kept = [np.delete(hands, i, axis=1) for i in range(rules.cards)]
    if rules.cards == 2:
        worth = [cards[:, 0].astype(np.int64) // N_SUITS for cards in kept]
    else:
        worth = [rank_hands(cards, "guts2", check=False).astype(np.int64) for cards in kept]
    best = np.argmax(np.array(worth), axis=0)  # the first of equals, which leaves out the lowest card
    return np.asarray(hands[np.arange(len(hands)), best])


@lru_cache(maxsize=32)
def ways_to_hold(rules: GutsRules) -> NDArray[np.int64]:
    """In how many equally likely ways each hand is held when declaring, in the order of `all_hands`.

    Without a pass in one. With one, the hands after it are counted: each hand that is dealt, and
    each card that the player to the right can pass from a hand without any of these cards.
    """
    hands = all_hands(rules.cards)
    if not rules.pass_left:
        return np.ones(len(hands), np.int64)
    lost = passed_cards(rules)
    ways = _ways_to_receive(hands, lost)
    kept = hands[hands != lost[:, None]].reshape(len(hands), rules.cards - 1)
    dealt, received = np.nonzero(ways)
    after = places_of(np.column_stack([kept[dealt], received]))
    counts = np.bincount(after, weights=ways[dealt, received], minlength=len(hands))
    return counts.astype(np.int64)


def _ways_to_receive(hands: NDArray[np.uint8], lost: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Hands that pass each card and share none with each hand, shape (n_hands, 52), by inclusion and exclusion."""
    n_cards = hands.shape[1]
    passing = np.zeros(N_CARDS, np.int64)
    with_one, with_two = np.zeros((N_CARDS, N_CARDS), np.int64), np.zeros((N_CARDS, N_CARDS, N_CARDS), np.int64)
    np.add.at(passing, lost, 1)
    for i in range(n_cards):
        np.add.at(with_one, (hands[:, i], lost), 1)
        for j in range(n_cards):
            if i != j:
                np.add.at(with_two, (hands[:, i], hands[:, j], lost), 1)
    ways = np.asarray(passing - with_one[hands].sum(axis=1), np.int64)
    for i in range(n_cards):
        for j in range(i):
            ways += with_two[hands[:, i], hands[:, j]]
    np.put_along_axis(ways, hands.astype(np.int64), 0, axis=1)  # a card that is held is not received
    return ways
