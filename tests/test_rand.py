import naive_rounds as naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guts_sim.engine import resolve_seed, run_key
from guts_sim.errors import InputError
from guts_sim.kernels.rand import fill_words

uint64s = st.integers(0, 2**64 - 1)


def words(key, first, n):
    out = np.empty(n, np.uint64)
    fill_words(np.uint64(key), np.uint64(first), out)
    return out.tolist()


def test_words_are_the_published_splitmix64_sequence():
    # The sequence for seed 1234567 is quoted with many ports of the reference code, e.g. Rosetta Code.
    assert words(1234567, 0, 5) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(uint64s, uint64s)
def test_words_equal_the_big_integer_twin(key, first):
    assert words(key, first, 9) == [naive.word(key, (first + i) % 2**64) for i in range(9)]


def test_bits_of_words_are_balanced():
    bits = np.unpackbits(np.array(words(2024, 0, 1 << 16), np.uint64).view(np.uint8)).reshape(-1, 64)
    assert np.abs(bits.sum(axis=0, dtype=np.int64) - (1 << 15)).max() < 5.5 * 128  # 64 normal deviates of sd 128


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**64, 2**200, np.uint64(7), np.int32(7)])
def test_seeds_of_any_size_are_kept(seed):
    assert resolve_seed(seed) == int(seed)
    assert isinstance(resolve_seed(seed), int)


@pytest.mark.parametrize("seed", [-1, 1.5, 2.0, float("nan"), "7", True, np.bool_(True), b"7", [1], np.int8(-3)])
def test_other_seeds_are_refused_in_one_line(seed):
    with pytest.raises(InputError, match="seed must be an integer of at least 0") as refusal:
        resolve_seed(seed)
    assert "\n" not in str(refusal.value)


def test_no_seed_draws_one_that_json_keeps():
    drawn = {resolve_seed(None) for _ in range(20)}
    assert len(drawn) == 20
    assert all(0 <= seed < 2**53 for seed in drawn)


def test_keys_differ_by_seed_and_purpose():
    pairs = [(seed, purpose) for seed in (0, 1, 2, 2**32, 2**64) for purpose in (0, 1, 2)]
    keys = {int(run_key(seed, purpose)) for seed, purpose in pairs}
    assert len(keys) == len(pairs)
    assert isinstance(run_key(0), np.uint64)


def test_global_random_state_is_left_alone():
    before = np.random.get_state()[1].copy()  # noqa: NPY002 - the state that must not change
    resolve_seed(None)
    run_key(5)
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002
