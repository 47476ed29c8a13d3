"""Values of every decision under any rules of Guts, and the symmetric equilibrium they lead to.

Payoffs are those of one round, in pots: what a player wins or pays in it, and an equal share in what then lies on the
table. With a pot-independent strategy of all players every chip left comes back to them in equal parts, so that this is
also what the decision changes in the long run; under sequential declaration it is so because the seats take turns.

The kernel `guts_sim.kernels.decisions` scores all hands at once; here its sums become values, exploitability and,
by regret matching, a strategy. The high and the low pot of a high-low game are two games that share the cards:
what a player declares for one has no influence on the other, so that each has an equilibrium of its own.
"""

from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine import run_all_blocks
from guts_sim.errors import InputError
from guts_sim.estimate import BatchSums
from guts_sim.kernels.decisions_layout import SCORED_GAIN, SCORED_HANDS
from guts_sim.kernels.units import SUBUNITS
from guts_sim.rules import GutsRules
from guts_sim.settlement import encode_rules
from guts_sim.solve.hand_numbers import all_hands
from guts_sim.solve.information import Information, information_of, showdown_strengths
from guts_sim.solve.passing import passed_cards
from guts_sim.solve.regret_matching import match_regrets, scaled

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BLOCK = 1024
ITERATIONS = 320
# By cards and cards passed: a hand after the pass is scored only in deals in which its player receives the right card.
DEALS_PER_ITERATION = {(2, 0): 4096, (2, 1): 49_152, (3, 0): 8192, (3, 1): 65_536}
AVERAGING_POWER = 2
# By cards and cards passed: each deal scores one hand in so many, or the hands that pass one card in so many, and of
# these one in so many. Hands that are scored in one deal say nearly the same, so that more deals are worth more.
STRIDES = {(2, 0): (1, 1), (2, 1): (13, 1), (3, 0): (17, 1), (3, 1): (52, 4)}


@dataclass(frozen=True)
class DecisionGame:
    """One pot of a rule set, to be decided by everybody's own cards.

    Attributes
    ----------
    rules : GutsRules
        Where stakes are limited, all players have the same left: what they brought less their part of the pot.
    n_players : int
        2 to 10.
    pot : int or None
        Active pot in chips, for rules under which it matters (see `pot_matters`).
    low : bool
        The low pot of a high-low game.
    """

    rules: GutsRules
    n_players: int
    pot: int | None = None
    low: bool = False

    @property
    def information(self) -> Information:
        """What players know."""
        return information_of(self.rules, self.low)

    @property
    def n_nodes(self) -> int:
        """Situations in which a player may have to declare: seats and earlier players in."""
        return self.n_players * (self.n_players + 1) // 2 if self.rules.declaration == "sequential" else 1

    @property
    def is_blind(self) -> bool:
        """Whether only the number of players in tells what a round is worth; see `guts_sim.solve.blind`.

        Not where players may be eliminated: who is out then gets more of what is left.
        """
        return self.rules.declaration == "blind" and self.rules.stakes != "eliminate"

    @property
    def pot_units(self) -> int:
        """Active pot in units of money, the first antes by default; where its size does not matter it is one chip."""
        if not pot_matters(self.rules):
            return SUBUNITS
        if self.pot is not None:
            return self.pot * SUBUNITS
        antes = self.rules.ante * self.n_players
        return (antes if self.rules.cap is None else min(antes, self.rules.cap)) * SUBUNITS

    @property
    def stack_units(self) -> int:
        """What every player has left, in units of money; 0 on credit, where it does not matter.

        Raises
        ------
        InputError
            The pot is as large as all that the players brought.
        """
        if self.rules.bankroll is None:
            return 0
        stack = self.rules.bankroll * SUBUNITS - self.pot_units // self.n_players
        if stack <= 0:
            raise InputError(
                f"pot, bankroll: {self.n_players} players who brought {self.rules.bankroll} chips each have none left"
                f" beside a pot of {self.pot_units // SUBUNITS}"
            )
        return stack

    def encoded_rules(self) -> IntArray:
        """Rules for the kernel, without what moves no decision: antes, and caps whose excess is kept."""
        rules = self.rules.with_switches(ante_every_round=False, nobody_in=_without_reante(self.rules))
        if self.rules.reserve:
            rules = rules.with_switches(cap=None)
        return encode_rules(rules)


def _without_reante(rules: GutsRules) -> str:
    return "hold" if rules.nobody_in == "reante" else rules.nobody_in


def pot_matters(rules: GutsRules) -> bool:
    """Whether a limit on payments makes decisions depend on the size of the pot."""
    return rules.match_limit is not None or rules.stakes != "credit" or (rules.cap is not None and not rules.reserve)


