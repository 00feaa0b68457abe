/* Tests and counts over whole texts in one pass each, which would take several in Python. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "_canonical.h"
#include "_compiled.h"
#include "_stable.h"

enum { WORD = 1, FIRST = 2, BLANK = 4, PUNCTUATION = 8, SUSPECT = 16, KINDS = 32 }; /* as in census.py */
enum { SOFT_HYPHEN = 0xAD, CODE_POINTS = 0x110000 };
enum { LOOK_BYTES = 4096 }; /* bytes after which the depth of a page is looked at */

/* Whether a text is clean for sure; if false, it may be clean or not. */
static PyObject *is_stable(PyObject *module, PyObject *text) {
    (void)module;
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "a text is needed");
        return NULL;
    }
    return PyBool_FromLong(is_stable_text(text));
}

typedef struct { uint64_t sums; int64_t words; unsigned counted; } Counts; /* `counted`: whether the word we are in is */

/* By kind what a character adds to three sums in one number: visible characters, punctuation, suspects. */
enum { BITS = 21, CHUNK = 1 << 20 };
#define ADDS(kind) \
    ((uint64_t)!((kind) & BLANK) | (uint64_t)(((kind) & PUNCTUATION) != 0) << BITS | \
     (uint64_t)(((kind) & SUSPECT) != 0) << 2 * BITS)
#define FOUR(kind) ADDS(kind), ADDS((kind) + 1), ADDS((kind) + 2), ADDS((kind) + 3)
static const uint64_t SUMS[KINDS] = {FOUR(0), FOUR(4), FOUR(8), FOUR(12), FOUR(16), FOUR(20), FOUR(24), FOUR(28)};

/* The counts of some characters of one width; words go on from where they were. */
#define COUNTED(name, width)                                                                                     \
    static Counts name(const width *at, const width *end, const unsigned char *kind_of, unsigned counted) {      \
        Counts counts = {0, 0, counted};                                                                         \
        for (; at < end; at++) {                                                                                 \
            if (*at == SOFT_HYPHEN) continue;                                                                    \
            unsigned kind = kind_of[*at] & (KINDS - 1), word = kind & WORD, first = (kind & FIRST) / FIRST;      \
            counts.sums += SUMS[kind];                                                                           \
            counts.words += first & ~counts.counted;                                                             \
            counts.counted = word & (counts.counted | first);                                                    \
        }                                                                                                        \
        return counts;                                                                                           \
    }
COUNTED(counted_1, Py_UCS1)
COUNTED(counted_2, Py_UCS2)
COUNTED(counted_4, Py_UCS4)

static Counts counted(PyObject *text, Py_ssize_t from, Py_ssize_t to, const unsigned char *kind_of, unsigned counted) {
    switch (PyUnicode_KIND(text)) {
    case PyUnicode_1BYTE_KIND:
        return counted_1(PyUnicode_1BYTE_DATA(text) + from, PyUnicode_1BYTE_DATA(text) + to, kind_of, counted);
    case PyUnicode_2BYTE_KIND:
        return counted_2(PyUnicode_2BYTE_DATA(text) + from, PyUnicode_2BYTE_DATA(text) + to, kind_of, counted);
    default:
        return counted_4(PyUnicode_4BYTE_DATA(text) + from, PyUnicode_4BYTE_DATA(text) + to, kind_of, counted);
    }
}

/* Visible characters, punctuation among them, words and suspects of a text; `kinds` has bits by code point. */
static PyObject *census(PyObject *module, PyObject *arguments) {
    PyObject *text;
    Py_buffer kinds;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Uy*", &text, &kinds)) return NULL;
    if (kinds.len != CODE_POINTS) {
        PyBuffer_Release(&kinds);
        PyErr_SetString(PyExc_ValueError, "a kind is needed for every code point");
        return NULL;
    }
    const uint64_t sum = ((uint64_t)1 << BITS) - 1;
    long long visible = 0, punctuation = 0, words = 0, suspects = 0;
    Counts part = {0, 0, 0};
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    for (Py_ssize_t start = 0; start < length; start += CHUNK) {
        part = counted(text, start, start + CHUNK < length ? start + CHUNK : length, kinds.buf, part.counted);
        visible += part.sums & sum;
        punctuation += part.sums >> BITS & sum;
        suspects += part.sums >> 2 * BITS;
        words += part.words;
    }
    PyBuffer_Release(&kinds);
    return Py_BuildValue("LLLL", visible, punctuation, words, suspects);
}

