/* Looks at whole texts, one character at a time, that would cost several passes in Python. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#include "_canonical.h"
#include "_stable.h"

enum { WORD = 1, FIRST = 2, BLANK = 4, PUNCTUATION = 8, SUSPECT = 16, KINDS = 32 }; /* as in census.py */
enum { SOFT_HYPHEN = 0xAD, CODE_POINTS = 0x110000 };

/* Whether a text is surely clean already; many that are not told here are clean, too. */
static PyObject *is_stable(PyObject *module, PyObject *text) {
    (void)module;
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "a text is needed");
        return NULL;
    }
    return PyBool_FromLong(is_stable_text(text));
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
    const unsigned char *kind_of = kinds.buf;
    int width = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    int64_t visible = 0, punctuation = 0, words = 0, suspects = 0;
    int counted = 0; /* whether the word that we are in, if any, has been counted */
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(text); i++) {
        Py_UCS4 c = PyUnicode_READ(width, data, i);
        if (c == SOFT_HYPHEN) continue;
        int kind = kind_of[c], starts = (kind & FIRST) && !counted;
        words += starts;
        counted = kind & WORD && (counted || starts);
        visible += !(kind & BLANK);
        punctuation += (kind & PUNCTUATION) != 0;
        suspects += (kind & SUSPECT) != 0;
    }
    PyBuffer_Release(&kinds);
    return Py_BuildValue("LLLL", (long long)visible, (long long)punctuation, (long long)words, (long long)suspects);
}

/* Where `part` begins in a text, or NULL: first its first and last byte are looked for, sixteen places at a time. */
static const char *find(const char *text, Py_ssize_t size, const char *part, Py_ssize_t part_size) {
    const char *end = text + size - part_size + 1; /* it cannot begin there or later */
#ifdef __GNUC__
    typedef char Sixteen __attribute__((vector_size(16)));
    Sixteen first = part[0] - (Sixteen){0}, last = part[part_size - 1] - (Sixteen){0};
    for (; end - text >= 16; text += 16) {
        Sixteen here, there;
        uint64_t found[2];
        memcpy(&here, text, 16);
        memcpy(&there, text + part_size - 1, 16);
        here = (Sixteen)((here == first) & (there == last));
        memcpy(found, &here, 16);
        if (found[0] | found[1])
            for (int i = 0; i < 16; i++)
                if (!memcmp(text + i, part, part_size)) return text + i;
    }
#endif
    for (; text < end && (text = memchr(text, *part, end - text)); text++)
        if (!memcmp(text, part, part_size)) return text;
    return NULL;
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

/* How often some bytes have `<` and a name behind it, in letters of either case; the name is in small ones. */
static PyObject *tag_count(PyObject *module, PyObject *arguments) {
    PyObject *text, *name;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "SS", &text, &name)) return NULL;
    const char *at = PyBytes_AS_STRING(text), *end = at + PyBytes_GET_SIZE(text), *letters = PyBytes_AS_STRING(name);
    Py_ssize_t size = PyBytes_GET_SIZE(name);
    long long count = 0;
    while ((at = memchr(at, '<', end - at))) {
        at++;
        Py_ssize_t same = 0;
        while (same < size && same < end - at && (at[same] | 0x20) == letters[same]) same++;
        count += same == size;
    }
    return PyLong_FromLongLong(count);
}

/* Whether some beginning of a page has so many more start tags than end tags. */
static PyObject *may_be_deep(PyObject *module, PyObject *arguments) {
    PyObject *html;
    long long depth, open = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "SL", &html, &depth)) return NULL;
    const char *at = PyBytes_AS_STRING(html), *end = at + PyBytes_GET_SIZE(html);
    while (open <= depth && (at = memchr(at, '<', end - at))) {
        at++;
        open += at < end && *at == '/' ? -1 : 1;
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
    {"census", census, METH_VARARGS, "Visible characters, punctuation, words, suspects."},
    {"has_any", has_any, METH_VARARGS, "Whether bytes have one of several parts."},
    {"tag_count", tag_count, METH_VARARGS, "How often there is a tag that begins with a name."},
    {"may_be_deep", may_be_deep, METH_VARARGS, "Whether far more tags are opened than closed."},
    {"is_canonical", is_canonical, METH_VARARGS, "Whether an address is surely in canonical form."},
    {NULL, NULL, 0, NULL},
};
static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_scan", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__scan(void) { return PyModule_Create(&MODULE); }
