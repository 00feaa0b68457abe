"""Pages that hurt their worker, importable by the processes that engines start."""

import ctypes
from dataclasses import dataclass

from corpulyzer.page.maps import ProcessPages


@dataclass(frozen=True, slots=True)
class HurtfulPages(ProcessPages):
    """Does to its worker what the end of a page's address says."""

    def _run(self, stages, page):
        if page.url.endswith("/crash"):
            ctypes.string_at(0)
        if page.url.endswith("/raise"):
            raise ValueError("a page that cannot be worked on")
        while page.url.endswith("/hang"):
            pass
        return super(HurtfulPages, self)._run(stages, page)
