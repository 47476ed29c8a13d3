"""Validation shared by the exact functions."""

from collections.abc import Sequence
from operator import index

import numpy as np
from numpy.typing import ArrayLike

from guts_sim.errors import InputError
from guts_sim.exact.results import Floats
from guts_sim.exact.two_card import MAX_PLAYERS

MOST_PLAYERS_ANY_FIELD = 3


def checked_players(n_players: int, most: int = MAX_PLAYERS) -> int:
    """Return the number of players as an int between 2 and `most`."""
    whole = isinstance(n_players, int | np.integer) and not isinstance(n_players, bool)
    if not whole or not 2 <= n_players <= most:
        raise InputError(f"n_players: got {n_players!r}, allowed are 2 to {most}")
    return int(n_players)


def checked_entry_probs(entry_probs: ArrayLike, n_classes: int) -> Floats:
    """Return entry probabilities as a float64 array of shape (n_classes,), each between 0 and 1."""
    try:
        entry = np.ascontiguousarray(entry_probs, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"entry_probs: allowed are {n_classes} numbers, one per hand class") from None
    if entry.shape != (n_classes,):
        raise InputError(f"entry_probs: got shape {entry.shape}, allowed is ({n_classes},), one per class")
    bad = np.flatnonzero(~((entry >= 0.0) & (entry <= 1.0)))
    if len(bad):
        raise InputError(f"entry_probs: class {bad[0]} has {entry[bad[0]]}, allowed is 0 to 1")
    return entry


def checked_hand(cards: Sequence[int]) -> tuple[int, ...]:
    """Return the cards of one hand, ascending: two or three different codes 0..51."""
    try:
        hand = tuple(sorted(index(card) for card in cards))
    except TypeError:
        raise InputError("hand: allowed are card codes, whole numbers 0 to 51") from None
    if len(hand) not in (2, 3):
        raise InputError(f"hand: got {len(hand)} cards, allowed are 2 or 3")
    if not 0 <= hand[0] <= hand[-1] < 52:
        raise InputError(f"hand: card code {hand[0] if hand[0] < 0 else hand[-1]}, allowed are 0 to 51")
    if len(set(hand)) < len(hand):
        raise InputError("hand: the same card twice; all cards must differ")
    return hand
