/* The languages of the paragraphs of a page, as in told.py and cld2.py. Values of unexpected types are left to
   Python: the answer is None then. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

#include "_compiled.h"

enum { START, END, KIND, LANGUAGE, CONFIDENCE, LANGUAGES, FIELDS };           /* of a paragraph */
enum { TOLD_LANGUAGE, TOLD_CONFIDENCE, TOLD_LANGUAGES, TOLD_FIELDS };         /* of what an identifier says */
enum { FIRST_BYTE, BYTES, NAME, CODE, VECTOR_FIELDS };                        /* of a vector of CLD2 */
enum { LARGEST = 1 << 30, NO_NUMBER = -1, DETAILS = 2, VECTORS = 3, RESULTS = 4 };

/* A whole number of a size that texts have, or NO_NUMBER. */
static long long number_of(PyObject *value) {
    int overflow = 0;
    long long number = PyLong_CheckExact(value) ? PyLong_AsLongLongAndOverflow(value, &overflow) : NO_NUMBER;
    return overflow || number < 0 || number > LARGEST ? NO_NUMBER : number;
}

static int is_tuple(PyObject *value, Py_ssize_t fields) {
    return PyTuple_Check(value) && PyTuple_GET_SIZE(value) == fields;
}

/* Start and length of a paragraph; 0 where it is no span of a text of so many characters. */
static int has_span(PyObject *paragraph, long long length, long long *start, long long *end) {
    if (!is_tuple(paragraph, FIELDS)) return 0;
    *start = number_of(PyTuple_GET_ITEM(paragraph, START));
    *end = number_of(PyTuple_GET_ITEM(paragraph, END));
    return 0 <= *start && *start <= *end && *end <= length;
}

/* texts_of(text, paragraphs): the text of each paragraph. */
static PyObject *texts_of(PyObject *module, PyObject *arguments) {
    PyObject *text, *paragraphs;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "UO!", &text, &PyTuple_Type, &paragraphs)) return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(paragraphs);
    PyObject *texts = PyList_New(count);
    for (Py_ssize_t i = 0; texts && i < count; i++) {
        long long start, end;
        if (!has_span(PyTuple_GET_ITEM(paragraphs, i), PyUnicode_GET_LENGTH(text), &start, &end)) {
            Py_DECREF(texts);
            Py_RETURN_NONE;
        }
        PyObject *one = PyUnicode_Substring(text, (Py_ssize_t)start, (Py_ssize_t)end);
        if (!one) Py_CLEAR(texts);
        else PyList_SET_ITEM(texts, i, one);
    }
    return texts;
}

/* Add to the bytes of a language. */
static int add_bytes(PyObject *sums, PyObject *language, long long size) {
    PyObject *before = PyDict_GetItemWithError(sums, language);
    if (!before && PyErr_Occurred()) return -1;
    PyObject *sum = PyLong_FromLongLong(size + (before ? PyLong_AsLongLong(before) : 0));
    int failed = !sum || PyDict_SetItem(sums, language, sum);
    Py_XDECREF(sum);
    return failed ? -1 : 0;
}

typedef struct {
    PyObject *vectors, *name_of, *none; /* the last for bytes that are of no language */
    Py_ssize_t next;
    long long end;      /* where the stretch ends that we are in */
    PyObject *language; /* of it; ours */
} Stretches;

/* Go to the next stretch: 1, or 0 where the vectors are not as they should be, or -1 and an error. */
static int step(Stretches *stretches) {
    PyObject *language = stretches->none;
    long long start, size;
    if (stretches->next == PyTuple_GET_SIZE(stretches->vectors)) {
        stretches->end = PY_SSIZE_T_MAX;
        Py_INCREF(language);
    } else {
        PyObject *vector = PyTuple_GET_ITEM(stretches->vectors, stretches->next);
        if (!is_tuple(vector, VECTOR_FIELDS)) return 0;
        start = number_of(PyTuple_GET_ITEM(vector, FIRST_BYTE));
        size = number_of(PyTuple_GET_ITEM(vector, BYTES));
        if (start < 0 || size < 0) return 0;
        if (start > stretches->end) {
            stretches->end = start;
            Py_INCREF(language);
        } else {
            if (start + size > stretches->end) stretches->end = start + size;
            language = PyObject_CallFunctionObjArgs(stretches->name_of, PyTuple_GET_ITEM(vector, CODE), NULL);
            stretches->next++;
            if (!language) return -1;
            if (!PyUnicode_Check(language)) {
                Py_DECREF(language);
                return 0;
            }
        }
    }
    Py_XSETREF(stretches->language, language);
    return 1;
}

/* The bytes from `start` on by language, of a paragraph that goes on in other stretches; NULL: see `went`. */
static PyObject *parts_of(Stretches *stretches, long long start, long long end, int *went) {
    PyObject *parts = PyDict_New();
    *went = parts && !add_bytes(parts, stretches->language, stretches->end - start) ? 1 : -1;
    while (*went > 0 && stretches->end < end) {
        long long position = stretches->end;
        *went = step(stretches);
        if (*went > 0 &&
            add_bytes(parts, stretches->language, (stretches->end < end ? stretches->end : end) - position) < 0)
            *went = -1;
    }
    if (*went <= 0) Py_CLEAR(parts);
    return parts;
}

