"""Showdowns of whole tables: four players with the best five of seven cards (the core of Anaconda)."""

from collections.abc import Callable
from itertools import count

import numpy as np

from benchmarks.guts_work import summed
from benchmarks.harness import Contender, Race, Work
from benchmarks.rivals import cpp
from benchmarks.rivals.packages import package
from benchmarks.rows import Bar
from guts_sim.engine.seeds import run_key

N_PLAYERS = 4
SEED = 1
CHUNK = 1 << 16
N_CATEGORIES = 9


def losers(n_best: np.ndarray) -> np.ndarray:
    """Histogram of the number of losers from deals by the number of best hands."""
    return n_best[N_PLAYERS:0:-1].copy()


def seven_cards(kernel: Callable[..., None]) -> Work:
    """Deals to four players by a kernel with the arguments of ``count_seven_cards``."""
    tied, seats = np.zeros(N_PLAYERS + 1, np.int64), np.zeros((N_PLAYERS, 2), np.int64)
    categories = np.zeros((N_PLAYERS, N_CATEGORIES), np.int64)
    key = run_key(SEED)

    def play(first: np.uint64) -> np.ndarray:
        kernel(key, first, CHUNK, N_PLAYERS, tied, seats, categories)
        return losers(tied)

    return Work(summed(play, CHUNK), grain=CHUNK)


def lanes() -> Work:
    """The kernel in lanes."""
    from guts_sim.kernels.anaconda import count_seven_cards

    return seven_cards(count_seven_cards)


def _scalar() -> Work:
    from guts_sim.kernels.scalar import count_seven_cards_scalar

    return seven_cards(count_seven_cards_scalar)


def _cpp() -> Work:
    cpp.library()
    seeds, grain = count(SEED), 1_000
    return Work(lambda k: losers(cpp.play_sevens(next(seeds), k * grain)[0]), grain)


def _poker_equity() -> Work:
    module = package("poker_equity")
    unknown, seeds, grain = ["*" * 7] * N_PLAYERS, count(SEED), 1_000

    def run(k: int) -> None:
        module.chunk_from_text("stud", unknown, samples=k * grain, seed=next(seeds), threads=1)

    return Work(run, grain)


def _eval7() -> Work:
    module = package("eval7")
    deck, evaluate = module.Deck(), module.evaluate
    n_cards = 7 * N_PLAYERS

    def run(k: int) -> np.ndarray:
        n_best = np.zeros(N_PLAYERS + 1, np.int64)
        for _ in range(k):
            cards = deck.sample(n_cards)
            ranks = [evaluate(cards[at : at + 7]) for at in range(0, n_cards, 7)]
            n_best[ranks.count(max(ranks))] += 1
        return losers(n_best)

    return Work(run)


def entries() -> list[Race]:
    """Races of this group."""
    return [
        Race(
            "sevens-4x7",
            "deal four hands of seven cards, best five of each, winner",
            "deals",
            Contender("count_seven_cards (lanes)", lanes),
            (
                Contender("scalar twin (same counts)", _scalar),
                Contender("own scalar C++ (Fisher-Yates, perfect hash)", _cpp),
                Contender("poker-equity stud, one thread", _poker_equity, Bar(40, 75)),
                Contender("eval7 loop", _eval7),
            ),
        )
    ]
