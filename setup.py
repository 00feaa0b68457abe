"""The parts that are compiled, if they can be: where there is no C compiler, the same runs in Python."""

from setuptools import Extension, setup

NAMES = (
    *("_columns", "_edges", "_record", "_scan", "identify/_score", "identify/_told"),
    *("extract/_walk", "extract/_content", "extract/_links"),
)
HEADERS = {
    "_columns": ["src/corpulyzer/_buffers.h"],
    "_edges": [f"src/corpulyzer/{name}.h" for name in ("_ascii", "_buffers", "_canonical")],
    "_scan": ["src/corpulyzer/_canonical.h", "src/corpulyzer/_stable.h"],
    "identify/_score": ["src/corpulyzer/identify/_decide.h"],
    "extract/_content": ["src/corpulyzer/extract/_features.h", "src/corpulyzer/extract/_network.h"],
    "extract/_links": ["src/corpulyzer/_ascii.h"],
    "extract/_walk": ["src/corpulyzer/_stable.h"],
}

setup(
    ext_modules=[
        Extension(
            f"corpulyzer.{name.replace('/', '.')}",
            [f"src/corpulyzer/{name}.c"],
            depends=HEADERS.get(name, []),
            optional=True,
        )
        for name in NAMES
    ]
)
