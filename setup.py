"""The one part that is compiled, if it can be: where there is no C compiler, the same walk runs in Python."""

from setuptools import Extension, setup

WALK = Extension("corpulyzer.extract._walk", ["src/corpulyzer/extract/_walk.c"], optional=True)

setup(ext_modules=[WALK])
