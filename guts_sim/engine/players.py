"""From strategies as users give them to what kernels take: rows of thresholds and compiled functions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from guts_sim.checks import shown
from guts_sim.errors import InputError
from guts_sim.hands import Ranking, guts_table
from guts_sim.strategy import Strategy, parse_field

AnyStrategy = Strategy | str | ArrayLike | Callable[..., Any]

# The kernels' conventions; a test compares them, since importing kernels would import numba.
ALWAYS = 1 << 31
TABLE_DECIDES = -1


@dataclass(frozen=True, eq=False)
class Seats:
    """How all players decide.

    Attributes
    ----------
    hand_size : int
        Cards per player.
    table : ndarray of uint16
        Hand class by table index, see `guts_table`.
    thresholds : ndarray of uint32, shape (n_rows, n_classes)
        Entry probabilities in units of 2**-31.
    strategy_of : ndarray of int64, shape (n_players,)
        Row of each player; for a player with a function a row that always enters.
    functions : tuple of (compiled function, bool)
        Decision functions, and whether they return probabilities.
    function_of : ndarray of int64, shape (n_players,)
        Number of each player's function, or TABLE_DECIDES.
    """

    hand_size: int
    table: NDArray[np.uint16]
    thresholds: NDArray[np.uint32]
    strategy_of: NDArray[np.int64]
    functions: tuple[tuple[Any, bool], ...]
    function_of: NDArray[np.int64]

    @property
    def n_players(self) -> int:
        """Number of players."""
        return self.strategy_of.size


def seats_for(n_players: int, strategies: AnyStrategy | Sequence[AnyStrategy], ranking: Ranking) -> Seats:
    """Prepare the strategies of all players; one that several players share is prepared once.

    Raises
    ------
    InputError
        If there are not as many strategies as players, one does not fit the ranking, or a function cannot
        be compiled.
    """
    per_player = _one_per_player(n_players, strategies)
    table = guts_table(ranking)
    n_classes = int(table.max()) + 1
    rows: list[NDArray[np.uint32]] = []
    functions: list[tuple[Any, bool]] = []
    prepared: dict[int, tuple[int, int]] = {}
    for player, strategy in enumerate(per_player):
        if id(strategy) in prepared:
            continue
        prepared[id(strategy)] = len(rows), len(functions) if callable(strategy) else TABLE_DECIDES
        if callable(strategy):
            functions.append(_compiled_function(strategy, player, ranking))
            rows.append(np.full(n_classes, ALWAYS, np.uint32))
        else:
            rows.append(_thresholds(strategy, player, ranking, n_classes))
    strategy_of, function_of = np.array([prepared[id(strategy)] for strategy in per_player], np.int64).T.copy()
    return Seats(ranking.hand_sizes[0], table, np.array(rows), strategy_of, tuple(functions), function_of)


def _one_per_player(n_players: int, strategies: Any) -> list[Any]:
    """List of the players' strategies; a flat list of numbers is one array of probabilities for all."""
    is_one_for_all = not isinstance(strategies, list | tuple) or (
        len(strategies) > 0 and all(isinstance(item, int | float | np.number) for item in strategies)
    )
    if is_one_for_all:
        return [strategies] * n_players
    if len(strategies) != n_players:
        raise InputError(
            f"strategies: {len(strategies)} given for {n_players} players; give one for each, or one for all"
        )
    return list(strategies)


def _thresholds(strategy: Any, player: int, ranking: Ranking, n_classes: int) -> NDArray[np.uint32]:
    """Entry probabilities in units of 2**-31."""
    if isinstance(strategy, str):
        strategy = parse_field(strategy, ranking)
    if isinstance(strategy, Strategy):
        if strategy.ranking != ranking:
            raise InputError(f"strategies[{player}] is for {strategy.ranking}, but the hands are ranked by {ranking}")
        strategy = strategy.entry
    entry = _as_numbers(strategy)
    if entry is None:
        raise InputError(
            f"strategies[{player}]: {shown(strategy)} is no strategy; give a field such as 'A4+', an array"
            " of entry probabilities, or a function"
        )
    if entry.shape != (n_classes,):
        raise InputError(
            f"strategies[{player}]: an array of {n_classes} entry probabilities is wanted, got shape {entry.shape}"
        )
    if not (np.isfinite(entry).all() and entry.min() >= 0.0 and entry.max() <= 1.0):
        raise InputError(f"strategies[{player}]: entry probabilities must lie between 0 and 1")
    return np.rint(entry * ALWAYS).astype(np.uint32)


def _as_numbers(values: Any) -> NDArray[np.float64] | None:
    """Array of numbers, or None for anything else, single numbers included."""
    try:
        array = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        return None
    return array if array.ndim > 0 else None


def _compiled_function(function: Callable[..., Any], player: int, ranking: Ranking) -> tuple[Any, bool]:
    """Compile a decision function and try it on one hand; returns it and whether it gives a probability."""
    from guts_sim.kernels.hybrid import compiled

    name = getattr(function, "__name__", type(function).__name__)
    cards = tuple(4 * rank for rank in range(ranking.hand_sizes[0]))
    try:
        decide = compiled(function)
        answer = decide(0, player, 1, cards)
    except Exception as error:
        raise InputError(
            f"strategies[{player}]: numba cannot compile and run {name}(hand_class, player, pot, cards): "
            f"{_reason(error)}"
        ) from error
    if not isinstance(answer, bool | int | float | np.bool_ | np.number):
        raise InputError(
            f"strategies[{player}]: {name} must return True or False, or a probability, got {shown(answer)}"
        )
    return decide, isinstance(answer, float | np.floating)


def _reason(error: Exception) -> str:
    """First line of a message that says more than where in the compiler it was raised."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith("Failed in nopython mode pipeline")]
    return telling[0] if telling else type(error).__name__
