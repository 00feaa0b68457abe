"""How the models of languages are made."""
