/* The features of features.py in C: the same numbers for every block of a page, at a twentieth of the time.

   They are computed from the blocks and the numbers of elements and paths, and given to a callback in arrays
   with a row for each block: a very long page in several pieces. Sums are taken in the order and the precision of
   the Python code, so that ties between two elements are broken in the same way. */

enum { OTHER, SPACE, STOP, COMMA, DIGIT, UPPER, UNSPACED, SYMBOL, CLASSES }; /* as in characters.py */
enum { ANCESTORS = 6, TAGS = 15, CONTEXTS = 13, GROUPS = 20, SHARES = 3, ABOVE = 5, OWN = 9 };
enum { BLOCK_TEXT, BLOCK_KIND, BLOCK_ELEMENT, BLOCK_WITHIN, BLOCK_LINKS, BLOCK_BREAKS, BLOCK_BEFORE, BLOCK_INSIDE };
enum { PARENT, DEPTH, ELEMENT_PATH, NUMBERS, PATH_TAG = DEPTH, PATH_GROUPS = ELEMENT_PATH }; /* of an element, of a path */

/* Where each group of FEATURES begins. */
enum {
    SHARE = 9, PLACE = 10, TITLE = PLACE + 8, PAGE = TITLE + 2, PATH = PAGE + 3, TAG = PATH + 4, WITHIN = TAG + TAGS,
    NEARBY = WITHIN + CONTEXTS, HIGHER = NEARBY + GROUPS, ANCESTOR = HIGHER + GROUPS, MAIN = ANCESTOR + ABOVE * ANCESTORS,
    BEST = MAIN + 2 * SHARES, FEATURES = BEST + 3
};
/* Features from SIGNS to before NO_SIGNS are binary. */
enum { SIGNS = TAG, NO_SIGNS = ANCESTOR, SIGN_WORDS = (NO_SIGNS - SIGNS + 63) / 64 };

#define CODE_POINTS 0x110000
#define LONG_WORDS 8
#define MAX_LINK_DENSITY 0.5
#define MIN_TITLE_CHARACTERS 6
static const double MAIN_SHARES[SHARES] = {0.5, 0.7, 0.9};

typedef struct {
    PyObject *text;
    int64_t element, within, breaks, before, inside;
    double words, density, good, good_before; /* `good_before` with half of its own */
    float own[OWN], repeated, title, after_title;
} Block;
typedef struct { int64_t parent, depth, path, end, first; float rows[ABOVE]; } Element;
typedef struct { double words, good, linked, blocks; } Sums;
typedef struct { int64_t parent, tag; uint64_t own, above; Sums sums; } Path;

typedef struct {
    Block *blocks;
    Element *elements;
    Path *paths;
    Sums *inside;                 /* by element: what it and all its descendants hold */
    Sums *before;                 /* by element: the sums of all elements before it */
    double *own, *of_children, *score; /* by element */
    int64_t block_count, element_count, path_count, window;
    int64_t mains[SHARES], best;
    double words, good;           /* of the page */
    double *word_counts;          /* by block of the page */
    float *matrix;                /* by block of the window, as all that follows */
    uint64_t *signs;              /* a bit for each binary feature that is 1 */
    int64_t *first, *last;
} Page;

/* A callback that is given the rows of the blocks from `start` to `stop`; it returns 0 with an exception to end. */
typedef int See(const Page *page, int64_t start, int64_t stop, void *context);

/* Refuse a page that no walk has made. */
static int strange(void) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "blocks that no walk has made");
    return 0;
}

static inline int64_t number(PyObject *record, Py_ssize_t field) {
    return PyLong_AsLongLong(PyTuple_GET_ITEM(record, field));
}

