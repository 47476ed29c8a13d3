"""Evaluation of seven-card hands: from cards by column or by row, from suit masks, and of all hands in order."""

from collections.abc import Callable
from functools import cache
from math import comb
from typing import Any

import numpy as np

from benchmarks.harness import Contender, Race, Work
from benchmarks.rivals import cpp
from benchmarks.rivals.packages import card_name, ompeval, package
from benchmarks.rows import Bar

# Hands per call: more than branch predictors learn by heart, few enough to stay in the second-level cache.
N_HANDS = 1 << 14
N_LOOPED = 1 << 11
# All hands whose lowest card is at least this one: 18.6 million of the 133.8 million.
FIRST_CARD = 12
N_IN_ORDER = comb(52 - FIRST_CARD, 7)


@cache
def hands() -> np.ndarray:
    """Random hands, uint8 (hand, card)."""
    order = np.random.default_rng(1).random((N_HANDS, 52)).argsort(axis=1)
    return np.ascontiguousarray(order[:, :7], np.uint8)


@cache
def our_keys() -> np.ndarray:
    """Strength of `hands` by this library, larger is stronger."""
    from guts_sim.kernels.evaluate import high5_from_rows

    keys = np.empty(N_HANDS, np.int32)
    high5_from_rows(hands(), keys)
    return keys


def check_order(ranks: np.ndarray, *, larger_is_stronger: bool = True) -> None:
    """Compare the order, ties included, that a rival puts the first hands into with ours."""
    ranks = np.asarray(ranks, np.int64)
    theirs = np.unique(ranks if larger_is_stronger else -ranks, return_inverse=True)[1]
    ours = np.unique(our_keys()[: len(ranks)], return_inverse=True)[1]
    if not np.array_equal(ours, theirs):
        raise AssertionError("evaluators disagree about the order of hands")


def _columns() -> Work:
    from guts_sim.kernels.evaluate import high5_from_columns

    cards, keys = np.ascontiguousarray(hands().T), np.empty(N_HANDS, np.int32)
    return _checked(lambda: high5_from_columns(cards, keys), keys)


def rows() -> Work:
    """Random hands from cards row by row."""
    from guts_sim.kernels.evaluate import high5_from_rows

    cards, keys = hands(), np.empty(N_HANDS, np.int32)
    return _checked(lambda: high5_from_rows(cards, keys), keys)


