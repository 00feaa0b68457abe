/* Looks at all blocks of a page, for what a loop in Python would take longer than the walk: as dates/lines.py and
   unscripted.py have it. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "_compiled.h"

enum { TEXT, KIND, ELEMENT, WITHIN, LINKS, BLOCK_FIELDS = 8 }; /* of a block */
enum { FIGURES_OF_A_YEAR = 4 };

/* The text of a block and the bits of what it stands in; 0 with an exception if it is no block. */
static int read_block(PyObject *blocks, Py_ssize_t number, PyObject **text, long *within) {
    PyObject *block = PyList_GET_ITEM(blocks, number);
    if (!PyTuple_Check(block) || PyTuple_GET_SIZE(block) != BLOCK_FIELDS ||
        !PyUnicode_Check(*text = PyTuple_GET_ITEM(block, TEXT)) ||
        !PyUnicode_Check(PyTuple_GET_ITEM(block, KIND))) {
        PyErr_SetString(PyExc_TypeError, "blocks are needed");
        return 0;
    }
    *within = PyLong_AsLong(PyTuple_GET_ITEM(block, WITHIN));
    return *within != -1 || !PyErr_Occurred();
}

/* Whether the first characters of a text may have a year among them. */
static int may_have_year(PyObject *text, Py_ssize_t characters) {
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), figures = 0;
    if (length > characters) length = characters;
    switch (PyUnicode_KIND(text)) {
    case PyUnicode_1BYTE_KIND:
        for (Py_ssize_t i = 0; i < length; i++) figures += (Py_UCS1)(PyUnicode_1BYTE_DATA(text)[i] - '0') < 10;
        return figures >= FIGURES_OF_A_YEAR;
    case PyUnicode_2BYTE_KIND:
        for (Py_ssize_t i = 0; i < length; i++)
            if (Py_UNICODE_ISDECIMAL(PyUnicode_2BYTE_DATA(text)[i])) return 1;
        return 0;
    default:
        return 1;
    }
}

/* with_years(blocks, first, stop, beside, characters): the numbers of the blocks that may show a year. */
static PyObject *with_years(PyObject *module, PyObject *arguments) {
    PyObject *blocks, *text;
    Py_ssize_t first, stop, characters;
    long beside, within;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!nnln", &PyList_Type, &blocks, &first, &stop, &beside, &characters)) return NULL;
    if (stop > PyList_GET_SIZE(blocks)) stop = PyList_GET_SIZE(blocks);
    PyObject *found = PyList_New(0);
    for (Py_ssize_t i = first < 0 ? 0 : first; found && i < stop; i++) {
        if (!read_block(blocks, i, &text, &within)) {
            Py_CLEAR(found);
        } else if (!(within & beside) && may_have_year(text, characters)) {
            PyObject *number = PyLong_FromSsize_t(i);
            if (!number || PyList_Append(found, number)) Py_CLEAR(found);
            Py_XDECREF(number);
        }
    }
    return found;
}

/* Whether a title begins with the first characters of a text. */
static int begins_with(PyObject *title, PyObject *text, Py_ssize_t characters) {
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    if (length > characters) length = characters;
    if (length > PyUnicode_GET_LENGTH(title)) return 0;
    for (Py_ssize_t i = 0; i < length; i++)
        if (PyUnicode_READ_CHAR(title, i) != PyUnicode_READ_CHAR(text, i)) return 0;
    return 1;
}

/* place_of_title(blocks, title, least, characters, menu, beside): the number of the block that has the title of a page,
   else of the first heading, else 0. */
static PyObject *place_of_title(PyObject *module, PyObject *arguments) {
    PyObject *blocks, *title, *text;
    Py_ssize_t least, characters, heading = -1;
    long menu, beside, within;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!Unnll", &PyList_Type, &blocks, &title, &least, &characters, &menu, &beside))
        return NULL;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(blocks); i++) {
        if (!read_block(blocks, i, &text, &within)) return NULL;
        if (PyUnicode_GET_LENGTH(text) >= least && !(within & menu) && begins_with(title, text, characters))
            return PyLong_FromSsize_t(i);
        PyObject *kind = PyTuple_GET_ITEM(PyList_GET_ITEM(blocks, i), KIND);
        if (heading < 0 && !(within & beside) && PyUnicode_CompareWithASCIIString(kind, "h") == 0) heading = i;
    }
    return PyLong_FromSsize_t(heading < 0 ? 0 : heading);
}

/* shows_text(blocks, paragraph, least): whether paragraphs have at least so many characters outside links in all. */
static PyObject *shows_text(PyObject *module, PyObject *arguments) {
    PyObject *blocks, *text;
    Py_ssize_t paragraph, least, seen = 0;
    long within;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!nn", &PyList_Type, &blocks, &paragraph, &least)) return NULL;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(blocks); i++) {
        if (!read_block(blocks, i, &text, &within)) return NULL;
        Py_ssize_t links = PyLong_AsSsize_t(PyTuple_GET_ITEM(PyList_GET_ITEM(blocks, i), LINKS));
        if (links == -1 && PyErr_Occurred()) return NULL;
        Py_ssize_t own = PyUnicode_GET_LENGTH(text) - links;
        if (own >= paragraph) seen += own;
        if (seen >= least) Py_RETURN_TRUE;
    }
    Py_RETURN_FALSE;
}

static PyMethodDef METHODS[] = {
    {"with_years", with_years, METH_VARARGS, "The numbers of the blocks that may show a year."},
    {"place_of_title", place_of_title, METH_VARARGS, "The number of the block that has the title of a page."},
    {"shows_text", shows_text, METH_VARARGS, "Whether a page has paragraphs to see."},
    {NULL, NULL, 0, NULL},
};

int add_blocks_to(PyObject *module) { return PyModule_AddFunctions(module, METHODS); }
