"""What the kernels of passing and those who call them agree on; needs no compiler.

The 35 ways to pass three of seven ascending cards are numbered in lexicographic order of the positions passed, so that
number 0 passes the lowest cards.
"""

from itertools import combinations

import numpy as np

LOWEST, RANDOM, SCORED = range(3)  # kinds of policies
HAND_SIZE = 7
BATCH = 3  # cards of the pass that scores decide
N_KEPT = HAND_SIZE - BATCH
PASSED = np.array(list(combinations(range(HAND_SIZE), BATCH)), np.int64)
KEPT = np.array([[i for i in range(HAND_SIZE) if i not in option] for option in PASSED.tolist()], np.int64)
MOST_OPTIONS = len(PASSED)
SHARE_UNITS = 420  # the pot in units that up to seven players can share
DEALS_PER_GROUP = 256  # deals that the kernels take at a time: the lanes of `deal`
EXPOSED_UNITS = 12  # a final hand weighs k/m, m = 1, 2, 3, 4 or 6 equally strong choices of five
