/* The walk of walk.py in C: the same blocks, elements, paths, anchors and facts, at a tenth of the time.

   It reads the parser's nodes in memory, and writes nothing to them. `compiled_walk.py` uses it only after it has
   checked the layout that is assumed here on a known page. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#include "_compiled.h"
#include "_stable.h"

/* Offsets, in words, in a node, in an attribute, and in the name of an attribute unknown to the parser. */
enum { NODE_TAG = 1, NODE_NEXT = 5, NODE_CHILD = 8, NODE_ATTRIBUTE = 15, TEXT_DATA = 12, TEXT_SIZE = 13 };
enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_VALUE = 14, ATTRIBUTE_NEXT = 16 };
enum { NAME_SIZE = 3, SHORT_NAME = 16, FIRST_POINTER = 4096 };

enum { TEXT, BLOCK, INLINE, ANCHOR, BREAK, FACT, PASS };
enum { ID, CLASS, STYLE, HREF, REL, HREFLANG, HIDDEN, ITEMPROP, ROLE, TYPE, NAMED };

#define HARD (-((int64_t)1 << 40))
#define MANY_CHARACTERS (1 << 16)

typedef const uint64_t *Words;
typedef struct { const unsigned char *data; int64_t size; } Bytes; /* size -1: there is none */
typedef struct { unsigned char *data; int64_t size, room; } Buffer;
typedef struct { int kind; int64_t element; int64_t within; } State;
typedef struct { Words node; State state; int64_t path; char block, unseen; } Frame;
typedef struct { int64_t path; uint64_t tag; Bytes id, classes; uint64_t hash; int64_t index; State inside; } Slot;

/* Elements or paths: three numbers of each, and the named tuples that they stand for, made when asked for.
   Of an element its parent, depth and path; of a path its parent, the number of its tag and its groups. */
enum { PARENT, DEPTH, PATH, NUMBERS, TAG = DEPTH, GROUPS = PATH };
typedef struct { uint64_t tag; Bytes id, classes, roles; } Name; /* of a path; it lies in the tree */
typedef struct {
    PyObject_HEAD
    int64_t *numbers;
    Name *names;               /* NULL of elements */
    int64_t count, room;
    PyObject *type, *tags, *owner;
} Rows;
typedef struct { uint64_t hash, groups; } ClassWord;

typedef struct {
    PyObject *blocks, *anchors, *facts;                         /* lists */
    Rows *elements, *paths;
    PyObject *block, *element, *step, *anchor, *fact;           /* types */
    PyObject *kinds, *tags, *names, *split;  /* tuple of str; by tag: str; names of attributes: dict; callable */
    const unsigned char *actions, *tag_kinds;                   /* by tag */
    const int32_t *contexts;                                    /* by tag */
    const signed char *tag_numbers;                             /* by tag, as features.py has them; -1: none */
    const ClassWord *words_of_classes;
    int64_t class_mask;                                         /* one less than there are, a power of two */
    Py_ssize_t tag_count;
    uint64_t named[NAMED];                                      /* names by number, 0 where it has none */
    uint64_t script, link;                                      /* tags */
    PyObject *supplies;                                         /* tuple of bytes: what such links are called */
    int64_t pre;
    Buffer parts, words, scratch;
    Slot *slots;
    int64_t slot_count, slot_used;
    Frame *stack;
    int64_t depth, room;
    State owner;
    int64_t skipped, before, first;
    int stable;                                                 /* whether all texts so far are surely clean */
} Walk;

static const char *const NAMES[NAMED] = {"id", "class", "style", "href", "rel", "hreflang", "hidden", "itemprop", "role", "type"};

static int grow(Buffer *buffer, int64_t more) {
    if (buffer->size + more <= buffer->room) return 1;
    int64_t room = (buffer->size + more) * 2 + 4096;
    unsigned char *data = PyMem_Realloc(buffer->data, room);
    if (!data) { PyErr_NoMemory(); return 0; }
    buffer->data = data;
    buffer->room = room;
    return 1;
}

static int append(Buffer *buffer, Bytes text) {
    if (text.size <= 0) return 1;
    if (!grow(buffer, text.size)) return 0;
    memcpy(buffer->data + buffer->size, text.data, text.size);
    buffer->size += text.size;
    return 1;
}

