"""Without numbers: regimes, signs and conditions of names that are left free."""
