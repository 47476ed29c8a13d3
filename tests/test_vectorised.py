"""Every stage of the fast kernels is vector code, and the counts do not depend on the processor's vectors.

A cast, a view or a compiler that LLVM cannot follow costs a factor of up to ten, and no result would show it. So
the compiled code of each stage must hold the vector instructions that make it fast. The names are those of LLVM's
own language, which is the same for all processors.
"""

import os
import re
import subprocess
import sys

import numba.core.caching
import numpy as np
import pytest

from guts_sim.kernels import _jit, anaconda, carry, deal, guts, rand, showdown
from guts_sim.kernels.deal import LANES


def llvm_code(function, *arguments):
    """LLVM code of a function compiled afresh: code read from the cache on disk comes without it."""
    fresh = _jit.kernel(function.py_func)
    fresh._cache = numba.core.caching.NullCache()
    fresh(*arguments)
    (code,) = fresh.inspect_llvm().values()
    return code


def row(dtype, n=LANES):
    return np.zeros(n, dtype)


STAGES = {
    "random words": (
        deal.fill_deal_words,
        (np.uint64(1), np.uint64(0), np.zeros((2, deal.WORDS_PER_ROW), np.uint64), row(np.uint64, deal.WORDS_PER_ROW)),
        r"mul (nuw )?(nsw )?<\d+ x i64>",
    ),
    "row of words": (rand.fill_row, (np.uint64(1), np.uint64(0), row(np.uint64)), r"mul (nuw )?(nsw )?<\d+ x i64>"),
    "digits": (
        deal.multiply_high,
        (row(np.uint16), np.uint16(52), row(np.uint8)),
        r"mul (nuw )?(nsw )?<\d+ x i(16|32)>",
    ),
    "rejection": (
        deal.mark_rejected,
        (row(np.uint16), np.uint16(52), np.uint16(16), row(np.uint16)),
        r"usub\.sat\.v\d+i16|icmp u.. <\d+ x i16>",
    ),
    "decoding": (deal.decode_lanes, (np.zeros((5, LANES), np.uint8),), r"icmp u?[lg][te] <\d+ x i8>"),
    "index of two cards": (
        guts.index_two,
        (row(np.uint8), row(np.uint8), row(np.uint16)),
        r"mul (nuw )?(nsw )?<\d+ x i16>",
    ),
    "index of three cards": (
        guts.index_three,
        (row(np.uint8), row(np.uint8), row(np.uint8), row(np.uint16)),
        r"mul (nuw )?(nsw )?<\d+ x i16>",
    ),
    "entry": (guts.keep_entering, (row(np.uint32), row(np.uint32), row(np.uint16)), r"icmp ult <\d+ x i32>"),
    "best score": (guts.take_in, tuple(row(np.uint16) for _ in range(3)), r"umax\.v\d+i16|icmp u.. <\d+ x i16>"),
    "players in": (guts.take_in, tuple(row(np.uint16) for _ in range(3)), r"icmp (ne|ugt) <\d+ x i16>"),
    "best hands": (guts.compare_with_best, tuple(row(np.uint16) for _ in range(3)), r"icmp eq <\d+ x i16>"),
    "count of a value": (guts.count_equal, (row(np.uint16), np.uint16(2)), r"icmp eq <\d+ x i16>"),
    "payments": (carry.sum_pots, (row(np.uint16), row(np.uint16), row(np.int32)), r"add <\d+ x i32>"),
    "next pots": (
        carry.next_pots,
        (row(np.uint16), row(np.uint16), *np.array([0, 20, 5, 0], np.int32), row(np.int32), row(np.int32)),
        r"mul (nuw )?(nsw )?<\d+ x i32>",
    ),
    "best value": (showdown.raise_best_value, (row(np.int32), row(np.int32)), r"smax\.v\d+i32|icmp s.. <\d+ x i32>"),
    "marks": (showdown.mark_best, (row(np.int32), row(np.int32), row(np.uint8)), r"icmp eq <\d+ x i32>"),
    "suit masks": (
        anaconda.add_three_cards,
        tuple(row(np.uint8) for _ in range(3)) + tuple(row(np.uint16) for _ in range(4)),
        r"shl (nuw )?(nsw )?<\d+ x i16>",
    ),
    "categories": (anaconda.category_row, (row(np.int32), row(np.uint8)), r"lshr <\d+ x i32>"),
}