/* The number of bytes of the white space at `at`, as Python's str.split has it; 0 where there is none. */
static inline int space(const unsigned char *at, const unsigned char *end) {
    unsigned char c = *at;
    if (c < 0x80) return c == ' ' || (c >= 9 && c <= 13) || (c >= 28 && c <= 31);
    if (c == 0xC2) return end - at > 1 && (at[1] == 0x85 || at[1] == 0xA0) ? 2 : 0;
    if (c < 0xE1 || c > 0xE3 || end - at < 3) return 0;
    if (c == 0xE1) return at[1] == 0x9A && at[2] == 0x80 ? 3 : 0;
    if (c == 0xE3) return at[1] == 0x80 && at[2] == 0x80 ? 3 : 0;
    if (at[1] == 0x80) return (at[2] >= 0x80 && at[2] <= 0x8A) || at[2] == 0xA8 || at[2] == 0xA9 || at[2] == 0xAF ? 3 : 0;
    return at[1] == 0x81 && at[2] == 0x9F ? 3 : 0;
}

/* 8 if the next 8 bytes are ASCII words with single spaces between them, as most are; otherwise 0. */
static inline int64_t plain_bytes(const unsigned char *at, const unsigned char *end) {
    const uint64_t each = 0x0101010101010101u, high = 0x80 * each;
    uint64_t bytes;
    if (end - at < 8 || at[7] == ' ') return 0;
    memcpy(&bytes, at, 8);
    uint64_t controls = bytes - 0x20 * each, spaces = (bytes ^ 0x20 * each) - each; /* where the high bit comes up */
    if ((bytes | (controls & ~bytes)) & high) return 0;
    spaces &= ~(bytes ^ 0x20 * each) & high;
    return spaces & spaces << 8 ? 0 : 8;
}

/* The text with single spaces for white space, and none at its ends, in `out`. */
static int collapse(Buffer *text, Buffer *out) {
    out->size = 0;
    if (!grow(out, text->size)) return 0;
    const unsigned char *at = text->data, *end = at + text->size;
    unsigned char *to = out->data;
    while (at < end) {
        int wide;
        while (at < end && (wide = space(at, end))) at += wide;
        if (at == end) break;
        if (to != out->data) *to++ = ' ';
        for (; plain_bytes(at, end); at += 8, to += 8) memcpy(to, at, 8);
        while (at < end && (*at > ' ' && *at < 0x80 ? 1 : !space(at, end))) *to++ = *at++;
    }
    out->size = to - out->data;
    return 1;
}

/* The number of characters between the white space at the ends of a text. */
static int64_t visible(Bytes text) {
    if (text.size <= 0) return 0;
    const unsigned char *at = text.data, *end = at + text.size;
    int wide;
    while (at < end && (wide = space(at, end))) at += wide;
    int64_t count = 0, last = 0;
    while (at < end) {
        wide = space(at, end);
        if (!wide) {
            if ((*at & 0xC0) != 0x80) count++;
            last = count;
            at++;
        } else {
            count++;
            at += wide;
        }
    }
    return last;
}

static inline Bytes text_of(Words node) {
    Bytes text = {(const unsigned char *)node[TEXT_DATA], (int64_t)node[TEXT_SIZE]};
    if (!text.data) text.size = 0;
    return text;
}

static inline int is_empty(Words node) { /* of a text node: nothing but the white space of HTML */
    Bytes text = text_of(node);
    for (int64_t i = 0; i < text.size; i++)
        if (text.data[i] != ' ' && text.data[i] != '\n' && text.data[i] != '\t' && text.data[i] != '\r' && text.data[i] != '\f') return 0;
    return 1;
}

static inline Bytes name_of(uint64_t name) { /* of an attribute that the parser did not know beforehand */
    int64_t size = (int64_t)((Words)name)[NAME_SIZE];
    Bytes found = {size <= SHORT_NAME ? (const unsigned char *)name : *(const unsigned char *const *)name, size};
    return found;
}

static inline Bytes value_of(Words attribute) {
    Bytes none = {NULL, -1};
    Words value = (Words)attribute[ATTRIBUTE_VALUE];
    if (!value) return none;
    Bytes found = {(const unsigned char *)value[0], (int64_t)value[1]};
    if (!found.data) return none;
    return found;
}

