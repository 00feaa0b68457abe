"""The verbs of a corpus, one module each: what a command, a method and a button of the same name all call."""
