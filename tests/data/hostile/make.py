#!/usr/bin/python3
"""make.py - writes the .npy / .npz / .safetensors corner cases and verdicts.json.

    python3 make.py OUTDIR

verdict: accept = must load with exactly expect.dtype/shape/values (values as float64);
         reject = must stop with a clear one-line error naming the file and the cause,
                  without crash, hang, big allocation, or running anything from the file;
         either = both are fine, but never a wrong value.
"numpy" is what np.load(allow_pickle=False) of the NumPy used says (informational).
"""
import io, json, math, os, re, struct, sys, warnings, zipfile, zlib
import numpy as np

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
os.makedirs(OUT, exist_ok=True)
V = []


def num(x):
    x = float(x)
    return repr(x) if not math.isfinite(x) else x


def put(name, data, verdict, why, arrays=None):
    """arrays: {member or '' : (dtype, shape, values)} for files that may load; the prefix says the verdict"""
    if verdict == "either" and name.startswith("ok_"):
        name = "either_" + name[3:]
    assert name.split("_")[0] == {"accept": "ok", "reject": "bad", "either": "either"}[verdict] or name.startswith("bomb_"), name
    with open(os.path.join(OUT, name), "wb") as f:
        f.write(data)
    e = None
    if arrays is not None:
        e = {k: dict(dtype=t, shape=list(s), values=[num(x) for x in np.asarray(v, dtype=object).ravel()])
             for k, (t, s, v) in arrays.items()}
    numpy_says = None
    if not name.endswith(".safetensors"):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with np.load(os.path.join(OUT, name)) if name.endswith(".npz") else io.BytesIO() as z:
                    if name.endswith(".npz"):
                        if not hasattr(z, "files"):
                            numpy_says = "loaded as npy"
                        else:
                            numpy_says = "ok " + ", ".join(f"{k}:{z[k].dtype.str}{z[k].shape}" if hasattr(z[k], "dtype") else f"{k}:raw bytes" for k in z.files[:4])
                    else:
                        a = np.load(os.path.join(OUT, name))
                        numpy_says = f"ok {a.dtype.str if a.dtype.names is None else 'structured'} {a.shape}"
        except MemoryError as x:
            numpy_says = "MemoryError " + str(x)[:70]
        except BaseException as x:
            numpy_says = type(x).__name__ + ": " + str(x).split("\n")[0][:90]
    if numpy_says:
        numpy_says = re.sub(r"0x[0-9a-f]{6,}", "0x..", numpy_says.replace(OUT, "."))
    V.append(dict(file=name, verdict=verdict, why=why, expect=e, numpy=numpy_says))


def npy(header, data, ver=(1, 0), align=64, hlen=None, nl=b"\n", pad=True):
    h = header.encode("utf-8" if ver >= (3, 0) else "latin1") if isinstance(header, str) else header
    pre = 10 if ver[0] == 1 else 12
    if pad:
        h += b" " * (-(pre + len(h) + len(nl)) % align)
    h += nl
    n = len(h) if hlen is None else hlen
    return b"\x93NUMPY" + bytes(ver) + (struct.pack("<H", n & 0xffff) if ver[0] == 1 else struct.pack("<I", n & 0xffffffff)) + h + data


def hd(descr, shape, order="False"):
    return "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, order, shape)


def acc(a, t=None, shape=None):
    a = np.asarray(a)
    return {"": (t or a.dtype.str, a.shape if shape is None else shape, a.astype(np.float64))}


A = np.arange(6, dtype=np.float64).reshape(2, 3) / 4 - .5
raw = A.tobytes()
# ------------------------------------------------------------------ good .npy
put("ok_v1_f64.npy", npy(hd("<f8", "(2, 3)"), raw), "accept", "plain version 1.0", acc(A))
put("ok_v2_f64.npy", npy(hd("<f8", "(2, 3)"), raw, (2, 0)), "accept", "version 2.0: 4-byte header length", acc(A))
put("ok_v3_f64.npy", npy(hd("<f8", "(2, 3)"), raw, (3, 0)), "accept", "version 3.0: header is UTF-8", acc(A))
put("ok_fortran_2x3.npy", npy(hd("<f8", "(2, 3)", "True"), A.tobytes("F")), "accept", "fortran_order: data column by column", acc(A))
T3 = np.arange(24.).reshape(2, 3, 4)
put("ok_fortran_3d.npy", npy(hd("<f8", "(2, 3, 4)", "True"), T3.tobytes("F")), "accept", "3-D fortran_order: first index runs fastest", acc(T3))
put("ok_fortran_1d.npy", npy(hd("<f8", "(3,)", "True"), A[0].tobytes()), "accept", "fortran_order True on 1-D changes nothing", acc(A[0]))
put("ok_be_f64.npy", npy(hd(">f8", "(2, 3)"), A.astype(">f8").tobytes()), "accept", "big-endian doubles", acc(A, ">f8"))
put("ok_be_f16_fortran.npy", npy(hd(">f2", "(2, 3)", "True"), A.astype(">f2").tobytes("F")), "accept", "big-endian half and fortran_order together", acc(A, ">f2"))
F = np.array([0., -0., 1., -2.5, np.inf, -np.inf, np.nan, 1e-45, 3.4028234663852886e38, 0.1], np.float32)
put("ok_f32_special.npy", npy(hd("<f4", "(10,)"), F.tobytes()), "accept", "float32 with inf, nan, subnormal, max; 0.1f widens to 0.10000000149011612", acc(F))
H = np.array([0x0000, 0x8000, 0x3c00, 0xc000, 0x7bff, 0x0001, 0x03ff, 0x0400, 0x7c00, 0xfc00, 0x7e00, 0x3555], "<u2").view("<f2")
put("ok_f16_special.npy", npy(hd("<f2", "(12,)"), H.tobytes()), "accept", "float16: max 65504, subnormals 2^-24 and 1023*2^-24, inf, nan, 0.333", acc(H))
D = np.array([np.nan, np.inf, -np.inf, 5e-324, -0.0, 1.7976931348623157e308])
put("ok_f64_special.npy", npy(hd("<f8", "(6,)"), D.tobytes()), "accept", "float64 specials; -0 must keep its sign", acc(D))
for t, vals in (("|i1", [-128, 127, 0]), ("|u1", [0, 255, 1]), ("<i2", [-32768, 32767, 5]), ("<u2", [0, 65535, 7]), (">i4", [-2147483648, 2147483647, 9]),
                ("<i4", [-2147483648, 2147483647, 9]), ("<u4", [0, 4294967295, 9]), ("<i8", [-2**63, 2**53 + 1, 2**63 - 1]), ("<u8", [0, 2**64 - 1, 2**53 + 1])):
    a = np.array(vals, dtype=t)
    put(f"ok_{'be_' if t[0] == '>' else ''}{t[1:]}.npy", npy(hd(t, "(3,)"), a.tobytes()), "accept", "integers; beyond 2^53 rounds to the nearest even double", acc(a))