/* Which of NAMES an attribute has, or -1. */
static int which(const Walk *walk, Words attribute) {
    uint64_t name = attribute[ATTRIBUTE_NAME];
    if (name < FIRST_POINTER) {
        for (int i = 0; i < NAMED; i++)
            if (walk->named[i] == name) return i;
        return -1;
    }
    Bytes written = name_of(name);
    for (int i = 0; i < NAMED; i++)
        if (!walk->named[i] && (size_t)written.size == strlen(NAMES[i]) && !memcmp(written.data, NAMES[i], written.size)) return i;
    return -1;
}

/* The values of the attributes that matter here; `present` has a bit for each, with or without value. */
static unsigned attributes_of(const Walk *walk, Words node, Bytes values[NAMED]) {
    unsigned present = 0;
    for (int i = 0; i < NAMED; i++) { values[i].data = NULL; values[i].size = -1; }
    for (Words each = (Words)node[NODE_ATTRIBUTE]; each; each = (Words)each[ATTRIBUTE_NEXT]) {
        int number = which(walk, each);
        if (number >= 0) { values[number] = value_of(each); present |= 1u << number; }
    }
    return present;
}

/* What React sends late stands hidden at the end of the page until its scripts put it in place. */
static int streamed(unsigned present, Bytes id) {
    return present & 1u << ID && id.size >= 2 && id.data[0] == 'S' && id.data[1] == ':';
}

static int hides(Bytes style) {
    static const char HIDING[] = "display:none";
    size_t matched = 0;
    for (int64_t i = 0; i < style.size; i++) {
        unsigned char c = style.data[i];
        if (c == ' ') continue;
        if (c >= 'A' && c <= 'Z') c += 32;
        if (c == (unsigned char)HIDING[matched]) {
            if (!HIDING[++matched]) return 1;
        } else {
            matched = c == 'd';
        }
    }
    return 0;
}

static PyObject *string(Bytes text) {
    return PyUnicode_DecodeUTF8((const char *)text.data, text.size, "replace");
}

static PyObject *string_or_none(Bytes text) {
    if (text.size < 0) Py_RETURN_NONE;
    return string(text);
}

/* A named tuple of a type, with values that it takes over. */
static PyObject *named_tuple(PyObject *type, PyObject **values, Py_ssize_t count) {
    PyObject *made = NULL;
    int whole = 1;
    for (Py_ssize_t i = 0; i < count; i++) whole &= values[i] != NULL;
    if (whole) made = ((PyTypeObject *)type)->tp_alloc((PyTypeObject *)type, count);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (made) PyTuple_SET_ITEM(made, i, values[i]);
        else Py_XDECREF(values[i]);
    }
    return made;
}

static int add(PyObject *list, PyObject *type, PyObject **values, Py_ssize_t count) {
    PyObject *made = named_tuple(type, values, count);
    if (!made) return 0;
    int failed = PyList_Append(list, made);
    Py_DECREF(made);
    return !failed;
}

static PyObject *shared(PyObject *value) {
    Py_INCREF(value);
    return value;
}

/* Room for one more row at the end. */
static int64_t *add_row(Rows *rows) {
    if (rows->count == rows->room) {
        int64_t room = rows->room * 2 + 64;
        int64_t *numbers = PyMem_Realloc(rows->numbers, room * NUMBERS * sizeof *numbers);
        if (!numbers) { PyErr_NoMemory(); return NULL; }
        rows->numbers = numbers;
        if (rows->names) {
            Name *names = PyMem_Realloc(rows->names, room * sizeof *names);
            if (!names) { PyErr_NoMemory(); return NULL; }
            rows->names = names;
        }
        rows->room = room;
    }
    return rows->numbers + NUMBERS * rows->count++;
}

