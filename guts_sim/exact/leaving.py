"""Sums along a chain that leaves its states sooner or later."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.errors import InputError
from guts_sim.exact.results import Floats

Ints = NDArray[np.int64]
MOST_FACTORED = 6_000
"""Chains of more states are followed step by step first: factors fill up, and take minutes then."""
MOST_STEPS = 20_000
"""Steps after which factors are the better way all the same."""
MOST_VISITS = 1e9
"""Mean length from which a chain counts as one that never ends: rounding leaves it a chance of some 1e-16 to do so."""
_PRECISION = 1e-14


class LeavingChain:
    """A chain with some chance (or weight) of every move, most of which is within its states.

    Parameters
    ----------
    weights : float64 array, shape (n_states, n_moves)
        Chance of each move, perhaps times a factor.
    after : int64 array, shape (n_states, n_moves)
        The state that each move leads to; numbers from ``n_states`` on leave the chain.
    """

    def __init__(self, weights: Floats, after: Ints) -> None:
        from scipy.sparse import coo_array

        n = len(weights)
        stays = after < n
        source = np.broadcast_to(np.arange(n)[:, None], after.shape)
        self._n = n
        self._moves = coo_array((weights[stays], (source[stays], after[stays])), shape=(n, n)).tocsr()

    @cached_property
    def _factors(self) -> Any:
        from scipy.sparse import eye_array
        from scipy.sparse.linalg import splu

        # Pivots from the diagonal: nothing then cancels, and weights that differ by powers of ten from state to state
        # (worths of rich and poor players with an aversion to risk) cost no digits.
        return splu((eye_array(self._n) - self._moves).tocsc(), diag_pivot_thresh=0.0)

    def total(self, per_visit: Floats) -> Floats:
        """What is collected on the way, from every state: ``per_visit`` now, and the same from where the chain goes.

        Raises
        ------
        InputError
            The chain never leaves some of its states.
        """
        total = self._step_by_step(per_visit) if self._n > MOST_FACTORED else None
        if total is not None:
            return total
        try:
            return np.asarray(self._factors.solve(per_visit))
        except RuntimeError:  # exactly singular
            raise _endless() from None

    def _step_by_step(self, per_visit: Floats) -> Floats | None:
        """The sum over all later steps; None if there are too many that count."""
        total, step, size = per_visit.copy(), per_visit, np.abs(per_visit)
        for _ in range(MOST_STEPS):
            step = np.asarray(self._moves @ step)
            total += step
            size += np.abs(step)
            if (np.abs(step) <= _PRECISION * size).all():  # of each state: one may hold far less than another
                return total
        return None

    def mean_visits(self) -> Floats:
        """Mean number of states visited, from every state.

        Raises
        ------
        InputError
            The chain never leaves some of its states.
        """
        visits = self.total(np.ones(self._n))
        if not (visits < MOST_VISITS).all():
            raise _endless()
        return visits


def _endless() -> InputError:
    return InputError("field, fields: against these opponents a cycle may never end, so a strategy has no worth")
