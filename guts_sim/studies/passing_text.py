"""Answers about passing in words."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from guts_sim.estimate import z_score
from guts_sim.studies.text import percent, prose, table


def pass_lines(results: Mapping[str, Any], passes: str, confidence: float) -> list[str]:
    """Table of all passes of an Anaconda hand, and what is the best."""
    rows = results["rows"]
    opponents = results["n_active"] - 1
    who = f"{opponents} opponents who pass" if opponents > 1 else "an opponent who passes"
    out = results["n_players"] - results["n_active"]
    gone = f", {out} folded" if out else ""
    lines = [*prose(f"{results['hand']}: what each pass wins against {who} {results['policy']} ({passes}{gone})"), ""]
    lines += table(
        ["pass", "keep", "win", "tie", "equity", "stderr", "loss", "stderr"],
        [
            [
                row["pass"],
                row["keep"],
                percent(row["win"], 3),
                percent(row["tie"], 3),
                percent(row["equity"], 3),
                _points(row["stderr"]),
                percent(row["loss"], 3),
                _points(row["loss_stderr"]),
            ]
            for row in rows
        ],
    )
    lines += ["", *prose(best_line(rows, confidence))]
    if "chosen" in results:
        lines += prose(chosen_line(results["chosen"]))
    return lines


def best_line(rows: list[Mapping[str, Any]], confidence: float) -> str:
    """Name the best pass and those that the deals cannot tell from it."""
    z = z_score(confidence)
    near = [row["pass"] for row in rows[1:] if not row["loss"] > z * row["loss_stderr"]]
    text = f"Best: pass {rows[0]['pass']}, keep {rows[0]['keep']}."
    if near:
        named = "; ".join(near[:4]) + (f" and {len(near) - 4} more" if len(near) > 4 else "")
        text += f" Too close to call from these deals: {named}."
    return text


def chosen_line(row: Mapping[str, Any]) -> str:
    """What one's own choice costs."""
    return f"Your pass {row['pass']} loses {percent(row['loss'], 3)} (stderr {_points(row['loss_stderr'])})."


def _points(stderr: float) -> str:
    return "unknown" if isnan(stderr) else percent(stderr, 3)


def guts_pass_lines(results: Mapping[str, Any], confidence: float) -> list[str]:
    """Table of the cards that a Guts hand can pass, and what is the best."""
    rows, opponents = results["rows"], results["n_players"] - 1
    who = f"{opponents} opponents who pass" if opponents > 1 else "an opponent who passes"
    verb = "enter" if opponents > 1 else "enters"
    field = f"{results['field']['spec']} ({percent(results['field']['entry_prob'])} of hands)"
    head = (
        f"{results['hand']}: what passing each card is worth against {who} {results['policy']} and {verb} with {field}"
    )
    lines = [*prose(head), ""]
    lines += table(
        ["pass", "keep", "enter", "win", "tie", "value (pots)", "stderr", "loss", "stderr"],
        [
            [
                row["pass"],
                row["keep"],
                percent(row["enter"], 2),
                percent(row["win"], 2),
                percent(row["tie"], 2),
                f"{row['equity']:+.5f}",
                _pots(row["stderr"]),
                f"{row['loss']:.5f}",
                _pots(row["loss_stderr"]),
            ]
            for row in rows
        ],
    )
    return [*lines, "", *prose(best_line(rows, confidence))]


def _pots(stderr: float) -> str:
    return "unknown" if isnan(stderr) else f"{stderr:.5f}"


def tournament_lines(results: Mapping[str, Any]) -> list[str]:
    """Equity of each policy (row) among others who play one policy (column), and what best replies gain."""
    names = results["policies"]
    equity = {(row["policy"], row["field"]): row for row in results["rows"]}
    lines = [*prose(f"Equity of one player (row) at a table of {results['n_players']} whose others play (column)"), ""]
    body = [[own, *(percent(equity[own, field]["equity"], 2) for field in names)] for own in names]
    lines += table(["", *names], body)
    worst = max(row["stderr"] for row in results["rows"])
    lines += ["", *prose(f"Standard errors are at most {percent(worst, 2)}.")]
    if results["exploitability"]:
        lines += [
            "",
            *prose("What a best reply wins when all others play the policy, and its gain over following it:"),
            "",
        ]
        lines += table(
            ["policy", "best reply", "gain", "stderr"],
            [
                [row["policy"], percent(row["attainable"], 2), percent(row["gain"], 2), percent(row["stderr"], 2)]
                for row in results["exploitability"]
            ],
        )
    return lines


def hands_lines(results: Mapping[str, Any], passes: str) -> list[str]:
    """Categories before and after passing."""
    head = f"Hands of {results['n_players']} players who pass {results['policy']} ({passes}), best five of seven"
    body = [
        [
            row["category"],
            percent(row["before"], 4),
            percent(row["after"], 3),
            _points(row["after_stderr"]),
            percent(row["winner"], 3),
            _points(row["winner_stderr"]),
        ]
        for row in results["rows"]
    ]
    return [*prose(head), "", *table(["category", "before", "after", "stderr", "winner", "stderr"], body)]


def exposed_lines(results: Mapping[str, Any]) -> list[str]:
    """What lies behind the exposed cards."""
    head = f"Final hand of an opponent who shows {results['exposed']}, if everybody passes {results['policy']}"
    lines = [*prose(f"{head} ({results['n_counted']:,} deals fit)"), ""]
    lines += _probabilities("category", results["rows"])
    if "last_card" in results:
        lines += ["", "The fifth card", "", *_probabilities("rank", results["last_card"])]
    return lines


def _probabilities(title: str, rows: list[Mapping[str, Any]]) -> list[str]:
    body = [
        [row[title], percent(row["probability"], 2), _points(row["stderr"])] for row in rows if row["probability"] > 0
    ]
    return table([title, "probability", "stderr"], body)


def levels_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Weights of the features in every policy."""
    names = list(rows[0])[2:]
    lines = [f"Weights of features for {rows[0]['n_players']} players, in 1/100,000 pot", ""]
    return lines + table(["feature", *names], [[row["feature"], *(row[name] for name in names)] for row in rows])
