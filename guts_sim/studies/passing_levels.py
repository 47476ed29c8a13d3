"""Best replies to pass policies as linear policies, the ladder of levels, and its fixed point."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from guts_sim.checks import check_count
from guts_sim.engine import resolve_seed, run_blocks, run_key
from guts_sim.estimate import Estimate, check_confidence, normal
from guts_sim.interruption import interruptible
from guts_sim.kernels.pass_codes import KEPT, LOWEST, PASSED, RANDOM, SHARE_UNITS
from guts_sim.passing import PassPolicy, get_policy, linear_policy
from guts_sim.passing.features import batch_features, feature_names, keep_features
from guts_sim.passing.policies import WEIGHTS_PER_POT
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result, Row
from guts_sim.studies.measurement import RunOptions
from guts_sim.studies.passing_input import MOST_PLAYERS, anaconda_rules
from guts_sim.studies.passing_sampling import PURPOSE_FIT_HANDS, PURPOSE_HANDS, HandsTask, PassKeys
from guts_sim.studies.passing_text import levels_lines

FloatArray = NDArray[np.float64]
FIT_HANDS = 4_000
DEALS_PER_HALF = 512
HANDS_PER_BLOCK = 16
LEVELS = 4
EQUILIBRIUM_STEPS = 6
# Passes that lose this much count about a third as much in the fit as the best: what matters is to tell the good ones
# apart. The floor keeps bad ones from being forgotten altogether.
LOSS_SCALE, LEAST_COUNT = 0.05, 0.01
RIDGE = 1e-6


@dataclass(frozen=True, eq=False)
class HandValues:
    """What every pass of many random hands is worth against opponents who share a policy.

    Attributes
    ----------
    hands : uint8 array, shape (hand, 7)
        Ascending cards.
    equity : float64 array, shape (hand, 2, 35)
        Mean share of the pot by pass, over two independent halves of the deals.
    n_deals : int
        Deals in all.
    complete : bool
        False if the run was interrupted.
    """

    hands: NDArray[np.uint8]
    equity: FloatArray
    n_deals: int
    complete: bool


@dataclass(frozen=True)
class Reply:
    """How much a player gains who leaves a policy that everybody plays.

    Attributes
    ----------
    attainable : float
        Equity of the best pass of every hand, over these hands.
    gain : Estimate
        How much more that is than following the policy earns: its exploitability. The value is from below, the upper
        end of the interval from above.
    """

    attainable: float
    gain: Estimate


def hand_values(
    policy: PassPolicy, n_active: int, n_hands: int, options: RunOptions, *, fit: bool = False
) -> HandValues:
    """Measure all passes of random hands; those to fit on are apart from those to judge on.

    ``options.n_deals`` are the deals of each half.
    """
    purpose = PURPOSE_FIT_HANDS if fit else PURPOSE_HANDS
    keys = PassKeys(run_key(options.seed, purpose + 10), run_key(options.seed, purpose + 20))
    task = HandsTask(keys, run_key(options.seed, purpose), n_active, policy, options.n_deals)
    blocks: list[NDArray[np.int64]] = []
    status = run_blocks(
        task,
        n_hands,
        lambda _start, _stop, won: blocks.append(won),
        block_size=HANDS_PER_BLOCK,
        workers=options.workers,
        executor=options.executor,
        progress=options.progress,
    )
    if not blocks:
        raise KeyboardInterrupt
    won = np.concatenate(blocks)
    equity = won / (SHARE_UNITS * options.n_deals)
    return HandValues(task.hands(0, len(won)), equity, 2 * options.n_deals * len(won), status.complete)


def best_reply(values: HandValues, name: str) -> PassPolicy:
    """Linear policy fitted to the values of hands.

    Weighted least squares within each hand: only differences between the passes of a hand matter. The weights are
    rounded to 1/100,000 pot, so that the policy scores alike on every machine.
    """
    x, y = _design(values.hands), values.equity.mean(axis=1)
    count = np.exp((y - y.max(axis=1, keepdims=True)) / LOSS_SCALE) + LEAST_COUNT
    count /= count.sum(axis=1, keepdims=True)
    y = y - (count * y).sum(axis=1, keepdims=True)
    x = x - np.einsum("hp,hpf->hf", count, x)[:, None]
    rows = x.reshape(-1, x.shape[2])
    weighted = rows * count.reshape(-1, 1)
    ridge = RIDGE * len(x) * np.eye(x.shape[2])
    solved = np.linalg.solve(weighted.T @ rows + ridge, weighted.T @ y.ravel())
    weights = np.rint(solved * WEIGHTS_PER_POT).astype(np.int64).tolist()
    return linear_policy(dict(zip(feature_names(), weights)), name)


def choices(policy: PassPolicy, hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Option that a policy without chance takes with each hand."""
    if policy.kind == LOWEST:
        return np.zeros(len(hands), np.int64)
    scores = policy.keep_score[_index(hands[:, KEPT])] + policy.pass_score[_index(hands[:, PASSED])]
    return np.asarray(scores.argmax(axis=1))


