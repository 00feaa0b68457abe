/* Records in C: one made of the values of its fields, a changed copy of one, each in a tenth of the time that
   `dataclasses` takes; and the paragraphs of a text. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include "_compiled.h"

/* Where the objects of a class with slots keep their field of a name, or -1 with an exception. */
static Py_ssize_t place_of(PyTypeObject *type, PyObject *name) {
    PyObject *slot = PyObject_GetAttr((PyObject *)type, name);
    Py_ssize_t place = -1;
    if (!slot) return -1;
    if (Py_IS_TYPE(slot, &PyMemberDescr_Type) && PyDescr_TYPE(slot) == type)
        place = ((PyMemberDescrObject *)slot)->d_member->offset;
    else
        PyErr_Format(PyExc_TypeError, "%s has no field %R", type->tp_name, name);
    Py_DECREF(slot); /* its class keeps it */
    return place;
}

static PyObject **field_at(PyObject *record, Py_ssize_t place) { return (PyObject **)((char *)record + place); }

/* Whether objects of a type keep all that they have in slots. */
static int has_slots(PyTypeObject *type) {
    return type->tp_base == &PyBaseObject_Type && !type->tp_dictoffset && type->tp_members;
}

/* The same record with some fields changed: `changed(record, name=value, ...)`. */
static PyObject *changed(PyObject *module, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
    (void)module;
    PyTypeObject *type = count == 1 ? Py_TYPE(arguments[0]) : NULL;
    if (!type || !has_slots(type)) {
        PyErr_SetString(PyExc_TypeError, "a record of a class with slots is needed, and fields by name");
        return NULL;
    }
    PyObject *record = arguments[0], *copy = type->tp_alloc(type, 0);
    if (!copy) return NULL;
    for (const PyMemberDef *slot = type->tp_members; slot->name; slot++) {
        PyObject *value = *field_at(record, slot->offset);
        Py_XINCREF(value);
        *field_at(copy, slot->offset) = value;
    }
    for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); i++) {
        Py_ssize_t place = place_of(type, PyTuple_GET_ITEM(names, i));
        if (place < 0) {
            Py_DECREF(copy);
            return NULL;
        }
        PyObject **field = field_at(copy, place);
        Py_INCREF(arguments[1 + i]);
        Py_XSETREF(*field, arguments[1 + i]);
    }
    return copy;
}

/* Makes records of a class: `Maker(class, names, defaults, factories)`, called with the values of the names.
   Defaults are values by the names of other fields, factories are called for theirs. */
typedef struct {
    PyObject_VAR_HEAD /* with the number of fields */
    vectorcallfunc call;
    PyTypeObject *type;
    PyObject *held; /* a list of the defaults and then the factories, in the order of their places */
    Py_ssize_t given, fixed;
    Py_ssize_t places[]; /* of values, of defaults, of what factories make */
} Maker;

static PyObject *make(PyObject *self, PyObject *const *values, size_t flags, PyObject *names) {
    Maker *maker = (Maker *)self;
    if (PyVectorcall_NARGS(flags) != maker->given || (names && PyTuple_GET_SIZE(names)))
        return PyErr_Format(PyExc_TypeError, "%s is made of %zd values", maker->type->tp_name, maker->given);
    PyObject *record = maker->type->tp_alloc(maker->type, 0);
    for (Py_ssize_t i = 0; record && i < Py_SIZE(maker); i++) {
        PyObject *value = i < maker->given ? values[i] : PyList_GET_ITEM(maker->held, i - maker->given);
        if (i < maker->given + maker->fixed) Py_INCREF(value);
        else value = PyObject_CallNoArgs(value);
        if (value) *field_at(record, maker->places[i]) = value;
        else Py_CLEAR(record);
    }
    return record;
}

/* Note the places of names from a number on; 0 with an exception if the class has no such field. */
static int take_places(Maker *maker, PyObject *names, Py_ssize_t from) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) {
        maker->places[from + i] = place_of(maker->type, PyTuple_GET_ITEM(names, i));
        if (maker->places[from + i] < 0) return 0;
        for (Py_ssize_t k = 0; k < from + i; k++)
            if (maker->places[k] == maker->places[from + i]) {
                PyErr_Format(PyExc_TypeError, "%R comes twice", PyTuple_GET_ITEM(names, i));
                return 0;
            }
    }
    return 1;
}

/* Hold the values of a dict, and note the places of its keys from a number on. */
static int take_values(Maker *maker, PyObject *values, Py_ssize_t from) {
    PyObject *keys = PyDict_Keys(values), *names = keys ? PyList_AsTuple(keys) : NULL, *each = PyDict_Values(values);
    Py_ssize_t end = PyList_GET_SIZE(maker->held);
    int held = names && each && take_places(maker, names, from) && !PyList_SetSlice(maker->held, end, end, each);
    Py_XDECREF(keys);
    Py_XDECREF(names);
    Py_XDECREF(each);
    return held;
}

static PyObject *new_maker(PyTypeObject *kind, PyObject *arguments, PyObject *keywords) {
    PyTypeObject *type;
    PyObject *names, *defaults, *factories;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "O!O!O!O!", &PyType_Type, &type, &PyTuple_Type, &names, &PyDict_Type, &defaults,
                          &PyDict_Type, &factories))
        return NULL;
    Py_ssize_t given = PyTuple_GET_SIZE(names), fixed = PyDict_GET_SIZE(defaults), fields = 0;
    for (const PyMemberDef *slot = type->tp_members; has_slots(type) && slot->name; slot++) fields++;
    if (!fields || given + fixed + PyDict_GET_SIZE(factories) != fields)
        return PyErr_Format(PyExc_TypeError, "%s has %zd fields in slots", type->tp_name, fields);
    Maker *maker = (Maker *)kind->tp_alloc(kind, fields);
    if (!maker) return NULL;
    maker->call = make;
    maker->type = (PyTypeObject *)Py_NewRef((PyObject *)type);
    maker->held = PyList_New(0);
    maker->given = given;
    maker->fixed = fixed;
    if (maker->held && take_places(maker, names, 0) && take_values(maker, defaults, given) &&
        take_values(maker, factories, given + fixed))
        return (PyObject *)maker;
    Py_DECREF(maker);
    return NULL;
}

static void let_maker_go(Maker *maker) {
    PyTypeObject *kind = Py_TYPE(maker);
    Py_XDECREF(maker->type);
    Py_XDECREF(maker->held);
    kind->tp_free(maker);
    Py_DECREF(kind);
}

static PyMemberDef MAKER_MEMBERS[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Maker, call), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};
static PyType_Slot MAKER_SLOTS[] = {
    {Py_tp_doc, "Makes records of a class out of the values of some of their fields."},
    {Py_tp_new, new_maker},
    {Py_tp_call, PyVectorcall_Call},
    {Py_tp_dealloc, let_maker_go},
    {Py_tp_members, MAKER_MEMBERS},
    {0, NULL},
};
static PyType_Spec MAKER = {"corpulyzer.native._compiled.Maker", offsetof(Maker, places), sizeof(Py_ssize_t),
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL, MAKER_SLOTS};

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

int add_record_to(PyObject *module) {
    PyObject *maker = PyType_FromSpec(&MAKER);
    int failed = !maker || PyModule_AddObjectRef(module, "Maker", maker);
    Py_XDECREF(maker);
    return failed ? -1 : PyModule_AddFunctions(module, METHODS);
}