/* Whether instances of a type are tuples and nothing more. */
static int is_plain_tuple(PyTypeObject *type) {
    return PyType_IsSubtype(type, &PyTuple_Type) && type->tp_itemsize == PyTuple_Type.tp_itemsize &&
           type->tp_basicsize == PyTuple_Type.tp_basicsize;
}

/* What is said of a paragraph that lies in one stretch. */
static PyObject *of_one(const Stretches *stretches, PyTypeObject *type, long long size) {
    int known = size && PyUnicode_Compare(stretches->language, stretches->none);
    PyObject *sizes = PyDict_New(), *sure = PyFloat_FromDouble(known ? 1.0 : 0.0), *made = NULL;
    if (sizes && sure && (!size || !add_bytes(sizes, stretches->language, size))) made = type->tp_alloc(type, TOLD_FIELDS);
    if (!made) {
        Py_XDECREF(sizes);
        Py_XDECREF(sure);
        return NULL;
    }
    PyObject *language = known ? stretches->language : stretches->none;
    Py_INCREF(language);
    PyTuple_SET_ITEM(made, TOLD_LANGUAGE, language);
    PyTuple_SET_ITEM(made, TOLD_CONFIDENCE, sure);
    PyTuple_SET_ITEM(made, TOLD_LANGUAGES, sizes);
    return made;
}

/* by_stretches(raw, count, vectors, name_of, none, Identified, of_several): what CLD2 says of each line. */
static PyObject *by_stretches(PyObject *module, PyObject *arguments) {
    PyObject *raw, *several;
    PyTypeObject *type;
    Py_ssize_t count;
    Stretches stretches = {NULL, NULL, NULL, 0, 0, NULL};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "SnO!OUO!O", &raw, &count, &PyTuple_Type, &stretches.vectors, &stretches.name_of,
                          &stretches.none, &PyType_Type, &type, &several))
        return NULL;
    const char *bytes = PyBytes_AS_STRING(raw), *line = bytes, *last = bytes + PyBytes_GET_SIZE(raw);
    if (!is_plain_tuple(type) || count < 1 || last - bytes > LARGEST) Py_RETURN_NONE;
    PyObject *found = PyList_New(0);
    int went = found ? 1 : -1;
    for (Py_ssize_t i = 0; went > 0 && i < count; i++) {
        const char *stop = memchr(line, '\n', (size_t)(last - line));
        long long start = line - bytes, end = (stop ? stop : last) - bytes;
        if ((i + 1 < count) != (stop != NULL)) went = 0; /* a paragraph has several lines */
        while (went > 0 && stretches.end <= start) went = step(&stretches);
        PyObject *made = NULL;
        if (went > 0 && end <= stretches.end) {
            made = of_one(&stretches, type, end - start);
        } else if (went > 0) {
            PyObject *parts = parts_of(&stretches, start, end, &went);
            if (parts) made = PyObject_CallFunctionObjArgs(several, parts, NULL);
            Py_XDECREF(parts);
        }
        if (went > 0 && (!made || PyList_Append(found, made) < 0)) went = -1;
        Py_XDECREF(made);
        line = stop ? stop + 1 : last;
    }
    Py_XDECREF(stretches.language);
    if (went > 0) return found;
    Py_XDECREF(found);
    if (went < 0) return NULL;
    Py_RETURN_NONE;
}

typedef struct {
    PyObject *sums, *target;
    PyObject *language; /* the one that is being summed up; of a dictionary that is in use */
    long long sum;
    double characters;
} Page;

/* Bring what was summed up into the dictionary. */
static int settle(Page *page) { return page->language ? add_bytes(page->sums, page->language, page->sum) : 0; }

/* Count the bytes of a paragraph: 1, or 0 where they are not as they should be, or -1 and an error. */
static int count_bytes(Page *page, PyObject *sizes, long long length) {
    PyObject *language, *value;
    Py_ssize_t at = 0;
    long long all = 0, of_target = NO_NUMBER;
    while (PyDict_Next(sizes, &at, &language, &value)) {
        long long size = number_of(value);
        if (!PyUnicode_CheckExact(language) || size < 0) return 0;
        if (language != page->language) {
            if (settle(page) < 0) return -1;
            page->language = language;
            page->sum = 0;
        }
        page->sum += size;
        all += size;
        if (language == page->target || PyUnicode_Compare(language, page->target) == 0) of_target = size;
    }
    if (of_target < 0) return 1;
    if (PyDict_GET_SIZE(sizes) == 1) {
        page->characters += (double)length;
    } else {
        if (!all) return 0;
        /* In steps: a fused product and sum would be rounded differently from Python. */
        volatile double share = (double)of_target / (double)all, part = (double)length * share;
        page->characters += part;
    }
    return 1;
}

