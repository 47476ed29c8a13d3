"""Compiled walks of Indian poker against plain rules, listed games and each other."""

from fractions import Fraction

import numpy as np
import pytest

from guts_sim.engine import PURPOSE_DEALS, PURPOSE_ENTRY, deal, run_key
from guts_sim.engine.one_card import own_card_weights
from guts_sim.games.betting import action_name
from guts_sim.games.card_game import Deck, betting_game
from guts_sim.games.indian import IndianRules
from guts_sim.games.tree import read_history
from guts_sim.games.walk import walk_of
from guts_sim.kernels.units import SUBUNITS
from guts_sim.solve.indian_sampled import learn_sampled
from guts_sim.solve.profiles import best_reply_values, profile_values
from guts_sim.solve.sampled_replies import ReplyTask, action_values
from guts_sim.studies.indian_session import SessionTask, hand_log
from guts_sim.studies.indian_strategies import SolveOptions, strategy_table, tables_of
from tests.naive_indian import Table

OPTIONS = SolveOptions(seed=1, workers=1, progress=False)
RULES = [
    IndianRules(),
    IndianRules(ties="suits", best="low", max_raises=2),
    IndianRules(best="low", fold_unbet=False, max_raises=0),
]


def random_strategies(walk, n_strategies):
    rng = np.random.default_rng(7)
    probs = rng.random((n_strategies, *walk.shape)) ** 3 * walk.legal[:, None, :]
    return np.ascontiguousarray(probs / probs.sum(axis=3, keepdims=True))


