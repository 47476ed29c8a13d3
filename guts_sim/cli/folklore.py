"""Command about the rules of thumb."""

from typing import Any

import click

from guts_sim.cli.options import MAX_DEALS, MAX_WORKERS, Confidence, Count, command, output_options, plot_option
from guts_sim.cli.output import check_outputs, emit


@command()
@click.option("--only", metavar="RULE", multiple=True, help="Judge this rule, F1 to F9; repeatable. Default: all.")
@click.option("--deals", type=Count(1, MAX_DEALS), help="Deals for each number that is not counted; default 200,000.")
@click.option("--seed", type=Count(0, 2**128 - 1), help="Seed of the deals; drawn and reported if not given.")
@click.option("--confidence", type=Confidence(), default=0.95, show_default=True, help="Coverage of the intervals.")
@click.option("--workers", type=Count(1, MAX_WORKERS), help="Threads. Default: one per processor.")
@click.option("--quiet", is_flag=True, help="No progress bar (there is one only on a terminal).")
@output_options
@plot_option
def folklore(**options: Any) -> None:
    """Rules of thumb of home players, each with the measured verdict."""
    check_outputs(options)
    from guts_sim.studies.folklore import folklore as study

    run = {name: options[name] for name in ("deals", "seed", "confidence", "workers")}
    emit(study(list(options["only"]) or None, progress=False if options["quiet"] else None, **run), options)
