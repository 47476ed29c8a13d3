"""Rounds of Guts in lanes: deal, look up, decide, settle, count.

Independent rounds at pot 1 under fixed strategies. Every stage runs over ``LANES`` deals at a time in
buffers that stay in the fastest cache; each loop works on one row and one integer width, which is what
lets it vectorise. The few lanes that need more (tied best hands) go through a scalar loop.

A strategy is a row of ``thresholds``: per hand class the entry probability in units of 2**-31. A player
with threshold ``t`` enters if a random number below 2**31 is smaller than ``t``, so 0 and 2**31 are never
and always. The random number of (deal, player) is a function of these two and the entry key alone: it is
the upper 31 bits of half ``deal % 2`` (half 0 = low) of word ``(deal // 2) * n_players + player``.

A ``score`` is 0 for a player who is out and ``hand_class + 1`` for one who is in.
"""

import numpy as np

from guts_sim.kernels._jit import inlined, kernel, lean
from guts_sim.kernels.deal import LANES, deal_lanes, deal_scratch, list_lanes
from guts_sim.kernels.rand import GAMMA, ONE, mix64

ALWAYS = np.uint32(1 << 31)  # the entry threshold of a class that always enters
UNITS = 2520  # sub-units of one chip (here: of the pot); divisible by 1 .. 10
N_SEAT_COUNTS = 5
SEAT_IN, SEAT_SOLE, SEAT_TIED, SEAT_LOST, SEAT_NET = range(N_SEAT_COUNTS)

N_ROWS = 4
BEST, N_IN, N_BEST, TIED_LANES = range(N_ROWS)
MORE_THAN_ONE = np.uint16(0xFFFE)  # bits of the numbers above 1

DEALS_PER_ENTRY_WORD = np.uint64(2)
ENTRY_WORDS_PER_ROW = LANES // 2 + 4  # see deal.WORDS_PER_ROW


@lean
def index_two(first, second, index):
    """Index of two-card hands in their table."""
    for lane in range(LANES):
        rank_0 = np.uint16(first[lane] >> np.uint8(2))
        rank_1 = np.uint16(second[lane] >> np.uint8(2))
        index[lane] = np.uint16(np.uint16(rank_0 * np.uint16(13)) + rank_1)


@lean
def index_three(first, second, third, index):
    """Index of three-card hands in their table: the ranks as digits of base 13, flushes apart."""
    for lane in range(LANES):
        rank_0 = np.uint16(first[lane] >> np.uint8(2))
        rank_1 = np.uint16(second[lane] >> np.uint8(2))
        rank_2 = np.uint16(third[lane] >> np.uint8(2))
        ranks = np.uint16(np.uint16(np.uint16(rank_0 * np.uint16(13)) + rank_1) * np.uint16(13) + rank_2)
        suits_differ = np.uint8((first[lane] ^ second[lane]) | (first[lane] ^ third[lane])) & np.uint8(3)
        index[lane] = np.uint16(ranks + np.uint16(np.uint16(suits_differ == np.uint8(0)) * np.uint16(2197)))


@lean
def hand_index(cards, hand_size, player, index):
    """Table index of one player's hand in every lane; hands lie player by player in ``cards``."""
    at = hand_size * player
    if hand_size == 2:
        index_two(cards[at], cards[at + 1], index)
    else:
        index_three(cards[at], cards[at + 1], cards[at + 2], index)


@lean
def look_up(table, index, values):
    for lane in range(LANES):
        values[lane] = table[index[lane]]


@lean
def fill_entry_words(key, first, words):
    """Row ``player`` of ``words``: the words that this player's decisions from deal ``first`` on read."""
    n_players = np.uint64(words.shape[0])
    counter = first // DEALS_PER_ENTRY_WORD * n_players
    for player in range(words.shape[0]):
        state = key + (counter + np.uint64(player) + ONE) * GAMMA
        for g in range(words.shape[1]):
            words[player, g] = mix64(state + np.uint64(g) * (n_players * GAMMA))


