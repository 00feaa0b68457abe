"""What tests of the corpus folder share with those of duplicates: documents that are given."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "dedup"))
