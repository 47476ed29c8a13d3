"""How a round can end for one player and his table, and the law of it for each hand he may hold.

Against opponents who enter by their own hands alone only three things about them matter: how many are in, the best
hand among those, and how many hold it.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from guts_sim.exact.chain import Event, Stakes, State, settle_table
from guts_sim.exact.hand_lists import Ints
from guts_sim.exact.results import Floats
from guts_sim.exact.two_card import MOST_EQUAL, N_CLASSES, N_RANKS, class_ranks


class Outcome(NamedTuple):
    """End of a round as it concerns one player.

    Attributes
    ----------
    n_best : int
        Players who share the pot; 0 if nobody is in.
    n_losers : int
        Players who match it.
    wins, loses : bool
        Whether the player is among the best, or among those who match.
    """

    n_best: int
    n_losers: int
    wins: bool
    loses: bool


@lru_cache
def outcomes_of(n_players: int) -> tuple[list[Outcome], list[Outcome]]:
    """Ends of a round that are possible for a player who is out, and for one who is in."""
    n = n_players
    out = [Outcome(0, 0, False, False)]
    out += [Outcome(w, k - w, False, False) for k in range(1, n) for w in range(1, k + 1)]
    best = [Outcome(w, k - w, True, False) for k in range(1, n + 1) for w in range(1, k + 1)]
    beaten = [Outcome(w, k - w, False, True) for k in range(2, n + 1) for w in range(1, k)]
    return out, best + beaten


class OutcomeLaw(NamedTuple):
    """Law of the end of a round by the player's hand class and decision.

    Attributes
    ----------
    frequency : float64 array, shape (n_classes,)
        Probability of the class.
    when_out, when_in : float64 array, shape (n_outcomes, n_classes)
        Probabilities in the order of `outcomes_of`; columns sum to 1.
    """

    frequency: Floats
    when_out: Floats
    when_in: Floats

    def weights(self, entry: Floats) -> Floats:
        """Probabilities of all ends of a round, when out and then when in, for strategies given row by row.

        Parameters
        ----------
        entry : float64 array, shape (n_states, n_classes)
            Probability of entering.
        """
        weight_in = (entry * self.frequency) @ self.when_in.T
        weight_out = ((1.0 - entry) * self.frequency) @ self.when_out.T
        return np.hstack([weight_out, weight_in])

    @property
    def n_players(self) -> int:
        """Number of players at the table."""
        n = 2
        while len(outcomes_of(n)[0]) < len(self.when_out):
            n += 1
        return n


def tally_outcomes(configurations: Floats) -> tuple[Floats, Floats]:
    """Sums over ends of a round, from sums over what the opponents did.

    Parameters
    ----------
    configurations : array, shape (n_players, MOST_EQUAL + 1, n_classes, n_hero_classes)
        Weight of: so many opponents in, so many of them of the best class, which class, and the hero's class.

    Returns
    -------
    when_out, when_in : array, shape (n_outcomes, n_hero_classes)
        In the order of `outcomes_of`.
    """
    n_players, _, n_classes, n_heroes = configurations.shape
    outs, ins = outcomes_of(n_players)
    when_out, when_in = np.zeros((len(outs), n_heroes)), np.zeros((len(ins), n_heroes))
    place_out = {outcome: i for i, outcome in enumerate(outs)}
    place_in = {outcome: i for i, outcome in enumerate(ins)}
    weaker = np.tri(n_heroes, n_classes, -1)  # [hero, class]: the class is weaker than the hero's
    same = np.eye(n_heroes, n_classes)
    for n_in in range(n_players):
        for n_best in range(min(n_in, MOST_EQUAL) + 1):
            weights = configurations[n_in, n_best]
            if not weights.any():
                continue
            total = weights.sum(axis=0)
            when_out[place_out[Outcome(n_best, n_in - n_best, False, False)]] += total
            if n_in == 0:
                when_in[place_in[Outcome(1, 0, True, False)]] += total
                continue
            wins = np.einsum("ch,hc->h", weights, weaker)
            ties = np.einsum("ch,hc->h", weights, same)
            when_in[place_in[Outcome(1, n_in, True, False)]] += wins
            when_in[place_in[Outcome(n_best + 1, n_in - n_best, True, False)]] += ties
            when_in[place_in[Outcome(n_best, n_in + 1 - n_best, False, True)]] += total - wins - ties
    return when_out, when_in


@lru_cache(maxsize=1)
def three_hands() -> Ints:
    """Deals of three two-card hands by their classes, int64 of shape (91, 91, 91); suits never matter.

    Examples
    --------
    >>> from math import comb
    >>> int(three_hands().sum()) == comb(52, 2) * comb(50, 2) * comb(48, 2)
    True
    """
    ranks = np.array([class_ranks(index) for index in range(N_CLASSES)])
    used = np.zeros((N_CLASSES, N_RANKS), np.int64)
    for place in range(2):
        np.add.at(used, (np.arange(N_CLASSES), ranks[:, place]), 1)
    first = _ways(np.full((1, N_RANKS), 4), ranks)[0]
    left = 4 - used
    second = _ways(left, ranks)
    third = _ways((left[:, None] - used[None]).reshape(-1, N_RANKS), ranks).reshape((N_CLASSES,) * 3)
    deals: Ints = first[:, None, None] * second[:, :, None] * third
    deals.flags.writeable = False
    return deals


def _ways(left: Ints, ranks: Ints) -> Ints:
    """Ways to make a hand of each class from so many cards of each rank, shape (n, 91)."""
    high, low = left[:, ranks[:, 0]], left[:, ranks[:, 1]]
    ways: Ints = np.where(ranks[:, 0] == ranks[:, 1], high * (high - 1) // 2, high * low)
    return np.maximum(ways, 0)


def small_outcome_law(fields: Sequence[Floats]) -> OutcomeLaw:
    """Law against one or two opponents with two cards, each with entry probabilities of his own; exact."""
    n_players = len(fields) + 1
    deals = three_hands().astype(np.float64)
    configurations = np.zeros((n_players, MOST_EQUAL + 1, N_CLASSES, N_CLASSES))
    if n_players == 2:
        by_hero = deals.sum(axis=2).T  # [opponent, hero]
        configurations[0, 0, 0] = (1.0 - fields[0]) @ by_hero
        configurations[1, 1] = fields[0][:, None] * by_hero
    else:
        first, second = fields
        first_alone, second_alone = deals @ (1.0 - second), deals @ (1.0 - first)  # [hero, the one who is in]
        configurations[0, 0, 0] = first_alone @ (1.0 - first)
        configurations[1, 1] = (first_alone * first + second_alone * second).T
        one, other = np.flatnonzero(first), np.flatnonzero(second)
        both = deals[:, one][:, :, other] * first[one, None] * second[other]
        weaker, equal = one[:, None] > other, one[:, None] == other
        configurations[2, 1, one] += (both * weaker).sum(axis=2).T
        configurations[2, 1, other] += (both * (one[:, None] < other)).sum(axis=1).T
        configurations[2, 2, one] += (both * equal).sum(axis=2).T
    return normalised(*tally_outcomes(configurations), deals.sum(axis=(1, 2)))


def normalised(when_out: Floats, when_in: Floats, frequency: Floats) -> OutcomeLaw:
    """Law from weights; classes without weight count as never dealt."""
    frequency = frequency / frequency.sum()
    shares = []
    for sums in (when_out, when_in):
        total = sums.sum(axis=0)
        shares.append(np.divide(sums, total, out=np.zeros_like(sums), where=total > 0))
    return OutcomeLaw(frequency, *shares)


def best_hand_only(law: OutcomeLaw) -> Floats:
    """Entry probabilities of who waits for the best of all hands: he never loses, and ends a cycle sooner or later."""
    entry = np.zeros(law.frequency.size)
    entry[np.flatnonzero(law.frequency)[-1]] = 1.0
    return entry


def settle_player(
    pot: int, reserve: int, outcome: Outcome, stakes: Stakes, n_players: int, reantes: bool
) -> tuple[float, State]:
    """Chips that a player gets (negative: pays) in a round, and the table afterwards.

    Parameters
    ----------
    pot, reserve : int
        The table before.
    outcome : Outcome
        How the round ends.
    stakes : Stakes
        Rules that move money.
    n_players : int
        Players at the table.
    reantes : bool
        Everybody antes again when nobody is in.

    Examples
    --------
    Three losers match a pot of 12 under a cap of 20 without reserve: each pays 20/3.

    >>> stakes = Stakes(antes=4, cap=20, reserve=False, ante_every_round=False)
    >>> settle_player(12, 0, Outcome(1, 3, False, True), stakes, 4, False)
    (-6.666666666666667, (20, 0))
    """
    nobody = outcome.n_best == 0
    without_antes = stakes._replace(ante_every_round=False)
    event = Event(1.0, nobody, outcome.n_losers)
    after = settle_table(pot, reserve, event, without_antes)
    chips = 0.0
    if outcome.wins:
        chips += pot / outcome.n_best
    if outcome.loses:
        paid = outcome.n_losers * stakes.match(pot)
        if stakes.cap is not None and not stakes.reserve:
            paid = min(paid, stakes.cap)
        chips -= paid / outcome.n_losers
    if (nobody and reantes) or stakes.ante_every_round:
        event = event._replace(antes=nobody and reantes)
        final = settle_table(pot, reserve, event, stakes)
        chips -= (sum(final) - sum(after)) / n_players
        after = final
    return chips, after
