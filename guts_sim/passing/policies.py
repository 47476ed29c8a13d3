"""Pass policies as data: which cards a player passes, seen only his own hand. The package lists them."""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from math import comb, isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.checks import read_number, shown
from guts_sim.errors import InputError
from guts_sim.hands import rank_hands
from guts_sim.kernels.pass_codes import HAND_SIZE, LOWEST, N_KEPT, RANDOM, SCORED
from guts_sim.passing.features import batch_features, feature_names, keep_features

POLICY_SYNTAX = "lowest, keep-best, random, level-1 to level-4, equilibrium, or a .csv file of feature weights"
WEIGHTS_PER_POT = 100_000
"""Weights are whole numbers of this part of a pot, so that scores are exact on every machine."""
MOST_WEIGHT = 10_000_000
LEVELS_FILE = Path(__file__).with_name("levels.csv")
_NO_SCORES = np.zeros(1, np.int32)
Scores = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class PassPolicy:
    """Which cards a player passes.

    Attributes
    ----------
    name : str
        How the policy is called.
    kind : int
        0 the lowest cards, 1 random ones, 2 by scores.
    keep_score, pass_score : ndarray of int32
        Scores of the cards kept and passed, by their index in the combinatorial number system.
    weights : dict
        Weights of the features of a linear policy, in 1/100,000 pot; empty for other policies.
    """

    name: str
    kind: int
    keep_score: Scores = field(default_factory=lambda: _NO_SCORES, repr=False)
    pass_score: Scores = field(default_factory=lambda: _NO_SCORES, repr=False)
    weights: Mapping[str, int] = field(default_factory=dict, repr=False)


def get_policy(
    spec: str | PassPolicy | Mapping[str, int], n_players: int = 4, hand_size: int = HAND_SIZE
) -> PassPolicy:
    """Return the policy that a text names.

    Parameters
    ----------
    spec : str, PassPolicy or mapping
        Its name or file, see `guts_sim.passing`; a mapping holds weights of features.
    n_players : int
        Players who pass; the replies of level 1, 2, ... depend on it.
    hand_size : int
        7 (Anaconda), or 3 or 2 (one card is passed).

    Returns
    -------
    PassPolicy

    Raises
    ------
    InputError
        There is no such policy, or not for hands of this size.

    Examples
    --------
    >>> get_policy("lowest").kind, get_policy("level-1").weights["card-A"] > 0
    (0, True)
    """
    if isinstance(spec, Mapping):
        spec = linear_policy(spec)
    if isinstance(spec, PassPolicy):
        if spec.weights and hand_size != HAND_SIZE:
            raise InputError(f"policy: {spec.name} is for hands of seven cards")
        return spec
    if not isinstance(spec, str):
        raise InputError(f"policy: {shown(spec)} is not allowed; give {POLICY_SYNTAX}")
    name = spec.strip().lower()
    if name in ("lowest", "random"):
        return PassPolicy(name, LOWEST if name == "lowest" else RANDOM)
    if name == "keep-best":
        return _keep_best(hand_size)
    is_file = name.endswith(".csv")
    if hand_size != HAND_SIZE and (is_file or name in _level_names()):
        raise InputError(
            f"policy: {shown(spec)} is for hands of seven cards; with {hand_size} choose lowest, keep-best or random"
        )
    if is_file:
        return _read_file(Path(spec.strip()))
    known = read_levels()
    tables = [n for n, known_name in known if known_name == name]
    if not tables:
        raise InputError(f"policy: there is no {shown(spec)}; choose {POLICY_SYNTAX}")
    nearest = min(tables, key=lambda n: abs(n - n_players))
    return linear_policy(known[nearest, name], name)


