"""Is a certificate true? With nothing but Python's standard library: no engine, no extension, no numpy.

`check` reads the certificate (`form`), evaluates its rule (`rules`, `trees`, `reach`), and goes through its argument of
completeness: lists that are each other's hitting sets (`hitting`), a search in sums (`sums`), or a clausal proof
(`clauses`, `proof`).
"""
