"""Whole hands of Anaconda: the referee against the rules, the kernel against the referee, logs against a reader."""

from itertools import permutations

import naive_hands
import numpy as np
import pytest
from anaconda_log import LogReader

from guts_sim.cards import format_cards, parse_cards
from guts_sim.engine import deal
from guts_sim.errors import InputError
from guts_sim.games.anaconda import (
    FOLD,
    RAISE,
    STAY,
    AnacondaRules,
    actions,
    begin_hand,
    fix_orders,
    name_of,
    net_chips,
    pass_batches,
    play_action,
    shares_of_pot,
)
from guts_sim.games.anaconda_strategy import read_anaconda_strategy, seat_strategies
from guts_sim.hands import describe_hand
from guts_sim.kernels.anaconda_play_codes import NO_ACTION
from guts_sim.studies.anaconda_beliefs import beliefs
from guts_sim.studies.anaconda_hands import deal_cards
from guts_sim.studies.anaconda_log import anaconda_hand
from guts_sim.studies.anaconda_player import HandPlayer, best_five, exposed_class, reveal_order
from guts_sim.studies.anaconda_sampling import HandsTask, all_seats, hand_keys

BICYCLE = ((3, 1), (2, -1), (1, 1))


def hands_of(*texts):
    return [parse_cards(text) for text in texts]


def after(table, *moves):
    for action in moves:
        table = play_action(table, action)
    return table


def words(table, *moves):
    """Names of the actions as they are taken."""
    found = []
    for action in moves:
        found.append(name_of(table, action))
        table = play_action(table, action)
    return found, table


FOUR = deal(1, 4, 7, seed=5)[0].tolist()


# The referee


def test_a_bet_and_three_raises_are_the_most_and_the_first_bettor_may_raise_again():
    table = begin_hand(FOUR)
    names, table = words(table, RAISE, STAY, STAY, RAISE, RAISE, FOLD, STAY, RAISE)
    assert names == ["bet", "call", "call", "raise", "raise", "fold", "call", "raise"]
    assert actions(table) == (FOLD, STAY)
    with pytest.raises(InputError, match="not allowed"):
        play_action(table, RAISE)
    table = after(table, STAY, STAY)
    assert table.paid == (5, 2, 5, 5)
    assert table.waits_for == "pass"


def test_who_has_checked_may_raise():
    names, _ = words(begin_hand(FOUR), STAY, RAISE, STAY, STAY, RAISE, STAY, STAY, FOLD)
    assert names == ["check", "bet", "call", "call", "raise", "call", "call", "fold"]


def test_nobody_folds_for_nothing():
    assert actions(begin_hand(FOUR)) == (STAY, RAISE)


def test_the_last_player_takes_the_pot_without_acting():
    table = after(begin_hand(FOUR), STAY, RAISE, FOLD, FOLD, FOLD)
    assert table.waits_for == "nothing"
    assert actions(table) == ()
    assert not table.at_showdown
    assert net_chips(table) == (-1, 3, -1, -1)


def test_a_call_that_is_owed_is_asked_for():
    table = after(begin_hand(FOUR), STAY, STAY, STAY, RAISE, STAY, STAY)
    assert (table.waits_for, table.turns[0]) == ("action", 2)


def batches(table, n_cards=3):
    return {seat: table.hands[seat][:n_cards] for seat in table.active}


def test_batches_go_to_the_next_on_the_left_who_is_in():
    table = pass_batches(after(begin_hand(FOUR), *[STAY] * 4), batches(begin_hand(FOUR)))
    assert [set(hand) for hand in table.hands] == [{*FOUR[s][3:], *FOUR[s - 1][:3]} for s in range(4)]
    table = after(begin_hand(FOUR), STAY, RAISE, FOLD, STAY, STAY)
    assert table.active == (0, 1, 3)
    passed = pass_batches(table, batches(table))
    assert set(passed.hands[3]) == {*FOUR[3][3:], *FOUR[1][:3]}
    assert passed.hands[2] == tuple(FOUR[2])