def linear_policy(weights: Mapping[str, int], name: str = "linear") -> PassPolicy:
    """Policy that passes the cards for which the weighted sum of features is highest.

    Parameters
    ----------
    weights : mapping of str to int
        By feature, in 1/100,000 pot; features left out weigh nothing.
    name : str
        What to call it.

    Returns
    -------
    PassPolicy

    Raises
    ------
    InputError
        A feature is unknown, or a weight is no whole number of moderate size.

    Examples
    --------
    >>> high_cards = linear_policy({"card-A": 14, "card-K": 13})
    >>> high_cards.keep_score.shape, high_cards.pass_score.shape
    ((270725,), (22100,))
    """
    known = feature_names()
    for feature, weight in weights.items():
        if feature not in known:
            raise InputError(f"policy {name}: there is no feature {shown(feature)}; such as {', '.join(known[:3])}")
        if isinstance(weight, bool) or not isinstance(weight, int | np.integer) or abs(int(weight)) > MOST_WEIGHT:
            raise InputError(f"policy {name}: weight of {feature} must be a whole number, got {shown(weight)}")
    plain = {feature: int(weight) for feature, weight in weights.items()}
    return PassPolicy(name, SCORED, *_linear_scores(tuple(plain.items())), plain)


@cache
def _linear_scores(weights: tuple[tuple[str, int], ...]) -> tuple[Scores, Scores]:
    by_feature = dict(weights)
    keep, batch = keep_features(colex_sets(4)), batch_features(colex_sets(3))
    return _weighted(keep, by_feature), _weighted(batch, by_feature)


def _weighted(features: Mapping[str, NDArray[np.int16]], weights: Mapping[str, int]) -> Scores:
    total = np.zeros(len(next(iter(features.values()))), np.int32)
    for name, value in features.items():
        if weights.get(name, 0):
            total += np.int32(weights[name]) * value
    return total


@cache
def colex_sets(size: int) -> NDArray[np.uint8]:
    """All sets of cards, ascending, in the order of their index.

    Examples
    --------
    >>> colex_sets(2)[:4].tolist()
    [[0, 1], [0, 2], [1, 2], [0, 3]]
    """
    sets = np.zeros((1, 0), np.uint8)
    for n in range(1, size + 1):
        sets = np.concatenate(
            [
                np.column_stack([sets[: comb(card, n - 1)], np.full(comb(card, n - 1), card, np.uint8)])
                for card in range(52)
            ]
        )
    sets.flags.writeable = False
    return sets


@cache
def _keep_best(hand_size: int) -> PassPolicy:
    n_kept = N_KEPT if hand_size == HAND_SIZE else hand_size - 1
    strengths = rank_hands(colex_sets(n_kept), "exposed", check=False)
    # Positions in the order of strength: what matters, and small enough to be added to nothing.
    scores = np.unique(strengths, return_inverse=True)[1].astype(np.int32)
    return PassPolicy("keep-best", SCORED, scores, np.zeros(comb(52, hand_size - n_kept), np.int32))


@cache
def read_levels() -> dict[tuple[int, str], dict[str, int]]:
    """Weights of the policies that come with the library, by number of players and name."""
    levels: dict[tuple[int, str], dict[str, int]] = {}
    with LEVELS_FILE.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            n_players, feature = int(row.pop("n_players")), row.pop("feature")
            for name, weight in row.items():
                levels.setdefault((n_players, name), {})[feature] = int(weight)
    return levels


def _level_names() -> set[str]:
    return {name for _, name in read_levels()}


def _read_file(path: Path) -> PassPolicy:
    """Linear policy from a table of feature weights."""
    name = str(path).encode(errors="backslashreplace").decode()
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a UTF-8 text"
        raise InputError(f"policy file {name}: {reason}") from None
    try:
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
    except csv.Error as error:
        raise InputError(f"policy file {name}: {error}") from None
    weights: dict[str, int] = {}
    for row in rows:
        feature, weight = row.get("feature"), _whole(row.get("weight"))
        if feature is None or weight is None:
            raise InputError(f"policy file {name}: every line needs a feature and a whole number as its weight")
        if feature in weights:
            raise InputError(f"policy file {name}: feature {shown(feature)} is listed twice")
        weights[feature] = weight
    if not weights:
        raise InputError(f"policy file {name}: it lists no feature")
    return linear_policy(weights, name)


def _whole(text: Any) -> int | None:
    number = read_number(text) if isinstance(text, str) else None
    return None if number is None or not isfinite(number) or number != int(number) else int(number)
