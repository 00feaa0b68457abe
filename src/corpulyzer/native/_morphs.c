/* Morphs of words by minimum description length: words are cut where a lexicon of pieces and the words written in
   these pieces are the shortest together (Creutz & Lagus 2002). To the last cut what the library Morfessor gives. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "_compiled.h"

enum { MAX_LETTERS = 200, MAX_MORPH = 30, TABULATED = 1 << 16, UNKNOWN = -1 };
static const int64_t MOST_COUNTED = INT32_MAX; /* of all words; their letters are exact as floating point numbers */

/* A piece of a word. It is a morph of its own where `split` is 0, else it is two pieces, cut there. */
typedef struct { const int32_t *letters; int64_t count; uint32_t hash; int16_t length, split; } Piece;

/* What is written down: so many signs, as many ends of sequences, and the sum of n log n over the signs' counts. */
typedef struct { double sum; int64_t signs, ends; } Written;

typedef struct {
    PyObject_HEAD
    PyObject *numbers; /* by letter: its number */
    int32_t *letters;  /* those of all words, one after the other */
    size_t *starts;    /* of each word, and of what follows the last */
    Py_ssize_t words;
    int64_t *uses; /* by letter: how often it is in the lexicon */
    Py_ssize_t kinds;
    Written corpus, lexicon;
    Piece *pieces;
    uint32_t *slots; /* by hash: the number of a piece and 1, with gaps; as many as a power of two */
    size_t size, room;
} Learner;

/* n log n, out of a table: it is asked for at every change of a count. */
static double n_log_n(int64_t n) {
    static double table[TABULATED];
    if (n < 2) return 0.0;
    if (n < TABULATED && table[n] != 0.0) return table[n];
    volatile double product = (double)n * log((double)n); /* volatile: rounded before it is added to anything */
    if (n < TABULATED) table[n] = product;
    return product;
}

/* The logarithm of n!, by Stirling's formula where n is large. */
static double log_factorial(int64_t n) {
    static const double LOG_2_PI = 1.8378770664093453;
    if (n < 2) return 0.0;
    if (n < 20) {
        double product = 1.0;
        for (int64_t i = 2; i <= n; i++) product *= (double)i;
        return log(product);
    }
    volatile double half = 0.5 * (log((double)n) + LOG_2_PI);
    return n_log_n(n) - (double)n + half;
}

/* What the words and the lexicon cost. */
static double cost_of(const Learner *self) {
    const Written *corpus = &self->corpus, *lexicon = &self->lexicon;
    if (!corpus->ends) return 0.0;
    double words = n_log_n(corpus->signs + corpus->ends) - n_log_n(corpus->ends) - corpus->sum;
    double counts = !lexicon->ends ? 0.0
                                   : log_factorial(corpus->signs - 1) - log_factorial(lexicon->ends - 1) -
                                         log_factorial(corpus->signs - lexicon->ends);
    if (!lexicon->ends) return words + counts;
    int64_t signs = lexicon->signs + lexicon->ends;
    double morphs = n_log_n(signs) - n_log_n(lexicon->ends) - lexicon->sum - log_factorial(lexicon->ends);
    double letters = !self->kinds ? 0.0
                                  : log_factorial(signs - 1) - log_factorial(self->kinds) -
                                        log_factorial(signs - self->kinds - 1);
    return words + counts + (morphs + letters);
}

static void recount(Written *written, int64_t before, int64_t now) {
    written->signs += now - before;
    if (before > 1) written->sum -= n_log_n(before);
    if (now > 1) written->sum += n_log_n(now);
}

/* Put a morph into the lexicon (1) or take it out (-1). */
static void list_morph(Learner *self, const Piece *morph, int step) {
    self->lexicon.ends += step;
    for (int i = 0; i < morph->length; i++) {
        int64_t before = self->uses[morph->letters[i]]++;
        if (step < 0) self->uses[morph->letters[i]] = before - 1;
        recount(&self->lexicon, before, before + step);
    }
}

static uint32_t hash_of(const int32_t *letters, int length) {
    uint32_t hash = 2166136261u;
    for (int i = 0; i < length; i++) hash = (hash ^ (uint32_t)letters[i]) * 16777619u;
    return hash ^ hash >> 15;
}