/* The groups that the words of an attribute belong to: words as class_words.py has them, without the last s too. */
static uint64_t groups_of(const Walk *walk, Bytes names) {
    const uint64_t start = 0xCBF29CE484222325u, prime = 0x100000001B3u;
    uint64_t groups = 0, hashes[2] = {start, start}; /* of the word so far, and of it without its last letter */
    unsigned char last = 0;
    for (int64_t i = 0; i <= names.size; i++) {
        unsigned char c = i < names.size ? names.data[i] | 0x20 : 0;
        if (c >= 'a' && c <= 'z' && names.data[i] < 0x80) {
            hashes[1] = hashes[0];
            hashes[0] = (hashes[0] ^ c) * prime;
            last = c;
            continue;
        }
        for (int k = 0; k < (last == 's' ? 2 : last != 0); k++) {
            const ClassWord *word;
            for (int64_t at = hashes[k] & walk->class_mask; (word = &walk->words_of_classes[at])->groups; at = (at + 1) & walk->class_mask)
                if (word->hash == hashes[k]) break;
            groups |= word->groups;
            if (word->groups) break;
        }
        hashes[0] = hashes[1] = start;
        last = 0;
    }
    return groups;
}

static int add_block(Walk *walk, PyObject *text, int64_t links, int64_t last) {
    int64_t size = PyUnicode_GET_LENGTH(text);
    walk->stable = walk->stable && is_stable_text(text);
    PyObject *values[] = {
        text,
        shared(PyTuple_GET_ITEM(walk->kinds, walk->owner.kind)),
        PyLong_FromLongLong(walk->owner.element),
        PyLong_FromLongLong(walk->owner.within),
        PyLong_FromLongLong(links < size ? links : size),
        PyLong_FromLongLong(walk->skipped),
        PyLong_FromLongLong(walk->before),
        PyLong_FromLongLong(last - walk->first),
    };
    return add(walk->blocks, walk->block, values, 8);
}

/* End the block whose parts have been read. An empty one before a <br> counts as the <br> before it. */
static int end_block(Walk *walk, int64_t *breaks, int64_t links, int64_t last) {
    if (!walk->parts.size) return 1;
    if (walk->parts.size > MANY_CHARACTERS || walk->owner.within & walk->pre) {
        Bytes whole = {walk->parts.data, walk->parts.size};
        PyObject *text = string(whole), *pieces = NULL;
        walk->parts.size = 0;
        if (text) pieces = PyObject_CallFunctionObjArgs(walk->split, text, walk->owner.within & walk->pre ? Py_True : Py_False, NULL);
        Py_XDECREF(text);
        if (!pieces) return 0;
        int held = 1;
        for (Py_ssize_t i = 0; held && i < PyList_GET_SIZE(pieces); i++) {
            PyObject *piece = PyList_GET_ITEM(pieces, i);
            if (PyUnicode_GET_LENGTH(piece)) held = add_block(walk, shared(piece), links, last);
            else if (*breaks > 0) *breaks += walk->skipped;
        }
        Py_DECREF(pieces);
        return held;
    }
    int held = collapse(&walk->parts, &walk->scratch);
    walk->parts.size = 0;
    if (!held) return 0;
    if (!walk->scratch.size) {
        if (*breaks > 0) *breaks += walk->skipped;
        return 1;
    }
    Bytes whole = {walk->scratch.data, walk->scratch.size};
    PyObject *text = string(whole);
    return text && add_block(walk, text, links, last);
}

static int begin(Walk *walk, State state, int64_t breaks, int64_t links, int64_t tags, int64_t last) {
    if (!end_block(walk, &breaks, links, last)) return 0;
    walk->owner = state;
    walk->skipped = breaks > 0 ? breaks : 0;
    walk->before = tags - last;
    walk->first = tags;
    return 1;
}

static uint64_t hash(uint64_t seed, Bytes text) {
    uint64_t value = seed ^ (0x9E3779B97F4A7C15u + (uint64_t)text.size);
    for (int64_t i = 0; i < text.size; i++) value = (value ^ text.data[i]) * 0x100000001B3u;
    return value ^ (value >> 29);
}

static int same(Bytes a, Bytes b) {
    return a.size == b.size && (a.size <= 0 || !memcmp(a.data, b.data, a.size));
}

static int rehash(Walk *walk) {
    int64_t count = walk->slot_count ? walk->slot_count * 2 : 256;
    Slot *slots = PyMem_Calloc(count, sizeof(Slot));
    if (!slots) { PyErr_NoMemory(); return 0; }
    for (int64_t i = 0; i < walk->slot_count; i++) {
        Slot *old = &walk->slots[i];
        if (!old->index) continue;
        int64_t at = old->hash & (count - 1);
        while (slots[at].index) at = (at + 1) & (count - 1);
        slots[at] = *old;
    }
    PyMem_Free(walk->slots);
    walk->slots = slots;
    walk->slot_count = count;
    return 1;
}

