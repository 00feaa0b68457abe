/* The decisions of a table on the texts of a page. To the last bit what group.py gives. */

#include <math.h>

static const int64_t LOST = -((int64_t)1 << 40); /* as in group.py */

typedef struct {
    Py_buffer codes, usual, allowed; /* by label: the number of its code, its usual fit, how far below is allowed */
    double steepness, shift, sure, well;
    long enough, measured, first_units, first_words, most_words;
} Rules;

typedef struct { int64_t best; double confidence; int fits; } Choice;

/* A product that the compiler cannot fuse with a sum (FMA), which would round differently from Python. */
static double times(double one, double other) {
    volatile double product = one * other;
    return product;
}

static int fits(const Scores *self, const Rules *rules, const int32_t *own, Py_ssize_t label, double share) {
    const double *usual = rules->usual.buf, *allowed = rules->allowed.buf;
    double grams = own[self->columns], rest = (double)rules->measured / grams;
    double slack = times(share, sqrt(rest > 1.0 ? rest : 1.0));
    return (double)own[self->columns - self->labels + label] / grams >= usual[label] - times(allowed[label], slack);
}

static Py_ssize_t first_of_highest(const int64_t *scores, Py_ssize_t count) {
    Py_ssize_t best = 0;
    for (Py_ssize_t i = 1; i < count; i++)
        if (scores[i] > scores[best]) best = i;
    return best;
}

/* Which label a text has; `scores` are its own, with its neighbours' if it is short, and will be used up. */
static Choice chosen(const Scores *self, const Rules *rules, int64_t *scores, const int32_t *own, Py_ssize_t first) {
    const int32_t *codes = rules->codes.buf;
    if (!own[self->columns]) return (Choice){-1, 0.0, 0};
    if (first >= 0) scores[first] += rules->first_units;
    Py_ssize_t best = first_of_highest(scores, self->labels);
    int64_t top = scores[best], second;
    for (Py_ssize_t i = 0; i < self->labels; i++)
        if (codes[i] == codes[best]) scores[i] = LOST;
    int well = fits(self, rules, own, best, rules->well);
    for (;;) {
        Py_ssize_t rival = first_of_highest(scores, self->labels);
        second = scores[rival];
        if (!well || second <= LOST || fits(self, rules, own, rival, 1.0)) break;
        scores[rival] = LOST;
    }
    double margin = (double)(top - (second > LOST ? second : 0)) / sqrt((double)scores[self->columns]);
    double power = times(rules->steepness, margin) + rules->shift;
    power = power < 30.0 ? power : 30.0;
    power = power > -30.0 ? power : -30.0;
    return (Choice){best, 1.0 / (1.0 + exp(-power)), well || fits(self, rules, own, best, 1.0)};
}

/* The scores of a text, and half of those of the texts beside it where it is short. */
static void pool(const Scores *self, const Rules *rules, PyObject *texts, const int32_t *rows, Py_ssize_t number,
                 int64_t *scores) {
    Py_ssize_t width = self->columns + 1, count = PyList_GET_SIZE(texts);
    const int32_t *own = rows + number * width;
    int is_short = PyUnicode_GET_LENGTH(PyList_GET_ITEM(texts, number)) < rules->enough;
    for (Py_ssize_t i = 0; i < width; i++) {
        scores[i] = own[i];
        if (is_short && number > 0) scores[i] += own[i - width] / 2;
        if (is_short && number + 1 < count) scores[i] += own[i + width] / 2;
    }
}

/* Decide on all texts by their first words, then on those that are in doubt by all their words. */
static void decide(const Scores *self, const Rules *rules, PyObject *texts, PyObject *limits, PyObject *firsts,
                   int32_t *rows, Sums *sums, int64_t *scores, Choice *choices) {
    Py_ssize_t count = PyList_GET_SIZE(texts), width = self->columns + 1;
    for (int round = 0; round < 2; round++) {
        for (Py_ssize_t i = 0; i < count; i++) {
            long limit = PyLong_AsLong(PyList_GET_ITEM(limits, i));
            int settled = round && (limit >= rules->most_words ||
                                    (choices[i].confidence >= rules->sure && choices[i].fits));
            if (settled) continue;
            sums->row = rows + i * width;
            sums->grams = sums->row[self->columns];
            add_text(self, sums, PyList_GET_ITEM(texts, i), round ? rules->most_words : limit,
                     round ? rules->first_words : 0);
            choices[i].best = -2; /* to be decided on, when the scores of all are known */
        }
        for (Py_ssize_t i = 0; i < count; i++) {
            if (choices[i].best != -2) continue;
            pool(self, rules, texts, rows, i, scores);
            choices[i] = chosen(self, rules, scores, rows + i * width, PyLong_AsLong(PyList_GET_ITEM(firsts, i)));
        }
    }
}