@lean
def keep_entering(draws, thresholds, scores):
    """Set the scores of those who stay out to 0."""
    for lane in range(LANES):
        enters = np.uint32(np.uint32(draws[lane] >> np.uint32(1)) < thresholds[lane])
        scores[lane] = np.uint16(scores[lane] * np.uint16(enters))


@inlined
def entry_tables(table, thresholds):
    """Per strategy and table index: the score of one who may enter, and the threshold; and who mixes."""
    n_strategies = thresholds.shape[0]
    scores = np.empty((n_strategies, table.size), np.uint16)
    by_index = np.empty((n_strategies, table.size), np.uint32)
    mixes = np.zeros(n_strategies, np.bool_)
    for s in range(n_strategies):
        for i in range(table.size):
            threshold = thresholds[s, table[i]]
            by_index[s, i] = threshold
            scores[s, i] = np.uint16(table[i] + 1) if threshold > 0 else np.uint16(0)
            if 0 < threshold < ALWAYS:
                mixes[s] = True
    return scores, by_index, mixes


@lean
def clear_rows(best, n_in, n_best):
    """A best score of 1 to begin with, so that nobody who is out (score 0) ever equals it."""
    for lane in range(LANES):
        best[lane] = np.uint16(1)
        n_in[lane] = np.uint16(0)
        n_best[lane] = np.uint16(0)


@lean
def take_in(scores, best, n_in):
    """Let a player's hands raise the best scores and count where he is in; returns in how many lanes he is."""
    count = np.uint16(0)
    for lane in range(LANES):
        is_in = np.uint16(scores[lane] > np.uint16(0))
        best[lane] = max(best[lane], scores[lane])
        n_in[lane] = np.uint16(n_in[lane] + is_in)
        count = np.uint16(count + is_in)
    return np.int64(count)


@lean
def compare_with_best(scores, best, n_best):
    """Count where a player has a best hand; returns in how many lanes that is."""
    count = np.uint16(0)
    for lane in range(LANES):
        is_best = np.uint16(scores[lane] == best[lane])
        n_best[lane] = np.uint16(n_best[lane] + is_best)
        count = np.uint16(count + is_best)
    return np.int64(count)


@lean
def count_equal(row, value):
    count = np.uint16(0)
    for lane in range(LANES):
        count = np.uint16(count + np.uint16(row[lane] == value))
    return np.int64(count)


@lean
def count_ties(scores, rows, n_tied, joint, seats):
    """Correct the counts of lanes with several best hands, which were counted as having one."""
    for k in range(n_tied):
        lane = rows[TIED_LANES, k]
        n_in, n_winners = rows[N_IN, lane], np.int64(rows[N_BEST, lane])
        joint[n_in, 1] -= 1
        joint[n_in, n_winners] += 1
        for player in range(scores.shape[0]):
            if scores[player, lane] == rows[BEST, lane]:
                seats[player, SEAT_TIED] += 1
                seats[player, SEAT_NET] += UNITS // n_winners


@lean
def settle_lanes(scores, rows, joint, seats):
    """Count the outcomes of all lanes: into ``joint[n_in, n_best]`` and ``seats``.

    Columns SEAT_SOLE and SEAT_LOST are left to `finish_seats`; until then SEAT_SOLE counts best hands.
    ``rows``, uint16 (N_ROWS, LANES), is filled with best score, players in, best hands, and a list of the lanes
    with a tie; returns the length of this list.
    """
    n_players = scores.shape[0]
    clear_rows(rows[BEST], rows[N_IN], rows[N_BEST])
    for player in range(n_players):
        seats[player, SEAT_IN] += take_in(scores[player], rows[BEST], rows[N_IN])
    n_best_hands = 0
    for player in range(n_players):
        n_best_hands_here = compare_with_best(scores[player], rows[BEST], rows[N_BEST])
        seats[player, SEAT_SOLE] += n_best_hands_here
        n_best_hands += n_best_hands_here
    n_nobody = count_equal(rows[N_IN], np.uint16(0))
    joint[0, 0] += n_nobody
    for k in range(1, n_players + 1):
        joint[k, 1] += count_equal(rows[N_IN], np.uint16(k))
    if n_nobody + n_best_hands == LANES:
        return 0
    n_tied = list_lanes(rows[N_BEST], MORE_THAN_ONE, rows[TIED_LANES])
    count_ties(scores, rows, n_tied, joint, seats)
    return n_tied


