# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unit tests of the generator, on a sample of four functions."""

import sys
import tempfile
import unittest
from pathlib import Path

API = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(API / "gen"))
import headers  # noqa: E402
import names  # noqa: E402
import parse  # noqa: E402
import tables  # noqa: E402
import wrappers  # noqa: E402

DRIVER = """\
# A sample.
header xpu.h
handle XPstream XPstream_st
enum XPresult : xpuError_enum
  XPU_SUCCESS = 0 "no error"
  XPU_ERROR_INVALID_VALUE = 1 "invalid XPU argument"
struct XPpair : XPpair_st
  XPword first;
typedef unsigned long long XPword

function XPresult xpMemcpyHtoD_v2(XPword dst, const void *src, size_t bytes)
  "Copies."
  public xpMemcpyHtoD
  twin ptds 7000
  since 2000 3020
function XPresult xpOld(int a)
  older
  since 1000
"""
RUNTIME = """\
header xpu_runtime_api.h
enum xpuError
  xpuSuccess = 0 "no error"
function xpuError_t xpuStreamQuery(xpuStream_t stream, unsigned int flags = 0)
  twin ptsz
function const char *xpuGetErrorName(xpuError_t error)
  spelled
"""


def sample(driver=DRIVER, runtime=RUNTIME):
    with tempfile.TemporaryDirectory() as folder:
        for api, text in (("driver", driver), ("runtime", runtime)):
            (Path(folder) / api).mkdir()
            (Path(folder) / api / "sample.api").write_text(text)
        return parse.parse_tree(folder)


def spellers():
    return {s: names.Speller(API / "spellings.txt", s) for s in names.SPELLINGS}


class Parsing(unittest.TestCase):
    def test_function(self):
        f = next(r for r in sample() if r.name == "xpMemcpyHtoD_v2")
        self.assertEqual([p.type for p in f.parameters], ["XPword", "const void *", "size_t"])
        self.assertEqual((f.doc, f.twin, f.since, f.public), ("Copies.", "ptds", [2000, 3020], {"cuda": "xpMemcpyHtoD", "musa": "xpMemcpyHtoD"}))

    def test_default_argument(self):
        f = next(r for r in sample() if r.name == "xpuStreamQuery")
        self.assertEqual((f.parameters[1].text, f.parameters[1].default), ("unsigned int flags", "0"))

    def test_errors_name_the_place(self):
        for text, message in (
            ("header h\nfunction int f(int)\n", "sample.api:2: cannot read the parameter 'int'"),
            ("header h\nfunction int f(int a)\n  thin\n", "sample.api:3: unknown attribute 'thin'"),
            ("widget w\n", "sample.api:1: unknown kind 'widget'"),
            ("header h\nstruct s\n  int a;\n  };\n", "sample.api:2: the braces of 's' do not match"),
            ("handle a b\n", "no header line"),
            ("header h\nhandle a b\nhandle a c\n", "sample.api:3: 'a' is already defined at"),
        ):
            with self.assertRaisesRegex(parse.RecordError, message):
                sample(driver=text)


class Names(unittest.TestCase):
    def test_spelling(self):
        text = 'xpuMalloc XPU_SUCCESS xpInit XPstream XP_STREAM_DEFAULT Xpurt wide_uint32 expu #include "driver_types.h"'
        self.assertEqual(spellers()["cuda"].text(text), 'cudaMalloc CUDA_SUCCESS cuInit CUstream CU_STREAM_DEFAULT Cudart cuuint32_t ecuda #include "driver_types.h"')
        self.assertEqual(spellers()["musa"].text(text), 'musaMalloc MUSA_SUCCESS muInit MUstream MU_STREAM_DEFAULT Musart muuint32_t emusa #include "musa_driver_types.h"')

    def test_snake(self):
        for name, expected in {"MemcpyHtoDAsync": "memcpy_htod_async", "MemsetD2D8": "memset_d2d8", "IpcGetMemHandle": "ipc_get_mem_handle",
                               "Memcpy3DPeer": "memcpy3d_peer", "CtxCreate_v2": "ctx_create_v2", "DeviceGetPCIBusId": "device_get_pci_bus_id"}.items():
            self.assertEqual(names.snake(name), expected)

    def test_member(self):
        fs = {r.name: names.member(r) for r in sample() if r.kind == "function"}
        self.assertEqual(fs, {"xpMemcpyHtoD_v2": "MemcpyHtoD", "xpOld": "Old_v1", "xpuStreamQuery": "StreamQuery", "xpuGetErrorName": "GetErrorName"})