/* The path inside a block-level element, the kind and the bits there; the element is told by tag, id and class. */
static Slot *enter(Walk *walk, int64_t path, uint64_t tag, Bytes *values, State around) {
    if (walk->slot_used * 2 >= walk->slot_count && !rehash(walk)) return NULL;
    uint64_t key = hash(hash((uint64_t)path * 0x9E3779B97F4A7C15u + tag, values[ID]), values[CLASS]);
    int64_t at = key & (walk->slot_count - 1);
    for (; walk->slots[at].index; at = (at + 1) & (walk->slot_count - 1)) {
        Slot *slot = &walk->slots[at];
        if (slot->hash == key && slot->path == path && slot->tag == tag && same(slot->id, values[ID]) && same(slot->classes, values[CLASS])) return slot;
    }
    Slot *slot = &walk->slots[at];
    State inside = {walk->tag_kinds[tag] ? walk->tag_kinds[tag] - 1 : around.kind, 0, around.within | walk->contexts[tag]};
    Slot made = {path, tag, values[ID], values[CLASS], key, walk->paths->count + 1, inside};
    *slot = made;
    walk->slot_used++;
    Bytes none = {(const unsigned char *)"", 0};
    Bytes roles = values[ITEMPROP].size > 0 ? values[ITEMPROP] : values[ROLE].size > 0 ? values[ROLE] : none;
    int64_t *row = add_row(walk->paths);
    if (!row) return NULL;
    Name name = {tag, values[ID], values[CLASS], roles};
    walk->paths->names[walk->paths->count - 1] = name;
    row[PARENT] = path;
    row[TAG] = walk->tag_numbers[tag];
    row[GROUPS] = (int64_t)(groups_of(walk, values[ID]) | groups_of(walk, values[CLASS]) | groups_of(walk, roles));
    return slot;
}

static int add_anchor(Walk *walk, Bytes *values) {
    Bytes none = {(const unsigned char *)"", 0};
    if (!collapse(&walk->words, &walk->scratch)) return 0;
    Bytes text = {walk->scratch.data, walk->scratch.size};
    PyObject *anchor[] = {
        string(values[HREF]),
        string(values[REL].size > 0 ? values[REL] : none),
        string(values[HREFLANG].size > 0 ? values[HREFLANG] : none),
        string(text),
    };
    return add(walk->anchors, walk->anchor, anchor, 4);
}

static int has(Bytes text, const char *part) {
    int64_t size = (int64_t)strlen(part);
    for (int64_t i = 0; i + size <= text.size; i++)
        if (!memcmp(text.data + i, part, size)) return 1;
    return 0;
}

/* Whether an element holds metadata: not scripts other than JSON-LD, nor links to style sheets and the like. */
static int is_told(const Walk *walk, Words node) {
    Bytes values[NAMED];
    if (node[NODE_TAG] != walk->script && node[NODE_TAG] != walk->link) return 1;
    attributes_of(walk, node, values);
    if (node[NODE_TAG] == walk->script) return has(values[TYPE], "ld+json");
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(walk->supplies); i++) {
        PyObject *rel = PyTuple_GET_ITEM(walk->supplies, i);
        if (PyBytes_GET_SIZE(rel) == values[REL].size && !memcmp(PyBytes_AS_STRING(rel), values[REL].data, values[REL].size)) return 0;
    }
    return 1;
}