/* The paragraph with what was found of it. */
static PyObject *labelled(PyTypeObject *type, PyObject *paragraph, PyObject *found) {
    PyObject *made = type->tp_alloc(type, FIELDS);
    if (!made) return NULL;
    PyObject *fields[FIELDS] = {
        PyTuple_GET_ITEM(paragraph, START),      PyTuple_GET_ITEM(paragraph, END),
        PyTuple_GET_ITEM(paragraph, KIND),       PyTuple_GET_ITEM(found, TOLD_LANGUAGE),
        PyTuple_GET_ITEM(found, TOLD_CONFIDENCE), PyTuple_GET_ITEM(found, TOLD_LANGUAGES),
    };
    for (int i = 0; i < FIELDS; i++) {
        Py_INCREF(fields[i]);
        PyTuple_SET_ITEM(made, i, fields[i]);
    }
    return made;
}

static int label(Page *page, PyObject *paragraphs, PyObject *found, PyTypeObject *type, PyObject *made) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(paragraphs); i++) {
        PyObject *paragraph = PyTuple_GET_ITEM(paragraphs, i), *each = PyList_GET_ITEM(found, i);
        long long start, end;
        if (!has_span(paragraph, LARGEST, &start, &end) || !is_tuple(each, TOLD_FIELDS)) return 0;
        PyObject *sizes = PyTuple_GET_ITEM(each, TOLD_LANGUAGES), *one;
        int went = PyDict_CheckExact(sizes) ? count_bytes(page, sizes, end - start) : 0;
        if (went <= 0) return went;
        if (!(one = labelled(type, paragraph, each))) return -1;
        PyTuple_SET_ITEM(made, i, one);
    }
    return settle(page) < 0 ? -1 : 1;
}

/* with_languages(paragraphs, found, target, Paragraph): the paragraphs with what was found, the bytes by language of all,
   and the characters of the target. */
static PyObject *with_languages(PyObject *module, PyObject *arguments) {
    PyObject *paragraphs, *found;
    PyTypeObject *type;
    Page page = {NULL, NULL, NULL, 0, 0.0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!UO!", &PyTuple_Type, &paragraphs, &PyList_Type, &found, &page.target,
                          &PyType_Type, &type))
        return NULL;
    if (PyTuple_GET_SIZE(paragraphs) != PyList_GET_SIZE(found) || !is_plain_tuple(type)) Py_RETURN_NONE;
    PyObject *made = PyTuple_New(PyTuple_GET_SIZE(paragraphs)), *all = NULL;
    page.sums = PyDict_New();
    int went = made && page.sums ? label(&page, paragraphs, found, type, made) : -1;
    if (went > 0) all = Py_BuildValue("OOd", made, page.sums, page.characters);
    Py_XDECREF(made);
    Py_XDECREF(page.sums);
    if (went) return all;
    Py_RETURN_NONE;
}

/* detected(detect, text, options): the summary and the vectors of a text by CLD2's binding.
   The binding may leak a reference to the vectors, half a kilobyte a page, which is given back here. */
static PyObject *detected(PyObject *module, PyObject *arguments) {
    PyObject *detect, *text, *options;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OSO!", &detect, &text, &PyDict_Type, &options)) return NULL;
    PyObject *only = PyTuple_Pack(1, text), *result = only ? PyObject_Call(detect, only, options) : NULL;
    Py_XDECREF(only);
    if (!result) return NULL;
    if (!is_tuple(result, RESULTS)) {
        Py_DECREF(result);
        PyErr_SetString(PyExc_TypeError, "a result with vectors is needed");
        return NULL;
    }
    PyObject *vectors = PyTuple_GET_ITEM(result, VECTORS);
#ifndef Py_GIL_DISABLED
    /* Both tuples were made in that call, by C code that keeps no reference: one belongs to the result, so a second
       has no owner. (The empty tuple is shared, and so excepted.) */
    if (PyCFunction_CheckExact(detect) && Py_REFCNT(result) == 1 && PyTuple_CheckExact(vectors) &&
        PyTuple_GET_SIZE(vectors) && Py_REFCNT(vectors) == 2)
        Py_DECREF(vectors);
#endif
    PyObject *both = PyTuple_Pack(2, PyTuple_GET_ITEM(result, DETAILS), vectors);
    Py_DECREF(result);
    return both;
}

static PyMethodDef METHODS[] = {
    {"texts_of", texts_of, METH_VARARGS, "The text of each paragraph."},
    {"by_stretches", by_stretches, METH_VARARGS, "What CLD2 says of each paragraph."},
    {"with_languages", with_languages, METH_VARARGS, "The paragraphs with their languages, bytes by language, target characters."},
    {"detected", detected, METH_VARARGS, "Summary and vectors of a text by CLD2."},
    {NULL, NULL, 0, NULL},
};

int add_told_to(PyObject *module) { return PyModule_AddFunctions(module, METHODS); }
