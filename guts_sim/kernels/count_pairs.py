"""Sums over one or two opponents' hands that share no card with the hero's nor with each other.

For hands o of k <= 3 cards with weights g(o), let S, S[x], S[x, y], S[x, y, z] be the total weight of all
hands, of those that hold card x, both x and y, all of x, y, z. Among the hands that share no card
with the hero the same sums follow by inclusion-exclusion over the hero's cards. As
1[o and o' disjoint] = 1 - i + i (i - 1) / 2 - i (i - 1) (i - 2) / 6 for hands with i common cards,

    sum over ordered disjoint pairs of g(o) g(o') = S^2 - sum S[x]^2 + sum S[x, y]^2 - sum S[x, y, z]^2,

so a hero costs one pass over 52 x 52 pairs of cards instead of one over all pairs of hands.
All classes are swept once, weakest first, with the sums kept up to date.
"""

import numpy as np

from guts_sim.kernels._jit import helper, kernel

DECK = 52


@helper
def change_weight(hand, weight, square, zero, one, two, three):
    """Add to the weight of a hand (and to its square) in every sum that it enters.

    zero[2], one[2, 52], two[2, 52, 52] hold sums of weights at index 0 and of squares at index 1;
    three[52, 52, 52] holds weights only, as no two hands agree in three cards. Modified in place.
    """
    size = len(hand)
    zero[0] += weight
    zero[1] += square
    for i in range(size):
        one[0, hand[i]] += weight
        one[1, hand[i]] += square
        for j in range(size):
            if i != j:
                two[0, hand[i], hand[j]] += weight
                two[1, hand[i], hand[j]] += square
    if size == 3:
        for i in range(3):
            for j in range(3):
                if i != j:
                    three[hand[i], hand[j], hand[3 - i - j]] += weight


@helper
def weight_avoiding(hero, zero, one, two, three, kind):
    """Total weight (kind 0) or sum of squares (kind 1) of the hands that share no card with the hero."""
    size = len(hero)
    total = zero[kind]
    for i in range(size):
        total -= one[kind, hero[i]]
        for j in range(i):
            total += two[kind, hero[i], hero[j]]
    if size == 3:
        own = three[hero[0], hero[1], hero[2]]
        total -= own if kind == 0 else own * own
    return total


@helper
def is_held(card, hero):
    for own in hero:
        if own == card:
            return True
    return False


@helper
def disjoint_pairs(hero, zero, one, two, three, row, squares):
    """Weight of the ordered pairs of hands disjoint from each other and from the hero's hand.

    row, squares: float64[52] work space.
    """
    size = len(hero)
    squares[:] = 0.0
    by_card = 0.0
    for x in range(DECK):
        if is_held(x, hero):
            continue
        row[:] = two[0, x]
        through_x = one[0, x]
        for i in range(size):
            through_x -= two[0, x, hero[i]]
            if size == 3:
                row -= three[hero[i], x]
                for j in range(i):
                    through_x += three[hero[i], hero[j], x]
        for i in range(size):
            row[hero[i]] = 0.0
        squares += row * row
        by_card += through_x * through_x
    by_two = 0.0
    for x in range(DECK):
        by_two += squares[x]
    total = weight_avoiding(hero, zero, one, two, three, 0)
    pairs = total * total - by_card + 0.5 * by_two
    if size == 3:
        pairs -= weight_avoiding(hero, zero, one, two, three, 1)
    return pairs


@helper
def evaluate_heroes(heroes, start, stop, zero, one, two, three, n_opponents, column, single, double):
    row = np.empty(DECK)
    squares = np.empty(DECK)
    for hero in range(start, stop):
        single[hero, column] = weight_avoiding(heroes[hero], zero, one, two, three, 0)
        if n_opponents == 2:
            double[hero, column] = disjoint_pairs(heroes[hero], zero, one, two, three, row, squares)


