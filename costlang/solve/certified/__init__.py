"""With numbers: where a formula is above, at or below zero, certified."""