static PyObject *list_of(const Choice *choices, Py_ssize_t count) {
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        PyObject *one = Py_BuildValue("LdO", (long long)choices[i].best, choices[i].confidence,
                                      choices[i].fits ? Py_True : Py_False);
        if (!one) Py_CLEAR(list);
        else PyList_SET_ITEM(list, i, one);
    }
    return list;
}

static PyObject *decided(const Scores *self, const Rules *rules, PyObject *texts, PyObject *limits, PyObject *firsts) {
    size_t count = (size_t)PyList_GET_SIZE(texts), width = (size_t)self->columns + 1;
    int32_t *rows = PyMem_Calloc(count * width + 1, sizeof *rows);
    int64_t *scores = PyMem_Calloc(width, sizeof *scores);
    Choice *choices = PyMem_Calloc(count + 1, sizeof *choices);
    Sums sums = {PyMem_Calloc((size_t)self->lanes, sizeof(uint64_t)), NULL, 0, 0};
    PyObject *found = NULL;
    if (rows && scores && choices && sums.lanes) {
        decide(self, rules, texts, limits, firsts, rows, &sums, scores, choices);
        found = list_of(choices, (Py_ssize_t)count);
    } else {
        PyErr_NoMemory();
    }
    PyMem_Free(rows);
    PyMem_Free(scores);
    PyMem_Free(choices);
    PyMem_Free(sums.lanes);
    return found;
}

static int are_labels(const Scores *self, PyObject *numbers) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(numbers); i++) {
        long number = PyLong_Check(PyList_GET_ITEM(numbers, i)) ? PyLong_AsLong(PyList_GET_ITEM(numbers, i)) : -2;
        if (number < -1 || number >= self->labels) return 0;
    }
    return 1;
}

static int is_sound(const Scores *self, const Rules *rules, PyObject *texts, PyObject *limits, PyObject *firsts) {
    Py_ssize_t count = PyList_GET_SIZE(texts), doubles = self->labels * (Py_ssize_t)sizeof(double);
    return self->ready && self->labels > 0 && PyList_GET_SIZE(limits) == count && PyList_GET_SIZE(firsts) == count &&
           rules->codes.len == self->labels * (Py_ssize_t)sizeof(int32_t) && rules->usual.len == doubles &&
           rules->allowed.len == doubles && rules->most_words <= MAX_LIMIT &&
           count < PY_SSIZE_T_MAX / 64 / (self->columns + 1) && are_labels(self, firsts);
}

/* decisions(texts, limits, firsts, codes, usual, allowed, numbers): label, or -1, confidence, and whether it fits. */
static PyObject *decisions_of(Scores *self, PyObject *arguments) {
    PyObject *texts, *limits, *firsts, *found = NULL;
    Rules rules;
    if (!PyArg_ParseTuple(arguments, "O!O!O!y*y*y*(ddddlllll)", &PyList_Type, &texts, &PyList_Type, &limits,
                          &PyList_Type, &firsts, &rules.codes, &rules.usual, &rules.allowed, &rules.steepness,
                          &rules.shift, &rules.sure, &rules.well, &rules.enough, &rules.measured, &rules.first_units,
                          &rules.first_words, &rules.most_words))
        return NULL;
    if (!is_sound(self, &rules, texts, limits, firsts)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "the parts of what is to be decided do not fit together");
    } else if (are_texts(texts, limits)) {
        found = decided(self, &rules, texts, limits, firsts);
    }
    PyBuffer_Release(&rules.codes);
    PyBuffer_Release(&rules.usual);
    PyBuffer_Release(&rules.allowed);
    return found;
}