class Headers(unittest.TestCase):
    def text(self, spelling):
        return headers.header_text("//@types\n//@functions\n", "xpu.h", sample(), spelling, spellers()[spelling])

    def test_types_stand_before_their_use(self):
        text = self.text("cuda")
        self.assertLess(text.index("typedef unsigned long long CUword;"), text.index("typedef struct CUpair_st {"))

    def test_versioned_names(self):
        self.assertIn('cuMemcpyHtoD_v2(CUword dst, const void *src, size_t bytes) __CUDA_TWIN("cuMemcpyHtoD_v2_ptds");\n#define cuMemcpyHtoD cuMemcpyHtoD_v2', self.text("cuda"))
        self.assertIn('muMemcpyHtoD(MUword dst, const void *src, size_t bytes) __MUSA_VERSION_TWIN("muMemcpyHtoD_v2", "muMemcpyHtoD_v2_ptds");', self.text("musa"))

    def test_pointers(self):
        text = headers.pointers_text(sample(), "xpuTypedefs.h")
        self.assertIn("typedef XPresult (XPUAPI *PFN_xpMemcpyHtoD_v2000)(XPword dst, const void *src, size_t bytes);", text)
        self.assertIn("#define PFN_xpMemcpyHtoD __XPU_POINTER(PFN_xpMemcpyHtoD_v3020, PFN_xpMemcpyHtoD_v7000_ptds)", text)

    def test_older_versions_are_not_declared(self):
        self.assertNotIn("cuOld", self.text("cuda"))

    def test_no_cuda_in_musa(self):
        self.assertNotRegex(self.text("musa"), r"(?i)cuda|\bcu[A-Z]")


class Wrappers(unittest.TestCase):
    def test_driver_table(self):
        self.assertIn("CUresult (*MemcpyHtoD)(CUword dst, const void *src, size_t bytes);", wrappers.driver_table(sample(), spellers()["cuda"].text))

    def test_implementations(self):
        text = wrappers.implementation_declarations(sample(), "driver", "cpu", spellers()["cuda"].text)
        self.assertIn("Result<void> memcpy_htod(CUword dst, const void *src, size_t bytes);", text)

    def test_table_reports_what_is_missing(self):
        text = wrappers.table_source(sample(), "null", spellers()["cuda"].text)
        self.assertIn('if (!null::memcpy_htod) return missing("cuMemcpyHtoD_v2");', text)
        self.assertIn('return driver_result("cuMemcpyHtoD_v2", null::memcpy_htod(dst, src, bytes));', text)

    def test_entry(self):
        rs = sample()
        text = wrappers.entry_source(rs, "runtime", "sample", wrappers.claimed_symbols(rs), spellers())
        self.assertIn('if (!hel::rt::stream_query) return not_implemented_runtime("cudaStreamQuery");', text)
        self.assertIn('HEL_ALIAS(cudaStreamQuery, "cudaStreamQuery", "musaStreamQuery")', text)
        self.assertIn('__asm__("cudaStreamQuery_ptsz")', text)
        self.assertIn('"musaStreamQuery_ptsz")', text)
        self.assertNotIn("GetErrorName", text)


class Tables(unittest.TestCase):
    def test_exports(self):
        both = {n for s in ("cu", "mu") for n in (s + "MemcpyHtoD_v2", s + "MemcpyHtoD", s + "MemcpyHtoD_v2_ptds", s + "MemcpyHtoD_ptds", s + "Old")}
        both |= {n for s in ("cuda", "musa") for n in (s + "StreamQuery", s + "StreamQuery_ptsz", s + "GetErrorName")}
        self.assertEqual(set(tables.exported(sample(), spellers())), both)

    def test_error_names_in_both_spellings(self):
        text = tables.error_source(sample(), spellers())
        self.assertIn('{1, "CUDA_ERROR_INVALID_VALUE", "invalid CUDA argument"}', text)
        self.assertIn('{1, "MUSA_ERROR_INVALID_VALUE", "invalid MUSA argument"}', text)

    def test_results_are_shown(self):
        handles = {"XPstream"}
        for text, expected in {"XPstream *out": True, "const int *in": False, "void **args": False, "void **p": True, "void *p": False, "XPpair *p": False}.items():
            self.assertEqual(wrappers.is_result(parse.parse_parameter(text), handles), expected, text)

    def test_deterministic(self):
        once = wrappers.all_sources(sample(), spellers()) | tables.all_tables(sample(), spellers(), [])
        again = wrappers.all_sources(sample(), spellers()) | tables.all_tables(sample(), spellers(), [])
        self.assertEqual(once, again)


if __name__ == "__main__":
    unittest.main()
