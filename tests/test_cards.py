import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guts_sim.cards import RANKS, SUITS, format_card, format_cards, parse_card, parse_cards, parse_ranks
from guts_sim.errors import InputError

ACE_OF_SPADES = 51


def refusal(*args, **kwargs):
    with pytest.raises(InputError) as caught:
        parse_cards(*args, **kwargs)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert message.isprintable()
    return message


def test_codes_are_four_times_rank_plus_suit():
    codes = [parse_card(rank + suit) for rank in RANKS for suit in SUITS]
    assert codes == list(range(52))


@pytest.mark.parametrize("text", ["10h", "Th", "th", "tH", "TH", "10H", "T♥", "10♥", "t♥\ufe0f", "T♥\ufe0e", "T♡"])
def test_spellings_of_the_ten_of_hearts(text):
    assert parse_card(text) == 4 * 8 + 2


@pytest.mark.parametrize(
    "text", ["As Kd Th", "as,kd,10h", "AsKd10h", " As,  Kd ,Th\n", "A♠K♦T♥", "A♠\ufe0f K♦\ufe0f 10♥\ufe0f"]
)
def test_separators_may_be_blanks_commas_or_nothing(text):
    assert parse_cards(text) == (51, 45, 34)


@pytest.mark.parametrize(
    "items", [["As", "Kd"], ("As", 45), [51, 45], np.array([51, 45], dtype=np.uint8), iter(["As", "Kd"])]
)
def test_sequences_of_text_or_codes(items):
    assert parse_cards(items) == (51, 45)


@given(st.permutations(range(52)), st.sampled_from([" ", ",", "", ", "]))
def test_text_survives_a_round_trip(cards, separator):
    assert parse_cards(format_cards(cards, separator)) == tuple(cards)


@pytest.mark.parametrize(
    "text",
    ["Xh", "1h", "110h", "A", "10", "A10h", "sA", "♠A", "As-Kd", "AsK", "Ax", "A s", "0h", "Ashes", "the", "nothing"],
)
def test_anything_else_is_refused_with_the_syntax(text):
    message = refusal(text)
    assert "not understood" in message
    assert "2-9 T J Q K A (or 10)" in message
    assert "c d h s" in message


def test_cards_are_not_found_inside_sentences():
    refusal("(nothing dealt yet)")
    refusal("the ace As")


@pytest.mark.parametrize(
    ("text", "code_point"),
    [
        ("6\u0441 Tc 9h", "U+0441 CYRILLIC SMALL LETTER ES"),
        ("\uff21\uff53", "U+FF21 FULLWIDTH LATIN CAPITAL LETTER A"),
        ("As\u00a0Kd", "U+00A0 NO-BREAK SPACE"),
        ("As\u200bKd", "U+200B ZERO WIDTH SPACE"),
        ("\u0410s", "U+0410 CYRILLIC CAPITAL LETTER A"),
        ("\u212ad", "U+212A KELVIN SIGN"),
        ("A\u017f", "U+017F LATIN SMALL LETTER LONG S"),
        ("As\ufe0f", "U+FE0F VARIATION SELECTOR-16"),
        ("A\x07", "U+0007"),
    ],
)
def test_look_alikes_and_invisible_signs_are_named(text, code_point):
    assert code_point in refusal(text)


@pytest.mark.parametrize("cards", ["JcJc", "7h 7h", "Th 10h", ["As", 51], [3, 3]])
def test_a_repeated_card_is_named(cards):
    assert "appears twice" in refusal(cards)


def test_the_repeated_card_is_the_one_named():
    assert "card 7h appears twice" in refusal("As 7h Kd 7♥")


@pytest.mark.parametrize("text", ["", "As Kd", "As Kd Qc Jh", "As Kd Qc Jh Ts 9s"])
def test_a_wrong_count_names_the_wanted_one(text):
    assert "expected 3 cards" in refusal(text, count=3)


def test_several_counts_may_be_allowed():
    assert len(parse_cards("2c3c4c5c6c7c", count={5, 6, 7})) == 6
    message = refusal("As Kd Qc Jh", count=(7, 5, 6))
    assert "expected 5, 6 or 7 cards, got 4" in message
    assert "expected 1 card, got 2" in refusal("As Kd", count=1)


@pytest.mark.parametrize("items", [[52], [-1], [True], [1.0], [None], ["As Kd"], [[1, 2]], b"As", 5, None])
def test_things_that_are_no_cards(items):
    refusal(items)


def test_long_nonsense_is_shortened():
    assert len(refusal("z" * 10_000)) < 200


def test_formatting_refuses_other_codes():
    assert format_card(ACE_OF_SPADES) == "As"
    assert format_cards(np.array([0, 51])) == "2c As"
    with pytest.raises(InputError, match=r"outside 0\.\.51"):
        format_card(52)


@pytest.mark.parametrize("text", ["K 9 4", "k,9,4", "K94"])
def test_ranks_without_suits(text):
    assert parse_ranks(text) == (11, 7, 2)


def test_ranks_may_repeat_up_to_four_times():
    assert parse_ranks("A A 10 T") == (12, 12, 8, 8)
    with pytest.raises(InputError, match="5 times"):
        parse_ranks("AAAAA")
    with pytest.raises(InputError, match="rank 'X' not understood"):
        parse_ranks("K X")
