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

static inline int is_stable_text(PyObject *text) {
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_UCS4 low = 1, high = 0; /* the range of the character before: most are of the same */
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(text); i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if ((c >= 0x20 && c <= 0x7E) || (c >= low && c <= high)) continue;
        if (!is_stable_character(c)) return 0;
        for (int k = 0; k < RANGES; k++)
            if (c >= STABLE[k][0] && c <= STABLE[k][1]) { low = STABLE[k][0]; high = STABLE[k][1]; }
    }
    return 1;
}
