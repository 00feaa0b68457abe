/* The links of links.py in C: those written as the standard would write them are taken as they are; escapes, steps
   upwards and what has to be escaped are seen to here, too. Hosts that are not plain, and whatever else is odd, are
   left to the resolver in Python. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

#include "_ascii.h"
#include "_compiled.h"

enum { FIELDS = 5 }; /* of a Link: url, anchor, rel, hreflang, element */
enum { ANCHOR_HREF, ANCHOR_REL, ANCHOR_HREFLANG, ANCHOR_TEXT, ANCHOR_FIELDS };
enum { FACT_TAG, FACT_ATTRIBUTES, FACT_TEXT, FACT_FIELDS };
enum { HREF, SRC, REL, HREFLANG, TITLE, ALT, TYPE, NAMES };
static const char *const NAME_OF[NAMES] = {"href", "src", "rel", "hreflang", "title", "alt", "type"};
static PyObject *names[NAMES], *empty, *anchor_tag, *feed; /* texts that are made once */
enum { PAST_SCHEME = 8, ROOM = 1 << 14 };
enum { AS_IS, ESCAPED, ODD }; /* what becomes of a byte */

typedef struct { const char *data; Py_ssize_t size; } Bytes;
typedef struct { char data[ROOM]; Py_ssize_t size, path; } Made; /* an address, and where its path begins */

typedef struct {
    PyObject *found;                       /* dict: each link once, in order */
    PyObject *type, *resolve, *base;       /* Link; the resolver of a link on a page; the address of the page */
    PyObject *relations, *feeds;           /* sets: of <link> what may lead to a page, and the types of feeds */
    PyObject *no_pages;                    /* tuple of ASCII text: how addresses of what is no page begin */
    Bytes origin, folder, page;            /* of the page, and its address without query; empty if not plain */
    Made *made;
    const char *plain;                     /* by byte: whether it stands for itself anywhere in an address */
    Py_ssize_t most_links, most_characters;
} Links;

static int begins(Bytes text, const char *with) {
    Py_ssize_t size = (Py_ssize_t)strlen(with);
    return text.size >= size && !memcmp(text.data, with, size);
}

static int is_space(char c) { return c == ' ' || (c >= 9 && c <= 13) || (c >= 28 && c <= 31); }

/* Whether a text in UTF-8 begins as white space beyond ASCII does: so do other characters. */
static int may_be_space(const char *at) {
    unsigned char c = (unsigned char)*at;
    return c == 0xC2 || (c >= 0xE1 && c <= 0xE3);
}

/* Whether the address can be read here, and then without fragment and without white space around it. */
static int is_trimmed(PyObject *href, Bytes *text) {
    text->data = PyUnicode_AsUTF8AndSize(href, &text->size);
    if (!text->data) { PyErr_Clear(); return 0; } /* half a surrogate pair */
    const char *fragment = memchr(text->data, '#', text->size);
    if (fragment) text->size = fragment - text->data;
    while (text->size && is_space(text->data[text->size - 1])) text->size--;
    while (text->size && is_space(*text->data)) { text->data++; text->size--; }
    if (!text->size || PyUnicode_IS_COMPACT_ASCII(href)) return 1;
    const char *last = text->data + text->size - 1;
    while (last > text->data && ((unsigned char)*last & 0xC0) == 0x80) last--;
    return !may_be_space(text->data) && !may_be_space(last);
}

/* Whether every character stands for itself, and there is no `/.`, which may begin a step upwards. */
static int is_plain(const Links *links, Bytes text) {
    char before = '/';
    for (Py_ssize_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (!links->plain[(unsigned char)c] || (c == '.' && before == '/')) return 0;
        before = c;
    }
    return 1;
}

static char small(char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

/* Whether an address begins, in letters of either case, as what is no page does. */
static int is_no_page(const Links *links, Bytes text) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(links->no_pages); i++) {
        PyObject *scheme = PyTuple_GET_ITEM(links->no_pages, i);
        const char *letters = (const char *)PyUnicode_DATA(scheme);
        Py_ssize_t size = PyUnicode_GET_LENGTH(scheme), same = 0;
        while (same < size && same < text.size && small(text.data[same]) == letters[same]) same++;
        if (same == size) return 1;
    }
    return 0;
}

