"""Which new values make a change set flip the decision: by sums of weights (`scores`) or along a diagram (`paths`)."""