@pytest.mark.parametrize(
    "batch",
    ["2c 3d", "2c 2c 3d", "2c 3d As", "2c 3d 4h 5s"],
)
def test_a_pass_is_three_different_cards_of_the_own_hand(batch):
    table = after(begin_hand(hands_of("2c 3d 4h 5s 6c 7d 8h", "9c Td Jh Qs Kc Ad 2h")), STAY, STAY)
    passed = {0: [parse_cards(card)[0] for card in batch.split()], 1: parse_cards("9c Td Jh")}
    with pytest.raises(InputError, match="3 different cards"):
        pass_batches(table, passed)


def test_everybody_who_is_in_passes_and_only_when_it_is_time():
    table = after(begin_hand(FOUR), *[STAY] * 4)
    with pytest.raises(InputError, match="from each of the seats"):
        pass_batches(table, {0: FOUR[0][:3]})
    with pytest.raises(InputError, match="not now"):
        fix_orders(table, {})
    with pytest.raises(InputError, match="not now"):
        pass_batches(begin_hand(FOUR), batches(begin_hand(FOUR)))


def test_hands_are_seven_different_cards():
    for hands in (FOUR[:1], [FOUR[0], FOUR[0]], [FOUR[0], FOUR[1][:6]]):
        with pytest.raises(InputError, match="hands"):
            begin_hand(hands)


def test_the_example_of_the_queens():
    held = hands_of("Qs Qh 9c 8d 3s 4h 2c", "Qd 9d 5s Ac Kc 7h 6h")
    table = after(begin_hand(held), STAY, STAY)
    passed = pass_batches(table, {0: parse_cards("3s 4h 2c"), 1: parse_cards("Qd 9d 5s")})
    five = best_five(passed.hands[0])
    assert describe_hand(five, "high5").startswith("full house")
    assert set(passed.hands[0]) - set(five) == set(parse_cards("8d 5s"))
    order = reveal_order(five, "hide")
    assert [card[0] for card in format_cards(order).split()] == ["9", "Q", "9", "Q", "Q"]
    assert naive_hands.group_category(naive_hands.grouped(naive_hands.ranks_of(order[:4]))[0]) == "two pair"


def test_equal_hands_split_and_the_odd_chip_goes_to_the_first_after_the_dealer():
    straights = hands_of("As Kd Qs Jh Th 2c 3c", "4c 5c 6c 7c 8c 9d 9h", "Ac Ks Qd Jd Tc 2d 3d")
    table = after(begin_hand(straights, AnacondaRules(roll=False)), RAISE, FOLD, STAY)
    table = pass_batches(table, {0: parse_cards("Th 2c 3c"), 2: parse_cards("Tc 2d 3d")})
    with pytest.raises(InputError, match="not over"):
        net_chips(table)
    table = after(table, STAY, STAY)
    assert table.pot == 5
    assert shares_of_pot(table) == (3, 0, 2)
    assert net_chips(table) == (1, -1, 0)


def test_every_round_of_reveal_starts_without_a_bet_and_opens_with_the_strongest_exposed():
    held = hands_of("2c 2d 3h 4s 8c Td Jh", "Ac Kd 5h 6s 7c 9d Qh")
    table = after(begin_hand(held), STAY, STAY)
    table = after(pass_batches(table, {0: held[0][:3], 1: held[1][:3]}), RAISE, STAY)
    orders = {0: parse_cards("4s 8c Td Jh Ac"), 1: parse_cards("2c 2d 9d Qh 7c")}
    table = fix_orders(table, orders)
    assert (table.turns, table.betting.owed) == ((0, 1), (0, 0))  # a four beats a two
    table = after(table, STAY, RAISE, STAY)
    assert (table.turns, table.betting.owed) == ((1, 0), (0, 0))  # a pair of twos beats eight-four


def test_the_order_is_five_different_cards_of_the_own_hand():
    table = after(begin_hand(FOUR), *[STAY] * 4)
    table = after(pass_batches(table, batches(table)), *[STAY] * 4)
    right = {seat: table.hands[seat][:5] for seat in range(4)}
    for wrong in (table.hands[0][:4], table.hands[1][:5], [table.hands[0][0]] * 5):
        with pytest.raises(InputError, match="five different cards"):
            fix_orders(table, right | {0: wrong})
    assert fix_orders(table, right).n_exposed == 1


