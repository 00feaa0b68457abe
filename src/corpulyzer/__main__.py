"""`python -m corpulyzer`."""

from corpulyzer.cli import main

main()
