"""A solution as a formula: the active regime, turned over for the unknown."""
