"""Rounds of Guts and showdowns of Indian poker, five players, one core."""

from collections.abc import Callable

from benchmarks import guts_work
from benchmarks.harness import Contender, Race, Work
from benchmarks.rows import Bar

TWIN, PLAIN, CPP = "scalar twin (same counts)", "plain scalar numba (Fisher-Yates)", "own scalar C++ (Fisher-Yates)"


def _contender(name: str, work: Callable[[int], Work], hand_size: int, bar: Bar | None = None) -> Contender:
    return Contender(name, lambda: work(hand_size), bar)


def _carried_rounds(hand_size: int) -> tuple[Contender, tuple[Contender, ...]]:
    subject = _contender("carry_rounds (lanes)", guts_work.carry_lanes, hand_size)
    rivals = (
        (TWIN, guts_work.carry_scalar, Bar(7, 11)),
        (PLAIN, guts_work.plain_numba, Bar(7, 11)),
        (CPP, guts_work.scalar_cpp, Bar(6, 9)),
        ("NumPy argsort batches", guts_work.numpy_batches, Bar(70, 110)),
        ("pure Python with a table", guts_work.pure_python, Bar(800, 1400)),
    )
    # The bars were set for three cards.
    return subject, tuple(
        _contender(name, work, hand_size, bar if hand_size == 3 else None) for name, work, bar in rivals
    )


def entries() -> list[Race]:
    """Races of this group."""
    subject_3, rivals_3 = _carried_rounds(3)
    subject_2, rivals_2 = _carried_rounds(2)
    return [
        Race(
            "guts-5x3",
            "Guts round, 5 players x 3 cards: deal, rank, decide, settle, carry the pot",
            "rounds",
            subject_3,
            (*rivals_3, Contender("pokerkit loop", guts_work.pokerkit)),
        ),
        Race("guts-5x2", "Guts round, 5 players x 2 cards, pot carried", "rounds", subject_2, rivals_2),
        Race(
            "counts-5x3",
            "independent rounds at pot 1, 5 players x 3 cards",
            "rounds",
            _contender("count_rounds (lanes)", guts_work.count_lanes, 3),
            (_contender(TWIN, guts_work.count_scalar, 3), _contender(PLAIN, guts_work.plain_numba, 3)),
        ),
        Race(
            "one-card",
            "one-card showdown, 5 players (Indian poker)",
            "showdowns",
            Contender("count_one_card (lanes)", guts_work.one_card_lanes),
            (Contender(TWIN, guts_work.one_card_scalar), Contender(CPP, guts_work.one_card_cpp)),
        ),
    ]