/* The slot of a piece, or the one where it has its place. */
static uint32_t *slot_of(const Learner *self, const int32_t *letters, int length, uint32_t hash) {
    size_t slot = hash & (self->room * 2 - 1);
    for (; self->slots[slot]; slot = (slot + 1) & (self->room * 2 - 1)) {
        const Piece *piece = &self->pieces[self->slots[slot] - 1];
        if (piece->hash == hash && piece->length == length &&
            !memcmp(piece->letters, letters, (size_t)length * sizeof *letters))
            break;
    }
    return &self->slots[slot];
}

/* A piece, which is new if it was not there; there is room for it (see `make_room`). */
static Piece *piece_of(Learner *self, const int32_t *letters, int length) {
    uint32_t hash = hash_of(letters, length), *slot = slot_of(self, letters, length, hash);
    if (!*slot) {
        self->pieces[self->size] = (Piece){letters, 0, hash, (int16_t)length, 0};
        *slot = (uint32_t)++self->size;
    }
    return &self->pieces[*slot - 1];
}

/* Make room for all pieces of a word, so that none is moved while the word is worked on. */
static int make_room(Learner *self, size_t length) {
    size_t needed = self->size + length * (length + 1) / 2, room = self->room ? self->room : 1024;
    while (room < needed) room *= 2;
    if (room == self->room) return 1;
    Piece *pieces = room < UINT32_MAX / 2 ? PyMem_Realloc(self->pieces, room * sizeof *pieces) : NULL;
    if (!pieces) return 0;
    self->pieces = pieces;
    uint32_t *slots = PyMem_Calloc(room * 2, sizeof *slots);
    if (!slots) return 0;
    PyMem_Free(self->slots);
    self->slots = slots;
    self->room = room;
    for (size_t i = 0; i < self->size; i++)
        *slot_of(self, pieces[i].letters, pieces[i].length, pieces[i].hash) = (uint32_t)i + 1;
    return 1;
}

/* Change how often a piece occurs, and with it the pieces that it is cut into. */
static void count_piece(Learner *self, const int32_t *letters, int length, int64_t step) {
    Piece *piece = piece_of(self, letters, length);
    int64_t before = piece->count;
    int split = piece->split;
    piece->count += step;
    if (!piece->count) piece->split = 0;
    if (split) {
        count_piece(self, letters, split, step);
        count_piece(self, letters + split, length - split, step);
        return;
    }
    recount(&self->corpus, before, piece->count);
    if (!before != !piece->count) list_morph(self, piece, before ? -1 : 1);
}

static void count_halves(Learner *self, const int32_t *letters, int length, int at, int64_t step) {
    count_piece(self, letters, at, step);
    count_piece(self, letters + at, length - at, step);
}

/* Cut a piece in two where that costs the least, and its halves again; or leave it whole. */
static void cut_best(Learner *self, const int32_t *letters, int length) {
    if (length == 1) return;
    Piece *piece = piece_of(self, letters, length);
    int64_t count = piece->count;
    count_piece(self, letters, length, -count);
    count_piece(self, letters, length, count); /* now as a morph of its own */
    double least = cost_of(self);
    count_piece(self, letters, length, -count);
    int best = 0;
    for (int at = 1; at < length; at++) {
        count_halves(self, letters, length, at, count);
        double cost = cost_of(self);
        count_halves(self, letters, length, at, -count);
        if (cost <= least) least = cost, best = at;
    }
    if (!best) {
        count_piece(self, letters, length, count);
        return;
    }
    piece->count = count;
    piece->split = (int16_t)best;
    count_halves(self, letters, length, best, count);
    cut_best(self, letters, best);
    if (best * 2 != length || memcmp(letters, letters + best, (size_t)best * sizeof *letters))
        cut_best(self, letters + best, length - best);
}