B = np.array([[True, False], [False, True]])
put("ok_bool.npy", npy(hd("|b1", "(2, 2)"), B.tobytes()), "accept", "bool, one byte each", acc(B))
put("ok_bool_byte2.npy", npy(hd("|b1", "(3,)"), b"\x00\x02\xff"), "either", "bool bytes other than 0/1: any non-zero is true, or an error; never 2 or 255", {"": ("|b1", (3,), [0, 1, 1])})
put("ok_0d.npy", npy(hd("<f8", "()"), struct.pack("<d", 2.5)), "accept", "0-d: shape (), one number", acc(np.array(2.5)))
put("ok_1d_1.npy", npy(hd("<f8", "(1,)"), struct.pack("<d", 2.5)), "accept", "one element with trailing comma", acc(np.array([2.5])))
T4 = (np.arange(2 * 2 * 3 * 3) % 7 / 8.).reshape(2, 2, 3, 3)
put("ok_4d_batch_heads.npy", npy(hd("<f8", "(2, 2, 3, 3)"), T4.tobytes()), "accept", "(batch, heads, n, n)", acc(T4))
put("ok_4d_f16.npy", npy(hd("<f2", "(1, 2, 2, 2)"), np.arange(8).astype("<f2").tobytes()), "accept", "4-D half", acc(np.arange(8.).reshape(1, 2, 2, 2), "<f2"))
for s in ("(0,)", "(0, 3)", "(3, 0)", "(2, 0, 5)"):
    put("ok_empty_%s.npy" % s.strip("()").replace(", ", "x").rstrip(","), npy(hd("<f8", s), b""), "accept", "no elements: load as empty; showing it may say 'empty', never divide by zero", acc(np.zeros(eval(s))))
put("ok_native_eq.npy", npy(hd("=f8", "(2, 3)"), raw), "either", "'=' means the writer's own byte order; NumPy never writes it", acc(A, "=f8"))
put("ok_noorder_f8.npy", npy(hd("f8", "(2, 3)"), raw), "either", "descr without byte order", acc(A, "f8"))
put("ok_unaligned_header.npy", npy(hd("<f8", "(2, 3)"), raw, pad=False), "accept", "header not padded to 64: data starts at an odd offset (memcpy, do not cast)", acc(A))
put("ok_align16.npy", npy(hd("<f8", "(2, 3)"), raw, align=16), "accept", "padding to 16 as old NumPy wrote", acc(A))
put("ok_no_newline.npy", npy(hd("<f8", "(2, 3)"), raw, nl=b"", align=64), "accept", "header without the final newline (NumPy accepts)", acc(A))
put("ok_key_order.npy", npy("{'shape': (2, 3), 'fortran_order': False, 'descr': '<f8'}", raw), "accept", "keys in another order, no trailing comma", acc(A))
put("ok_double_quotes.npy", npy('{"descr": "<f8", "fortran_order": False, "shape": (2, 3), }', raw), "accept", "double quotes are as good as single ones", acc(A))
put("ok_spaces_tabs.npy", npy("{  'descr' :\t'<f8','fortran_order':False ,'shape' : ( 2,3 , ) }", raw), "accept", "odd white space and a trailing comma in the tuple", acc(A))
put("ok_py2_long.npy", npy(hd("<f8", "(2L, 3L)"), raw), "accept", "Python 2 wrote 2L (NumPy accepts in version 1 and 2)", acc(A))
put("ok_header_10000.npy", npy(hd("<f8", "(2, 3)") + " " * 9800, raw), "accept", "almost 10 kB of padding", acc(A))
put("ok_header_60000.npy", npy(hd("<f8", "(2, 3)") + " " * 60000, raw), "either", "60 kB header: NumPy >= 1.24 refuses above 10000; a limit is fine", acc(A))
put("ok_trailing_bytes.npy", npy(hd("<f8", "(2, 3)"), raw + b"extra!!"), "either", "bytes after the data: NumPy ignores them; a warning or an error is fine", acc(A))
put("ok_hex_shape.npy", npy(hd("<f8", "(0x2, 3)"), raw), "either", "Python literal 0x2: NumPy accepts, nobody writes it", acc(A))
put("ok_32dims.npy", npy(hd("<f8", "(" + "1, " * 32 + ")"), struct.pack("<d", 4.)), "either", "32 dimensions of 1 (NumPy's limit; a smaller limit with an error is fine)", acc(np.full((1,) * 32, 4.)))
# ------------------------------------------------------------------ dtypes to refuse
for n, d, size in (("complex64", "<c8", 8), ("complex128", "<c16", 16), ("longdouble", "<f16", 16), ("datetime", "<M8[ns]", 8), ("timedelta", "<m8[s]", 8), ("unicode", "<U3", 12), ("bytes", "|S4", 4), ("void", "|V8", 8)):
    put(f"bad_dtype_{n}.npy", npy(hd(d, "(2,)"), b"\0" * 2 * size), "reject", f"unsupported type {d}: say so, with the name")
