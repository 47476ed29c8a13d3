"""Solved games of one card: exact and published values, replies against a twin, learning against exact solutions."""

from fractions import Fraction
from itertools import permutations, product
from math import comb

import numpy as np
import pytest

from guts_sim.exact.one_card import best_is, hidden_card_odds, shared_best
from guts_sim.games.betting import BettingLimits
from guts_sim.games.card_game import SUBUNITS, Deck, betting_game, declaring_game, share_of_guts
from guts_sim.games.tree import NO_CHILD
from guts_sim.solve.cfr import learn_profile
from guts_sim.solve.profiles import best_reply_values, nash_conv, profile_values
from guts_sim.solve.sequence_form import solve_two_players
from tests.naive_indian import Table

NO_RAISE = BettingLimits(max_raises=0, fold_unbet=False)


# Chances of the hidden card


@pytest.mark.parametrize(
    ("seen", "win", "tie"),
    [
        ([11], (4, 51), (3, 51)),
        ([10], (8, 51), (3, 51)),
        ([5], (28, 51), (3, 51)),
        ([11, 11], (4, 50), (2, 50)),
        ([12], (0, 51), (3, 51)),
        ([11, 10, 9, 8, 7], (4, 47), (3, 47)),
        ([12, 12, 12, 12], (0, 48), (0, 48)),
    ],
)
def test_odds_of_the_hidden_card(seen, win, tie):
    odds = hidden_card_odds(seen)
    assert (odds.win, odds.tie) == (Fraction(*win), Fraction(*tie))
    assert odds.win + odds.tie + odds.lose == 1
    assert odds.equity == odds.win + odds.tie / (1 + seen.count(max(seen)))


def test_odds_with_ordered_suits_never_tie():
    odds = hidden_card_odds([47, 3], n_strengths=52)
    assert (odds.win, odds.tie) == (Fraction(4, 50), 0)


def test_how_often_the_highest_rank_is_shared():
    # Exact counts for 2 to 10 players.
    known = [0.058824, 0.087059, 0.116447, 0.145938, 0.175541, 0.205230, 0.234980, 0.264763, 0.294549]
    assert [round(float(shared_best(n)), 6) for n in range(2, 11)] == known
    assert round(float(best_is(12, 5)), 6) == 0.341158
    assert round(float(best_is(12, 10)), 6) == 0.586555
    assert best_is(12, 5) == 1 - Fraction(comb(48, 5), comb(52, 5))


