/* What the spelling of an address says: its section and pattern, its stem, and the language that it names. The twin
   is web/frontier/pattern.py, to which addresses with anything but visible ASCII are left. And which addresses need no
   closer look by web/frontier/traps.py and views.py, which most do not. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

#include "_compiled.h"

/* As in pattern.py. A pattern is longer than its address by at most a star for each parameter and the last segment. */
enum { KEPT_SEGMENTS = 2, LONGEST_NAME = 16, LONGEST_SPACE = 60, LONGEST_LOCALE = 8, SHORTEST_RANDOM = 12 };
enum { MOST_BYTES = 4096, PATTERN_BYTES = 2 * MOST_BYTES + 64 };

typedef struct { const char *at, *end; } Span;
static const char ROOT[] = "/";
typedef struct { PyObject *keys, *codes, *others, *other_names, *names; } Words;

static inline Py_ssize_t size_of(Span span) { return span.end - span.at; }
static inline int is_digit(char c) { return c >= '0' && c <= '9'; }
static inline char small(char c) { return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c); }
static inline int is_letter(char c) { return small(c) >= 'a' && small(c) <= 'z'; }
static inline int is_hex(char c) { return is_digit(c) || (small(c) >= 'a' && small(c) <= 'f'); }

static Py_ssize_t count_of(Span span, char wanted) {
    Py_ssize_t count = 0;
    for (; span.at < span.end; span.at++) count += *span.at == wanted;
    return count;
}

static int all(Span span, int (*fits)(char)) {
    const char *at = span.at;
    while (at < span.end && fits(*at)) at++;
    return at == span.end && at > span.at;
}

static int is_a_digit(char c) { return is_digit(c); }
static int is_a_letter(char c) { return is_letter(c); }

static char *put(char *to, Span span) {
    memcpy(to, span.at, size_of(span));
    return to + size_of(span);
}

/* The part before the first `mark`; `rest` gets what comes behind it, and `found` says whether it is there. */
static Span before(Span span, char mark, Span *rest, int *found) {
    const char *at = size_of(span) ? memchr(span.at, mark, size_of(span)) : NULL;
    *found = at != NULL;
    *rest = (Span){at ? at + 1 : span.end, span.end};
    return (Span){span.at, at ? at : span.end};
}

/* Whether a segment is a random name: letters and digits, twelve or more, or how a UUID begins. */
static int is_random(Span span) {
    Py_ssize_t size = size_of(span), letters = 0, digits = 0;
    for (const char *at = span.at; at < span.end; at++) {
        letters += is_letter(*at);
        digits += is_digit(*at);
    }
    if (size >= SHORTEST_RANDOM && letters && digits && letters + digits == size) return 1;
    if (size < 14 || span.at[8] != '-' || span.at[13] != '-') return 0;
    for (int place = 0; place < 13; place++) {
        if (place != 8 && !is_hex(span.at[place])) return 0;
    }
    return 1;
}

/* A path segment as it tells sections apart: names stay, numbers and titles go. */
static char *put_kept(char *to, Span span) {
    char *start = to;
    if (!is_random(span)) {
        for (const char *at = span.at; at < span.end; at++) {
            if (!is_digit(*at)) *to++ = *at;
            else if (at == span.at || !is_digit(at[-1])) *to++ = '#';
        }
        Span name = {start, to};
        if (size_of(name) <= LONGEST_NAME && count_of(name, '-') < 2 && !count_of(name, '%')) return to;
    }
    *start = '*';
    return start + 1;
}

/* The size of the kind of a page that a wiki names before a colon; 0 where there is none. */
static Py_ssize_t size_of_space(Span span) {
    for (Py_ssize_t size = 1; size <= LONGEST_SPACE && size < size_of(span); size++) {
        char last = span.at[size - 1], next = span.at[size];
        if (last == ':' || last == '/' || last == '-' || is_digit(last)) return 0;
        if (next == ':') return size;
        if (next == '%' && size_of(span) - size > 2 && span.at[size + 1] == '3' && small(span.at[size + 2]) == 'a')
            return size;
    }
    return 0;
}

