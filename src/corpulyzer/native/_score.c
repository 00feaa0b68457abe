/* The scores of texts by a table: words, their n-grams, the buckets of these, and the sums of the buckets' rows.
   To the last number what table.py gives. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#include "_compiled.h"

enum { MAX_TOKEN = 40, PLANES = 0x20000, MAX_ORDERS = 4, MAX_LIMIT = 1 << 16, MAX_BITS = 24 }; /* as in ngrams.py */
enum { BLANK = 32, BIAS = 128, FULL = 256 }; /* so many raised weights of a byte fit into the 16 bits of a lane */
static const uint32_t BASE = 0x01000193u, SPREAD = 0x9E3779B1u, STIR = 0x85EBCA6Bu, POWER = 0x2C1B3C6Du,
                      APART = 0x5BD1E995u;

typedef struct { uint32_t sum, length, whole; const uint32_t *letters; const int32_t *weights; } Stem;

typedef struct {
    PyObject_HEAD
    Py_buffer points; /* by code point: the letter in lower case, or a space */
    Py_buffer rows;   /* by bucket: the weights of four columns in each number */
    Py_ssize_t lanes, columns, labels;
    int order_count, bits, held, ready; /* held: whether the buffers are ours */
    int orders[MAX_ORDERS];
    Stem *stems; /* by hash, with gaps; as many as a power of two */
    uint32_t *letters;
    int32_t *stem_weights;
    size_t slots, longest, longest_part; /* of all stems, and of those that are no whole words */
} Scores;

typedef struct { uint64_t *lanes; int32_t *row; int32_t grams, waiting; } Sums;

static uint32_t bucket_of(uint32_t sum, int order, int bits) {
    uint32_t mixed = sum + (uint32_t)order * APART;
    mixed ^= mixed >> 15;
    mixed *= STIR;
    mixed ^= mixed >> 13;
    return mixed >> (32 - bits);
}

/* Bring what the lanes have summed up into the row. */
static void settle(const Scores *self, Sums *sums) {
    for (Py_ssize_t column = 0; column < self->columns; column++)
        sums->row[column] +=
            (int32_t)(sums->lanes[column / 4] >> (column % 4 * 16) & 0xFFFF) - sums->waiting * BIAS;
    memset(sums->lanes, 0, (size_t)self->lanes * sizeof *sums->lanes);
    sums->grams += sums->waiting;
    sums->waiting = 0;
}

static void add(const Scores *self, Sums *sums, uint32_t sum, int order) {
    const uint64_t *row = (const uint64_t *)self->rows.buf + (size_t)bucket_of(sum, order, self->bits) * self->lanes;
    for (Py_ssize_t lane = 0; lane < self->lanes; lane++) sums->lanes[lane] += row[lane];
    if (++sums->waiting == FULL) settle(self, sums);
}

/* The longest stem that a word begins with, or the entry of the whole word; NULL if there is none. */
static const Stem *stem_of(const Scores *self, const uint32_t *word, uint32_t size) {
    const Stem *found = NULL;
    uint32_t sum = 0, power = SPREAD;
    uint32_t most = size <= self->longest ? size : (uint32_t)self->longest_part;
    for (uint32_t length = 1; length <= most; length++) {
        power *= POWER;
        sum += word[length - 1] * power;
        if (length < size && length > self->longest_part) continue;
        for (size_t slot = bucket_of(sum, (int)length, MAX_BITS) & (self->slots - 1); self->stems[slot].length;
             slot = (slot + 1) & (self->slots - 1)) {
            const Stem *stem = &self->stems[slot];
            if (stem->sum == sum && stem->length == length && (!stem->whole || length == size) &&
                !memcmp(stem->letters, word, length * sizeof *word) && (stem->whole || !found || found->length < length))
                found = stem;
            if (found && found->whole) return found;
        }
    }
    return found;
}

/* Add all n-grams of a word; it has a space before and after it. */
static void add_word(const Scores *self, Sums *sums, const uint32_t *bordered, int size) {
    for (int i = 0; i < self->order_count; i++) {
        int order = self->orders[i];
        uint32_t sum = 0, power = SPREAD, top = 1;
        if (!order) {
            for (int place = 1; place <= size; place++) sum += bordered[place] * (power *= POWER);
            add(self, sums, sum, 0);
        } else if (order == 1) {
            for (int place = 1; place <= size; place++) add(self, sums, bordered[place] * SPREAD, 1);
        } else {
            for (int place = 0; place < order; place++) top *= BASE;
            for (int place = 0; place < size + 2; place++) {
                sum = sum * BASE + bordered[place] * SPREAD;
                if (place >= order) sum -= bordered[place - order] * SPREAD * top;
                if (place >= order - 1) add(self, sums, sum, order);
            }
        }
    }
}

