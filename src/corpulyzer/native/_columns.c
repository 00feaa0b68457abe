/* Columns of columns.py in C: lists of tuples field by field, without an object for each value.

   Values of unexpected types are left to Python: the answer is None then. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#include "_buffers.h"
#include "_compiled.h"

enum { WHOLE = 'q', REAL = 'd', TEXT = 's', SIZES = 'm' /* of names, as a mapping */, MOST_FIELDS = 16 };

/* A field of all tuples: its numbers, or its texts, or where its mappings end and their names and numbers. */
typedef struct {
    char kind;
    Buffer numbers, ends;
    Column texts;
} Field;

/* Each adds a value and returns 1, or 0 where it is of another kind, or where an exception is set. */
static int add_whole(Buffer *numbers, PyObject *value) {
    int overflow = 0;
    int64_t number = PyLong_CheckExact(value) ? PyLong_AsLongLongAndOverflow(value, &overflow) : 0;
    return PyLong_CheckExact(value) && !overflow && append(numbers, &number, sizeof number);
}

static int add_sizes(Field *field, PyObject *mapping) {
    PyObject *name, *size;
    Py_ssize_t at = 0;
    if (!PyDict_CheckExact(mapping)) return 0;
    while (PyDict_Next(mapping, &at, &name, &size))
        if (!PyUnicode_Check(name) || !add_text(&field->texts, name) || !add_whole(&field->numbers, size)) return 0;
    return add_end_of(&field->ends, field->numbers.size / sizeof(int64_t));
}

static int add_value(Field *field, PyObject *value) {
    switch (field->kind) {
    case WHOLE:
        return add_whole(&field->numbers, value);
    case TEXT:
        return PyUnicode_Check(value) && add_text(&field->texts, value);
    case SIZES:
        return add_sizes(field, value);
    default: {
        double number = PyFloat_Check(value) ? PyFloat_AS_DOUBLE(value) : 0;
        return PyFloat_Check(value) && append(&field->numbers, &number, sizeof number);
    }
    }
}

static int add_tuples(Field *fields, Py_ssize_t count, PyObject *tuples) {
    int held = PyTuple_Check(tuples);
    for (Py_ssize_t i = 0; held && i < PyTuple_GET_SIZE(tuples); i++) {
        PyObject *tuple = PyTuple_GET_ITEM(tuples, i);
        held = PyTuple_Check(tuple) && PyTuple_GET_SIZE(tuple) == count;
        for (Py_ssize_t k = 0; held && k < count; k++) held = add_value(&fields[k], PyTuple_GET_ITEM(tuple, k));
    }
    return held;
}

static PyObject *made_of(Field *field) {
    switch (field->kind) {
    case TEXT:
        return pair_of(&field->texts);
    case SIZES:
        return Py_BuildValue("(NNN)", bytes_of(&field->ends), pair_of(&field->texts), bytes_of(&field->numbers));
    default:
        return bytes_of(&field->numbers);
    }
}

static PyObject *result(Buffer *ends, Field *fields, Py_ssize_t count) {
    PyObject *columns = PyTuple_New(count);
    for (Py_ssize_t i = 0; columns && i < count; i++) {
        PyObject *column = made_of(&fields[i]);
        if (!column) Py_CLEAR(columns);
        else PyTuple_SET_ITEM(columns, i, column);
    }
    return columns ? Py_BuildValue("(NN)", bytes_of(ends), columns) : NULL;
}

/* columns(groups, kinds): where each group of tuples ends, and the columns of all. */
static PyObject *columns(PyObject *module, PyObject *arguments) {
    PyObject *groups;
    const char *kinds;
    Py_ssize_t count;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!s#", &PyList_Type, &groups, &kinds, &count)) return NULL;
    if (count > MOST_FIELDS) Py_RETURN_NONE;
    Field fields[MOST_FIELDS];
    Buffer ends = {0};
    memset(fields, 0, sizeof fields);
    int held = add_end_of(&ends, 0);
    for (Py_ssize_t i = 0; held && i < count; i++) {
        fields[i].kind = kinds[i];
        held = add_end_of(&fields[i].texts.offsets, 0) && add_end_of(&fields[i].ends, 0);
    }
    size_t all = 0;
    for (Py_ssize_t i = 0; held && i < PyList_GET_SIZE(groups); i++) {
        PyObject *tuples = PyList_GET_ITEM(groups, i);
        held = add_tuples(fields, count, tuples);
        if (held) held = add_end_of(&ends, all += (size_t)PyTuple_GET_SIZE(tuples));
    }
    PyObject *made = held ? result(&ends, fields, count) : NULL;
    for (Py_ssize_t i = 0; i < count; i++) {
        let_column_go(&fields[i].texts);
        Py_XDECREF(fields[i].numbers.bytes);
        Py_XDECREF(fields[i].ends.bytes);
    }
    Py_XDECREF(ends.bytes);
    if (held) return made;
    PyErr_Clear(); /* Python comes to the same error */
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"columns", columns, METH_VARARGS, "The columns of groups of tuples."},
    {NULL, NULL, 0, NULL},
};

int add_columns_to(PyObject *module) { return PyModule_AddFunctions(module, METHODS); }
