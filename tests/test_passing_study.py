"""What passes are worth: known values, policies, tournaments, distributions, and the command line."""

import json
from collections import Counter

import numpy as np
import pytest

import guts_sim as gs
from guts_sim.cards import parse_cards
from guts_sim.cli import main
from guts_sim.errors import InputError
from guts_sim.passing import get_policy, linear_policy, parse_passes, pass_cards
from guts_sim.passing.features import batch_features, feature_names, keep_features
from guts_sim.passing.policies import read_levels
from guts_sim.studies import passing_tables
from guts_sim.studies.measurement import RunOptions
from guts_sim.studies.passing_levels import best_reply, choices, hand_values, judge
from guts_sim.studies.passing_tables import SEVEN_CARD_HANDS

QUEENS = "Qs Qh 9c 8d 3s 4h 2c"
HEARTS = "Ah Th 8h 5h 3c Kd Jc"


def row_of(result, cards):
    return next(row for row in result.rows if set(row["pass"].split()) == set(cards.split()))


# Values from an independent simulation of 4 players who pass their lowest cards, to two thousandths.


@pytest.mark.parametrize(
    ("hand", "best", "equity", "other", "other_equity"),
    [(QUEENS, "9c 8d 2c", 0.4403, "2c 3s 4h", 0.3838), (HEARTS, "3c Kd Jc", 0.5125, None, None)],
)
def test_known_values(hand, best, equity, other, other_equity):
    result = gs.pass_values(hand, n_players=4, policy="lowest", deals=300_000, seed=7)
    assert set(result.results["best"].split()) == set(best.split())
    assert row_of(result, best)["equity"] == pytest.approx(equity, abs=0.002)
    if other:
        assert row_of(result, other)["equity"] == pytest.approx(other_equity, abs=0.002)
    # The bar for a second of work; these deals take a quarter of it on one core.
    assert max(row["loss_stderr"] for row in result.rows) < 0.002


def test_rows():
    result = gs.pass_values(QUEENS, deals=20_000, seed=3, chosen="2c 3s 4h")
    assert len(result.rows) == len({row["pass"] for row in result.rows}) == 35
    assert (result.method, result.n, result.complete) == ("mc", 20_000, True)
    best = result.rows[0]
    assert (best["loss"], best["loss_stderr"]) == (0.0, 0.0)
    for row in result.rows:
        assert sorted(parse_cards(row["pass"] + row["keep"])) == sorted(parse_cards(QUEENS))
        assert row["win"] <= row["equity"] <= row["win"] + row["tie"] / 2 + 1e-12
        assert row["loss"] == pytest.approx(best["equity"] - row["equity"])
        assert row["ci_low"] < row["equity"] < row["ci_high"]
        # Paired on the same deals, a loss is known at least as well as two independent runs would know it.
        assert row["loss_stderr"] < np.hypot(row["stderr"], best["stderr"])
    assert result.results["chosen"]["pass"] == "3s 4h 2c"
    assert "Your pass 3s 4h 2c loses" in result.summary()


def test_paired_errors_are_those_of_repeated_runs():
    runs = [gs.pass_values(QUEENS, deals=2_000, seed=seed) for seed in range(40)]
    differences = [row_of(run, "9c 8d 2c")["equity"] - row_of(run, "2c 3s 4h")["equity"] for run in runs]
    claimed = [row_of(run, "2c 3s 4h")["loss_stderr"] for run in runs]
    # A scatter over 40 runs is off by a tenth; four times that is allowed.
    assert np.std(differences, ddof=1) == pytest.approx(np.mean(claimed), rel=0.45)


def test_repeatable_in_pieces_and_on_threads():
    whole = gs.pass_values(HEARTS, n_players=3, policy="random", deals=70_001, seed=5, workers=2)
    pieces = gs.pass_values(HEARTS, n_players=3, policy="random", deals=1_000, seed=5, workers=1).extend(70_001)
    assert pieces.digest == whole.digest
    with pytest.raises(InputError, match="deals must be a whole number from 70001"):
        whole.extend(70_000)


