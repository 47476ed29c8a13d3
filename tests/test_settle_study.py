"""The study ``settle`` and its command: worked examples, every switch, refusals in one line."""

import json
from fractions import Fraction

import pytest

import guts_sim as gs
from guts_sim.cli import main
from guts_sim.studies.settle import settle


def money(result):
    """Net by player, next pot and reserve."""
    return result.results["net"], result.results["next_pot"], result.results["reserve"]


# --- worked examples -------------------------------------------------------------------------------------


def test_queens_beat_jacks_and_ace_king():
    result = settle({"A": "Qs Qh", "B": "Ac Kd", "C": "Js Jd"}, out=["D"], pot=6)
    assert result.results["winners"] == ["A"]
    assert money(result) == ({"A": 6, "B": -6, "C": -6, "D": 0}, 12, 0)
    assert result.results["payments"] == {"A": 0, "B": 6, "C": 6, "D": 0}
    assert result.results["new_antes"] is False


def test_cap_and_reserve_and_then_a_refill():
    four = {"A": "Qs Qh", "B": "Ac Kd", "C": "Js Jd", "D": "5s 7d"}
    result = settle(four, pot=12, cap=20, reserve=True)
    assert sum(result.results["payments"].values()) == 36
    assert money(result)[1:] == (20, 16)
    refilled = settle(["A"], out=["B", "C", "D"], pot=20, reserve_chips=16)
    assert money(refilled) == ({"A": 20, "B": 0, "C": 0, "D": 0}, 16, 0)
    assert refilled.results["new_antes"] is False
    assert refilled.results["antes_due"] == dict.fromkeys("ABCD", 0)


@pytest.mark.parametrize(("pot", "next_pot"), [(5, 10), (8, 16)])
def test_three_in_double_the_pot(pot, next_pot):
    three = {"A": "Qs Qh Qd", "B": "Ac Kd 2s", "C": "Js Jd 2c"}
    assert money(settle(three, pot=pot))[1] == next_pot


def test_a_pair_of_twos_beats_ace_king():
    assert settle({"A": "As Kd", "B": "2c 2d"}, pot=4).results["winners"] == ["B"]


def test_three_doublings_reach_a_cap_with_money_set_aside():
    pot = 5
    hands = {"A": "Qs Qh", "B": "Ac Kd", "C": "Js Jd"}
    for expected in (10, 20, 40):
        pot = money(settle(hands, out=["D", "E"], pot=pot, cap=50, reserve=True))[1]
        assert pot == expected
    last = settle(hands, out=["D", "E"], pot=pot, cap=50, reserve=True)
    assert last.results["payments"] == {"A": 0, "B": 40, "C": 40, "D": 0, "E": 0}
    assert money(last)[1:] == (50, 30)


def test_one_of_six_in_takes_everything_and_everybody_antes():
    result = settle(["A"], out=list("BCDEF"), pot=6)
    assert money(result) == ({"A": 6, **dict.fromkeys("BCDEF", 0)}, 0, 0)
    assert result.results["new_antes"] is True
    assert result.results["antes_due"] == dict.fromkeys("ABCDEF", 1)


def test_split_pots_are_exact_or_in_whole_chips():
    ties = {"A": "Qs Kh", "B": "Qc Kd", "C": "Qd Ks"}
    assert settle(ties, pot=30300, cap=None).results["net"] == dict.fromkeys("ABC", 10100)
    exact = settle(ties, pot=20)
    assert exact.results["net"] == dict.fromkeys("ABC", "20/3")
    assert exact.results["winners"] == ["A", "B", "C"]
    whole = settle(ties, pot=20, whole_chips=True, dealer="A")
    assert whole.results["net"] == {"A": 6, "B": 8, "C": 6}
    assert settle(ties, pot="1/3").results["net"] == dict.fromkeys("ABC", "1/9")
    assert settle(ties, pot=Fraction(9, 2)).results["net"] == dict.fromkeys("ABC", "3/2")


# --- switches --------------------------------------------------------------------------------------------


