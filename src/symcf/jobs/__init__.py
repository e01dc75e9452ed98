"""Long jobs over many files: how work is split, and the directory that says what is done. They know no engine."""
