"""Solving: the certain numbers, the closed form behind them, and the reason where there is none."""
