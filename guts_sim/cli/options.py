"""Options that several commands share, and the reading of their values."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from guts_sim.checks import HIGHEST_CONFIDENCE, read_count, read_number
from guts_sim.errors import InputError

Command = TypeVar("Command", bound=Callable[..., Any])
MAX_DEALS = 2**53
MAX_CHIPS = 10**12
MAX_WORKERS = 1024
# The fields of `guts_sim.GutsRules`; a test compares them. Named here, since help must not wait for imports.
RULE_SWITCHES = (
    "cards",
    "straights_flushes",
    "trips_above_straight_flush",
    "straight_below_flush",
    "ties",
    "declaration",
    "nobody_in",
    "ante",
    "ante_every_round",
    "pays",
    "match_limit",
    "cap",
    "reserve",
    "stakes",
    "bankroll",
    "community",
    "pass_left",
    "high_low",
    "ghost",
    "ghost_tie",
)


class Count(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4 only
    """A whole number, written as 1000000, 1_000_000 or 1e6."""

    name = "number"

    def __init__(self, minimum: int = 1, maximum: int | None = None) -> None:
        self.minimum = minimum
        self.maximum = maximum

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the text, refusing fractions, nan and numbers outside the limits."""
        try:
            return read_count(str(value), _option_name(param), self.minimum, self.maximum)
        except InputError as error:
            raise click.UsageError(str(error), ctx=ctx) from None


class Confidence(click.ParamType):  # type: ignore[type-arg]
    """A number strictly between 0 and 1, and not next to 1."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the text, refusing anything that is no coverage of an interval."""
        number = read_number(str(value))
        if number is None or not 0.0 < float(number) <= HIGHEST_CONFIDENCE:
            message = f"{_option_name(param)} must be a number between 0 and 1, such as 0.95, got {value!r}"
            raise click.UsageError(message, ctx=ctx)
        return float(number)


class Precision(click.ParamType):  # type: ignore[type-arg]
    """A number above 0."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the text, refusing anything that is no half-width of an interval."""
        number = read_number(str(value))
        if number is None or not 0.0 < float(number) < float("inf"):
            message = f"{_option_name(param)} must be a number above 0, such as 0.001, got {value!r}"
            raise click.UsageError(message, ctx=ctx)
        return float(number)


def _option_name(param: click.Parameter | None) -> str:
    return param.opts[0] if param is not None and param.opts else "value"


class OneOfEach(click.Command):
    """A command that refuses an option given twice, unless it is a repeatable one: the last would silently win."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as usual after a look at what was given."""
        try:
            _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        except click.UsageError:
            given = []  # reported below, with everything else that click knows about it
        once = [option for option in given if isinstance(option, click.Option) and not option.multiple]
        for option in once:
            if once.count(option) > 1 and not option.is_eager:
                name = "/".join([option.opts[0], *option.secondary_opts])
                raise click.UsageError(f"{name} is given more than once; give it once", ctx=ctx)
        return super().parse_args(ctx, args)