def judge(values: HandValues, policy: PassPolicy, confidence: float) -> Reply:
    """Gain of leaving a policy, from hands against opponents who play it.

    Best passes are chosen on one half of a hand's deals and judged on the other, both ways round: chance finds do not
    count as gains, and since the choice is never better than the best, the value errs downwards. The best of the
    means over all deals errs upwards; from it comes the upper end of the interval.
    """
    rows = np.arange(len(values.hands))
    attained = np.zeros(len(rows))
    for half in range(2):
        best = values.equity[:, 1 - half].argmax(axis=1)
        attained += values.equity[rows, half, best] / 2
    mean = values.equity.mean(axis=1)
    own = mean.mean(axis=1) if policy.kind == RANDOM else mean[rows, choices(policy, values.hands)]
    gain = _mean(attained - own, values.n_deals, confidence)
    most = _mean(mean.max(axis=1) - own, values.n_deals, confidence)
    return Reply(float(attained.mean()), replace(gain, ci_high=most.ci_high))


def ladder(n_players: int, options: RunOptions, n_hands: int = FIT_HANDS) -> dict[str, PassPolicy]:
    """Level 1 to 4, each the reply to the one before, and the fixed point of replies.

    Replies to replies run in a circle; so each further step goes only part of the way, 1/2, 1/3, 1/4, ..., from the
    weights so far to those of the reply.
    """
    found: dict[str, PassPolicy] = {}
    policy = get_policy("lowest")
    for level in range(1, LEVELS + 1):
        policy = _fitted_reply(policy, n_players, n_hands, options, f"level-{level}")
        found[policy.name] = policy
    for step in range(2, EQUILIBRIUM_STEPS + 2):
        reply = _fitted_reply(policy, n_players, n_hands, options, "reply")
        weights = {
            feature: round(weight + (reply.weights[feature] - weight) / step)
            for feature, weight in policy.weights.items()
        }
        policy = linear_policy(weights, "equilibrium")
    return found | {"equilibrium": policy}


def _fitted_reply(policy: PassPolicy, n_players: int, n_hands: int, options: RunOptions, name: str) -> PassPolicy:
    values = hand_values(policy, n_players, n_hands, options, fit=True)
    if not values.complete:
        raise KeyboardInterrupt  # a fit on part of the hands would look like one on all
    return best_reply(values, name)


def levels_table(ladders: dict[int, dict[str, PassPolicy]]) -> list[Row]:
    """Rows of the table of weights that the library comes with."""
    return [
        {"n_players": n_players, "feature": feature}
        | {name: policy.weights[feature] for name, policy in policies.items()}
        for n_players, policies in ladders.items()
        for feature in feature_names()
    ]


def _design(hands: NDArray[np.uint8]) -> FloatArray:
    """Features of every pass of every hand, (hand, pass, feature)."""
    kept = keep_features(hands[:, KEPT].reshape(-1, KEPT.shape[1]))
    passed = batch_features(hands[:, PASSED].reshape(-1, PASSED.shape[1]))
    columns = chain(kept.values(), passed.values())
    return np.stack(list(columns), axis=1).reshape(len(hands), len(KEPT), -1).astype(np.float64)


def _index(sets: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Index of ascending cards (..., card) in the combinatorial number system."""
    cards = sets.astype(np.int64)
    index = np.zeros(cards.shape[:-1], np.int64)
    for k in range(cards.shape[-1]):
        card, term = cards[..., k], np.ones_like(index)
        for i in range(k + 1):
            term = term * (card - i) // (i + 1)
        index += term
    return index


def _mean(values: Sequence[float] | FloatArray, n_deals: int, confidence: float) -> Estimate:
    """Mean over random hands; their scatter holds that of the deals as well."""
    sample = np.asarray(values)
    stderr = float(sample.std(ddof=1) / np.sqrt(len(sample))) if len(sample) > 1 else float("nan")
    return normal(float(sample.mean()), stderr, n_deals, confidence)


@interruptible
def pass_levels(
    n_players: int = 4,
    *,
    hands: int = FIT_HANDS,
    deals: int = DEALS_PER_HALF,
    seed: int | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
    confidence: float = 0.95,
) -> Result:
    """Fit level 1 to 4 and the equilibrium of passing anew.

    Parameters
    ----------
    n_players : int
        2 to 7.
    hands : int
        Random hands on which each reply is fitted.
    deals : int
        Deals of the opponents for each of two halves of every hand's values.
    seed, workers, executor, progress, confidence
        See `guts_sim.threshold`.

    Returns
    -------
    Result
        ``results["rows"]``: ``feature`` and its weight in every policy, in 1/100,000 pot.

    Raises
    ------
    InputError
        A number is out of range.

    Examples
    --------
    >>> fitted = pass_levels(3, hands=20, deals=256, seed=1)
    >>> list(fitted.rows[0])
    ['n_players', 'feature', 'level-1', 'level-2', 'level-3', 'level-4', 'equilibrium']
    """
    with Stopwatch() as watch:
        n_players = check_count(n_players, "n_players", 2, MOST_PLAYERS)
        n_hands = check_count(hands, "hands", 10)
        options = RunOptions(
            n_deals=check_count(deals, "deals", 1, 1 << 20),
            seed=resolve_seed(seed),
            confidence=check_confidence(confidence),
            workers=workers,
            executor=executor,
            progress=progress,
        )
        rows = levels_table({n_players: ladder(n_players, options, n_hands)})
        result = Result(
            command="pass levels",
            rules=anaconda_rules("3L"),
            parameters={"n_players": n_players, "hands": n_hands, "deals": options.n_deals},
            method="mc",
            n=2 * options.n_deals * n_hands,
            seed=options.seed,
            confidence=options.confidence,
            complete=True,
            results={"n_players": n_players, "rows": rows},
            rows=rows,
            lines=levels_lines(rows),
        )
    return replace(result, timing=watch.as_dict())
