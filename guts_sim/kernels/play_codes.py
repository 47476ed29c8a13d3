"""How sessions are described to the kernels that play them; importing this compiles nothing.

``play`` is an int64 array, indexed by the ``PLAY_`` constants. Amounts are in sub-units of a chip.
"""

N_PLAY = 12
(
    PLAY_HAND_SIZE,
    PLAY_POTS,  # 1, or 2 with a pot for the lowest hand
    PLAY_COMMUNITY,  # common cards
    PLAY_GHOSTS,  # neutral hands that are dealt
    PLAY_PASS,  # which card everybody passes to the left
    PLAY_SEQUENTIAL,  # whether players declare in turn
    PLAY_BY_SUIT,  # whether suits part equal hands
    PLAY_STRAIGHTS,  # whether A-2-3 is a straight, in which the ace is low
    PLAY_STACK,  # what every player brings
    PLAY_CYCLES,  # cycles of a session; 0 for no limit
    PLAY_ROUNDS,  # most rounds of a session
    PLAY_SHARE_LEFT,  # whether chips left at the end go to the players
) = range(N_PLAY)
NO_PASS, PASS_LOWEST, PASS_KEEP_BEST = range(3)

N_SESSION_COLUMNS = 7
SESSION_ROUNDS, SESSION_CYCLES = 1, 6
FATE_PLAYING, FATE_RUINED, FATE_STOPPED = range(3)

# Largest amount with which a session goes on: far below what settlement needs, so that sums over a session's rounds
# of an amount times the number of players fit into 64 bits as well.
LARGEST_AMOUNT = 1 << 55
# What players have who can always pay: more than any session asks of them.
ENDLESS = 1 << 57
