"""What was asked for: the settings file, its presets, and the settings as one value."""
