"""Text of our own for tests: prose of the demo in seven languages, and a language that nobody speaks."""

import tracemalloc
from random import Random

import pytest

from corpulyzer.lab.demo.prose import Prose


@pytest.fixture(scope="session")
def prose():
    """A function from a code to paragraphs of that language."""

    def paragraphs(code, count=12, sentences=4):
        rng = Random(5)
        return [Prose(code).paragraph(rng, sentences) for _ in range(count)]

    return paragraphs


@pytest.fixture(scope="session")
def invented():
    """Sentences of a language that nobody speaks, always the same."""

    def sentences(count, seed=3, length=9):
        rng = Random(seed)
        roots = [
            "".join(rng.choice("kxqzwvj") + rng.choice("aeouy") for _ in range(rng.randint(1, 3)))
            for _ in range(300)
        ]
        endings = ["", "ok", "uxa", "ewi", "yq"]
        drawn = Random(count)
        return [
            " ".join(drawn.choice(roots) + drawn.choice(endings) for _ in range(length)).capitalize() + "."
            for _ in range(count)
        ]

    return sentences


@pytest.fixture
def grown():
    """A function from some work to the bytes that stay when it is done again."""

    def measure(work):
        work()
        tracemalloc.start()
        try:
            work()
            before = tracemalloc.get_traced_memory()[0]
            work()
            return tracemalloc.get_traced_memory()[0] - before
        finally:
            tracemalloc.stop()

    return measure