/* A name without its extension, which `extension` gets: a dot, a letter, one to four letters or digits. */
static Span without_extension(Span span, Span *extension) {
    const char *dot = span.end;
    *extension = (Span){span.end, span.end};
    while (dot > span.at && (is_letter(dot[-1]) || is_digit(dot[-1]))) dot--;
    Py_ssize_t size = span.end - dot;
    if (dot == span.at || dot[-1] != '.' || size < 2 || size > 5 || !is_letter(*dot)) return span;
    extension->at = dot - 1;
    return (Span){span.at, dot - 1};
}

/* The last segment: whether it is a number, a name with a number, or a title, and its extension. */
static char *put_leaf(char *to, Span leaf) {
    Py_ssize_t space = size_of_space(leaf);
    if (space) {
        to = put(to, (Span){leaf.at, leaf.at + space});
        *to++ = ':';
        *to++ = '*';
        return to;
    }
    Span extension, name = without_extension(leaf, &extension), word = {name.at, name.at};
    while (word.end < name.end && !is_digit(*word.end)) word.end++;
    int numbered = word.end < name.end;
    if (size_of(name)) {
        if (all(name, is_a_digit)) {
        } else if (numbered && size_of(word) && size_of(word) <= LONGEST_NAME && count_of(word, '-') < 2 &&
                   !count_of(word, '%')) {
            to = put(to, word);
        } else {
            *to++ = '*';
        }
        if (numbered) *to++ = '#';
    }
    for (; extension.at < extension.end; extension.at++) *to++ = small(*extension.at);
    return to;
}

/* A parameter of a query; its value stays where it is a short word, which chooses a version. */
static char *put_parameter(char *to, Span name, int has_value, Span value) {
    to = put_kept(to, name);
    if (!has_value) return to;
    *to++ = '=';
    Py_ssize_t space = size_of_space(value);
    if (all(value, is_a_digit)) {
        *to++ = '#';
    } else if (space) {
        to = put(to, (Span){value.at, value.at + space});
        *to++ = ':';
        *to++ = '*';
    } else if (all(value, is_a_letter) && size_of(value) <= 8) {
        to = put(to, value);
    } else {
        *to++ = '*';
    }
    return to;
}

static PyObject *text_of(Span span) { return PyUnicode_FromStringAndSize(span.at, size_of(span)); }

/* Whether a set has a text in small letters: 0, 1, or -1 and an exception. */
static int has(PyObject *set, Span span) {
    PyObject *text = PyUnicode_New(size_of(span), 127);
    if (!text) return -1;
    char *to = (char *)PyUnicode_DATA(text);
    for (const char *at = span.at; at < span.end; at++) *to++ = small(*at);
    int found = PySet_Contains(set, text);
    Py_DECREF(text);
    return found;
}

/* The letters of a locale that are its language, as in ur-PK or zh-Hant; 0 if a word is none. */
static Py_ssize_t size_of_language(Span word) {
    Py_ssize_t size = 0;
    while (size < size_of(word) && is_letter(word.at[size])) size++;
    if (size_of(word) > LONGEST_LOCALE || size < 2 || size > 3) return 0;
    if (word.at + size == word.end) return size;
    Span region = {word.at + size + 1, word.end};
    int parted = word.at[size] == '-' || word.at[size] == '_';
    return parted && (size_of(region) == 2 || size_of(region) == 4) && all(region, is_a_letter) ? size : 0;
}

enum { NOTHING, ANOTHER, THE_TARGET }; /* what can be said of the language; -1 is an exception */

/* What a word says of the language. */
static int said_by(Span word, const Words *words) {
    Py_ssize_t size = size_of_language(word);
    if (size) {
        Span code = {word.at, word.at + size};
        int found = has(words->codes, word);
        if (!found && code.end != word.end) found = has(words->codes, code);
        if (found) return found < 0 ? -1 : THE_TARGET;
        found = has(words->others, code);
        if (found) return found;
    }
    return has(words->other_names, word);
}

