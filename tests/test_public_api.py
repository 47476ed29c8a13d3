"""The public names: complete, documented, and with examples that run."""

import doctest
import importlib
import inspect
import pkgutil
import typing

import pytest

import guts_sim
from guts_sim.errors import InputError

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(guts_sim.__path__, "guts_sim.") if "__main__" not in module.name
)
FUNCTIONS = sorted(name for name in guts_sim.__all__ if inspect.isfunction(getattr(guts_sim, name)))
CLASSES = sorted(name for name in guts_sim.__all__ if inspect.isclass(getattr(guts_sim, name)))
METHODS = sorted(
    f"{name}.{member}"
    for name in CLASSES
    for member, value in vars(getattr(guts_sim, name)).items()
    if not member.startswith("_") and (inspect.isroutine(value) or isinstance(value, property))
)


# Modules besides the package that have a page of the reference.
PAGES = ("guts_sim.passing", "guts_sim.games.anaconda", "guts_sim.games.anaconda_strategy")
ON_PAGES = sorted(
    f"{page}.{name}"
    for page in PAGES
    for name in importlib.import_module(page).__all__
    if callable(getattr(importlib.import_module(page), name))
)


def described(text, title):
    """What a section of a numpydoc docstring describes: {name: what is said of it, type first}."""
    lines = text.partition(f"{title}\n{'-' * len(title)}\n")[2].splitlines()
    ends = [at for at, line in enumerate(lines) if line and set(line) == {"-"}]
    items, names = {}, []
    for line in lines[: ends[0] - 1] if ends else lines:
        if line and not line.startswith(" "):
            heading, _, kind = line.partition(" : ")
            names = [name.strip(" *") for name in heading.split(",")]
            items |= dict.fromkeys(names, kind)
        else:
            items |= {name: f"{items[name]} {line.strip()}" for name in names}
    return items


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    module = importlib.import_module(name)
    found = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL)
    assert found.failed == 0


def test_examples_of_the_package_run():
    assert doctest.testmod(guts_sim).failed == 0


def test_the_list_of_public_names_is_complete():
    assert guts_sim.__all__ == sorted(
        set(guts_sim.__all__), key=lambda name: (not name.isupper(), not name[0].isupper(), name)
    )
    lazy = set(guts_sim._MODULE_OF)
    assert set(guts_sim.__all__) == lazy | {"__version__"}
    assert set(guts_sim.__all__) <= set(dir(guts_sim))
    for name in guts_sim.__all__:
        assert getattr(guts_sim, name) is not None


def test_checkers_of_types_see_the_same_names_as_users():
    source = inspect.getsource(guts_sim)
    for_checkers = source.partition("if TYPE_CHECKING:")[2].partition("_HOME")[0]
    for module, names in guts_sim._HOME.items():
        assert f"from {module} import" in for_checkers
        for name in names:
            assert name in for_checkers


def test_there_is_no_other_name():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        guts_sim.nonsense  # noqa: B018


@pytest.mark.parametrize("name", FUNCTIONS)
def test_public_functions_are_documented(name):
    function = getattr(guts_sim, name)
    text = inspect.getdoc(function)
    signature = inspect.signature(function)
    assert "Examples\n--------" in text
    assert ">>>" in text
    check_parameters_and_returns(text, signature)
    assert "Raises\n------" in text or not signature.parameters


@pytest.mark.parametrize("name", ON_PAGES)
def test_other_modules_of_the_reference_are_documented(name):
    page, _, member = name.rpartition(".")
    function = getattr(importlib.import_module(page), member)
    if inspect.isclass(function):
        assert set(described(inspect.getdoc(function), "Attributes")) == set(inspect.get_annotations(function))
    else:
        check_parameters_and_returns(inspect.getdoc(function), inspect.signature(function))


