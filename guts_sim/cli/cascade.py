"""Command about pot growth."""

from typing import Any

import click

from guts_sim.checks import read_count, read_share
from guts_sim.cli.guts import FIELD_HELP, players_option
from guts_sim.cli.options import (
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

MAX_CYCLES = 1 << 40
MAX_ROUND_LIMIT = 1 << 20


@command()
@players_option
@click.option("--field", metavar="SPEC", help=FIELD_HELP.replace("all opponents do", "everybody does"))
@click.option("--seat", "seats", metavar="SPEC", multiple=True, help="Strategy of one seat; give it once per player.")
@click.option("--cycles", type=Count(1, MAX_CYCLES), help="Cycles to play when sampling (--deals means the same).")
@click.option(
    "--round-limit",
    type=Count(1, MAX_ROUND_LIMIT),
    default=1000,
    show_default=True,
    help="Rounds after which a sampled cycle is given up.",
)
@click.option("--sweep", is_flag=True, help="Sweep over entry rates and caps instead: where does the pot grow?")
@click.option("--entries", metavar="SHARES", help="With --sweep: shares of hands that enter, as in 20%,30%,0.5.")
@click.option("--caps", metavar="CHIPS", help="With --sweep: caps, as in none,20,50.")
@profile_option
@switch_options
@run_options
@long_options
@output_options
@plot_option
def cascade(**options: Any) -> None:
    """How large the pot grows, how long a cycle lasts, and whether it ends."""
    check_outputs(options)
    rules = take_rules(options)
    run = take_run(options)
    long = take_long(options)
    if options["sweep"]:
        if long:
            raise InputError(f"--{next(iter(long))} does not go with --sweep, which is exact")
        emit(_sweep(options, rules), options)
        return
    if options["entries"] is not None or options["caps"] is not None:
        raise InputError("--entries and --caps belong to --sweep; give --field and --cap, or --sweep")
    from guts_sim.studies.cascade import cascade as study

    deals = run.pop("deals")
    if deals is not None and options["cycles"] is not None:
        raise InputError("--deals and --cycles mean the same here; give one of them")
    played = deals if options["cycles"] is None else options["cycles"]
    strategies: dict[str, Any] = {} if options["field"] is None else {"field": options["field"]}
    if options["seats"]:
        strategies["fields"] = list(options["seats"])
    limits = {"cycles": played, "round_limit": options["round_limit"]}
    emit(study(options["players"], **strategies, **limits, **rules, **run, **long), options)


def _sweep(options: dict[str, Any], rules: dict[str, Any]) -> Any:
    from guts_sim.studies.phase import phase_diagram

    if options["field"] is not None or options["seats"] or options["cycles"] is not None:
        raise InputError("--field, --seat and --cycles do not go with --sweep; give --entries and --caps")
    entries = None if options["entries"] is None else [_share(word) for word in options["entries"].split(",")]
    caps = None if options["caps"] is None else [_cap(word) for word in options["caps"].split(",")]
    return phase_diagram(options["players"], entries=entries, caps=caps, **rules)


def _share(word: str) -> float:
    share = read_share(word)
    if share is None:
        raise InputError(f"--entries: {word.strip()!r} is no share of hands; write 30% or 0.3")
    return share


def _cap(word: str) -> int | None:
    return None if word.strip().lower() == "none" else read_count(word.strip(), "--caps")
