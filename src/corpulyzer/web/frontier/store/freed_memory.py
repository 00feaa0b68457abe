"""Memory that the process has freed and will need again in a moment."""

from __future__ import annotations

import ctypes

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # the numbers of glibc's `mallopt`
KEPT_BYTES = 128 << 20


def keep_freed_memory() -> None:
    """Let the process keep up to 128 MB of what it frees, where the C library can be told so.

    Columns of a front are a megabyte each, and glibc gives as much back at once. To get it anew, page by
    page, took a third of the time of a fit with many rows.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # the C library is another
        return
    mallopt(TRIM_THRESHOLD, KEPT_BYTES)
    mallopt(MMAP_THRESHOLD, KEPT_BYTES // 4)
