"""The parts that are compiled, if they can be: where there is no C compiler, the same runs in Python."""

from setuptools import Extension, setup

NAMES = (
    *("native/_columns", "native/_edges", "native/_record", "native/_scan", "native/_score", "native/_told"),
    *("native/_walk", "native/_content", "native/_links"),
)
HEADERS = {
    "native/_columns": ["src/corpulyzer/native/_buffers.h"],
    "native/_edges": [f"src/corpulyzer/{name}.h" for name in ("native/_ascii", "native/_buffers", "native/_canonical")],
    "native/_scan": ["src/corpulyzer/native/_canonical.h", "src/corpulyzer/native/_stable.h"],
    "native/_score": ["src/corpulyzer/native/_decide.h"],
    "native/_content": ["src/corpulyzer/native/_features.h", "src/corpulyzer/native/_network.h"],
    "native/_links": ["src/corpulyzer/native/_ascii.h"],
    "native/_walk": ["src/corpulyzer/native/_stable.h"],
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
