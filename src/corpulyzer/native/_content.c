/* Main content in C: from the blocks of a page to those that are chosen, without Python arrays in between. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "_compiled.h"
#include "_features.h"
#include "_network.h"

/* A page with the buffers that hold it, and the networks that are to judge it. */
typedef struct {
    Page page;
    Given given;
    Py_buffer elements, paths, classes;
    PyObject *networks; /* a tuple of weights, borrowed */
    float *likely;      /* by block */
} Held;

static void let_go(Held *held) {
    leave_room(&held->page);
    PyMem_Free(held->likely);
    PyBuffer_Release(&held->elements);
    PyBuffer_Release(&held->paths);
    PyBuffer_Release(&held->classes);
}

/* Take (blocks, elements, paths, title, classes, window); `let_go` of them even after an error. */
static int take_page(Held *held, PyObject *arguments) {
    long long window;
    memset(held, 0, sizeof *held);
    Given *given = &held->given;
    if (!PyArg_ParseTuple(arguments, "O!y*y*Uy*L", &PyList_Type, &given->blocks, &held->elements, &held->paths,
                          &given->title, &held->classes, &window))
        return 0;
    Page *page = &held->page;
    page->block_count = PyList_GET_SIZE(given->blocks);
    page->element_count = held->elements.len / (Py_ssize_t)(NUMBERS * sizeof(int64_t));
    page->path_count = held->paths.len / (Py_ssize_t)(NUMBERS * sizeof(int64_t));
    page->window = window < page->block_count ? window : page->block_count;
    given->elements = held->elements.buf;
    given->paths = held->paths.buf;
    given->classes = held->classes.buf;
    int whole = page->element_count && page->path_count && page->window > 0 && held->classes.len == CODE_POINTS;
    return whole ? read_page(page, given) : strange();
}

/* Add what one network thinks of the blocks of a run; 0 with an exception if its size is wrong. */
static int add_chances(Run *run, PyObject *network, float *likely) {
    Py_buffer weights;
    int64_t size = 0;
    for (int i = 0; i < MOST_WEIGHTS; i++) size += in_lanes(SIZES[i]);
    if (PyObject_GetBuffer(network, &weights, PyBUF_SIMPLE)) return 0;
    int fits = weights.len == size * (int64_t)sizeof(float);
    if (fits) {
        judge(run, weights.buf);
        for (int64_t i = 0; i < run->count; i++) likely[i] += run->chances[i];
    } else {
        PyErr_SetString(PyExc_ValueError, "a network of other sizes");
    }
    PyBuffer_Release(&weights);
    return fits;
}

/* Let all networks judge the blocks that are shown: their mean counts. */
static int judge_shown(const Page *page, int64_t start, int64_t stop, void *context) {
    Held *held = context;
    Py_ssize_t networks = PyTuple_GET_SIZE(held->networks);
    Run run = {.count = stop - start, .matrix = page->matrix, .signs = page->signs, .first = page->first,
               .last = page->last, .words = page->word_counts + start};
    float *room, *likely = held->likely + start;
    double *sums;
    int whole = take_room(&run, &room, &sums);
    if (whole) {
        weigh_blocks(&run);
        memset(likely, 0, run.count * sizeof(float));
        for (Py_ssize_t i = 0; whole && i < networks; i++)
            whole = add_chances(&run, PyTuple_GET_ITEM(held->networks, i), likely);
        for (int64_t k = 0; k < run.count; k++) likely[k] /= (float)networks;
    }
    PyMem_Free(room);
    PyMem_Free(sums);
    return whole;
}

/* Take (networks, page, ...) and find how likely each block is; `let_go` even after an error. */
static int find_chances(Held *held, PyObject *networks, PyObject *page) {
    if (!take_page(held, page)) return 0;
    if (!PyTuple_GET_SIZE(networks)) {
        PyErr_SetString(PyExc_ValueError, "no network");
        return 0;
    }
    held->networks = networks;
    held->likely = PyMem_Malloc(held->page.block_count * sizeof(float));
    if (!held->likely) {
        PyErr_NoMemory();
        return 0;
    }
    return show(&held->page, judge_shown, held);
}

