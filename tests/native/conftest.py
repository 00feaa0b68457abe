"""What tests of compiled code share with the fuzz of `make sanitize`."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
