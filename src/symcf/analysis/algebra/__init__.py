"""Decision functions as objects: combined, compared with conditions, counted, and listed row by row."""