def test_two_players_win_8_of_17_and_tie_once():
    game = betting_game(2)
    shares = game.outcome[0b11]
    ties = int(game.ways[shares[0] == SUBUNITS // 2].sum())
    wins = int(game.ways[shares[0] == SUBUNITS].sum())
    assert (Fraction(wins, 52 * 51), Fraction(ties, 52 * 51)) == (Fraction(8, 17), Fraction(1, 17))


# Values of strategies


def uniform(game):
    return lambda place, _view: [Fraction(int(legal), int(game.legal[place].sum())) for legal in game.legal[place]]


def counted_values(game, choose):
    """Expected payoff of each seat in fractions; ``choose(place, view)``: probability of each of the three actions."""
    payoffs = [game.payoff_units(end).T.tolist() for end in range(len(game.stake))]
    totals = [Fraction(0)] * game.n_players

    def add(node, deal, probability):
        if node >= game.n_decisions:
            for seat, units in enumerate(payoffs[node - game.n_decisions][deal]):
                totals[seat] += probability * units
            return
        seen = int(game.view[game.actor[node], deal])
        for child, share in zip(game.child[node].tolist(), choose(int(game.place[node]), seen)):
            if child != NO_CHILD and share:
                add(child, deal, probability * share)

    n_ways = int(game.ways.sum())
    for deal, ways in enumerate(game.ways.tolist()):
        add(0, deal, Fraction(ways, n_ways))
    return [total / SUBUNITS for total in totals]


def test_two_random_players():
    game = betting_game(2)
    assert counted_values(game, uniform(game)) == [Fraction(-2, 9), Fraction(2, 9)]
    assert profile_values(game, game.uniform()) == pytest.approx([-2 / 9, 2 / 9], abs=1e-15)


def naive_uniform_value(n_players, deck):
    """Value of uniformly random play, over all deals of single cards and all histories."""
    totals, n_deals = [Fraction(0)] * n_players, 0
    for cards in permutations(range(deck.n_ranks * deck.copies), n_players):
        n_deals += 1
        waiting = [((), Fraction(1))]
        while waiting:
            words, p = waiting.pop()
            table = Table(n_players)
            for word in words:
                table.do(word)
            options = table.words()
            waiting.extend(((*words, word), p / len(options)) for word in options)
            if not options:
                net = table.net([card // deck.copies for card in cards])
                assert sum(net) == 0
                totals = [total + p * chips for total, chips in zip(totals, net)]
    return [total / n_deals for total in totals]


@pytest.mark.parametrize(("n_players", "deck"), [(2, Deck(3, 2)), (3, Deck(2, 2))])
def test_values_are_those_of_the_twin(n_players, deck):
    game = betting_game(n_players, deck=deck)
    assert counted_values(game, uniform(game)) == naive_uniform_value(n_players, deck)


@pytest.mark.parametrize("n_players", [2, 3])
def test_every_ledger_sums_to_zero(n_players):
    game = betting_game(n_players)
    assert all((game.payoff_units(end).sum(axis=0) == 0).all() for end in range(len(game.stake)))
    guts = declaring_game(n_players)
    assert all((guts.payoff_units(end).sum(axis=0) == 0).all() for end in range(len(guts.stake)))


def test_payoffs_of_guts_on_one_card():
    # Three players, pot 1, fair share 1/3; a chip left on the table is worth a third to each.
    third = SUBUNITS // 3
    assert share_of_guts([5, 5, 5], []) == [0, 0, 0]
    assert share_of_guts([5, 9, 2], [0]) == [SUBUNITS - third, -third, -third]
    assert share_of_guts([5, 9, 2], [0, 1]) == [-SUBUNITS, SUBUNITS, 0]
    assert share_of_guts([9, 9, 2], [0, 1]) == [SUBUNITS // 2 - third, SUBUNITS // 2 - third, -third]


# Exact solutions


def check_solution(game, value, tolerance=1e-9):
    solution = solve_two_players(game)
    assert solution.values == pytest.approx([value, -value], abs=tolerance)
    assert solution.reply_values == pytest.approx([value, -value], abs=tolerance)
    assert np.allclose(solution.profile.sum(axis=2), 1.0)
    return solution


def test_kuhn_poker():
    # H. W. Kuhn, "Simplified two-person poker" (1950): -1/18.
    check_solution(betting_game(2, NO_RAISE, deck=Deck(3, 1), sees="own"), -1 / 18)


@pytest.mark.parametrize("sees", ["own", "others"])
@pytest.mark.parametrize("best", ["high", "low"])
def test_one_card_poker_with_52_cards_is_the_same_game_reversed(sees, best):
    check_solution(betting_game(2, NO_RAISE, sees=sees, best=best), -295 / 5304)


def test_value_does_not_depend_on_folding_when_nothing_is_bet():
    value = solve_two_players(betting_game(2)).values[0]
    assert value == pytest.approx(-0.0613757835, abs=1e-9)
    check_solution(betting_game(2), value)
    check_solution(betting_game(2, BettingLimits(fold_unbet=False)), value)
    check_solution(betting_game(2, sees="own"), value)
    check_solution(betting_game(2, best="low"), value)


def test_guts_on_one_card_with_two_players():
    # By symmetry worth nothing; exactly the seven lowest cards on the other's forehead are worth going in.
    solution = check_solution(declaring_game(2), 0.0)
    for place in (0, 1):
        assert solution.profile[place, :, 1].tolist() == [1.0] * 7 + [0.0] * 6
    assert solve_two_players(declaring_game(2, sequential=True)).values[0] < -0.05


# Best replies and learning


def naive_reply_value(game, profile, seat):
    """Best reply by trying every pure strategy of a seat; for tiny games."""
    places = [place for place in range(game.n_places) if game.place_actor[place] == seat]
    spots = [(place, view) for place in places for view in np.unique(game.view[seat]).tolist()]
    options = [np.flatnonzero(game.legal[place]).tolist() for place, _ in spots]
    best = -np.inf
    for chosen in product(*options):
        pure = profile.copy()
        for (place, view), action in zip(spots, chosen):
            pure[place, view] = np.eye(3)[action]
        best = max(best, profile_values(game, pure)[seat])
    return best


@pytest.mark.parametrize(
    "game",
    [
        betting_game(2, NO_RAISE, deck=Deck(3, 1)),
        betting_game(2, BettingLimits(fold_unbet=False), deck=Deck(2, 2)),
        declaring_game(2, deck=Deck(3, 2)),
        declaring_game(3, deck=Deck(2, 2)),
    ],
)
def test_best_replies_are_those_of_the_twin(game):
    rng = np.random.default_rng(1)
    profile = np.where(game.legal[:, None, :], rng.random((game.n_places, game.n_views, 3)), 0.0)
    profile /= profile.sum(axis=2, keepdims=True)
    expected = [naive_reply_value(game, profile, seat) for seat in range(game.n_players)]
    assert best_reply_values(game, profile) == pytest.approx(expected, abs=1e-12)


def test_learning_finds_the_exact_values():
    game = betting_game(2)
    learned = learn_profile(game, target=1e-4)
    assert learned.nash_conv <= 1e-4
    assert learned.values == pytest.approx(solve_two_players(game).values, abs=1e-4)
    assert learned.nash_conv == pytest.approx(nash_conv(game, learned.profile), abs=1e-12)
    assert learn_profile(game, target=1e-4).profile.tobytes() == learned.profile.tobytes()


def test_three_players_come_close_to_equilibrium():
    solution = learn_profile(betting_game(3), target=0.02)
    assert solution.nash_conv <= 0.02
    assert solution.values.sum() == pytest.approx(0.0, abs=1e-12)
    assert (solution.reply_values >= solution.values - 1e-12).all()


@pytest.mark.slow
def test_three_players_come_as_close_as_is_claimed():
    assert learn_profile(betting_game(3)).nash_conv <= 0.008
