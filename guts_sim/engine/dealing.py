"""Random deals as an array."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from guts_sim.checks import check_count
from guts_sim.engine.blocks import MAX_DEALS
from guts_sim.engine.seeds import resolve_seed, run_key
from guts_sim.errors import InputError
from guts_sim.interruption import interruptible

DECK_SIZE = 52


@interruptible
def deal(
    n_deals: int,
    n_players: int,
    hand_size: int,
    *,
    seed: int | None = None,
    known: Sequence[int] | npt.NDArray[np.integer] = (),
    first: int = 0,
) -> npt.NDArray[np.uint8]:
    """Deal hands from a shuffled deck, many times over.

    Parameters
    ----------
    n_deals : int
        How many independent deals.
    n_players, hand_size : int
        Players, and cards for each.
    seed : int, optional
        0 or larger; None gives other cards at every call.
    known : sequence or array of int
        Codes of cards that are out of the deck (``4 * rank + suit``), in any order.
    first : int
        Number of the first deal: ``deal(n)`` and ``deal(m, first=n)`` with one seed are the two parts
        of ``deal(n + m)``.

    Returns
    -------
    ndarray of uint8, shape (n_deals, n_players, hand_size)
        Card codes 0..51, all different within a deal.

    Raises
    ------
    InputError
        If a number is no positive whole number, a known card is invalid or repeated, or the deck does
        not hold ``n_players * hand_size`` cards besides the known ones.

    Notes
    -----
    Player 0 gets the first ``hand_size`` cards drawn, player 1 the next ones, and so on. Dealing one card
    at a time round the table gives the same law, because every order of the drawn cards is equally likely.

    Examples
    --------
    >>> hands = deal(1000, 5, 3, seed=1)
    >>> hands.shape, hands.dtype
    ((1000, 5, 3), dtype('uint8'))
    >>> len(set(hands[0].ravel().tolist()))
    15
    """
    first = check_count(first, "first", minimum=0, maximum=MAX_DEALS - 1)
    n_deals = check_count(n_deals, "n_deals", maximum=MAX_DEALS - first)
    n_players = check_count(n_players, "n_players")
    hand_size = check_count(hand_size, "hand_size")
    taken = _check_known(known)
    n_cards, n_left = n_players * hand_size, DECK_SIZE - taken.size
    if n_cards > n_left:
        raise InputError(
            f"{n_players} players x {hand_size} cards need {n_cards} cards, "
            f"but the deck has {n_left} (at most {n_left // hand_size} players)"
        )
    from guts_sim.kernels.deal import fill_deals

    hands = np.empty((n_deals, n_cards), np.uint8)
    fill_deals(run_key(resolve_seed(seed)), np.uint64(first), taken, hands)
    return hands.reshape(n_deals, n_players, hand_size)


def _check_known(known: Sequence[int] | npt.NDArray[np.integer]) -> npt.NDArray[np.uint8]:
    """Known cards in ascending order, each valid and named once."""
    codes = sorted(check_count(card, "known card", minimum=0, maximum=DECK_SIZE - 1) for card in known)
    for card, next_card in pairwise(codes):
        if card == next_card:
            raise InputError(f"known cards must be different, but card {card} is given twice")
    return np.array(codes, np.uint8)
