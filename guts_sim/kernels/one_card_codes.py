"""Numbers that the kernels of one card and their callers share; importing this compiles nothing."""

# A summary of what a player sees: (best rank * HOLDERS + what its holder has done) * GAPS + class of the gap.
GAPS = 4
HOLDERS = 4
SUMMARIES_PER_RANK = HOLDERS * GAPS
