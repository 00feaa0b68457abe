/* Whether an address is in canonical form already, as url.py has it: of most that is seen faster than made. */

#include <Python.h>
#include <string.h>

enum { MAX_ADDRESS = 4096, SUSPECTS = 1 << 16 };

static inline unsigned char small(char c) { return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 32 : c); }

/* Whether parameters are in order of their names, none empty, and none begins as one that says nothing does:
   `suspects` is true for the first two letters of such names, the second 0 where a name has but one. */
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

/* Of an absolute http address: true only if its canonical form would leave out and change nothing. */
static inline int is_canonical_address(PyObject *address, const char *suspects) {
    Py_ssize_t size = PyUnicode_GET_LENGTH(address);
    if (!PyUnicode_IS_COMPACT_ASCII(address) || size > MAX_ADDRESS) return 0;
    const char *start = (const char *)PyUnicode_DATA(address), *end = start + size, *at = start;
    if (strncmp(at, "http://", 7) && strncmp(at, "https://", 8)) return 0;
    for (; at < end && *at != '?'; at++) {
        if (*at == '#' || *at == '%' || *at == '@' || *at == ';' || *at == '(' || !*at) return 0;
        if (*at == '.' && (at[1] == '/' || at[1] == ':')) return 0;
    }
    if (at == end) return 1;
    if (memchr(at, '#', end - at) || memchr(at, '%', end - at)) return 0;
    return is_canonical_query(at + 1, end, suspects);
}
