"""Strategies of Indian poker by name: rules of thumb, habits, and the equilibrium of the table."""

import re
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from guts_sim.cards import RANKS
from guts_sim.checks import read_share, shown
from guts_sim.engine import run_key
from guts_sim.errors import InputError
from guts_sim.games.betting import FOLD, RAISE, STAY
from guts_sim.games.card_game import Deck, betting_game
from guts_sim.games.walk import Walk
from guts_sim.solve.cfr import MAX_ITERATIONS, TARGET, learn_profile
from guts_sim.solve.indian_sampled import learn_sampled
from guts_sim.solve.sequence_form import solve_two_players

Floats = NDArray[np.float64]
EQUILIBRIUM = "equilibrium"
NAMES = "equilibrium, thumb:RANK, loose, bluff:SHARE, random, raise or call"
ITERATIONS, HANDS = 300, 16_384  # hands of single players, so that large tables do not take much longer
QUICK_ITERATIONS, QUICK_HANDS = 150, 8192  # for an answer at the table within seconds
PURPOSE_SOLVE, PURPOSE_SOLVE_ACTIONS = 2, 3


@dataclass(frozen=True)
class SolveOptions:
    """How equilibria of three and more players are looked for; ``quick`` for an answer within seconds."""

    seed: int
    quick: bool = False
    target: float = TARGET
    max_iterations: int = MAX_ITERATIONS
    workers: int | None = None
    executor: Executor | None = None
    progress: bool | None = None

    def effort(self, n_players: int) -> tuple[int, int]:
        """Iterations on sampled deals, and deals of each; larger tables take longer per deal."""
        iterations, hands = (QUICK_ITERATIONS, QUICK_HANDS) if self.quick else (ITERATIONS, HANDS)
        return iterations, hands // n_players

    def n_deals(self, n_players: int) -> int:
        """Deals that learning on sampled deals takes in all."""
        iterations, deals = self.effort(n_players)
        return iterations * deals


def check_strategy(spec: object) -> str:
    """Return a strategy's name in the form in which it is recorded, or refuse it.

    Raises
    ------
    InputError
        There is no such strategy.

    Examples
    --------
    >>> check_strategy(" Thumb:10 "), check_strategy("bluff:30%")
    ('thumb:T', 'bluff:30%')
    """
    if not isinstance(spec, str):
        raise InputError(f"strategy: {shown(spec)} is not allowed; give {NAMES}")
    text = spec.strip().lower()
    if text in (EQUILIBRIUM, "loose", "random", "raise", "call"):
        return text
    name, _, argument = text.partition(":")
    if name == "thumb" and re.fullmatch("10|[2-9tjqka]", argument):
        return f"thumb:{'T' if argument == '10' else argument.upper()}"
    if name == "bluff" and read_share(argument) is not None:
        return text
    raise InputError(f"strategy: {shown(spec)} is not known; give {NAMES}")


def strategy_table(spec: str, walk: Walk, options: SolveOptions) -> Floats:
    """Probabilities of the actions of a strategy, (decision, view, action).

    ``thumb:Q`` checks or folds if the best visible card of an active player is above a queen, and bets, raises or
    calls otherwise. ``loose`` never folds; it bets if that card is a jack or lower. ``bluff:30%`` does
    what ``thumb:T`` does, but where that gives up it bets or raises with 30 %. ``random`` takes every
    allowed action equally often, ``raise`` always bets or raises, ``call`` always checks or calls.
    """
    name, _, argument = check_strategy(spec).partition(":")
    if name == EQUILIBRIUM:
        return equilibrium_table(walk, options)
    shape, legal = walk.shape, walk.legal
    if name == "random":
        return _spread(legal / legal.sum(axis=1, keepdims=True), shape)
    passive = np.zeros(legal.shape)
    passive[:, STAY] = 1.0
    forward = np.where(legal[:, [RAISE]], np.eye(3)[RAISE], np.eye(3)[STAY])
    if name == "call":
        return _spread(passive, shape)
    if name == "raise":
        return _spread(forward, shape)
    if name == "loose":
        is_low = walk.best_visible <= walk.rank_strength(RANKS.index("J"))
        unbet = (walk.table.price[:, STAY] == 0)[:, None]
        return _choose(is_low & unbet, forward, passive)
    give_up = np.where((walk.table.price[:, [STAY]] > 0) & legal[:, [FOLD]], np.eye(3)[FOLD], passive)
    if name == "bluff":
        share = read_share(argument) or 0.0
        give_up = share * np.where(legal[:, [RAISE]], forward, give_up) + (1.0 - share) * give_up
    limit = "T" if name == "bluff" else argument
    return _choose(walk.best_visible <= walk.rank_strength(RANKS.index(limit)), forward, give_up)


def equilibrium_table(walk: Walk, options: SolveOptions) -> Floats:
    """The equilibrium of two players, or an epsilon-equilibrium of three and more."""
    rules = walk.rules
    if walk.is_exact:
        deck = Deck(walk.n_strengths, 52 // walk.n_strengths)
        game = betting_game(walk.n_players, rules.limits, deck=deck)
        if walk.n_players == 2:
            return np.ascontiguousarray(solve_two_players(game).profile)
        found = learn_profile(
            game, target=options.target, max_iterations=options.max_iterations, progress=options.progress
        )
        return np.ascontiguousarray(found.profile)
    iterations, deals = options.effort(walk.n_players)
    return learn_sampled(
        walk,
        run_key(options.seed, PURPOSE_SOLVE),
        run_key(options.seed, PURPOSE_SOLVE_ACTIONS),
        iterations=iterations,
        deals_per_iteration=deals,
        workers=options.workers,
        executor=options.executor,
        progress=options.progress,
    )


def tables_of(specs: list[str], walk: Walk, options: SolveOptions) -> tuple[Floats, tuple[int, ...]]:
    """Tables of the different strategies at a table, and which of them each player uses."""
    different = list(dict.fromkeys(specs))
    tables = np.stack([strategy_table(spec, walk, options) for spec in different])
    return np.ascontiguousarray(tables), tuple(different.index(spec) for spec in specs)


def _spread(probs: Floats, shape: tuple[int, int, int]) -> Floats:
    return np.ascontiguousarray(np.broadcast_to(probs[:, None, :], shape), dtype=np.float64)


def _choose(condition: NDArray[np.bool_], yes: Floats, no: Floats) -> Floats:
    """``yes`` at the decisions and views where the condition holds, ``no`` elsewhere."""
    return np.ascontiguousarray(np.where(condition[:, :, None], yes[:, None, :], no[:, None, :]))
