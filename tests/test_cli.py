"""The command line as a user calls it, hostile users included."""

import csv
import dataclasses
import io
import json
import os
import re
import sys

import click
import pytest

import guts_sim.cli.output
from guts_sim.cli import main
from guts_sim.cli.app import app
from guts_sim.cli.options import MAX_CHIPS, MAX_DEALS, RULE_SWITCHES
from guts_sim.engine.blocks import MAX_DEALS as ENGINE_MAX_DEALS
from guts_sim.rules import MAX_CHIPS as RULES_MAX_CHIPS
from guts_sim.rules import GutsRules

THRESHOLD = ["threshold", "--players", "3"]
SAMPLED_ODDS = ["odds", "As Kd", "--players", "3", "--method", "mc", "--seed", "1"]
NOT_COUNTS = ["0", "-5", "1.5", "nan", "inf", "-inf", "1e400", "", " ", "abc", "1e-3", "0x10", "1__0", "_1", "1_", "²"]
NOT_ASCII = ["١٢", "٣", "１２"]


@pytest.fixture
def call(capsys):
    """Run one command line in this process; return exit code, standard output and standard error."""

    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def refusal(call):
    """Run a command line that has to be refused; return its only line on standard error."""

    def run(*arguments):
        code, out, err = call(*arguments)
        assert (code, out) == (2, "")
        assert err.startswith("error: ")
        assert err.endswith("\n")
        assert err.count("\n") == 1
        assert "Traceback" not in err
        return err

    return run


# Numbers


@pytest.mark.parametrize("text", NOT_COUNTS + NOT_ASCII)
@pytest.mark.parametrize("option", ["--players", "--deals", "--workers", "--cap", "--ante", "--pot", "--bankroll"])
def test_what_is_no_count_is_refused_by_name(refusal, option, text):
    message = refusal("threshold", *([] if option == "--players" else ["--players", "3"]), option, text)
    assert f"{option} must be a whole number from" in message


@pytest.mark.parametrize(
    ("option", "text", "allowed"),
    [
        ("--players", "1", "from 2 to 10"),
        ("--players", "11", "from 2 to 10"),
        ("--players", "18", "from 2 to 10"),
        ("--cards", "4", "from 2 to 3"),
        ("--cards", "1", "from 2 to 3"),
        ("--workers", "1000000000", "from 1 to 1024"),
        ("--deals", "1e16", f"from 1 to {2**53}"),
        ("--deals", "99999999999999999999", f"from 1 to {2**53}"),
        ("--cap", "1e30", f"from 1 to {MAX_CHIPS}"),
        ("--seed", "-1", "from 0 to"),
        ("--seed", "-2e3", "from 0 to"),
        ("--seed", "1.5", "from 0 to"),
        ("--seed", "abc", "from 0 to"),
        ("--seed", "", "from 0 to"),
        ("--seed", "1e400", "from 0 to"),
        ("--seed", "9" * 5000, "from 0 to"),
    ],
)
def test_counts_outside_their_limits_are_refused_with_the_limits(refusal, option, text, allowed):
    message = refusal("threshold", *([] if option == "--players" else ["--players", "3"]), option, text)
    assert f"{option} must be a whole number {allowed}" in message
    assert len(message) < 300


@pytest.mark.parametrize("text", ["2000", "2e3", "2_000", "2000.0", "+2000", " 2E3 "])
def test_spellings_of_a_count(call, text):
    code, out, _ = call(*SAMPLED_ODDS, "--deals", text, "--format", "json")
    assert code == 0
    assert json.loads(out)["n"] == 2000


@pytest.mark.parametrize(
    "command",
    [
        "threshold --players 2 --declaration sequential --effort 0.01",
        "threshold --players 2 --ghost all --effort 0.01",
        "cascade --players 5 --field top:50% --method mc",
        "coalition --players 4 --cards 2 --method mc",
        "anaconda --players 3",
    ],
)
def test_errors_that_one_deal_cannot_tell_are_unknown_in_words(call, command):
    code, out, _ = call(*command.split(), "--deals", "1", "--seed", "1", "--workers", "1")
    assert code == 0
    assert "unknown" in out
    assert not re.search(r"\b(nan|inf)\b", out)


