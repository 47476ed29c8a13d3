"""What the kernel of whole Anaconda hands and those who call it agree on; needs no compiler.

Chances and frequencies are whole numbers of 1/65536, so that the plain referee and the kernel decide alike to the bit.
"""

UNIT = 1 << 16  # the probability 1
N_BINS = 64  # steps of strength of a final hand, equally frequent
N_INDICES = 9 << 13  # see `anaconda_play.strength_index`

# Columns of a strategy's parameters.
POLICY, ORDER, CALL, RAISE_AT, BLUFF, SLOW, CREDIT, NOISE = range(8)
N_PARAMETERS = 8
MOST_CREDIT = UNIT // 2  # no betting makes a player think that the others hold more than the better half

LAST, HIDE, HONEST, SHUFFLED = range(4)  # orders of reveal
REVEALS = 4  # the fifth card stays hidden to the showdown

# Classes of exposed cards: what they show, times the rank of it.
N_CLASSES = 8 * 13
NOTHING, RUN, SUITED, PAIRED, TWO_PAIRED, THREE, FOUR = 0, 1, 2, 4, 5, 6, 7  # RUN and SUITED add up

MAX_RAISES = 3
# Counter of the random word of a decision: WORDS_PER_DEAL * deal + WORDS_PER_ROUND * round + 8 * seat + own action.
WORDS_PER_ROUND = 64
WORDS_PER_DEAL = 16 * WORDS_PER_ROUND
ORDER_ROUND = 15  # the round whose words shuffle the order of reveal

# Flags of how a hand ended for a player.
AT_SHOWDOWN, WON = 1, 2
NO_ACTION = 255  # fills up recorded actions