for n, d in (("f3", "<f3"), ("q9", "<q9"), ("empty", ""), ("f0", "<f0"), ("huge", "<f88888888888888888888"), ("percent", "%s%n%n%n"), ("nul", "<f8\0")):
    put(f"bad_descr_{n}.npy", npy(hd(d, "(2,)"), b"\0" * 16), "reject", "descr is not a type" + (" (NumPy takes a void of 0 bytes or a default here)" if n == "empty" else ""))
put("bad_structured.npy", npy("{'descr': [('q', '<f8'), ('k', '<f4', (2,))], 'fortran_order': False, 'shape': (2,), }", b"\0" * 32), "reject", "structured dtype: refuse with a clear message")
put("bad_structured_v3_utf8.npy", npy("{'descr': [('쿼리', '<f8')], 'fortran_order': False, 'shape': (2,), }", b"\0" * 16, (3, 0)), "reject", "version 3.0 exists for such field names; still refuse structured types")
pk = b"\x80\x03cposix\nsystem\nX\x10\x00\x00\x00touch /tmp/PWNED\x85R."
put("bad_object_pickle.npy", npy(hd("|O", "(1,)"), pk), "reject", "object array = pickle: never decoded; say pickle is refused")
# ------------------------------------------------------------------ broken structure
good = npy(hd("<f8", "(2, 3)"), raw)
for n, d, w in (("empty_file", b"", "zero bytes"), ("magic_only", good[:6], "ends after the magic"), ("no_length", good[:8], "ends before the header length"), ("half_length", good[:9], "half a header length"),
                ("header_cut", good[:60], "ends inside the header"), ("header_only", good[:128], "ends where data should start"), ("data_cut1", good[:-1], "one byte of data missing"), ("data_half", good[:-24], "half of the data missing"),
                ("magic", b"\x93NUMPZ" + good[6:], "wrong magic"), ("magic_text", b"NUMPY, not really a file\n" * 4, "text file"), ("zip_as_npy", b"PK\x03\x04" + good[4:], "starts like a zip"),
                ("version_0_0", good[:6] + b"\0\0" + good[8:], "version 0.0"), ("version_9_9", good[:6] + b"\x09\x09" + good[8:], "version 9.9"), ("version_1_7", good[:6] + b"\x01\x07" + good[8:], "version 1.7"),
                ("hlen_zero", npy(hd("<f8", "(2, 3)"), raw, hlen=0), "header length 0"), ("hlen_short", npy(hd("<f8", "(2, 3)"), raw, hlen=20), "header length cuts the dictionary"), ("hlen_long", npy(hd("<f8", "(2, 3)"), raw, hlen=60000), "header length beyond the file"),
                ("hlen_into_data", npy(hd("<f8", "(2, 3)"), raw, hlen=118 + 16), "header length swallows 16 data bytes"),
                ("hlen_v2_4g", npy(hd("<f8", "(2, 3)"), raw, (2, 0), hlen=0xffffffff), "version 2.0 length 4294967295: no 4 GB allocation"), ("hlen_v2_2g", npy(hd("<f8", "(2, 3)"), raw, (2, 0), hlen=0x7fffffff), "version 2.0 length 2^31-1")):
    put(f"bad_{n}.npy", d, "reject", w)
for n, h, w in (("garbage", "hello world", "header is no dictionary"), ("list", "['descr', '<f8']", "a list"), ("unclosed", "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), ", "dictionary never closed"),
                ("unclosed_str", "{'descr': '<f8, 'fortran_order': False, 'shape': (2, 3), }", "string never closed"), ("unclosed_tuple", "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3}", "tuple never closed"),
                ("no_shape", "{'descr': '<f8', 'fortran_order': False, }", "shape missing"), ("no_descr", "{'fortran_order': False, 'shape': (2, 3), }", "descr missing"), ("extra_key", "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), 'x': 1}", "unknown key"),
                ("shape_list", "{'descr': '<f8', 'fortran_order': False, 'shape': [2, 3], }", "shape is a list"), ("shape_int", "{'descr': '<f8', 'fortran_order': False, 'shape': (6), }", "(6) is an int, not a tuple"),
                ("shape_float", "{'descr': '<f8', 'fortran_order': False, 'shape': (2.0, 3), }", "float in shape"), ("shape_str", "{'descr': '<f8', 'fortran_order': False, 'shape': ('2', 3), }", "string in shape"),
                ("shape_neg", hd("<f8", "(-2, 3)"), "negative size"), ("shape_neg_both", hd("<f8", "(-2, -3)"), "two negatives whose product is 6"), ("order_str", "{'descr': '<f8', 'fortran_order': 'False', 'shape': (2, 3), }", "fortran_order is a string"),
                ("order_int", "{'descr': '<f8', 'fortran_order': 1, 'shape': (2, 3), }", "fortran_order is 1"), ("order_lower", "{'descr': '<f8', 'fortran_order': false, 'shape': (2, 3), }", "false is no Python literal"),
                ("descr_int", "{'descr': 8, 'fortran_order': False, 'shape': (2, 3), }", "descr is a number"), ("inject", "{'descr': __import__('os').system('touch /tmp/PWNED'), 'fortran_order': False, 'shape': (2, 3), }", "expression instead of a literal"),
                ("trailing_code", hd("<f8", "(2, 3)") + "; import os", "text after the dictionary"), ("nest", "(" * 4000, "4000 opening parentheses: no stack overflow"), ("nest_dict", "{'descr': " + "[" * 3000, "3000 nested lists"),
                ("shape_overflow64", hd("<f8", "(4294967296, 4294967296)"), "product is 2^64 = 0 when it wraps"), ("shape_overflow_bytes", hd("<f8", "(2305843009213693952, 1)"), "2^61 * 8 bytes wraps to 0"), ("shape_overflow_wrap6", hd("<f8", "(6, 3074457345618258603)"), "product wraps to 2"),
                ("shape_2e63", hd("<f8", "(9223372036854775808,)"), "2^63 does not fit a signed 64-bit number"), ("shape_20digits", hd("<f8", "(18446744073709551622,)"), "2^64 + 6 wraps to 6"), ("shape_1e30", hd("<f8", "(1000000000000000000000000000000,)"), "31 digits"),
                ("shape_8tb", hd("<f8", "(1000000000000,)"), "8 TB announced, 48 bytes present: compare with the file size before allocating"), ("shape_100dims", hd("<f8", "(" + "1, " * 100 + ")"), "100 dimensions")):
    put(f"bad_{n}.npy", npy(h, raw), "reject", w)