def _masks() -> Work:
    from guts_sim.kernels.evaluate import high5_from_masks

    masks, keys = np.zeros((4, N_HANDS), np.uint16), np.empty(N_HANDS, np.int32)
    for column in hands().T:
        masks[column % 4, np.arange(N_HANDS)] |= np.uint16(1) << (column // 4).astype(np.uint16)
    return _checked(lambda: high5_from_masks(masks, 7, keys), keys)


def _public() -> Work:
    from guts_sim import rank_hands

    cards = np.asfortranarray(hands())
    check_order(rank_hands(cards, "high5"))
    return Work(_repeated(lambda: rank_hands(cards, "high5", check=False)), N_HANDS)


def _ompeval() -> Work:
    library, cards, ranks = ompeval(), hands(), np.empty(N_HANDS, np.uint16)
    return _checked(lambda: library.pf_evaluate(cards.ctypes.data, N_HANDS, 7, ranks.ctypes.data), ranks)


def _cpp() -> Work:
    cpp.library()
    cards, ranks = hands(), np.empty(N_HANDS, np.uint16)
    return _checked(lambda: cpp.rank_sevens(cards, ranks), ranks)


def _checked(fill: Callable[[], object], ranks: np.ndarray) -> Work:
    """Work that fills ``ranks`` for all hands, after a look at what it fills in."""
    fill()
    check_order(ranks)
    return Work(_repeated(fill), N_HANDS)


def _repeated(call: Callable[[], object]) -> Callable[[int], None]:
    def run(k: int) -> None:
        for _ in range(k):
            call()

    return run


def _loop(convert: Callable[[list[str]], list[Any]], evaluate: Callable[[list[Any]], int], *, larger: bool) -> Work:
    """One call per hand, on hands already converted to the cards of that package."""
    converted = [convert([card_name(card) for card in row]) for row in hands()[:N_LOOPED].tolist()]
    check_order(np.array([evaluate(hand) for hand in converted]), larger_is_stronger=larger)

    def run(k: int) -> None:
        for _ in range(k):
            for hand in converted:
                evaluate(hand)

    return Work(run, N_LOOPED)


def _cards_of(name: str) -> Work:
    """Packages with eval7's interface: ``evaluate`` of a list of ``Card`` objects."""
    module = package(name)
    return _loop(lambda names: [module.Card(card) for card in names], module.evaluate, larger=True)


def _phevaluator() -> Work:
    module = package("phevaluator")
    convert = module.Card.to_id
    return _loop(lambda names: list(map(convert, names)), lambda ids: module.evaluate_cards(*ids), larger=False)


def _treys() -> Work:
    module = package("treys")
    evaluator = module.Evaluator()
    return _loop(lambda names: list(map(module.Card.new, names)), lambda ids: evaluator.evaluate([], ids), larger=False)


def in_order() -> Work:
    """Hands of the deck in order, counted by class."""
    from guts_sim.hands import get_ranking
    from guts_sim.hands.keys import slot_tables
    from guts_sim.kernels.enumerate import count_hands

    slots = slot_tables(get_ranking("high5"))
    counts = np.zeros(len(slots.classes), np.int64)

    def count() -> None:
        counts[:] = 0
        count_hands(7, FIRST_CARD, 52, False, slots.bases, slots.kickers, counts)

    count()
    if counts.sum() != N_IN_ORDER:
        raise AssertionError("count_hands does not visit every hand")
    return Work(_repeated(count), N_IN_ORDER)


def _cpp_in_order() -> Work:
    cpp.library()
    if cpp.count_sevens(FIRST_CARD).sum() != N_IN_ORDER:
        raise AssertionError("the C++ reference does not visit every hand")
    return Work(_repeated(lambda: cpp.count_sevens(FIRST_CARD)), N_IN_ORDER)


def _compiled_rivals(ompeval_bar: Bar | None) -> tuple[Contender, ...]:
    return (
        Contender("OMPEval (in the pokerfast wheel)", _ompeval, ompeval_bar, note="built for any x86-64; row by row"),
        Contender("own scalar C++ evaluator", _cpp, note="perfect hash; " + " ".join(cpp.FLAGS[:2])),
    )


def entries() -> list[Race]:
    """Races of this group."""
    loops = (
        Contender("pkrbot loop", lambda: _cards_of("pkrbot"), Bar(25, 40)),
        Contender("eval7 loop", lambda: _cards_of("eval7"), Bar(80, 150)),
        Contender("phevaluator loop", _phevaluator),
        Contender("treys loop", _treys),
    )
    return [
        Race(
            "seven-columns",
            "seven-card evaluation from (7, n) cards",
            "hands",
            Contender("high5_from_columns", _columns),
            (*_compiled_rivals(Bar(2, 3)), Contender("rank_hands, the public function", _public)),
        ),
        Race(
            "seven-rows",
            "seven-card evaluation from (n, 7) cards",
            "hands",
            Contender("high5_from_rows", rows),
            (*_compiled_rivals(None), *loops),
        ),
        Race(
            "seven-masks",
            "seven-card evaluation from suit masks",
            "hands",
            Contender("high5_from_masks", _masks),
            _compiled_rivals(None),
        ),
        Race(
            "seven-in-order",
            "evaluate and count seven-card hands in order",
            "hands",
            Contender("count_hands", in_order),
            (Contender("own scalar C++, nested loops", _cpp_in_order),),
        ),
    ]