def test_ties_by_suit():
    tied = {"A": "Qs Kh", "B": "Qc Ks", "C": "Qd Kd"}
    assert settle(tied, pot=6, ties="suits").results["winners"] == ["B"]


def test_nobody_in():
    assert money(settle(out=["A", "B"], pot=6)) == ({"A": 0, "B": 0}, 6, 0)
    again = settle(out=["A", "B"], pot=6, nobody_in="reante", ante=3)
    assert money(again) == ({"A": -3, "B": -3}, 12, 0)
    weenie = settle(out={"A": "7s 8d", "B": "As Kd"}, pot=6, nobody_in="weenie")
    assert money(weenie) == ({"A": 0, "B": -6}, 12, 0)
    assert "ace high" in weenie.results["lines"][0]["text"]


def test_ghost():
    result = settle({"A": "Ks Kd"}, out=["B"], pot=6, ghost="lone", ghost_hand="As Ad")
    assert money(result) == ({"A": -6, "B": 0}, 12, 0)
    assert (result.results["winners"], result.results["ghost_wins"]) == ([], True)
    tie = {"players_in": {"A": "Ks Qd"}, "out": ["B"], "pot": 6, "ghost": "lone", "ghost_hand": "Kh Qh"}
    assert money(settle(**tie))[0] == {"A": 6, "B": 0}
    assert money(settle(**tie, ghost_tie="ghost"))[0] == {"A": -6, "B": 0}
    assert "A ties with the ghost (king high, king-queen) and takes the pot" in settle(**tie).summary()
    assert "A beats the ghost" in settle(**{**tie, "ghost_hand": "Kh Jh"}).summary()
    both = {"A": "Ks Kd", "B": "Qs Qd"}
    assert money(settle(both, pot=6, ghost="all", ghost_hand="As Ad"))[1] == 18
    assert money(settle(both, pot=6, ghost="lone"))[1] == 6


def test_community_card_decides():
    result = settle({"A": "9s Ts", "B": "Ac Ad"}, pot=6, community=1, community_card="Jd")
    assert result.results["winners"] == ["A"]
    assert "straight, jack high" in result.results["lines"][0]["text"]
    three = settle({"A": "9s Tc 2h", "B": "Ac Ad Kh"}, pot=6, community=1, community_card="Jd")
    assert three.results["winners"] == ["A"]


def test_high_low_settles_each_pot_separately():
    result = settle(
        both={"A": "Ks 2d"}, low={"B": "2h Ad"}, high={"C": "9s 9d"}, out=["D"], pot=6, low_pot=4, high_low=True
    )
    assert result.results["winners"] == {"high": ["C"], "low": ["B"]}
    assert result.results["next_pot"] == {"high": 6, "low": 4}
    assert result.results["net"] == {"C": 6, "B": 4, "A": -10, "D": 0}
    alone = settle(high=["A"], out=["B"], pot=6, low_pot=4, high_low=True)
    assert alone.results["new_antes"] == {"high": True, "low": False}
    assert alone.results["antes_due"] == {"A": 1, "B": 1}


def test_stakes():
    hands = {"A": "Qs Qh", "B": "Ac Kd", "C": "Js Jd"}
    stacks = {"A": 100, "B": 50, "C": 10}
    table = settle(hands, pot=60, cap=None, stakes="table", stacks=stacks)
    assert money(table)[:2] == ({"A": 60, "B": -50, "C": -10}, 60)
    assert table.results["stacks"] == {"A": 160, "B": 0, "C": 0}
    out = settle(hands, pot=50, cap=None, stakes="eliminate", bankroll=50, stacks={"C": 10})
    assert out.results["eliminated"] == ["C"]
    assert out.results["stacks"] == {"A": 100, "B": 0, "C": 0}


def test_who_pays_and_how_much():
    hands = {"A": "Qs Qh", "B": "Ac Kd", "C": "Js Jd"}
    assert money(settle(hands, pot=12, pays="lowest"))[0] == {"A": 12, "B": -12, "C": 0}
    assert "Only the lowest hand that is in matches: C pays nothing." in settle(hands, pot=12, pays="lowest").summary()
    assert money(settle(hands, pot=12, match_limit=5))[0] == {"A": 12, "B": -5, "C": -5}