put("either_shape_zero_huge.npy", npy(hd("<f8", "(0, 9223372036854775807, 9223372036854775807)"), b""), "either", "zero elements but a product that overflows on the way: empty or an error, no crash", {"": ("<f8", (0, 2**63 - 1, 2**63 - 1), [])})
put("either_dup_key.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (9, 9), 'shape': (2, 3), }", raw), "either", "shape twice: Python takes the last; an error is better", acc(A))
put("either_shape_bool.npy", npy(hd("<f8", "(True, 6)"), raw), "either", "True is an int in Python: (1, 6) or an error", acc(A.reshape(1, 6)))
put("either_shape_plus.npy", npy(hd("<f8", "(+2, 3)"), raw), "either", "+2 is accepted by Python", acc(A))
put("bad_nonascii_v1.npy", npy(b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), '\xff\xfe': 1}", raw), "reject", "bytes above 127 in a version 1 header")
put("bad_v3_invalid_utf8.npy", npy(b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), '\xff\xfe': 1}", raw, (3, 0)), "reject", "version 3.0 header is not UTF-8")
put("bad_nul_header.npy", npy(b"\0" * 54, raw), "reject", "header of zero bytes")
# ------------------------------------------------------------------ .npz
def bnpy(a):
    f = io.BytesIO(); np.save(f, a); return f.getvalue()
Q, K, Vv = A, A + 1, A * 2
def mk(members, comp=zipfile.ZIP_STORED, zip64=False, stream=False, comment=b""):
    b = io.BytesIO()
    class NoSeek(io.RawIOBase):
        def writable(self): return True
        def write(self, d): b.write(bytes(d)); return len(d)
        def tell(self): raise io.UnsupportedOperation("tell")
    with zipfile.ZipFile(io.BufferedWriter(NoSeek()) if stream else b, "w", comp) as z:
        for n, d in members:
            zi = zipfile.ZipInfo(n, (1980, 1, 1, 0, 0, 0)); zi.compress_type = comp; zi.external_attr = 0o600 << 16
            with z.open(zi, "w", force_zip64=zip64) as f:
                f.write(d)
        z.comment = comment
    return b.getvalue()
QKV = [("q.npy", bnpy(Q)), ("k.npy", bnpy(K)), ("v.npy", bnpy(Vv))]
ex = {"q": ("<f8", (2, 3), Q), "k": ("<f8", (2, 3), K), "v": ("<f8", (2, 3), Vv)}
put("ok_stored.npz", mk(QKV), "accept", "three stored members", ex)
put("ok_deflated.npz", mk(QKV, zipfile.ZIP_DEFLATED), "accept", "three deflated members (savez_compressed)", ex)
put("ok_zip64_headers.npz", mk(QKV, zip64=True), "accept", "np.savez writes exactly this: ZIP64 extra field in every LOCAL header, sizes there 0xFFFFFFFF", ex)
b = io.BytesIO(); np.savez(b, q=Q, k=K, v=Vv)
put("ok_np_savez.npz", b.getvalue(), "accept", "written by np.savez itself", ex)
b = io.BytesIO(); np.savez_compressed(b, q=Q, k=K, v=Vv)
put("ok_np_savez_compressed.npz", b.getvalue(), "accept", "written by np.savez_compressed itself", ex)
b = io.BytesIO(); np.savez(b, Q, K)
put("ok_np_savez_positional.npz", b.getvalue(), "accept", "positional arguments are called arr_0, arr_1", {"arr_0": ex["q"], "arr_1": ex["k"]})
put("ok_stream_descriptor.npz", mk(QKV, zipfile.ZIP_DEFLATED, stream=True), "accept", "bit 3 set: sizes and CRC are 0 in the local header and follow the data; the central directory has them", ex)
put("ok_comment.npz", mk(QKV, comment=b"made by hand " * 40), "accept", "archive comment: the end record is not the last 22 bytes", ex)
put("either_comment_fake_eocd.npz", mk(QKV, comment=b"x" * 30 + b"PK\x05\x06" + b"\0" * 18 + b"y" * 9), "either", "the comment contains a fake end record whose comment length does not reach the end of the file: a careful reader skips it (Python takes it and sees an empty archive)", ex)
put("ok_prefix.npz", b"#!/bin/sh junk before the archive\n" + mk(QKV), "either", "bytes before the archive: offsets are off by the prefix", ex)
many = [(f"m{i:03d}.npy", bnpy(np.array([i, i + .5]))) for i in range(200)]
put("ok_200_members.npz", mk(many, zipfile.ZIP_DEFLATED), "accept", "200 members", {f"m{i:03d}": ("<f8", (2,), [i, i + .5]) for i in range(200)})
put("ok_mixed_members.npz", mk([("readme.txt", b"hello"), ("w/layer0.npy", bnpy(T4)), ("한글.npy", bnpy(Q)), ("empty.npy", bnpy(np.zeros((0, 4))))], zipfile.ZIP_DEFLATED), "accept", "a text member (skip or list it), a folder name, a Korean name (bit 11), an empty array", {"w/layer0": ("<f8", T4.shape, T4), "한글": ("<f8", (2, 3), Q), "empty": ("<f8", (0, 4), [])})
put("ok_empty_zip.npz", b"PK\x05\x06" + b"\0" * 18, "either", "an archive without members: 'no arrays inside'", {})
put("ok_deflate_levels.npz", mk([("q.npy", bnpy(np.arange(4096.) % 17))], zipfile.ZIP_DEFLATED), "accept", "4096 numbers, dynamic Huffman block", {"q": ("<f8", (4096,), np.arange(4096.) % 17)})
# fixed-Huffman and stored deflate blocks, and a multi-block stream
def raw_deflate(d, strategy=zlib.Z_DEFAULT_STRATEGY, level=6, split=0):
    c = zlib.compressobj(level, zlib.DEFLATED, -15, 8, strategy)
    if split:
        return b"".join(c.compress(d[i:i + split]) + c.flush(zlib.Z_FULL_FLUSH) for i in range(0, len(d), split)) + c.flush()
    return c.compress(d) + c.flush()
