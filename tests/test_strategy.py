"""Fields: from text, from files and from arrays."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guts_sim.errors import InputError
from guts_sim.hands import class_frequencies, class_names, get_ranking
from guts_sim.strategy import Strategy, parse_field, threshold_strategy, top_strategy

GUTS2, GUTS3 = get_ranking("guts2"), get_ranking("guts3")


def refusal(function, *args):
    with pytest.raises(InputError) as caught:
        function(*args)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    return message


def entering(strategy):
    return {name for name, p in zip(class_names(strategy.ranking), strategy.entry, strict=True) if p == 1.0}


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("KK+", {"KK", "AA"}),
        (" kk+ ", {"KK", "AA"}),
        ("AA", {"AA"}),
        ("AK, QQ+", {"AK", "QQ", "KK", "AA"}),
        ("ka,AA", {"AK", "AA"}),
        ("32", {"32"}),
        ("never", set()),
        ("NEVER", set()),
        ("top:0", set()),
        ("always", set(class_names("guts2"))),
        ("32+", set(class_names("guts2"))),
        ("top:100%", set(class_names("guts2"))),
        ("TOP:1", set(class_names("guts2"))),
    ],
)
def test_fields_of_two_cards(text, hands):
    assert entering(parse_field(text, GUTS2)) == hands


def test_fields_of_three_cards():
    assert parse_field("AKQ-straight-flush", GUTS3).entry_prob == pytest.approx(4 / 22100)
    assert parse_field("222+", GUTS3).entry_prob == pytest.approx((52 + 48) / 22100)


def test_a_field_that_always_enters_enters_with_probability_one_exactly():
    for ranking in (GUTS2, GUTS3):
        assert parse_field("always", ranking).entry_prob == 1.0
        assert parse_field("top:1", ranking).entry_prob == 1.0
        assert parse_field("never", ranking).entry_prob == 0.0


@given(share=st.floats(0, 1))
def test_a_share_is_met_exactly_and_by_the_strongest_hands(share):
    strategy = top_strategy(GUTS2, share)
    assert strategy.entry_prob == pytest.approx(share, abs=1e-12)
    assert (np.diff(strategy.entry) >= 0).all()
    assert np.count_nonzero((strategy.entry > 0) & (strategy.entry < 1)) <= 1


@given(text=st.text(max_size=20))
def test_any_text_is_read_or_refused_in_one_line(text):
    try:
        strategy = parse_field(text, GUTS2)
    except InputError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017 (either outcome is right)
    else:
        assert 0.0 <= strategy.entry_prob <= 1.0


@pytest.mark.parametrize(
    "text", ["", "  ", ",", "AA,,KK", "+", "AA++", "A", "AAA", "AKs", "777", "nonsense", "A4-", "A4 +5", "always,AA"]
)
def test_what_names_no_hand_is_refused_with_what_is_allowed(text):
    assert "A4+ (that hand or stronger)" in refusal(parse_field, text, GUTS2)


@pytest.mark.parametrize(
    "share", ["", "x", "nan", "inf", "-1", "-0.1", "1.1", "101%", "30", "30%%", "%", "٣٠%", "1e400"]
)
def test_shares_lie_between_0_and_1(share):
    assert "top:30% or top:0.3" in refusal(parse_field, f"top:{share}", GUTS2)


@pytest.mark.parametrize("field", [5, None, ["AA"], b"AA", 0.3])
def test_a_field_is_text(field):
    assert "give text" in refusal(parse_field, field, GUTS2)


# Files


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("f.csv", "hand,enter\nAA,1\nKK,0.5\n"),
        ("f.CSV", "hand,enter\nAA,1\nKK,0.5\n"),
        ("f.csv", "\ufeffhand,enter\r\nAA,1.0\r\n\r\nKK,5e-1\r\n"),
        ("f.csv", 'enter,note,hand\n1,"a, b",AA\n0.5,,kk\n'),
        ("f.json", '{"AA": 1, "KK": 0.5}'),
        ("f.json", '{"hands": {"AA": 1, "KK": 0.5}}'),
        ("f.json", '[{"hand": "AA", "enter": 1}, {"hand": "KK", "enter": 0.5, "note": "x"}]'),
        ("f.json", '{"hands": [{"hand": "AA", "enter": 1}, {"hand": "KK", "enter": 0.5}]}'),
    ],
)
def test_files_of_entry_probabilities(tmp_path, name, content):
    path = written(tmp_path, name, content)
    strategy = parse_field(path, GUTS2)
    assert strategy.spec == path
    assert strategy.entry[-2:].tolist() == [0.5, 1.0]
    assert not strategy.entry[:-2].any()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("f.csv", "", "columns hand and enter"),
        ("f.csv", "a,b\n1,2\n", "columns hand and enter"),
        ("f.csv", "hand,enter,enter\nAA,1,0\n", "once each"),
        ("f.csv", "hand,enter\n", "lists no hand"),
        ("f.csv", "hand,enter\nAA\n", "1 columns"),
        ("f.csv", "hand,enter\nAA,0,5\n", "decimal point"),
        ("f.csv", 'hand,enter\n"AA,1\n', "1 columns"),
        ("f.csv", "hand,enter\nAA,1\nAA,1\n", "listed twice"),
        ("f.csv", "hand,enter\nAK,1\nKA,1\n", "listed twice"),
        ("f.csv", "hand,enter\nA\x00A,1\n", ""),
        ("f.csv", "hand,enter\nXX,1\n", "XX"),
        ("f.csv", "hand,enter\n,1\n", "no class"),
        ("f.csv", "hand,enter\nAA,1.5\n", "between 0 and 1"),
        ("f.csv", "hand,enter\nAA,-0.5\n", "between 0 and 1"),
        ("f.csv", "hand,enter\nAA,nan\n", "between 0 and 1"),
        ("f.csv", "hand,enter\nAA,inf\n", "between 0 and 1"),
        ("f.csv", "hand,enter\nAA,\n", "between 0 and 1"),
        ("f.csv", "hand,enter\nAA,yes\n", "between 0 and 1"),
        ("f.csv", "hand,enter\nAA,١\n", "between 0 and 1"),
        ("f.csv", b"\xff\xfe\x00", "not a UTF-8 text"),
        ("f.csv", 'hand,enter\n"' + "A" * 200_000 + '",1\n', "no valid CSV"),
        ("f.csv", "hand,enter\n" + "A" * 100_000 + ",1\n", "..."),
        ("f.json", "{", "no valid JSON"),
        ("f.json", "[" * 100_000, "no valid JSON"),
        ("f.json", '{"AA": 1' + "0" * 5000 + "}", "no valid JSON"),
        ("f.json", "{}", "lists no hand"),
        ("f.json", "[]", "lists no hand"),
        ("f.json", "null", "give "),
        ("f.json", '"AA"', "give "),
        ("f.json", "[1, 2]", "give "),
        ("f.json", '[{"hand": "AA"}]', "give "),
        ("f.json", '{"AA": 1, "AA": 0}', "listed twice"),
        ("f.json", '{"AA": NaN}', "between 0 and 1"),
        ("f.json", '{"AA": Infinity}', "between 0 and 1"),
        ("f.json", '{"AA": true}', "between 0 and 1"),
        ("f.json", '{"AA": null}', "between 0 and 1"),
        ("f.json", '{"AA": [1]}', "between 0 and 1"),
        ("f.json", '{"AA": {"enter": 1}}', "between 0 and 1"),
    ],
)
def test_files_that_make_no_field_are_refused_by_name(tmp_path, name, content, reason):
    path = written(tmp_path, name, content)
    message = refusal(parse_field, path, GUTS2)
    assert message.startswith(f"field file {path}: ")
    assert reason in message
    assert len(message) < len(path) + 400


def test_missing_files_and_folders_are_named(tmp_path):
    (tmp_path / "folder.csv").mkdir()
    assert "No such file" in refusal(parse_field, f"{tmp_path}/missing.csv", GUTS2)
    assert "directory" in refusal(parse_field, f"{tmp_path}/folder.csv", GUTS2)
    assert "field file" in refusal(parse_field, "null\x00byte.json", GUTS2)


@given(entry=st.lists(st.floats(0, 1), min_size=91, max_size=91))
def test_probabilities_survive_a_file_exactly(tmp_path_factory, entry):
    path = tmp_path_factory.mktemp("fields") / "f.json"
    path.write_text(json.dumps(dict(zip(class_names("guts2"), entry, strict=True))))
    assert parse_field(str(path), GUTS2).entry.tolist() == entry


# Arrays


def test_a_strategy_is_a_read_only_copy():
    entry = np.zeros(91)
    strategy = Strategy("mine", GUTS2, entry)
    entry[:] = 1.0
    assert strategy.entry_prob == 0.0
    with pytest.raises(ValueError, match="read-only"):
        strategy.entry[0] = 1.0


@pytest.mark.parametrize(
    "entry",
    [
        np.zeros(90),
        np.zeros((91, 1)),
        0.5,
        [],
        np.full(91, 1.1),
        np.full(91, -0.1),
        np.full(91, np.nan),
        np.full(91, np.inf),
        ["x"] * 91,
        [None] * 91,
        [[1], [2, 3]],
    ],
)
def test_what_is_no_probability_per_class_is_refused(entry):
    assert "field 'mine'" in refusal(Strategy, "mine", GUTS2, entry)


def test_a_ranking_may_be_given_by_name():
    assert Strategy("mine", "guts2", np.ones(91)).ranking == GUTS2
    assert parse_field("AA", "guts2").entry_prob == pytest.approx(6 / 1326)


def test_pure_thresholds():
    names = class_names("guts2")
    for weakest in (0, 50, 90):
        strategy = threshold_strategy(GUTS2, weakest)
        assert strategy.is_threshold
        assert strategy.weakest_in == names[weakest]
        assert parse_field(strategy.spec, GUTS2).entry.tolist() == strategy.entry.tolist()
        assert strategy.entry_prob == pytest.approx(class_frequencies(GUTS2)[weakest:].sum() / 1326)
    assert threshold_strategy(GUTS2, 91).weakest_in is None
    assert not parse_field("AK", GUTS2).is_threshold
    assert not parse_field("top:50.1%", GUTS2).is_threshold
