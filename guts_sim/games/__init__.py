"""Rules and game trees of the games that are not Guts."""
