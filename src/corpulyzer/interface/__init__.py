"""The texts of the interface in the languages of its readers."""