/* improve(order): each word cut anew, in the order of their numbers; the cost afterwards. */
static PyObject *improve(Learner *self, PyObject *order) {
    if (!PyList_Check(order)) return PyErr_Format(PyExc_TypeError, "a list of numbers of words is needed");
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(order); i++) {
        Py_ssize_t word = PyLong_AsSsize_t(PyList_GET_ITEM(order, i));
        if (word == -1 && PyErr_Occurred()) return NULL;
        if (word < 0 || word >= self->words) return PyErr_Format(PyExc_IndexError, "there is no word %zd", word);
        size_t start = self->starts[word], length = self->starts[word + 1] - start;
        if (!make_room(self, length)) return PyErr_NoMemory();
        cut_best(self, self->letters + start, (int)length);
        if (i % 256 == 0 && PyErr_CheckSignals() < 0) return NULL;
    }
    return PyFloat_FromDouble(cost_of(self));
}

/* The cost of a morph in a word that is being cut: by its count, or written as a new one. */
static double morph_cost(const Learner *self, const int32_t *letters, int length) {
    const Written *corpus = &self->corpus, *lexicon = &self->lexicon;
    double all = log((double)(corpus->signs + corpus->ends) + 1.0);
    uint32_t slot = self->room ? *slot_of(self, letters, length, hash_of(letters, length)) : 0;
    const Piece *piece = slot ? &self->pieces[slot - 1] : NULL;
    if (piece && piece->count && !piece->split) return all - log((double)piece->count + 1.0);
    volatile double spelt = (double)(length + 1) * log((double)(lexicon->signs + length + 1));
    double spelling = spelt - log((double)(lexicon->ends + 1));
    for (int i = 0; i < length; i++) spelling -= letters[i] == UNKNOWN ? 0.0 : log((double)self->uses[letters[i]]);
    return all + (n_log_n(lexicon->ends + 1) - n_log_n(lexicon->ends) + spelling);
}

typedef struct { double cost; Py_ssize_t from; } Step;

/* The best way to the end of each beginning of a word (Viterbi). */
static void find_ways(const Learner *self, const int32_t *letters, Py_ssize_t length, Step *steps) {
    steps[0] = (Step){0.0, 0};
    for (Py_ssize_t to = 1; to <= length; to++) {
        steps[to] = (Step){INFINITY, 0};
        for (Py_ssize_t from = to > MAX_MORPH ? to - MAX_MORPH : 0; from < to; from++) {
            double cost = steps[from].cost + morph_cost(self, letters + from, (int)(to - from));
            if (cost < steps[to].cost) steps[to] = (Step){cost, from};
        }
    }
}

/* The number of a letter, UNKNOWN for one that no word has; -2 and an exception. */
static int32_t number_of(const Learner *self, PyObject *word, Py_ssize_t place) {
    PyObject *letter = PyLong_FromUnsignedLong(PyUnicode_READ_CHAR(word, place));
    PyObject *number = letter ? PyDict_GetItemWithError(self->numbers, letter) : NULL;
    Py_XDECREF(letter);
    if (!number) return PyErr_Occurred() ? -2 : UNKNOWN;
    return (int32_t)PyLong_AsLong(number);
}

/* segment(word): its morphs. */
static PyObject *segment(Learner *self, PyObject *word) {
    if (!PyUnicode_Check(word) || !self->corpus.ends)
        return PyErr_Format(PyExc_ValueError, "a word is needed, and words that were learned from");
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(word) < 0) return NULL;
#endif
    Py_ssize_t length = PyUnicode_GET_LENGTH(word);
    PyObject *found = PyList_New(0), *piece = NULL;
    int32_t *letters = PyMem_Calloc((size_t)length + 1, sizeof *letters);
    Step *steps = PyMem_Calloc((size_t)length + 1, sizeof *steps);
    int failed = !found || !letters || !steps;
    if (failed && !PyErr_Occurred()) PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < length && !failed; i++) failed = (letters[i] = number_of(self, word, i)) == -2;
    if (!failed) find_ways(self, letters, length, steps);
    for (Py_ssize_t to = length; to > 0 && !failed; to = steps[to].from) {
        piece = PyUnicode_Substring(word, steps[to].from, to);
        failed = !piece || PyList_Append(found, piece) < 0;
        Py_XDECREF(piece);
    }
    failed = failed || PyList_Reverse(found) < 0;
    PyMem_Free(letters);
    PyMem_Free(steps);
    if (failed) Py_CLEAR(found);
    return found;
}

static int lack_memory(void) {
    PyErr_NoMemory();
    return -1;
}

static int refuse(const char *why) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, why);
    return -1;
}