/* Count the characters of a text by their classes; `ends` is whether it ends as a sentence does. */
static void count_characters(PyObject *text, const unsigned char *classes, int64_t counts[CLASSES], int *ends) {
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t size = PyUnicode_GET_LENGTH(text);
    int64_t odd[CLASSES] = {0}; /* a second counter for each class: one alone would wait for its own last store */
    memset(counts, 0, CLASSES * sizeof *counts);
    for (Py_ssize_t i = 0; i + 1 < size; i += 2) {
        counts[classes[PyUnicode_READ(kind, data, i)]]++;
        odd[classes[PyUnicode_READ(kind, data, i + 1)]]++;
    }
    int last = classes[PyUnicode_READ(kind, data, size - 1)];
    if (size % 2) counts[last]++;
    for (int i = 0; i < CLASSES; i++) counts[i] += odd[i];
    *ends = last == STOP || (last == OTHER && size > 1 && classes[PyUnicode_READ(kind, data, size - 2)] == STOP);
}

static inline double least(double a, double b) { return a < b ? a : b; }

/* Read the blocks, and what can be said of each by itself. */
static int read_blocks(Page *page, PyObject *list, const unsigned char *classes) {
    static const int MARKS[] = {STOP, COMMA, DIGIT, UPPER, SYMBOL};
    for (int64_t i = 0; i < page->block_count; i++) {
        PyObject *record = PyList_GET_ITEM(list, i);
        if (!PyTuple_Check(record) || PyTuple_GET_SIZE(record) != 8) return strange();
        Block *block = &page->blocks[i];
        block->text = PyTuple_GET_ITEM(record, BLOCK_TEXT);
        if (!PyUnicode_Check(block->text) || !PyUnicode_GET_LENGTH(block->text)) return strange();
        block->element = number(record, BLOCK_ELEMENT);
        block->within = number(record, BLOCK_WITHIN);
        block->breaks = number(record, BLOCK_BREAKS);
        block->before = number(record, BLOCK_BEFORE);
        block->inside = number(record, BLOCK_INSIDE);
        double links = (double)number(record, BLOCK_LINKS);
        if (block->element < 0 || block->element >= page->element_count || PyErr_Occurred()) return strange();
        int64_t counts[CLASSES];
        int ends;
        count_characters(block->text, classes, counts, &ends);
        block->words = 1.0 + (double)counts[SPACE] + (double)counts[UNSPACED] / 2;
        block->density = links / (double)PyUnicode_GET_LENGTH(block->text);
        int runs = block->words >= LONG_WORDS && block->density < MAX_LINK_DENSITY;
        block->good = runs ? block->words * (1 - block->density) : 0.0;
        page->words += block->words;
        page->good += block->good;
        block->good_before = page->good - block->good / 2;
        page->word_counts[i] = block->words;
        float *row = block->own;
        row[0] = logf((float)block->words);
        row[1] = (float)block->density;
        row[2] = block->density > 0;
        row[3] = (float)ends;
        for (int k = 0; k < 5; k++) row[4 + k] = (float)least((double)counts[MARKS[k]] / block->words, 2);
    }
    return 1;
}

/* Read the elements: `end` is the one after the last descendant, `first` the first block inside. */
static int read_elements(Page *page, const int64_t *row) {
    for (int64_t i = 0; i < page->element_count; i++, row += NUMBERS) {
        Element *element = &page->elements[i];
        element->parent = i ? row[PARENT] : 0;
        element->depth = row[DEPTH];
        element->path = row[ELEMENT_PATH];
        element->end = i + 1;
        element->first = page->block_count;
        int held = element->parent >= 0 && element->parent <= i - (i > 0) && element->path >= 0;
        if (!held || element->path >= page->path_count) return strange();
    }
    return 1;
}

static void span_elements(Page *page) {
    Element *elements = page->elements;
    for (int64_t i = page->block_count - 1; i >= 0; i--) elements[page->blocks[i].element].first = i;
    for (int64_t i = page->element_count - 1; i > 0; i--) {
        Element *parent = &elements[elements[i].parent];
        if (elements[i].end > parent->end) parent->end = elements[i].end;
        if (elements[i].first < parent->first) parent->first = elements[i].first;
    }
}

static int read_paths(Page *page, const int64_t *row) {
    for (int64_t i = 0; i < page->path_count; i++, row += NUMBERS) {
        Path *path = &page->paths[i];
        path->parent = row[PARENT];
        if (path->parent < -1 || path->parent >= i) return strange();
        path->tag = row[PATH_TAG];
        path->own = (uint64_t)row[PATH_GROUPS];
        path->above = path->parent < 0 ? 0 : path->own | page->paths[path->parent].above;
    }
    return 1;
}

