"""Epsilon-equilibria of small card games by counterfactual regret minimisation on every deal.

Regrets are discounted (gains a little, losses by half at each step) and the average strategy forgets its
beginnings quickly. With two players it converges to an equilibrium. With three or more there is no such theorem,
and the average does wander: its NashConv is measured exactly every few iterations, and the best profile is kept.

References
----------
M. Zinkevich, M. Johanson, M. Bowling, C. Piccione, "Regret minimization in games with incomplete information",
NIPS 20 (2007). N. Brown, T. Sandholm, "Solving imperfect-information games via discounted regret minimization",
AAAI 33 (2019) 1829-1836.
"""

import numpy as np

from guts_sim.engine import progress_bar
from guts_sim.games.card_game import CardGame
from guts_sim.kernels.units import SUBUNITS
from guts_sim.solve.profiles import best_reply_values, profile_values
from guts_sim.solve.sequence_form import Solution

TARGET = 0.008
MAX_ITERATIONS = 3000
ITERATIONS_PER_LOOK = 50
DISCOUNTS = (1.5, 0.0, 12.0)  # exponents for regrets above 0, below 0, and for the average


def learn_profile(
    game: CardGame,
    *,
    target: float = TARGET,
    max_iterations: int = MAX_ITERATIONS,
    progress: bool | None = None,
) -> Solution:
    """Find a profile with a small NashConv.

    Parameters
    ----------
    game : CardGame
        Any number of players whose deals can be listed.
    target : float
        Stop as soon as the NashConv is at most this.
    max_iterations : int
        Stop after so many iterations in any case.
    progress : bool, optional
        See `guts_sim.engine.run_blocks`.

    Returns
    -------
    Solution
        The best profile among those looked at, every 50 iterations.

    Examples
    --------
    >>> from guts_sim.games.card_game import Deck, betting_game
    >>> game = betting_game(2, deck=Deck(3, 1))
    >>> learn_profile(game, target=0.001).nash_conv < 0.001
    True
    """
    from guts_sim.kernels.card_game import minimise_regrets

    shape = (game.n_places, game.n_views, game.child.shape[1])
    regrets, sums = np.zeros(shape), np.zeros(shape)
    money = (game.standing, game.stake.astype(np.float64), game.paid.astype(np.float64))
    arrays = (game.actor, game.place, game.child, game.legal, *money, game.weight, game.view, game.outcome / SUBUNITS)
    best: Solution | None = None
    with progress_bar(max_iterations, progress, unit="iterations") as bar:
        for done in range(0, max_iterations, ITERATIONS_PER_LOOK):
            minimise_regrets(done, ITERATIONS_PER_LOOK, *DISCOUNTS, *arrays, regrets, sums)
            bar.advance(ITERATIONS_PER_LOOK)
            solution = _look(game, sums, done + ITERATIONS_PER_LOOK)
            if best is None or solution.nash_conv < best.nash_conv:
                best = solution
            if best.nash_conv <= target:
                break
    assert best is not None
    return best


def _look(game: CardGame, sums: np.ndarray, iterations: int) -> Solution:
    """The average strategy so far and its worth."""
    total = sums.sum(axis=2, keepdims=True)
    profile = np.where(total > 0.0, sums / np.where(total > 0.0, total, 1.0), game.uniform())
    return Solution(profile, profile_values(game, profile), best_reply_values(game, profile), iterations)
