/* Whether a text is surely clean already, as text/normal.py has it; many that are not told here are clean, too. */

#include <Python.h>

/* Characters that stay as they are in NFC whatever stands beside them, and are no controls. There are others. */
static const Py_UCS4 STABLE[][2] = {
    {0x20, 0x7E}, {0xA0, 0x2FF}, {0x400, 0x482}, {0x48A, 0x52F}, {0x531, 0x556}, {0x559, 0x58A}, {0x5D0, 0x5EA},
    {0x60C, 0x60F}, {0x61B, 0x64A}, {0x660, 0x66F}, {0x671, 0x6D5}, {0x904, 0x928}, {0x92A, 0x930}, {0x935, 0x939},
    {0x964, 0x970}, {0xE01, 0xE30}, {0x1E00, 0x1EF9}, {0x200B, 0x2027}, {0x202A, 0x205E}, {0x20A0, 0x20C0},
    {0x3001, 0x3029}, {0x3041, 0x3096}, {0x30A1, 0x30FE}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3},
    {0xFF01, 0xFF60}, {0x1F300, 0x1FAFF},
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
