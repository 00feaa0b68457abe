"""The papers' experiments, to be run again on webs whose truth is known."""