static inline void add_block(Sums *sums, const Block *block) {
    sums->words += block->words;
    sums->good += block->good;
    sums->linked += block->words * block->density;
    sums->blocks += 1;
}

/* What each path holds, and each element with its descendants: those follow it, so two running sums do. */
static void sum_up(Page *page) {
    for (int64_t i = 0; i < page->block_count; i++) {
        const Block *block = &page->blocks[i];
        add_block(&page->paths[page->elements[block->element].path].sums, block);
        add_block(&page->inside[block->element], block);
        page->own[block->element] += block->good;
    }
    for (int64_t i = 0; i < page->element_count; i++) {
        const Sums *here = &page->inside[i];
        Sums *next = &page->before[i + 1];
        *next = page->before[i];
        next->words += here->words;
        next->good += here->good;
        next->linked += here->linked;
        next->blocks += here->blocks;
    }
    for (int64_t i = 0; i < page->element_count; i++) {
        const Sums *start = &page->before[i];
        Sums *held = &page->inside[i];
        *held = page->before[page->elements[i].end];
        held->words -= start->words;
        held->good -= start->good;
        held->linked -= start->linked;
        held->blocks -= start->blocks;
    }
}

/* The smallest element with each share of all running text, and the best one by the text right inside it. */
static void find_mains(Page *page) {
    const Element *elements = page->elements;
    for (int64_t i = 0; i < page->element_count; i++) page->of_children[elements[i].parent] += page->own[i];
    for (int64_t i = 0; i < page->element_count; i++) page->score[elements[i].parent] += page->of_children[i];
    for (int64_t i = 0; i < page->element_count; i++) {
        double density = page->inside[i].linked / (page->inside[i].words + 1e-9);
        page->score[i] = (0.7 * page->own[i] + page->of_children[i] + page->score[i] / 2) * (1 - density);
        if (page->score[i] > page->score[page->best]) page->best = i;
        for (int k = 0; k < SHARES; k++)
            if (page->inside[i].good >= MAIN_SHARES[k] * page->inside[0].good) page->mains[k] = i;
    }
}

static void describe_elements(Page *page) {
    for (int64_t i = 0; i < page->element_count; i++) {
        const Sums *held = &page->inside[i];
        float *rows = page->elements[i].rows;
        rows[0] = logf((float)(held->words + 1));
        rows[1] = (float)(held->good / (page->inside[0].good + 1));
        rows[2] = (float)(held->linked / (held->words + 1e-9));
        rows[3] = logf((float)(held->blocks + 1));
        rows[4] = (float)(held->good / (page->inside[page->elements[i].parent].good + 1));
    }
}

/* Mark the blocks whose text comes more than once. */
static int mark_repeated(Page *page) {
    int64_t size = 64;
    while (size < page->block_count * 2) size *= 2;
    int64_t *slots = PyMem_Calloc(size, sizeof *slots); /* the number of the first block with a text, plus one */
    if (!slots) { PyErr_NoMemory(); return 0; }
    int held = 1;
    for (int64_t i = 0; held && i < page->block_count; i++) {
        PyObject *text = page->blocks[i].text;
        int64_t at = (int64_t)((uint64_t)PyObject_Hash(text) & (uint64_t)(size - 1));
        for (; slots[at]; at = (at + 1) & (size - 1)) {
            PyObject *seen = page->blocks[slots[at] - 1].text;
            if (PyObject_Hash(seen) == PyObject_Hash(text) && !PyUnicode_Compare(seen, text)) break;
        }
        if (slots[at]) {
            page->blocks[i].repeated = page->blocks[slots[at] - 1].repeated = 1;
        } else {
            slots[at] = i + 1;
        }
        held = !PyErr_Occurred();
    }
    PyMem_Free(slots);
    return held;
}