@pytest.mark.parametrize("seed", ["0", "1", str(2**32), str(2**64), str(2**128 - 1)])
def test_seeds_of_any_sensible_size_are_used_and_recorded(call, seed):
    code, out, _ = call(*SAMPLED_ODDS[:-2], "--deals", "1000", "--seed", seed, "--format", "json")
    assert code == 0
    assert json.loads(out)["seed"] == int(seed)


@pytest.mark.parametrize(
    "text", ["nan", "0", "1", "0.9999999999999999", "2", "-0.5", "abc", "", "inf", "95%", "1e-400", "٠.٩"]
)
def test_confidence_lies_between_0_and_1(refusal, text):
    assert "--confidence must be a number between 0 and 1, such as 0.95" in refusal(*THRESHOLD, "--confidence", text)


def test_limits_of_the_options_are_those_of_the_library():
    assert (MAX_DEALS, MAX_CHIPS) == (ENGINE_MAX_DEALS, RULES_MAX_CHIPS)


def test_every_rule_switch_has_an_option():
    assert set(RULE_SWITCHES) == {field.name for field in dataclasses.fields(GutsRules)}
    known = {parameter.name for parameter in app.commands["threshold"].params}
    assert known >= set(RULE_SWITCHES)


# Rules


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--cap", "5", "--no-cap"], "give one of them"),
        (["--rules", "home", "--reserve"], "give a cap as well"),
        (["--no-cap", "--reserve"], "give a cap as well"),
        (["--rules", "nonsense"], "known are two-card, home"),
        (["--rules", ""], "known are two-card, home"),
        (["--nobody-in", "nonsense"], "choose hold or reante"),
        (["--method", "nonsense"], "choose auto, exact, mc"),
        (["--pot", "21"], "the cap of 20"),
        (["--straight-below-flush"], "3 cards"),
        (["--no-straights-flushes"], "3 cards"),
    ],
)
def test_rules_that_do_not_fit_together_are_refused(refusal, options, reason):
    assert reason in refusal(*THRESHOLD, *options)


def test_more_players_than_are_counted_exactly_are_refused(refusal):
    assert "method mc" in refusal("threshold", "--players", "9", "--method", "exact", "--cards", "3")


def test_options_before_a_subcommand_are_not_silently_dropped(refusal):
    assert "belongs after the command" in refusal("rules", "--format", "json", "show", "home")
    assert "--rules" in refusal("rules", "show", "home", "--rules", "two-card")


def test_rules_are_written_out(call):
    code, out, err = call("rules", "show", "two-card", "--cap", "50")
    assert (code, err) == (0, "")
    assert "The next pot is at most 50" in out
    assert "cap 50" in out
    code, out, _ = call("rules", "--format", "json")
    assert [row["profile"] for row in json.loads(out)["results"]["rows"]] == ["two-card", "home"]


# Fields


@pytest.mark.parametrize(
    "field",
    [
        *("nonsense", "", " ", ",", "AA,", "++", "AA++", "+", "777", "AKs", "AK\nKQ", "/tmp/", "x" * 100_000),
        *("top:", "top:nan", "top:inf", "top:101%", "top:-1", "top:30", "top:30%%", "top:1e400", "top:٣٠%"),
    ],
)
def test_fields_that_cannot_be_read_are_refused_with_what_is_allowed(refusal, field):
    message = refusal(*THRESHOLD, "--field", field)
    assert "field " in message
    assert "top:30%" in message
    assert len(message) < 600


@pytest.mark.parametrize("name", ["missing.csv", "missing.json", "folder.csv", "null\x00byte.csv", "a" * 300 + ".csv"])
def test_field_files_that_cannot_be_read_are_named(refusal, tmp_path, name):
    (tmp_path / "folder.csv").mkdir()
    assert "field file" in refusal(*THRESHOLD, "--field", f"{tmp_path}/{name}")


# Cards