@kernel
def sweep_fields(hands, starts, heroes, hero_starts, entry, n_opponents, single, double):
    """Chances (times the number of deals) that nobody enters, or nobody good enough, for every hero.

    hands: int64[n, k], k = 2 or 3, sorted by class; class c is hands[starts[c]:starts[c + 1]].
    heroes, hero_starts: the same for the hero hands. entry: float64[n_classes].
    single, double: float64[n_heroes, 3], filled for one opponent and (if n_opponents is 2) for ordered
    pairs of opponents: column 0 nobody is in, 1 nobody as strong as the hero is in, 2 nobody
    stronger is in.
    """
    zero = np.zeros(2)
    one = np.zeros((2, DECK))
    two = np.zeros((2, DECK, DECK))
    three = np.zeros((DECK, DECK, DECK))
    n_classes = len(entry)
    for c in range(n_classes):
        out = 1.0 - entry[c]
        for hand in range(starts[c], starts[c + 1]):
            change_weight(hands[hand], out, out * out, zero, one, two, three)
    evaluate_heroes(heroes, 0, len(heroes), zero, one, two, three, n_opponents, 0, single, double)
    for c in range(n_classes):
        first, last = hero_starts[c], hero_starts[c + 1]
        evaluate_heroes(heroes, first, last, zero, one, two, three, n_opponents, 1, single, double)
        out = 1.0 - entry[c]
        for hand in range(starts[c], starts[c + 1]):
            change_weight(hands[hand], 1.0 - out, 1.0 - out * out, zero, one, two, three)
        evaluate_heroes(heroes, first, last, zero, one, two, three, n_opponents, 2, single, double)


@helper
def merge_sorted(first, second, union):
    """Sort the cards of two hands into union; True if they share none."""
    i, j = 0, 0
    size = len(first)
    for place in range(2 * size):
        if j == size or (i < size and first[i] < second[j]):
            union[place] = first[i]
            i += 1
        elif i == size or second[j] < first[i]:
            union[place] = second[j]
            j += 1
        else:
            return False
    return True


@helper
def add_tied_pairs(hands, start, stop, weight, one, two, three, union):
    """Add every ordered disjoint pair of one class to the sums over its union; return the total weight."""
    size = hands.shape[1]
    total = 0.0
    for first in range(start, stop):
        for second in range(start, first):
            if not merge_sorted(hands[first], hands[second], union):
                continue
            total += weight
            for i in range(2 * size):
                one[union[i]] += weight
                for j in range(i):
                    two[union[j], union[i]] += weight
                    if size == 3:
                        for k in range(j):
                            three[union[k], union[j], union[i]] += weight
    return total


@helper
def tied_avoiding(hero, total, one, two, three):
    """Weight of the tied pairs none of whose cards the hero holds."""
    size = len(hero)
    for i in range(size):
        total -= one[hero[i]]
        for j in range(i):
            total += two[hero[j], hero[i]]
    if size == 3:
        total -= three[hero[0], hero[1], hero[2]]
    return total


@kernel
def sweep_ties(hands, starts, heroes, hero_starts, entry, tied):
    """Chance (times the number of deals) that two opponents are both in with equal hands.

    Arguments as in `sweep_fields`, the cards of each hand ascending. tied: float64[n_heroes, 3], filled:
    column 0 for classes weaker than the hero's, 1 for those and his own, 2 for all.
    """
    one = np.zeros(DECK)
    two = np.zeros((DECK, DECK))
    three = np.zeros((DECK, DECK, DECK))
    union = np.zeros(2 * hands.shape[1], np.int64)
    total = 0.0
    for c in range(len(entry)):
        for hero in range(hero_starts[c], hero_starts[c + 1]):
            tied[hero, 0] = tied_avoiding(heroes[hero], total, one, two, three)
        if entry[c] > 0.0:
            weight = 2.0 * entry[c] * entry[c]
            total += add_tied_pairs(hands, starts[c], starts[c + 1], weight, one, two, three, union)
        for hero in range(hero_starts[c], hero_starts[c + 1]):
            tied[hero, 1] = tied_avoiding(heroes[hero], total, one, two, three)
    for hero in range(len(heroes)):
        tied[hero, 2] = tied_avoiding(heroes[hero], total, one, two, three)
