"""The part that is compiled, if it can be: where there is no C compiler, the same runs in Python."""

from glob import glob

from setuptools import Extension, setup

FOLDER = "src/corpulyzer/native"

setup(
    ext_modules=[
        Extension(
            "corpulyzer.native._compiled",
            sorted(glob(f"{FOLDER}/*.c")),
            depends=sorted(glob(f"{FOLDER}/*.h")),
            optional=True,
        )
    ]
)