/* Number the letters of a word, and write these numbers behind those of the words before it. */
static int add_letters(Learner *self, PyObject *word) {
    size_t end = self->starts[self->words];
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(word); i++) {
        PyObject *letter = PyLong_FromUnsignedLong(PyUnicode_READ_CHAR(word, i));
        PyObject *next = PyLong_FromSsize_t(PyDict_GET_SIZE(self->numbers));
        PyObject *number = letter && next ? PyDict_SetDefault(self->numbers, letter, next) : NULL;
        if (number) self->letters[end++] = (int32_t)PyLong_AsLong(number);
        Py_XDECREF(letter);
        Py_XDECREF(next);
        if (!number) return -1;
    }
    self->starts[++self->words] = end;
    return 0;
}

static int add_words(Learner *self, PyObject *words, PyObject *counts) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(words); i++)
        if (add_letters(self, PyList_GET_ITEM(words, i)) < 0) return -1;
    self->kinds = PyDict_GET_SIZE(self->numbers);
    self->uses = PyMem_Calloc((size_t)self->kinds + 1, sizeof *self->uses);
    if (!self->uses) return lack_memory();
    for (Py_ssize_t i = 0; i < self->words; i++) {
        long count = PyLong_AsLong(PyList_GET_ITEM(counts, i));
        size_t start = self->starts[i], length = self->starts[i + 1] - start;
        if (count < 1 || count > MOST_COUNTED - self->corpus.ends) return refuse("a count is out of bounds");
        if (!make_room(self, length)) return lack_memory();
        self->corpus.ends += count;
        count_piece(self, self->letters + start, (int)length, count);
    }
    return 0;
}

/* Morphs(words, counts): words are different and have at most MAX_LETTERS letters. */
static int set_up(Learner *self, PyObject *arguments, PyObject *keywords) {
    PyObject *words, *counts;
    if (self->numbers || (keywords && PyDict_GET_SIZE(keywords))) return refuse("it is made once, without keywords");
    if (!PyArg_ParseTuple(arguments, "O!O!", &PyList_Type, &words, &PyList_Type, &counts)) return -1;
    Py_ssize_t count = PyList_GET_SIZE(words);
    if (PyList_GET_SIZE(counts) != count) return refuse("a count is needed for each word");
    size_t letters = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *word = PyList_GET_ITEM(words, i);
        if (!PyUnicode_Check(word)) return refuse("words are texts");
#if PY_VERSION_HEX < 0x030C0000
        if (PyUnicode_READY(word) < 0) return -1;
#endif
        if (!PyUnicode_GET_LENGTH(word) || PyUnicode_GET_LENGTH(word) > MAX_LETTERS)
            return refuse("a word has no letters, or too many");
        letters += (size_t)PyUnicode_GET_LENGTH(word);
    }
    self->numbers = PyDict_New();
    self->letters = PyMem_Calloc(letters + 1, sizeof *self->letters);
    self->starts = PyMem_Calloc((size_t)count + 1, sizeof *self->starts);
    if (!self->numbers || !self->letters || !self->starts) return lack_memory();
    return add_words(self, words, counts);
}

static void let_go(Learner *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(self->numbers);
    PyMem_Free(self->letters);
    PyMem_Free(self->starts);
    PyMem_Free(self->uses);
    PyMem_Free(self->pieces);
    PyMem_Free(self->slots);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot SLOTS[] = {
    {Py_tp_doc, "The morphs of words, as they are learned."},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_init, set_up},
    {Py_tp_dealloc, let_go},
    {Py_tp_methods, (PyMethodDef[]){
        {"improve", (PyCFunction)improve, METH_O, "Cut words anew, in the order of a list; the cost afterwards."},
        {"segment", (PyCFunction)segment, METH_O, "The morphs of a word."},
        {NULL, NULL, 0, NULL},
    }},
    {0, NULL},
};
static PyType_Spec SPEC = {"corpulyzer.native._compiled.Morphs", sizeof(Learner), 0, Py_TPFLAGS_DEFAULT, SLOTS};

int add_morphs_to(PyObject *module) {
    PyObject *type = PyType_FromSpec(&SPEC);
    int failed = type ? PyModule_AddObjectRef(module, "Morphs", type) : -1;
    Py_XDECREF(type);
    return failed;
}
