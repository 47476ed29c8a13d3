"""Exact chances of a card that its holder cannot see."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, perm

from guts_sim.cards import N_CARDS, N_RANKS, N_SUITS


@dataclass(frozen=True)
class HiddenCard:
    """Chances of the hidden card against the visible ones: above all, level with the best, below it."""

    win: Fraction
    tie: Fraction
    lose: Fraction
    n_level: int

    @property
    def equity(self) -> Fraction:
        """Expected share of the pot if everybody goes to the showdown; ``n_level`` others would share a tie."""
        return self.win + self.tie / (1 + self.n_level)


def hidden_card_odds(strengths: Sequence[int], n_strengths: int = N_RANKS) -> HiddenCard:
    """Chances of the hidden card against visible ones.

    Parameters
    ----------
    strengths : sequence of int
        Strengths of the visible cards, ``0 .. n_strengths - 1``.
    n_strengths : int
        13 for ranks of four cards, 52 if suits are ordered.

    Examples
    --------
    >>> odds = hidden_card_odds([11, 7, 2])  # K 9 4
    >>> odds.win, odds.tie, odds.lose, odds.equity
    (Fraction(4, 49), Fraction(3, 49), Fraction(6, 7), Fraction(11, 98))
    """
    copies = N_CARDS // n_strengths
    seen = Counter(strengths)
    n_left = N_CARDS - len(strengths)
    best = max(seen)
    above = copies * (n_strengths - 1 - best)
    level = copies - seen[best]
    win, tie = Fraction(above, n_left), Fraction(level, n_left)
    return HiddenCard(win, tie, 1 - win - tie, seen[best])


def shared_best(n_players: int) -> Fraction:
    """Probability that the highest rank among one card each is shared.

    Examples
    --------
    >>> shared_best(2)
    Fraction(1, 17)
    """
    alone = sum(N_SUITS * n_players * perm(N_SUITS * rank, n_players - 1) for rank in range(N_RANKS))
    return 1 - Fraction(alone, perm(N_CARDS, n_players))


def best_is(rank: int, n_players: int) -> Fraction:
    """Probability that the highest rank among one card each is ``rank``.

    Examples
    --------
    >>> round(float(best_is(12, 5)), 6)
    0.341158
    """
    up_to, below = N_SUITS * (rank + 1), N_SUITS * rank
    return Fraction(comb(up_to, n_players) - comb(below, n_players), comb(N_CARDS, n_players))
