"""The betting round of Indian poker against a twin that keeps its books by seat."""

from fractions import Fraction

import numpy as np
import pytest

from guts_sim.errors import InputError
from guts_sim.games.betting import BettingLimits, act, action_name, first_state, is_over, legal_actions, next_order
from guts_sim.games.card_game import SUBUNITS, share_of_pot
from guts_sim.games.indian import IndianRules
from guts_sim.games.tree import betting_table, betting_tree, history_text, read_history
from tests.naive_indian import all_histories, play

TABLES = [(2, 0, True), (2, 1, False), (2, 3, True), (3, 1, True), (3, 2, False), (4, 1, True), (5, 1, True)]


@pytest.mark.parametrize(("n_players", "max_raises", "fold_unbet"), TABLES)
def test_tree_is_what_the_rules_say(n_players, max_raises, fold_unbet):
    limits = BettingLimits(max_raises=max_raises, fold_unbet=fold_unbet)
    tree = betting_tree(n_players, limits)
    nodes = {tree.history_text(node): node for node in range(len(tree.states))}
    seen = 0
    for words, table in all_histories(n_players, max_raises=max_raises, fold_unbet=fold_unbet):
        node = nodes[" ".join(words)]
        seen += 1
        assert (node >= tree.n_decisions) == table.over
        assert tree.paid[node].tolist() == table.paid
        assert tree.pot[node] == sum(table.paid)
        active = [seat for seat in range(n_players) if not table.folded[seat]]
        assert sorted(tree.orders[node]) == active
        if not table.over:
            assert tree.orders[node][0] == table.turn
            state = tree.states[node]
            assert {action_name(state, a) for a in legal_actions(state, limits)} == set(table.words())
            assert state.owed[0] == table.target - table.paid[table.turn]
    assert seen == len(tree.states)


@pytest.mark.parametrize("n_players", range(2, 11))
def test_nobody_is_skipped_who_owes_a_call(n_players):
    table = betting_table(n_players, BettingLimits(max_raises=2))
    for state in table.states:
        if is_over(state) and len(state.owed) > 1:
            assert not any(state.owed)
        assert len(state.owed) >= 1
        assert all(0 <= owed <= 3 for owed in state.owed)


@pytest.mark.parametrize("n_players", range(2, 11))
def test_who_always_raises_calls_at_the_cap(n_players):
    for max_raises in (0, 1, 3):
        limits = BettingLimits(max_raises=max_raises)
        state, order, words = first_state(n_players, limits), tuple(range(n_players)), []
        while not is_over(state):
            action = legal_actions(state, limits)[-1]
            words.append(action_name(state, action))
            state, order = act(state, action, limits), next_order(order, action)
        assert words[: 1 + max_raises] == ["bet"] + ["raise"] * max_raises
        assert set(words[1 + max_raises :]) == {"call"}
        assert state.pot == n_players * (2 + max_raises)


def test_the_last_player_wins_without_acting():
    limits = BettingLimits()
    state = first_state(3, limits)
    for action in (0, 0):
        state = act(state, action, limits)
    assert is_over(state)
    assert legal_actions(state, limits) == ()
    assert state.pot == 3


def test_worked_example_of_the_winner_without_showing():
    # Four ante, A checks, B bets, C, D and A fold: B receives 5 and nets 3.
    words = "check bet fold fold fold"
    assert play(words.split(), 4).net(None) == [-1, 3, -1, -1]
    tree = betting_tree(4, BettingLimits())
    end = next(node for node in range(len(tree.states)) if tree.history_text(node) == words)
    shares = [Fraction(int(tree.pot[end]) * share, SUBUNITS) for share in share_of_pot([0, 11, 7, 2], tree.orders[end])]
    assert shares == [0, 5, 0, 0]
    assert [share - int(paid) for share, paid in zip(shares, tree.paid[end])] == [-1, 3, -1, -1]


def test_worked_example_of_the_shared_pot():
    # Three at the showdown, pot 6, two active kings; a folded ace cannot win.
    assert [Fraction(6 * s, SUBUNITS) for s in share_of_pot([11, 4, 11, 12], [0, 1, 2])] == [3, 0, 3, 0]


@pytest.mark.parametrize("n_players", range(2, 11))
def test_states_are_numbered_before_what_follows_them(n_players):
    for table in (betting_table(n_players, BettingLimits()), betting_tree(min(n_players, 4), BettingLimits())):
        rows = np.arange(table.n_decisions)[:, None]
        assert ((table.child > rows) | (table.child == -1)).all()


def test_histories_are_read_and_written():
    limits = BettingLimits()
    assert history_text(read_history("Check, bet raise", 3, limits), 3, limits) == "check bet raise"
    for text, part in [("bet check", "'check' is not allowed"), ("jump", "'jump'"), ("bet fold", "nobody has to act")]:
        with pytest.raises(InputError, match=part):
            read_history(text, 2, limits)
    with pytest.raises(InputError, match="one too many"):
        read_history("check check check", 2, limits)


@pytest.mark.parametrize(
    "switches",
    [
        {"max_raises": -1},
        {"max_raises": 10},
        {"ties": "coin"},
        {"best": "middle"},
        {"fold_unbet": 1},
        {"bankroll": 0},
        {"settlement": "guts", "max_raises": 2},
        {"declaration": "sequential"},
        {"nonsense": 1},
    ],
)
def test_rules_that_make_no_sense_are_refused(switches):
    with pytest.raises(InputError, match=next(iter(switches))):
        IndianRules().with_switches(**switches)