/* Whether an address, without its last label, its port and its scheme, holds a name of the target. */
static int is_named(Span host, Span path, Span query, PyObject *names) {
    char text[MOST_BYTES + 2], *to = text;
    for (Span part = host; part.at < part.end; part.at++) *to++ = small(*part.at);
    for (Span part = path; part.at < part.end; part.at++) *to++ = small(*part.at);
    *to++ = '?';
    for (Span part = query; part.at < part.end; part.at++) *to++ = small(*part.at);
    for (Py_ssize_t number = 0; number < PyTuple_GET_SIZE(names); number++) {
        PyObject *name = PyTuple_GET_ITEM(names, number);
        if (!PyUnicode_Check(name) || !PyUnicode_IS_COMPACT_ASCII(name)) continue;
        const char *wanted = (const char *)PyUnicode_DATA(name);
        Py_ssize_t size = PyUnicode_GET_LENGTH(name);
        for (const char *at = text; to - at >= size; at++) {
            if (!memcmp(at, wanted, size)) return 1;
        }
    }
    return 0;
}

static int larger(int found, int other) { return other < 0 || other > found ? other : found; }

/* What host, path and query say of the language; -1 and an exception. */
static int language_of(Span host, Span path, Span query, const Words *words) {
    int found = NOTHING, more;
    Span rest;
    host = before(host, ':', &rest, &more);
    while (host.end > host.at && host.end[-1] != '.') host.end--; /* the last label says nothing */
    if (host.end > host.at) host.end--;
    Span labels = host;
    while (labels.end > labels.at && labels.end[-1] != '.') labels.end--; /* nor does the one before it as a word */
    while (labels.at < labels.end && found >= 0)
        found = larger(found, said_by(before(labels, '.', &labels, &more), words));
    for (Span left = path; left.at < left.end && found >= 0;) {
        Span segment = before(left, '/', &left, &more);
        if (size_of(segment)) found = larger(found, said_by(segment, words));
    }
    for (Span left = query; left.at < left.end && found >= 0;) {
        Span value, name = before(before(left, '&', &left, &more), '=', &value, &more);
        if (!size_of(value)) continue;
        int chooses = size_of(value) == 2 ? 1 : has(words->keys, name);
        if (chooses) found = larger(found, chooses < 0 ? -1 : said_by(value, words));
    }
    return found != -1 && is_named(host, path, query, words->names) ? THE_TARGET : found;
}

/* The runs of digits of a text joined by hyphens. */
static char *put_numbers(char *to, Span span) {
    char *start = to;
    for (const char *at = span.at; at < span.end; at++) {
        if (!is_digit(*at)) continue;
        if (to > start && !is_digit(at[-1])) *to++ = '-';
        *to++ = *at;
    }
    return to;
}

/* What names the page itself: its number or title. None where the parameters have to be looked at for a session. */
static PyObject *stem_of(Span path, Span query) {
    char stem[MOST_BYTES + 1], *to;
    int more;
    while (path.end > path.at && path.end[-1] == '/') path.end--;
    Span leaf = {path.end, path.end}, extension;
    while (leaf.at > path.at && leaf.at[-1] != '/') leaf.at--;
    Span name = without_extension(leaf, &extension);
    if (count_of(name, '-') > 1 || count_of(name, '_') > 1 || size_of(name) > LONGEST_NAME) return text_of(name);
    to = put_numbers(stem, name);
    if (to == stem) {
        for (Span left = query; left.at < left.end;) {
            Span pair = before(left, '&', &left, &more);
            Span number = {pair.end, pair.end};
            while (number.at > pair.at && is_digit(number.at[-1])) number.at--;
            if (!size_of(number) || number.at == pair.at || number.at[-1] != '=') continue;
            if (to > stem) *to++ = '-';
            to = put(to, number);
        }
    }
    if (to > stem) return text_of((Span){stem, to});
    Span last = {leaf.at, leaf.at};
    while (last.end > path.at && !is_digit(last.end[-1])) last.end--;
    last.at = last.end;
    while (last.at > path.at && is_digit(last.at[-1])) last.at--;
    if (!size_of(last) && count_of(query, '=')) Py_RETURN_NONE;
    return text_of(last);
}

