"""Deals without a deck: exact uniform draws, a Lehmer code, and its decoding, in lanes.

A deal of ``k`` cards is ``k`` digits. Digit ``i`` is uniform over the ``52 - n_known - i`` cards that are
left and says which of them, in ascending order, comes next; decoding the digits (a Lehmer code) gives ``k``
different cards, every ordered choice of ``k`` being equally likely.

Which random bits a deal reads depends only on (key, deal number, ``k``). Four neighbouring deals share their
words: digit ``i`` of deal ``d`` reads the 16-bit piece ``d % 4`` (piece 0 = lowest bits) of word
``(d // 4) * k + i``. Read this way a row of words IS a row of pieces, lane after lane, and no word is
wasted; cutting each deal's words apart took as long as making them.

A piece becomes a digit by multiply-high, ``piece * range >> 16``. A deal with any piece whose low product is
below ``65536 % range`` is rejected as a whole [1]_ (0.4 % of deals of 15 cards), so that accepted deals are
exactly uniform; it is drawn again from the same counters of a key made from (key, attempt).

Here arrays of cards run (card, lane); ``known`` are the cards taken from the deck before, in ascending order.

References
----------
.. [1] D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019),
   https://doi.org/10.1145/3230636
.. [2] D. E. Knuth, The Art of Computer Programming, vol. 3, section 5.1.1 (inversion tables).
"""

import numpy as np

from guts_sim.kernels._jit import inlined, kernel, lean
from guts_sim.kernels.rand import GAMMA, ONE, attempt_key, mix64, word

DECK_SIZE = 52
LANES = 256
DEALS_PER_WORD = np.uint64(4)
PIECE_BITS = np.uint64(16)
# One word more than the lanes need, because a first deal that is no multiple of four starts inside a word;
# rounded up to whole vectors.
WORDS_PER_ROW = LANES // 4 + 4
# REMAINDERS[span] = 2**16 mod span: pieces whose low product is below it are one too many for their digit.
REMAINDERS = np.array([0] + [65536 % span for span in range(1, DECK_SIZE + 1)], np.uint16)


@inlined
def deal_scratch(n_cards):
    """Working memory of `deal_lanes` for deals of ``n_cards`` cards; allocate once per kernel call."""
    words = np.empty((n_cards, WORDS_PER_ROW), np.uint64)
    offsets = np.empty(WORDS_PER_ROW, np.uint64)
    for g in range(WORDS_PER_ROW):
        offsets[g] = np.uint64(g) * (np.uint64(n_cards) * GAMMA)
    rejected, redrawn = np.empty(LANES, np.uint16), np.empty(LANES, np.uint16)
    one_deal = np.empty(n_cards, np.uint8)
    return words, offsets, rejected, redrawn, one_deal


@lean
def fill_deal_words(key, first, words, offsets):
    """Row ``i`` of ``words``: the words that digit ``i`` of the deals from ``first`` on reads."""
    n_cards = words.shape[0]
    counter = first // DEALS_PER_WORD * np.uint64(n_cards)
    for i in range(n_cards):
        state = key + (counter + np.uint64(i) + ONE) * GAMMA
        for g in range(WORDS_PER_ROW):
            words[i, g] = mix64(state + offsets[g])


@lean
def multiply_high(pieces, span, digits):
    for lane in range(LANES):
        digits[lane] = np.uint8((np.uint32(pieces[lane]) * np.uint32(span)) >> np.uint32(16))


@lean
def mark_rejected(pieces, span, least, rejected):
    """Bits wherever the low product is below ``least``: a subtraction that stops at 0 is faster than a comparison."""
    for lane in range(LANES):
        low = np.uint16(pieces[lane] * span)
        rejected[lane] |= np.uint16(least - min(low, least))


@lean
def digits_from_pieces(pieces, start, n_left, rejected, cards):
    """Digits of all lanes into ``cards``; lanes with a piece to be rejected get ``rejected`` != 0.

    One loop over one row per step: indexed in two dimensions, they do not vectorise (4 to 10 times slower).
    """
    for lane in range(LANES):
        rejected[lane] = np.uint16(0)
    for i in range(cards.shape[0]):
        row = pieces[i, start:]
        span = np.uint16(n_left - i)
        multiply_high(row, span, cards[i])
        mark_rejected(row, span, REMAINDERS[n_left - i], rejected)


@lean
def draw_digits(key, deal, n_left, digits):
    """Digits of one deal, redrawn until no piece is rejected (the scalar path)."""
    n_cards = digits.size
    counter = deal // DEALS_PER_WORD * np.uint64(n_cards)
    shift = deal % DEALS_PER_WORD * PIECE_BITS
    attempt = np.uint64(0)
    accepted = False
    while not accepted:
        accepted = True
        attempt_word_key = attempt_key(key, attempt)
        for i in range(n_cards):
            piece = (word(attempt_word_key, counter + np.uint64(i)) >> shift) & np.uint64(0xFFFF)
            product = np.uint32(piece) * np.uint32(n_left - i)
            digits[i] = np.uint8(product >> np.uint32(16))
            if np.uint32(product & np.uint32(0xFFFF)) < np.uint32(REMAINDERS[n_left - i]):
                accepted = False
                break
        attempt += ONE


