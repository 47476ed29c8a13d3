"""Rankings, classes of equal hands, and the evaluation of hands."""

from guts_sim.hands.classes import (
    HandClass,
    class_categories,
    class_frequencies,
    class_index,
    class_names,
    guts_table,
    hand_classes,
)
from guts_sim.hands.evaluation import describe_hand, hand_category, hand_class, rank_hands
from guts_sim.hands.rankings import Ranking, default_ranking, get_ranking, guts3_ranking, ranking_names

__all__ = [
    "HandClass",
    "Ranking",
    "class_categories",
    "class_frequencies",
    "class_index",
    "class_names",
    "default_ranking",
    "describe_hand",
    "get_ranking",
    "guts3_ranking",
    "guts_table",
    "hand_category",
    "hand_class",
    "hand_classes",
    "rank_hands",
    "ranking_names",
]
