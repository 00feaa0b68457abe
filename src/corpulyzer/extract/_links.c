/* The links of links.py in C: those written as the standard would write them are made here, at a fifth of the
   time; all others are left to the resolver in Python, so that there is one place where addresses are parsed. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

enum { URL, ANCHOR, REL, HREFLANG, ELEMENT, FIELDS };               /* of a Link, and of a link not yet resolved */
enum { ANCHOR_HREF, ANCHOR_REL, ANCHOR_HREFLANG, ANCHOR_TEXT, ANCHOR_FIELDS };
enum { PAST_SCHEME = 8 };

typedef struct { const char *data; Py_ssize_t size; } Bytes;

typedef struct {
    PyObject *found;                       /* dict: each link once, in order */
    PyObject *type, *resolve, *is_plain;   /* Link; the resolver; whether an origin is written as it should be */
    PyObject *no_pages;                    /* tuple of ASCII text: how addresses of what is no page begin */
    Bytes origin, folder;                  /* of the page, empty if not plain */
    Bytes known;                           /* the plain origin that was met last */
    const char *plain;                     /* by byte: whether it stands for itself anywhere in an address */
    Py_ssize_t most_links, most_characters;
} Links;

static int begins(Bytes text, const char *with) {
    Py_ssize_t size = (Py_ssize_t)strlen(with);
    return text.size >= size && !memcmp(text.data, with, size);
}

static int is_space(char c) { return c == ' ' || (c >= 9 && c <= 13) || (c >= 28 && c <= 31); }

/* The address without fragment and without white space around it. */
static Bytes trimmed(PyObject *href) {
    Bytes text = {(const char *)PyUnicode_DATA(href), PyUnicode_GET_LENGTH(href)};
    const char *fragment = memchr(text.data, '#', text.size);
    if (fragment) text.size = fragment - text.data;
    while (text.size && is_space(text.data[text.size - 1])) text.size--;
    while (text.size && is_space(*text.data)) { text.data++; text.size--; }
    return text;
}

/* Whether every character stands for itself, and there is no `/.`, which may begin a step upwards. */
static int is_plain(const Links *links, Bytes text) {
    char before = '/';
    for (Py_ssize_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (!links->plain[(unsigned char)c] || (c == '.' && before == '/')) return 0;
        before = c;
    }
    return 1;
}

static char small(char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

/* Whether an address begins, in letters of either case, as what is no page does. */
static int is_no_page(const Links *links, Bytes text) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(links->no_pages); i++) {
        PyObject *scheme = PyTuple_GET_ITEM(links->no_pages, i);
        const char *letters = (const char *)PyUnicode_DATA(scheme);
        Py_ssize_t size = PyUnicode_GET_LENGTH(scheme), same = 0;
        while (same < size && same < text.size && small(text.data[same]) == letters[same]) same++;
        if (same == size) return 1;
    }
    return 0;
}

static PyObject *joined(Bytes start, Bytes end) {
    PyObject *whole = PyUnicode_New(start.size + end.size, 127);
    if (!whole) return NULL;
    memcpy(PyUnicode_DATA(whole), start.data, start.size);
    memcpy((char *)PyUnicode_DATA(whole) + start.size, end.data, end.size);
    return whole;
}

/* The size of the origin of an absolute address: all that is before a slash or a query. */
static Py_ssize_t origin_of(Bytes text) {
    Py_ssize_t size = PAST_SCHEME < text.size ? PAST_SCHEME : text.size;
    while (size < text.size && text.data[size] != '/' && text.data[size] != '?') size++;
    return size;
}

/* 1 if the first so many characters are a plain origin, -1 on an error. */
static int has_plain_origin(Links *links, Bytes text, Py_ssize_t size) {
    if (size == links->origin.size && !memcmp(text.data, links->origin.data, size)) return 1;
    if (size == links->known.size && !memcmp(text.data, links->known.data, size)) return 1;
    PyObject *answer = PyObject_CallFunction(links->is_plain, "s#", text.data, size);
    if (!answer) return -1;
    int plain = answer == Py_True;
    Py_DECREF(answer);
    if (plain) {
        links->known.data = text.data;
        links->known.size = size;
    }
    return plain;
}

/* The address that a link means, empty if none. */
static PyObject *target_of(Links *links, PyObject *href) {
    if (PyUnicode_IS_COMPACT_ASCII(href)) {
        static const Bytes root = {"/", 1};
        Bytes text = trimmed(href);
        Py_ssize_t start = text.data - (const char *)PyUnicode_DATA(href);
        if (!text.size || is_no_page(links, text)) return PyUnicode_New(0, 0);
        if (is_plain(links, text)) {
            if (begins(text, "http://") || begins(text, "https://")) {
                Py_ssize_t size = origin_of(text);
                int plain = size < text.size && text.data[size] == '?' ? 0 : has_plain_origin(links, text, size);
                if (plain < 0) return NULL;
                if (plain && size == text.size) return joined(text, root);
                if (plain) return PyUnicode_Substring(href, start, start + text.size);
            } else if (*text.data == '/') {
                if (links->origin.size && !begins(text, "//")) return joined(links->origin, text);
            } else if (links->folder.size && *text.data != '?' && !memchr(text.data, ':', text.size)) {
                return joined(links->folder, text);
            }
        }
    }
    PyObject *resolved = PyObject_CallOneArg(links->resolve, href);
    if (resolved && !PyUnicode_Check(resolved)) {
        Py_DECREF(resolved);
        PyErr_SetString(PyExc_TypeError, "an address is text");
        return NULL;
    }
    return resolved;
}

