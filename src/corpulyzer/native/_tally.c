/* The words of many passages in C, as measure/text/tally.py counts them: each distinct word is a number, so that
   what a passage says again is found without an object for each word. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#include "_buffers.h"
#include "_compiled.h"

enum { WORD = 1, FIRST = 2, CODE_POINTS = 0x110000 }; /* kinds of characters as in census.py */
enum { SOFT_HYPHEN = 0xAD, NO_JOINER = 0x200C, CODE_BITS = 21, REPEAT_WORDS = 5, NOTHING = -1 };
static const double MTLD_FLOOR = 0.72;

/* Numbers in a row, which grow. */
typedef struct { int32_t *at; size_t size, room; } Numbers;

/* A word: its bytes, and when it was last seen, so that sets of words need no clearing. */
typedef struct { size_t start; uint32_t length, hash; uint64_t passage, sentence, run; int64_t uses; } Word;
typedef struct { int64_t key, count; } Counted; /* empty where nothing was counted */
typedef struct { Counted *slots; size_t size, room; } Counter;
typedef struct { int32_t word, group; int64_t tokens, documents; uint64_t passage; } Use; /* of a word in a group */

typedef struct {
    PyObject_HEAD
    Py_buffer kinds;
    PyObject *internal; /* the characters that may stand inside words */
    Py_ssize_t longest; /* characters of a word */
    Word *words;
    size_t word_count, word_room;
    uint32_t *word_slots; /* by hash: the number of a word and 1, with gaps; as many as a power of two */
    size_t word_slot_room;
    Buffer letters; /* of all words, as UTF-8 */
    Use *uses;
    size_t use_count, use_room;
    uint32_t *use_slots;
    size_t use_slot_room;
    Numbers sentences, flat; /* the words of all sentences, each with a NOTHING behind; those of this passage */
    Buffer word;             /* that is being read */
    uint32_t *runs;          /* of words in this passage, by hash */
    size_t run_room;
    Counter triples, codes;
    uint64_t passage, sentence, run;
} Tally;

static int lack_memory(void) {
    PyErr_NoMemory();
    return 0;
}

static int room_for(void **items, size_t *room, size_t wanted, size_t each) {
    if (wanted <= *room) return 1;
    void *grown = PyMem_Realloc(*items, wanted * 2 * each);
    if (!grown) return lack_memory();
    *items = grown;
    *room = wanted * 2;
    return 1;
}

static int push(Numbers *numbers, int32_t number) {
    if (!room_for((void **)&numbers->at, &numbers->room, numbers->size + 1, sizeof number)) return 0;
    numbers->at[numbers->size++] = number;
    return 1;
}

static uint64_t mixed(uint64_t key) {
    key *= 0x9E3779B97F4A7C15u;
    return key ^ key >> 32;
}

/* Slots twice as many as there are things, all empty. */
static uint32_t *empty_slots(uint32_t *old, size_t room) {
    PyMem_Free(old);
    uint32_t *slots = PyMem_Calloc(room, sizeof *slots);
    if (!slots) lack_memory();
    return slots;
}

static int widen(Counter *counter) {
    size_t room = counter->room ? counter->room * 2 : 1024;
    Counted *slots = PyMem_Calloc(room, sizeof *slots);
    if (!slots) return lack_memory();
    for (size_t i = 0; i < counter->room; i++) {
        if (!counter->slots[i].count) continue;
        size_t at = mixed((uint64_t)counter->slots[i].key) & (room - 1);
        while (slots[at].count) at = (at + 1) & (room - 1);
        slots[at] = counter->slots[i];
    }
    PyMem_Free(counter->slots);
    counter->slots = slots;
    counter->room = room;
    return 1;
}

static int count(Counter *counter, int64_t key) {
    if (counter->size * 2 >= counter->room && !widen(counter)) return 0;
    size_t at = mixed((uint64_t)key) & (counter->room - 1);
    while (counter->slots[at].count && counter->slots[at].key != key) at = (at + 1) & (counter->room - 1);
    if (!counter->slots[at].count++) {
        counter->slots[at].key = key;
        counter->size++;
    }
    return 1;
}

