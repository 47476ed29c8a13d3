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

from guts_sim.kernels._jit import kernel, lean

DECK = 52
NO_CARD = DECK


@lean
def change_weight(hands, hand, weight, square, sums, triples):
    """Add to the weight of a hand (and to its square) in every sum that it enters.

    sums[kind, x, y] holds the hands with cards x and y, where NO_CARD stands for any card, and of kind 0
    weights, 1 squared weights; triples[x, y, z] holds weights. Modified in place.
    """
    size = hands.shape[1]
    for kind in range(2):
        change = weight if kind == 0 else square
        sums[kind, NO_CARD, NO_CARD] += change
        for i in range(size):
            x = hands[hand, i]
            sums[kind, x, NO_CARD] += change
            for j in range(size):
                if i != j:
                    sums[kind, x, hands[hand, j]] += change
                    if size == 3 and kind == 0:
                        triples[x, hands[hand, j], hands[hand, 3 - i - j]] += weight


@lean
def sum_avoiding(heroes, hero, kind, sums, triples):
    """Sum of the weights (kind 0) or their squares (kind 1) of the hands without any card of the hero."""
    size = heroes.shape[1]
    total = sums[kind, NO_CARD, NO_CARD]
    for i in range(size):
        total -= sums[kind, heroes[hero, i], NO_CARD]
        for j in range(i):
            total += sums[kind, heroes[hero, i], heroes[hero, j]]
    if size == 3:
        own = triples[heroes[hero, 0], heroes[hero, 1], heroes[hero, 2]]
        total -= own if kind == 0 else own * own
    return total


@lean
def pairs_avoiding(heroes, hero, sums, triples, squares):
    """Weight of the ordered pairs of hands disjoint from each other and from the hero's hand.

    squares: float64[52] work space; entry y collects the squared sums S[x, y] over all x.
    """
    size = heroes.shape[1]
    a, b, c = heroes[hero, 0], heroes[hero, 1], heroes[hero, size - 1]
    squares[:] = 0.0
    by_card = 0.0
    for x in range(DECK):
        if x == a or x == b or x == c:
            continue
        through_x = sums[0, x, NO_CARD] - sums[0, x, a] - sums[0, x, b]
        if size == 3:
            through_x += triples[a, b, x] + triples[a, c, x] + triples[b, c, x] - sums[0, x, c]
            for y in range(DECK):
                through_both = sums[0, x, y] - triples[a, x, y] - triples[b, x, y] - triples[c, x, y]
                squares[y] += through_both * through_both
        else:
            for y in range(DECK):
                squares[y] += sums[0, x, y] * sums[0, x, y]
        by_card += through_x * through_x
    squares[a] = squares[b] = squares[c] = 0.0
    by_two = 0.0
    for y in range(DECK):
        by_two += squares[y]
    total = sum_avoiding(heroes, hero, 0, sums, triples)
    by_three = sum_avoiding(heroes, hero, 1, sums, triples) if size == 3 else 0.0
    return total * total - by_card + 0.5 * by_two - by_three


