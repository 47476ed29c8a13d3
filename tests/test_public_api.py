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
    if signature.parameters:
        assert "Parameters\n----------" in text
        for parameter in signature.parameters:
            assert parameter in text, f"{name}: {parameter} is not described"
    if signature.return_annotation not in (None, "None"):
        assert "Returns\n-------" in text
    assert "Raises\n------" in text or not signature.parameters


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