def command(name: str | None = None) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command of a function, as `click.command` does, that takes every option once."""
    return click.command(name, cls=OneOfEach)


def grouped(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Make one decorator of several options, in the order in which help lists them."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


profile_option = click.option(
    "--rules", metavar="PROFILE", help="Profile: two-card or home. Default: the one that fits --cards."
)

switch_options = grouped(
    click.option("--cards", type=Count(2, 3), help="Cards per player, 2 or 3."),
    click.option("--straights-flushes/--no-straights-flushes", default=None, help="Three cards: whether they count."),
    click.option("--trips-above-straight-flush", is_flag=True, default=None, help="Three cards: trips rank on top."),
    click.option("--straight-below-flush", is_flag=True, default=None, help="Three cards: a flush beats a straight."),
    click.option("--ties", metavar="split|suits", help="Equal hands share the pot, or the better suit wins."),
    click.option("--declaration", metavar="simultaneous|sequential|blind", help="How players declare in or out."),
    click.option(
        "--nobody-in", metavar="hold|reante|weenie", help="The pot stays, all ante again, or the best hand matches."
    ),
    click.option("--ante", type=Count(1, MAX_CHIPS), help="Chips each player puts in when a cycle begins."),
    click.option("--ante-every-round/--ante-once", default=None, help="Ante before each round, or once a cycle."),
    click.option("--pays", metavar="all|lowest", help="All losers match the pot, or only the lowest hand that is in."),
    click.option("--match-limit", type=Count(1, MAX_CHIPS), help="Most chips that one match may cost."),
    click.option("--cap", type=Count(1, MAX_CHIPS), help="Most chips the next active pot may hold."),
    click.option("--no-cap", is_flag=True, help="No cap (and so no reserve)."),
    click.option("--reserve/--no-reserve", default=None, help="Keep what exceeds the cap for later pots."),
    click.option("--stakes", metavar="credit|table|eliminate", help="What happens when a player cannot pay."),
    click.option("--bankroll", type=Count(1, MAX_CHIPS), help="Chips each player brings, unless stakes are on credit."),
    click.option("--community", type=Count(0, 1), help="Common cards, shown after the declarations, 0 or 1."),
    click.option("--pass-left", type=Count(0, 1), help="Cards passed to the left before declaring, 0 or 1."),
    click.option("--high-low/--high-only", default=None, help="Play a second pot for the lowest hand."),
    click.option(
        "--ghost", metavar="none|lone|all", help="A neutral hand that a lone player, or all who are in, must beat."
    ),
    click.option("--ghost-tie", metavar="player|ghost", help="Who wins when the best hand equals the ghost's."),
)

run_options = grouped(
    click.option(
        "--method",
        metavar="auto|exact|mc",
        default="auto",
        show_default=True,
        help="Count, sample (Monte Carlo), or count wherever it is possible.",
    ),
    click.option(
        "--deals", type=Count(1, MAX_DEALS), help="Deals to measure on when sampling; 1e6 and 1_000_000 are fine."
    ),
    click.option("--seed", type=Count(0, 2**128 - 1), help="Seed of the deals; drawn and reported if not given."),
    click.option("--confidence", type=Confidence(), default=0.95, show_default=True, help="Coverage of the intervals."),
    click.option(
        "--workers", type=Count(1, MAX_WORKERS), help="Threads. Default: one per processor. Never changes a result."
    ),
    click.option(
        "--scheduler", metavar="ADDRESS", help="Run on a Dask cluster: its address, as in tcp://10.0.0.5:8786."
    ),
    click.option("--quiet", is_flag=True, help="No progress bar (there is one only on a terminal)."),
)

checkpoint_option = click.option(
    "--checkpoint",
    metavar="FILE",
    help="Write finished blocks there every few seconds; the same call takes the run up again.",
)

long_options = grouped(
    click.option(
        "--precision",
        type=Precision(),
        metavar="H",
        help="Stop once the main interval is estimate +- H or shorter, within the number of deals.",
    ),
    checkpoint_option,
)

format_option = click.option(
    "--format",
    "output_format",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="What to print.",
)

output_options = grouped(
    format_option,
    click.option(
        "--out",
        metavar="PATH",
        help="Also write the table (.csv, .parquet), with a record in JSON beside it; .json writes the record alone.",
    ),
)

plot_option = click.option("--plot", metavar="FILE", help="Also draw a chart (.png, .svg, .pdf).")


def take_rules(options: dict[str, Any]) -> dict[str, Any]:
    """Take the rule options out of ``options`` and return those given, as arguments of a study."""
    rules = options.pop("rules", None)
    no_cap = options.pop("no_cap")
    switches = {name: options.pop(name) for name in RULE_SWITCHES}
    given = {name: value for name, value in switches.items() if value is not None}
    if no_cap:
        if "cap" in given:
            raise InputError("--cap and --no-cap contradict each other; give one of them")
        given["cap"] = None
    return ({} if rules is None else {"rules": rules}) | given


def take_run(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options of a run out of ``options`` and return them as arguments of a study."""
    run = {name: options.pop(name) for name in ("method", "deals", "seed", "confidence", "workers")}
    scheduler = options.pop("scheduler")
    if scheduler is not None:
        from guts_sim.engine.cluster import cluster

        run["executor"] = click.get_current_context().with_resource(cluster(scheduler))
    return run | {"progress": False if options["quiet"] else None}


def take_number(options: dict[str, Any], name: str, example: float) -> float:
    """Take the value of an option that is a decimal number, or refuse it with an example."""
    number = read_number(options[name])
    if number is None:
        raise InputError(f"--{name.replace('_', '-')}: {options[name]!r} is no number; write {example:g}")
    return float(number)


def take_long(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options of long runs out of ``options`` and return those given, as arguments of a study."""
    given = {name: options.pop(name, None) for name in ("checkpoint", "precision")}
    return {name: value for name, value in given.items() if value is not None}