/* Section and pattern, in this order, into a tuple; 0, or -1 and an exception. */
static int put_patterns(PyObject *told, Span path, Span query, const Words *words) {
    char pattern[PATTERN_BYTES], section[PATTERN_BYTES], *to = pattern, *section_to = section;
    Span leaf = {path.end, path.end}, rest;
    int more, number = 0, has_languages = 0;
    while (leaf.at > path.at && leaf.at[-1] != '/') leaf.at--;
    for (Span left = {path.at, leaf.at}; left.at < left.end;) {
        Span segment = before(left, '/', &left, &more);
        if (!size_of(segment)) continue;
        *to++ = '/';
        char *name = to;
        if (number < KEPT_SEGMENTS) to = put_kept(to, segment);
        else *to++ = '*';
        if (!number++) section_to = put(section, (Span){name - 1, to});
    }
    if (!number) *section_to++ = '/';
    *to++ = '/';
    to = put_leaf(to, leaf);
    more = size_of(query) > 0;
    for (Span left = query; more;) {
        int has_value;
        *to++ = left.at == query.at ? '?' : '&';
        Span name = before(before(left, '&', &left, &more), '=', &rest, &has_value);
        char *start = to;
        to = put_parameter(to, name, has_value, rest);
        Span kept = before((Span){start, to}, '=', &rest, &has_value);
        int is_language = has(words->keys, kept);
        if (is_language < 0) return -1;
        if (is_language) {
            *section_to++ = has_languages++ ? '&' : '?';
            section_to = put(section_to, (Span){start, to});
        }
    }
    PyTuple_SET_ITEM(told, 0, text_of((Span){section, section_to}));
    PyTuple_SET_ITEM(told, 1, text_of((Span){pattern, to}));
    return PyTuple_GET_ITEM(told, 0) && PyTuple_GET_ITEM(told, 1) ? 0 : -1;
}

static int is_visible(char c) { return c > ' ' && c < 127; }

/* Section, pattern, stem and language of an address: read_address(url, keys, codes, others, other_names, names).
   None where the twin has to read it; None for the stem where the twin has to find that. */
static PyObject *read_address(PyObject *module, PyObject *const *given, Py_ssize_t count) {
    (void)module;
    if (count != 6 || !PyUnicode_Check(given[0]) || !PyTuple_Check(given[5])) {
        PyErr_SetString(PyExc_TypeError, "an address, four sets and a tuple of names are needed");
        return NULL;
    }
    Words words = {given[1], given[2], given[3], given[4], given[5]};
    Py_ssize_t size = PyUnicode_GET_LENGTH(given[0]);
    if (!PyUnicode_IS_COMPACT_ASCII(given[0]) || size > MOST_BYTES) Py_RETURN_NONE;
    const char *start = (const char *)PyUnicode_DATA(given[0]), *end = start + size;
    int scheme = !strncmp(start, "http://", 7) ? 7 : !strncmp(start, "https://", 8) ? 8 : 0;
    if (!scheme || !all((Span){start, end}, is_visible)) Py_RETURN_NONE;
    Span host = {start + scheme, start + scheme}, path, query;
    while (host.end < end && *host.end != '/' && *host.end != '?') host.end++;
    int more;
    path = before((Span){host.end, end}, '?', &query, &more);
    if (!size_of(path)) path = (Span){ROOT, ROOT + 1};
    PyObject *told = PyTuple_New(4);
    if (!told) return NULL;
    int language = language_of(host, path, query, &words);
    PyObject *stem = language < 0 ? NULL : stem_of(path, query), *said = language < 0 ? NULL : PyLong_FromLong(language);
    PyTuple_SET_ITEM(told, 2, stem);
    PyTuple_SET_ITEM(told, 3, said);
    if (stem && said && put_patterns(told, path, query, &words) == 0) return told;
    Py_DECREF(told);
    return NULL;
}

/* As in traps.py: a session has at least so many letters and digits. */
enum { SHORTEST_SESSION = 16, MOST_SEGMENTS = 16 };

static int is_one_of(Span segment, const Span *others, int count) {
    for (int i = 0; i < count; i++)
        if (size_of(others[i]) == size_of(segment) && !memcmp(others[i].at, segment.at, size_of(segment))) return 1;
    return 0;
}

/* Whether what stands after a slash begins with one of the marks, in whatever letters; they are in small ones. */
static int is_marked(Span rest, PyObject *marks) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(marks); i++) {
        Py_ssize_t size, at = 0;
        const char *mark = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(marks, i), &size);
        if (!mark) return -1;
        if (size > size_of(rest)) continue;
        while (at < size && small(rest.at[at]) == mark[at]) at++;
        if (at == size) return 1;
    }
    return 0;
}