/* The keys and their counts, in no order. */
static PyObject *pairs_of(const Counter *counter) {
    Buffer keys = {0}, counts = {0};
    int held = 1;
    for (size_t i = 0; held && i < counter->room; i++)
        if (counter->slots[i].count)
            held = append(&keys, &counter->slots[i].key, sizeof(int64_t)) &&
                   append(&counts, &counter->slots[i].count, sizeof(int64_t));
    if (held) return Py_BuildValue("(NN)", bytes_of(&keys), bytes_of(&counts));
    Py_XDECREF(keys.bytes);
    Py_XDECREF(counts.bytes);
    return NULL;
}

/* The number of the word that was read, a new one if it has none; NOTHING and an exception where it fails. */
static int32_t number_of(Tally *self) {
    const char *letters = PyBytes_AS_STRING(self->word.bytes);
    size_t length = self->word.size;
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)letters[i]) * 0x100000001B3u;
    uint32_t short_hash = (uint32_t)mixed(hash);
    if (self->word_count * 2 >= self->word_slot_room) {
        size_t room = self->word_slot_room ? self->word_slot_room * 2 : 1024;
        if (!(self->word_slots = empty_slots(self->word_slots, room))) return NOTHING;
        self->word_slot_room = room;
        for (size_t i = 0; i < self->word_count; i++) {
            size_t at = self->words[i].hash & (room - 1);
            while (self->word_slots[at]) at = (at + 1) & (room - 1);
            self->word_slots[at] = (uint32_t)i + 1;
        }
    }
    size_t at = short_hash & (self->word_slot_room - 1);
    for (; self->word_slots[at]; at = (at + 1) & (self->word_slot_room - 1)) {
        const Word *word = &self->words[self->word_slots[at] - 1];
        if (word->hash == short_hash && word->length == length &&
            !memcmp(PyBytes_AS_STRING(self->letters.bytes) + word->start, letters, length))
            return (int32_t)(self->word_slots[at] - 1);
    }
    if (self->word_count >= INT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "more words in one batch than 32 bits can count");
        return NOTHING;
    }
    if (!room_for((void **)&self->words, &self->word_room, self->word_count + 1, sizeof(Word))) return NOTHING;
    Word made = {self->letters.size, (uint32_t)length, short_hash, 0, 0, 0, 0};
    if (!append(&self->letters, letters, length)) return NOTHING;
    self->words[self->word_count] = made;
    self->word_slots[at] = (uint32_t)++self->word_count;
    return (int32_t)(self->word_count - 1);
}

/* Count a word in a group, and the passage once. */
static int use(Tally *self, int32_t word, int32_t group) {
    if (self->use_count * 2 >= self->use_slot_room) {
        size_t room = self->use_slot_room ? self->use_slot_room * 2 : 1024;
        if (!(self->use_slots = empty_slots(self->use_slots, room))) return 0;
        self->use_slot_room = room;
        for (size_t i = 0; i < self->use_count; i++) {
            size_t at = mixed((uint64_t)self->uses[i].group << 32 | (uint32_t)self->uses[i].word) & (room - 1);
            while (self->use_slots[at]) at = (at + 1) & (room - 1);
            self->use_slots[at] = (uint32_t)i + 1;
        }
    }
    size_t at = mixed((uint64_t)group << 32 | (uint32_t)word) & (self->use_slot_room - 1);
    for (; self->use_slots[at]; at = (at + 1) & (self->use_slot_room - 1)) {
        const Use *seen = &self->uses[self->use_slots[at] - 1];
        if (seen->word == word && seen->group == group) break;
    }
    if (!self->use_slots[at]) {
        if (self->use_count >= UINT32_MAX - 1) {
            PyErr_SetString(PyExc_OverflowError, "more words in one batch than 32 bits can count");
            return 0;
        }
        if (!room_for((void **)&self->uses, &self->use_room, self->use_count + 1, sizeof(Use))) return 0;
        self->uses[self->use_count] = (Use){word, group, 0, 0, 0};
        self->use_slots[at] = (uint32_t)++self->use_count;
    }
    Use *found = &self->uses[self->use_slots[at] - 1];
    found->tokens++;
    found->documents += found->passage != self->passage;
    found->passage = self->passage;
    return 1;
}

