"""The rules of thumb and their verdicts in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from guts_sim.studies.text import prose, table


def folklore_lines(results: Mapping[str, Any]) -> list[str]:
    """Summary lines: each rule with verdict and note, then a table of the numbers that decide."""
    lines = ["Rules of thumb of home players, put to the test", ""]
    for rule in results["rules"]:
        verdicts = "; ".join(f"{kind}: {verdict}" for kind, verdict in rule["verdicts"].items())
        lines += prose(f'{rule["rule"]}  "{rule["statement"]}"')
        lines += [f"    {line}" for line in prose(f"Verdict: {verdicts or 'none, on too few deals'}.")]
        lines += [f"    {line}" for line in prose(rule["note"])]
    return [*lines, "", *_table(results["findings"])]


def _table(findings: Sequence[Mapping[str, Any]]) -> list[str]:
    """Numbers that decide, one line per rule, cards and measure, a column per number of players."""
    deciding = [row for row in findings if row["holds"] is not None]
    players = sorted({row["n_players"] for row in deciding})
    lines: dict[str, dict[int, str]] = {}
    for row in deciding:
        kind = "" if row["cards"] is None else f", {row['cards']} cards"
        mark = "+" if row["holds"] else "-"
        lines.setdefault(f"{row['rule']}{kind}: {row['measure']}", {})[row["n_players"]] = (
            f"{_short(row['value'])} {mark}"
        )
    body = [[name, *(cells.get(n, "") for n in players)] for name, cells in lines.items()]
    return table(["measured (+ bears the rule out, - does not)", *(f"N={n}" for n in players)], body)


def _short(value: float | None) -> str:
    return "none" if value is None else f"{value:.3g}" if abs(value) >= 0.001 or value == 0 else f"{value:.1e}"