@lean
def finish_seats(seats):
    for player in range(seats.shape[0]):
        n_best = seats[player, SEAT_SOLE]
        seats[player, SEAT_SOLE] = n_best - seats[player, SEAT_TIED]
        seats[player, SEAT_LOST] = seats[player, SEAT_IN] - n_best
        seats[player, SEAT_NET] += UNITS * (seats[player, SEAT_SOLE] - seats[player, SEAT_LOST])


@inlined
def scoring_buffers(n_players):
    """Working memory of `score_lanes`."""
    index = np.empty(LANES, np.uint16)
    lane_thresholds = np.empty(LANES, np.uint32)
    entry_words = np.empty((n_players, ENTRY_WORDS_PER_ROW), np.uint64)
    return index, lane_thresholds, entry_words


@lean
def score_lanes(cards, hand_size, entry_key, deal, strategy_of, tables, buffers, scores):
    """Scores (player, lane) of the hands in ``cards``, dealt as ``deal``, ``deal + 1``, ...

    ``tables`` come from `entry_tables`, ``buffers`` from `scoring_buffers`.
    """
    score_tables, threshold_tables, mixes = tables
    index, lane_thresholds, entry_words = buffers
    anyone_mixes = False
    for player in range(strategy_of.size):
        anyone_mixes |= mixes[strategy_of[player]]
    if anyone_mixes:
        fill_entry_words(entry_key, deal, entry_words)
    for player in range(strategy_of.size):
        s = strategy_of[player]
        hand_index(cards, hand_size, player, index)
        look_up(score_tables[s], index, scores[player])
        if mixes[s]:
            look_up(threshold_tables[s], index, lane_thresholds)
            draws = entry_words.view(np.uint32)[player, np.int64(deal % DEALS_PER_ENTRY_WORD) :]
            keep_entering(draws, lane_thresholds, scores[player])


@kernel
def count_rounds(key, entry_key, first, n_deals, hand_size, table, thresholds, strategy_of, joint, seats):
    """Play deals ``first`` .. ``first + n_deals - 1`` as independent rounds and count what happens.

    ``key``, ``entry_key``, ``first``: uint64. ``hand_size``: 2 or 3. ``table``: uint16, hand class by table
    index. ``thresholds``: uint32 (strategy, class). ``strategy_of``: int64 (player). Overwritten:
    ``joint``: int64 (n_players + 1, n_players + 1), rounds by (players in, best hands among them; 0 if
    nobody is in); ``seats``: int64 (player, 5), rounds in, won alone, tied for best, lost, and the net
    from the pot in 1/2520 of it (+1 won, +1/w tied, -1 lost).
    """
    n_players = strategy_of.size
    scratch = deal_scratch(n_players * hand_size)
    cards = np.empty((n_players * hand_size, LANES), np.uint8)
    scores = np.empty((n_players, LANES), np.uint16)
    rows = np.empty((N_ROWS, LANES), np.uint16)
    known = np.empty(0, np.uint8)
    tables = entry_tables(table, thresholds)
    buffers = scoring_buffers(n_players)
    joint[:] = 0
    seats[:] = 0
    for start in range(0, n_deals, LANES):
        deal = first + np.uint64(start)
        deal_lanes(key, deal, known, scratch, cards)
        score_lanes(cards, hand_size, entry_key, deal, strategy_of, tables, buffers, scores)
        n_live = min(LANES, n_deals - start)
        for player in range(n_players):
            for lane in range(n_live, LANES):
                scores[player, lane] = np.uint16(0)
        settle_lanes(scores, rows, joint, seats)
        joint[0, 0] -= LANES - n_live
    finish_seats(seats)