static int add_character(Buffer *word, Py_UCS4 c) {
    unsigned char bytes[4];
    size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    if (c >= 0xD800 && c <= 0xDFFF) {
        PyErr_SetString(PyExc_ValueError, "half of a surrogate pair is no text");
        return 0;
    }
    static const unsigned char MARKS[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = size; i-- > 1; c >>= 6) bytes[i] = (unsigned char)(0x80 | (c & 0x3F));
    bytes[0] = (unsigned char)(MARKS[size] | c);
    return append(word, bytes, size);
}

/* A text, and where one is in it; soft hyphens are passed over. */
typedef struct { const void *data; int width; Py_ssize_t at, length; } Place;

static Py_UCS4 here(Place *place) {
    while (place->at < place->length && PyUnicode_READ(place->width, place->data, place->at) == SOFT_HYPHEN)
        place->at++;
    return place->at < place->length ? PyUnicode_READ(place->width, place->data, place->at) : 0;
}

/* Read the word that begins here; its number of characters, or NOTHING. What ends in `_` or a non-joiner loses it. */
static Py_ssize_t read_word(Tally *self, Place *place) {
    const unsigned char *kinds = self->kinds.buf;
    Py_ssize_t characters = 0, kept = 0;
    size_t kept_bytes = 0;
    self->word.size = 0;
    for (Py_UCS4 c = here(place); place->at < place->length; c = here(place)) {
        if (!(kinds[c] & WORD)) {
            Place next = {place->data, place->width, place->at + 1, place->length};
            int inside = PyUnicode_FindChar(self->internal, c, 0, PyUnicode_GET_LENGTH(self->internal), 1) >= 0;
            if (!inside || !(kinds[here(&next)] & FIRST)) break;
        }
        if (characters++ < self->longest && !add_character(&self->word, c)) return NOTHING;
        place->at++;
        if (c == '_' || c == NO_JOINER) continue;
        kept = characters;
        kept_bytes = self->word.size;
    }
    self->word.size = kept_bytes;
    return kept < self->longest ? kept : self->longest;
}

/* Add the words of a text to the flat list; the characters in them, or NOTHING and an exception. */
static Py_ssize_t cut(Tally *self, PyObject *text) {
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "a text is needed");
        return NOTHING;
    }
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(text) < 0) return NOTHING;
#endif
    const unsigned char *kinds = self->kinds.buf;
    Place place = {PyUnicode_DATA(text), PyUnicode_KIND(text), 0, PyUnicode_GET_LENGTH(text)};
    Py_ssize_t all = 0;
    for (Py_UCS4 c = here(&place); place.at < place.length; c = here(&place)) {
        if (!(kinds[c] & FIRST)) {
            place.at++;
            continue;
        }
        Py_ssize_t characters = read_word(self, &place);
        int32_t number = characters < 0 ? NOTHING : number_of(self);
        if (number < 0 || !push(&self->flat, number)) return NOTHING;
        all += characters;
    }
    return all;
}

/* How often types per token fall to the floor, from one end; an unfinished last run counts as a fraction. */
static double factors(Tally *self, int backward) {
    int64_t tokens = 0, types = 0, whole = 0;
    size_t size = self->flat.size;
    self->run++;
    for (size_t i = 0; i < size; i++) {
        Word *word = &self->words[self->flat.at[backward ? size - 1 - i : i]];
        tokens++;
        types += word->run != self->run;
        word->run = self->run;
        if ((double)types > MTLD_FLOOR * (double)tokens) continue;
        whole++;
        tokens = types = 0;
        self->run++;
    }
    if (!tokens) return (double)whole;
    double rest = (1 - (double)types / (double)tokens) / (1 - MTLD_FLOOR);
    return (double)whole + rest;
}

