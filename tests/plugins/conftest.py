"""What the tests of plug-ins share can be imported."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
