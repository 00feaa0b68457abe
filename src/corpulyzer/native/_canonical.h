/* Addresses in canonical form, as in url.py. Most are in it already, which is checked faster than made; for nearly
   all others it is made here. Sessions in paths and credentials are left to Python. */

#include <Python.h>
#include <string.h>

enum { MAX_ADDRESS = 4096, SUSPECTS = 1 << 16, MAX_PARAMETERS = 64, SHORTEST_SESSION = 26, UNTOLD = -1 };

/* The parameters that say nothing, in small letters: whole names, beginnings, and names that are left out only
   if their value looks random. `suspects` is true for the first two letters of all, the second 0 where a name has
   but one. */
typedef struct { const char *suspects; PyObject *names, *beginnings, *sessions; } Noise;
typedef struct { const char *data; size_t size, name; } Parameter; /* `name` is the size of its name */

static inline unsigned char small(char c) { return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 32 : c); }

/* Whether parameters are in order of their names, none is empty, and none begins like one to be left out. */
static inline int is_canonical_query(const char *at, const char *end, const char *suspects) {
    const char *before = at, *before_end = at;
    if (at == end) return 0;
    for (;; at++) {
        const char *name = at, *name_end;
        while (at < end && *at != '&' && *at != '=') at++;
        name_end = at;
        while (at < end && *at != '&') at++;
        if (at == name) return 0;
        size_t size = name_end - name, before_size = before_end - before;
        unsigned first = size ? small(name[0]) : 0, second = size > 1 ? small(name[1]) : 0;
        if (suspects[first << 8 | second]) return 0;
        int order = memcmp(before, name, size < before_size ? size : before_size);
        if (order > 0 || (!order && size < before_size)) return 0;
        before = name;
        before_end = name_end;
        if (at == end) return 1;
    }
}

/* The characters in an address before its query that may have to go. */
static const char MARKS[256] = {[0] = 1, ['#'] = 1, ['%'] = 1, ['@'] = 1, [';'] = 1, ['('] = 1, ['.'] = 1};

/* True only if an absolute http address is in canonical form; false if it may be or not. */
static inline int is_canonical_address(PyObject *address, const char *suspects) {
    Py_ssize_t size = PyUnicode_GET_LENGTH(address);
    if (!PyUnicode_IS_COMPACT_ASCII(address) || size > MAX_ADDRESS) return 0;
    const char *start = (const char *)PyUnicode_DATA(address), *end = start + size, *at = start;
    if (strncmp(at, "http://", 7) && strncmp(at, "https://", 8)) return 0;
    for (; *at != '?'; at++) { /* there is a 0 at the end */
        if (!MARKS[(unsigned char)*at]) continue;
        if (*at != '.') return at == end;
        if (at[1] == '/' || at[1] == ':') return 0;
    }
    if (memchr(at, '#', end - at) || memchr(at, '%', end - at)) return 0;
    return is_canonical_query(at + 1, end, suspects);
}

static inline int is_hex(char c) { return (c >= '0' && c <= '9') || (small(c) >= 'a' && small(c) <= 'f'); }
static inline int hex_value(char c) { return c <= '9' ? c - '0' : small(c) - 'a' + 10; }

static inline int is_unreserved(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' ||
           c == '_' || c == '~';
}

/* Whether an escape begins here, and not after a broken one (`%` or `%4`), which the decoded byte would complete. */
static inline int is_escape(const char *start, const char *at, const char *end) {
    if (end - at < 3 || !is_hex(at[1]) || !is_hex(at[2])) return 0;
    if (at > start && at[-1] == '%') return 0;
    return !(at - start > 1 && at[-2] == '%' && is_hex(at[-1]));
}

/* The size of an address with escapes in capitals, and with none that need not be, written to `made`. */
static inline size_t tidied(const char *start, const char *end, char *made) {
    static const char DIGITS[] = "0123456789ABCDEF";
    char *to = made;
    const char *at = start;
    while (at < end) {
        if (*at != '%' || !is_escape(start, at, end)) {
            *to++ = *at++;
            continue;
        }
        int code = hex_value(at[1]) << 4 | hex_value(at[2]);
        if (is_unreserved(code)) {
            *to++ = (char)code;
        } else {
            *to++ = '%';
            *to++ = DIGITS[code >> 4];
            *to++ = DIGITS[code & 15];
        }
        at += 3;
    }
    return to - made;
}

static inline int begins_as(const char *at, const char *end, const char *word, size_t size) {
    if ((size_t)(end - at) < size) return 0;
    for (size_t i = 0; i < size; i++)
        if (small(at[i]) != (unsigned char)word[i]) return 0;
    return 1;
}

/* Whether a path surely names no session. */
static inline int has_no_session(const char *at, const char *end) {
    static const char *const NAMES[] = {"jsessionid=", "phpsessid=", "sessionid=", "sid="};
    for (; at < end; at++) {
        if (*at == '/' && end - at > 1 && at[1] == '(') return 0;
        for (int i = 0; *at == ';' && i < 4; i++)
            if (begins_as(at + 1, end, NAMES[i], strlen(NAMES[i]))) return 0;
    }
    return 1;
}

/* Whether all that is before a query surely stays as it is. */
static inline int is_settled(const char *start, const char *end) {
    int odd = 0;
    for (const char *at = start; at < end && !odd; at++) {
        odd = *at == '@' || *at == ';' || *at == '(';
        if (*at == '.' && end - at > 1) odd = at[1] == '/' || at[1] == ':';
    }
    if (!odd) return 1;
    const char *at = start + (start[4] == 's' ? 8 : 7), *host = at;
    for (; at < end && *at != '/'; at++)
        if (!(is_unreserved(*at) || *at == ':') || (*at == ':' && at[-1] == '.')) return 0;
    return at < end && at > host && at[-1] != '.' && has_no_session(at, end);
}

