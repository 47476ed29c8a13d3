"""The command ``session``: balances, ruin and standings over many cycles."""

from typing import Any

import click

from guts_sim.checks import read_count
from guts_sim.cli.guts import FIELD_HELP
from guts_sim.cli.options import (
    MAX_CHIPS,
    Count,
    command,
    long_options,
    output_options,
    plot_option,
    profile_option,
    run_options,
    switch_options,
    take_long,
    take_rules,
    take_run,
)
from guts_sim.cli.output import check_outputs, emit
from guts_sim.errors import InputError

MAX_LENGTH = 1 << 20
MAX_SESSIONS = 1 << 40
MAX_POINTS = 100


@command()
@click.option("--players", type=Count(2, 10), help="Players at the table, 2 to 10. Default: those named.")
@click.option(
    "--field", metavar="SPEC", help=FIELD_HELP.replace("all opponents do", "everybody plays who is not named")
)
@click.option(
    "--player", "named", metavar="NAME=SPEC", multiple=True, help="A player and his strategy or file; repeatable."
)
@click.option("--cycles", type=Count(1, MAX_LENGTH), help="Cycles of a session. Default: 10.")
@click.option("--rounds", type=Count(1, MAX_LENGTH), help="Rounds of a session, instead of cycles.")
@click.option(
    "--round-limit",
    type=Count(1, MAX_LENGTH),
    default=10_000,
    show_default=True,
    help="Rounds after which a session of cycles is ended.",
)
@click.option(
    "--loss-limit", "limits", metavar="[NAME=]CHIPS", multiple=True, help="Who is down by as much sits out; repeatable."
)
@click.option("--leftover", metavar="share|leave", default="share", help="What becomes of chips left on the table.")
@click.option(
    "--pass-policy", metavar="keep-best|lowest", default="keep-best", help="With --pass-left: which card is passed."
)
@click.option("--course", is_flag=True, help="Show how balances spread in the course of a session, not only its end.")
@click.option("--points", type=Count(1, MAX_POINTS), help="With --course: how many points to look at. Default: 10.")
@click.option("--sessions", type=Count(1, MAX_SESSIONS), help="Sessions to play (--deals means the same).")
@profile_option
@switch_options
@run_options
@long_options
@output_options
@plot_option
def session(**options: Any) -> None:
    """Balances, ruin and standings when the same players meet for many cycles."""
    from guts_sim.studies.session import session as study
    from guts_sim.studies.session_course import session_course

    check_outputs(options)
    rules = take_rules(options)
    run = take_run(options)
    if run.pop("method") == "exact":
        raise InputError("--method: sessions are played by Monte Carlo; leave it out or give mc")
    deals = run.pop("deals")
    if deals is not None and options["sessions"] is not None:
        raise InputError("--deals and --sessions mean the same here; give one of them")
    given = {name: options[name] for name in ("field", "cycles", "rounds") if options[name] is not None}
    if options["named"]:
        given["players"] = [_named(text) for text in options["named"]]
    elif options["players"] is None:
        raise InputError("--players is missing; give their number, or name them with --player NAME=SPEC")
    if options["limits"]:
        given["loss_limits"] = _loss_limits(options["limits"])
    given |= {name: options[name] for name in ("round_limit", "leftover", "pass_policy")}
    played = deals if options["sessions"] is None else options["sessions"]
    given |= rules | run | take_long(options)
    if options["points"] is not None:
        if not options["course"]:
            raise InputError("--points belongs to --course; give both")
        given["points"] = options["points"]
    emit((session_course if options["course"] else study)(options["players"], sessions=played, **given), options)


def _named(text: str) -> tuple[str, str]:
    name, separator, spec = text.partition("=")
    if not separator or not name.strip() or not spec.strip():
        raise InputError(f"--player {text!r}: give NAME=SPEC, as in --player Ann=A4+")
    return name.strip(), spec.strip()


def _loss_limits(texts: tuple[str, ...]) -> int | dict[str, int]:
    """One limit for everybody, or limits by name."""
    limits: dict[str, int] = {}
    for text in texts:
        name, separator, chips = text.rpartition("=")
        if not separator and len(texts) > 1:
            raise InputError(f"--loss-limit {text!r}: one limit for everybody stands alone; give NAME=CHIPS")
        limits[name.strip()] = read_count(chips.strip(), "--loss-limit", 1, MAX_CHIPS)
    return limits.get("", limits)