/* How many runs of five words the passage has said before. */
static Py_ssize_t repeated(Tally *self) {
    const int32_t *words = self->flat.at;
    size_t room = 16, runs = self->flat.size < REPEAT_WORDS ? 0 : self->flat.size - REPEAT_WORDS + 1;
    Py_ssize_t again = 0;
    while (room < runs * 2) room *= 2;
    if (!room_for((void **)&self->runs, &self->run_room, room, sizeof *self->runs)) return NOTHING;
    memset(self->runs, 0, room * sizeof *self->runs);
    for (size_t i = 0; i < runs; i++) {
        uint64_t hash = 0;
        for (int k = 0; k < REPEAT_WORDS; k++) hash = mixed(hash + (uint32_t)words[i + k] + 1);
        size_t at = hash & (room - 1);
        while (self->runs[at] && memcmp(words + self->runs[at] - 1, words + i, REPEAT_WORDS * sizeof *words))
            at = (at + 1) & (room - 1);
        if (self->runs[at]) again++;
        else self->runs[at] = (uint32_t)i + 1;
    }
    return again;
}

/* By number of uses: how many words of the passage have it. */
static PyObject *words_by_uses(Tally *self, Py_ssize_t *types) {
    Counter found = {0};
    int held = 1;
    *types = 0;
    for (size_t i = 0; i < self->flat.size; i++) {
        Word *word = &self->words[self->flat.at[i]];
        if (word->passage != self->passage) word->uses = 0;
        word->passage = self->passage;
        word->uses++;
    }
    for (size_t i = 0; held && i < self->flat.size; i++) {
        Word *word = &self->words[self->flat.at[i]];
        if (!word->uses) continue;
        held = count(&found, word->uses);
        word->uses = 0;
        ++*types;
    }
    PyObject *pairs = held ? PyDict_New() : NULL;
    for (size_t i = 0; pairs && i < found.room; i++) {
        if (!found.slots[i].count) continue;
        PyObject *uses = PyLong_FromLongLong(found.slots[i].key), *words = PyLong_FromLongLong(found.slots[i].count);
        if (!uses || !words || PyDict_SetItem(pairs, uses, words) < 0) Py_CLEAR(pairs);
        Py_XDECREF(uses);
        Py_XDECREF(words);
    }
    PyMem_Free(found.slots);
    return pairs;
}

/* The words of a sentence join those of all; how many differ, and how many of these the sentence before has too. */
static int add_sentence(Tally *self, size_t from, Py_ssize_t *differ, Py_ssize_t *common) {
    *differ = *common = 0;
    if (from < self->flat.size) self->sentence++;
    for (size_t i = from; i < self->flat.size; i++) {
        Word *word = &self->words[self->flat.at[i]];
        if (!push(&self->sentences, self->flat.at[i])) return 0;
        if (word->sentence == self->sentence) continue;
        ++*differ;
        *common += word->sentence == self->sentence - 1;
        word->sentence = self->sentence;
    }
    return push(&self->sentences, NOTHING);
}

/* Count every three characters of a line, with white space as a single space. */
static int add_triples(Counter *triples, PyObject *text) {
    int width = PyUnicode_KIND(text), blank = 0;
    const void *data = PyUnicode_DATA(text);
    uint64_t key = 0, mask = ((uint64_t)1 << 3 * CODE_BITS) - 1;
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), seen = 0;
    for (Py_ssize_t i = 0; i < length; i++) {
        Py_UCS4 c = PyUnicode_READ(width, data, i);
        if (c == '\n') {
            seen = blank = 0;
            continue;
        }
        if (Py_UNICODE_ISSPACE(c)) {
            blank = seen > 0;
            continue;
        }
        if (blank) {
            key = (key << CODE_BITS | ' ') & mask;
            if (++seen >= 3 && !count(triples, (int64_t)key)) return 0;
        }
        blank = 0;
        key = (key << CODE_BITS | c) & mask;
        if (++seen >= 3 && !count(triples, (int64_t)key)) return 0;
    }
    return 1;
}

static int use_all(Tally *self, int32_t group) {
    for (size_t i = 0; i < self->flat.size; i++)
        if (!use(self, self->flat.at[i], group)) return 0;
    return 1;
}

