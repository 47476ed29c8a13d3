"""Integer units of money, shared by kernels and their callers; importing this compiles nothing."""

# 2520 is divisible by 1 to 10, so shares among tied players and among all players are whole numbers.
SUBUNITS = 2520
# Units of 1/VALUE_SCALE pot for values that also hold probabilities of mixed strategies.
VALUE_SCALE = SUBUNITS * 256