def handzip(entries):
    """entries: dicts name,data,comp(bytes),method,flags,crc,csize,usize,lname,extra... -> bytes"""
    out, cd = b"", b""
    for e in entries:
        d = e["data"]; m = e.get("method", 0); c = e.get("comp", d); n = e["name"].encode(); ln = e.get("lname", e["name"]).encode()
        crc = e.get("crc", zlib.crc32(d)); cs = e.get("csize", len(c)); us = e.get("usize", len(d)); fl = e.get("flags", 0)
        off = e.get("offset", len(out))
        if not e.get("nodata"):
            out += struct.pack("<4sHHHHHIIIHH", b"PK\x03\x04", 20, fl, m, 0, 33, crc, cs, us, len(ln), 0) + ln + c
        cd += struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\x01\x02", 20, 20, fl, m, 0, 33, crc, cs, us, len(n), 0, 0, 0, 0, 0, off) + n
    k = len(entries)
    return out + cd + struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, k, k, len(cd), len(out), 0)
qd = bnpy(Q)
put("ok_fixed_huffman.npz", handzip([dict(name="q.npy", data=qd, comp=raw_deflate(qd, zlib.Z_FIXED), method=8)]), "accept", "deflate with fixed Huffman codes", {"q": ex["q"]})
put("ok_stored_block.npz", handzip([dict(name="q.npy", data=qd, comp=raw_deflate(qd, level=0), method=8)]), "accept", "deflate method holding stored blocks", {"q": ex["q"]})
put("ok_multi_block.npz", handzip([dict(name="q.npy", data=qd, comp=raw_deflate(qd, split=20), method=8)]), "accept", "many deflate blocks with full flushes between", {"q": ex["q"]})
far = bnpy(np.concatenate([np.arange(100.), np.zeros(4200), np.arange(100.)]))
put("ok_far_match.npz", handzip([dict(name="q.npy", data=far, comp=raw_deflate(far, level=9), method=8)]), "accept", "long runs and matches close to the 32 KB window (length 258, overlapping copies)", {"q": ("<f8", (4400,), np.concatenate([np.arange(100.), np.zeros(4200), np.arange(100.)]))})
# broken npz
g = mk(QKV, zipfile.ZIP_DEFLATED); gs = mk(QKV)
for n, d, w in (("truncated", gs[:len(gs) // 2], "no end record"), ("no_eocd", gs[:-22], "end record cut off"), ("eocd_cut", gs[:-4], "end record cut short"),
                ("crc", gs.replace(struct.pack("<d", -.5), struct.pack("<d", -.25), 1), "stored data changed: CRC does not match"), ("deflate_damage", g[:60] + b"\xff\xff\xff" + g[63:], "damaged deflate stream"),
                ("object_member", mk([("q.npy", npy(hd("|O", "(1,)"), pk))]), "pickle inside npz"), ("bad_member", mk([("q.npy", b"\x93NUMPY\x01")]), "member is a broken npy"),
                ("encrypted", handzip([dict(name="q.npy", data=qd, flags=1)]), "encryption flag set"), ("method_bzip2", handzip([dict(name="q.npy", data=qd, method=12)]), "bzip2 method: say unsupported"), ("method_lzma", handzip([dict(name="q.npy", data=qd, method=14)]), "lzma method"), ("method_99", handzip([dict(name="q.npy", data=qd, method=99)]), "unknown method 99"),
                ("usize_small", handzip([dict(name="q.npy", data=qd, comp=raw_deflate(qd), method=8, usize=100)]), "announced size smaller than what inflates: stop, do not write past the buffer"), 
                ("csize_big", handzip([dict(name="q.npy", data=qd, csize=0x7ffffff0)]), "compressed size beyond the file"), ("offset_out", handzip([dict(name="q.npy", data=qd, offset=0x7ffffff0)]), "local header outside the file"),
                ("offset_not_local", handzip([dict(name="q.npy", data=qd, offset=7)]), "offset does not point at a local header"), ("deflate_endless", handzip([dict(name="q.npy", data=qd, comp=raw_deflate(qd)[:-12], method=8)]), "deflate stream without an end"),
                ("deflate_distance", handzip([dict(name="q.npy", data=qd, comp=bytes([0x63, 0x00, 0x42, 0x00]), method=8)]), "garbage short stream"), ("deflate_btype3", handzip([dict(name="q.npy", data=qd, comp=b"\x07\x00\x00", method=8)]), "reserved block type 3"),
 ("cd_offset", gs[:-6] + struct.pack("<I", 0x7fffffff) + gs[-2:], "central directory offset outside the file"),
 ("zip64_eocd_missing", gs[:-14] + b"\xff\xff\xff\xff" + b"\xff" * 8 + b"\0\0", "end record says ZIP64, but there is none")):
    put(f"bad_{n}.npz", d, "reject", w)
put("either_duplicate_member.npz", handzip([dict(name="q.npy", data=qd), dict(name="q.npy", data=bnpy(K))]), "either", "the same name twice: Python takes the last; an error is better", {"q": ex["k"]})
put("either_name_mismatch.npz", handzip([dict(name="q.npy", data=qd, lname="z.npy")]), "either", "central and local names differ: trust the central directory or refuse", {"q": ex["q"]})
put("either_traversal.npz", mk([("../../tmp/q.npy", qd), ("/etc/q.npy", qd)]), "either", "path traversal names: only names, nothing may be written anywhere", {"../../tmp/q": ex["q"], "/etc/q": ex["q"]})
put("either_control_name.npz", mk([("q\x1b]0;owned\x07\n.npy", qd)]), "either", "control characters in a member name: must be escaped on the terminal", {"q\x1b]0;owned\x07\n": ex["q"]})
put("either_usize_2gb.npz", handzip([dict(name="q.npy", data=qd, comp=raw_deflate(qd), method=8, usize=0x7fffffff)]), "either", "announced size 2 GB, the stream ends after 176 bytes: load or refuse, but no blind 2 GB allocation (Python loads)", {"q": ex["q"]})
put("either_cd_count.npz", gs[:-12] + struct.pack("<H", 9) + gs[-10:], "either", "end record announces 9 entries, 3 exist (Python goes by the directory size and loads)", ex)
put("either_multidisk.npz", gs[:-18] + struct.pack("<HH", 1, 1) + gs[-14:], "either", "end record of a spanned archive (Python ignores the disk numbers)", ex)
put("either_overlap.npz", handzip([dict(name="q.npy", data=qd), dict(name="k.npy", data=qd, nodata=True, offset=0)]), "either", "two names for one local entry", {"q": ex["q"], "k": ex["q"]})
z = np.zeros(4 << 20); zb = bnpy(z)
put("bomb_32mb.npz", handzip([dict(name="q.npy", data=zb, comp=raw_deflate(zb, level=9), method=8)]), "either", "32 MB of zeros from 32 KB: fine, or a size limit; memory must stay within the announced size", None)
hdr_lie = npy(hd("<f8", "(2, 3)"), raw) + b"\0" * (8 << 20)
put("bomb_tail.npz", handzip([dict(name="q.npy", data=hdr_lie, comp=raw_deflate(hdr_lie, level=9), method=8)]), "either", "(2,3) array followed by 8 MB of zeros inside the member", {"q": ex["q"]})
# ------------------------------------------------------------------ .safetensors
def st(header, data, n=None, pad=0):
    h = header if isinstance(header, bytes) else json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    h += b" " * pad
    return struct.pack("<Q", len(h) if n is None else n) + h + data
f32 = np.array([[1.5, -2.], [.1, 3e38]], "<f4"); f16 = np.array([1., -.5, 65504., 6e-8], "<f2"); i64 = np.array([[-2**63, 2**53 + 1]], "<i8")
bf = np.array([0x3f80, 0xbf00, 0x7f80, 0x7fc0, 0x0001, 0x3dcd], "<u2"); bfv = (bf.astype("<u4") << 16).view("<f4").astype(float)
def e_(t, s, v): return (t, s, np.asarray(v, dtype=float))
put("ok_f32.safetensors", st({"q": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}}, f32.tobytes()), "accept", "one F32 tensor", {"q": e_("F32", (2, 2), f32)})
put("ok_all_types.safetensors", st({"__metadata__": {"format": "pt", "note": "한글 ok"}, "a": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}, "b": {"dtype": "F16", "shape": [4], "data_offsets": [16, 24]}, "c": {"dtype": "BF16", "shape": [2, 3], "data_offsets": [24, 36]}, "d": {"dtype": "I64", "shape": [1, 2], "data_offsets": [36, 52]}},
    f32.tobytes() + f16.tobytes() + bf.tobytes() + i64.tobytes()), "accept", "metadata, F32, F16, BF16 (inf, nan, subnormal), I64; I64 starts at an odd 4-byte offset", {"a": e_("F32", (2, 2), f32), "b": e_("F16", (4,), f16), "c": e_("BF16", (2, 3), bfv), "d": e_("I64", (1, 2), i64.astype(float))})