def test_folded_players_are_skipped():
    # What a folded player held is as unknown as what was not dealt, so two of four leave the game of two.
    some_folded = gs.pass_values(HEARTS, n_players=4, folded=[1, 3], deals=5_000, seed=5)
    fewer = gs.pass_values(HEARTS, n_players=2, deals=5_000, seed=5)
    assert some_folded.rows == fewer.rows


def test_dead_cards_are_not_dealt():
    # With all other hearts dead, the four hearts cannot become a flush.
    dead = "2h 3h 4h 6h 7h 9h Jh Qh Kh"
    alive = row_of(gs.pass_values(HEARTS, deals=20_000, seed=5), "3c Kd Jc")
    gone = row_of(gs.pass_values(HEARTS, deals=20_000, seed=5, dead=dead), "3c Kd Jc")
    assert gone["equity"] < alive["equity"] - 0.2


def test_later_passes():
    single = gs.pass_values(QUEENS, passes="3L", deals=600, seed=2)
    for passes, n_options in (("3L,2R,1L", 35), ("3,2,1", 35), ("2R", 21), ("1L", 7)):
        result = gs.pass_values(QUEENS, passes=passes, policy="keep-best", deals=600, seed=2)
        assert len(result.rows) == n_options
        assert result.rows != single.rows


def test_round_trip_of_a_record(tmp_path):
    weights = {"card-A": 900, "pass-pair": -50}
    for i, result in enumerate(
        [
            gs.pass_values(QUEENS, deals=300, seed=1, policy=weights, folded=[2], dead="As", chosen="2c 3s 4h"),
            gs.pass_values("Qs 9c", game="guts", deals=300, seed=1, field="A4+", n_players=3),
            gs.pass_hands(3, deals=300, seed=1),
            gs.pass_exposed("As Kd", deals=3_000, seed=1, dead="2c"),
            gs.pass_tournament(3, policies=["lowest", weights], deals=300, hands=2, seed=1),
        ]
    ):
        result.save(tmp_path / f"{i}.csv")
        assert gs.rerun(tmp_path / f"{i}.csv").digest == result.digest


# Guts


def test_guts_when_everybody_else_stays_out():
    result = gs.pass_values("Qs Qh 9c", game="guts", field="never", deals=20_000, seed=1)
    for row in result.rows:
        # Alone, the hero wins the pot; nobody ever stays out.
        assert (row["enter"], row["win"], row["tie"], row["equity"]) == (1.0, 1.0, 0.0, 1.0)


def test_guts_keeps_the_pair():
    result = gs.pass_values("Qs Qh 9c", game="guts", field="top:30%", deals=60_000, seed=1, chosen="9c")
    assert (result.results["best"], len(result.rows)) == ("9c", 3)
    assert result.rules["pass_left"] == 1
    assert result.results["chosen"] == result.rows[0]
    again = gs.pass_values("Qs Qh 9c", game="guts", field="top:30%", deals=1_000, seed=1, chosen="9c").extend(60_000)
    assert again.digest == result.digest


# Passing itself


def test_batches_go_to_the_left_and_are_not_passed_on():
    # The worked example of the rules: queens pass 3-4-2, get a queen, a nine and a five, and fill up.
    hero = parse_cards(QUEENS)
    others = [(1, 2, 3, 4, 5, 6, 8), (12, 13, 14, 16, 17, 18, 20), parse_cards("Qd 9d 5s As Ad Ks Kd")]
    batches = [parse_cards("3s 4h 2c"), (1, 2, 3), (12, 13, 14), parse_cards("Qd 9d 5s")]
    after = pass_cards([hero, *others], batches)
    for seat in range(4):
        assert set(batches[seat]) <= set(after[(seat + 1) % 4])
        assert len(after[seat]) == 7
        # What was received is kept: nothing of a batch travels further in the same pass.
        assert not set(batches[seat]) & set(after[(seat + 2) % 4])
    assert len({card for hand in after for card in hand}) == 28
    ranked = gs.rank_hand(after[0], "high5")
    assert ranked.category == "full house"
    exposed = gs.rank_hand(parse_cards("9c Qs 9d Qh"), "exposed")
    assert exposed.category == "two pair"


