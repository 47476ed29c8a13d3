"""Slow plain-Python twins of the one-round values. Nothing here uses the kernels or the solver.

Cards are codes ``4 * rank + suit``. Strengths are anything ordered, larger for the stronger hand. Money is in
units of the active pot; what lies on the table after the round is worth 1/N of itself to each player.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

import numpy as np

N_TRIPLES = 286


def round_payoffs(n_players, hero, others_in):
    """What the hero earns by entering and by staying out when ``others_in`` are in."""

    def left_on_table(hands):
        losers = [hand for hand in hands if hand != max(hands)]
        return Fraction(len(losers) if hands else 1, n_players)

    everyone = [*others_in, hero]
    best = max(everyone)
    own = Fraction(1, everyone.count(best)) if hero == best else Fraction(-1)
    return own + left_on_table(everyone), left_on_table(others_in)


def values_against(n_players, hero, opponents, entry):
    """Exact value of entering and of staying out for one hero hand against known opponents' hands.

    ``opponents``: strengths; ``entry``: probability of entering by strength.
    """
    enter = stay_out = Fraction(0)
    certain = {0: (False,), 1: (True,)}
    for declared in product(*(certain.get(entry[strength], (False, True)) for strength in opponents)):
        chance = Fraction(1)
        for strength, is_in in zip(opponents, declared):
            chance *= entry[strength] if is_in else 1 - entry[strength]
        others_in = [strength for strength, is_in in zip(opponents, declared) if is_in]
        values = round_payoffs(n_players, hero, others_in)
        enter += chance * values[0]
        stay_out += chance * values[1]
    return enter, stay_out


def ranked(hand):
    """(rank, suit) of the cards, the highest first."""
    return sorted(((card // 4, card % 4) for card in hand), reverse=True)


@cache
def suits_renamed(hand):
    """The same for hands that differ by a renaming of suits, different for all others."""
    cards = [(card // 4, card % 4) for card in hand]
    return min(tuple(sorted((rank, names[suit]) for rank, suit in cards)) for names in permutations(range(4)))


@cache
def set_label(hand):
    """What its holder can tell about a hand: ranks and, with three cards, the pattern of suits."""
    cards = ranked(hand)
    ranks = tuple(rank for rank, _ in cards)
    if len(cards) == 2 or ranks[0] == ranks[2]:
        return ("ranks", ranks)
    if len(set(ranks)) == 3:
        suits = [suit for _, suit in cards]
        pairs = [(0, 1), (0, 2), (1, 2)]
        return ("triple", ranks, tuple(suits[i] == suits[j] for i, j in pairs))
    rank = ranks[1]
    kicker, kicker_suit = next(card for card in cards if card[0] != rank)
    return ("pair", rank, kicker, any(suit == kicker_suit for r, suit in cards if r == rank))


def set_labels(hand_size):
    """Labels in the order that the scoring kernel documents."""
    if hand_size == 2:
        unpaired = [("ranks", (high, low)) for high in range(13) for low in range(high)]
        return unpaired + [("ranks", (rank, rank)) for rank in range(13)]
    triples = [(i, j, k) for i in range(13) for j in range(i) for k in range(j)]
    pairs = [(rank, kicker) for rank in range(13) for kicker in range(13) if kicker != rank]
    patterns = [(True, True, True), (True, False, False), (False, True, False), (False, False, True), (False,) * 3]
    labels = [("triple", ranks, pattern) for pattern in patterns for ranks in triples]
    labels += [("pair", *pair, shares_suit) for shares_suit in (True, False) for pair in pairs]
    return labels + [("ranks", (rank,) * 3) for rank in range(13)]


def score(opponents_cards, hand_size, strength, entry):
    """Hands, in-minus-out and out by information set, summed over deals of the opponents' cards.

    Returns three dicts by set label: number of hands that can still be made, and the sums over these hands of
    in-minus-out and of out, as fractions of the pot.
    """
    hands, gains, outs = {}, {}, {}
    for cards in opponents_cards:
        held = [tuple(sorted(cards[i : i + hand_size])) for i in range(0, len(cards), hand_size)]
        opponents = [strength[hand] for hand in held]
        left = [card for card in range(52) if card not in cards]
        worth = cache(lambda hero, opponents=opponents: values_against(len(opponents) + 1, hero, opponents, entry))
        for hand in combinations(left, hand_size):
            label = set_label(hand)
            enter, out = worth(strength[hand])
            hands[label] = hands.get(label, 0) + 1
            gains[label] = gains.get(label, 0) + enter - out
            outs[label] = outs.get(label, 0) + out
    return hands, gains, outs


def deal_everybody(n_deals, n_players, hand_size, seed):
    """Cards of all players from shuffled decks, shape (deal, player, card)."""
    decks = np.random.default_rng(seed).random((n_deals, 52), dtype=np.float32).argsort(axis=1)
    return decks[:, : n_players * hand_size].reshape(n_deals, n_players, hand_size)


def class_lookup(hand_size, strength_of):
    """Dense class of every hand as an array over the sorted cards, from a plain evaluator."""
    strengths = {hand: strength_of(hand) for hand in combinations(range(52), hand_size)}
    place = {value: index for index, value in enumerate(sorted(set(strengths.values())))}
    lookup = np.zeros((52,) * hand_size, np.int64)
    for hand, strength in strengths.items():
        lookup[hand] = place[strength]
    return lookup


def deviation_gains(classes, weakest_in):
    """Paired in-minus-out of every player in every deal when the others enter from a class upwards.

    Parameters: ``classes``, int (deal, player); ``weakest_in``, the pure threshold of all others.
    Returns float (deal, player).
    """
    n_players = classes.shape[1]
    entering = np.where(classes >= weakest_in, classes, -1)
    gains = np.empty(classes.shape)
    for hero in range(n_players):
        others = np.delete(entering, hero, axis=1)
        n_in = (others >= 0).sum(axis=1)
        best = others.max(axis=1)
        n_best = (others == best[:, None]).sum(axis=1)
        out = np.where(n_in == 0, 1, n_in - n_best) / n_players
        mine = classes[:, hero]
        alone_best = 1 + n_in / n_players
        tied = 1 / (n_best + 1) + (n_in - n_best) / n_players
        beaten = -1 + (n_in + 1 - n_best) / n_players
        won = (n_in == 0) | (mine > best)
        gains[:, hero] = np.where(won, alone_best, np.where(mine == best, tied, beaten)) - out
    return gains


def gain_of_deviating(classes, weakest_in, n_classes):
    """Gain per deal of the best deviation from a threshold, and its standard error.

    The deviation is chosen on the first half of the deals and measured on the second, so that picking the
    largest of many noisy numbers does not flatter it.
    """
    gains = deviation_gains(classes, weakest_in)
    half = len(classes) // 2
    mean_gain = np.bincount(classes[:half].ravel(), weights=gains[:half].ravel(), minlength=n_classes)
    enters = np.arange(n_classes) >= weakest_in
    change = np.where(mean_gain > 0, 1, 0) - enters
    earned = (change[classes[half:]] * gains[half:]).mean(axis=1)
    return earned.mean(), earned.std() / np.sqrt(len(earned))
