/* Whether a text is clean for sure, as in text/normal.py; if false, it may be clean or not. */

#include <Python.h>

/* Characters that stay as they are in NFC whatever stands beside them, and are no controls. There are others. */
static const Py_UCS4 STABLE[][2] = {
    {0x20, 0x7E}, {0xA0, 0x2FF}, {0x384, 0x386}, {0x388, 0x38A}, {0x38C, 0x38C}, {0x38E, 0x3A1}, {0x3A3, 0x482},
    {0x48A, 0x52F}, {0x531, 0x556}, {0x559, 0x58A}, {0x5D0, 0x5EA}, {0x60C, 0x60F}, {0x61B, 0x64A}, {0x660, 0x66F},
    {0x671, 0x6D5}, {0x6EE, 0x70D}, {0x900, 0x93B}, {0x93D, 0x94C}, {0x964, 0x980}, {0xE01, 0xE37}, {0xE3F, 0xE47},
    {0xE4C, 0xE5B}, {0x1000, 0x102D}, {0x103B, 0x108C}, {0x10D0, 0x10FF}, {0x1200, 0x1248}, {0x1260, 0x1288},
    {0x1290, 0x12B0}, {0x12D8, 0x1310}, {0x1318, 0x135A}, {0x1360, 0x137C}, {0x1780, 0x17D1}, {0x1E00, 0x1F15},
    {0x200B, 0x2027}, {0x202A, 0x205E}, {0x2074, 0x208E}, {0x20A0, 0x20C0}, {0x2100, 0x2125}, {0x212C, 0x218B},
    {0x2190, 0x2328}, {0x232B, 0x2426}, {0x2460, 0x2ADB}, {0x2ADD, 0x2B73}, {0x3001, 0x3029}, {0x3030, 0x303F},
    {0x3041, 0x3096}, {0x309B, 0x30FF}, {0x3105, 0x312F}, {0x3131, 0x318E}, {0x3220, 0xA48C}, {0xAC00, 0xD7A3},
    {0xFB50, 0xFBC1}, {0xFBD3, 0xFD3F}, {0xFE00, 0xFE0F}, {0xFE76, 0xFEFC}, {0xFEFF, 0xFEFF}, {0xFF01, 0xFFBE},
    {0xFFFC, 0xFFFD}, {0x1F1E6, 0x1F1FF}, {0x1F300, 0x1FAFF},
};
enum { RANGES = sizeof STABLE / sizeof *STABLE };

static int is_stable_character(Py_UCS4 c) {
    for (int i = 0; i < RANGES && STABLE[i][0] <= c; i++)
        if (c <= STABLE[i][1]) return 1;
    return c == '\n' || c == '\t';
}

enum { PLANE = 0x10000 };

/* For each character of the first plane whether it is stable; every character of every page is looked up. */
static const unsigned char *stable_characters(void) {
    static unsigned char stable[PLANE];
    if (!stable['a']) /* which is set last */
        for (Py_UCS4 c = PLANE; c--;)
            if (c != 'a') stable[c] = (unsigned char)is_stable_character(c);
    stable['a'] = 1;
    return stable;
}

static inline int is_stable_text(PyObject *text) {
    const unsigned char *stable = stable_characters();
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t i = 0, length = PyUnicode_GET_LENGTH(text);
    switch (PyUnicode_KIND(text)) {
    case PyUnicode_1BYTE_KIND:
        while (i < length && stable[((const Py_UCS1 *)data)[i]]) i++;
        break;
    case PyUnicode_2BYTE_KIND:
        while (i < length && stable[((const Py_UCS2 *)data)[i]]) i++;
        break;
    default:
        for (; i < length; i++) {
            Py_UCS4 c = ((const Py_UCS4 *)data)[i];
            if (c < PLANE ? !stable[c] : !is_stable_character(c)) break;
        }
    }
    return i == length;
}
