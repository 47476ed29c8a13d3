"""Two or three players, hands of two or three cards: exact for any entry probability per class."""

from dataclasses import dataclass

import numpy as np

from guts_sim.exact.hand_lists import HandList
from guts_sim.exact.results import Floats, RoundLaw, RoundValues, payoffs


@dataclass(frozen=True, eq=False)
class HeroChances:
    """What the opponents of each hero hand do; every array has shape (n_heroes,).

    Attributes
    ----------
    none_in : probability that no opponent enters
    none_as_strong, none_stronger : probability that no opponent enters who ties or beats / who beats
    mean_in : expected number of opponents who enter
    tied_equal, tied_above, tied_any : probability that two opponents enter with equal hands: equal to
        the hero's too, better than the hero's, any
    """

    none_in: Floats
    none_as_strong: Floats
    none_stronger: Floats
    mean_in: Floats
    tied_equal: Floats
    tied_above: Floats
    tied_any: Floats


def hero_chances(hands: HandList, n_opponents: int, entry_probs: Floats) -> HeroChances:
    """Chances of every hero hand against one or two opponents who enter by `entry_probs`."""
    from guts_sim.kernels.count_pairs import sweep_fields, sweep_ties

    single, double, tied = (np.zeros((len(hands.heroes), 3)) for _ in range(3))
    layout = (hands.hands, hands.starts, hands.heroes, hands.hero_starts, entry_probs)
    sweep_fields(*layout, n_opponents, single, double)
    single /= hands.n_deals(1)
    if n_opponents == 2:
        sweep_ties(*layout, tied)
        double /= hands.n_deals(2)
        tied /= hands.n_deals(2)
    none = single if n_opponents == 1 else double
    return HeroChances(
        none_in=none[:, 0],
        none_as_strong=none[:, 1],
        none_stronger=none[:, 2],
        mean_in=n_opponents * (1.0 - single[:, 0]),
        tied_equal=tied[:, 1] - tied[:, 0],
        tied_above=tied[:, 2] - tied[:, 1],
        tied_any=tied[:, 2],
    )


def hero_values(hands: HandList, n_players: int, entry_probs: Floats, n_shares: float | None = None) -> RoundValues:
    """Values per hero hand (not per class) against opponents who enter by `entry_probs`; see `payoffs`."""
    chances = hero_chances(hands, n_players - 1, entry_probs)
    one_equal = chances.none_stronger - chances.none_as_strong - chances.tied_equal
    best_by_ties = [chances.none_as_strong, one_equal, chances.tied_equal]
    mean_best_when_in = np.sum([(u + 1) * chance for u, chance in enumerate(best_by_ties)], axis=0)
    mean_best_when_in += 1.0 - chances.none_stronger + chances.tied_above
    return payoffs(
        n_shares or n_players,
        hands.multiplicity / len(hands.hands),
        chances.none_in,
        best_by_ties,
        chances.mean_in,
        1.0 - chances.none_in + chances.tied_any,
        mean_best_when_in,
    )


def class_values(hands: HandList, n_players: int, entry_probs: Floats, n_shares: float | None = None) -> RoundValues:
    """Values per class against opponents who enter by `entry_probs`; see `payoffs`."""
    values = hero_values(hands, n_players, entry_probs, n_shares)
    return RoundValues(
        hands.class_means(values.ev_in),
        hands.class_means(values.ev_out),
        hands.class_means(values.delta),
        hands.frequency,
        hands.class_means(values.p_nobody_else),
    )


def small_round_law(hands: HandList, n_players: int, entry_probs: Floats) -> RoundLaw:
    """Law of a round of two or three players who all enter by `entry_probs`.

    Each player in turn is the hero: averages over the hero's hand of what his opponents do give the
    law of the number in, and of the ties among them.
    """
    chances = hero_chances(hands, n_players - 1, entry_probs)
    entry = entry_probs[hands.hero_classes]
    joint = np.zeros((n_players + 1, n_players + 1))
    joint[0, 0] = hands.mean((1.0 - entry) * chances.none_in)
    joint[1, 1] = n_players * hands.mean(entry * chances.none_in)
    if n_players == 2:
        joint[2, 2] = hands.mean(entry * (chances.none_stronger - chances.none_as_strong))
        joint[2, 1] = hands.mean(entry * chances.mean_in) - joint[2, 2]
        return RoundLaw(joint)
    # Of two opponents: mean_in = P(one in) + 2 P(both in) and none_in + P(one in) + P(both in) = 1.
    both_in = chances.mean_in - 1.0 + chances.none_in
    joint[3, 3] = hands.mean(entry * chances.tied_equal)
    joint[3, 2] = 3.0 * hands.mean(entry * chances.tied_above)
    joint[3, 1] = hands.mean(entry * both_in) - joint[3, 2] - joint[3, 3]
    joint[2, 2] = 3.0 * hands.mean((1.0 - entry) * chances.tied_any)
    joint[2, 1] = 3.0 * hands.mean((1.0 - entry) * both_in) - joint[2, 2]
    return RoundLaw(joint)