@lean
def list_lanes(row, bits, lanes):
    """List the lanes whose value in a uint16 row has one of some bits; returns how many. They should be few.

    Four lanes are looked at together first, which nearly always is enough.
    """
    n = 0
    for start in range(0, LANES, 4):
        if (row[start] | row[start + 1] | row[start + 2] | row[start + 3]) & bits:
            for lane in range(start, start + 4):
                lanes[n] = np.uint16(lane)
                n += np.int64((row[lane] & bits) != np.uint16(0))
    return n


@lean
def redraw_rejected(key, first, n_left, rejected, redrawn, digits, cards):
    """Draw rejected lanes again, one by one."""
    for k in range(list_lanes(rejected, np.uint16(0xFFFF), redrawn)):
        lane = redrawn[k]
        draw_digits(key, first + np.uint64(lane), n_left, digits)
        for i in range(digits.size):
            cards[i, lane] = digits[i]


@lean
def move_up_past_two(row, first, second):
    """Past one card and then another, in one loop, which reads and writes the row half as often."""
    for lane in range(LANES):
        card = np.uint8(row[lane] + np.uint8(row[lane] >= first[lane]))
        row[lane] = np.uint8(card + np.uint8(card >= second[lane]))


@lean
def move_up_past(row, first):
    for lane in range(LANES):
        row[lane] += np.uint8(row[lane] >= first[lane])


@lean
def decode_lanes(cards):
    """Turn digits into cards, in place: no branch, no table, one compare-and-add per pair of positions.

    Every card, from the last but one on, moves up the later ones, while it still is a digit: two cards at a time,
    and with an odd number the first alone.
    """
    n_cards = cards.shape[0]
    for i in range(n_cards - 2, -1, -2):
        for j in range(i + 2, n_cards):
            move_up_past_two(cards[j], cards[i + 1], cards[i])
        move_up_past(cards[i + 1], cards[i])
    if n_cards % 2 == 1:
        for j in range(1, n_cards):
            move_up_past(cards[j], cards[0])


@lean
def skip_known_lanes(known, cards):
    """Number the cards left in the deck as the full deck does, in place."""
    for i in range(known.size):
        taken = known[i]
        for j in range(cards.shape[0]):
            for lane in range(LANES):
                cards[j, lane] += np.uint8(cards[j, lane] >= taken)


@lean
def deal_lanes(key, first, known, scratch, cards):
    """Deals ``first`` .. ``first + LANES - 1`` of run ``key`` into ``cards``.

    ``key``, ``first``: uint64; ``known``: uint8, ascending; ``scratch``: from `deal_scratch`;
    ``cards``: uint8 (card, LANES), C order, overwritten.
    """
    words, offsets, rejected, redrawn, one_deal = scratch
    n_left = DECK_SIZE - known.size
    fill_deal_words(key, first, words, offsets)
    start = np.int64(first % DEALS_PER_WORD)
    digits_from_pieces(words.view(np.uint16), start, n_left, rejected, cards)
    redraw_rejected(key, first, n_left, rejected, redrawn, one_deal, cards)
    decode_lanes(cards)
    skip_known_lanes(known, cards)


@lean
def deal_one(key, deal, known, cards):
    """Deal number ``deal`` into ``cards`` (uint8, 1-D): the scalar twin of `deal_lanes`, bit for bit."""
    draw_digits(key, deal, DECK_SIZE - known.size, cards)
    # Card j needs the earlier digits only, the last of them first, so it can stay in a register.
    for j in range(cards.size - 1, 0, -1):
        card = np.int64(cards[j])
        for i in range(j - 1, -1, -1):
            card += np.int64(card >= np.int64(cards[i]))
        cards[j] = np.uint8(card)
    for i in range(known.size):
        for j in range(cards.size):
            cards[j] += np.uint8(cards[j] >= known[i])


@kernel
def fill_deals(key, first, known, out):
    """Deals from number ``first`` on into ``out``, uint8 (deal, card)."""
    n_deals, n_cards = out.shape
    scratch = deal_scratch(n_cards)
    cards = np.empty((n_cards, LANES), np.uint8)
    for start in range(0, n_deals, LANES):
        deal_lanes(key, first + np.uint64(start), known, scratch, cards)
        for lane in range(min(LANES, n_deals - start)):
            for i in range(n_cards):
                out[start + lane, i] = cards[i, lane]


@kernel
def fill_deals_one_by_one(key, first, known, out):
    """What `fill_deals` fills, by the scalar path: the reference in tests and benchmarks."""
    for row in range(out.shape[0]):
        deal_one(key, first + np.uint64(row), known, out[row])
