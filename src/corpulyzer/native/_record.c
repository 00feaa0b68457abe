/* Records in C: a changed copy, field by field, a tenth of what `dataclasses.replace` takes; and the paragraphs of
   a text. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include "_compiled.h"

/* Where an object of a class with slots keeps its field of a name, or NULL with an exception. */
static PyObject **field_of(PyObject *record, PyObject *name) {
    PyObject *slot = PyObject_GetAttr((PyObject *)Py_TYPE(record), name);
    PyObject **field = NULL;
    if (!slot) return NULL;
    if (Py_IS_TYPE(slot, &PyMemberDescr_Type) && PyDescr_TYPE(slot) == Py_TYPE(record))
        field = (PyObject **)((char *)record + ((PyMemberDescrObject *)slot)->d_member->offset);
    else
        PyErr_Format(PyExc_TypeError, "%s has no field %R", Py_TYPE(record)->tp_name, name);
    Py_DECREF(slot); /* its class keeps it */
    return field;
}

/* The same record with some fields changed: `changed(record, name=value, ...)`. */
static PyObject *changed(PyObject *module, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
    (void)module;
    PyTypeObject *type = count == 1 ? Py_TYPE(arguments[0]) : NULL;
    if (!type || type->tp_base != &PyBaseObject_Type || type->tp_dictoffset || !type->tp_members) {
        PyErr_SetString(PyExc_TypeError, "a record of a class with slots is needed, and fields by name");
        return NULL;
    }
    PyObject *record = arguments[0], *copy = type->tp_alloc(type, 0);
    if (!copy) return NULL;
    for (const PyMemberDef *slot = type->tp_members; slot->name; slot++) {
        PyObject *value = *(PyObject **)((char *)record + slot->offset);
        Py_XINCREF(value);
        *(PyObject **)((char *)copy + slot->offset) = value;
    }
    for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); i++) {
        PyObject **field = field_of(copy, PyTuple_GET_ITEM(names, i));
        if (!field) {
            Py_DECREF(copy);
            return NULL;
        }
        Py_INCREF(arguments[1 + i]);
        Py_XSETREF(*field, arguments[1 + i]);
    }
    return copy;
}

enum { START, END, KIND, LANGUAGE, CONFIDENCE, LANGUAGES, FIELDS }; /* of a paragraph */
enum { TEXT, TEXT_KIND, LEAST };                                    /* of what it is made of */

/* The paragraph of a kind from `start` to `end` of a text, of no language yet. */
static PyObject *paragraph_of(PyTypeObject *type, Py_ssize_t start, Py_ssize_t end, PyObject *kind, PyObject *none) {
    PyObject *made = type->tp_alloc(type, FIELDS);
    if (!made) return NULL;
    Py_INCREF(kind);
    Py_INCREF(none);
    PyTuple_SET_ITEM(made, START, PyLong_FromSsize_t(start));
    PyTuple_SET_ITEM(made, END, PyLong_FromSsize_t(end));
    PyTuple_SET_ITEM(made, KIND, kind);
    PyTuple_SET_ITEM(made, LANGUAGE, none);
    PyTuple_SET_ITEM(made, CONFIDENCE, PyFloat_FromDouble(0));
    PyTuple_SET_ITEM(made, LANGUAGES, PyDict_New());
    if (PyErr_Occurred()) Py_CLEAR(made);
    return made;
}

/* Add the texts of paragraphs that are not empty, and their spans in the text of all; 0 and an exception if not. */
static int add_paragraphs(PyObject *paragraphs, PyTypeObject *type, PyObject *none, PyObject *texts, PyObject *spans) {
    Py_ssize_t start = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(paragraphs); i++) {
        PyObject *paragraph = PyList_GET_ITEM(paragraphs, i);
        if (!PyTuple_Check(paragraph) || PyTuple_GET_SIZE(paragraph) < LEAST ||
            !PyUnicode_Check(PyTuple_GET_ITEM(paragraph, TEXT))) {
            PyErr_SetString(PyExc_TypeError, "a paragraph begins with its text and its kind");
            return 0;
        }
        PyObject *text = PyTuple_GET_ITEM(paragraph, TEXT), *kind = PyTuple_GET_ITEM(paragraph, TEXT_KIND);
        Py_ssize_t length = PyUnicode_GET_LENGTH(text);
        if (!length) continue;
        PyObject *span = paragraph_of(type, start, start + length, kind, none);
        int failed = !span || PyList_Append(spans, span) || PyList_Append(texts, text);
        Py_XDECREF(span);
        if (failed) return 0;
        start += length + 1;
    }
    return 1;
}

/* joined(paragraphs, type, none): their text, one a line, and the spans of each. */
static PyObject *joined(PyObject *module, PyObject *arguments) {
    PyObject *paragraphs, *none, *made = NULL;
    PyTypeObject *type;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!U", &PyList_Type, &paragraphs, &PyType_Type, &type, &none)) return NULL;
    if (!PyType_IsSubtype(type, &PyTuple_Type) || type->tp_basicsize != PyTuple_Type.tp_basicsize) {
        PyErr_SetString(PyExc_TypeError, "paragraphs are tuples and nothing more");
        return NULL;
    }
    PyObject *texts = PyList_New(0), *spans = PyList_New(0), *newline = PyUnicode_FromString("\n");
    if (texts && spans && newline && add_paragraphs(paragraphs, type, none, texts, spans))
        made = Py_BuildValue("(NN)", PyUnicode_Join(newline, texts), PyList_AsTuple(spans));
    Py_XDECREF(texts);
    Py_XDECREF(spans);
    Py_XDECREF(newline);
    return made;
}

static PyMethodDef METHODS[] = {
    {"changed", (PyCFunction)(void (*)(void))changed, METH_FASTCALL | METH_KEYWORDS, "A changed copy of a record."},
    {"joined", joined, METH_VARARGS, "The text of paragraphs and their spans in it."},
    {NULL, NULL, 0, NULL},
};

int add_record_to(PyObject *module) { return PyModule_AddFunctions(module, METHODS); }