@pytest.mark.parametrize(
    ("hand", "reason"),
    [
        ("As As", "appears twice"),
        ("JcJc", "appears twice"),
        ("Xh Tc", "2-9 T J Q K A"),
        ("6\u0441 Tc", "U+0441 CYRILLIC"),
        ("\uff21\uff53 Tc", "U+FF21"),
        ("As\u00a0Kd", "U+00A0"),
        ("♠A Tc", "not understood"),
        ("(nothing dealt yet)", "not understood"),
        ("Ashes", "not understood"),
        ("the", "not understood"),
        ("As", "expected 2 or 3 cards, got 1"),
        ("", "expected 2 or 3 cards, got 0"),
        ("As Kd Qd Jd", "expected 2 or 3 cards, got 4"),
        ("As Kd Qd Jd Td 9d", "got 6"),
    ],
)
def test_hands_that_are_none_are_refused(refusal, hand, reason):
    assert reason in refusal("odds", hand, "--players", "3")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["odds", "As Kd", "--cards", "3", "--players", "3"], "the rules deal 3"),
        (["odds", "-1", "--players", "3"], "-1"),
        (["odds", "As", "Kd", "--players", "3"], "Kd"),
        (["hands", "rank", ""], "0 cards"),
        (["hands", "rank", "As Kd", "--ranking", "guts3"], "expected 3 cards, got 2"),
        (["hands", "rank", "As Kd Qd Jd Td 9d 8d 7d"], "allowed are 1 to 7"),
        (["hands", "rank", "As", "--ranking", "nonsense"], "guts2, guts3"),
        (["hands", "compare", "As Kd", "As Qd"], "As is in hand 0 and in hand 1"),
        (["hands", "compare", "As Kd", "2d 3d 4d"], "needs 2 cards"),
        (["hands", "compare", "7h 7h", "3s Ad", "--board", "5s 6s Td 6h As"], "appears twice"),
        (["hands", "table", "--cards", "8"], "from 1 to 7"),
        (["hands", "table", "--cards", "3", "--ranking", "guts2"], "2 cards"),
    ],
)
def test_what_does_not_fit_the_cards_is_refused(refusal, arguments, reason):
    assert reason in refusal(*arguments)


@pytest.mark.parametrize("hand", ["10h 9c", "Th 9c", "th9C", "T♥,9♣"])
def test_spellings_of_a_hand_give_one_answer(call, hand):
    code, out, _ = call("odds", hand, "--players", "2", "--format", "json")
    assert code == 0
    assert json.loads(out)["results"]["cards"] == "Th 9c"


# Commands and help


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (["nonsense"], "commands are " + ", ".join(sorted(app.commands))),
        (["hands", "nonsense"], "commands are compare, rank, table"),
        (["rules", "nonsense"], "commands are show"),
        (["--nonsense"], "--help"),
        ([*THRESHOLD, "--nonsense"], "threshold --help"),
        ([*THRESHOLD, "extra"], "threshold --help"),
        ([*THRESHOLD, "--format", "xml"], "'table', 'json', 'csv'"),
        ([*THRESHOLD, "--format"], "--format"),
        (["threshold"], "--players"),
        (["odds"], "HAND"),
        (["odds", "As Kd"], "--players"),
        (["hands", "rank"], "HAND"),
        (["hands", "rank", "As Kd", "--plot", "x.png"], "--plot"),
        (["rules", "show"], "PROFILE"),
    ],
)
def test_unknown_or_missing_words_are_refused_with_what_is_allowed(refusal, arguments, allowed):
    assert allowed in refusal(*arguments)


@pytest.mark.parametrize(
    "arguments", [["--help"], ["-h"], ["threshold", "-h"], ["odds", "-h"], ["hands", "-h"], ["hands", "compare", "-h"]]
)
def test_help_is_an_answer(call, arguments):
    code, out, err = call(*arguments)
    assert (code, err) == (0, "")
    assert out.startswith("Usage: guts-sim")


@pytest.mark.parametrize("arguments", [[], ["hands"]])
def test_without_a_command_there_is_help(call, arguments):
    code, out, err = call(*arguments)
    assert (code, err) == (0, "")
    assert "Commands:" in out


def test_every_option_has_a_help_text():
    def commands(group):
        for command in group.commands.values():
            yield command
            yield from commands(command) if hasattr(command, "commands") else ()

    for command in commands(app):
        assert command.help
        for parameter in command.params:
            assert parameter.param_type_name == "argument" or parameter.help, (command.name, parameter.name)


def test_version(call):
    code, out, err = call("--version")
    assert (code, err) == (0, "")
    assert out.startswith("guts-sim, version ")


# Files to write


