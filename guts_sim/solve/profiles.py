"""Value and exploitability of a strategy for every seat, on games small enough to list every deal.

A *profile* gives every seat's probabilities as one array (place, view, action); see `guts_sim.games.card_game`.
"""

import numpy as np
from numpy.typing import NDArray

from guts_sim.games.card_game import CardGame
from guts_sim.games.tree import NO_CHILD

Floats = NDArray[np.float64]


def profile_values(game: CardGame, profile: Floats) -> Floats:
    """Expected payoff of each seat.

    Parameters
    ----------
    game : CardGame
        The game.
    profile : float64 array, shape (n_places, n_views, 3)
        What everybody does.

    Returns
    -------
    float64 array, shape (n_players,)

    Examples
    --------
    >>> from guts_sim.games.card_game import betting_game
    >>> game = betting_game(2)
    >>> [round(float(value), 6) for value in profile_values(game, game.uniform())]
    [-0.222222, 0.222222]
    """
    reach = _reaches(game, profile, None)
    values = np.zeros(game.n_players)
    for end in range(len(game.stake)):
        values += game.payoffs(end) @ reach[game.n_decisions + end]
    return values


def best_reply(game: CardGame, profile: Floats, seat: int) -> tuple[float, Floats]:
    """Most that a seat can get against the others of a profile, and the profile with that reply in its place.

    Where several actions are equally good, those that the profile takes are kept; so a profile that
    cannot be improved comes back unchanged wherever it matters.
    """
    reach = _reaches(game, profile, seat)
    nodes_of_place: dict[int, list[int]] = {}
    for node in range(game.n_decisions):
        nodes_of_place.setdefault(int(game.place[node]), []).append(node)
    reply = profile.copy()
    view = game.view[seat]
    values: dict[int, Floats] = {}

    def value(node: int) -> Floats:
        """What the seat gets from here on, by deal, weighted with the probability that the others come here."""
        if node >= game.n_decisions:
            return np.asarray(game.payoffs(node - game.n_decisions)[seat] * reach[node])
        if node not in values:
            if game.actor[node] == seat:
                choose(int(game.place[node]))
            else:
                values[node] = sum(
                    (value(child) for child in game.child[node] if child != NO_CHILD), np.zeros(len(game.deals))
                )
        return values[node]

    def choose(place: int) -> None:
        """Take the best action at every view of a place, summed over all that the seat cannot tell apart."""
        nodes = nodes_of_place[place]
        actions = np.flatnonzero(game.legal[place])
        by_node = {node: {a: value(int(game.child[node, a])) for a in actions} for node in nodes}
        totals = np.full((game.n_views, profile.shape[2]), -np.inf)
        for action in actions:
            summed = sum((by_node[node][action] for node in nodes), np.zeros(len(game.deals)))
            totals[:, action] = np.bincount(view, summed, game.n_views)
        best = totals.max(axis=1, keepdims=True)
        is_best = totals >= best - 1e-13
        kept = np.where(is_best, profile[place], 0.0)
        share = kept.sum(axis=1, keepdims=True)
        first = np.eye(profile.shape[2])[is_best.argmax(axis=1)]
        reply[place] = np.where(share > 0.0, kept / np.where(share > 0.0, share, 1.0), first)
        for node in nodes:
            values[node] = sum(
                (reply[place, view, action] * by_node[node][action] for action in actions), np.zeros(len(game.deals))
            )

    return float(value(0).sum()), reply


def best_reply_values(game: CardGame, profile: Floats) -> Floats:
    """Most that each seat can get when the others keep to the profile."""
    return np.array([best_reply(game, profile, seat)[0] for seat in range(game.n_players)])


def nash_conv(game: CardGame, profile: Floats) -> float:
    """Sum over the seats of what the best reply gains: 0 exactly at a Nash equilibrium."""
    return float((best_reply_values(game, profile) - profile_values(game, profile)).sum())


def _reaches(game: CardGame, profile: Floats, skipped: int | None) -> list[Floats]:
    """Probability of each node with each deal, leaving out the decisions of one seat."""
    reach: list[Floats] = [game.weight] * (game.n_decisions + len(game.stake))
    for node in range(game.n_decisions):
        seat = int(game.actor[node])
        for action, child in enumerate(game.child[node].tolist()):
            if child != NO_CHILD:
                chosen = 1.0 if seat == skipped else profile[game.place[node], game.view[seat], action]
                reach[child] = reach[node] * chosen
    return reach
