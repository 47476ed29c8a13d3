"""Best replies to pass policies as linear policies, the ladder of levels, and its fixed point."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine import run_blocks, run_key
from guts_sim.estimate import Estimate, normal
from guts_sim.kernels.pass_codes import KEPT, PASSED, SHARE_UNITS
from guts_sim.passing import PassPolicy, get_policy, linear_policy
from guts_sim.passing.features import batch_features, feature_names, keep_features
from guts_sim.passing.policies import WEIGHTS_PER_POT
from guts_sim.results import Row
from guts_sim.studies.measurement import RunOptions
from guts_sim.studies.passing_sampling import PURPOSE_FIT_HANDS, PURPOSE_HANDS, HandsTask, PassKeys

FloatArray = NDArray[np.float64]
FIT_HANDS = 4_000
JUDGED_HANDS = 2_000
DEALS_PER_HALF = 1_024
HANDS_PER_BLOCK = 16
LEVELS = 4
EQUILIBRIUM_STEPS = 8
# Passes that lose this much count about a third as much in the fit as the best: what matters is to tell the good ones
# apart. The floor keeps bad ones from being forgotten altogether.
LOSS_SCALE, LEAST_COUNT = 0.05, 0.02
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
    attainable : Estimate
        Equity of the best pass of every hand, chosen on one half of the deals and judged on the other.
    gain : Estimate
        How much more that is than following the policy earns: its exploitability.
    """

    attainable: Estimate
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
    weighted = x * count[..., None]
    gram = np.einsum("hpf,hpg->fg", weighted, x, optimize=True)
    right = np.einsum("hpf,hp->f", weighted, y, optimize=True)
    solved = np.linalg.solve(gram + RIDGE * len(x) * np.eye(len(gram)), right)
    weights = np.rint(solved * WEIGHTS_PER_POT).astype(np.int64).tolist()
    return linear_policy(dict(zip(feature_names(), weights)), name)


def choices(policy: PassPolicy, hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Option that a policy without chance takes with each hand."""
    if policy.kind == 0:
        return np.zeros(len(hands), np.int64)
    scores = policy.keep_score[_index(hands[:, KEPT])] + policy.pass_score[_index(hands[:, PASSED])]
    return np.asarray(scores.argmax(axis=1))


def judge(values: HandValues, policy: PassPolicy, confidence: float) -> Reply:
    """Gain of leaving a policy, from hands against opponents who play it.

    Best passes are chosen on one half of a hand's deals and judged on the other, both ways round, so that chance
    finds do not count as gains; what remains of noise in the choice makes the gain a little too small.
    """
    rows = np.arange(len(values.hands))
    attained = np.zeros(len(rows))
    for half in range(2):
        best = values.equity[:, 1 - half].argmax(axis=1)
        attained += values.equity[rows, half, best] / 2
    mean = values.equity.mean(axis=1)
    own = mean.mean(axis=1) if policy.kind == 1 else mean[rows, choices(policy, values.hands)]
    return Reply(_mean(attained, values.n_deals, confidence), _mean(attained - own, values.n_deals, confidence))


def regret(values: HandValues, policy: PassPolicy, confidence: float) -> Estimate:
    """Equity that a policy loses against the best pass of every hand, as a share of what is attainable."""
    rows = np.arange(len(values.hands))
    reply = judge(values, policy, confidence)
    own = values.equity.mean(axis=1)[rows, choices(policy, values.hands)].mean()
    attainable = reply.attainable.value
    share = 1.0 - float(own) / attainable
    return normal(share, reply.gain.stderr / attainable, values.n_deals, confidence)


def ladder(n_players: int, options: RunOptions, n_hands: int = FIT_HANDS) -> dict[str, PassPolicy]:
    """Level 1 to 4, each the reply to the one before, and the fixed point of replies.

    Replies to replies run in a circle; so each further step goes only part of the way, 1/2, 1/3, 1/4, ..., from the
    weights so far to those of the reply.
    """
    found: dict[str, PassPolicy] = {}
    policy = get_policy("lowest")
    for level in range(1, LEVELS + 1):
        policy = best_reply(hand_values(policy, n_players, n_hands, options, fit=True), f"level-{level}")
        found[policy.name] = policy
    for step in range(2, EQUILIBRIUM_STEPS + 2):
        reply = best_reply(hand_values(policy, n_players, n_hands, options, fit=True), "reply")
        weights = {
            feature: round(weight + (reply.weights[feature] - weight) / step)
            for feature, weight in policy.weights.items()
        }
        policy = linear_policy(weights, "equilibrium")
    return found | {"equilibrium": policy}


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
