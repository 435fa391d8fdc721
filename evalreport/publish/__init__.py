"""From a book to a site of immutable versions."""
