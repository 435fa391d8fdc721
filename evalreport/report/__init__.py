"""From results to what stands on a page: tables, figures, audit lines, metadata, citations."""
