"""The private evaluator: one for the baseline, the target and every control."""
