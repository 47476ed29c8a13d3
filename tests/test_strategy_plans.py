"""Strategies by pot, place and calls heard: conditions, files of cases, round trips, refusals that say where."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import guts_sim as gs
from guts_sim.errors import InputError
from guts_sim.hands import class_names
from guts_sim.strategy import (
    LAST_PLACE,
    Case,
    Plan,
    Span,
    Strategy,
    as_plan,
    parse_field,
    parse_strategy,
    read_strategy,
)

BOLD = "pot,position,heard,hand,enter\n1-5,last,0,32+,1\n1-5,,,K2+,0.5\n,,1+,TT+,1\n,,,A4+,1\n"


def refusal(function, *args):
    with pytest.raises(InputError) as caught:
        function(*args)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    return message


def contents(strategy):
    """Everything that decides what is played."""
    return [
        (case.conditions, case.play.entry.tolist(), None if case.low is None else case.low.entry.tolist())
        for case in as_plan(strategy).cases
    ]


@pytest.mark.parametrize(
    ("condition", "given", "span"),
    [
        ("pot", 5, Span(5, 5)),
        ("pot", "0-5", Span(0, 5)),
        ("pot", " 6+ ", Span(6, None)),
        ("position", "LAST", LAST_PLACE),
        ("position", "2-3", Span(2, 3)),
        ("heard", "0", Span(0, 0)),
        ("heard", "1e0+", Span(1, None)),
    ],
)
def test_conditions_are_read_and_written(condition, given, span):
    assert Span.parse(given, condition) == span
    assert Span.parse(str(span), condition) == span


@pytest.mark.parametrize(
    ("condition", "given"),
    [
        ("pot", ""), ("pot", "x"), ("pot", -1), ("pot", "5-1"), ("pot", "1-"), ("pot", "-"), ("pot", "1.5"),
        ("pot", True), ("pot", None), ("pot", "1-2+"), ("pot", 10**13), ("pot", [1]), ("position", 0), ("position", 11),
        ("position", "first"), ("heard", 10), ("heard", "last"), ("heard", "٣"),
    ],
)  # fmt: skip
def test_what_is_no_condition_is_refused(condition, given):
    assert refusal(Span.parse, given, condition).startswith(condition)


def test_the_first_case_that_applies_is_played(tmp_path):
    path = tmp_path / "bold.csv"
    path.write_text(BOLD)
    plan = read_strategy(path)
    assert plan.looks_at == ("pot", "position", "heard")

    def played(**situation):
        return next(case.play.weakest_in for case in plan.cases if case.applies(n_players=4, **situation))

    assert played(pot=3, position=4, heard=0) == "32"
    assert played(pot=3, position=3, heard=0) == "K2"
    assert played(pot=6, position=4, heard=2) == "TT"
    assert played(pot=6, position=4, heard=0) == "A4"
    assert plan.cases[1].play.entry.max() == 0.5


def test_the_two_forms_of_a_file_say_the_same(tmp_path):
    table, text = tmp_path / "bold.csv", tmp_path / "bold.json"
    table.write_text(BOLD)
    cases = [
        {"pot": "1-5", "position": "last", "heard": 0, "play": "always"},
        {"pot": "1-5", "play": {"K2+": 0.5}},
        {"heard": "1+", "play": "TT+"},
        {"play": [{"hand": "A4+", "enter": 1}]},
    ]
    text.write_text(json.dumps({"name": "bold", "ranking": "guts2", "cases": cases}))
    assert contents(read_strategy(table)) == contents(read_strategy(text))
    assert read_strategy(text).spec == "bold"


entries = st.lists(st.sampled_from([0.0, 1.0, 0.5]) | st.floats(0, 1), min_size=91, max_size=91)
spans = st.tuples(st.integers(1, 9), st.integers(0, 9) | st.none()).map(
    lambda pair: Span(pair[0], None if pair[1] is None else max(pair))
)


@st.composite
def strategies(draw):
    has_low = draw(st.booleans())

    def play(ranking):
        return Strategy("drawn", ranking, np.array(draw(entries)))

    def case(**conditions):
        return Case(play("guts2"), play("low2") if has_low else None, **conditions)

    names = draw(st.lists(st.sampled_from(["pot", "position", "heard"]), max_size=3, unique=True))
    cases = [case(**{name: draw(spans) for name in names})] if names else []
    if draw(st.booleans()):
        cases.append(case(position=LAST_PLACE))
    return Plan("drawn", (*cases, case()))


@settings(deadline=None, max_examples=60)
@given(strategy=strategies(), ending=st.sampled_from(["csv", "json"]))
def test_strategies_survive_their_files_exactly(tmp_path_factory, strategy, ending):
    path = tmp_path_factory.mktemp("plans") / f"drawn.{ending}"
    strategy.save(path)
    read = read_strategy(path)
    merged = []
    for one in contents(strategy):  # neighbours in a table of the same conditions are one case
        if not (ending == "csv" and merged and merged[-1][0] == one[0]):
            merged.append(one)
    assert contents(read) == merged
    assert read_strategy(path, "guts2", "low2").spec == read.spec


@pytest.mark.parametrize("ranking", ["guts2", "guts3", "guts3-plain"])
def test_plain_strategies_are_saved_and_read_without_saying_the_ranking(tmp_path, ranking):
    if ranking not in ("guts2", "guts3"):
        ranking = gs.GutsRules(cards=3, straights_flushes=False).ranking.name
    for number, spec in enumerate(("top:30%", "never", "always")):
        strategy = parse_field(spec, ranking)
        path = tmp_path / f"{number}.json"
        strategy.save(path)
        read = read_strategy(path)
        assert isinstance(read, Strategy)
        assert (read.spec, read.ranking.name) == (spec, ranking)
        assert read.entry.tolist() == strategy.entry.tolist()


@pytest.mark.parametrize(
    ("name", "content", "line", "reason"),
    [
        ("f.csv", "pot,hand,enter\n1-5,AA,1\n,KK,2\n", 3, "hand KK: enter '2'"),
        ("f.csv", "pot,hand,enter\n9-5,AA,1\n,KK,1\n", 2, "pot '9-5'"),
        ("f.csv", "pot,hand,enter\n1-5,AA,1\n", 2, "the last case must be without conditions"),
        ("f.csv", "pot,hand,enter\n,AA,1\n\n,XX,1\n", 4, "XX"),
        ("f.csv", "side,hand,enter\nmid,AA,1\n", 2, "side 'mid'"),
        ("f.csv", "side,hand,enter\nlow,AA,1\n", 2, "nothing about the high pot"),
        ("f.csv", "hand,enter\nAK+,1\nKK,1\n", 3, "listed twice"),
        ("f.json", '{"cases": [\n {"play": "A4+"},\n {"play": "nonsense"}]}', 3, "nonsense"),
        ("f.json", '{"cases": [\n {"pot": "1-5",\n  "play": 2},\n {"play": 1}]}', 3, "play 2"),
        ("f.json", '{"cases": [\n {"pot": "5-1", "play": 1},\n {"play": 1}]}', 2, "pot '5-1'"),
        ("f.json", '{"cases": [\n {"pott": 5, "play": 1}]}', 2, "'pott' is unknown"),
        ("f.json", '{"cases": [\n {"pot": 5}]}', 2, 'without "play"'),
        ("f.json", '{"cases": [{"play": 1},\n {"pot": 5, "play": 1}]}', 2, "without conditions"),
        ("f.json", '{"cases": [{"play": 1, "low": 1, "pot": 5},\n {"play": 1}]}', 2, "all or none"),
        ("f.json", '{\n"cases": 5}', 2, "cases must be a list"),
        ("f.json", '{\n"name": 5, "hands": {"AA": 1}}', 2, "name 5"),
        ("f.json", '{"name": "x",\n"ranking": "poker", "hands": {"AA": 1}}', 2, "poker"),
        ("f.json", '{"ranking": "high5", "hands": {"AA": 1}}', 1, "high5"),
        ("f.json", '{"AA": 1,\n "KK": 1,\n "AA": 0}', 3, "listed twice"),
        ("f.json", '{"cases": [{"play": {"AA": 1,\n "QQ": 7}}]}', 2, "hand QQ: enter 7"),
        ("f.json", '{"cases": [{"play": "other.json"}]}', 1, "names no other file"),
        ("f.json", '{"cases": [{"play": true}]}', 1, "give text"),
    ],
)
def test_refusals_name_file_line_and_value(tmp_path, name, content, line, reason):
    path = tmp_path / name
    path.write_text(content)
    message = refusal(read_strategy, path)
    assert message.startswith(f"field file {path}: line {line}: ")
    assert reason in message


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["A4+", "AA", "1-5"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["cases", "play", "low", "pot", "heard", "hands", "AA", "name", "ranking"]), inner
        )
    ),
    max_leaves=12,
)


@settings(deadline=None, max_examples=300)
@given(content=st.text(max_size=60) | st.binary(max_size=40) | json_values, ending=st.sampled_from(["csv", "json"]))
def test_any_file_is_read_or_refused_in_one_line(tmp_path_factory, content, ending):
    path = tmp_path_factory.getbasetemp() / f"fuzz.{ending}"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8", errors="replace")
    try:
        read = as_plan(read_strategy(path))
    except InputError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017 (either outcome is right)
        assert str(path) in str(error)  # noqa: PT017
    else:
        assert len(read.cases[-1].play.entry) == len(class_names(read.ranking))


@settings(deadline=None, max_examples=100)
@given(rows=st.lists(st.lists(st.sampled_from(["", "1-5", "last", "0", "AA", "A4+", "1", "0.5", "low"]), max_size=5)))
def test_any_table_is_read_or_refused_in_one_line(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "fuzz.csv"
    path.write_text("pot,position,side,hand,enter\n" + "\n".join(",".join(row) for row in rows))
    try:
        read_strategy(path)
    except InputError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017 (either outcome is right)


def test_where_only_the_own_hand_counts_other_strategies_are_refused(tmp_path):
    path = tmp_path / "bold.csv"
    path.write_text(BOLD)
    assert "looks at pot and position and heard" in refusal(parse_field, str(path), "guts2")
    with pytest.raises(InputError, match="own hand alone"):
        gs.threshold(5, field=str(path))


def test_strategies_in_words():
    assert parse_strategy("blind:30%", "guts2").is_blind
    both = parse_strategy("A4+/72+", "guts2", "low2")
    assert (both.cases[0].play.weakest_in, both.cases[0].low.weakest_in) == ("A4", "72")
    for text in ("A4+/72+", "blind:x", 5, None):
        refusal(parse_strategy, text, "guts2")
    with pytest.raises(InputError, match="without conditions"):
        Plan("x", (Case(parse_field("A4+", "guts2"), pot=Span(1, 2)),))
    with pytest.raises(InputError, match="no case"):
        Plan("x", ())


def test_files_that_cannot_be_written_are_refused(tmp_path):
    strategy = parse_field("A4+", "guts2")
    for name in ("x.txt", "missing/x.csv", "x\x00.json"):
        refusal(strategy.save, tmp_path / name)
    (tmp_path / "folder.csv").mkdir()
    refusal(strategy.save, tmp_path / "folder.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.csv"]
