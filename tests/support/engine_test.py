# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lit format of our tests (a module of its own, because lit hands it to its worker processes)."""

import lit.formats


class EngineTest(lit.formats.ShTest):
    """A shell test that is left out of the further engines' suites unless it runs a program (%run)."""

    def __init__(self, host_only):
        super().__init__(execute_external=False)
        self.host_only = host_only

    def getTestsInDirectory(self, suite, path_in_suite, litConfig, localConfig):
        for test in super().getTestsInDirectory(suite, path_in_suite, litConfig, localConfig):
            with open(test.getSourcePath(), errors="replace") as source:
                if self.host_only or "%run" in source.read():
                    yield test
