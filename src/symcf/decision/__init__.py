"""A rule made ready to be asked: which class a row gets, over groups of values that make no difference."""
