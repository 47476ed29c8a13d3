"""The referee rule by rule, hands at the showdown, and which rule sets make sense."""

import itertools
import random
from fractions import Fraction

import pytest

from guts_sim.cards import parse_cards
from guts_sim.errors import InputError
from guts_sim.rules import PROFILES, GutsRules
from guts_sim.settlement import Contest, encode_rules, settle_contests, show_hand

# --- rule by rule ----------------------------------------------------------------------------------------


def referee(rules, pot, scores, *, reserve=0, ghost=None, stacks=None, **options):
    """One pot, scores as in the kernel; returns the settlement."""
    contest = Contest(
        "pot", Fraction(pot), Fraction(reserve), tuple(score > 0 for score in scores),
        tuple((abs(score),) if score else None for score in scores), None if ghost is None else (ghost,),
    )  # fmt: skip
    stacks = None if stacks is None else [Fraction(stack) for stack in stacks]
    return settle_contests(rules, [contest], "ABCDEFGHIJ"[: len(scores)], stacks=stacks, **options)


def ints(amounts):
    assert all(amount == int(amount) for amount in amounts)
    return [int(amount) for amount in amounts]


def table_after(settled):
    (pot,) = settled.pots
    return int(pot.next_pot), int(pot.reserve)


def test_three_ways_divide_evenly_or_exactly():
    assert ints(referee(GutsRules(), 30300, [5, 5, 5]).won) == [10100] * 3
    assert referee(GutsRules(), 20, [5, 5, 5]).won == (Fraction(20, 3),) * 3


def test_whole_chips_give_the_rest_to_the_first_left_of_the_dealer():
    for dealer, shares in ((0, [6, 8, 6]), (1, [6, 6, 8]), (2, [8, 6, 6])):
        assert ints(referee(GutsRules(), 20, [5, 5, 5], dealer=dealer, unit=Fraction(1)).won) == shares


def test_nobody_pays_more_than_the_pot_when_payments_shrink_in_whole_chips():
    settled = referee(GutsRules(cap=89), 10, [5] + [1] * 9, unit=Fraction(1), dealer=2)
    assert ints(settled.paid) == [0] + [10] * 1 + [9] + [10] * 7
    assert table_after(settled) == (89, 0)


def test_one_in_takes_all_and_pays_nothing():
    settled = referee(GutsRules(), 6, [3, 0, 0, 0, 0, 0])
    assert ints(settled.net) == [6, 0, 0, 0, 0, 0]
    assert settled.pots[0].cycle_over
    assert ints(settled.antes_due) == [1] * 6


def test_cap_with_money_set_aside():
    # Five antes doubled three times make 40; with a cap of 50 two losers pay 40 each, 30 are set aside.
    settled = referee(GutsRules(cap=50, reserve=True), 40, [3, 2, 1, 0, 0])
    assert ints(settled.paid) == [0, 40, 40, 0, 0]
    assert table_after(settled) == (50, 30)


def test_match_limit_lets_the_winner_take_more_than_a_loser_pays():
    settled = referee(GutsRules(match_limit=5), 12, [3, 2, 1])
    assert ints(settled.net) == [12, -5, -5]
    assert table_after(settled) == (10, 0)


def test_only_the_lowest_pays_and_tied_lowest_pay_in_full():
    rules = GutsRules(pays="lowest")
    assert ints(referee(rules, 8, [3, 2, 1, 0]).paid) == [0, 0, 8, 0]
    assert ints(referee(rules, 8, [3, 1, 1, 2]).paid) == [0, 8, 8, 0]
    assert ints(referee(rules, 8, [3, 3, 3]).paid) == [0, 0, 0]


def test_weenie_makes_the_best_hand_that_stayed_out_match():
    settled = referee(GutsRules(nobody_in="weenie"), 7, [-2, -9, -4])
    assert ints(settled.net) == [0, -7, 0]
    assert table_after(settled) == (14, 0)
    assert ints(referee(GutsRules(nobody_in="weenie"), 7, [-9, -9, -4]).paid) == [7, 7, 0]
    assert ints(referee(GutsRules(nobody_in="weenie"), 7, [1, -9, -4]).net) == [7, 0, 0]


