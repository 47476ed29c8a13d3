"""How the arrays of `decisions` are laid out; importing this compiles nothing."""

N_LAYOUT = 8
(
    LAYOUT_PLAYERS,
    LAYOUT_CARDS,
    LAYOUT_COMMUNITY,
    LAYOUT_SEQUENTIAL,
    LAYOUT_PASS,
    LAYOUT_STRIDE,
    LAYOUT_STRIDE_IN_BATCH,
    LAYOUT_STACK,
) = range(N_LAYOUT)
SCORED_HANDS, SCORED_GAIN, SCORED_OUT = range(3)
COUNTED_ROUNDS, COUNTED_LEFT, COUNTED_EMPTY = range(3)
