"""What solving stands on: places and stretches of numbers, programs of steps, budgets."""
