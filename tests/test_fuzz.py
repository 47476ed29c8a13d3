"""Whatever is typed or lies in a file: an answer, or one line that says what is wrong."""

import contextlib
import io
import json
import shlex
import warnings

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import guts_sim as gs
from guts_sim.cli import main
from guts_sim.engine.checkpoint import Checkpoint
from guts_sim.errors import InputError

CHEAP = {
    "odds": ["odds", "As Kd", "--players", "3", "--deals", "64"],
    "cascade": ["cascade", "--players", "3", "--field", "A4+", "--cycles", "64", "--round-limit", "50"],
    "session": ["session", "--players", "3", "--field", "A4+", "--sessions", "8", "--round-limit", "50"],
    "rank": ["hands", "rank", "As Kd"],
    "rules": ["rules", "show", "two-card"],
}
OPTIONS = shlex.split("""
--players --field --deals --seed --confidence --workers --rules --cards --cap --ante --match-limit --ties --declaration
--nobody-in --pays --stakes --bankroll --ghost --format --out --plot --precision --checkpoint --method --pot --seat
--player --loss-limit --help --reserve --no-cap --high-low --pass-left --community --nonsense -x -- -1
""")
TYPED = shlex.split("""
0 1 2 3 10 11 -1 1e6 1e400 nan inf 0.5 1_0 \u0663 A4+ top:30% 22-99 always never blind:30% A4+/72+ Xx json csv
equilibrium /dev/null / no/such/folder.csv \0 \udcff %s {0} mc exact auto Ann=A4+ = Ann= =5 sequential blind weenie
table eliminate all lone suits lowest "As Kd" "As As" "'"
""")
VALUES = st.one_of(st.sampled_from([*TYPED, "", "\n"]), st.text(max_size=12))
WORDS = st.lists(st.one_of(st.sampled_from(OPTIONS), VALUES), max_size=6)
# A valid long computation would be no finding: `--field equilibrium` and many deals are replaced.
SLOW = ("--plot", "equilibrium", "1e6", "--scheduler")


def outcome(arguments):
    """Exit code and what went to standard error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    return code, err.getvalue()


def check(arguments):
    code, error = outcome(arguments)
    assert code in (0, 1, 2), (arguments, code, error)
    if code:
        assert error.startswith("error: "), (arguments, error)
        assert error.count("\n") == 1, (arguments, error)
    else:
        assert error == "", (arguments, error)


@pytest.mark.parametrize(
    "command",  # each rule may have a kernel to compile
    [pytest.param(name, marks=[pytest.mark.slow] if name in ("odds", "cascade", "session") else []) for name in CHEAP],
)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(words=WORDS)
@example(words=["--seed", "-1"])
@example(words=["--confidence", "nan"])
@example(words=["--field", "\0"])
@example(words=["--out", "\0.csv"])
@example(words=["--checkpoint", "\0"])
@example(words=["--checkpoint", ""])
@example(words=["--cap", "\udcff"])
def test_any_command_line_gives_an_answer_or_one_line(command, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["A4+" if word in SLOW else word for word in words]
    check([*CHEAP[command], *words])


def mutated(text):
    """Texts that differ from a good one in a few places."""
    data = text.encode()

    def change(edits):
        changed = bytearray(data)
        for place, byte, kind in edits:
            at = place % (len(changed) + 1)
            if kind == "cut":
                del changed[at:]
            elif kind == "insert":
                changed.insert(at, byte)
            elif at < len(changed):
                changed[at] = byte
        return bytes(changed)

    edit = st.tuples(st.integers(0, 10_000), st.integers(0, 255), st.sampled_from(["replace", "insert", "cut"]))
    return st.one_of(st.lists(edit, min_size=1, max_size=4).map(change), st.binary(max_size=40))


FIELDS = {
    "csv": "hand,enter\nAA,1\nKK,0.5\nA4,0\n",
    "json": '{"name": "bold", "ranking": "guts2", "cases": [{"pot": [1, 5], "enter": "K2+"}, {"enter": "A4+"}]}',
}


@pytest.mark.parametrize("kind", FIELDS)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_file_of_a_field_gives_an_answer_or_one_line(kind, data, tmp_path):
    file = tmp_path / f"field.{kind}"
    file.write_bytes(data.draw(mutated(FIELDS[kind])))
    check(["session", "--players", "2", "--field", str(file), "--sessions", "2", "--cycles", "1", "--round-limit", "9"])


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_file_in_the_place_of_a_checkpoint_is_used_whole_or_refused(data, tmp_path):
    path, owner = tmp_path / "x", {"seed": 1}
    path.unlink(missing_ok=True)
    checkpoint = Checkpoint(path, owner)
    checkpoint.save("a", gs.session(2, field="A4+", cycles=1, sessions=8, seed=1).study.run.sums)
    good = path.read_text()
    changed = data.draw(mutated(good))
    path.write_bytes(changed)
    refusals = []
    try:
        Checkpoint(path, owner)
    except InputError as refusal:
        refusals.append(str(refusal))
    assert bool(refusals) == (changed != good.encode())
    assert "\n" not in "".join(refusals)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_record_is_repeated_or_refused(data, tmp_path):
    file = tmp_path / "odds.json"
    good = json.dumps(json.loads(_odds_record()), separators=(",", ":"))
    file.write_bytes(data.draw(mutated(good)))
    with warnings.catch_warnings(), contextlib.suppress(InputError):
        gs.rerun(file)


_RECORD = []


def _odds_record():
    if not _RECORD:
        _RECORD.append(gs.odds("As Kd").to_json())
    return _RECORD[0]
