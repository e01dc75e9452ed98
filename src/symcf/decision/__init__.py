"""A rule prepared for use: which class a row gets, over groups of values that make no difference."""
