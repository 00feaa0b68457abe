"""Corpora made for these tests, importable by the processes that engines start."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