/* Where a text has characters that a table marks; it has a byte for every code point. */
static PyObject *marked(PyObject *module, PyObject *arguments) {
    PyObject *text;
    Py_buffer marks;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Uy*", &text, &marks)) return NULL;
    PyObject *places = NULL;
    if (marks.len != CODE_POINTS) PyErr_SetString(PyExc_ValueError, "a mark is needed for every code point");
    else places = PyList_New(0);
    const unsigned char *is_marked = marks.buf;
    int width = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    for (Py_ssize_t i = 0; places && i < PyUnicode_GET_LENGTH(text); i++) {
        if (!is_marked[PyUnicode_READ(width, data, i)]) continue;
        PyObject *place = PyLong_FromSsize_t(i);
        if (!place || PyList_Append(places, place) < 0) Py_CLEAR(places);
        Py_XDECREF(place);
    }
    PyBuffer_Release(&marks);
    return places;
}

/* Whether a character is what a byte from 80 to BF looks like when read as windows-1252 or Latin-1. */
static int is_continuation(Py_UCS4 c) {
    static const Py_UCS2 OTHERS[] = {
        0x20AC, 0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021, 0x2C6,  0x2030, 0x160, 0x2039, 0x152, 0x17D, 0x2018,
        0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC,  0x2122, 0x161,  0x203A, 0x153, 0x17E, 0x178,
    };
    if (c <= 0xFF) return c >= 0x80 && c <= 0xBF;
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        if (c == OTHERS[i]) return 1;
    return 0;
}

/* How many characters that look like continuations should follow what looks like the first byte of several. */
static Py_ssize_t following(Py_UCS4 c) {
    if (c >= 0xE0 && c <= 0xE3) return 2;
    return (c >= 0xC2 && c <= 0xC6) || (c >= 0xCE && c <= 0xD1) || (c >= 0xD7 && c <= 0xDC);
}

/* How many characters of a text a wrong decoding left, as filter/quality.py has it. */
static PyObject *broken(PyObject *module, PyObject *text) {
    (void)module;
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "a text is needed");
        return NULL;
    }
    int width = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t count = 0, length = PyUnicode_GET_LENGTH(text);
    for (Py_ssize_t i = 0; i < length; i++) {
        Py_UCS4 c = PyUnicode_READ(width, data, i);
        if (c < 0x80) continue;
        Py_ssize_t wanted = following(c), found = 0;
        if (c == 0xFFFD || c <= 0x9F) count++;
        while (found < wanted && i + found + 1 < length && is_continuation(PyUnicode_READ(width, data, i + found + 1)))
            found++;
        if (!wanted || found < wanted) continue;
        count += wanted + 1;
        i += wanted;
    }
    return PyLong_FromSsize_t(count);
}

#ifdef __SSE2__
#define LANES 16 /* places looked at in one go */
/* A bit for each of sixteen places that has `first`, and `last` so many bytes behind it. */
static inline unsigned pairs(const char *at, char first, Py_ssize_t behind, char last) {
    __m128i here = _mm_loadu_si128((const __m128i *)at), there = _mm_loadu_si128((const __m128i *)(at + behind));
    here = _mm_cmpeq_epi8(here, _mm_set1_epi8(first));
    return (unsigned)_mm_movemask_epi8(_mm_and_si128(here, _mm_cmpeq_epi8(there, _mm_set1_epi8(last))));
}

/* Whether any of sixteen bytes is beyond ASCII. */
static inline int has_high(const char *at) {
    return _mm_movemask_epi8(_mm_loadu_si128((const __m128i *)at)) != 0;
}
#else
#define LANES 8
static inline unsigned pairs(const char *at, char first, Py_ssize_t behind, char last) {
    unsigned found = 0;
    for (int i = 0; i < LANES; i++) found |= (unsigned)(at[i] == first && at[i + behind] == last) << i;
    return found;
}

static inline int has_high(const char *at) {
    uint64_t bytes;
    memcpy(&bytes, at, LANES);
    return (bytes & 0x8080808080808080u) != 0;
}
#endif

