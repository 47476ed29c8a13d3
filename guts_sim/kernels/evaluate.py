"""Evaluate hands of up to seven cards with bit logic on one 13-bit rank mask per suit.

The key of a hand is an int32, ``category << 26 | primary << 13 | kickers``. ``primary`` is the mask of the
ranks that make the category (both ranks of two pair, the top of a straight, nothing for a flush), ``kickers``
the mask of the ranks that decide after that. Masks of equally many bits compare like their ranks, highest
first, so the larger key is the stronger hand.

The evaluation of high hands is a chain of uint16 operations without a branch or a table, so loops over
arrays of masks vectorise. That needs a cast at every step (numba widens each intermediate result to 64 bits
otherwise), the two halves of a key kept apart to the end, and pieces that are called from the loop itself
and small enough to be compiled into it.
"""

import numpy as np

from guts_sim.kernels._jit import kernel, lean

PAIR = 1
TWO_PAIR = 2
TRIPS = 3
STRAIGHT = 4
FLUSH = 5
FULL_HOUSE = 6
QUADS = 7
STRAIGHT_FLUSH = 8

CATEGORY_SHIFT = 26
PRIMARY_SHIFT = 13
KICKER_BITS = 0x1FFF
# The key of a low hand is this minus what would be its key as a high hand with the ace below the two.
LOW_TOP = STRAIGHT_FLUSH << CATEGORY_SHIFT

# Hands per block: their cards, masks and keys fit a 32 KB cache; smaller blocks lose time between loops.
LANES = 1024