/* Begin a passage; no sentence of it has one before. */
static void begin(Tally *self) {
    self->passage++;
    self->sentence += 2;
    self->flat.size = 0;
}

static int add_number(PyObject *list, PyObject *number) {
    int held = number && PyList_Append(list, number) == 0;
    Py_XDECREF(number);
    return held;
}

/* Take in the sentences; the words in each, the overlaps of neighbours, and the characters of words or NOTHING. */
static Py_ssize_t add_sentences(Tally *self, PyObject *sentences, PyObject *lengths, PyObject *overlaps) {
    Py_ssize_t all = 0, before = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(sentences); i++) {
        size_t from = self->flat.size;
        Py_ssize_t differ, common, characters = cut(self, PyTuple_GET_ITEM(sentences, i));
        if (characters < 0 || !add_triples(&self->triples, PyTuple_GET_ITEM(sentences, i))) return NOTHING;
        if (!add_sentence(self, from, &differ, &common)) return NOTHING;
        if (!add_number(lengths, PyLong_FromSize_t(self->flat.size - from))) return NOTHING;
        if (before && differ) {
            double overlap = (double)common / (double)(before + differ - common);
            if (!add_number(overlaps, PyFloat_FromDouble(overlap))) return NOTHING;
        }
        if (differ) before = differ;
        all += characters;
    }
    return all;
}

/* add(sentences, group): count a passage; what its words are like. */
static PyObject *add(Tally *self, PyObject *arguments) {
    PyObject *sentences, *uses = NULL;
    int group;
    if (!PyArg_ParseTuple(arguments, "O!i", &PyTuple_Type, &sentences, &group)) return NULL;
    begin(self);
    PyObject *lengths = PyList_New(0), *overlaps = PyList_New(0);
    Py_ssize_t again = 0, types = 0, letters = NOTHING;
    if (lengths && overlaps) letters = add_sentences(self, sentences, lengths, overlaps);
    int held = letters >= 0 && use_all(self, group) && (again = repeated(self)) >= 0 &&
               (uses = words_by_uses(self, &types));
    if (held)
        return Py_BuildValue("(nnnddNNnN)", (Py_ssize_t)self->flat.size, types, letters, factors(self, 0),
                             factors(self, 1), uses, overlaps, again, lengths);
    Py_XDECREF(lengths);
    Py_XDECREF(overlaps);
    return NULL;
}

/* count(text, group): count the words of a text alone. */
static PyObject *count_words(Tally *self, PyObject *arguments) {
    PyObject *text;
    int group;
    if (!PyArg_ParseTuple(arguments, "Ui", &text, &group)) return NULL;
    begin(self);
    if (cut(self, text) < 0 || !use_all(self, group)) return NULL;
    Py_RETURN_NONE;
}

/* add_characters(text): count the characters of a text. */
static PyObject *add_characters(Tally *self, PyObject *text) {
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "a text is needed");
        return NULL;
    }
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(text) < 0) return NULL;
#endif
    int width = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(text); i++)
        if (!count(&self->codes, (int64_t)PyUnicode_READ(width, data, i))) return NULL;
    Py_RETURN_NONE;
}

/* The distinct words as a column of texts: where each ends, and the letters of all. */
static PyObject *words(Tally *self, PyObject *none) {
    Buffer ends = {0};
    (void)none;
    int held = add_end_of(&ends, 0);
    for (size_t i = 0; held && i < self->word_count; i++)
        held = add_end_of(&ends, self->words[i].start + self->words[i].length);
    PyObject *letters = NULL;
    if (held) {
        const char *data = self->letters.bytes ? PyBytes_AS_STRING(self->letters.bytes) : "";
        letters = PyBytes_FromStringAndSize(data, (Py_ssize_t)self->letters.size);
    }
    if (letters) return Py_BuildValue("(NN)", bytes_of(&ends), letters);
    Py_XDECREF(ends.bytes);
    return NULL;
}

