"""Plain evaluation of hands, straight from the rules: the reference for the fast evaluators.

Hands are sequences of card codes. Every function returns a tuple that is larger for the stronger hand.
"""

from collections import Counter
from itertools import combinations

HIGH5_ORDER = (
    "high card", "pair", "two pair", "trips", "straight", "flush", "full house", "quads", "straight flush",
)  # fmt: skip


def ranks_of(cards):
    return sorted((card // 4 for card in cards), reverse=True)


def is_flush(cards):
    return len({card % 4 for card in cards}) == 1


def straight_top(ranks):
    """Top rank of a straight of all the cards, or None; descending ranks."""
    if ranks == [12, *range(len(ranks) - 2, -1, -1)]:
        return len(ranks) - 2
    return ranks[0] if ranks == list(range(ranks[0], ranks[0] - len(ranks), -1)) else None


def grouped(ranks):
    """Shape such as (2, 1) and the ranks, largest groups first, equal groups by rank."""
    groups = sorted(Counter(ranks).items(), key=lambda group: (group[1], group[0]), reverse=True)
    return tuple(size for _, size in groups), tuple(rank for rank, _ in groups)


def guts2(cards):
    shape, ranks = grouped(ranks_of(cards))
    return ("high card", "pair").index("pair" if shape == (2,) else "high card"), ranks


def guts3_category(cards, straights_flushes=True):
    ranks = ranks_of(cards)
    straight = straights_flushes and straight_top(ranks) is not None
    flush = straights_flushes and is_flush(cards)
    if straight and flush:
        return "straight flush"
    if straight or flush:
        return "straight" if straight else "flush"
    return {(3,): "trips", (2, 1): "pair", (1, 1, 1): "high card"}[grouped(ranks)[0]]


def guts3(cards, straights_flushes=True, trips_above_straight_flush=False, straight_below_flush=False):
    order = ["high card", "pair"]
    order += ["straight", "flush"] if straight_below_flush else ["flush", "straight"]
    order += ["straight flush", "trips"] if trips_above_straight_flush else ["trips", "straight flush"]
    category = guts3_category(cards, straights_flushes)
    ranks = ranks_of(cards)
    if "straight" in category:
        return order.index(category), (straight_top(ranks),)
    return order.index(category), grouped(ranks)[1]


def five_category(cards):
    ranks = ranks_of(cards)
    straight, flush = straight_top(ranks) is not None, is_flush(cards)
    if straight and flush:
        return "straight flush"
    if straight or flush:
        return "straight" if straight else "flush"
    return group_category(grouped(ranks)[0])


def group_category(shape):
    if shape[0] == 4:
        return "quads"
    if shape[:2] == (3, 2):
        return "full house"
    if shape[0] == 3:
        return "trips"
    return {0: "high card", 1: "pair", 2: "two pair"}[shape.count(2)]


def five(cards):
    category = five_category(cards)
    ranks = ranks_of(cards)
    if "straight" in category:
        return HIGH5_ORDER.index(category), (straight_top(ranks),)
    return HIGH5_ORDER.index(category), grouped(ranks)[1]


def high5(cards):
    return max(five(chosen) for chosen in combinations(cards, 5))


def low_value(cards):
    """Ace-to-five value of all the cards, larger is stronger: aces low, groups bad, no straights."""
    shape, ranks = grouped(sorted(((card // 4 + 1) % 13 for card in cards), reverse=True))
    return -HIGH5_ORDER.index(group_category(shape)), tuple(-rank for rank in ranks)


def low5(cards):
    return max(low_value(chosen) for chosen in combinations(cards, 5))


def exposed(cards):
    shape, ranks = grouped(ranks_of(cards))
    return HIGH5_ORDER.index(group_category(shape)), ranks


def dense(values):
    """Place of each value among the different values, 0 the smallest."""
    place = {value: index for index, value in enumerate(sorted(set(values)))}
    return [place[value] for value in values]