static PyObject *joined(Bytes start, Bytes end) {
    PyObject *whole = PyUnicode_New(start.size + end.size, 127);
    if (!whole) return NULL;
    memcpy(PyUnicode_DATA(whole), start.data, start.size);
    memcpy((char *)PyUnicode_DATA(whole) + start.size, end.data, end.size);
    return whole;
}

/* The size of the origin of an address, which begins before `start`: all that is before a slash or a query. */
static Py_ssize_t origin_of(Bytes text, Py_ssize_t start) {
    Py_ssize_t size = start < text.size ? start : text.size;
    while (size < text.size && text.data[size] != '/' && text.data[size] != '?') size++;
    return size;
}

/* Whether scheme and host are written as the standard would write them, as is_plain_origin in links.py has it. */
static int is_plain_origin(Bytes origin) {
    const char *at = origin.data + (begins(origin, "https") ? 8 : 7), *end = origin.data + origin.size;
    for (int labels = 0; at < end; labels++, at++) {
        const char *label = at;
        int letters = 1;
        for (; at < end && *at != '.'; at++) {
            if (*at >= 'a' && *at <= 'z') continue;
            if (!(*at >= '0' && *at <= '9') && !(*at == '-' && at > label && at[-1] != '-')) return 0;
            letters = 0;
        }
        if (at == label || at[-1] == '-') return 0;
        if (at == end) return labels && letters && at - label > 1;
    }
    return 0;
}

static int has_plain_origin(const Links *links, Bytes origin) {
    return (origin.size == links->origin.size && !memcmp(origin.data, links->origin.data, origin.size)) ||
           is_plain_origin(origin);
}

static int is_absolute(Bytes text) { return begins(text, "http://") || begins(text, "https://"); }

/* Whether a link may begin with a scheme. */
static int may_have_scheme(Bytes text) {
    for (Py_ssize_t i = 0; i < text.size && text.data[i] != '/' && text.data[i] != '?'; i++)
        if (text.data[i] == ':') return 1;
    return 0;
}

static int in_path(unsigned char c) {
    if (c < ' ' || c == 127 || c == '\\' || c == '^' || c == '`') return ODD;
    return c > 127 || c == ' ' || c == '"' || c == '<' || c == '>' || c == '{' || c == '}' ? ESCAPED : AS_IS;
}

static int in_query(unsigned char c) {
    if (c < ' ' || c == 127) return ODD;
    return c > 127 || c == ' ' || c == '"' || c == '<' || c == '>' || c == '\'' ? ESCAPED : AS_IS;
}

/* The functions that append to an address return 0 if there is no room, or something odd to be left to Python. */
static int put(Made *made, const char *data, Py_ssize_t size) {
    if (size > ROOM - made->size) return 0;
    memcpy(made->data + made->size, data, size);
    made->size += size;
    return 1;
}

static int put_escaped(Made *made, const char *at, const char *end, int (*kind_of)(unsigned char)) {
    static const char DIGITS[] = "0123456789ABCDEF";
    if (end - at > (ROOM - made->size) / 3) return 0;
    for (; at < end; at++) {
        unsigned char c = (unsigned char)*at;
        int kind = kind_of(c);
        if (kind == ODD) return 0;
        if (kind == ESCAPED) {
            made->data[made->size++] = '%';
            made->data[made->size++] = DIGITS[c >> 4];
            made->data[made->size++] = DIGITS[c & 15];
        } else {
            made->data[made->size++] = *at;
        }
    }
    return 1;
}

/* 1 or 2 if a segment consists of so many dots, escaped or not; otherwise 0. */
static int dots_of(const char *at, const char *end) {
    int dots = 0;
    while (at < end && dots < 3) {
        int is_escape = end - at > 2 && at[0] == '%' && at[1] == '2' && small(at[2]) == 'e';
        if (!is_escape && *at != '.') return 0;
        at += is_escape ? 3 : 1;
        dots++;
    }
    return dots < 3 ? dots : 0;
}

/* Put a path without dot segments: one dot is dropped, two remove the segment before. */
static int put_path(Made *made, const char *at, const char *end) {
    for (;; at++) {
        const char *segment = at;
        while (at < end && *at != '/') at++;
        int dots = dots_of(segment, at);
        if (dots == 2 && made->size - 1 > made->path)
            do made->size--; while (made->data[made->size - 1] != '/');
        if (!dots && !put_escaped(made, segment, at, in_path)) return 0;
        if (at == end) return 1;
        if (!dots && !put(made, "/", 1)) return 0;
    }
}