@pytest.fixture
def no_work(monkeypatch):
    """Fail if anything is computed: files are to be refused before."""
    monkeypatch.setattr("guts_sim.studies.threshold.threshold", lambda *_, **__: pytest.fail("computed"))


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize(
    ("option", "name", "reason"),
    [
        ("--out", "missing/x.csv", "there is no folder"),
        ("--out", "file/x.csv", "there is no folder"),
        ("--out", "x.nonsense", "allowed are .csv, .json, .parquet"),
        ("--out", "x", "allowed are .csv"),
        ("--out", "", "allowed are .csv"),
        ("--out", "folder.csv", "is a folder"),
        ("--out", "record.csv", "record.csv.json is a folder"),
        ("--out", "null\x00byte.csv", "cannot be written"),
        ("--out", "a" * 300 + ".csv", "cannot be written"),
        ("--out", "a" * 252 + ".csv", "cannot be written"),
        ("--plot", "missing/x.png", "there is no folder"),
        ("--plot", "x.csv", "allowed are .png, .svg, .pdf"),
        ("--plot", ".png", "allowed are .png"),
        ("--plot", "folder.png", "is a folder"),
    ],
)
def test_files_that_cannot_be_written_are_refused_before_the_run(refusal, tmp_path, option, name, reason):
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "record.csv.json").mkdir()
    (tmp_path / "file").touch()
    before = sorted(tmp_path.iterdir())
    assert reason in refusal(*THRESHOLD, option, f"{tmp_path}/{name}" if name else "")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.usefixtures("no_work")
