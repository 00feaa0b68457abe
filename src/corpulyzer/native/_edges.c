/* The edges of page/edges.py in C: its columns of text as Arrow lays them out, without an object for each value.

   Addresses in canonical form are taken as they are, and most others are made so here; what is not plain is left to
   Python. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#include "_ascii.h"
#include "_buffers.h"
#include "_canonical.h"
#include "_compiled.h"

enum { URL, ANCHOR, REL, HREFLANG, ELEMENT, FIELDS }; /* of a Link */
enum { TARGET, SITE, SPELLING, FIRST_FIELD, COLUMNS = FIRST_FIELD + FIELDS - ANCHOR };
enum { PAST_SCHEME = 8 };

typedef struct {
    Column columns[COLUMNS];
    Buffer ids;
    PyObject *end, *site_of, *key; /* the end of an edge in Python; the site of an origin; the key of bytes */
    Noise noise;
} Edges;

static int add_id(Edges *edges, int64_t id) { return append(&edges->ids, &id, sizeof id); }

/* The size of the host of an address if it is written plainly, as host_of in url.py has it; otherwise 0. */
static size_t plain_host(const char *host, const char *end) {
    const char *at = host;
    for (; at < end && *at != '/'; at++) {
        int is_letter = *at >= 'a' && *at <= 'z', is_digit = *at >= '0' && *at <= '9';
        if (!is_letter && !is_digit && *at != '.' && *at != '-' && *at != '_') return 0;
        if (*at == 'x' && end - at > 3 && !memcmp(at, "xn--", 4)) return 0;
    }
    if (at == end || at == host || at[-1] == '.' || (at[-1] >= '0' && at[-1] <= '9')) return 0;
    return at - host;
}

/* Add the site of an address in canonical form; 0 on an error. */
static int add_site(Edges *edges, const char *data, size_t size) {
    Column *column = &edges->columns[SITE];
    const char *host = data + (data[4] == 's' ? 8 : 7);
    size_t count = plain_host(host, data + size);
    if (count) {
        int is_www = count > 4 && !memcmp(host, "www.", 4) && memchr(host + 4, '.', count - 4);
        return add_bytes(column, is_www ? host + 4 : host, is_www ? count - 4 : count);
    }
    const char *slash = size > PAST_SCHEME ? memchr(data + PAST_SCHEME, '/', size - PAST_SCHEME) : NULL;
    PyObject *site = PyObject_CallFunction(edges->site_of, "s#", data, (Py_ssize_t)(slash ? slash + 1 - data : 0));
    int held = site && add_text(column, site);
    Py_XDECREF(site);
    return held;
}

static int add_canonical(Edges *edges, const char *data, size_t size, const Spelling *spelling) {
    PyObject *bytes = PyBytes_FromStringAndSize(data, (Py_ssize_t)size);
    PyObject *key = bytes ? PyObject_CallOneArg(edges->key, bytes) : NULL;
    Py_XDECREF(bytes);
    if (!key) return 0;
    uint64_t id = PyLong_AsUnsignedLongLongMask(key); /* it has 64 bits: a check would take as long */
    Py_DECREF(key);
    if (PyErr_Occurred()) return 0;
    return add_bytes(&edges->columns[TARGET], data, size) && add_site(edges, data, size) &&
           add_bytes(&edges->columns[SPELLING], spelling->data, spelling->size) && add_id(edges, (int64_t)id);
}

/* 1 if the address is the end of an edge, which is then added; 0 if it is none, -1 on an error. */
static int add_other(Edges *edges, PyObject *url) {
    PyObject *end = PyObject_CallOneArg(edges->end, url), *target, *site, *spelling;
    if (!end) return -1;
    long long id;
    int held = end == Py_None ? 0 : -1;
    if (PyTuple_Check(end) && PyArg_ParseTuple(end, "UULU", &target, &site, &id, &spelling))
        held = add_text(&edges->columns[TARGET], target) && add_text(&edges->columns[SITE], site) &&
                       add_text(&edges->columns[SPELLING], spelling) && add_id(edges, id)
                   ? 1
                   : -1;
    else if (held && !PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "an end is a target, a site, a key and a spelling");
    Py_DECREF(end);
    return held;
}