/* Where `part` begins in a text, or NULL: its first and its last byte are looked for at many places at a time. */
static const char *find(const char *text, Py_ssize_t size, const char *part, Py_ssize_t part_size) {
    const char *end = text + size - part_size + 1; /* it cannot begin there or later */
    char first = part[0], last = part[part_size - 1];
    for (; end - text >= LANES; text += LANES)
        for (unsigned found = pairs(text, first, part_size - 1, last); found; found &= found - 1) {
            const char *at = text + __builtin_ctz(found);
            if (!memcmp(at, part, part_size)) return at;
        }
    for (; text < end && (text = memchr(text, first, end - text)); text++)
        if (!memcmp(text, part, part_size)) return text;
    return NULL;
}

/* The size of the character of UTF-8 that begins here, 0 if there is none. */
static int character_size(const unsigned char *at, const unsigned char *end) {
    unsigned char lead = *at;
    int size = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (end - at < size) return 0;
    for (int i = 1; i < size; i++)
        if ((at[i] & 0xC0) != 0x80) return 0;
    if (size < 3) return size;
    int too_long = (lead == 0xE0 && at[1] < 0xA0) || (lead == 0xF0 && at[1] < 0x90);
    int no_character = (lead == 0xED && at[1] > 0x9F) || (lead == 0xF4 && at[1] > 0x8F);
    return too_long || no_character ? 0 : size;
}

/* Whether bytes are UTF-8 from end to end, by the same rules as Python's. */
static PyObject *is_utf8(PyObject *module, PyObject *bytes) {
    (void)module;
    if (!PyBytes_Check(bytes)) {
        PyErr_SetString(PyExc_TypeError, "bytes are needed");
        return NULL;
    }
    const char *at = PyBytes_AS_STRING(bytes), *end = at + PyBytes_GET_SIZE(bytes);
    while (at < end) {
        if (end - at >= LANES && !has_high(at)) {
            at += LANES;
            continue;
        }
        for (const char *stop = end - at < LANES ? end : at + LANES; at < stop;) {
            int size = character_size((const unsigned char *)at, (const unsigned char *)end);
            if (!size) Py_RETURN_FALSE;
            at += size;
        }
    }
    Py_RETURN_TRUE;
}

/* Whether some bytes have one of several parts, none of them empty. */
static PyObject *has_any(PyObject *module, PyObject *arguments) {
    PyObject *text, *parts;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "SO!", &text, &PyTuple_Type, &parts)) return NULL;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(parts); i++) {
        PyObject *part = PyTuple_GET_ITEM(parts, i);
        if (!PyBytes_Check(part) || !PyBytes_GET_SIZE(part)) {
            PyErr_SetString(PyExc_TypeError, "parts are bytes, at least one");
            return NULL;
        }
        if (find(PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text), PyBytes_AS_STRING(part), PyBytes_GET_SIZE(part)))
            Py_RETURN_TRUE;
    }
    Py_RETURN_FALSE;
}

/* Whether some bytes have a part with one of `next` right behind it. */
static PyObject *has_before(PyObject *module, PyObject *arguments) {
    const char *text, *part, *next;
    Py_ssize_t size, part_size, count;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y#y#y#", &text, &size, &part, &part_size, &next, &count)) return NULL;
    if (!part_size) {
        PyErr_SetString(PyExc_ValueError, "a part has at least one byte");
        return NULL;
    }
    for (const char *end = text + size; (text = find(text, end - text, part, part_size)); text++)
        if (text + part_size < end && memchr(next, text[part_size], count)) Py_RETURN_TRUE;
    Py_RETURN_FALSE;
}

/* The places of a part in some bytes, the first `most` of them. */
static PyObject *places(PyObject *module, PyObject *arguments) {
    const char *text, *part;
    Py_ssize_t size, part_size, most;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y#y#n", &text, &size, &part, &part_size, &most)) return NULL;
    if (!part_size) {
        PyErr_SetString(PyExc_ValueError, "a part has at least one byte");
        return NULL;
    }
    const char *end = text + size;
    PyObject *found = PyList_New(0);
    for (const char *at = text; found && PyList_GET_SIZE(found) < most && (at = find(at, end - at, part, part_size)); at++) {
        PyObject *place = PyLong_FromSsize_t(at - text);
        if (!place || PyList_Append(found, place)) Py_CLEAR(found);
        Py_XDECREF(place);
    }
    return found;
}

/* Whether a name in small letters stands here, in letters of either case. */
static int is_named(const char *at, const char *end, const char *name, Py_ssize_t size) {
    Py_ssize_t same = 0;
    while (same < size && same < end - at && (at[same] | 0x20) == name[same]) same++;
    return same == size;
}