@dataclass(frozen=True, eq=False)
class DecisionTask:
    """Score the deals ``start .. stop - 1`` of a game; can be sent to other processes."""

    game: DecisionGame
    key: np.uint64
    entry_key: np.uint64
    entry: FloatArray
    scores_hands: bool = True

    def __call__(self, start: int, stop: int) -> IntArray:
        """Sums of `Sums`, as one array."""
        from guts_sim.kernels.decisions import score_decisions

        game, rules = self.game, self.game.rules
        sums = Sums.empty(game)
        information = game.information
        layout = np.array(
            [
                game.n_players,
                rules.cards,
                rules.community,
                rules.declaration == "sequential",
                rules.pass_left,
                *STRIDES[rules.cards, rules.pass_left],
                game.stack_units,
            ],
            np.int64,
        )
        score_decisions(
            self.key,
            self.entry_key,
            start,
            stop - start,
            layout,
            game.encoded_rules(),
            game.pot_units,
            *(_hand_batches(rules) if self.scores_hands else _no_batches(rules)),
            (information.hand_group, information.hand_set),
            showdown_strengths(rules, game.low),
            np.ascontiguousarray(self.entry),
            sums.scores,
            sums.rounds,
            sums.seats,
        )
        return sums.flat


@lru_cache(maxsize=32)
def _hand_batches(rules: GutsRules) -> tuple[tuple[NDArray[Any], ...], tuple[IntArray, ...]]:
    """All hands and the batches in which the kernel scores them: by the card that is passed, or all in one."""
    hands = all_hands(rules.cards)
    passed = passed_cards(rules)
    order = np.argsort(passed, kind="stable")
    by_batch = hands[order]
    bits = np.bitwise_or.reduce(np.uint64(1) << by_batch.astype(np.uint64), axis=1)
    cards, starts = np.unique(passed[order], return_index=True)
    batch_card = cards.astype(np.int64) if rules.pass_left else np.array([-1], np.int64)
    batch_start = np.append(starts, len(hands)).astype(np.int64)
    return (by_batch, bits, passed), (batch_start, batch_card)


@lru_cache(maxsize=32)
def _no_batches(rules: GutsRules) -> tuple[tuple[NDArray[Any], ...], tuple[IntArray, ...]]:
    """No hands to score: the kernel then only plays the rounds that are dealt."""
    (by_batch, bits, passed), _ = _hand_batches(rules)
    return (by_batch[:0], bits[:0], passed), (np.zeros(1, np.int64), np.zeros(0, np.int64))


@dataclass(frozen=True, eq=False)
class Sums:
    """Views of the kernel's sums in one flat array, which is what batches add up.

    Attributes
    ----------
    flat : ndarray of int64
        All of them.
    scores : ndarray of int64, shape (3, n_nodes, n_sets)
        Hands scored, in-minus-out, value of staying out.
    rounds : ndarray of int64, shape (3, n_players + 1)
        By number of players in: rounds, what was left on the table, rounds that emptied it.
    seats : ndarray of int64, shape (n_players, 3)
        Rounds in each seat, sum and sum of squares of what they were worth beyond an equal share of the pot.
    """

    flat: IntArray
    scores: IntArray
    rounds: IntArray
    seats: IntArray

    @classmethod
    def empty(cls, game: DecisionGame) -> "Sums":
        """Sums of no deals."""
        return cls.of(np.zeros(sum(np.prod(shape) for shape in _shapes(game)), np.int64), game)

    @classmethod
    def of(cls, flat: IntArray, game: DecisionGame) -> "Sums":
        """Sums that one array holds."""
        views, at = [], 0
        for shape in _shapes(game):
            size = int(np.prod(shape))
            views.append(flat[at : at + size].reshape(shape))
            at += size
        return cls(flat, *views)


def _shapes(game: DecisionGame) -> tuple[tuple[int, ...], ...]:
    n_sets = game.information.set_group.size
    return (3, game.n_nodes, n_sets), (3, game.n_players + 1), (game.n_players, 3)


def decision_task(
    game: DecisionGame, entry: FloatArray, keys: tuple[np.uint64, np.uint64], *, scores_hands: bool = True
) -> DecisionTask:
    """Return the task that scores deals against a field.

    Parameters
    ----------
    game : DecisionGame
        What is played.
    entry : ndarray of float64, shape (n_nodes, n_groups) or (n_players, n_nodes, n_groups)
        Everybody's entry probabilities, or the hero's and those of the opponents from the hero's left.
    keys : tuple of uint64
        Keys of the cards and of mixed decisions.
    scores_hands : bool
        Score all hands that a player may hold; else the rounds are only played with the hands that are dealt.
    """
    by_player = np.broadcast_to(entry, (game.n_players, *entry.shape[-2:]))
    return DecisionTask(game, *keys, np.ascontiguousarray(by_player), scores_hands)


def new_batches() -> BatchSums:
    """Batches for the sums of a task: few, since those of sequential games are large."""
    return BatchSums(BLOCK, min_batches=16)


