"""How likely rows are among data: cells of values, a tree of columns, and log-likelihoods in integers."""