/* How often some bytes have `<` and a name behind it, in letters of either case; the name is in small ones. */
static PyObject *tag_count(PyObject *module, PyObject *arguments) {
    const char *at, *name;
    Py_ssize_t text_size, size;
    long long count = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y#y#", &at, &text_size, &name, &size)) return NULL;
    const char *end = at + text_size;
    for (; end - at > LANES; at += LANES) {
        unsigned found = pairs(at, '<', 1, *name) | pairs(at, '<', 1, (char)(*name & ~0x20));
        for (; found; found &= found - 1) count += is_named(at + __builtin_ctz(found) + 1, end, name, size);
    }
    for (; at < end && (at = memchr(at, '<', end - at)); at++) count += is_named(at + 1, end, name, size);
    return PyLong_FromLongLong(count);
}

/* How many more start tags than end tags some bytes have; the byte behind them may be read. */
static long long opened(const char *at, Py_ssize_t size) {
    const char *end = at + size;
    long long open = 0;
#ifdef __SSE2__
    const __m128i tag = _mm_set1_epi8('<'), slash = _mm_set1_epi8('/');
    while (end - at >= 16) {
        __m128i tags = _mm_setzero_si128(), ends = _mm_setzero_si128(); /* counts of up to 255 in each lane */
        for (int i = 0; i < 255 && end - at >= 16; i++, at += 16) {
            __m128i here = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)at), tag);
            __m128i there = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(at + 1)), slash);
            tags = _mm_sub_epi8(tags, here);
            ends = _mm_sub_epi8(ends, _mm_and_si128(here, there));
        }
        __m128i sums = _mm_sad_epu8(tags, _mm_setzero_si128()), less = _mm_sad_epu8(ends, _mm_setzero_si128());
        sums = _mm_sub_epi64(sums, _mm_add_epi64(less, less));
        open += _mm_cvtsi128_si32(sums) + _mm_cvtsi128_si32(_mm_srli_si128(sums, 8));
    }
#endif
    for (; at < end; at++) open += *at != '<' ? 0 : at[1] == '/' ? -1 : 1;
    return open;
}

/* Whether some beginning of a page, as far as it is looked at, has so many more start tags than end tags. */
static PyObject *may_be_deep(PyObject *module, PyObject *arguments) {
    PyObject *html;
    long long depth, open = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "SL", &html, &depth)) return NULL;
    const char *text = PyBytes_AS_STRING(html); /* a zero byte is behind it */
    Py_ssize_t size = PyBytes_GET_SIZE(html), part;
    for (Py_ssize_t at = 0; at < size && open <= depth; at += part) {
        part = size - at < LOOK_BYTES ? size - at : LOOK_BYTES;
        open += opened(text + at, part);
    }
    return PyBool_FromLong(open > depth);
}

/* Whether an absolute http address has nothing that its canonical form would leave out or write otherwise. */
static PyObject *is_canonical(PyObject *module, PyObject *arguments) {
    PyObject *address;
    const char *suspects;
    Py_ssize_t size;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Uy#", &address, &suspects, &size)) return NULL;
    if (size != SUSPECTS) {
        PyErr_SetString(PyExc_ValueError, "a table of pairs of bytes is needed");
        return NULL;
    }
    return PyBool_FromLong(is_canonical_address(address, suspects));
}

static PyMethodDef METHODS[] = {
    {"is_stable", is_stable, METH_O, "Whether a text is surely clean."},
    {"marked", marked, METH_VARARGS, "Where a text has characters that a table marks."},
    {"census", census, METH_VARARGS, "Visible characters, punctuation, words, suspects."},
    {"broken", broken, METH_O, "How many characters a wrong decoding left."},
    {"has_any", has_any, METH_VARARGS, "Whether bytes have one of several parts."},
    {"has_before", has_before, METH_VARARGS, "Whether bytes have a part before one of some bytes."},
    {"places", places, METH_VARARGS, "The places of a part in bytes."},
    {"is_utf8", is_utf8, METH_O, "Whether bytes are UTF-8."},
    {"tag_count", tag_count, METH_VARARGS, "How often there is a tag that begins with a name."},
    {"may_be_deep", may_be_deep, METH_VARARGS, "Whether far more tags are opened than closed."},
    {"is_canonical", is_canonical, METH_VARARGS, "Whether an address is surely in canonical form."},
    {NULL, NULL, 0, NULL},
};

int add_scan_to(PyObject *module) { return PyModule_AddFunctions(module, METHODS); }