static PyObject *shared(PyObject *value) {
    Py_INCREF(value);
    return value;
}

static PyObject *in_lower_case(PyObject *text) {
    return PyUnicode_GET_LENGTH(text) ? PyObject_CallMethod(text, "lower", NULL) : shared(text);
}

/* Add a link with its target and three more fields, which it takes over; 0 on an error. */
static int add(Links *links, PyObject *fields[FIELDS]) {
    int whole = 1;
    for (int i = 0; i < FIELDS; i++) whole &= fields[i] != NULL;
    PyObject *link = whole ? ((PyTypeObject *)links->type)->tp_alloc((PyTypeObject *)links->type, FIELDS) : NULL;
    for (int i = 0; i < FIELDS; i++) {
        if (link) PyTuple_SET_ITEM(link, i, fields[i]);
        else Py_XDECREF(fields[i]);
    }
    int failed = !link || PyDict_SetItem(links->found, link, Py_None);
    Py_XDECREF(link);
    return !failed;
}

static int is_full(const Links *links) { return PyDict_GET_SIZE(links->found) >= links->most_links; }

static int has_fields(PyObject *record, Py_ssize_t count) {
    int right = PyTuple_Check(record) && PyTuple_GET_SIZE(record) == count;
    for (Py_ssize_t i = 0; right && i < count; i++) right = PyUnicode_Check(PyTuple_GET_ITEM(record, i));
    if (!right) PyErr_SetString(PyExc_TypeError, "a link is a tuple of texts");
    return right;
}

static int add_declared(Links *links, PyObject *list) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list) && !is_full(links); i++) {
        PyObject *link = PyList_GET_ITEM(list, i);
        if (!has_fields(link, FIELDS)) return 0;
        PyObject *target = target_of(links, PyTuple_GET_ITEM(link, URL));
        if (!target) return 0;
        PyObject *fields[FIELDS] = {target};
        if (!PyUnicode_GET_LENGTH(target)) {
            Py_DECREF(target);
            continue;
        }
        for (int k = ANCHOR; k < FIELDS; k++) fields[k] = shared(PyTuple_GET_ITEM(link, k));
        if (!add(links, fields)) return 0;
    }
    return 1;
}

static int add_anchors(Links *links, PyObject *list, PyObject *element) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list) && !is_full(links); i++) {
        PyObject *anchor = PyList_GET_ITEM(list, i);
        if (!has_fields(anchor, ANCHOR_FIELDS)) return 0;
        PyObject *target = target_of(links, PyTuple_GET_ITEM(anchor, ANCHOR_HREF));
        if (!target) return 0;
        if (!PyUnicode_GET_LENGTH(target)) {
            Py_DECREF(target);
            continue;
        }
        PyObject *fields[FIELDS] = {
            target,
            PyUnicode_Substring(PyTuple_GET_ITEM(anchor, ANCHOR_TEXT), 0, links->most_characters),
            in_lower_case(PyTuple_GET_ITEM(anchor, ANCHOR_REL)),
            shared(PyTuple_GET_ITEM(anchor, ANCHOR_HREFLANG)),
            shared(element),
        };
        if (!add(links, fields)) return 0;
    }
    return 1;
}

static PyObject *links(PyObject *module, PyObject *arguments) {
    PyObject *declared, *anchors, *element;
    Links links;
    Bytes plain;
    memset(&links, 0, sizeof links);
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!UO!nny#O!s#s#OO", &PyList_Type, &declared, &PyList_Type, &anchors, &element,
                          &PyType_Type, &links.type, &links.most_links, &links.most_characters, &plain.data,
                          &plain.size, &PyTuple_Type, &links.no_pages, &links.origin.data, &links.origin.size, &links.folder.data, &links.folder.size,
                          &links.resolve, &links.is_plain))
        return NULL;
    if (plain.size != 256 || !PyType_IsSubtype((PyTypeObject *)links.type, &PyTuple_Type)) {
        PyErr_SetString(PyExc_ValueError, "a table of bytes and a kind of tuple are needed");
        return NULL;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(links.no_pages); i++) {
        PyObject *scheme = PyTuple_GET_ITEM(links.no_pages, i);
        if (!PyUnicode_Check(scheme) || !PyUnicode_IS_COMPACT_ASCII(scheme)) {
            PyErr_SetString(PyExc_ValueError, "a tuple of ASCII texts is needed");
            return NULL;
        }
    }
    links.plain = plain.data;
    links.found = PyDict_New();
    if (!links.found) return NULL;
    int held = add_declared(&links, declared) && add_anchors(&links, anchors, element);
    PyObject *result = held ? PySequence_Tuple(links.found) : NULL;
    Py_DECREF(links.found);
    return result;
}

static PyMethodDef METHODS[] = {
    {"links", links, METH_VARARGS, "The distinct links of a page, absolute."},
    {NULL, NULL, 0, NULL},
};
static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_links", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__links(void) { return PyModule_Create(&MODULE); }