/* Mark the blocks that repeat the title of the page, and those that come after the first of these. */
static int mark_title(Page *page, PyObject *title) {
    if (PyUnicode_GET_LENGTH(title) < MIN_TITLE_CHARACTERS) return 1;
    int found = 0;
    for (int64_t i = 0; i < page->block_count; i++) {
        Block *block = &page->blocks[i];
        Py_ssize_t size = PyUnicode_GET_LENGTH(block->text);
        if (size >= MIN_TITLE_CHARACTERS && size <= PyUnicode_GET_LENGTH(title)) {
            int inside = PyUnicode_Contains(title, block->text);
            if (inside < 0) return 0;
            block->title = (float)inside;
            found |= inside;
        }
        block->after_title = (float)found;
    }
    return 1;
}

/* The page as a whole, as every block's features have it. */
typedef struct { float words, good, blocks; double most; } Whole;

static Whole whole_of(const Page *page) {
    Whole whole = {logf((float)page->words), logf((float)(page->good + 1)), logf((float)page->block_count), 0};
    for (int64_t i = 0; i < page->path_count; i++)
        if (page->paths[i].sums.good > whole.most) whole.most = page->paths[i].sums.good;
    return whole;
}

static void place(const Page *page, const Whole *whole, int64_t i, float *row) {
    const Block *block = &page->blocks[i];
    memcpy(row, block->own, sizeof block->own);
    row[SHARE] = (float)(block->words / page->words);
    row[PLACE] = (float)least((double)block->breaks, 3);
    row[PLACE + 1] = i + 1 < page->block_count ? (float)least((double)block[1].breaks, 3) : 0;
    row[PLACE + 2] = logf(1.0f + (float)block->before);
    row[PLACE + 3] = (float)least((double)block->inside / block->words, 4);
    row[PLACE + 4] = (float)((double)i / (double)page->block_count);
    row[PLACE + 5] = (float)(block->good_before / (page->good + 1));
    row[PLACE + 6] = logf((float)page->elements[block->element].depth);
    row[PLACE + 7] = block->repeated;
    row[TITLE] = block->title;
    row[TITLE + 1] = block->after_title;
    row[PAGE] = whole->words;
    row[PAGE + 1] = whole->good;
    row[PAGE + 2] = whole->blocks;
}

/* Set the bits of some features, of which `feature` is the first. */
static inline void sign(uint64_t *signs, int feature, uint64_t bits) {
    int at = feature - SIGNS;
    signs[at / 64] |= bits << at % 64;
    if (at % 64 && bits >> (64 - at % 64)) signs[at / 64 + 1] |= bits >> (64 - at % 64);
}

/* The path of a block, and what its tags, classes and ids say. */
static void name(const Page *page, const Whole *whole, int64_t i, float *row, uint64_t *signs) {
    const Block *block = &page->blocks[i];
    const Path *path = &page->paths[page->elements[block->element].path];
    uint64_t near = path->own | page->paths[path->parent < 0 ? page->path_count - 1 : path->parent].own;
    row[PATH] = logf((float)path->sums.blocks);
    row[PATH + 1] = logf((float)(path->sums.words / path->sums.blocks));
    row[PATH + 2] = (float)(path->sums.linked / path->sums.words);
    row[PATH + 3] = (float)(path->sums.good / (whole->most + 1));
    memset(signs, 0, SIGN_WORDS * sizeof *signs);
    if (path->tag >= 0 && path->tag < TAGS) sign(signs, TAG, 1ull << path->tag);
    sign(signs, WITHIN, (uint64_t)block->within & ((1ull << CONTEXTS) - 1));
    sign(signs, NEARBY, near & ((1ull << GROUPS) - 1));
    sign(signs, HIGHER, path->above & ((1ull << GROUPS) - 1));
}

/* The elements around a block, and where it stands to the main ones. */
static void surround(const Page *page, int64_t i, float *row) {
    const Element *elements = page->elements;
    int64_t own = page->blocks[i].element, above = own;
    for (int k = 0; k < ANCESTORS; k++, above = elements[above].parent)
        for (int each = 0; each < ABOVE; each++) row[ANCESTOR + each * ANCESTORS + k] = elements[above].rows[each];
    for (int k = 0; k <= SHARES; k++) {
        int64_t main = k < SHARES ? page->mains[k] : page->best;
        row[MAIN + 2 * k] = own >= main && own < elements[main].end;
        row[MAIN + 2 * k + 1] = (float)(least((double)(elements[own].depth - elements[main].depth), 10) / 10);
    }
    row[BEST + 2] = (float)(page->score[elements[own].parent] / (page->score[page->best] + 1));
}