def test_a_folder_that_takes_no_files_is_refused_before_the_run(refusal, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    assert "Permission denied" in refusal(*THRESHOLD, "--out", tmp_path / "x.csv")


@pytest.mark.usefixtures("no_work")
def test_both_files_are_checked(refusal, tmp_path):
    assert ".png" in refusal(*THRESHOLD, "--out", tmp_path / "x.csv", "--plot", tmp_path / "x.nonsense")


def test_a_disk_that_fills_up_costs_the_file_but_not_the_printed_answer(call, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device", "x.csv")

    monkeypatch.setattr("os.replace", full)
    code, out, err = call("hands", "rank", "As Kd", "--out", tmp_path / "x.csv")
    assert code == 1
    assert "AK" in out
    assert err == "error: x.csv: the answer could not be written: No space left on device\n"
    assert list(tmp_path.iterdir()) == []


def test_out_writes_table_and_record(call, tmp_path):
    code, out, _ = call(*THRESHOLD, "--format", "csv", "--out", tmp_path / "x.csv")
    assert code == 0
    assert (tmp_path / "x.csv").read_text() == out
    record = json.loads((tmp_path / "x.csv.json").read_text())
    assert record["command"] == "threshold"
    code, _, _ = call(*THRESHOLD, "--out", tmp_path / "ONLY.JSON")
    assert code == 0
    assert json.loads((tmp_path / "ONLY.JSON").read_text())["digest"] == record["digest"]


# Answers


def test_json_of_threshold(call):
    code, out, err = call(*THRESHOLD, "--field", "TT+", "--format", "json")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert list(answer) == [
        *("command", "schema", "rules", "parameters", "method", "n", "seed", "confidence", "complete"),
        *("results", "digest", "provenance"),
    ]
    assert (answer["command"], answer["schema"], answer["complete"]) == ("threshold", 1, True)
    results = answer["results"]
    assert {"hand", "entry_prob"} <= results["threshold"].keys()
    assert {"kind", "entry_prob", "hands"} <= results["equilibrium"].keys()
    assert {"hand", "enter", "frequency", "ev_in", "ev_out", "delta", "stderr"} <= results["equilibrium"]["hands"][
        0
    ].keys()
    round_keys = {"p_nobody", "p_one", "p_contested", "expected_multiplier", "expected_rounds", "tail_index"}
    assert round_keys <= results["round"].keys()
    assert {"value", "stderr"} <= results["exploitability"].keys()
    assert {"entry_prob", "exploitability", "round", "supercritical"} <= results["field"].keys()
    assert {"hands", "value", "stderr"} <= results["best_response"].keys()


def test_json_of_odds(call):
    code, out, err = call("odds", "As Kd", "--players", "6", "--field", "TT+", "--format", "json")
    assert (code, err) == (0, "")
    results = json.loads(out)["results"]
    assert results["hand"] == "AK"
    assert [row["opponents"] for row in results["rows"]] == [1, 2, 3, 4, 5]
    for row in results["rows"]:
        assert {"win", "tie", "lose", "equity", "stderr"} <= row.keys()
        assert row["win"] + row["tie"] + row["lose"] == pytest.approx(1, abs=1e-12)
    assert results["advice"] in ("in", "out")
    assert {"ev_in", "ev_out"} <= results.keys()


def test_json_of_hands(call):
    code, out, _ = call("hands", "compare", "--ranking", "guts3", "As Kd Qc", "2h 2d 3c", "--format", "json")
    assert code == 0
    results = json.loads(out)["results"]
    assert results["winners"] == [0]
    assert {"cards", "category", "name", "hand_rank"} == results["hands"][0].keys()
    _, out, _ = call("hands", "table", "--cards", "3", "--format", "json")
    rows = json.loads(out)["results"]["rows"]
    assert {row["category"]: row["hands"] for row in rows} == {
        "straight flush": 48,
        "trips": 52,
        "straight": 720,
        "flush": 1096,
        "pair": 3744,
        "high card": 16440,
    }
    assert sum(row["probability"] for row in rows) == pytest.approx(1)


def test_names_of_hands_stay_text_in_csv(call):
    _, out, _ = call(*THRESHOLD, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 91
    assert {"22", "92", "AA", "T9"} <= {row["hand"] for row in rows}
    import pandas as pd

    frame = pd.read_csv(io.StringIO(out))
    assert frame["hand"].tolist() == [row["hand"] for row in rows]
    # Pandas before 3 reads the last digit wrong.
    assert frame["delta"].tolist() == pytest.approx([float(row["delta"]) for row in rows], rel=1e-14)


def test_the_table_names_rules_seed_and_digest_on_standard_output(call):
    code, out, err = call(*SAMPLED_ODDS, "--deals", "5000")
    assert (code, err) == (0, "")
    assert "Monte Carlo: 5,000 deals, seed 1, confidence 0.95, digest " in out
    assert "Rules: profile two-card, cards 2." in out
    _, again, _ = call(*SAMPLED_ODDS, "--deals", "5000", "--workers", "1", "--quiet")
    assert again == out


# Encodings


def test_text_is_escaped_where_the_encoding_lacks_a_sign(call, tmp_path, monkeypatch):
    field = tmp_path / "ünï.csv"
    field.write_text("hand,enter\nAA,1\n")
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
    monkeypatch.setattr(guts_sim.cli.output.sys, "stdout", stream)
    assert main([*THRESHOLD, "--field", str(field)]) == 0
    assert rb"\xfcn\xef.csv" in stream.buffer.getvalue()


@pytest.mark.skipif(sys.platform == "win32", reason="file names are text there")
def test_file_names_that_are_no_utf8_can_be_reported(call, tmp_path):
    name = os.fsdecode(os.fsencode(tmp_path) + b"/b\xffd.csv")
    with open(name, "w") as file:
        file.write("hand,enter\nAA,1\n")
    code, out, _ = call(*THRESHOLD, "--field", name, "--format", "json", "--out", tmp_path / "x.csv")
    assert code == 0
    assert json.loads(out)["results"]["field"]["spec"].endswith(r"b\xffd.csv")


def every_command(group=app, path=()):
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from every_command(command, (*path, name))
        else:
            yield (*path, name), command


@pytest.mark.parametrize(("path", "command"), [pytest.param(*one, id=" ".join(one[0])) for one in every_command()])
def test_an_option_given_twice_is_refused_by_name_unless_it_is_repeatable(path, command, capsys):
    n_refused = 0
    for option in command.params:
        if not isinstance(option, click.Option) or option.multiple:
            continue
        for names in {(option.opts[0], option.opts[-1]), (option.opts[0], (option.secondary_opts or option.opts)[0])}:
            given = [word for name in names for word in ([name] if option.is_flag else [name, "3"])]
            assert main([*path, *given]) == 2
            assert f"{option.opts[0]}" in capsys.readouterr().err.partition(" is given more than once; give it once")[0]
            n_refused += 1
    assert n_refused > 0


def test_repeatable_options_may_be_repeated(capsys):
    command = ["settle", "--pot", "6", "--in", "A=Qs Qh", "--in", "B=Ac Kd", "--out", "C", "--out", "D"]
    assert main(command) == 0
    assert "A" in capsys.readouterr().out