static int add_fact(Walk *walk, Words node) {
    PyObject *attributes = PyDict_New();
    if (!attributes) return 0;
    for (Words each = (Words)node[NODE_ATTRIBUTE]; each; each = (Words)each[ATTRIBUTE_NEXT]) {
        Bytes value = value_of(each);
        if (value.size < 0) continue;
        uint64_t number = each[ATTRIBUTE_NAME];
        PyObject *key = number < FIRST_POINTER ? PyLong_FromUnsignedLongLong(number) : string(name_of(number));
        PyObject *name = key ? PyDict_GetItemWithError(walk->names, key) : NULL;
        Py_XDECREF(key);
        if (name) {
            PyObject *written = string(value);
            if (!written || PyDict_SetItem(attributes, name, written)) { Py_XDECREF(written); Py_DECREF(attributes); return 0; }
            Py_DECREF(written);
        } else if (PyErr_Occurred()) {
            Py_DECREF(attributes);
            return 0;
        }
    }
    Buffer *text = &walk->scratch;
    text->size = 0;
    for (Words child = (Words)node[NODE_CHILD]; child; child = (Words)child[NODE_NEXT])
        if (child[NODE_TAG] < (uint64_t)walk->tag_count && walk->actions[child[NODE_TAG]] == TEXT && !append(text, text_of(child))) {
            Py_DECREF(attributes);
            return 0;
        }
    Bytes whole = {text->data ? text->data : (const unsigned char *)"", text->size};
    PyObject *fact[] = {shared(PyTuple_GET_ITEM(walk->tags, node[NODE_TAG])), attributes, string(whole)};
    return add(walk->facts, walk->fact, fact, 3);
}

static int push(Walk *walk, Words node, State state, int64_t path, char block, char unseen) {
    if (walk->depth == walk->room) {
        int64_t room = walk->room * 2 + 128;
        Frame *stack = PyMem_Realloc(walk->stack, room * sizeof(Frame));
        if (!stack) { PyErr_NoMemory(); return 0; }
        walk->stack = stack;
        walk->room = room;
    }
    Frame frame = {node, state, path, block, unseen};
    walk->stack[walk->depth++] = frame;
    return 1;
}

static inline int action_of(const Walk *walk, Words node) {
    return node[NODE_TAG] < (uint64_t)walk->tag_count ? walk->actions[node[NODE_TAG]] : INLINE;
}

static inline Words past_empty(const Walk *walk, Words node) {
    return node && action_of(walk, node) == TEXT && is_empty(node) ? (Words)node[NODE_NEXT] : node;
}

static int run(Walk *walk, Words node) {
    State state = walk->owner;
    int64_t path = -1, breaks = HARD, tags = 0, last = 0, links = 0;
    char unseen = 0, broken = 1, linked = 0;
    Bytes anchor[NAMED], values[NAMED];
    while (node) {
        int action = action_of(walk, node);
        Words child = action == BLOCK || action == INLINE || action == ANCHOR ? (Words)node[NODE_CHILD] : NULL;
        if (action != TEXT) tags++;
        switch (action) {
        case TEXT: {
            Bytes text = text_of(node);
            if (broken && !unseen && !is_empty(node)) {
                if (!begin(walk, state, breaks, links, tags, last)) return 0;
                broken = 0;
                breaks = links = 0;
            }
            if (!broken) {
                if (!append(&walk->parts, text)) return 0;
                last = tags;
                if (linked) links += visible(text);
            }
            if (linked && !append(&walk->words, text)) return 0;
            break;
        }
        case BLOCK:
            broken = 1;
            breaks = HARD;
            child = past_empty(walk, child);
            if (child) {
                if (!push(walk, node, state, path, 1, unseen)) return 0;
                unsigned present = attributes_of(walk, node, values);
                Slot *slot = enter(walk, path, node[NODE_TAG], values, state);
                if (!slot) return 0;
                int64_t *row = add_row(walk->elements);
                if (!row) return 0;
                row[PARENT] = state.element;
                row[DEPTH] = walk->depth;
                row[PATH] = slot->index - 1;
                path = slot->index - 1;
                state = slot->inside;
                state.element = walk->elements->count - 1;
                if ((present & 1u << HIDDEN && !streamed(present, values[ID])) || (present & 1u << STYLE && hides(values[STYLE]))) unseen = 1;
                node = child;
                continue;
            }
            break;
        case INLINE:
            if (child) {
                if (!push(walk, node, state, path, 0, unseen)) return 0;
                node = child;
                continue;
            }
            break;
        case ANCHOR:
            attributes_of(walk, node, anchor);
            walk->words.size = 0;
            if (child) {
                if (!push(walk, node, state, path, 0, unseen)) return 0;
                linked = 1;
                node = child;
                continue;
            }
            if (anchor[HREF].size > 0 && !add_anchor(walk, anchor)) return 0;
            break;
        case BREAK:
            broken = 1;
            breaks++;
            break;
        case FACT:
            if (is_told(walk, node) && !add_fact(walk, node)) return 0;
            break;
        }
        node = (Words)node[NODE_NEXT];
        while (!node && walk->depth) {
            Frame *frame = &walk->stack[--walk->depth];
            tags++;
            node = frame->node;
            if (frame->block) {
                state = frame->state;
                path = frame->path;
                unseen = frame->unseen;
                broken = 1;
                breaks = HARD;
                node = past_empty(walk, (Words)node[NODE_NEXT]);
            } else {
                if (linked && action_of(walk, node) == ANCHOR) {
                    linked = 0;
                    if (anchor[HREF].size > 0 && !add_anchor(walk, anchor)) return 0;
                }
                node = (Words)node[NODE_NEXT];
            }
        }
    }
    return begin(walk, state, 0, links, tags, last);
}