put("ok_padded_unordered.safetensors", st({"z": {"data_offsets": [8, 24], "shape": [4], "dtype": "F32"}, "a": {"shape": [1], "data_offsets": [0, 8], "dtype": "F64"}}, struct.pack("<d", 2.5) + f32.tobytes(), pad=5), "accept", "keys in any order, tensors not in offset order, header padded with spaces", {"a": e_("F64", (1,), [2.5]), "z": e_("F32", (4,), f32.ravel())})
put("ok_scalar_empty.safetensors", st({"s": {"dtype": "F32", "shape": [], "data_offsets": [0, 4]}, "e": {"dtype": "F32", "shape": [0, 3], "data_offsets": [4, 4]}}, f32.tobytes()[:4]), "accept", "shape [] is a scalar; a 0 in the shape is an empty tensor", {"s": e_("F32", (), 1.5), "e": e_("F32", (0, 3), [])})
put("ok_only_metadata.safetensors", st({"__metadata__": {"a": "b"}}, b""), "accept", "no tensors at all", {})
put("ok_empty_dict.safetensors", st({}, b""), "accept", "header {}", {})
put("ok_escapes.safetensors", st(b'{"q\\u0041\\n\\ud55c\\ud83d\\ude00":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', f32.tobytes()[:4]), "accept", "JSON escapes and a surrogate pair in the name", {"qA\n한😀": e_("F32", (1,), [1.5])})
put("ok_4d_bool_u8.safetensors", st({"w": {"dtype": "U8", "shape": [1, 2, 1, 2], "data_offsets": [0, 4]}, "m": {"dtype": "BOOL", "shape": [2], "data_offsets": [4, 6]}}, bytes([1, 2, 255, 0, 1, 0])), "accept", "4-D U8 and BOOL", {"w": e_("U8", (1, 2, 1, 2), [1, 2, 255, 0]), "m": e_("BOOL", (2,), [1, 0])})
ok1 = {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}; fd = f32.tobytes()
for n, d, w in (("empty_file", b"", "zero bytes"), ("short7", b"\x01" * 7, "shorter than the length field"), ("hlen_beyond", st({"q": ok1}, fd, n=10000), "header length beyond the file"), ("hlen_max", st({"q": ok1}, fd, n=2**64 - 1), "2^64-1: n + 8 wraps"), ("hlen_wrap", st({"q": ok1}, fd, n=2**64 - 8), "n + 8 = 0 when it wraps"), ("hlen_200mb", st({"q": ok1}, fd, n=200_000_000), "above the 100 MB limit: no allocation"), ("hlen_zero", st(b"", fd, n=0), "empty header"),
                ("hlen_cuts", st({"q": ok1}, fd, n=20), "length cuts the JSON"), ("not_utf8", st(b'{"q\xff\xfe":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}', fd), "name is not UTF-8"), ("overlong_utf8", st(b'{"q\xc0\xaf":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}', fd), "overlong UTF-8"), ("surrogate_alone", st(b'{"q\\ud800":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}', fd), "lone surrogate escape"),
                ("not_json", st(b"hello, this is no json ......", fd), "no JSON"), ("array", st(b'[{"dtype":"F32"}]', fd), "top level is an array"), ("leading_space", st(b' {"q":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}', fd), "must begin with { (published rule; old readers accept)"), ("trailing_garbage", st(b'{"q":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}xx', fd), "text after the JSON"), ("trailing_comma", st(b'{"q":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},}', fd), "trailing comma"), ("control_char", st(b'{"q\n":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}', fd), "raw control character in a string"), ("bad_escape", st(b'{"q\\x":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}', fd), "unknown escape"),
                ("overlap", st({"q": ok1, "k": {"dtype": "F32", "shape": [2], "data_offsets": [8, 16]}}, fd), "ranges overlap"), ("same_range", st({"q": ok1, "k": ok1}, fd), "two tensors on one range"), ("hole", st({"q": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}, "k": {"dtype": "F32", "shape": [2], "data_offsets": [8, 16]}}, fd), "hole between tensors"), ("gap_start", st({"q": {"dtype": "F32", "shape": [3], "data_offsets": [4, 16]}}, fd), "first tensor does not start at 0"), ("tail", st({"q": {"dtype": "F32", "shape": [3], "data_offsets": [0, 12]}}, fd), "4 bytes after the last tensor"),
                ("out_of_range", st({"q": {"dtype": "F32", "shape": [2, 4], "data_offsets": [0, 32]}}, fd), "end beyond the file"), ("begin_gt_end", st({"q": {"dtype": "F32", "shape": [2, 2], "data_offsets": [16, 0]}}, fd), "begin > end"), ("neg_offset", st({"q": {"dtype": "F32", "shape": [2, 2], "data_offsets": [-16, 0]}}, fd), "negative offset"), ("size_mismatch", st({"q": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 16]}}, fd), "24 bytes needed, 16 given"), ("three_offsets", st({"q": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 8, 16]}}, fd), "three offsets"), ("one_offset", st({"q": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0]}}, fd), "one offset"),
                ("offset_float", st(b'{"q":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16.0]}}', fd), "float offset"), ("offset_exp", st(b'{"q":{"dtype":"F32","shape":[2,2],"data_offsets":[0,1.6e1]}}', fd), "offset in exponent form"), ("offset_str", st({"q": {"dtype": "F32", "shape": [2, 2], "data_offsets": ["0", "16"]}}, fd), "string offsets"), ("offset_2e64", st(b'{"q":{"dtype":"F32","shape":[2,2],"data_offsets":[0,18446744073709551632]}}', fd), "2^64+16 wraps to 16"), ("shape_overflow", st({"q": {"dtype": "F32", "shape": [4294967296, 4294967296], "data_offsets": [0, 0]}}, b""), "product wraps to 0 and would fit [0,0]"), ("shape_neg", st({"q": {"dtype": "F32", "shape": [-2, -2], "data_offsets": [0, 16]}}, fd), "negative sizes whose product fits"), ("shape_float", st(b'{"q":{"dtype":"F32","shape":[2.0,2],"data_offsets":[0,16]}}', fd), "float size"),
                ("dup_key", st(b'{"q":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"q":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}', fd), "duplicate tensor name (published rule: disallowed)"), ("dup_inner", st(b'{"q":{"dtype":"F32","dtype":"I32","shape":[2,2],"data_offsets":[0,16]}}', fd), "dtype twice"), ("unknown_dtype", st({"q": {"dtype": "F80", "shape": [2, 2], "data_offsets": [0, 16]}}, fd), "unknown dtype"), ("dtype_lower", st({"q": {"dtype": "f32", "shape": [2, 2], "data_offsets": [0, 16]}}, fd), "dtype names are upper case"), ("no_dtype", st({"q": {"shape": [2, 2], "data_offsets": [0, 16]}}, fd), "dtype missing"), ("no_shape", st({"q": {"dtype": "F32", "data_offsets": [0, 16]}}, fd), "shape missing"), ("tensor_not_dict", st({"q": 5}, b""), "tensor entry is a number"), ("meta_not_str", st({"__metadata__": {"a": 1}, "q": ok1}, fd), "metadata value is not a string"), ("meta_nested", st({"__metadata__": {"a": {"b": "c"}}, "q": ok1}, fd), "metadata is nested"),
                ("nest_bomb", st(b'{"q":' + b"[" * 5000 + b"]" * 5000 + b"}", b""), "5000 nested arrays: no stack overflow"), ("nest_obj_bomb", st(b'{"a":' * 3000 + b"1" + b"}" * 3000, b""), "3000 nested objects")):
    put(f"bad_{n}.safetensors", d, "reject", w)
