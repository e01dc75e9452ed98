"""Long jobs over many files: how work is split, and the directory that says what is done. No engine is used here."""
