"""Guts rounds as people write them: NumPy batches, plain Python with a table, a loop over pokerkit's hands.

Each plays rounds in which every player enters with ``first_class`` or a stronger hand, carries the pot, and
returns the histogram of the multiplier of the pot.
"""

import random

import numpy as np

from benchmarks.rivals.packages import card_name, package

MAX_MULTIPLIER = 16
LARGEST_POT = 1 << 40  # a table beyond it starts again
BATCH = 10_000


def play_numpy(
    generator: np.random.Generator, n_rounds: int, n_players: int, hand_size: int, table: np.ndarray, first_class: int
) -> np.ndarray:
    """Batches of tables that are dealt by sorting random numbers; every table carries its own pot."""
    histogram = np.zeros(MAX_MULTIPLIER, np.int64)
    pots = np.full(BATCH, n_players, np.int64)
    nets = np.zeros((BATCH, n_players), np.int64)
    while n_rounds > 0:
        n = min(BATCH, n_rounds)
        order = generator.random((n, 52), dtype=np.float32).argsort(axis=1)
        cards = order[:, : n_players * hand_size].reshape(n, n_players, hand_size)
        classes = table[_table_index(cards)].astype(np.int32)
        classes[classes < first_class] = -1
        n_in = (classes >= 0).sum(axis=1)
        best = classes.max(axis=1)
        wins = (classes == best[:, None]) & (classes >= 0)
        n_best = wins.sum(axis=1)
        loses = (classes >= 0) & ~wins
        pot = pots[:n, None]
        nets[:n] += np.where(wins, pot // np.maximum(n_best, 1)[:, None], 0) - np.where(loses, pot, 0)
        multipliers = np.where(n_in == 0, 1, n_in - n_best)
        next_pots = pots[:n] * multipliers
        over = (next_pots == 0) | (next_pots > LARGEST_POT)
        nets[:n] -= over[:, None]
        pots[:n] = np.where(over, n_players, next_pots)
        histogram += np.bincount(multipliers, minlength=MAX_MULTIPLIER)
        n_rounds -= n
    return histogram


def _table_index(cards: np.ndarray) -> np.ndarray:
    index = cards[..., 0] // 4
    for place in range(1, cards.shape[-1]):
        index = index * 13 + cards[..., place] // 4
    if cards.shape[-1] == 3:
        suits = cards % 4
        index += 2197 * ((suits[..., 0] == suits[..., 1]) & (suits[..., 0] == suits[..., 2]))
    return index


def play_python(
    generator: random.Random, n_rounds: int, n_players: int, hand_size: int, table: list[int], first_class: int
) -> np.ndarray:
    """One table in plain Python, hands ranked by look-up in a list."""
    histogram = [0] * MAX_MULTIPLIER
    deck, n_cards = range(52), n_players * hand_size
    nets, pot = [0] * n_players, n_players
    for _ in range(n_rounds):
        cards = generator.sample(deck, n_cards)
        classes = []
        for at in range(0, n_cards, hand_size):
            first, second = cards[at], cards[at + 1]
            index = (first >> 2) * 13 + (second >> 2)
            if hand_size == 3:
                third = cards[at + 2]
                index = index * 13 + (third >> 2)
                if (first & 3) == (second & 3) == (third & 3):
                    index += 2197
            classes.append(table[index])
        pot = _settle(classes, first_class, pot, nets, histogram)
    return np.array(histogram)


def _settle(classes: list[int], first_class: int, pot: int, nets: list[int], histogram: list[int]) -> int:
    """Pay the winners, collect from the losers; returns the next pot."""
    best = max(classes)
    if best < first_class:
        histogram[1] += 1
        return pot
    share, n_losers = pot // classes.count(best), 0
    for player, hand_class in enumerate(classes):
        if hand_class == best:
            nets[player] += share
        elif hand_class >= first_class:
            nets[player] -= pot
            n_losers += 1
    histogram[n_losers] += 1
    pot *= n_losers
    if 0 < pot <= LARGEST_POT:
        return pot
    for player in range(len(nets)):
        nets[player] -= 1
    return len(nets)


def play_pokerkit(generator: random.Random, n_rounds: int, n_players: int, weakest: tuple[int, ...]) -> np.ndarray:
    """One table of three-card hands, compared as pokerkit's hands of Rhode Island hold'em, whose order is that
    of Guts; who holds ``weakest`` or better enters."""
    kit = package("pokerkit")
    entries = kit.RhodeIslandHoldemLookup()
    cards = [next(iter(kit.Card.parse(card_name(card)))) for card in range(52)]
    first = entries.get_entry([cards[card] for card in weakest]).index
    histogram = [0] * MAX_MULTIPLIER
    nets, pot = [0] * n_players, n_players
    for _ in range(n_rounds):
        dealt = generator.sample(cards, 3 * n_players)
        indices = [entries.get_entry(dealt[at : at + 3]).index for at in range(0, len(dealt), 3)]
        pot = _settle(indices, first, pot, nets, histogram)
    return np.array(histogram)
