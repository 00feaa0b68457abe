"""The parts that are compiled, if they can be: where there is no C compiler, the same runs in Python."""

from setuptools import Extension, setup

NAMES = ("_walk", "_features", "_network", "_links")

setup(
    ext_modules=[
        Extension(f"corpulyzer.extract.{name}", [f"src/corpulyzer/extract/{name}.c"], optional=True)
        for name in NAMES
    ]
)