def check_parameters_and_returns(text, signature):
    parameters = described(text, "Parameters")
    assert set(parameters) == set(signature.parameters) - {"self"}
    for parameter, said in parameters.items():
        kind = signature.parameters[parameter].kind
        refers = said.strip().startswith(("See ", "As for "))
        has_type = said.partition(" ")[0] != "" or kind is inspect.Parameter.VAR_KEYWORD
        assert refers or has_type, f"{parameter} has no type"
    if signature.return_annotation not in (None, "None"):
        assert "Returns\n-------" in text


@pytest.mark.parametrize("name", CLASSES)
def test_public_classes_are_documented(name):
    kind = getattr(guts_sim, name)
    text = inspect.getdoc(kind)
    own = {field for field in inspect.get_annotations(kind) if not field.startswith("_") and field != "unit"}
    attributes = described(text, "Attributes")
    assert set(attributes) == own
    for attribute, said in attributes.items():
        assert not said.startswith(" "), f"{attribute} has no type"


@pytest.mark.parametrize("name", METHODS)
def test_public_methods_are_documented(name):
    kind, _, member = name.partition(".")
    method = inspect.getattr_static(getattr(guts_sim, kind), member)
    assert inspect.getdoc(method)
    if not isinstance(method, property):
        method = getattr(getattr(guts_sim, kind), member)
        check_parameters_and_returns(inspect.getdoc(method), inspect.signature(method))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_public_functions_are_typed(name):
    function = getattr(guts_sim, name)
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty
    assert all(p.annotation is not inspect.Parameter.empty for p in signature.parameters.values())


def test_bad_input_is_a_value_error():
    assert issubclass(InputError, ValueError)
    assert typing.cast(type, guts_sim.InputError) is InputError


@pytest.mark.parametrize(
    "call",
    [
        lambda: guts_sim.threshold("5"),
        lambda: guts_sim.threshold(True),
        lambda: guts_sim.threshold(5, seed=-1),
        lambda: guts_sim.threshold(5, seed=1.5),
        lambda: guts_sim.threshold(5, seed="7"),
        lambda: guts_sim.threshold(5, confidence=1),
        lambda: guts_sim.threshold(5, confidence=float("nan")),
        lambda: guts_sim.threshold(5, method="mc", deals=0),
        lambda: guts_sim.threshold(5, cards=4),
        lambda: guts_sim.threshold(5, nonsense=4),
        lambda: guts_sim.threshold(5, rules=3),
        lambda: guts_sim.threshold(18),
        lambda: guts_sim.odds("As As"),
        lambda: guts_sim.odds("As Kd", cards=3),
        lambda: guts_sim.odds("As Kd", n_players=1),
        lambda: guts_sim.deal(10, 18, 3),
        lambda: guts_sim.deal(10, 27, 2),
        lambda: guts_sim.deal(10, 8, 7),
        lambda: guts_sim.deal(-1, 2, 2),
        lambda: guts_sim.rank_hand("As Kd"),
        lambda: guts_sim.compare_hands([]),
        lambda: guts_sim.get_rules("nonsense"),
    ],
)
def test_bad_input_is_refused_in_one_line(call):
    with pytest.raises(InputError) as caught:
        call()
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(("n_players", "hand_size"), [(17, 3), (26, 2), (7, 7), (52, 1)])
def test_a_full_deck_can_be_dealt(n_players, hand_size):
    assert guts_sim.deal(3, n_players, hand_size, seed=1).shape == (3, n_players, hand_size)


def test_whatever_may_take_long_answers_ctrl_c():
    """Every function that simulates or solves runs on a thread that the main thread need not wait for."""
    run_options = {"seed", "workers", "progress"}
    functions = [getattr(guts_sim, name) for name in guts_sim.__all__]
    long = [
        one for one in functions if inspect.isfunction(one) and run_options & set(inspect.signature(one).parameters)
    ]
    assert len(long) > 20
    assert [one.__name__ for one in long if not hasattr(one, "__wrapped__")] == []