def test_batches_skip_folded_players():
    hands = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11)]
    after = pass_cards(hands, [(0,), (), (6,), (9,)], folded=[1])
    assert after == [(1, 2, 9), (3, 4, 5), (7, 8, 0), (10, 11, 6)]
    right = pass_cards(hands, [(0,), (), (6,), (9,)], folded=[1], places=-1)
    assert right == [(1, 2, 6), (3, 4, 5), (7, 8, 9), (10, 11, 0)]


@pytest.mark.parametrize(
    ("batches", "message"),
    [
        ([(0, 1), (3,)], "seat 1 passes 1 cards, seat 0 2"),
        ([(0, 0), (3, 4)], "seat 0 passes 2c twice"),
        ([(0, 9), (3, 4)], "seat 0 does not hold 4d"),
        ([(0, 1)], "one per seat is wanted"),
    ],
)
def test_bad_batches(batches, message):
    with pytest.raises(InputError, match=message):
        pass_cards([(0, 1, 2), (3, 4, 5)], batches)


@pytest.mark.parametrize(
    ("text", "n_active", "message"),
    [
        ("3X", 4, "not understood"),
        ("4L", 4, "not understood"),
        ("", 4, "not understood"),
        ("3L,,1L", 4, "not understood"),
        ("3,2,1", 3, "'1' would come back to its giver"),
        ("3L2", 2, "would come back to its giver"),
        ("3L,3L,3L,3L,3L,3L,3L", 4, "at most 6 passes"),
    ],
)
def test_bad_programmes(text, n_active, message):
    with pytest.raises(InputError, match=message):
        parse_passes(text, n_active)


# Policies


def test_what_policies_pass():
    hands = np.array([sorted(parse_cards(hand)) for hand in (QUEENS, "Ac Ad 7c 7d 7h 2c 2d", "2c 2d 2h 2s 5c 9d Kh")])
    passed = {
        name: [gs.format_cards(hand[list(_positions(option))]) for hand, option in zip(hands, choices(policy, hands))]
        for name, policy in ((name, get_policy(name)) for name in ("lowest", "keep-best"))
    }
    assert passed["lowest"] == ["2c 3s 4h", "2c 2d 7c", "2c 2d 2h"]
    # Four kept cards are a hand of groups: queens with the highest side cards, three sevens with an ace, four twos.
    assert passed["keep-best"] == ["2c 3s 4h", "2c 2d Ac", "5c 9d Kh"]


def _positions(option):
    from guts_sim.kernels.pass_codes import PASSED

    return PASSED[option].tolist()


def test_features_of_some_sets():
    def seen(features, cards):
        values = features(np.array([sorted(parse_cards(cards))], np.uint8))
        return {name: int(value[0]) for name, value in values.items() if value[0]}

    assert seen(keep_features, "5h 6h 7h 8h") == {
        "card-5": 1, "card-6": 1, "card-7": 1, "card-8": 1, "low-2": 1, "suited-4": 1, "suited-4-high": 6,
        "run-7-3": 1, "run-8-4": 1, "run-9-4": 1, "run-T-3": 1, "open-ended": 1, "suited-run-4": 2, "suited-run-3": 2,
    }  # fmt: skip
    assert seen(keep_features, "Ac 2c 2d 2s") == {
        "card-A": 1, "card-2": 3, "trips-2": 1, "low-3": 1, "kicker-in-run": 1, "suited-2": 1,
    }  # fmt: skip
    assert seen(batch_features, "Kd Kc Ad") == {
        "pass-K": 2, "pass-A": 1, "pass-pair": 1, "pass-pair-rank": 11, "pass-suited-2": 1, "pass-run-2": 1,
    }  # fmt: skip


def test_policies_that_come_with_the_library():
    levels = read_levels()
    for weights in levels.values():
        assert tuple(weights) == feature_names()
    assert {name for n_players, name in levels if n_players == 4} == {
        "level-1", "level-2", "level-3", "level-4", "equilibrium",
    }  # fmt: skip


