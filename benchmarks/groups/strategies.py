"""Guts rounds in which every player decides by a function of the user's own."""

from collections.abc import Callable

import numpy as np

from benchmarks import guts_work
from benchmarks.harness import Contender, Race, Work
from benchmarks.rows import Bar

HAND_SIZE = 3


def decision(first_class: int) -> Callable[..., bool]:
    """Enter with a class or better; a function object of its own per player, as a user would write them."""

    def decide(hand_class, player, pot, cards):  # numba infers the types
        return hand_class >= first_class

    return decide


def deciding(play: Callable[..., Callable[..., None]]) -> Work:
    """Rounds that carry the pot; ``play(functions)`` has the arguments of ``carry_rounds`` plus who decides."""
    from guts_sim.kernels.guts import ALWAYS
    from guts_sim.kernels.hybrid import compiled

    first = guts_work.first_class(HAND_SIZE)
    functions = tuple((compiled(decision(first)), False) for _ in range(guts_work.N_PLAYERS))
    rounds = play(functions)
    function_of = np.arange(guts_work.N_PLAYERS)

    def kernel(key, entry_key, first, n_tables, n_rounds, size, table, thresholds, seat_strategy, rules, *sums):
        everything = np.full_like(thresholds, ALWAYS)
        rounds(
            key, entry_key, first, n_tables, n_rounds, size, table, everything, seat_strategy, function_of, rules, *sums
        )  # fmt: skip

    return guts_work.carrying(kernel, HAND_SIZE)


def hybrid() -> Work:
    """Decisions compiled apart, the other stages in lanes."""
    from guts_sim.kernels.hybrid import carry_rounds_hybrid

    return deciding(lambda functions: lambda *arguments: carry_rounds_hybrid(functions, *arguments))


def _scalar() -> Work:
    from guts_sim.kernels.hybrid import carry_rounds_with

    return deciding(lambda functions: carry_rounds_with(functions, HAND_SIZE))


def entries() -> list[Race]:
    """Races of this group."""
    return [
        Race(
            "strategy-5x3",
            "Guts round, 5 players x 3 cards, a user's function per player, pot carried",
            "rounds",
            Contender("carry_rounds_hybrid", hybrid),
            (
                Contender("scalar twin (same counts)", _scalar, Bar(2.5, 3.5)),
                Contender("carry_rounds without functions", lambda: guts_work.carry_lanes(HAND_SIZE)),
                Contender("plain scalar numba, rule built in", lambda: guts_work.plain_numba(HAND_SIZE), Bar(2.5, 3.5)),
            ),
        )
    ]
