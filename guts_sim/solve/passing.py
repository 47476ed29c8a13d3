"""Which card a player gives away when each passes one to the left before declaring."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from guts_sim.cards import N_SUITS
from guts_sim.hands import rank_hands
from guts_sim.rules import GutsRules
from guts_sim.solve.information import all_hands


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
