"""Commands of the lab: the demo, evaluations, experiments."""