# --- the result ------------------------------------------------------------------------------------------


def test_result_names_rules_and_repeats_itself():
    first = settle({"A": "QsQh", "B": "AcKd"}, out=["D"], pot=6)
    again = settle(**first.parameters, rules=gs.GutsRules(**{k: v for k, v in first.rules.items() if k != "profile"}))
    assert again.digest == first.digest
    assert first.rules["cap"] == 20
    assert [row["player"] for row in first.rows] == ["A", "B", "D"]
    assert list(first.frame.columns) == ["player", "declared", "cards", "won", "paid", "net"]
    assert "G10" in first.summary()


def test_rules_follow_the_number_of_cards():
    assert settle({"A": "Qs Qh 2d", "B": "Ac Kd 3s"}, pot=6).rules["profile"] == "home"
    assert settle({"A": "Qs Qh 2d", "B": "Ac Kd 3s"}, pot=6, rules="two-card").rules["cards"] == 3
    assert settle(["A"], out=["B"], pot=6).rules["profile"] == "two-card"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players_in": {"A": "Qs Qh", "B": "Qs Kd"}}, "card Qs is in two places: A and B"),
        ({"players_in": {"A": "Qs Qs"}, "out": ["B"]}, "A: card Qs appears twice"),
        ({"players_in": ["A"], "out": ["A", "B"]}, "A: declared in and out"),
        ({"players_in": ["A", "B"]}, "A: the cards are missing"),
        ({"players_in": {"A": "Qs Qh", "B": "Kd"}}, "B: expected 2 cards, got 1"),
        ({"players_in": ["A"]}, "2 to 10 players"),
        ({"players_in": ["A"], "out": list("BCDEFGHIJKL")}, "2 to 10 players"),
        ({"players_in": ["A", " "], "out": ["B"]}, "is no name"),
        ({"players_in": "A", "out": ["B"]}, "in: 'A' is not allowed"),
        ({"players_in": ["A"], "out": ["B"], "pot": 21}, "21 chips exceed the cap of 20"),
        ({"players_in": ["A"], "out": ["B"], "pot": 0}, "nothing to play for"),
        ({"players_in": ["A"], "out": ["B"], "pot": -1}, "pot: -1 is not allowed"),
        ({"players_in": ["A"], "out": ["B"], "pot": 0.5}, "pot: 0.5 is not allowed"),
        ({"players_in": ["A"], "out": ["B"], "pot": "1/0"}, "pot: '1/0' is not allowed"),
        ({"players_in": ["A"], "out": ["B"], "pot": "six"}, "pot: 'six' is not allowed"),
        ({"players_in": ["A"], "out": ["B"], "reserve_chips": -1}, "reserve_chips: -1 is not allowed"),
        ({"players_in": ["A"], "out": ["B"], "reserve_chips": 3, "cap": None}, "the rules keep no reserve"),
        ({"players_in": ["A"], "out": ["B"], "low_pot": 3}, "low_pot: the rules have one pot"),
        ({"players_in": ["A"], "out": ["B"], "dealer": "C"}, "dealer: there is no player 'C'"),
        ({"players_in": ["A"], "out": ["B"], "seats": ["A"]}, "seats: A does not name every player once"),
        ({"players_in": ["A"], "out": ["B"], "stacks": {"A": 3}}, "stacks: with stakes credit"),
        ({"players_in": ["A"], "out": ["B"], "stacks": {"A": 3}, "stakes": "table"}, "stacks: that of B is missing"),
        ({"players_in": ["A"], "out": ["B"], "stacks": {"C": 3}, "stakes": "table"}, "there is no player 'C'"),
        ({"players_in": ["A"], "out": ["B"], "ghost": "lone"}, "A: the cards are missing"),
        ({"players_in": {"A": "Qs Qh"}, "out": ["B"], "ghost": "lone"}, "ghost_hand: the ghost's cards are missing"),
        ({"players_in": ["A"], "out": ["B"], "ghost_hand": "Qs Qh"}, "ghost_hand: the rules have none"),
        ({"players_in": ["A"], "out": ["B"], "community_card": "Qs"}, "community_card: the rules have none"),
        ({"players_in": {"A": "Qs Qh", "B": "Ks Kh"}, "community": 1}, "community_card: it is missing"),
        ({"players_in": {"A": "Qs Qh", "B": "Ks Kh"}, "community": 1, "community_card": "Ks"}, "B and the board"),
        ({"high": ["A"], "out": ["B"]}, "A: cannot declare high"),
        ({"players_in": ["A"], "out": ["B"], "high_low": True}, "A: cannot declare in"),
        ({"out": {"A": "Qs Qh", "B": None}, "nobody_in": "weenie"}, "B: the cards are missing"),
        ({"players_in": ["A"], "out": ["B"], "rules": "poker"}, "there is no profile 'poker'"),
        ({"players_in": ["A"], "out": ["B"], "burn": 3}, "there is no switch 'burn'"),
        ({"players_in": ["A"], "out": ["B"], "whole_chips": "yes"}, "whole_chips: 'yes' is not allowed"),
    ],
)
def test_bad_input_is_named_in_one_line(arguments, message):
    with pytest.raises(gs.InputError) as refused:
        settle(**{"pot": 6, **arguments})
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


