"""Answers: explanations of one row, batches of many, and how people and programs read them."""
