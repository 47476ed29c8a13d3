"""What hands are worth at a showdown under any rules: community card, low hands, ties by suit."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from guts_sim.cards import N_RANKS, N_SUITS
from guts_sim.hands import describe_hand, rank_hands
from guts_sim.rules import GutsRules
from guts_sim.settlement.contest import Strength

_ACE, _TWO, _THREE = 12, 0, 1


@dataclass(frozen=True)
class ShownHand:
    """The best hand that can be made of a player's cards.

    Attributes
    ----------
    strength : Strength
        Its place among all hands of the same kind; the larger tuple wins.
    text : str
        The hand in words.
    """

    strength: Strength
    text: str


def show_hand(cards: Sequence[int], rules: GutsRules, *, common: Sequence[int] = (), low: bool = False) -> ShownHand:
    """Rank a hand for the pot or the high pot, or for the low pot (G2 - G4, G17, G19).

    Parameters
    ----------
    cards : sequence of int
        The player's own cards.
    rules : GutsRules
        Ranking, tie-break and number of cards.
    common : sequence of int
        The community card, if the rules have one.
    low : bool
        Rank it as a low hand: ace low, no straights and flushes, pairs bad.

    Returns
    -------
    ShownHand

    Examples
    --------
    >>> show_hand((48, 0), GutsRules()).text  # Ac 2c
    'ace high, ace-two'
    >>> spade, heart = ((51, 0), (50, 1))  # As 2c and Ah 2d
    >>> by_suit = GutsRules(ties="suits")
    >>> show_hand(spade, by_suit).strength > show_hand(heart, by_suit).strength
    True
    """
    ranking = rules.low_ranking if low else rules.showdown_ranking
    hands = combinations((*cards, *common), rules.n_showdown_cards)
    strength, best = max((_strength(hand, rules, low), hand) for hand in hands)
    return ShownHand(strength, describe_hand(best, ranking))


def _strength(hand: tuple[int, ...], rules: GutsRules, low: bool) -> Strength:
    ranking = rules.low_ranking if low else rules.showdown_ranking
    hand_rank = int(rank_hands(hand, ranking, check=False))
    return (hand_rank, *_suits_by_weight(hand, rules)) if rules.ties == "suits" else (hand_rank,)


def _suits_by_weight(hand: tuple[int, ...], rules: GutsRules) -> tuple[int, ...]:
    """Suits of the cards from the one that counts most: pairs first, then high ranks, the better suit first.

    Further cards matter only where two hands share the community card.
    """
    ranks = [card // N_SUITS for card in hand]
    runs_from_ace = rules.straights_flushes and set(ranks) == {_ACE, _TWO, _THREE}

    def weight(card: int) -> tuple[int, int, int]:
        rank, suit = divmod(card, N_SUITS)
        place = rank - N_RANKS if runs_from_ace and rank == _ACE else rank
        return ranks.count(rank), place, suit

    return tuple(card % N_SUITS for card in sorted(hand, key=weight, reverse=True))