def test_nobody_in_holds_or_antes_again():
    assert table_after(referee(GutsRules(), 7, [0, 0, 0])) == (7, 0)
    settled = referee(GutsRules(nobody_in="reante", ante=2), 7, [0, 0, 0])
    assert ints(settled.paid) == [2, 2, 2]
    assert table_after(settled) == (13, 0)
    assert ints(settled.antes_due) == [0, 0, 0]


@pytest.mark.parametrize(("tie", "wins"), [("player", True), ("ghost", False)])
def test_lone_player_and_the_ghost(tie, wins):
    rules = GutsRules(ghost="lone", ghost_tie=tie)
    assert table_after(referee(rules, 6, [5, 0, 0], ghost=4)) == (0, 0)
    lost = referee(rules, 6, [5, 0, 0], ghost=6)
    assert ints(lost.net) == [-6, 0, 0]
    assert table_after(lost) == (12, 0)
    assert lost.pots[0].ghost_wins
    assert lost.pots[0].winners == ()
    assert (ints(referee(rules, 6, [5, 0, 0], ghost=5).net) == [6, 0, 0]) is wins
    # In a showdown of several the lone ghost has no part.
    assert ints(referee(rules, 6, [5, 4, 0], ghost=6).net) == [6, -6, 0]


def test_ghost_in_every_showdown():
    rules = GutsRules(ghost="all")
    lost = referee(rules, 6, [5, 4, 0], ghost=6)
    assert ints(lost.net) == [-6, -6, 0]
    assert table_after(lost) == (18, 0)
    assert ints(referee(rules, 6, [5, 4, 0], ghost=3).net) == [6, -6, 0]
    assert ints(referee(rules, 6, [5, 5, 0], ghost=5).net) == [3, 3, 0]


def test_ghost_and_cap():
    kept = referee(GutsRules(ghost="lone", cap=20, reserve=True), 15, [5, 0], ghost=6)
    assert (ints(kept.paid), table_after(kept)) == ([15, 0], (20, 10))
    shrunk = referee(GutsRules(ghost="lone", cap=20), 15, [5, 0], ghost=6)
    assert (ints(shrunk.paid), table_after(shrunk)) == ([5, 0], (20, 0))


def test_table_stakes_end_with_the_chips_a_player_has():
    settled = referee(GutsRules(stakes="table"), 60, [3, 2, 1], stacks=[100, 50, 10])
    assert ints(settled.net) == [60, -50, -10]
    assert table_after(settled) == (60, 0)
    assert ints(settled.stacks) == [160, 0, 0]
    assert settled.eliminated == ()


def test_elimination_takes_what_is_left():
    settled = referee(GutsRules(stakes="eliminate"), 60, [3, 2, 1], stacks=[100, 60, 10])
    assert ints(settled.stacks) == [160, 0, 0]
    assert settled.eliminated == (2,)  # B could pay in full
    assert table_after(settled) == (70, 0)


def test_a_short_player_who_can_pay_the_shrunken_match_stays():
    settled = referee(GutsRules(stakes="eliminate", cap=20), 20, [3, 2, 1], stacks=[0, 30, 12])
    assert ints(settled.paid) == [0, 10, 10]
    assert settled.eliminated == ()
    unequal = referee(GutsRules(stakes="eliminate", cap=20), 20, [3, 2, 1], stacks=[0, 30, 4])
    assert ints(unequal.paid) == [0, 16, 4]
    assert unequal.eliminated == (2,)


def test_who_cannot_ante_for_a_new_cycle_is_out():
    settled = referee(GutsRules(stakes="eliminate", ante=3), 9, [1, 0, 0], stacks=[0, 3, 2])
    assert settled.eliminated == (2,)
    assert ints(settled.antes_due) == [3, 3, 0]
    at_table = referee(GutsRules(stakes="table", ante=3), 9, [1, 0, 0], stacks=[0, 2, 0])
    assert at_table.eliminated == (2,)
    assert ints(at_table.antes_due) == [3, 2, 0]