def test_policy_from_a_file(tmp_path):
    table = tmp_path / "mine.csv"
    table.write_text("feature,weight\ncard-A,900\npass-pair,-50\n")
    from_file = gs.pass_values(QUEENS, policy=str(table), deals=300, seed=1)
    assert from_file.parameters["policy"] == {"card-A": 900, "pass-pair": -50}
    assert from_file.rows == gs.pass_values(QUEENS, policy={"card-A": 900, "pass-pair": -50}, deals=300, seed=1).rows
    for text, message in (
        ("feature,weight\ncard-X,1\n", "there is no feature 'card-X'"),
        ("feature,weight\ncard-A,much\n", "a whole number as its weight"),
        ("feature,weight\ncard-A,1\ncard-A,2\n", "listed twice"),
        ("card,points\nA,1\n", "a whole number as its weight"),
        ("feature,weight\n", "lists no feature"),
    ):
        table.write_text(text)
        with pytest.raises(InputError, match=message):
            get_policy(str(table))
    with pytest.raises(InputError, match="No such file"):
        get_policy(str(tmp_path / "none.csv"))
    with pytest.raises(InputError, match="for hands of seven cards"):
        get_policy("level-1", hand_size=3)


def options(deals, seed=99):
    return RunOptions(deals, seed, 0.95, progress=False)


def regret(values, policy, confidence):
    """Share of the attainable equity that a policy loses: value and upper end of the interval."""
    reply = judge(values, policy, confidence)
    return reply.gain.value / reply.attainable, reply.gain.ci_high / reply.attainable


def test_each_level_replies_well_to_the_one_before():
    # Hands that the fit has never seen; 2 % of what is attainable is the limit.
    for policy, reply in (("lowest", "level-1"), ("level-1", "level-2")):
        values = hand_values(get_policy(policy), 4, 80, options(1_024))
        assert regret(values, get_policy(reply), 0.95)[0] < 0.02
    assert judge(values, get_policy("level-1"), 0.95).gain.value < 0.05


def test_a_fit_finds_a_good_reply():
    lowest = get_policy("lowest")
    found = best_reply(hand_values(lowest, 4, 300, options(256), fit=True), "found")
    fresh = hand_values(lowest, 4, 80, options(1_024, seed=98))
    assert regret(fresh, found, 0.95)[0] < 0.05  # 300 hands are a fraction of what the library was fitted on
    assert judge(fresh, lowest, 0.95).gain.value > 0.15


@pytest.mark.slow
@pytest.mark.parametrize("n_players", sorted({n_players for n_players, _ in read_levels()}))
def test_levels_and_equilibrium(n_players):
    lowest = hand_values(get_policy("lowest"), n_players, 2_000, options(2_048))
    lost, most = regret(lowest, get_policy("level-1", n_players), 0.99)
    assert lost < 0.02
    assert most < 0.02 or n_players == 2  # two players: 1.85 %, and that is known to 0.3 % only
    equilibrium = get_policy("equilibrium", n_players)
    values = hand_values(equilibrium, n_players, 2_000, options(2_048))
    assert judge(values, equilibrium, 0.99).gain.ci_high < 0.005


# Tables


def test_tournament():
    result = gs.pass_tournament(4, policies=["lowest", "level-1", "random"], deals=8_000, hands=40, seed=1)
    equity = {(row["policy"], row["field"]): row["equity"] for row in result.rows}
    assert len(result.rows) == 9
    assert equity["lowest", "lowest"] == 0.25
    assert equity["level-1", "lowest"] > 0.4
    assert equity["lowest", "level-1"] < 0.2
    gains = {row["policy"]: row["gain"] for row in result.results["exploitability"]}
    assert gains["lowest"] > 3 * gains["level-1"] > 0
    for row in result.results["exploitability"]:
        assert row["attainable"] == pytest.approx(0.25 + row["gain"])


def test_random_passes_change_no_law():
    # Random batches leave everybody with seven random cards: the frequencies are those of all hands of seven cards.
    result = gs.pass_hands(4, policy="random", deals=150_000, seed=4)
    for row in result.rows:
        assert row["after"] == pytest.approx(row["before"], abs=4.5 * row["after_stderr"])
    assert sum(row["winner"] for row in result.rows) == pytest.approx(1.0)
    total = sum(row["after"] for row in result.rows)
    assert total == pytest.approx(1.0)


@pytest.mark.slow
def test_frequencies_before_passing():
    counted = gs.frequency_table(7)
    assert [row["hands"] for row in counted.rows] == list(SEVEN_CARD_HANDS[::-1])