/* The same, in C if the canonical form can be checked or made here. */
static int add_end(Edges *edges, PyObject *url) {
    char made[MAX_ADDRESS];
    Spelling spelling;
    spelling.size = 0;
    if (!PyUnicode_IS_COMPACT_ASCII(url)) return add_other(edges, url);
    const char *data = (const char *)PyUnicode_DATA(url);
    size_t size = (size_t)PyUnicode_GET_LENGTH(url);
    if (!is_canonical_address(url, edges->noise.suspects)) {
        size = canonical_into(&edges->noise, data, size, made, &spelling);
        data = made;
    }
    return !size ? add_other(edges, url) : add_canonical(edges, data, size, &spelling) ? 1 : -1;
}

/* 1 if the link was added, 0 if it is no edge, -1 on an error. */
static int add_link(Edges *edges, PyObject *link) {
    int right = PyTuple_Check(link) && PyTuple_GET_SIZE(link) == FIELDS;
    for (int i = 0; right && i < FIELDS; i++) right = PyUnicode_Check(PyTuple_GET_ITEM(link, i));
    if (!right) {
        PyErr_SetString(PyExc_TypeError, "a link is a tuple of texts");
        return -1;
    }
    int held = add_end(edges, PyTuple_GET_ITEM(link, URL));
    for (int i = ANCHOR; held > 0 && i < FIELDS; i++)
        if (!add_text(&edges->columns[FIRST_FIELD + i - ANCHOR], PyTuple_GET_ITEM(link, i))) held = -1;
    return held;
}

/* The number of edges of a page, -1 on an error. */
static Py_ssize_t add_page(Edges *edges, PyObject *links) {
    if (!PyTuple_Check(links)) {
        PyErr_SetString(PyExc_TypeError, "the links of a page are a tuple");
        return -1;
    }
    Py_ssize_t count = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(links); i++) {
        int added = add_link(edges, PyTuple_GET_ITEM(links, i));
        if (added < 0) return -1;
        count += added;
    }
    return count;
}

static PyObject *result(Edges *edges, PyObject *counts) {
    PyObject *columns = PyTuple_New(COLUMNS);
    if (!columns) return NULL;
    for (int i = 0; i < COLUMNS; i++) {
        PyObject *pair = pair_of(&edges->columns[i]);
        if (!pair) { Py_DECREF(columns); return NULL; }
        PyTuple_SET_ITEM(columns, i, pair);
    }
    return Py_BuildValue("(ONN)", counts, bytes_of(&edges->ids), columns);
}

static PyObject *edges(PyObject *module, PyObject *arguments) {
    PyObject *pages, *counts;
    Py_ssize_t size;
    Edges edges;
    memset(&edges, 0, sizeof edges);
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!(y#O!O!O!)OOO", &PyList_Type, &pages, &edges.noise.suspects, &size,
                          &PyTuple_Type, &edges.noise.names, &PyTuple_Type, &edges.noise.beginnings, &PyTuple_Type,
                          &edges.noise.sessions, &edges.end, &edges.site_of, &edges.key))
        return NULL;
    if (size != SUSPECTS || !are_ascii(edges.noise.names) || !are_ascii(edges.noise.beginnings) ||
        !are_ascii(edges.noise.sessions)) {
        PyErr_SetString(PyExc_ValueError, "a table of pairs of bytes and names in ASCII are needed");
        return NULL;
    }
    if (!(counts = PyList_New(0))) return NULL;
    int held = 1;
    for (int i = 0; i < COLUMNS; i++) held = held && add_end_of(&edges.columns[i].offsets, 0);
    for (Py_ssize_t i = 0; held && i < PyList_GET_SIZE(pages); i++) {
        Py_ssize_t count = add_page(&edges, PyList_GET_ITEM(pages, i));
        PyObject *number = count < 0 ? NULL : PyLong_FromSsize_t(count);
        held = number && !PyList_Append(counts, number);
        Py_XDECREF(number);
    }
    PyObject *made = held ? result(&edges, counts) : NULL;
    Py_DECREF(counts);
    for (int i = 0; i < COLUMNS; i++) let_column_go(&edges.columns[i]);
    Py_XDECREF(edges.ids.bytes);
    return made;
}

static PyMethodDef METHODS[] = {
    {"edges", edges, METH_VARARGS, "The edges of pages: how many of each, keys, and columns of text."},
    {NULL, NULL, 0, NULL},
};

int add_edges_to(PyObject *module) { return PyModule_AddFunctions(module, METHODS); }