/* Whether a number in a path is a year that calendars have and pages do not: 1910 to 2039 are those of pages. */
static int is_odd_year(Span number, const char *end) {
    if (size_of(number) != 4 || number.end + 1 >= end || !is_digit(number.end[1])) return 0;
    if (*number.end != '-' && *number.end != '/' && *number.end != '&') return 0;
    int century = 10 * (number.at[0] - '0') + number.at[1] - '0', decade = number.at[2] - '0';
    return !(century == 19 && decade) && !(century == 20 && decade < 4);
}

/* Whether the characters of a path say nothing by themselves: no query, no colon, plain or escaped, no escape that
   could be one, no word in letters and digits behind a slash that is as long as a session, and no odd year. */
static int has_plain_characters(Span path) {
    int word = 0;
    for (const char *at = path.at; at < path.end; at++) {
        char c = *at;
        if (c <= ' ' || c >= 127 || c == '?' || c == ':' || c == ';' || c == '=') return 0;
        if (c == '%' && at + 1 < path.end && at[1] == '3') return 0;
        word = c == '/' ? 1 : word && (is_letter(c) || is_digit(c)) ? word + 1 : 0;
        if (word > SHORTEST_SESSION) return 0;
        if (is_digit(c) && !is_digit(at[-1])) {  /* a path begins with a slash */
            Span number = {at, at};
            while (number.end < path.end && is_digit(*number.end)) number.end++;
            if (is_odd_year(number, path.end)) return 0;
        }
    }
    return 1;
}

/* Whether an address is that of a page by its spelling: is_plain_address(url, most_segments, marks).
   It has no query, its segments differ, none begins with a mark, and the last is no short number. */
static PyObject *is_plain_address(PyObject *module, PyObject *const *given, Py_ssize_t count) {
    (void)module;
    if (count != 3 || !PyUnicode_Check(given[0]) || !PyTuple_Check(given[2])) {
        PyErr_SetString(PyExc_TypeError, "an address, a number and a tuple of marks are needed");
        return NULL;
    }
    long most = PyLong_AsLong(given[1]);
    if (most == -1 && PyErr_Occurred()) return NULL;
    if (!PyUnicode_IS_COMPACT_ASCII(given[0])) Py_RETURN_FALSE;
    const char *start = (const char *)PyUnicode_DATA(given[0]), *end = start + PyUnicode_GET_LENGTH(given[0]);
    int scheme = !strncmp(start, "http://", 7) ? 7 : !strncmp(start, "https://", 8) ? 8 : 0;
    const char *slash = scheme ? memchr(start + scheme, '/', end - start - scheme) : NULL;
    if (!slash || memchr(start + scheme, '?', slash - start - scheme)) Py_RETURN_FALSE;
    Span path = {slash, end}, segments[MOST_SEGMENTS], last = {end, end};
    if (!has_plain_characters(path)) Py_RETURN_FALSE;
    int found = 0;
    for (const char *at = path.at; at < end;) {
        const char *next = ++at;
        while (next < end && *next != '/') next++;
        Span segment = {at, next};
        int marked = is_marked((Span){at, end}, given[2]);
        if (marked < 0) return NULL;
        if (marked) Py_RETURN_FALSE;
        if (next > at) {
            if (found == MOST_SEGMENTS || found >= most || is_one_of(segment, segments, found)) Py_RETURN_FALSE;
            last = segments[found++] = segment;
        }
        at = next;
    }
    return PyBool_FromLong(!(size_of(last) <= 4 && all(last, is_a_digit)));
}

static PyMethodDef METHODS[] = {
    {"is_plain_address", (PyCFunction)(void (*)(void))is_plain_address, METH_FASTCALL,
     "Whether an address cannot be that of a trap, a form, another view or a list, by its spelling."},
    {"read_address", (PyCFunction)(void (*)(void))read_address, METH_FASTCALL,
     "Section, pattern, stem and language of an address; None for those that are read in Python."},
    {NULL, NULL, 0, NULL},
};

int add_address_to(PyObject *module) { return PyModule_AddFunctions(module, METHODS); }
