"""Rule sets: what is allowed, profiles, switches, and the rules in words."""

import dataclasses

import numpy as np
import pytest

from guts_sim.errors import InputError
from guts_sim.results import rule_word
from guts_sim.rules import MAX_CHIPS, PROFILES, GutsRules, get_rules
from guts_sim.studies.rulebook import list_rules, rule_text, show_rules

HUGE = pytest.param(10**5000, id="huge")
FLAGS = ("straights_flushes", "trips_above_straight_flush", "straight_below_flush", "reserve", "ante_every_round")


def refusal(function, *args, **kwargs):
    with pytest.raises(InputError) as caught:
        function(*args, **kwargs)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert len(message) < 400
    return message


def test_the_two_profiles():
    two_card, home = PROFILES["two-card"], PROFILES["home"]
    assert (two_card.cards, two_card.nobody_in, two_card.ante) == (2, "hold", 1)
    assert (two_card.cap, two_card.reserve) == (20, True)
    assert (home.cards, home.nobody_in, home.ante, home.cap, home.reserve) == (2, "reante", 1, None, False)
    assert (two_card.profile, home.profile) == ("two-card", "home")
    assert home.with_switches(cards=3).profile == "home"
    assert two_card.with_switches(cap=50).profile == "custom"


def test_rules_and_profiles_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        PROFILES["home"].cap = 5
    with pytest.raises(TypeError):
        PROFILES["mine"] = GutsRules()


@pytest.mark.parametrize("cards", [0, 1, 4, -2, 2.5, "3", None, True, [2], float("nan"), "x" * 10_000])
def test_cards_are_2_or_3(cards):
    assert "2 or 3 cards" in refusal(GutsRules, cards=cards)


@pytest.mark.parametrize("name", ["ante", "cap"])
@pytest.mark.parametrize("value", [0, -1, 1.5, "5", True, float("nan"), float("inf"), [1], MAX_CHIPS + 1, HUGE])
def test_chips_are_whole_and_positive(name, value):
    assert refusal(GutsRules, **{name: value}).startswith(f"{name}: ")


@pytest.mark.parametrize("name", FLAGS)
@pytest.mark.parametrize("value", [1, 0, "yes", "", None, 1.0])
def test_flags_are_true_or_false(name, value):
    assert refusal(GutsRules, **{name: value}).startswith(f"{name}: ")


@pytest.mark.parametrize("name", ["nobody_in"])
@pytest.mark.parametrize("value", ["", "HOLD", "fold", None, 1, ["hold"], {}])
def test_choices_are_named(name, value):
    assert "hold or reante" in refusal(GutsRules, **{name: value})


def test_numpy_and_whole_float_values_become_plain_ones():
    rules = GutsRules(cards=np.int64(3), ante=np.uint8(2), cap=1e6, reserve=np.True_)
    assert rules == GutsRules(cards=3, ante=2, cap=1_000_000, reserve=True)
    values = dataclasses.asdict(rules).values()
    assert {type(value) for value in values} <= {int, bool, str, type(None)}
    assert hash(rules) == hash(GutsRules(cards=3, ante=2, cap=1_000_000, reserve=True))


def test_a_reserve_needs_a_cap():
    assert "give a cap as well" in refusal(GutsRules, reserve=True)
    assert not PROFILES["two-card"].with_switches(cap=None).reserve
    assert "give a cap as well" in refusal(PROFILES["two-card"].with_switches, cap=None, reserve=True)


def test_orders_of_three_cards_need_three_cards():
    assert "3 cards" in refusal(GutsRules, cards=2, straight_below_flush=True)
    assert "3 cards" in refusal(GutsRules, cards=2, straights_flushes=False)
    assert "straights and flushes" in refusal(
        GutsRules, cards=3, straights_flushes=False, trips_above_straight_flush=True
    )
    three = GutsRules(cards=3, straight_below_flush=True)
    assert three.with_switches(cards=2) == GutsRules(cards=2)


@pytest.mark.parametrize(
    ("switches", "n_classes"),
    [
        ({"cards": 2}, 91),
        ({"cards": 3}, 741),
        ({"cards": 3, "straights_flushes": False}, 455),
        ({"cards": 3, "trips_above_straight_flush": True}, 741),
        ({"cards": 3, "straight_below_flush": True}, 741),
    ],
)
def test_ranking_of_the_rules(switches, n_classes):
    assert GutsRules(**switches).ranking.n_classes == n_classes


@pytest.mark.parametrize("n_players", [2, 10, np.int32(7), 5.0])
def test_players_that_can_be_served(n_players):
    served = GutsRules().check_players(n_players)
    assert served == n_players
    assert type(served) is int


@pytest.mark.parametrize("n_players", [0, 1, 11, 17, 18, 26, 27, -3, 2.5, "5", True, None, float("nan"), HUGE])
def test_players_that_cannot_be_served_are_refused_with_the_limit(n_players):
    assert "2 to 10 players" in refusal(GutsRules().check_players, n_players)


def test_rules_by_name():
    assert get_rules(" Two-Card ") == PROFILES["two-card"]
    assert get_rules(PROFILES["home"], cap=50).cap == 50
    assert "known are two-card, home" in refusal(get_rules, "poker")
    assert "a profile name or a GutsRules" in refusal(get_rules, 5)
    assert "no switch 'caps'" in refusal(get_rules, "home", caps=5)


def test_all_switches_are_recorded():
    record = PROFILES["two-card"].as_dict()
    assert record.pop("profile") == "two-card"
    assert GutsRules(**record) == PROFILES["two-card"]
    assert set(record) == {field.name for field in dataclasses.fields(GutsRules)}


def test_rules_in_words_follow_the_switches():
    def text(**switches):
        return dict(rule_text(get_rules("two-card", **switches)))

    assert "at most 20" in text()["G12"]
    assert "reserve" in text()["G12"]
    assert "G13" in text()
    assert "no cap" in text(cap=None)["G12"]
    assert "G13" not in text(cap=None)
    assert "shrink equally" in text(reserve=False)["G12"]
    assert "antes again" in text(nobody_in="reante")["G8"]
    assert "before every round" in text(ante_every_round=True)["G14"]
    assert "741 classes" in text(cards=3)["G3"]
    order = text(cards=3)["G3"]
    assert order.index("straight >") < order.index("flush >", order.index("straight >"))


@pytest.mark.parametrize("switches", [{}, {"cap": 50}])
def test_rule_books_write_out_every_switch_once(switches):
    text = str(show_rules("two-card", **switches)).replace("\n", " ")
    written = ", ".join(
        f"{name} {rule_word(value)}" for name, value in get_rules("two-card", **switches).as_dict().items()
    )
    assert text.count(f": {written}.") == 1


def test_rule_books_are_results():
    result = show_rules("home", cards=3)
    assert result.rules["cards"] == 3
    assert set(result.results["text"]) == {row["rule"] for row in result.rows}
    assert [row["profile"] for row in list_rules().rows] == ["two-card", "home"]