/* Put an origin, and the slash behind it. */
static int put_origin(Made *made, Bytes origin) {
    int held = put(made, origin.data, origin.size);
    made->path = made->size;
    return held && put(made, "/", 1);
}

/* Put what comes before the path of a link; return how many of its bytes that took, -1 if they are not plain. */
static Py_ssize_t put_start(const Links *links, Bytes text) {
    Made *made = links->made;
    if (is_absolute(text) || begins(text, "//")) {
        int scheme = !is_absolute(text) ? begins(links->origin, "https") ? 6 : 5 : 0;
        Bytes origin = {text.data, origin_of(text, scheme ? 2 : PAST_SCHEME)}, whole = {made->data, 0};
        if (!put(made, links->origin.data, scheme) || !put_origin(made, origin)) return -1;
        whole.size = made->path;
        return !has_plain_origin(links, whole) ? -1 : origin.size + (origin.size < text.size && text.data[origin.size] == '/');
    }
    if (*text.data == '/') return put_origin(made, links->origin) ? 1 : -1;
    if (may_have_scheme(text)) return -1;
    Bytes start = *text.data == '?' ? links->page : links->folder;
    made->path = links->origin.size;
    return start.size && put(made, start.data, start.size) ? 0 : -1;
}

/* Whether the address that a link means was made. */
static int is_made(const Links *links, Bytes text) {
    Made *made = links->made;
    made->size = 0;
    Py_ssize_t start = links->origin.size ? put_start(links, text) : -1;
    if (start < 0) return 0;
    const char *end = text.data + text.size, *query = memchr(text.data, '?', text.size);
    if (query != text.data && !put_path(made, text.data + start, query ? query : end)) return 0;
    return !query || (put(made, "?", 1) && put_escaped(made, query + 1, end, in_query));
}

/* The address of a link in normal form, NULL if it is not in it. */
static PyObject *plain_target(const Links *links, Bytes text) {
    static const Bytes nothing = {"", 0};
    if (is_absolute(text)) {
        Bytes origin = {text.data, origin_of(text, PAST_SCHEME)};
        int whole = origin.size < text.size && text.data[origin.size] == '/' && has_plain_origin(links, origin);
        return whole ? joined(nothing, text) : NULL;
    }
    if (*text.data == '/') return links->origin.size && !begins(text, "//") ? joined(links->origin, text) : NULL;
    return links->folder.size && *text.data != '?' && !may_have_scheme(text) ? joined(links->folder, text) : NULL;
}

/* The address that a link means, empty if none. */
static PyObject *target_of(const Links *links, PyObject *href) {
    Bytes text;
    if (is_trimmed(href, &text)) {
        if (!text.size || is_no_page(links, text)) return PyUnicode_New(0, 0);
        PyObject *target = is_plain(links, text) ? plain_target(links, text) : NULL;
        if (target || PyErr_Occurred()) return target;
        if (is_made(links, text)) {
            Bytes made = {links->made->data, links->made->size}, nothing = {"", 0};
            return joined(made, nothing);
        }
    }
    PyObject *resolved = PyObject_CallFunctionObjArgs(links->resolve, links->base, href, NULL);
    if (resolved && !PyUnicode_Check(resolved)) {
        Py_DECREF(resolved);
        PyErr_SetString(PyExc_TypeError, "an address is text");
        return NULL;
    }
    return resolved;
}

static PyObject *shared(PyObject *value) {
    Py_INCREF(value);
    return value;
}

static PyObject *in_lower_case(PyObject *text) {
    return PyUnicode_GET_LENGTH(text) ? PyObject_CallMethod(text, "lower", NULL) : shared(text);
}

/* Add a link with its target and three more fields, which it takes over; 0 on an error. */
static int add(Links *links, PyObject *fields[FIELDS]) {
    int whole = 1;
    for (int i = 0; i < FIELDS; i++) whole &= fields[i] != NULL;
    PyObject *link = whole ? ((PyTypeObject *)links->type)->tp_alloc((PyTypeObject *)links->type, FIELDS) : NULL;
    for (int i = 0; i < FIELDS; i++) {
        if (link) PyTuple_SET_ITEM(link, i, fields[i]);
        else Py_XDECREF(fields[i]);
    }
    int failed = !link || PyDict_SetItem(links->found, link, Py_None);
    Py_XDECREF(link);
    return !failed;
}