# --- the command -----------------------------------------------------------------------------------------


def answer(capsys, *arguments):
    assert main(["settle", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_command_answers_as_the_study(capsys):
    arguments = ["--pot", "6", "--reserve-chips", "0", "--in", "A=Qs Qh", "--in", "B=Ac Kd", "--in", "C=Js Jd",
                 "--out", "D"]  # fmt: skip
    found = answer(capsys, *arguments)
    assert found["results"]["winners"] == ["A"]
    assert found["results"]["net"] == {"A": 6, "B": -6, "C": -6, "D": 0}
    assert found["digest"] == settle({"A": "Qs Qh", "B": "Ac Kd", "C": "Js Jd"}, out=["D"], pot=6).digest
    assert main(["settle", *arguments]) == 0
    assert "A has the best hand (pair of queens) and takes the pot of 6." in capsys.readouterr().out


def test_command_knows_every_switch(capsys):
    found = answer(
        capsys, "--pot", "6", "--both", "A=Ks 2d 3h", "--low", "B=2h Ad 4c", "--high", "C=9s 9d 2c", "--out", "D",
        "--high-low", "--low-pot", "4", "--low-reserve-chips", "3", "--cap", "20", "--reserve", "--cards", "3",
        "--declaration", "sequential", "--community", "1", "--community-card", "5d", "--pass-left", "1",
        "--ghost", "all", "--ghost-hand", "7s 8d Th", "--ghost-tie", "ghost", "--stakes", "table", "--bankroll", "40",
        "--stack", "A=9", "--match-limit", "5", "--pays", "lowest", "--nobody-in", "weenie", "--whole-chips",
        "--dealer", "B", "--seats", "B, C,A,D", "--rules", "home",
    )  # fmt: skip
    assert found["rules"]["ghost_tie"] == "ghost"
    assert list(found["results"]["net"]) == ["B", "C", "A", "D"]
    total = sum(found["results"]["net"].values()) + sum(found["results"]["next_pot"].values())
    assert total + sum(found["results"]["reserve"].values()) == 6 + 4 + 3


def test_command_reads_a_file(capsys, tmp_path):
    file = tmp_path / "round.json"
    round_ = {"in": {"A": "Qs Qh", "B": "Ac Kd"}, "out": ["D"], "pot": "20/3", "rules": {"cap": 10, "reserve": True}}
    file.write_text(json.dumps(round_), encoding="utf-8")
    found = answer(capsys, "--file", str(file))
    assert found["results"]["net"] == {"A": "20/3", "B": "-20/3", "D": 0}
    assert found["rules"]["cap"] == 10
    assert answer(capsys, "--file", str(file), "--cap", "30")["rules"]["cap"] == 30
    file.write_text(json.dumps(round_ | {"rules": "home"}), encoding="utf-8")
    assert answer(capsys, "--file", str(file))["rules"]["profile"] == "home"


def test_command_saves(capsys, tmp_path):
    assert main(["settle", "--pot", "6", "--in", "A", "--out", "B", "--save", str(tmp_path / "round.csv")]) == 0
    assert (tmp_path / "round.csv").read_text().splitlines()[1] == "A,in,,6,0,6"
    assert gs.load(tmp_path / "round.csv")["results"]["winners"] == ["A"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--in", "A", "--out", "B"], "--pot is missing"),
        (["--pot", "6", "--in", "A", "--in", "A=Qs Qh"], "A is named twice"),
        (["--pot", "6", "--in", "A", "--out", "B", "--stack", "A"], "stacks"),
        (["--pot", "6", "--in", "=Qs Qh", "--out", "B"], "is no name"),
        (["--pot", "6", "--file", "round.json"], "leave --pot out"),
        (["--in", "A", "--file", "round.json"], "leave --in out"),
        (["--file", "no/such.json"], "no/such.json: No such file"),
        (["--pot", "-6", "--in", "A", "--out", "B"], "pot: '-6' is not allowed"),
    ],
)
def test_command_refuses_in_one_line(capsys, arguments, message):
    assert main(["settle", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert message in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "no valid JSON"),
        ("[]", "one JSON object"),
        ('{"in": ["A"], "out": ["B"]}', "the key pot is missing"),
        ('{"pot": 6, "player": ["A"]}', "key 'player' is not known"),
        ('{"pot": 6, "in": 5}', "in: 5 is not allowed"),
        ('{"pot": 6, "in": ["A"], "out": ["B"], "seats": "AB"}', "seats: 'AB' is not allowed"),
        ('{"pot": 6, "in": ["A"], "out": ["B"], "dealer": 3}', "dealer: 3 is no name"),
        ('{"pot": 6, "in": ["A"], "out": ["B"], "rules": {"capp": 3}}', "no switch 'capp'"),
        ('{"pot": 6, "in": ["A"], "out": ["B"], "rules": {"stakes": "table"}, "stacks": [3]}', "stacks: give a"),
        ('{"pot": 6, "in": {"A": 5}, "out": ["B"]}', "A: "),
    ],
)
def test_damaged_files_are_refused_in_one_line(capsys, tmp_path, text, message):
    file = tmp_path / "round.json"
    file.write_text(text, encoding="utf-8")
    assert main(["settle", "--file", str(file)]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


# --- rules in words --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("switches", "number", "words"),
    [
        ({"ties": "suits"}, "G4", "spades > hearts"),
        ({"declaration": "sequential"}, "G6", "in turn"),
        ({"declaration": "blind"}, "G7", "without looking"),
        ({"nobody_in": "weenie"}, "G8", "best hand matches"),
        ({"ghost": "lone"}, "G9", "beats the ghost"),
        ({"pays": "lowest"}, "G10", "only the lowest hand"),
        ({"match_limit": 5}, "G12", "at most 5"),
        ({"stakes": "table", "bankroll": 50}, "G15", "brings 50 chips"),
        ({"stakes": "eliminate"}, "G15", "is out"),
        ({"community": 1}, "G17", "three cards"),
        ({"cards": 3, "community": 1}, "G17", "best three of four"),
        ({"community": 1}, "G3", "straight flush"),
        ({"pass_left": 1}, "G18", "one card to the left"),
        ({"high_low": True}, "G19", "lowest hand"),
        ({"ghost": "all", "ghost_tie": "ghost"}, "G20", "win for the ghost"),
    ],
)
def test_every_switch_has_its_sentence(switches, number, words):
    assert words in gs.show_rules("home", **switches).results["text"][number]