/* Add the words of a token of at most MAX_TOKEN letters and other signs, between two spaces. */
static void add_token(const Scores *self, Sums *sums, const uint32_t *token, int size) {
    int first = 1;
    for (int start = 1; start <= size; start++) {
        if (token[start] == BLANK) continue;
        int end = start;
        while (token[end] != BLANK) end++;
        add_word(self, sums, token + start - 1, end - start);
        const Stem *stem = first && self->slots ? stem_of(self, token + start, (uint32_t)(end - start)) : NULL;
        for (Py_ssize_t label = 0; stem && label < self->labels; label++) sums->row[label] += stem->weights[label];
        first = 0;
        start = end;
    }
}

/* The scores of the first `limit` tokens of a text but for those to skip. */
static void add_text(const Scores *self, Sums *sums, PyObject *text, long limit, long skip) {
    const uint32_t *points = self->points.buf;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t position = 0, length = PyUnicode_GET_LENGTH(text);
    uint32_t token[MAX_TOKEN + 2] = {BLANK};
    for (long number = 0; number < limit; number++) {
        while (position < length && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, position))) position++;
        if (position == length) break;
        int size = 0;
        for (; position < length && size < MAX_TOKEN; position++) {
            Py_UCS4 c = PyUnicode_READ(kind, data, position);
            if (Py_UNICODE_ISSPACE(c)) break;
            token[++size] = c < PLANES ? points[c] : c;
        }
        token[size + 1] = BLANK;
        if (number >= skip) add_token(self, sums, token, size);
    }
    settle(self, sums);
    sums->row[self->columns] = sums->grams;
    sums->grams = 0;
}

static int are_texts(PyObject *texts, PyObject *limits) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(texts); i++) {
        PyObject *text = PyList_GET_ITEM(texts, i), *number = PyList_GET_ITEM(limits, i);
        long limit = PyLong_Check(number) ? PyLong_AsLong(number) : -1;
        if (limit == -1 && PyErr_Occurred()) return 0;
        if (!PyUnicode_Check(text) || limit < 0 || limit > MAX_LIMIT) {
            PyErr_SetString(PyExc_ValueError, "texts are needed, and how many of their words count");
            return 0;
        }
#if PY_VERSION_HEX < 0x030C0000
        if (PyUnicode_READY(text) < 0) return 0;
#endif
    }
    return 1;
}

/* scores(texts, limits, skip): a row of int32 for each text, and in its last column the number of n-grams. */
static PyObject *scores_of(Scores *self, PyObject *arguments) {
    PyObject *texts, *limits;
    long skip;
    if (!PyArg_ParseTuple(arguments, "O!O!l", &PyList_Type, &texts, &PyList_Type, &limits, &skip)) return NULL;
    if (!self->ready) {
        PyErr_SetString(PyExc_ValueError, "there is no table");
        return NULL;
    }
    Py_ssize_t count = PyList_GET_SIZE(texts), size = (self->columns + 1) * (Py_ssize_t)sizeof(int32_t);
    if (PyList_GET_SIZE(limits) != count || count > PY_SSIZE_T_MAX / size) {
        PyErr_SetString(PyExc_ValueError, "a limit is needed for each text");
        return NULL;
    }
    if (!are_texts(texts, limits)) return NULL;
    PyObject *all = PyByteArray_FromStringAndSize(NULL, count * size);
    Sums sums = {PyMem_Calloc((size_t)self->lanes, sizeof(uint64_t)), NULL, 0, 0};
    if (!all || !sums.lanes) {
        Py_XDECREF(all);
        PyMem_Free(sums.lanes);
        return PyErr_NoMemory();
    }
    memset(PyByteArray_AS_STRING(all), 0, (size_t)(count * size));
    for (Py_ssize_t i = 0; i < count; i++) {
        sums.row = (int32_t *)(void *)(PyByteArray_AS_STRING(all) + i * size);
        add_text(self, &sums, PyList_GET_ITEM(texts, i), PyLong_AsLong(PyList_GET_ITEM(limits, i)), skip);
    }
    PyMem_Free(sums.lanes);
    return all;
}

#include "_decide.h"

static int strange(const char *what) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, what);
    return -1;
}

