"""Rule sets in words."""

from typing import Any

from guts_sim.results import Result, counted_result, rule_word
from guts_sim.rules import PROFILES, GutsRules, get_rules
from guts_sim.studies.text import table

COMPARED = ("cards", "nobody_in", "ante", "cap", "reserve", "ante_every_round")


def rule_text(rules: GutsRules) -> list[tuple[str, str]]:
    """Return the rules of a game as (rule number, sentence); the numbers are those of docs/rules.md.

    Examples
    --------
    >>> rule_text(PROFILES["two-card"])[4]
    ('G8', 'Nobody in: the pot stays and cards are dealt again.')
    """
    nobody = "the pot stays and cards are dealt again" if rules.nobody_in == "hold" else "every player antes again"
    ante = "before every round" if rules.ante_every_round else "when a cycle begins"
    return [
        (
            "G1",
            f"52 cards, 2 to 10 players, {rules.cards} cards each, dealt face down from the dealer's left; all cards"
            " are shuffled for every round and the deal passes to the left.",
        ),
        ("G2" if rules.cards == 2 else "G3", _ranking_text(rules)),
        ("G4", "Suits break no ties: tied best hands share the pot equally and none of them pays."),
        ("G5", "All declare in or out at the same time, knowing their own cards only."),
        ("G8", f"Nobody in: {nobody}."),
        ("G9", "One in: that player takes the pot without showing cards and pays nothing."),
        (
            "G10",
            "Several in: the best hand takes the pot; every other player who is in pays its amount, as it stood before,"
            " into the next pot.",
        ),
        ("G11", "The pot is paid out first, then the payments are collected."),
        ("G12", _cap_text(rules)),
        *([("G13", "When no loser pays, the reserve refills the pot up to the cap.")] if rules.reserve else []),
        ("G14", f"Every player antes {rules.ante} {ante}; a cycle ends when pot and reserve are empty."),
    ]


def _ranking_text(rules: GutsRules) -> str:
    if rules.cards == 2:
        return (
            "Any pair beats any hand without a pair; pairs go by rank, other hands by the higher card, then the lower."
            " 91 classes."
        )
    ranking = rules.ranking
    order = " > ".join(reversed(ranking.categories))
    straights = " A-K-Q is the highest straight, 3-2-A the lowest." if rules.straights_flushes else ""
    return f"{order}.{straights} {ranking.n_classes} classes."


def _cap_text(rules: GutsRules) -> str:
    if rules.cap is None:
        return "The pot has no cap."
    if rules.reserve:
        return f"The next pot is at most {rules.cap}; what exceeds it goes to the reserve."
    return f"The next pot is at most {rules.cap}; beyond that the losers' payments shrink equally."


def list_rules() -> Result:
    """List the ready profiles with their main switches.

    Returns
    -------
    Result
        ``rows`` has one row per profile.

    Examples
    --------
    >>> [row["profile"] for row in list_rules().rows]
    ['two-card', 'home']
    """
    rows = [{"profile": name} | {s: getattr(rules, s) for s in COMPARED} for name, rules in PROFILES.items()]
    cells = [["none" if value is None else rule_word(value) for value in row.values()] for row in rows]
    lines = [*table(["profile", *COMPARED], cells), "", "home is played with 2 or 3 cards (--cards 3)."]
    return counted_result("rules", rules={}, parameters={}, results={"rows": rows}, rows=rows, lines=lines)


def show_rules(rules: str | GutsRules = "two-card", **switches: Any) -> Result:
    """Write out a complete rule set.

    Parameters
    ----------
    rules : str or GutsRules
        A profile name or a rule set.
    **switches
        Rule switches to change.

    Returns
    -------
    Result
        ``results`` maps each switch to its value; ``rows`` are (rule, text).

    Raises
    ------
    InputError
        Unknown profile or switch, or switches that do not fit together.

    Examples
    --------
    >>> show_rules("home", cap=50).results["text"]["G12"]
    "The next pot is at most 50; beyond that the losers' payments shrink equally."
    """
    chosen = get_rules(rules, **switches)
    rows = [{"rule": number, "text": text} for number, text in rule_text(chosen)]
    lines = [f"Guts, profile {chosen.profile}", ""]
    lines += [f"{row['rule']:<4} {row['text']}" for row in rows]
    text = {row["rule"]: row["text"] for row in rows}
    return counted_result(
        "rules show", rules=chosen.as_dict(), parameters={}, results={"text": text}, rows=rows, lines=lines
    )
