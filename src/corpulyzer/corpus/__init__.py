"""The corpus folder: its settings, archives, tables, documents and rounds."""