def test_exposed_cards_agree_with_whole_tables():
    # Whoever keeps an ace of hearts in his best five, from whole tables in which everybody passes his lowest cards.
    from itertools import combinations

    from guts_sim.studies.passing_sampling import PassKeys, play

    policy = get_policy("lowest")
    hands = play(PassKeys.of(3), 0, 4_000, (), (), ((3, 1),), [policy] * 2, 1)[:, 0].reshape(-1, 7)
    hands = hands[(hands == 50).any(axis=1)]
    fives = np.stack([hands[:, list(five)] for five in combinations(range(7), 5)], axis=1)
    keys = gs.rank_hands(fives, "high5", check=False)
    best = keys == keys.max(axis=1, keepdims=True)
    weight = (best & (fives == 50).any(axis=2)).sum(axis=1) / best.sum(axis=1)
    pairs = (keys.max(axis=1) >> 26) == 1
    expected = weight[pairs].sum() / weight.sum()
    row = row_of_category(gs.pass_exposed("Ah", deals=60_000, seed=1), "pair")
    error = np.hypot(row["stderr"], np.sqrt(expected * (1 - expected) / weight.sum()))
    assert row["probability"] == pytest.approx(expected, abs=4 * error)


def row_of_category(result, category):
    return next(row for row in result.rows if row["category"] == category)


def test_four_exposed_cards():
    result = gs.pass_exposed("Ts Jd Qh Kc", deals=150_000, seed=1)
    filled = row_of_category(result, "straight")
    last = {row["rank"]: row["probability"] for row in result.results["last_card"]}
    # An ace or a nine fills the straight; nothing else does.
    assert last["A"] + last["9"] == pytest.approx(filled["probability"])
    paired = row_of_category(result, "pair")["probability"]
    assert sum(last[rank] for rank in "TJQK") == pytest.approx(paired)
    assert sum(row["probability"] for row in result.rows) == pytest.approx(1.0)
    # Three aces that are seen elsewhere make it rarer.
    fewer = gs.pass_exposed("Ts Jd Qh Kc", deals=150_000, seed=1, dead="As Ad Ah")
    assert row_of_category(fewer, "straight")["probability"] < filled["probability"] - 0.02
    with pytest.raises(InputError, match="none of 500 deals led to 2c 2d 2h 2s"):
        gs.pass_exposed("2c 2d 2h 2s", policy={"card-A": 1, "card-2": -9}, deals=500, seed=1)


def test_who_passed_three_cards_knows_them():
    # Given three hearts to one who shows three other hearts: a flush is likely, and never without one of them.
    result = gs.pass_exposed("Ah Kh Qh", gave="2h 3h 4h", deals=20_000, seed=1)
    assert row_of_category(result, "flush")["probability"] > 0.99


# The command line


@pytest.fixture
def call(capsys):
    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_json(call):
    code, out, _ = call("pass", HEARTS, "--game", "anaconda", "--players", 4, "--policy", "lowest", "--deals", "1e5",
                        "--seed", 0, "--format", "json")  # fmt: skip
    answer = json.loads(out)
    assert code == 0
    assert {"best", "rows"} <= set(answer["results"])
    keys = {"pass", "keep", "win", "tie", "equity", "stderr", "loss", "loss_stderr"}
    assert keys <= set(answer["results"]["rows"][0])
    assert Counter(answer["results"]["best"].split()) == Counter(["3c", "Kd", "Jc"])
    assert (answer["n"], answer["seed"], answer["rules"]["game"]) == (100_000, 0, "anaconda")


