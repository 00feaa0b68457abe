"""One page becomes one document: the stages that it goes through, and their settings."""