def score_decision_deals(
    game: DecisionGame,
    entry: FloatArray,
    n_deals: int,
    keys: tuple[np.uint64, np.uint64],
    *,
    first: int = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> BatchSums:
    """Sums over deals ``first .. first + n_deals - 1``; ``first`` is a multiple of `BLOCK`.

    Parameters
    ----------
    game, entry, keys
        See `decision_task`.
    n_deals, first : int
        Which deals.
    workers, executor, progress
        See `guts_sim.engine.run_blocks`.

    Raises
    ------
    KeyboardInterrupt
        Stopped before its end.
    """
    batches = new_batches()
    run_all_blocks(
        decision_task(game, entry, keys),
        n_deals,
        batches.add,
        first=first,
        block_size=BLOCK,
        workers=workers,
        executor=executor,
        progress=progress,
    )
    return batches


def flows(scores: IntArray, game: DecisionGame) -> FloatArray:
    """What entering rather than staying out adds per deal, in pots, shape (n_nodes, n_sets).

    Each set counts with the probability of holding one of its hands, each node with that of coming about.
    """
    return np.asarray(scores[SCORED_GAIN] * pots_per_hand(scores, game))


def pots_per_hand(scores: IntArray, game: DecisionGame) -> FloatArray:
    """Pots per deal that one unit in each set's sums is worth."""
    n_scored = scores[SCORED_HANDS].sum(axis=0) * (float(game.n_players) * game.pot_units)
    frequency = game.information.set_frequency
    return np.asarray(np.divide(frequency, n_scored, out=np.zeros_like(frequency), where=n_scored > 0))


def group_flows(flow: FloatArray, information: Information) -> FloatArray:
    """Sum over the sets of each group, shape (n_nodes, n_groups)."""
    sums = np.zeros((flow.shape[0], len(information.names)))
    for node, values in enumerate(flow):
        sums[node] = np.bincount(information.set_group, weights=values, minlength=sums.shape[1])
    return sums


def deviation_gain(flow: FloatArray, entry: FloatArray) -> float:
    """Pots per deal that a player gains by deciding best wherever ``flow`` tells situations apart."""
    return float(np.maximum((1.0 - entry) * flow, -entry * flow).sum())


@dataclass(frozen=True, eq=False)
class DecisionSolution:
    """Entry probabilities by node and group, and the number of deals that went into them."""

    entry: FloatArray
    n_deals: int


def solve_decisions(
    game: DecisionGame,
    keys: tuple[np.uint64, np.uint64],
    *,
    iterations: int = ITERATIONS,
    deals_per_iteration: int | None = None,
    effort: float = 1.0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> DecisionSolution:
    """Find a symmetric epsilon-equilibrium by regret matching; see `guts_sim.solve.regret_matching`.

    Everybody declares by one strategy, which under sequential declaration has an entry for each seat and number of
    players heard to be in.

    Parameters
    ----------
    game : DecisionGame
        What is played.
    keys : tuple of uint64
        Keys of the cards and of mixed decisions.
    iterations, deals_per_iteration : int
        How often everybody's strategy is improved, and on how many deals each time; by default as many as the hands
        ask for.
    effort : float
        Factor of the default number of deals.
    workers, executor, progress
        See `guts_sim.engine.run_blocks`.

    Raises
    ------
    KeyboardInterrupt
        Stopped before its end: half-averaged strategies are not worth reporting.
    """
    information = game.information
    frequency = information.group_frequency
    if deals_per_iteration is None:
        deals_per_iteration = scaled(DEALS_PER_ITERATION[game.rules.cards, game.rules.pass_left], effort, BLOCK)

    def gain_of_entering(current: FloatArray, first: int) -> FloatArray:
        batches = score_decision_deals(
            game,
            current,
            deals_per_iteration,
            keys,
            first=first,
            workers=workers,
            executor=executor,
            progress=False,
        )
        flow = flows(Sums.of(batches.total, game).scores, game)
        return _share(group_flows(flow, information), frequency)

    entry = match_regrets(
        np.repeat(_first_guess(game)[None, :], game.n_nodes, axis=0),
        gain_of_entering,
        iterations=iterations,
        deals_per_iteration=deals_per_iteration,
        power=AVERAGING_POWER,
        progress=progress,
    )
    return DecisionSolution(entry, iterations * deals_per_iteration)


def _first_guess(game: DecisionGame) -> FloatArray:
    """Near the equilibrium of continuous hands: nobody else enters with probability 1/2."""
    share = 1.0 - 0.5 ** (1.0 / (game.n_players - 1))
    frequency = game.information.group_frequency
    stronger = np.cumsum(frequency[::-1])[::-1] - frequency
    return np.clip(_share(share - stronger, frequency), 0.0, 1.0)


def _share(amount: FloatArray, frequency: FloatArray) -> FloatArray:
    """Amounts per hand held; 0 for groups that nobody can hold after a pass."""
    return np.divide(amount, frequency, out=np.zeros_like(amount), where=frequency > 0)
