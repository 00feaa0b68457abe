/* Tables that Python hands over: tuples of words in ASCII, whose letters are then read in place. */

/* Whether all words of a tuple are such. */
static int are_ascii(PyObject *words) {
    int right = 1;
    for (Py_ssize_t i = 0; right && i < PyTuple_GET_SIZE(words); i++) {
        PyObject *word = PyTuple_GET_ITEM(words, i);
        right = PyUnicode_Check(word) && PyUnicode_IS_COMPACT_ASCII(word);
    }
    return right;
}
