"""What the library holds: shelves with key figures, and a card for each thing on them."""

from costlang.library.cards import Card, Entry, cards_of, cards_of_file
from costlang.library.figures import FIGURES, Figure
from costlang.library.listing import Listing, Row, listing
from costlang.library.shelves import SHELVES, near
from costlang.library.worth import Worth

__all__ = [
    "FIGURES",
    "SHELVES",
    "Card",
    "Entry",
    "Figure",
    "Listing",
    "Row",
    "Worth",
    "cards_of",
    "cards_of_file",
    "listing",
    "near",
]