put("either_unknown_field.safetensors", st({"q": dict(ok1, note="x")}, fd), "either", "an extra field in the tensor entry: ignore it or refuse", {"q": e_("F32", (2, 2), f32)})
put("either_nul_padding.safetensors", struct.pack("<Q", 72) + b'{"q":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}'.ljust(72, b"\0") + fd, "either", "header padded with NUL instead of spaces", {"q": e_("F32", (2, 2), f32)})
put("either_f8.safetensors", st({"q": {"dtype": "F8_E4M3", "shape": [4], "data_offsets": [0, 4]}}, bytes([0x38, 0xb8, 0x7e, 0x01])), "either", "8-bit float of newer versions: decode (1, -1, 448, 2^-9) or say unsupported", {"q": e_("F8_E4M3", (4,), [1., -1., 448., 2. ** -9])})
put("either_bool_byte.safetensors", st({"m": {"dtype": "BOOL", "shape": [2], "data_offsets": [0, 2]}}, bytes([2, 0])), "either", "BOOL byte 2: true or an error", {"m": e_("BOOL", (2,), [1, 0])})

def selfcheck():
    for v in V:
        if v["verdict"] != "accept" or v["file"].endswith(".safetensors"):
            continue
        z = np.load(os.path.join(OUT, v["file"]))
        for k, e in v["expect"].items():
            a = z if k == "" else z[k]
            got = [num(x) for x in a.astype(np.float64).ravel(order="C")]
            assert repr(got) == repr(e["values"]) and list(a.shape) == e["shape"] and a.dtype == np.dtype(e["dtype"]), (v["file"], k)


