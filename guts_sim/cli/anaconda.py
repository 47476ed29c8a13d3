"""The command ``anaconda``: whole hands with betting, by strategies."""

from typing import Any

import click

from guts_sim.cli.options import MAX_DEALS, Count, command, output_options, plot_option, run_options, take_run
from guts_sim.cli.output import check_outputs, emit
from guts_sim.errors import InputError

STRATEGY_HELP = (
    "One for all, or one each with commas: solid, tight, loose, caller, bluffer, always-raise, random, with changes as"
    " in tight:bluff=10%:order=honest. [default: solid; with --tournament all of them]"
)


@command()
@click.option("--players", type=Count(2, 7), default=4, show_default=True, help="Players, 2 to 7.")
@click.option("--strategy", metavar="LIST", help=STRATEGY_HELP)
@click.option("--tournament", is_flag=True, help="Instead: every strategy alone among players of every other one.")
@click.option("--orders", is_flag=True, help="Instead: what the first player's order of reveal is worth.")
@click.option("--show-hand", is_flag=True, help="Instead: write out one hand.")
@click.option("--deal", type=Count(0, MAX_DEALS - 1), help="With --show-hand: number of the deal. Default: 0.")
@click.option("--passes", metavar="LIST", default="3L", show_default=True, help="3L, or 3L,2R,1L with betting between.")
@click.option("--roll/--no-roll", default=True, help="Reveal card by card with betting, or show down after the passes.")
@click.option("--high-low", is_flag=True, help="Not played; refused.")
@click.option(
    "--expected",
    metavar="ORDER",
    default="random",
    show_default=True,
    help="Order that the reading of exposed cards assumes: last, hide, honest or random.",
)
@run_options
@output_options
@plot_option
def anaconda(**options: Any) -> None:
    """Anaconda, played to the end: what strategies win, chip by chip."""
    check_outputs(options)
    run = take_run(options)
    if run.pop("method") == "exact":
        raise InputError("--method: whole hands are played by Monte Carlo only; allowed are auto and mc")
    asked = [mode for mode in ("tournament", "orders", "show_hand") if options[mode]]
    if len(asked) > 1:
        raise InputError("give at most one of --tournament, --orders and --show-hand")
    mode = asked[0] if asked else "table"
    if options["deal"] is not None and mode != "show_hand":
        raise InputError("--deal goes with --show-hand")
    arguments = {"passes": options["passes"], "expected": options["expected"]}
    if mode == "orders":
        if not options["roll"] or options["high_low"]:
            raise InputError("--orders: cards are revealed one by one; leave --no-roll and --high-low out")
    else:
        arguments |= {"roll": options["roll"], "high_low": options["high_low"]}
    if options["strategy"] is not None:
        arguments["strategies"] = options["strategy"]
    study = {"table": _table, "tournament": _tournament, "orders": _orders, "show_hand": _hand}[mode]
    emit(study(options, arguments, run), options)


def _table(options: dict[str, Any], arguments: dict[str, Any], run: dict[str, Any]) -> Any:
    from guts_sim.studies.anaconda import anaconda as study

    return study(options["players"], **arguments, **run)


def _tournament(options: dict[str, Any], arguments: dict[str, Any], run: dict[str, Any]) -> Any:
    from guts_sim.studies.anaconda import anaconda_tournament

    return anaconda_tournament(options["players"], **arguments, **run)


def _orders(options: dict[str, Any], arguments: dict[str, Any], run: dict[str, Any]) -> Any:
    from guts_sim.studies.anaconda import anaconda_orders

    return anaconda_orders(options["players"], **arguments, **run)


def _hand(options: dict[str, Any], arguments: dict[str, Any], run: dict[str, Any]) -> Any:
    from guts_sim.studies.anaconda_log import anaconda_hand

    if run["deals"] is not None:
        raise InputError("--deals does not go with --show-hand; --deal says which one is shown")
    return anaconda_hand(options["players"], **arguments, seed=run["seed"], deal=options["deal"] or 0)
