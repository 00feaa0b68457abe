/* The parts of the compiled module. Each adds its functions and types to it: 0, or -1 and an exception. */

#define EACH_PART(PART) \
    PART(address) PART(blocks) PART(columns) PART(content) PART(edges) PART(heads) PART(links) PART(morphs) \
    PART(record) PART(scan) PART(score) PART(tally) PART(told) PART(walk)
#define DECLARED(part) Py_LOCAL_SYMBOL int add_##part##_to(PyObject *module);

EACH_PART(DECLARED)
