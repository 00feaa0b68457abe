"""The parts that are compiled, if they can be: where there is no C compiler, the same runs in Python."""

from setuptools import Extension, setup

NAMES = (
    "_edges",
    "_scan",
    "extract/_walk",
    "extract/_features",
    "extract/_network",
    "extract/_links",
    "identify/_score",
)

setup(
    ext_modules=[
        Extension(f"corpulyzer.{name.replace('/', '.')}", [f"src/corpulyzer/{name}.c"], optional=True)
        for name in NAMES
    ]
)