static PyObject *chances(PyObject *module, PyObject *arguments) {
    PyObject *networks, *given, *found = NULL;
    Held held;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!", &PyTuple_Type, &networks, &PyTuple_Type, &given)) return NULL;
    if (find_chances(&held, networks, given)) {
        Py_ssize_t count = held.page.block_count;
        found = Py_BuildValue("y#y#", (char *)held.likely, count * (Py_ssize_t)sizeof(float),
                              (char *)held.page.word_counts, count * (Py_ssize_t)sizeof(double));
    }
    let_go(&held);
    return found;
}

static PyObject *chosen(PyObject *module, PyObject *arguments) {
    PyObject *networks, *given, *found = NULL;
    double least, clear;
    Held held;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!dd", &PyTuple_Type, &networks, &PyTuple_Type, &given, &least, &clear))
        return NULL;
    if (find_chances(&held, networks, given)) {
        Page *page = &held.page;
        double threshold = threshold_of(held.likely, page->word_counts, page->block_count, least, clear);
        found = threshold < 0 ? NULL : PyList_New(0);
        for (int64_t i = 0; found && i < page->block_count; i++)
            if (held.likely[i] >= threshold && PyList_Append(found, PyList_GET_ITEM(held.given.blocks, i)))
                Py_CLEAR(found);
    }
    let_go(&held);
    return found;
}

static PyObject *threshold(PyObject *module, PyObject *arguments) {
    Py_buffer likely, words;
    double least, clear, found = -1;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y*y*dd", &likely, &words, &least, &clear)) return NULL;
    int64_t count = likely.len / (int64_t)sizeof(float);
    if (count && words.len == count * (int64_t)sizeof(double))
        found = threshold_of(likely.buf, words.buf, count, least, clear);
    else
        PyErr_SetString(PyExc_ValueError, "a chance and words for each block");
    PyBuffer_Release(&likely);
    PyBuffer_Release(&words);
    return found < 0 ? NULL : PyFloat_FromDouble(found);
}

/* Show the rows of a piece of the page to Python: features, spans, words, and the number of the first block. */
static int tell_shown(const Page *page, int64_t start, int64_t stop, void *context) {
    Py_ssize_t count = stop - start, spans = count * (Py_ssize_t)(ANCESTORS * sizeof(int64_t));
    for (int64_t i = 0; i < count; i++) /* which are left open otherwise */
        for (int k = 0; k < NO_SIGNS - SIGNS; k++)
            page->matrix[i * FEATURES + SIGNS + k] = (float)(page->signs[i * SIGN_WORDS + k / 64] >> k % 64 & 1);
    PyObject *told = PyObject_CallFunction(
        context, "y#y#y#y#L", (char *)page->matrix, count * (Py_ssize_t)(FEATURES * sizeof(float)), (char *)page->first,
        spans, (char *)page->last, spans, (char *)(page->word_counts + start), count * (Py_ssize_t)sizeof(double),
        (long long)start);
    Py_XDECREF(told);
    return told != NULL;
}

static PyObject *features(PyObject *module, PyObject *arguments) {
    PyObject *given, *see;
    Held held;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O", &PyTuple_Type, &given, &see)) return NULL;
    int whole = take_page(&held, given) && show(&held.page, tell_shown, see);
    let_go(&held);
    if (!whole) return NULL;
    Py_RETURN_NONE;
}

static PyObject *sizes(PyObject *module, PyObject *none) {
    (void)module, (void)none;
    PyObject *all = PyTuple_New(MOST_WEIGHTS);
    for (int i = 0; all && i < MOST_WEIGHTS; i++) {
        PyObject *size = PyLong_FromLongLong(SIZES[i]);
        if (!size) Py_CLEAR(all);
        else PyTuple_SET_ITEM(all, i, size);
    }
    return all;
}

static PyMethodDef METHODS[] = {
    {"chosen", chosen, METH_VARARGS, "The blocks of a page that are main content."},
    {"chances", chances, METH_VARARGS, "How likely each block of a page is main content, and its words."},
    {"sizes", sizes, METH_NOARGS, "How many numbers each of a network's weights has."},
    {"threshold", threshold, METH_VARARGS, "The least chance of the blocks to choose."},
    {"features", features, METH_VARARGS, "Show the features of a page."},
    {NULL, NULL, 0, NULL},
};

int add_content_to(PyObject *module) { return PyModule_AddFunctions(module, METHODS); }
