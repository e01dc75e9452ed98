"""What holds for all rows: dependence, monotonicity, bias, robustness. Exact, each with rows that show it."""