def test_equal_exposed_cards_open_with_the_first_after_the_dealer():
    held = hands_of("2c 3d 4h 5s 6c 7d 8h", "2d 3c 4s 5h 6d 7c 8s")
    table = after(begin_hand(held), STAY, STAY)
    table = after(pass_batches(table, {0: held[0][:3], 1: held[1][:3]}), STAY, STAY)
    table = fix_orders(table, {0: parse_cards("8h 7d 6c 5s 2d"), 1: parse_cards("8s 7c 6d 5h 2c")})
    assert table.turns == (0, 1)


def test_a_stack_of_25_is_enough():
    assert AnacondaRules().stack == 25
    hand = anaconda_hand(4, strategies="always-raise", seed=1)
    assert [row["paid"] for row in hand.rows] == [25] * 4


# What strategies do with cards


def test_hidden_groups_are_the_order_that_exposes_the_weakest_cards():
    for hand in deal(60, 1, 7, seed=8).reshape(-1, 7).tolist() + hands_of(
        "Qs Qh Qd 9c 9d 2c 3c", "5c 5d 5h 5s Ac 2c 3d"
    ):
        five = best_five(hand)
        shown = [naive_hands.exposed(reveal_order(five, "hide")[:n]) for n in (4, 3, 2, 1)]
        assert shown == min([naive_hands.exposed(order[:n]) for n in (4, 3, 2, 1)] for order in permutations(five))


def test_the_other_orders():
    five = parse_cards("Qs Qh 9c 8d 3s")
    assert format_cards(reveal_order(five, "last")) == "3s 8d 9c Qh Qs"
    assert format_cards(reveal_order(five, "honest")) == "Qs Qh 9c 8d 3s"
    counts = {}
    for number in range(3000):
        order = reveal_order(five, "random", int(np.random.SeedSequence(number).generate_state(1, np.uint64)[0]))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 120
    # Chi-square with 119 degrees of freedom: above 186 with probability 1e-4.
    assert sum((n - 25) ** 2 / 25 for n in counts.values()) < 186


def test_exposed_cards_are_classed_by_what_they_show():
    classes = {text: exposed_class(parse_cards(text)) for text in ("Kc", "Kc Qc", "Kc Qd", "Kc 8c", "Kc 8d")}
    assert classes == {"Kc": 11, "Kc Qc": 13 * 3 + 11, "Kc Qd": 13 + 11, "Kc 8c": 26 + 11, "Kc 8d": 11}
    assert exposed_class(parse_cards("Ac 3d 5h")) == 13 + 12  # the ace fits below the two
    assert exposed_class(parse_cards("9c 9d Ah")) == 13 * 4 + 7


def test_beliefs_grow_with_strength_and_fear_good_cards():
    known = beliefs(((3, 1),))
    beats = known.beats.astype(int)
    assert (np.diff(beats, axis=2) >= 0).all()
    mean = [beats[2, exposed_class(parse_cards(text))].mean() for text in ("2c 2d", "Kc Kd", "Ac Ad")]
    assert mean == sorted(mean, reverse=True)
    assert beats[4, exposed_class(parse_cards("Kc Kd Kh Ks"))].mean() < 2000 < mean[-1]
    assert beats[0, 0].mean() == pytest.approx(32768, abs=1)


@pytest.mark.parametrize(
    "spec",
    ["nonsense", "tight:bluff", "tight:bluff=2", "tight:order=up", "tight:name=x", "tight:call=-1", "", "tight:x=1"],
)
def test_strategies_that_make_no_sense_are_refused(spec):
    with pytest.raises(InputError, match="strategy"):
        read_anaconda_strategy(spec)


def test_strategies_are_written_with_changes():
    strategy = read_anaconda_strategy("tight: bluff = 10% : order=honest")
    assert (strategy.name, strategy.bluff, strategy.order) == ("tight:bluff=10%:order=honest", 0.1, "honest")
    assert read_anaconda_strategy(strategy) is strategy
    with pytest.raises(InputError, match="one for all"):
        seat_strategies("tight,loose", 3)


# The kernel against the referee

MIXED = "solid:order=random,tight:order=honest,loose:order=last,bluffer:slow=20%:passing=random"