static inline int is_among(PyObject *words, const char *name, size_t size, int whole) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(words); i++) {
        PyObject *word = PyTuple_GET_ITEM(words, i);
        size_t length = (size_t)PyUnicode_GET_LENGTH(word);
        if ((whole ? length == size : length <= size) &&
            begins_as(name, name + size, (const char *)PyUnicode_DATA(word), length))
            return 1;
    }
    return 0;
}

/* 1 if a parameter never changes the page, UNTOLD if only Python can tell. */
static inline int is_noise(const Noise *noise, Parameter parameter) {
    const char *name = parameter.data;
    size_t size = parameter.name;
    unsigned first = size ? small(name[0]) : 0, second = size > 1 ? small(name[1]) : 0;
    if (!noise->suspects[first << 8 | second]) return 0;
    if (is_among(noise->names, name, size, 1) || is_among(noise->beginnings, name, size, 0)) return 1;
    int is_short = parameter.size - size <= SHORTEST_SESSION; /* with the sign between them */
    return !is_short && is_among(noise->sessions, name, size, 1) ? UNTOLD : 0;
}

static inline int is_before(Parameter one, Parameter other) {
    int order = memcmp(one.data, other.data, one.name < other.name ? one.name : other.name);
    return order ? order < 0 : one.name < other.name;
}

/* The number of parameters that choose the page, in order of their names; UNTOLD if that is not plain. */
static inline int chosen(const Noise *noise, const char *at, const char *end, Parameter *found) {
    int count = 0;
    for (; at < end; at++) {
        Parameter parameter = {at, 0, 0};
        while (at < end && *at != '&') at++;
        parameter.size = at - parameter.data;
        const char *sign = memchr(parameter.data, '=', parameter.size);
        parameter.name = sign ? (size_t)(sign - parameter.data) : parameter.size;
        int says_nothing = parameter.size ? is_noise(noise, parameter) : 1;
        if (says_nothing < 0 || (!says_nothing && count == MAX_PARAMETERS)) return UNTOLD;
        if (says_nothing) continue;
        int place = count++;
        for (; place && is_before(parameter, found[place - 1]); place--) found[place] = found[place - 1];
        found[place] = parameter;
    }
    return count;
}

/* The size of a query, its sign included, without the parameters to be left out, order and escapes as they were.
   Its tidied form has as many parameters: no sign between them is decoded. */
static inline size_t spelled_query(const Noise *noise, const char *at, const char *end, const char *tidy,
                                   const char *tidy_end, char *made) {
    char *to = made;
    int kept = 0, left_out = 0;
    for (;; at++, tidy++) {
        const char *start = at;
        Parameter parameter = {tidy, 0, 0};
        while (at < end && *at != '&') at++;
        while (tidy < tidy_end && *tidy != '&') tidy++;
        parameter.size = tidy - parameter.data;
        const char *sign = memchr(parameter.data, '=', parameter.size);
        parameter.name = sign ? (size_t)(sign - parameter.data) : parameter.size;
        if (is_noise(noise, parameter)) {
            left_out = 1;
        } else {
            *to++ = kept++ ? '&' : '?';
            memcpy(to, start, at - start);
            to += at - start;
        }
        if (at == end) break;
    }
    return left_out && to - made <= 1 ? 0 : (size_t)(to - made);
}

typedef struct { char data[MAX_ADDRESS]; size_t size; } Spelling;

/* The size of the canonical form of an ASCII address, written to `made` of MAX_ADDRESS bytes; 0 if it is untold.
   How it was spelled is written to `spelling`, with size 0 if that is the same. */
static inline size_t canonical_into(const Noise *noise, const char *start, size_t size, char *made,
                                    Spelling *spelling) {
    char tidy[MAX_ADDRESS + 1];
    Parameter parameters[MAX_PARAMETERS];
    if (size > MAX_ADDRESS || size < 8 || (memcmp(start, "http://", 7) && memcmp(start, "https://", 8))) return 0;
    const char *fragment = memchr(start, '#', size), *raw_end = fragment ? fragment : start + size;
    const char *end = tidy + tidied(start, raw_end, tidy);
    const char *query = memchr(tidy, '?', end - tidy);
    const char *path_end = query ? query : end;
    if (!is_settled(tidy, path_end)) return 0;
    int count = query ? chosen(noise, query + 1, end, parameters) : 0;
    if (count < 0) return 0;
    char *to = made + (path_end - tidy);
    memcpy(made, tidy, path_end - tidy);
    for (int i = 0; i < count; i++) {
        *to++ = i ? '&' : '?';
        memcpy(to, parameters[i].data, parameters[i].size);
        to += parameters[i].size;
    }
    const char *raw_query = query ? memchr(start, '?', raw_end - start) : NULL;
    spelling->size = (raw_query ? raw_query : raw_end) - start;
    memcpy(spelling->data, start, spelling->size);
    if (raw_query)
        spelling->size += spelled_query(noise, raw_query + 1, raw_end, query + 1, end, spelling->data + spelling->size);
    if (spelling->size == (size_t)(to - made) && !memcmp(spelling->data, made, spelling->size)) spelling->size = 0;
    return to - made;
}