/* The blocks inside each element around a block, counted from `start` and within these. */
static int span(const Page *page, int64_t i, int64_t start, int64_t stop) {
    int64_t above = page->blocks[i].element;
    for (int64_t at = (i - start) * ANCESTORS; at < (i - start + 1) * ANCESTORS; at++) {
        int64_t first = page->elements[above].first, last = first + (int64_t)page->inside[above].blocks;
        page->first[at] = (first > start ? first : start) - start;
        page->last[at] = (last < stop ? last : stop) - start;
        if (page->last[at] <= page->first[at]) return strange();
        above = page->elements[above].parent;
    }
    return 1;
}

/* Fill in the arrays for as many blocks as they hold, and show them, until all have been shown. */
static int show(const Page *page, See *see, void *context) {
    Whole whole = whole_of(page);
    for (int64_t start = 0; start < page->block_count; start += page->window) {
        int64_t stop = start + page->window < page->block_count ? start + page->window : page->block_count;
        for (int64_t i = start; i < stop; i++) {
            float *row = page->matrix + (i - start) * FEATURES;
            place(page, &whole, i, row);
            name(page, &whole, i, row, page->signs + (i - start) * SIGN_WORDS);
            surround(page, i, row);
            if (!span(page, i, start, stop)) return 0;
        }
        if (!see(page, start, stop, context)) return 0;
    }
    return 1;
}

static int make_room(Page *page) {
    size_t blocks = page->block_count, elements = page->element_count, paths = page->path_count;
    page->blocks = PyMem_Calloc(blocks, sizeof(Block));
    page->elements = PyMem_Calloc(elements, sizeof(Element));
    page->paths = PyMem_Calloc(paths, sizeof(Path));
    page->inside = PyMem_Calloc(2 * elements + 1, sizeof(Sums));
    page->own = PyMem_Calloc(3 * elements, sizeof(double));
    page->matrix = PyMem_Malloc(page->window * FEATURES * sizeof(float));
    page->first = PyMem_Malloc(page->window * (2 * ANCESTORS + SIGN_WORDS) * sizeof(int64_t));
    page->word_counts = PyMem_Malloc(blocks * sizeof(double));
    if (!page->blocks || !page->elements || !page->paths || !page->inside || !page->own || !page->matrix ||
        !page->first || !page->word_counts) {
        PyErr_NoMemory();
        return 0;
    }
    page->before = page->inside + elements;
    page->of_children = page->own + elements;
    page->score = page->of_children + elements;
    page->last = page->first + page->window * ANCESTORS;
    page->signs = (uint64_t *)(page->last + page->window * ANCESTORS);
    return 1;
}

static void leave_room(Page *page) {
    PyMem_Free(page->blocks);
    PyMem_Free(page->elements);
    PyMem_Free(page->paths);
    PyMem_Free(page->inside);
    PyMem_Free(page->own);
    PyMem_Free(page->matrix);
    PyMem_Free(page->first);
    PyMem_Free(page->word_counts);
}

/* A page as Python has it. */
typedef struct {
    PyObject *blocks, *title;
    const int64_t *elements, *paths; /* NUMBERS of each */
    const unsigned char *classes; /* by code point */
} Given;

/* Make all of a page that is to be shown; `leave_room` when that is done, whatever came of it. */
static int read_page(Page *page, const Given *given) {
    int held = make_room(page) && read_blocks(page, given->blocks, given->classes);
    if (!held || !read_elements(page, given->elements) || !read_paths(page, given->paths)) return 0;
    span_elements(page);
    sum_up(page);
    find_mains(page);
    describe_elements(page);
    return mark_repeated(page) && mark_title(page, given->title);
}
