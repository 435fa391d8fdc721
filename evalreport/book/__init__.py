"""From pages to a book: notebooks, the Sphinx extension, the build and its gates."""
