"""Random words: SplitMix64 read as a function of (key, counter).

Word number ``i`` of a key is ``mix64(key + (i + 1) * GAMMA)`` modulo 2**64, so the words 0, 1, 2, ... of
a key are the published SplitMix64 sequence seeded with it, and any word can be had without the ones
before. That is what lets lanes, blocks and threads share one stream without sharing any state.

SplitMix64 has a period of 2**64 and each word occurs once per period; it passes BigCrush. Words
are cut into 16-bit pieces here, of which a run uses a tiny fraction of the period.

References
----------
.. [1] G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators",
   OOPSLA 2014, https://doi.org/10.1145/2714064.2660195
.. [2] S. Vigna, reference code, https://prng.di.unimi.it/splitmix64.c
"""

import numpy as np

from guts_sim.kernels._jit import helper, kernel, lean

# Every constant is a np.uint64: an int literal next to a uint64 would be computed as float64.
GAMMA = np.uint64(0x9E3779B97F4A7C15)
MULTIPLIER_1 = np.uint64(0xBF58476D1CE4E5B9)
MULTIPLIER_2 = np.uint64(0x94D049BB133111EB)
ONE = np.uint64(1)
SHIFT_1 = np.uint64(30)
SHIFT_2 = np.uint64(27)
SHIFT_3 = np.uint64(31)


@lean
def mix64(z):
    """Bijective scrambling of 64 bits (the output function of SplitMix64)."""
    z = (z ^ (z >> SHIFT_1)) * MULTIPLIER_1
    z = (z ^ (z >> SHIFT_2)) * MULTIPLIER_2
    return z ^ (z >> SHIFT_3)


@lean
def word(key, counter):
    """Word number ``counter`` (uint64) of ``key`` (uint64)."""
    return mix64(key + (counter + ONE) * GAMMA)


@lean
def attempt_key(key, attempt):
    """Key of attempt 0, 1, 2, ... (uint64) at one and the same deal; attempt 0 is the key itself."""
    if attempt == np.uint64(0):
        return key
    return mix64(key ^ mix64(attempt * GAMMA))


@helper
def fill_row(key, first, row):
    """Fill ``row`` (uint64) with the words ``first``, ``first + 1``, ... of ``key``."""
    state = key + (first + ONE) * GAMMA
    for i in range(row.size):
        row[i] = mix64(state + np.uint64(i) * GAMMA)


@kernel
def fill_words(key, first, out):
    """Fill ``out`` (uint64, 1-D) with the words ``first``, ``first + 1``, ... of ``key``."""
    fill_row(key, first, out)
