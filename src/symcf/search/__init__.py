"""Ways to find change sets. All obey one contract and give the same answer."""
