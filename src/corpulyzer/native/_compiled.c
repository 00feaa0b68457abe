/* One module of all that is compiled, so that all of it is there or nothing. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "_compiled.h"

#define ADDED(part) && add_##part##_to(module) == 0

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_compiled", NULL, -1, NULL, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__compiled(void) {
    PyObject *module = PyModule_Create(&MODULE);
    if (module EACH_PART(ADDED)) return module;
    Py_XDECREF(module);
    return NULL;
}