def test_two_pots_are_paid_out_before_either_is_matched():
    rules = GutsRules(high_low=True, stakes="table")
    contests = [
        Contest("high pot", Fraction(10), Fraction(0), (True, True), ((2,), (1,))),
        Contest("low pot", Fraction(4), Fraction(0), (True, True), ((1,), (2,))),
    ]
    settled = settle_contests(rules, contests, "AB", stacks=[Fraction(0), Fraction(3)])
    # A has 10 from the high pot and matches 4; B has 3 + 4 and pays 7 of 10.
    assert ints(settled.paid) == [4, 7]
    assert [int(pot.next_pot) for pot in settled.pots] == [7, 4]


def test_explanation_follows_the_chips():
    settled = referee(GutsRules(cap=20, reserve=True), 12, [5, 3, 2, 1])
    assert [line.rule for line in settled.lines] == ["G10", "G10", "G12"]
    assert settled.lines[1].text == "B, C and D match the pot: 12 each."
    refilled = referee(GutsRules(cap=20, reserve=True), 20, [5, 0, 0, 0], reserve=16)
    assert [line.rule for line in refilled.lines] == ["G9", "G13"]
    assert table_after(refilled) == (16, 0)
    assert ints(refilled.antes_due) == [0] * 4


# --- hands -----------------------------------------------------------------------------------------------


def stronger(first, second, rules, common="", low=False):
    strengths = [show_hand(parse_cards(hand), rules, common=parse_cards(common), low=low).strength
                 for hand in (first, second)]  # fmt: skip
    return (strengths[0] > strengths[1]) - (strengths[0] < strengths[1])


@pytest.mark.parametrize(
    ("first", "second", "common"),
    [
        ("Ks 2c", "Kh 2d", ""),  # on the highest card
        ("Kh 2c", "Kd 2s", ""),
        ("9s 9c", "9h 9d", ""),  # the pair's best suit
        ("9s 9c 2c", "9h 9d 2s", ""),  # not the kicker's
        ("3s 2c Ad", "3h 2d As", ""),  # the three is the highest card of this straight
        ("Ah 2c", "Ad 2s", "Kc"),
        ("Kh 2c", "Kd 2s", "As"),  # the shared ace decides nothing
        ("9h Kd", "9d Ks", "9s"),  # nor the shared nine
        ("8s 9s 2c", "8h 9h 2d", "Tc"),
    ],
)
def test_suits_break_exact_ties(first, second, common):
    switches = {"cards": len(parse_cards(first)), "community": int(bool(common))}
    by_suit = GutsRules(ties="suits", **switches)
    assert stronger(first, second, GutsRules(**switches), common) == 0
    assert stronger(first, second, by_suit, common) == 1
    assert stronger(second, first, by_suit, common) == -1


def test_no_two_hands_tie_by_suits():
    rng = random.Random(5)
    for cards, community in itertools.product((2, 3), (0, 1)):
        rules = GutsRules(cards=cards, ties="suits", community=community)
        for _ in range(300):
            dealt = rng.sample(range(52), 2 * cards + community)
            common = dealt[2 * cards :]
            hands = [show_hand(dealt[i * cards : (i + 1) * cards], rules, common=common) for i in range(2)]
            assert hands[0].strength != hands[1].strength


def test_without_straights_the_ace_of_a_run_is_high():
    rules = GutsRules(cards=3, straights_flushes=False, ties="suits")
    assert stronger("As 2c 3d", "Ah 2d 3s", rules) == 1


def test_community_card_makes_three_card_hands():
    two = GutsRules(community=1)
    assert stronger("2c 3d", "As Ac", two, "4h") == 1  # a straight beats a pair
    three = GutsRules(cards=3, community=1)
    assert stronger("9c Td 2h", "As Ac Kd", three, "Jh") == 1  # the best three of four
    assert show_hand(parse_cards("9c Td 2h"), three, common=parse_cards("Jh")).text == "straight, jack high"


def test_low_hands():
    two, three = GutsRules(high_low=True), GutsRules(cards=3, high_low=True)
    assert stronger("2c Ad", "3c Ad", two, low=True) == 1
    assert stronger("Kc Qd", "2c 2d", two, low=True) == 1
    assert stronger("3c 2c Ac", "4d 2h Ah", three, low=True) == 1  # flushes and straights do not hurt
    shared = GutsRules(cards=3, high_low=True, community=1)
    assert stronger("3c 2c Kc", "4d 3h Kh", shared, "As", low=True) == 1