_ONE = np.uint16(1)
# One bit per card, the suits in fields of 16 bits: the masks of a hand are the fields of the sum.
CARD_BITS = np.array([1 << (card // 4 + 16 * (card % 4)) for card in range(52)], dtype=np.uint64)


@lean
def _ones_if(condition):
    """Sixteen ones where the condition holds, zeros elsewhere."""
    return np.uint16(np.uint16(0) - np.uint16(condition))


@lean
def _select(mask, if_ones, if_zeros):
    """Choose by a mask of sixteen ones or zeros."""
    return np.uint16(np.uint16(if_ones & mask) | np.uint16(if_zeros & np.uint16(~mask)))


@lean
def _without_lowest(ranks):
    """Drop the lowest bit.

    ``ranks & (ranks - 1)`` for masks below 0x8000. Written with -1, LLVM would fuse it with a test for zero
    into an add-with-overflow, which it cannot vectorise.
    """
    return np.uint16(ranks & np.uint16(ranks + np.uint16(0x7FFF)))


@lean
def _without_lowest_unless_alone(ranks):
    rest = _without_lowest(ranks)
    return _select(_ones_if(rest != 0), rest, ranks)


@lean
def _straight_top(ranks):
    """Top rank of the best straight, as a bit, or nothing. The ace also counts low."""
    steps = np.uint16(np.uint16(ranks << _ONE) | np.uint16(ranks >> np.uint16(12)))
    twos = np.uint16(steps & np.uint16(steps >> _ONE))
    fours = np.uint16(twos & np.uint16(twos >> np.uint16(2)))
    lows = np.uint16(fours & np.uint16(steps >> np.uint16(4)))
    # Up to seven cards, the low ends of all straights are neighbours: the best has none above it.
    best_low = np.uint16(lows & np.uint16(~np.uint16(lows >> _ONE)))
    return np.uint16(best_low << np.uint16(3))


@lean
def _all_but_four(ranks):
    """Drop the four lowest bits: something is left just where there are five or more."""
    return _without_lowest(_without_lowest(_without_lowest(_without_lowest(ranks))))


@lean
def _flush(clubs, diamonds, hearts, spades):
    """All ranks of the suit with five or more cards, and the highest five of them; or nothing."""
    c = _all_but_four(clubs)
    d = _all_but_four(diamonds)
    h = _all_but_four(hearts)
    s = _all_but_four(spades)
    suited = np.uint16(clubs & _ones_if(c != 0))
    suited = np.uint16(suited | np.uint16(diamonds & _ones_if(d != 0)))
    suited = np.uint16(suited | np.uint16(hearts & _ones_if(h != 0)))
    suited = np.uint16(suited | np.uint16(spades & _ones_if(s != 0)))
    sixth = _without_lowest(np.uint16(np.uint16(c | d) | np.uint16(h | s)))
    seventh = _without_lowest(sixth)
    best = _select(_ones_if(sixth != 0), _without_lowest(suited), suited)
    best = _select(_ones_if(seventh != 0), _without_lowest(best), best)
    return suited, best


@lean
def _groups(clubs, diamonds, hearts, spades):
    """Ranks held at all, exactly twice, exactly three and exactly four times: half adders per rank."""
    odd_1 = np.uint16(clubs ^ diamonds)
    odd_2 = np.uint16(hearts ^ spades)
    two_1 = np.uint16(clubs & diamonds)
    two_2 = np.uint16(hearts & spades)
    odd = np.uint16(odd_1 ^ odd_2)
    several = np.uint16(np.uint16(two_1 | two_2) | np.uint16(odd_1 & odd_2))
    quads = np.uint16(two_1 & two_2)
    trips = np.uint16(odd & several)
    pairs = np.uint16(np.uint16(several ^ trips) ^ quads)
    return np.uint16(odd | several), pairs, trips, quads


@lean
def _best_groups(clubs, diamonds, hearts, spades, n_cards):
    """Ranks held; category, primary and kickers of the best five when only groups of ranks count."""
    ranks, pairs, trips, quads = _groups(clubs, diamonds, hearts, spades)
    top_trips = _without_lowest_unless_alone(trips)
    second_pairs = _without_lowest(pairs)
    third_pair = _without_lowest(second_pairs)
    top_pairs = _select(_ones_if(third_pair != 0), second_pairs, pairs)
    fillers = np.uint16(np.uint16(trips ^ top_trips) | pairs)
    has_quads = _ones_if(quads != 0)
    has_trips = _ones_if(trips != 0)
    has_full_house = np.uint16(np.uint16(has_trips & _ones_if(fillers != 0)) & np.uint16(~has_quads))

    primary = _select(has_quads, quads, _select(has_trips, top_trips, top_pairs))
    kickers = _select(has_full_house, fillers, np.uint16(ranks ^ primary))
    # Whatever the category, each card beyond five costs the lowest kicker, but never the only one.
    kickers = _select(_ones_if(n_cards > 5), _without_lowest_unless_alone(kickers), kickers)
    kickers = _select(_ones_if(n_cards > 6), _without_lowest_unless_alone(kickers), kickers)

    category = np.uint16(np.uint16(pairs != 0) + np.uint16(second_pairs != 0))
    category = _select(has_trips, np.uint16(TRIPS), category)
    category = _select(has_full_house, np.uint16(FULL_HOUSE), category)
    category = _select(has_quads, np.uint16(QUADS), category)
    return ranks, category, primary, kickers


@lean
def _key_halves(ranks, category, primary, kickers, suited, best_suited):
    """Upper and lower half of the key, from the best groups and the flush.

    With a straight or a flush, five of at most seven cards differ in rank: no room for a full house.
    """
    has_flush = _ones_if(suited != 0)
    straight = _straight_top(_select(has_flush, suited, ranks))
    has_straight = _ones_if(straight != 0)
    primary = _select(has_straight, straight, np.uint16(primary & np.uint16(~has_flush)))
    kickers = np.uint16(_select(has_flush, best_suited, kickers) & np.uint16(~has_straight))
    straight_category = _select(has_flush, np.uint16(STRAIGHT_FLUSH), np.uint16(STRAIGHT))
    category = _select(has_flush, np.uint16(FLUSH), category)
    category = _select(has_straight, straight_category, category)
    upper = np.uint16(np.uint16(category << np.uint16(10)) | np.uint16(primary >> np.uint16(3)))
    lower = np.uint16(np.uint16(primary << np.uint16(13)) | kickers)
    return upper, lower


@lean
def high5_key(clubs, diamonds, hearts, spades, n_cards):
    """Key of the best five of one hand of five to seven cards, given as uint16 rank masks of the suits."""
    ranks, category, primary, kickers = _best_groups(clubs, diamonds, hearts, spades, n_cards)
    suited, best_suited = _flush(clubs, diamonds, hearts, spades)
    upper, lower = _key_halves(ranks, category, primary, kickers, suited, best_suited)
    return np.int32(np.int32(upper) << np.int32(16) | np.int32(lower))


@lean
def high5_lanes(clubs, diamonds, hearts, spades, n_cards, keys):
    """Fill ``keys`` (n,) int32 with the keys of n hands of five to seven cards.

    The masks are contiguous arrays (n,) uint16. Keys are stored as little-endian halves, so that the whole
    loop has one lane width.
    """
    halves = keys.view(np.uint16)
    for i in range(keys.size):
        c, d, h, s = clubs[i], diamonds[i], hearts[i], spades[i]
        ranks, category, primary, kickers = _best_groups(c, d, h, s, n_cards)
        suited, best_suited = _flush(c, d, h, s)
        upper, lower = _key_halves(ranks, category, primary, kickers, suited, best_suited)
        halves[2 * i] = lower
        halves[2 * i + 1] = upper


@lean
def exposed_key(clubs, diamonds, hearts, spades):
    """Key of one to four cards on the table: groups of ranks, then high cards."""
    _, category, primary, kickers = _best_groups(clubs, diamonds, hearts, spades, 4)
    return _packed(category, primary, kickers)


@lean
def low5_key(clubs, diamonds, hearts, spades):
    """Key of the best ace-to-five low of one hand of five to seven cards; larger is stronger.

    The best low has as many ranks as the hand allows; where that leaves groups, the lowest ranks form them.
    """
    ranks, pairs, trips, quads = _groups(
        _ace_lowest(clubs), _ace_lowest(diamonds), _ace_lowest(hearts), _ace_lowest(spades)
    )
    ranks, quads = np.int64(ranks), np.int64(quads)
    of_three = np.int64(trips) | quads
    several = np.int64(pairs) | of_three
    n_ranks = _bit_count(ranks)
    if n_ranks >= 5:
        category, primary, ranks = 0, 0, _lowest(ranks, 5)
    elif n_ranks == 4:
        category, primary = PAIR, _lowest(several, 1)
    elif n_ranks == 3 and _bit_count(several) == 1:
        category, primary = TRIPS, several
    elif n_ranks == 3:
        category, primary = TWO_PAIR, _lowest(several, 2)
    elif several == ranks:
        category, primary = FULL_HOUSE, _lowest(of_three, 1)
    else:
        category, primary = QUADS, quads
    return np.int32(LOW_TOP - _packed(category, primary, ranks ^ primary))


@lean
def _packed(category, primary, kickers):
    return np.int32((category << CATEGORY_SHIFT) | (primary << PRIMARY_SHIFT) | kickers)


@lean
def _ace_lowest(ranks):
    return np.uint16((ranks << 1 | ranks >> 12) & KICKER_BITS)


@lean
def _lowest(ranks, n):
    """The n lowest bits."""
    rest = ranks
    for _ in range(n):
        rest &= rest - 1
    return ranks ^ rest


@lean
def _bit_count(ranks):
    count = 0
    rest = ranks
    while rest != 0:
        rest &= rest - 1
        count += 1
    return count


@lean
def _masks_of_hand(cards):
    """Rank masks of the suits of one hand, ``cards`` (n_cards,)."""
    bits = np.uint64(0)
    for card in cards:
        bits |= CARD_BITS[card]
    return (
        np.uint16(bits),
        np.uint16(bits >> np.uint64(16)),
        np.uint16(bits >> np.uint64(32)),
        np.uint16(bits >> np.uint64(48)),
    )


@lean
def _add_column(column, clubs, diamonds, hearts, spades):
    """Add one card per hand to the masks of the hands."""
    for i in range(column.size):
        suit = np.uint16(column[i] & np.uint8(3))
        bit = np.uint16(_ONE << np.uint16(np.uint16(column[i] >> np.uint8(2)) & np.uint16(15)))
        clubs[i] |= np.uint16(bit & _ones_if(suit == np.uint16(0)))
        diamonds[i] |= np.uint16(bit & _ones_if(suit == np.uint16(1)))
        hearts[i] |= np.uint16(bit & _ones_if(suit == np.uint16(2)))
        spades[i] |= np.uint16(bit & _ones_if(suit == np.uint16(3)))


@lean
def _turn(rows, columns):
    """Write the rows (n, n_cards) of some hands as columns (n_cards, n or more)."""
    for j in range(rows.shape[1]):
        for i in range(rows.shape[0]):
            columns[j, i] = rows[i, j]


@kernel
def high5_from_masks(masks, n_cards, keys):
    """Fill ``keys`` (n,) int32 from ``masks`` (4, n) uint16."""
    high5_lanes(masks[0], masks[1], masks[2], masks[3], n_cards, keys)


@lean
def _high5_of_columns(columns, masks, keys):
    """Fill ``keys`` (n,), at most LANES, from ``columns`` (n_cards, n or more); overwrites ``masks`` (4, LANES)."""
    n = keys.size
    c, d, h, s = masks[0, :n], masks[1, :n], masks[2, :n], masks[3, :n]
    for i in range(n):
        c[i], d[i], h[i], s[i] = np.uint16(0), np.uint16(0), np.uint16(0), np.uint16(0)
    for j in range(columns.shape[0]):
        _add_column(columns[j, :n], c, d, h, s)
    high5_lanes(c, d, h, s, columns.shape[0], keys)


@kernel
def high5_from_columns(cards, keys):
    """Fill ``keys`` (n,) int32 from ``cards`` (n_cards, n) uint8."""
    masks = np.empty((4, LANES), np.uint16)
    for start in range(0, keys.size, LANES):
        stop = min(start + LANES, keys.size)
        _high5_of_columns(cards[:, start:stop], masks, keys[start:stop])


@kernel
def high5_from_rows(cards, keys):
    """Fill ``keys`` (n,) int32 from ``cards`` (n, n_cards) uint8.

    Turning a block of hands into columns costs less than looking up the bits of every card.
    """
    masks = np.empty((4, LANES), np.uint16)
    columns = np.empty((cards.shape[1], LANES), np.uint8)
    for start in range(0, keys.size, LANES):
        stop = min(start + LANES, keys.size)
        _turn(cards[start:stop], columns)
        _high5_of_columns(columns, masks, keys[start:stop])


@kernel
def low5_from_rows(cards, keys):
    """Fill ``keys`` (n,) int32 from ``cards`` (n, n_cards) uint8, five to seven cards each."""
    for i in range(keys.size):
        clubs, diamonds, hearts, spades = _masks_of_hand(cards[i])
        keys[i] = low5_key(clubs, diamonds, hearts, spades)


@kernel
def exposed_from_rows(cards, keys):
    """Fill ``keys`` (n,) int32 from ``cards`` (n, n_cards) uint8, one to four cards each."""
    for i in range(keys.size):
        clubs, diamonds, hearts, spades = _masks_of_hand(cards[i])
        keys[i] = exposed_key(clubs, diamonds, hearts, spades)
