/* Columns as Arrow lays them out, made in the bytes that are returned. */

typedef struct { PyObject *bytes; size_t size, room; } Buffer;
typedef struct { Buffer offsets, data; } Column; /* of texts */

static inline int append(Buffer *buffer, const void *data, size_t size) {
    if (!size) return 1;
    if (buffer->size + size > buffer->room) {
        size_t room = (buffer->size + size) * 2 + 1024;
        if (!buffer->bytes) buffer->bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)room);
        else _PyBytes_Resize(&buffer->bytes, (Py_ssize_t)room);
        if (!buffer->bytes) return 0;
        buffer->room = room;
    }
    memcpy(PyBytes_AS_STRING(buffer->bytes) + buffer->size, data, size);
    buffer->size += size;
    return 1;
}

/* Add where something ends to the offsets. */
static inline int add_end_of(Buffer *offsets, size_t size) {
    if (size > INT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "more in a column of one batch than 32 bits can count");
        return 0;
    }
    int32_t end = (int32_t)size;
    return append(offsets, &end, sizeof end);
}

static inline int add_bytes(Column *column, const char *data, size_t size) {
    return append(&column->data, data, size) && add_end_of(&column->offsets, column->data.size);
}

static inline int add_text(Column *column, PyObject *text) {
    Py_ssize_t size;
    const char *data = PyUnicode_AsUTF8AndSize(text, &size);
    return data && add_bytes(column, data, (size_t)size);
}

/* What a buffer holds, which it gives away. */
static inline PyObject *bytes_of(Buffer *buffer) {
    if (!buffer->bytes) return PyBytes_FromStringAndSize(NULL, 0);
    _PyBytes_Resize(&buffer->bytes, (Py_ssize_t)buffer->size);
    PyObject *bytes = buffer->bytes;
    buffer->bytes = NULL;
    return bytes;
}

static inline PyObject *pair_of(Column *column) {
    return Py_BuildValue("(NN)", bytes_of(&column->offsets), bytes_of(&column->data));
}

static inline void let_column_go(Column *column) {
    Py_XDECREF(column->offsets.bytes);
    Py_XDECREF(column->data.bytes);
}