# --- rule sets -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("switches", "named"),
    [
        ({"ghost_tie": "ghost"}, "ghost_tie, ghost"),
        ({"ghost": "all", "ghost_tie": "ghost", "ties": "suits"}, "ghost_tie, ties"),
        ({"high_low": True, "ties": "suits"}, "high_low, ties"),
        ({"pass_left": 1, "declaration": "blind"}, "pass_left, declaration"),
        ({"bankroll": 50}, "bankroll, stakes"),
        ({"stakes": "table", "bankroll": 3, "ante": 2, "high_low": True}, "bankroll, ante"),
        ({"straights_flushes": False}, "straights_flushes, cards"),
        ({"straight_below_flush": True}, "trips_above_straight_flush, straight_below_flush"),
        ({"reserve": True}, "reserve"),
        ({"ties": "coin"}, "ties"),
        ({"declaration": None}, "declaration"),
        ({"nobody_in": "redeal"}, "nobody_in"),
        ({"pays": "none"}, "pays"),
        ({"stakes": "cash"}, "stakes"),
        ({"ghost": True}, "ghost"),
        ({"community": 2}, "community"),
        ({"pass_left": -1}, "pass_left"),
        ({"high_low": "yes"}, "high_low"),
        ({"match_limit": 0}, "match_limit"),
        ({"stakes": "table", "bankroll": 0}, "bankroll"),
    ],
)
def test_combinations_without_meaning_are_refused_by_name(switches, named):
    with pytest.raises(InputError) as refused:
        GutsRules(**switches)
    message = str(refused.value)
    assert message.startswith(f"{named}")
    assert "\n" not in message


def test_what_depends_on_a_switch_goes_with_it():
    ghost = GutsRules(ghost="lone", ghost_tie="ghost", stakes="table", bankroll=50)
    assert ghost.with_switches(ghost="none", stakes="credit") == GutsRules()
    plain = GutsRules(community=1, straights_flushes=False)
    assert plain.with_switches(cards=3).straights_flushes is False
    assert plain.with_switches(community=0) == GutsRules()


@pytest.mark.parametrize(
    ("switches", "own", "showdown", "low"),
    [
        ({}, "guts2", "guts2", "low2"),
        ({"community": 1}, "guts2", "guts3", "low3"),
        ({"cards": 3}, "guts3", "guts3", "low3"),
        ({"cards": 3, "community": 1, "straights_flushes": False}, "guts3-plain", "guts3-plain", "low3"),
    ],
)
def test_rankings_of_a_rule_set(switches, own, showdown, low):
    rules = GutsRules(**switches)
    assert (rules.ranking.name, rules.showdown_ranking.name, rules.low_ranking.name) == (own, showdown, low)


def test_every_table_fits_the_deck():
    fullest = GutsRules(cards=3, ghost="all", community=1)
    assert fullest.n_cards_dealt(10) == 34
    with pytest.raises(InputError, match="2 to 10 players"):
        fullest.check_players(17)


@pytest.mark.parametrize(
    "switches",
    [{"ghost": "lone"}, {"nobody_in": "weenie"}, {"community": 1}, {"high_low": True}, {"pays": "lowest"},
     {"match_limit": 5}, {"ties": "suits"}, {"declaration": "blind"}, {"pass_left": 1}, {"stakes": "table"}],
)  # fmt: skip
def test_studies_of_the_base_game_name_the_switch_they_do_not_solve(switches):
    (name,) = switches
    with pytest.raises(InputError, match=f"^odds: not solved with {name} "):
        GutsRules(**switches).require_base("odds")
    GutsRules(**switches).require_base("odds", supports=[name])
    GutsRules(nobody_in="reante", cap=20, reserve=True).require_base("odds")


@pytest.mark.parametrize("rules", [PROFILES["two-card"], GutsRules(
    nobody_in="weenie", ante=3, ante_every_round=True, match_limit=9, pays="lowest", ghost="all", ghost_tie="ghost",
    stakes="eliminate",
)])  # fmt: skip
def test_rules_are_laid_out_for_the_kernel(rules):
    codes = [2520, 50400, 1, 0, 0, 0, 0, 0, 0, 0] if rules.cap else [7560, 0, 0, 2, 1, 22680, 1, 2, 1, 2]
    assert encode_rules(rules).tolist() == codes
