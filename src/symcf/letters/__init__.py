"""Letters: one page for one person, from plain facts (`facts`), in the words of one file per language (`wording`)."""
