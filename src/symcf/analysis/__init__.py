"""What holds for all rows, for tables of rows, and between several classifiers."""