static int is_full(const Links *links) { return PyDict_GET_SIZE(links->found) >= links->most_links; }

static int has_fields(PyObject *record, Py_ssize_t count) {
    int right = PyTuple_Check(record) && PyTuple_GET_SIZE(record) == count;
    for (Py_ssize_t i = 0; right && i < count; i++) right = PyUnicode_Check(PyTuple_GET_ITEM(record, i));
    if (!right) PyErr_SetString(PyExc_TypeError, "a link is a tuple of texts");
    return right;
}

/* An attribute, borrowed: empty where there is none, NULL on an error. */
static PyObject *attribute(PyObject *attributes, int name) {
    PyObject *value = PyDict_GetItemWithError(attributes, names[name]);
    if (!value) return PyErr_Occurred() ? NULL : empty;
    if (PyUnicode_Check(value)) return value;
    PyErr_SetString(PyExc_TypeError, "an attribute is text");
    return NULL;
}

/* 1 if one of the words of a text is in a set, -1 on an error. */
static int has_word_of(PyObject *set, PyObject *text) {
    PyObject *words = PyUnicode_Split(text, NULL, -1);
    if (!words) return -1;
    int found = 0;
    for (Py_ssize_t i = 0; !found && i < PyList_GET_SIZE(words); i++) found = PySet_Contains(set, PyList_GET_ITEM(words, i));
    Py_DECREF(words);
    return found;
}

/* 1 if a type is one of a feed, -1 on an error. */
static int is_feed(const Links *links, PyObject *type) {
    if (!PyUnicode_GET_LENGTH(type)) return 0;
    PyObject *written = in_lower_case(type);
    int found = written ? PySet_Contains(links->feeds, written) : -1;
    Py_XDECREF(written);
    return found;
}

/* Add the link of an element whose `rel` is given, in small letters; 0 on an error. */
static int add_fact(Links *links, PyObject *tag, PyObject *attributes, PyObject *rel) {
    int is_frame = PyUnicode_CompareWithASCIIString(tag, "frame") == 0;
    PyObject *href = attribute(attributes, is_frame ? SRC : HREF), *hreflang = attribute(attributes, HREFLANG);
    PyObject *words = attribute(attributes, TITLE), *type = attribute(attributes, TYPE);
    if (words && !PyUnicode_GET_LENGTH(words)) words = attribute(attributes, ALT);
    int leads_to_feed = href && hreflang && words && type ? is_feed(links, type) : -1;
    PyObject *target = leads_to_feed < 0 ? NULL : target_of(links, href);
    if (!target) return 0;
    if (!PyUnicode_GET_LENGTH(target)) {
        Py_DECREF(target);
        return 1;
    }
    PyObject *fields[FIELDS] = {target, PyUnicode_Substring(words, 0, links->most_characters), shared(rel),
                                shared(hreflang), shared(leads_to_feed ? feed : tag)};
    return add(links, fields);
}

static int is_fact(PyObject *fact) {
    int right = PyTuple_Check(fact) && PyTuple_GET_SIZE(fact) == FACT_FIELDS &&
                PyUnicode_Check(PyTuple_GET_ITEM(fact, FACT_TAG)) && PyDict_Check(PyTuple_GET_ITEM(fact, FACT_ATTRIBUTES));
    if (!right) PyErr_SetString(PyExc_TypeError, "a fact is a tuple of a tag, a dict and a text");
    return right;
}

static int add_declared(Links *links, PyObject *facts) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(facts) && !is_full(links); i++) {
        PyObject *fact = PyList_GET_ITEM(facts, i);
        if (!is_fact(fact)) return 0;
        PyObject *tag = PyTuple_GET_ITEM(fact, FACT_TAG), *attributes = PyTuple_GET_ITEM(fact, FACT_ATTRIBUTES);
        int is_link = PyUnicode_CompareWithASCIIString(tag, "link") == 0;
        if (!is_link && PyUnicode_CompareWithASCIIString(tag, "area") && PyUnicode_CompareWithASCIIString(tag, "frame")) continue;
        PyObject *written = attribute(attributes, REL), *rel = written ? in_lower_case(written) : NULL;
        int leads = !rel ? -1 : is_link ? has_word_of(links->relations, rel) : 1;
        int held = leads > 0 ? add_fact(links, tag, attributes, rel) : !leads;
        Py_XDECREF(rel);
        if (!held) return 0;
    }
    return 1;
}