@kernel
def sweep_fields(hands, starts, heroes, hero_starts, entry, n_opponents, single, double):
    """Chances (times the number of deals) that nobody enters, or nobody good enough, for every hero.

    hands: int64[n, k], k = 2 or 3, sorted by class; class c is hands[starts[c]:starts[c + 1]].
    heroes, hero_starts: the same for the hero hands. entry: float64[n_classes].
    single, double: float64[n_heroes, 3], filled for one opponent and (if n_opponents is 2) for ordered
    pairs of opponents: column 0 nobody is in, 1 nobody as strong as the hero is in, 2 nobody
    stronger is in.
    """
    sums = np.zeros((2, DECK + 1, DECK + 1))
    triples = np.zeros((DECK, DECK, DECK))
    squares = np.zeros(DECK)
    n_classes = len(entry)
    # Step 0: every hand weighs its chance of staying out. Each class then has two steps: its heroes
    # are evaluated before and after its own hands have got weight 1, as being in does not hurt them.
    for step in range(2 * n_classes + 1):
        column = 0 if step == 0 else 2 - step % 2
        c = (step - 1) // 2
        first_class, last_class = (0, n_classes) if step == 0 else (c, c + (column == 2))
        for changed in range(first_class, last_class):
            before = 0.0 if step == 0 else 1.0 - entry[changed]
            after = 1.0 - entry[changed] if step == 0 else 1.0
            for hand in range(starts[changed], starts[changed + 1]):
                change_weight(hands, hand, after - before, after * after - before * before, sums, triples)
        first, last = (0, len(heroes)) if step == 0 else (hero_starts[c], hero_starts[c + 1])
        for hero in range(first, last):
            single[hero, column] = sum_avoiding(heroes, hero, 0, sums, triples)
            if n_opponents == 2:
                double[hero, column] = pairs_avoiding(heroes, hero, sums, triples, squares)


@lean
def merge_hands(hands, first, second, union):
    """Put the cards of two hands into union, ascending; True if the hands share none."""
    size = hands.shape[1]
    i, j = 0, 0
    for place in range(2 * size):
        x = hands[first, i] if i < size else NO_CARD
        y = hands[second, j] if j < size else NO_CARD
        if x == y:
            return False
        union[place] = min(x, y)
        if x < y:
            i += 1
        else:
            j += 1
    return True


@lean
def add_tied_pair(union, weight, held, triples):
    """Add a pair of tied hands to the sums over the cards that it holds.

    held[x, y]: pairs that hold cards x < y, held[x, NO_CARD]: card x, held[NO_CARD, NO_CARD]: all pairs;
    triples[x, y, z]: pairs that hold x < y < z. Modified in place.
    """
    held[NO_CARD, NO_CARD] += weight
    for i in range(len(union)):
        held[union[i], NO_CARD] += weight
        for j in range(i):
            held[union[j], union[i]] += weight
            for k in range(j):
                triples[union[k], union[j], union[i]] += weight


@lean
def tied_avoiding(heroes, hero, held, triples):
    """Weight of the tied pairs without any card of the hero."""
    size = heroes.shape[1]
    total = held[NO_CARD, NO_CARD]
    for i in range(size):
        total -= held[heroes[hero, i], NO_CARD]
        for j in range(i):
            total += held[heroes[hero, j], heroes[hero, i]]
    if size == 3:
        total -= triples[heroes[hero, 0], heroes[hero, 1], heroes[hero, 2]]
    return total


@kernel
def sweep_ties(hands, starts, heroes, hero_starts, entry, tied):
    """Chance (times the number of deals) that two opponents are both in with equal hands.

    Arguments as in `sweep_fields`, the cards of each hand ascending. tied: float64[n_heroes, 3], filled:
    column 0 for classes weaker than the hero's, 1 for those and his own, 2 for all.
    """
    held = np.zeros((DECK + 1, DECK + 1))
    triples = np.zeros((DECK, DECK, DECK))
    union = np.zeros(2 * hands.shape[1], np.int64)
    n_classes = len(entry)
    # Two steps per class, before and after its tied pairs are added, and one for all heroes at the end.
    for step in range(2 * n_classes + 1):
        column = 2 if step == 2 * n_classes else step % 2
        c = min(step // 2, n_classes - 1)
        if column == 1 and entry[c] > 0.0:
            for first in range(starts[c], starts[c + 1]):
                for second in range(starts[c], first):
                    if merge_hands(hands, first, second, union):
                        add_tied_pair(union, 2.0 * entry[c] * entry[c], held, triples)
        first, last = (0, len(heroes)) if column == 2 else (hero_starts[c], hero_starts[c + 1])
        for hero in range(first, last):
            tied[hero, column] = tied_avoiding(heroes, hero, held, triples)