def test_other_questions(call, tmp_path):
    chart = tmp_path / "chart.png"
    for arguments, word in (
        ((QUEENS, "--folded", "1,2", "--dead", "As Ks", "--chosen", "2c 3s 4h"), "Your pass"),
        (("Qs 9c", "--game", "guts", "--cards", 2, "--field", "A4+", "--players", 9), "value (pots)"),
        (("--tournament", "--policies", "lowest,level-1", "--hands", 2), "best reply"),
        (("--after", "--policy", "keep-best", "--players", 3), "winner"),
        (("--exposed", "As", "--policy", "lowest", "--dead", "Ks", "--gave", "2c 3c 4c"), "deals fit"),
    ):
        code, out, _ = call("pass", *arguments, "--deals", 3_000, "--seed", 1, "--plot", chart)
        assert code == 0
        assert word in out
        assert chart.stat().st_size > 10_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("Qs Qh 9c 8d 3s 4h",), "expected 7 cards, got 6"),
        ((QUEENS + " 2d",), "expected 7 cards, got 8"),
        (("Qs Qs 9c 8d 3s 4h 2c",), "card Qs appears twice"),
        ((QUEENS, "--players", 8), "n_players must be a whole number from 2 to 7, got 8"),
        ((QUEENS, "--chosen", "2c 3s"), "expected 3 cards, got 2"),
        ((QUEENS, "--chosen", "2c 2c 3s"), "card 2c appears twice"),
        ((QUEENS, "--chosen", "2c 2d 3s"), "2d is not in the hand"),
        ((QUEENS, "--policy", "level-9"), "there is no 'level-9'"),
        ((QUEENS, "--folded", "1,2,3"), "all 3 opponents have folded"),
        ((QUEENS, "--folded", "0"), "--folded must be a whole number from 1 to 3, got 0"),
        ((QUEENS, "--dead", "Qs"), "dead: Qs is in the hand"),
        ((QUEENS, "--players", 7, "--dead", "As Ah Ad Ac"), "7 players leave 3 cards"),
        ((QUEENS, "--field", "A4+"), "field: Anaconda knows no such option"),
        ((QUEENS, "--ante", 2), "--ante is for --game guts"),
        ((QUEENS, "--method", "exact"), "Monte Carlo only"),
        ((QUEENS, "--game", "hearts"), "choose anaconda or guts"),
        ((QUEENS, "--tournament"), "give one of HAND, --tournament"),
        (("--after", "--chosen", "2c"), "--chosen does not go with --after"),
        (("--after", "--precision", "0.01"), "--precision does not go with --after"),
        (("--tournament", "--checkpoint", "x.ckpt"), "--checkpoint does not go with --tournament"),
        (("--exposed", "As Ks Qs Js Ts"), "expected 1, 2, 3 or 4 cards, got 5"),
        (("--exposed", "As", "--dead", "As"), "As is given as a card of the player as well"),
        (("--tournament", "--policies", "lowest"), "at least two different ones"),
        (("Qs Qh 9c", "--game", "guts", "--passes", "2L"), "passes one card to the left"),
        (("Qs Qh 9c", "--game", "guts", "--folded", "1"), "nobody folds before the pass"),
        (("Qs Qh 9c", "--game", "guts", "--ghost", "lone"), "not solved with ghost lone"),
        (("Qs Qh 9c", "--game", "guts", "--cards", "2"), "has 3 cards; the rules deal 2"),
    ],
)
def test_refusals(call, arguments, message):
    code, out, err = call("pass", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert message in err


def test_linear_policies_refuse_odd_weights():
    for weights in ({"card-A": 1.5}, {"card-A": True}, {"card-A": 10**9}, {"ace": 1}):
        with pytest.raises(InputError):
            linear_policy(weights)


@pytest.mark.parametrize("pressed", ["among the pairings", "among the best replies"])
def test_an_interrupted_tournament_does_not_go_on_to_the_next_policy(monkeypatch, pressed):
    """Ctrl-C ends one run of blocks; what follows it must not begin."""
    asked = {"policies": ["lowest", "keep-best", "random"], "deals": 2_000, "hands": 4, "seed": 1, "workers": 1}
    judged = []

    def pair(*arguments):
        estimate, whole = pairing(*arguments)
        return estimate, whole and pressed != "among the pairings"

    def exploit(policy, *arguments):
        judged.append(policy.name)
        row, whole = exploitability(policy, *arguments)
        return row, whole and len(judged) < 2

    pairing, exploitability = passing_tables._pairing, passing_tables._exploitability
    monkeypatch.setattr(passing_tables, "_pairing", pair)
    monkeypatch.setattr(passing_tables, "_exploitability", exploit)
    if pressed == "among the pairings":
        with pytest.raises(KeyboardInterrupt):
            gs.pass_tournament(3, **asked)
        assert judged == []
    else:
        result = gs.pass_tournament(3, **asked)
        assert not result.complete
        assert judged == ["lowest", "keep-best"] == [row["policy"] for row in result.results["exploitability"]]
        assert len(result.rows) == 9