static int add_anchors(Links *links, PyObject *list) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list) && !is_full(links); i++) {
        PyObject *anchor = PyList_GET_ITEM(list, i);
        if (!has_fields(anchor, ANCHOR_FIELDS)) return 0;
        PyObject *target = target_of(links, PyTuple_GET_ITEM(anchor, ANCHOR_HREF));
        if (!target) return 0;
        if (!PyUnicode_GET_LENGTH(target)) {
            Py_DECREF(target);
            continue;
        }
        PyObject *fields[FIELDS] = {
            target,
            PyUnicode_Substring(PyTuple_GET_ITEM(anchor, ANCHOR_TEXT), 0, links->most_characters),
            in_lower_case(PyTuple_GET_ITEM(anchor, ANCHOR_REL)),
            shared(PyTuple_GET_ITEM(anchor, ANCHOR_HREFLANG)),
            shared(anchor_tag),
        };
        if (!add(links, fields)) return 0;
    }
    return 1;
}

/* Set origin, folder and page of a base address, against which links are resolved, if it is plain. */
static void take_base(Links *links) {
    Bytes base, path;
    base.data = PyUnicode_AsUTF8AndSize(links->base, &base.size);
    if (!base.data) { PyErr_Clear(); return; } /* half a surrogate pair */
    Bytes origin = {base.data, origin_of(base, PAST_SCHEME)};
    if (!is_absolute(base) || origin.size == base.size || base.data[origin.size] != '/' || !is_plain_origin(origin)) return;
    links->origin = origin;
    path.data = base.data + origin.size;
    const char *query = memchr(path.data, '?', base.size - origin.size);
    path.size = query ? query - path.data : base.size - origin.size;
    if (!is_plain(links, path)) return;
    links->page.data = links->folder.data = base.data;
    links->page.size = links->folder.size = origin.size + path.size;
    while (base.data[links->folder.size - 1] != '/') links->folder.size--;
}

static PyObject *links(PyObject *module, PyObject *arguments) {
    PyObject *facts, *anchors;
    Links links;
    Made made;
    Py_ssize_t size;
    memset(&links, 0, sizeof links);
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!UO!nny#OOO!O", &PyList_Type, &facts, &PyList_Type, &anchors, &links.base,
                          &PyType_Type, &links.type, &links.most_links, &links.most_characters, &links.plain, &size,
                          &links.relations, &links.feeds, &PyTuple_Type, &links.no_pages, &links.resolve))
        return NULL;
    if (size != 256 || !PyType_IsSubtype((PyTypeObject *)links.type, &PyTuple_Type) || !PyAnySet_Check(links.relations) ||
        !PyAnySet_Check(links.feeds) || !are_ascii(links.no_pages)) {
        PyErr_SetString(PyExc_ValueError, "a table of bytes, a kind of tuple, two sets and ASCII texts are needed");
        return NULL;
    }
    links.made = &made;
    links.found = PyDict_New();
    if (!links.found) return NULL;
    take_base(&links);
    int held = add_declared(&links, facts) && add_anchors(&links, anchors);
    PyObject *result = held ? PySequence_Tuple(links.found) : NULL;
    Py_DECREF(links.found);
    return result;
}

static PyMethodDef METHODS[] = {
    {"links", links, METH_VARARGS, "The distinct links of a page, absolute."},
    {NULL, NULL, 0, NULL},
};

int add_links_to(PyObject *module) {
    int held = (empty = PyUnicode_New(0, 0)) && (anchor_tag = PyUnicode_InternFromString("a")) &&
               (feed = PyUnicode_InternFromString("feed"));
    for (int i = 0; i < NAMES; i++) held = held && (names[i] = PyUnicode_InternFromString(NAME_OF[i]));
    return held ? PyModule_AddFunctions(module, METHODS) : -1;
}
