"""Questions: targets, constraints, costs and relations between features, checked and resolved to codes."""