def compare_with_referee(n_players, specs, rules, first, n_deals):
    """Play deals from number ``first`` on both ways."""
    strategies, line_ups, keys = seat_strategies(specs, n_players), all_seats(range(n_players)), hand_keys(3)
    played = HandsTask(3, rules, strategies, line_ups, line_ups).play(first, n_deals, most_actions=300)
    cards = deal_cards(keys.deals, first, n_deals, n_players).reshape(n_deals, n_players, 7)
    for number in range(n_deals):
        for row, players in enumerate(line_ups):
            hand = HandPlayer([strategies[player] for player in players], rules, keys, first + number)
            end = hand.play(cards[number].tolist())
            moves = [4 * table.turns[0] + move for table, move in hand.moves if isinstance(move, int)]
            recorded = played.record[number, row]
            assert recorded[recorded != NO_ACTION].tolist() == moves
            assert tuple(played.net[number, row].tolist()) == net_chips(end)
            taken = [2 * (chips > 0) for chips in shares_of_pot(end)]
            flags = [taken[seat] + (end.at_showdown and seat in end.active) for seat in range(n_players)]
            assert played.flags[number, row].tolist() == flags


@pytest.mark.parametrize(
    ("n_players", "specs", "rules", "n_deals"),
    [
        (4, MIXED, AnacondaRules(), 16),
        (3, "caller,always-raise,random:passing=lowest", AnacondaRules(), 8),
        (7, "loose:passing=keep-best", AnacondaRules(), 2),
        (2, "bluffer,loose:passing=keep-best", AnacondaRules(BICYCLE), 12),
        (5, "random:passing=random", AnacondaRules(BICYCLE, roll=False), 5),
    ],
)
def test_kernel_and_referee_agree_action_for_action(n_players, specs, rules, n_deals):
    compare_with_referee(n_players, specs, rules, 0, n_deals)


@pytest.mark.slow
@pytest.mark.parametrize("n_players", range(2, 8))
@pytest.mark.parametrize("rules", [AnacondaRules(), AnacondaRules(BICYCLE), AnacondaRules(roll=False)])
def test_kernel_and_referee_agree_on_many_hands(n_players, rules):
    names = ["solid:order=hide", "bluffer:order=honest", "loose:noise=10%", "tight:slow=50%", "random", "always-raise"]
    specs = [*names, "caller"][:n_players]
    compare_with_referee(n_players, specs, rules, 10**9, 30)


# Logs


@pytest.mark.parametrize(
    ("n_players", "strategies", "passes", "roll"),
    [
        (4, "solid,loose,bluffer,tight", "3L", True),
        (3, "random", "3L", True),
        (7, "loose", "3L", True),
        (2, "bluffer", "3L,2R,1L", True),
        (5, "random", "3L,2R,1L", False),
    ],
)
def test_logs_follow_the_rules(n_players, strategies, passes, roll):
    read_passes = BICYCLE if "," in passes else ((3, 1),)
    seen = set()
    for number in range(6):
        hand = anaconda_hand(n_players, strategies=strategies, passes=passes, roll=roll, seed=2, deal=number)
        reader = LogReader(hand.lines, read_passes, 4 if roll else 0).read()
        assert [row["net"] for row in hand.rows] == list(reader.net.values())
        assert hand.results["showdown"] == reader.showdown
        assert max(row["paid"] for row in hand.rows) <= AnacondaRules(read_passes, roll).stack
        seen |= {word for word, _ in reader.seen}
    assert seen == {"check", "bet", "raise", "call", "fold"}


def test_the_reader_of_logs_is_not_blind():
    table = ",".join(f"{name}:order=hide" for name in ("solid", "loose", "bluffer", "tight"))
    lines = anaconda_hand(4, strategies=table, seed=3).lines
    LogReader(lines).read()
    changes = [
        ("raises, pays 4", "raises, pays 5"),
        ("passes 6d 9s Th to seat 2", "passes 6d 9s Th to seat 3"),
        ("passes 6d 9s Th", "passes 6d 9s Tc"),
        ("seat 2 opens", "seat 1 opens"),
        ("seat 4 takes 35", "seat 3 takes 35"),
        ("seat 1 shows 2d 3d", "seat 1 shows 3d 2d"),
        ("seat 1 folds", "seat 1 checks"),
    ]
    for old, new in changes:
        assert any(old in line for line in lines), old
        with pytest.raises(AssertionError):
            LogReader([line.replace(old, new) for line in lines]).read()