/* Put an entry, (word, whether it is whole, weights), among the stems. */
static int place_stem(Scores *self, PyObject *entry, uint32_t *letters, int32_t *weights) {
    PyObject *word, *own;
    int whole;
    if (!PyTuple_Check(entry) || !PyArg_ParseTuple(entry, "UpO!", &word, &whole, &PyTuple_Type, &own)) return -1;
    Py_ssize_t length = PyUnicode_GET_LENGTH(word);
    if (!length || length > MAX_TOKEN || PyTuple_GET_SIZE(own) != self->labels)
        return strange("a stem has letters, and a weight for each label");
    uint32_t sum = 0, power = SPREAD;
    for (Py_ssize_t i = 0; i < length; i++) {
        letters[i] = PyUnicode_READ_CHAR(word, i);
        sum += letters[i] * (power *= POWER);
    }
    for (Py_ssize_t i = 0; i < self->labels; i++) {
        long weight = PyLong_AsLong(PyTuple_GET_ITEM(own, i));
        if (weight == -1 && PyErr_Occurred()) return -1;
        if (weight < -10000 || weight > 10000) return strange("a weight of a stem is out of bounds");
        weights[i] = (int32_t)weight;
    }
    size_t slot = bucket_of(sum, (int)length, MAX_BITS) & (self->slots - 1);
    while (self->stems[slot].length) slot = (slot + 1) & (self->slots - 1);
    self->stems[slot] = (Stem){sum, (uint32_t)length, (uint32_t)whole, letters, weights};
    if ((size_t)length > self->longest) self->longest = (size_t)length;
    if (!whole && (size_t)length > self->longest_part) self->longest_part = (size_t)length;
    return 0;
}

static int read_stems(Scores *self, PyObject *stems) {
    Py_ssize_t count = PyList_GET_SIZE(stems);
    if (!count) return 0;
    if (count > 1 << 20) return strange("there are too many stems");
    for (self->slots = 4; self->slots < (size_t)count * 4;) self->slots *= 2;
    self->stems = PyMem_Calloc(self->slots, sizeof *self->stems);
    self->letters = PyMem_Calloc((size_t)count * MAX_TOKEN, sizeof *self->letters);
    self->stem_weights = PyMem_Calloc((size_t)(count * self->labels), sizeof *self->stem_weights);
    if (!self->stems || !self->letters || !self->stem_weights) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (place_stem(self, PyList_GET_ITEM(stems, i), self->letters + i * MAX_TOKEN,
                       self->stem_weights + i * self->labels) < 0)
            return -1;
    return 0;
}

static int read_orders(Scores *self, PyObject *orders) {
    Py_ssize_t count = PyTuple_GET_SIZE(orders);
    if (count > MAX_ORDERS) return strange("there are too many orders");
    for (Py_ssize_t i = 0; i < count; i++) {
        long order = PyLong_AsLong(PyTuple_GET_ITEM(orders, i));
        if (order < 0 || order > MAX_TOKEN) return strange("an order is out of bounds");
        self->orders[self->order_count++] = (int)order;
    }
    return 0;
}

/* Scores(points, rows, columns, labels, orders, bits, stems) */
static int set_up(Scores *self, PyObject *arguments, PyObject *keywords) {
    PyObject *orders, *stems;
    if (self->held || (keywords && PyDict_GET_SIZE(keywords))) return strange("it is made once, without keywords");
    if (!PyArg_ParseTuple(arguments, "y*y*nnO!iO!", &self->points, &self->rows, &self->columns, &self->labels,
                          &PyTuple_Type, &orders, &self->bits, &PyList_Type, &stems))
        return -1;
    self->held = 1;
    if (self->columns < 1 || self->columns > 1 << 16 || self->labels < 0 || self->labels > self->columns)
        return strange("there are too many columns, or too few");
    self->lanes = (self->columns + 3) / 4;
    if (self->bits < 1 || self->bits > MAX_BITS || self->points.len != PLANES * (Py_ssize_t)sizeof(uint32_t) ||
        self->rows.len != ((Py_ssize_t)1 << self->bits) * self->lanes * (Py_ssize_t)sizeof(uint64_t))
        return strange("the parts of the table do not fit together");
    if (read_orders(self, orders) < 0 || read_stems(self, stems) < 0) return -1;
    self->ready = 1;
    return 0;
}

static void let_go(Scores *self) {
    PyTypeObject *type = Py_TYPE(self);
    if (self->held) {
        PyBuffer_Release(&self->points);
        PyBuffer_Release(&self->rows);
    }
    PyMem_Free(self->stems);
    PyMem_Free(self->letters);
    PyMem_Free(self->stem_weights);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot SLOTS[] = {
    {Py_tp_doc, "The scores of texts by a table."},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_init, set_up},
    {Py_tp_dealloc, let_go},
    {Py_tp_methods, (PyMethodDef[]){
        {"scores", (PyCFunction)scores_of, METH_VARARGS, "A row of whole numbers for each text."},
        {"decisions", (PyCFunction)decisions_of, METH_VARARGS, "A label for each text, how sure, and whether it fits."},
        {NULL, NULL, 0, NULL},
    }},
    {0, NULL},
};
static PyType_Spec SPEC = {"corpulyzer.native._compiled.Scores", sizeof(Scores), 0, Py_TPFLAGS_DEFAULT, SLOTS};

int add_score_to(PyObject *module) {
    PyObject *type = PyType_FromSpec(&SPEC);
    int failed = type ? PyModule_AddObjectRef(module, "Scores", type) : -1;
    Py_XDECREF(type);
    return failed;
}
