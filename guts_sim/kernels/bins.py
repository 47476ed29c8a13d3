"""Bins for whole numbers from 0 to 2**63 - 1 in flat memory; importing this compiles nothing.

Numbers below ``EXACT`` have a bin each. From there on every doubling is cut into ``PER_OCTAVE`` bins, so that
a bin is at most 1/512 as wide as the numbers in it are large.
"""

EXACT_BITS = 10
EXACT = 1 << EXACT_BITS
PER_OCTAVE = EXACT >> 1
N_BINS = EXACT + (63 - EXACT_BITS) * PER_OCTAVE


def lowest_in_bin(place: int) -> int:
    """Smallest number in a bin.

    Examples
    --------
    >>> [lowest_in_bin(place) for place in (7, 1023, 1024, 1025, 1536)]
    [7, 1023, 1024, 1026, 2048]
    """
    if place < EXACT:
        return place
    octave, step = divmod(place - EXACT, PER_OCTAVE)
    return (PER_OCTAVE + step) << (octave + 1)