selfcheck()
with open(os.path.join(OUT, "verdicts.json"), "w", encoding="utf-8") as f:
    json.dump(dict(format=1, count=len(V), files=V), f, indent=1, ensure_ascii=False, allow_nan=False); f.write("\n")
with open(os.path.join(OUT, "README.md"), "w", encoding="utf-8") as f:
    f.write("""# .npy / .npz / .safetensors corner cases

Written by make.py (own code; NumPy only). verdicts.json holds, per file: verdict, why, expect
(per array: dtype, shape, values as float64 in C order; inf/nan as strings; key "" for a .npy), and
what np.load(allow_pickle=False) of NumPy 1.24.2 said. The file name's prefix is the verdict:
ok_ = accept, bad_ = reject, either_ (and bomb_) = both fine, but never a wrong value.

Reject means: exit with a clear one-line message that names the file and the cause, in well under a
second, allocating no more than about the file's size; no crash, no hang, nothing executed or written.
Run these under AddressSanitizer/UBSan and with `ulimit -v` (e.g. 256 MB).

Rules behind the verdicts
- .npy: magic, version 1.0/2.0/3.0 only; header length 2 bytes (v1) or 4 (v2, v3), little-endian;
  header is a Python dict literal with exactly descr, fortran_order, shape (parse, never evaluate).
  Types: f2 f4 f8, i1..i8, u1..u8, b1, byte order < > = |.  Everything else: refuse by name.
  Multiply sizes with overflow checks, compare with the bytes present BEFORE allocating.
  Data may start at an odd offset (no alignment guaranteed): memcpy.
- .npz: use the central directory (local sizes may be 0 or 0xFFFFFFFF); methods 0 and 8 only; check
  CRC-32; np.savez writes a ZIP64 extra field into every local header; names end in .npy.
- .safetensors: u64 LE header length (<= 100,000,000 and <= file - 8), UTF-8 JSON object beginning
  with '{', space padding at the end allowed, no duplicate names, data_offsets relative to the byte
  after the header, end - begin = product(shape) * size, ranges tile the buffer exactly (no overlap,
  no hole, nothing after the last), tensors may be unaligned; __metadata__ maps strings to strings.

| file | verdict | what and why |
|---|---|---|
""")
    for v in V:
        f.write(f"| {v['file']} | {v['verdict']} | {v['why'].replace('|', chr(92) + '|')} |\n")
from collections import Counter
print(len(V), "files", dict(Counter((v["verdict"], v["file"].rsplit(".", 1)[1]) for v in V)))
for v in V:
    if v["numpy"] and ((v["verdict"] == "accept") != v["numpy"].startswith("ok")) and v["verdict"] != "either":
        print("NumPy differs:", v["file"], v["verdict"], "|", v["numpy"])