# Stages in the functions that they become parts of, where LLVM has more rows to tell apart.
SEQUENCES = {
    "deal": (
        deal.fill_deals,
        (np.uint64(1), np.uint64(0), np.zeros(0, np.uint8), np.zeros((1, 15), np.uint8)),
        ("random words", "digits", "rejection", "decoding"),
    ),
    "index": (
        guts.hand_index,
        (np.zeros((15, LANES), np.uint8), 3, 0, row(np.uint16)),
        ("index of two cards", "index of three cards"),
    ),
    "settlement": (
        guts.settle_lanes,
        (
            np.zeros((5, LANES), np.uint16),
            np.zeros((guts.N_ROWS, LANES), np.uint16),
            np.zeros((6, 6), np.int64),
            np.zeros((5, guts.N_SEAT_COUNTS), np.int64),
        ),
        ("best score", "players in", "best hands", "count of a value"),
    ),
    "payment": (
        carry.pay_lanes,
        (
            np.zeros((5, LANES), np.uint16),
            np.zeros((guts.N_ROWS, LANES), np.uint16),
            0,
            row(np.int32),
            np.zeros((5, carry.N_CHIP_COUNTS), np.int64),
        ),
        ("payments",),
    ),
}


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_is_vector_code(stage):
    function, arguments, instruction = STAGES[stage]
    assert re.search(instruction, llvm_code(function, *arguments))


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_a_sequence_of_stages_is_vector_code(sequence):
    function, arguments, stages = SEQUENCES[sequence]
    code = llvm_code(function, *arguments)
    for stage in stages:
        assert re.search(STAGES[stage][2], code), stage


def test_the_test_itself_tells_scalar_code_apart():
    """The look-up is the one stage that stays scalar: a gather is slower where it exists at all."""
    arguments = (np.zeros(169, np.uint16), row(np.uint16), row(np.uint16))
    assert not re.search(r"(add|mul|icmp \w+) <\d+ x i16>", llvm_code(guts.look_up, *arguments))


SMALL_RUN = """
import numpy as np
from guts_sim.engine.tables import simulate_tables
from guts_sim.kernels.indian import count_one_card
tables = simulate_tables(5, "top:31%", n_tables=300, rounds_per_table=5, seed=4, workers=1)
tied, seats = np.empty(5, np.int64), np.empty((4, 2), np.int64)
count_one_card(np.uint64(4), np.uint64(0), 1000, 4, tied, seats)
print(tables.rounds.joint.tolist(), tables.won, tables.paid, tables.peak_pot, tied.tolist(), seats.tolist())
"""


def counts_on(processor, folder):
    """What a small run prints with code for this processor, compiled into a folder of its own."""
    environment = os.environ | {"GUTS_SIM_CACHE_DIR": str(folder / processor)}
    if processor != "host":
        environment |= {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": ""}
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", SMALL_RUN], env=environment, capture_output=True, text=True, timeout=600
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.slow
def test_other_vector_widths_give_the_same_counts(tmp_path):
    """AVX2 on any processor, and no more than SSE4.2: other widths, the same integers."""
    if not re.match(r"x86_64|AMD64", os.uname().machine if hasattr(os, "uname") else ""):
        pytest.skip("processor names of x86")
    here = counts_on("host", tmp_path)
    assert counts_on("x86-64-v2", tmp_path) == here
    if "avx2" in _cpu_flags():
        assert counts_on("x86-64-v3", tmp_path) == here


def _cpu_flags():
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as lines:
            return next((line for line in lines if line.startswith("flags")), "").split()
    except OSError:
        return []