static void rows_dealloc(Rows *rows) {
    PyMem_Free(rows->numbers);
    PyMem_Free(rows->names);
    Py_XDECREF(rows->type);
    Py_XDECREF(rows->tags);
    Py_XDECREF(rows->owner);
    PyObject_Free(rows);
}

static Py_ssize_t rows_length(Rows *rows) { return rows->count; }

static PyObject *rows_item(Rows *rows, Py_ssize_t i) {
    if (i < 0 || i >= rows->count) {
        PyErr_SetString(PyExc_IndexError, "no such row");
        return NULL;
    }
    const int64_t *row = rows->numbers + NUMBERS * i;
    if (!rows->names) {
        PyObject *element[] = {PyLong_FromLongLong(row[PARENT]), PyLong_FromLongLong(row[DEPTH]), PyLong_FromLongLong(row[PATH])};
        return named_tuple(rows->type, element, 3);
    }
    const Name *name = &rows->names[i];
    PyObject *step[] = {PyLong_FromLongLong(row[PARENT]), shared(PyTuple_GET_ITEM(rows->tags, name->tag)),
                        string_or_none(name->id), string_or_none(name->classes), string(name->roles)};
    return named_tuple(rows->type, step, 5);
}

static int rows_buffer(PyObject *rows, Py_buffer *view, int flags) {
    static int64_t nothing;
    Rows *self = (Rows *)rows;
    Py_ssize_t size = self->count * NUMBERS * (Py_ssize_t)sizeof *self->numbers;
    return PyBuffer_FillInfo(view, rows, self->numbers ? self->numbers : &nothing, size, 1, flags);
}

/* Whether a name has one of some parts; `first` marks the bytes that these begin with. */
static int has_part(Bytes name, PyObject *parts, const char *first) {
    for (int64_t i = 0; i < name.size; i++) {
        if (!first[name.data[i]]) continue;
        for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(parts); k++) {
            PyObject *part = PyTuple_GET_ITEM(parts, k);
            Py_ssize_t size = PyBytes_GET_SIZE(part);
            if (size <= name.size - i && !memcmp(name.data + i, PyBytes_AS_STRING(part), size)) return 1;
        }
    }
    return 0;
}

/* rows.having(parts): the numbers of the paths whose id or class has one of some parts, none of them empty. */
static PyObject *rows_having(Rows *rows, PyObject *parts) {
    char first[256] = {0};
    int held = PyTuple_Check(parts) && rows->names;
    for (Py_ssize_t k = 0; held && k < PyTuple_GET_SIZE(parts); k++) {
        PyObject *part = PyTuple_GET_ITEM(parts, k);
        held = PyBytes_Check(part) && PyBytes_GET_SIZE(part);
        if (held) first[(unsigned char)PyBytes_AS_STRING(part)[0]] = 1;
    }
    if (!held) {
        PyErr_SetString(PyExc_TypeError, "a tuple of bytes, of paths");
        return NULL;
    }
    PyObject *found = PyList_New(0);
    for (int64_t i = 0; found && i < rows->count; i++) {
        if (!has_part(rows->names[i].id, parts, first) && !has_part(rows->names[i].classes, parts, first)) continue;
        PyObject *number = PyLong_FromLongLong(i);
        if (!number || PyList_Append(found, number)) Py_CLEAR(found);
        Py_XDECREF(number);
    }
    return found;
}

