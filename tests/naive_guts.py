"""Plain-Python enumeration of one Guts round with fractions, on decks of any size.

Cards are pairs (rank, suit); a hand is a tuple of cards; `strength` maps a hand to anything ordered.
`entry` maps a strength to the probability of entering. Nothing here knows how the library counts.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product

Card = tuple[int, int]
Hand = tuple[Card, ...]
Strength = tuple[int, ...]


def make_deck(n_ranks: int, n_suits: int) -> list[Card]:
    return [(rank, suit) for rank in range(n_ranks) for suit in range(n_suits)]


def code_to_card(code: int) -> Card:
    return code // 4, code % 4


def guts_two(hand: Hand) -> Strength:
    """Pairs above everything else, then the higher card, then the lower."""
    high, low = sorted((rank for rank, _ in hand), reverse=True)
    return (int(high == low), high, low)


def guts_three_plain(hand: Hand) -> Strength:
    """Trips, pairs, high cards; no straights, no flushes."""
    counts = Counter(rank for rank, _ in hand)
    ordered = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    return (max(counts.values()), *ordered)


def deals(cards: list[Card], hand_size: int, n_players: int) -> Iterator[tuple[Hand, ...]]:
    """Every way to deal hands to distinct players."""
    if n_players == 0:
        yield ()
        return
    for hand in combinations(cards, hand_size):
        rest = [card for card in cards if card not in hand]
        for others in deals(rest, hand_size, n_players - 1):
            yield (hand, *others)


def declarations(strengths: list[Strength], entry: Callable[[Strength], Fraction]):
    """Every set of declarations with its probability."""
    for entered in product((False, True), repeat=len(strengths)):
        chance = Fraction(1)
        for strength, is_in in zip(strengths, entered):
            chance *= entry(strength) if is_in else 1 - entry(strength)
        if chance:
            yield entered, chance


def hero_payoff(n_players: int, hero_in: bool, hero: Strength, others_in: list[Strength]) -> Fraction:
    """Payoff of the hero with pot 1, what is left on the table being shared by all."""
    everyone_in = others_in + ([hero] if hero_in else [])
    if not everyone_in:
        return Fraction(1, n_players)
    best = max(everyone_in)
    n_best = everyone_in.count(best)
    own = Fraction(0)
    if hero_in:
        own = Fraction(1, n_best) if hero == best else Fraction(-1)
    return own + Fraction(len(everyone_in) - n_best, n_players)


def hero_values(
    cards: list[Card],
    hero: Hand,
    n_players: int,
    strength: Callable[[Hand], Strength],
    entry: Callable[[Strength], Fraction],
) -> tuple[Fraction, Fraction]:
    """Exact value of being in and of being out for one hero hand."""
    rest = [card for card in cards if card not in hero]
    totals = [Fraction(0), Fraction(0)]
    n_deals = 0
    # Only the multiset of the opponents' strengths matters, so equal ones are settled once.
    kinds: Counter[tuple[Strength, ...]] = Counter()
    strength_of = {hand: strength(hand) for hand in combinations(rest, len(hero))}
    for others in deals(rest, len(hero), n_players - 1):
        kinds[tuple(sorted(strength_of[hand] for hand in others))] += 1
        n_deals += 1
    for strengths, count in kinds.items():
        for entered, chance in declarations(list(strengths), entry):
            others_in = [s for s, is_in in zip(strengths, entered) if is_in]
            for hero_in in (False, True):
                totals[hero_in] += count * chance * hero_payoff(n_players, hero_in, strength(hero), others_in)
    return totals[True] / n_deals, totals[False] / n_deals


def round_law(
    cards: list[Card],
    hand_size: int,
    n_players: int,
    strength: Callable[[Hand], Strength],
    entry: Callable[[Strength], Fraction],
) -> dict[tuple[int, int], Fraction]:
    """Exact law of (players in, players tied best)."""
    kinds: Counter[tuple[Strength, ...]] = Counter()
    n_deals = 0
    for hands in deals(cards, hand_size, n_players):
        kinds[tuple(sorted(strength(hand) for hand in hands))] += 1
        n_deals += 1
    law: Counter[tuple[int, int]] = Counter()
    for strengths, count in kinds.items():
        for entered, chance in declarations(list(strengths), entry):
            everyone_in = [s for s, is_in in zip(strengths, entered) if is_in]
            n_best = everyone_in.count(max(everyone_in)) if everyone_in else 0
            law[len(everyone_in), n_best] += count * chance / n_deals
    return dict(law)


def families_below(cards: list[Card], best: Strength, n_best: int, n_weaker: int) -> int:
    """Number of sets of disjoint two-card hands, n_best as strong as `best` and n_weaker weaker."""
    hands = [hand for hand in combinations(cards, 2) if guts_two(hand) <= best]

    def extend(start: int, used: frozenset[Card], still_best: int, still_weaker: int) -> int:
        if still_best == still_weaker == 0:
            return 1
        total = 0
        for place in range(start, len(hands)):
            hand = hands[place]
            if used & set(hand):
                continue
            if guts_two(hand) == best:
                if still_best:
                    total += extend(place + 1, used | set(hand), still_best - 1, still_weaker)
            elif still_weaker:
                total += extend(place + 1, used | set(hand), still_best, still_weaker - 1)
        return total

    return extend(0, frozenset(), n_best, n_weaker)