/* The words of groups: number of the word, group, tokens and passages, in the order in which they came. */
static PyObject *uses(Tally *self, PyObject *none) {
    Buffer columns[4] = {{0}};
    (void)none;
    int held = 1;
    for (size_t i = 0; held && i < self->use_count; i++) {
        const Use *each = &self->uses[i];
        held = append(&columns[0], &each->word, sizeof each->word) &&
               append(&columns[1], &each->group, sizeof each->group) &&
               append(&columns[2], &each->tokens, sizeof each->tokens) &&
               append(&columns[3], &each->documents, sizeof each->documents);
    }
    if (held)
        return Py_BuildValue("(NNNN)", bytes_of(&columns[0]), bytes_of(&columns[1]), bytes_of(&columns[2]),
                             bytes_of(&columns[3]));
    for (int i = 0; i < 4; i++) Py_XDECREF(columns[i].bytes);
    return NULL;
}

static PyObject *sentences(Tally *self, PyObject *none) {
    (void)none;
    size_t bytes = self->sentences.size * sizeof *self->sentences.at;
    return PyBytes_FromStringAndSize((const char *)self->sentences.at, (Py_ssize_t)bytes);
}

static PyObject *triples(Tally *self, PyObject *none) {
    (void)none;
    return pairs_of(&self->triples);
}

static PyObject *codes(Tally *self, PyObject *none) {
    (void)none;
    return pairs_of(&self->codes);
}

/* Tally(kinds, internal, longest) */
static int set_up(Tally *self, PyObject *arguments, PyObject *keywords) {
    if (self->internal || (keywords && PyDict_GET_SIZE(keywords))) {
        PyErr_SetString(PyExc_TypeError, "it is made once, without keywords");
        return -1;
    }
    if (!PyArg_ParseTuple(arguments, "y*Un", &self->kinds, &self->internal, &self->longest)) {
        self->internal = NULL;
        return -1;
    }
    Py_INCREF(self->internal);
    if (self->kinds.len == CODE_POINTS) return 0;
    PyErr_SetString(PyExc_ValueError, "a kind is needed for every code point");
    return -1;
}

static void let_go(Tally *self) {
    PyTypeObject *type = Py_TYPE(self);
    if (self->kinds.obj) PyBuffer_Release(&self->kinds);
    Py_XDECREF(self->internal);
    Py_XDECREF(self->letters.bytes);
    Py_XDECREF(self->word.bytes);
    void *held[] = {self->words, self->word_slots, self->uses, self->use_slots, self->sentences.at, self->flat.at,
                    self->runs, self->triples.slots, self->codes.slots};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) PyMem_Free(held[i]);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot SLOTS[] = {
    {Py_tp_doc, "The words of many passages, as they are counted."},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_init, set_up},
    {Py_tp_dealloc, let_go},
    {Py_tp_methods, (PyMethodDef[]){
        {"add", (PyCFunction)add, METH_VARARGS, "Count the sentences of a passage; what its words are like."},
        {"count", (PyCFunction)count_words, METH_VARARGS, "Count the words of a text alone."},
        {"add_characters", (PyCFunction)add_characters, METH_O, "Count the characters of a text."},
        {"words", (PyCFunction)words, METH_NOARGS, "The distinct words."},
        {"uses", (PyCFunction)uses, METH_NOARGS, "The words of each group."},
        {"sentences", (PyCFunction)sentences, METH_NOARGS, "The words of all sentences, by their numbers."},
        {"triples", (PyCFunction)triples, METH_NOARGS, "Every three characters, and how often they came."},
        {"codes", (PyCFunction)codes, METH_NOARGS, "Every character, and how often it came."},
        {NULL, NULL, 0, NULL},
    }},
    {0, NULL},
};
static PyType_Spec SPEC = {"corpulyzer.native._compiled.Tally", sizeof(Tally), 0, Py_TPFLAGS_DEFAULT, SLOTS};

int add_tally_to(PyObject *module) {
    PyObject *type = PyType_FromSpec(&SPEC);
    int failed = type ? PyModule_AddObjectRef(module, "Tally", type) : -1;
    Py_XDECREF(type);
    return failed;
}