def played_by_twin(walk, tables, who, cards, hand, entry_key, dealer):
    """Net chips by player of one hand, by the twin's rules; decisions use the words that the kernel uses."""
    from guts_sim.kernels.rand import fill_words

    n = walk.n_players
    words = np.empty(128, np.uint64)
    fill_words(entry_key, np.uint64(128 * hand), words)
    table = Table(n, max_raises=walk.rules.max_raises, fold_unbet=walk.rules.fold_unbet)
    ranks = [int(c) if walk.rules.ties == "suits" else int(c) // 4 for c in cards]
    if walk.rules.best == "low":
        ranks = [-rank for rank in ranks]
    strengths = [walk.strength(abs(rank)) for rank in ranks]
    order, node, i = tuple(range(n)), 0, 0
    while not table.over:
        probs = tables[who[(dealer + 1 + table.turn) % n], node, walk.view_of(strengths, order, node)]
        u = (int(words[i]) >> 11) / 2**53
        action = 0 if u < probs[0] else 2 if u >= 1 - probs[2] else 1
        table.do(action_name(walk.table.states[node], action))
        order = order[1:] if action == 0 else (*order[1:], order[0])
        node, i = int(walk.moves[node, action, 0]), i + 1
    net = table.net(ranks)
    return [net[(player - dealer - 1) % n] for player in range(n)]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("n_players", [2, 3, 4, 6, 10])
def test_sessions_are_those_of_the_twin(rules, n_players):
    walk = walk_of(n_players, rules)
    tables, who = random_strategies(walk, 2), tuple(i % 2 for i in range(n_players))
    key, entry_key = run_key(3, PURPOSE_DEALS), run_key(3, PURPOSE_ENTRY)
    players, positions = SessionTask(walk, key, entry_key, tables, who)(5, 9)
    totals, squares, won = [Fraction(0)] * n_players, [Fraction(0)] * n_players, [Fraction(0)] * n_players
    by_seat = np.zeros((n_players, n_players), object)
    for session in range(5, 9):
        balance = [Fraction(0)] * n_players
        for dealer in range(n_players):
            hand = session * n_players + dealer
            cards = deal(1, n_players, 1, seed=3, first=hand)[0, :, 0]
            net = played_by_twin(walk, tables, who, cards, hand, entry_key, dealer)
            assert sum(net) == 0
            for player in range(n_players):
                balance[player] += net[player]
                by_seat[player, (player - dealer - 1) % n_players] += net[player]
        best = [player for player in range(n_players) if balance[player] == max(balance)]
        for player in range(n_players):
            totals[player] += balance[player]
            squares[player] += balance[player] ** 2
            won[player] += Fraction(player in best, len(best))
    assert players[:, 0].tolist() == [SUBUNITS * total for total in totals]
    assert players[:, 1].tolist() == [SUBUNITS**2 * square for square in squares]
    assert players[:, 2].tolist() == [SUBUNITS * share for share in won]
    assert (positions[:, :, 0] == SUBUNITS * by_seat).all()


def test_chips_are_conserved_and_blocks_can_be_cut_anywhere():
    walk = walk_of(5, IndianRules())
    task = SessionTask(walk, run_key(1), run_key(1, 1), random_strategies(walk, 1), (0,) * 5)
    whole = task(0, 300)
    assert whole[0][:, 0].sum() == 0
    assert whole[1][:, :, 0].sum() == 0
    parts = [task(0, 7), task(7, 300)]
    for i in range(2):
        assert (whole[i] == parts[0][i] + parts[1][i]).all()


def test_a_log_tells_the_hands_that_the_kernel_plays():
    walk = walk_of(3, IndianRules())
    task = SessionTask(walk, run_key(8), run_key(8, 1), random_strategies(walk, 1), (0,) * 3)
    nets = np.zeros(3)
    for hand in range(3):
        lines = hand_log(task, 8, hand, ["random"] * 3)
        for part in lines[-1].split(":")[1].split(","):
            _, player, net = part.split()
            nets[int(player) - 1] += float(Fraction(net))
    assert nets == pytest.approx(task(0, 1)[0][:, 0] / SUBUNITS)


@pytest.mark.parametrize("n_players", [2, 3])
def test_replies_on_given_cards_add_up_to_those_of_the_listed_game(n_players):
    walk = walk_of(n_players, IndianRules())
    game = betting_game(n_players)
    profile = random_strategies(walk, 1)[0]
    expected = np.stack([best_reply_values(game, profile), profile_values(game, profile)], axis=1)
    task = ReplyTask(walk, run_key(1), profile[None], (0,) * n_players)
    strengths = game.deals.astype(np.uint8)
    for seat in range(n_players):
        # Group the listed deals by what the seat sees: one deal for each set of visible cards.
        views, first = np.unique(game.view[seat], return_index=True)
        weight = np.bincount(game.view[seat], game.weight)[views]
        chosen = np.ascontiguousarray(strengths[first])
        values = task.of_deals(chosen)[:, seat]
        assert weight @ values == pytest.approx(expected[seat], abs=1e-12)


def test_values_of_actions_are_those_of_the_listed_game():
    # After check, bet: what call is worth to seat 1 who sees a seven, by listing the deals.
    walk, game = walk_of(2, IndianRules()), betting_game(2)
    profile = random_strategies(walk, 1)[0]
    history = read_history("check bet", 2, walk.rules.limits)
    found = action_values(walk, [5], history, profile[None], (0, 0))
    node = int(walk.moves[int(walk.moves[0, 1, 0]), 2, 0])
    assert (found.seat, found.node) == (0, node)
    deals = [i for i, (_, other) in enumerate(game.deals.tolist()) if other == 5]
    place = int(walk.moves[0, 1, 0])
    reach = np.array([game.weight[i] * profile[place, game.view[1, i], 2] for i in deals])
    call = int(walk.moves[node, 1, 0]) - game.n_decisions
    expected = reach @ game.payoffs(call)[0, deals] / reach.sum()
    assert found.values[1] == pytest.approx((expected, expected))
    assert found.values[0] == (-1.0, -1.0)
    assert found.law == pytest.approx(reach / reach.sum())
    assert found.p_history == pytest.approx(reach.sum() / game.weight[deals].sum())


@pytest.mark.parametrize("n_players", [4, 7])
def test_what_a_reply_gains_is_never_negative_and_random_play_loses(n_players):
    walk = walk_of(n_players, IndianRules())
    table = strategy_table("raise", walk, OPTIONS)
    values = ReplyTask(walk, run_key(2), table[None], (0,) * n_players)(0, 6)
    assert (values[:, :, 0] >= values[:, :, 1] - 1e-12).all()
    assert (values[:, :, 0] > values[:, :, 1]).any()


def test_weights_of_the_own_card_leave_out_what_is_seen():
    walk = walk_of(4, IndianRules(best="low"))
    weights = own_card_weights(walk, np.array([[3, 3, 0, 12]], np.uint8), seat=1)[0]
    assert weights[[0, 3, 12, 5]].tolist() == [3 / 49, 3 / 49, 3 / 49, 4 / 49]
    assert weights.sum() == pytest.approx(1.0)


def test_sampled_learning_does_not_depend_on_threads_and_improves():
    walk = walk_of(4, IndianRules())
    keys = run_key(1, 2), run_key(1, 3)
    options = {"iterations": 15, "deals_per_iteration": 2048, "progress": False}
    learned = learn_sampled(walk, *keys, workers=1, **options)
    assert learned.tobytes() == learn_sampled(walk, *keys, workers=2, **options).tobytes()
    assert np.allclose(learned.sum(axis=2), 1.0)
    assert (learned[~np.broadcast_to(walk.legal[:, None, :], walk.shape)] == 0.0).all()
    gains = []
    for table in (strategy_table("random", walk, OPTIONS), learned):
        values = ReplyTask(walk, run_key(1, 4), table[None], (0,) * 4)(0, 60)
        gains.append((values[:, :, 0] - values[:, :, 1]).sum(axis=1).mean())
    assert gains[1] < gains[0] / 3


def test_sampled_gains_agree_with_the_listed_game():
    # Three players, current strategies uniform: mean sampled gains of the first decision against exact ones.
    from guts_sim.engine.one_card import deal_strengths
    from guts_sim.kernels.indian_search import sample_gains

    walk, game = walk_of(3, IndianRules()), betting_game(3)
    uniform = np.ascontiguousarray(game.uniform())
    gains, sums = np.zeros(walk.shape), np.zeros(walk.shape)
    n = 20_000
    cards = deal_strengths(walk, run_key(5), 0, n)
    sample_gains(run_key(5, 1), np.uint64(0), cards, uniform, walk.moves, walk.nodes, walk.deck, gains, sums)
    forced = []
    for action in range(3):
        profile = uniform.copy()
        profile[0] = np.eye(3)[action]
        forced.append(profile_values(game, profile)[0])
    expected = np.array(forced) - profile_values(game, uniform)[0]
    assert gains[0].sum(axis=0) / n == pytest.approx(expected, abs=0.05)  # about five standard errors
    assert gains[:, :, :].sum() != 0.0


@pytest.mark.parametrize("n_players", [3, 6])
def test_strategies_by_name(n_players):
    walk = walk_of(n_players, IndianRules())
    for spec in ("thumb:Q", "loose", "bluff:30%", "random", "raise", "call"):
        probs = strategy_table(spec, walk, OPTIONS)
        assert np.allclose(probs.sum(axis=2), 1.0)
        assert (probs[~np.broadcast_to(walk.legal[:, None, :], walk.shape)] == 0.0).all()
    free = walk.table.price[:, 1] == 0
    thumb = strategy_table("thumb:Q", walk, OPTIONS)
    assert (thumb[~free][walk.best_visible[~free] > 10][:, 0] == 1.0).all()
    assert (thumb[free][walk.best_visible[free] > 10][:, 1] == 1.0).all()
    assert (thumb[free][walk.best_visible[free] <= 10][:, 2] == 1.0).all()
    tables, who = tables_of(["call", "raise", "call"], walk, OPTIONS)
    assert (len(tables), who) == (2, (0, 1, 0))


def test_deck_of_suits_has_no_ties():
    game = betting_game(2, deck=Deck(52, 1))
    assert (game.outcome[0b11] != SUBUNITS // 2).all()