static PyMethodDef ROWS_METHODS[] = {
    {"having", (PyCFunction)rows_having, METH_O, "The paths whose id or class has one of some parts."},
    {NULL, NULL, 0, NULL},
};
static PySequenceMethods ROWS_SEQUENCE = {.sq_length = (lenfunc)rows_length, .sq_item = (ssizeargfunc)rows_item};
static PyBufferProcs ROWS_BUFFER = {.bf_getbuffer = rows_buffer};
static PyTypeObject ROWS = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "corpulyzer.native._compiled.Rows",
    .tp_doc = "Elements or paths; the numbers of each as a buffer.",
    .tp_basicsize = sizeof(Rows),
    .tp_dealloc = (destructor)rows_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_methods = ROWS_METHODS,
    .tp_as_sequence = &ROWS_SEQUENCE,
    .tp_as_buffer = &ROWS_BUFFER,
};

static Rows *new_rows(PyObject *type, PyObject *tags, PyObject *owner, int named) {
    Rows *rows = PyObject_New(Rows, &ROWS);
    if (!rows) return NULL;
    rows->numbers = NULL;
    rows->names = named ? PyMem_Malloc(sizeof(Name)) : NULL;
    rows->count = rows->room = 0;
    rows->type = shared(type);
    rows->tags = shared(tags);
    rows->owner = shared(owner);
    if (named && !rows->names) {
        Py_DECREF(rows);
        PyErr_NoMemory();
        return NULL;
    }
    return rows;
}

static PyObject *walk(PyObject *module, PyObject *arguments) {
    Walk found;
    memset(&found, 0, sizeof found);
    found.stable = 1;
    PyObject *owner;
    unsigned long long root, script, link;
    Py_buffer actions, tag_kinds, contexts, tag_numbers, named, words;
    long long pre;
    int first_kind;
    if (!PyArg_ParseTuple(arguments, "OKy*y*y*y*y*y*KKO!O!O!O!OLi(OOOOO)", &owner, &root, &actions, &tag_kinds, &contexts,
                          &tag_numbers, &named, &words, &script, &link, &PyTuple_Type, &found.supplies, &PyTuple_Type, &found.kinds, &PyTuple_Type, &found.tags,
                          &PyDict_Type, &found.names, &found.split, &pre, &first_kind, &found.block, &found.element,
                          &found.step, &found.anchor, &found.fact))
        return NULL;
    found.actions = actions.buf;
    found.tag_kinds = tag_kinds.buf;
    found.contexts = contexts.buf;
    found.tag_numbers = tag_numbers.buf;
    found.words_of_classes = words.buf;
    found.class_mask = words.len / (int64_t)sizeof(ClassWord) - 1;
    found.tag_count = actions.len;
    memcpy(found.named, named.buf, sizeof found.named);
    found.pre = pre;
    found.script = script;
    found.link = link;
    found.owner.kind = first_kind;
    found.owner.element = -1;
    PyObject **lists[] = {&found.blocks, &found.anchors, &found.facts};
    int held = 1;
    for (int i = 0; i < 3; i++) held &= (*lists[i] = PyList_New(0)) != NULL;
    held &= (found.elements = new_rows(found.element, found.tags, owner, 0)) != NULL;
    held &= (found.paths = new_rows(found.step, found.tags, owner, 1)) != NULL;
    held = held && run(&found, (Words)(uintptr_t)root);
    PyObject *result = held ? PyTuple_Pack(6, found.blocks, found.elements, found.paths, found.anchors, found.facts, found.stable ? Py_True : Py_False) : NULL;
    for (int i = 0; i < 3; i++) Py_XDECREF(*lists[i]);
    Py_XDECREF(found.elements);
    Py_XDECREF(found.paths);
    PyMem_Free(found.parts.data);
    PyMem_Free(found.words.data);
    PyMem_Free(found.scratch.data);
    PyMem_Free(found.slots);
    PyMem_Free(found.stack);
    PyBuffer_Release(&actions);
    PyBuffer_Release(&tag_kinds);
    PyBuffer_Release(&contexts);
    PyBuffer_Release(&tag_numbers);
    PyBuffer_Release(&named);
    PyBuffer_Release(&words);
    return result;
}

static PyMethodDef METHODS[] = {{"walk", walk, METH_VARARGS, "The walk over the nodes from an address on."}, {NULL, NULL, 0, NULL}};

int add_walk_to(PyObject *module) { return PyType_Ready(&ROWS) ? -1 : PyModule_AddFunctions(module, METHODS); }
