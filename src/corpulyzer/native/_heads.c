/* Header lines of records and of HTTP messages, as heads.py reads them. Lines beyond ASCII are left to Python. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "_compiled.h"

typedef struct { const char *at, *end; } Span;

/* White space among ASCII, as Python's str.strip has it. */
static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 28 && c <= 31); }

static Span stripped(const char *at, const char *end) {
    while (at < end && is_space(*at)) at++;
    while (at < end && is_space(end[-1])) end--;
    return (Span){at, end};
}

static PyObject *text_of(Span span) { return PyUnicode_FromStringAndSize(span.at, span.end - span.at); }

/* A name in small letters. */
static PyObject *name_of(Span span) {
    PyObject *name = PyUnicode_New(span.end - span.at, 127);
    if (!name) return NULL;
    for (Py_UCS1 *to = PyUnicode_1BYTE_DATA(name); span.at < span.end; span.at++, to++)
        *to = (Py_UCS1)(*span.at >= 'A' && *span.at <= 'Z' ? *span.at + 'a' - 'A' : *span.at);
    return name;
}

/* Add a value under a name, behind what is there already: 0, or -1 and an error. */
static int add_value(PyObject *found, PyObject *name, Span span, const char *between) {
    PyObject *value = text_of(span), *before = PyDict_GetItemWithError(found, name);
    if (value && before) Py_SETREF(value, PyUnicode_FromFormat("%U%s%U", before, between, value));
    int failed = !value || PyErr_Occurred() || PyDict_SetItem(found, name, value);
    Py_XDECREF(value);
    return failed ? -1 : 0;
}

/* Take one line: 0, or -1 and an error. `name` is that of the line before, which a folded line goes on with. */
static int take_line(PyObject *found, const char *at, const char *end, PyObject **name) {
    if (at < end && (*at == ' ' || *at == '\t')) return *name ? add_value(found, *name, stripped(at, end), " ") : 0;
    const char *colon = at < end ? memchr(at, ':', (size_t)(end - at)) : NULL;
    Span written = colon ? stripped(at, colon) : (Span){at, at};
    Py_CLEAR(*name);
    if (written.at == written.end) return 0;
    *name = name_of(written);
    return *name ? add_value(found, *name, stripped(colon + 1, end), ", ") : -1;
}

/* fields(lines): the values by name, or None where they have bytes beyond ASCII. */
static PyObject *fields(PyObject *module, PyObject *lines) {
    (void)module;
    if (!PyBytes_Check(lines)) {
        PyErr_SetString(PyExc_TypeError, "bytes are needed");
        return NULL;
    }
    const char *at = PyBytes_AS_STRING(lines), *end = at + PyBytes_GET_SIZE(lines);
    for (const char *each = at; each < end; each++)
        if ((unsigned char)*each > 127) Py_RETURN_NONE;
    PyObject *found = PyDict_New(), *name = NULL;
    while (found && at <= end) {
        const char *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        if (take_line(found, at, stop ? stop : end, &name) < 0) Py_CLEAR(found);
        at = (stop ? stop : end) + 1;
    }
    Py_XDECREF(name);
    return found;
}

static PyMethodDef METHODS[] = {
    {"fields", fields, METH_O, "Header lines by name."},
    {NULL, NULL, 0, NULL},
};

int add_heads_to(PyObject *module) { return PyModule_AddFunctions(module, METHODS); }
