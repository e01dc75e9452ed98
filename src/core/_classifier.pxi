# Decisions between any number of classes.

cdef int fits_features(Threshold threshold, const uint32_t[::1] value_offset) except -1:
    """All functions of a decision are over the same features."""
    cdef const symcf_threshold *t = threshold.handle
    if value_offset.shape[0] != t.n + 1 or memcmp(t.value_offset, &value_offset[0], value_offset.nbytes):
        raise ValueError("a threshold function does not fit the features")
    return 0


cdef value_offset_of(Diagram diagram):
    """Where each feature's values would start in a table, and the end of the last."""
    result = np.zeros(diagram.handle.n + 1, dtype=np.uint32)
    result[1:][diagram.order] = diagram.arity
    return np.cumsum(result, dtype=np.uint32)


@cython.final
cdef class Pointers:
    """Threshold functions over the same features, some of them None, as the core wants to see them."""

    cdef list functions
    cdef size_t[::1] addresses
    cdef object value_offset
    cdef const symcf_threshold *const *table

    def __cinit__(self, functions not None):
        cdef Threshold function
        self.functions = list(functions)
        self.value_offset = None
        self.addresses = np.zeros(len(self.functions) + 1, dtype=np.uintp)
        for i, function in enumerate(self.functions):
            if function is None:
                continue
            if self.value_offset is None:
                self.value_offset = np.array(function.value_offset)
            fits_features(function, self.value_offset)
            self.addresses[i] = <size_t> function.handle
        self.table = <const symcf_threshold *const *> <void *> &self.addresses[0]


@cython.final
cdef class Decision:
    """A symcf_classifier, and what it is made of: one Threshold or Diagram for two classes; for K classes K lists of K
    functions, of which function r of list p is "r is preferred to p"; or one Diagram per class; or an Ensemble.
    """

    cdef symcf_classifier classifier
    cdef object parts
    cdef size_t[::1] addresses
    cdef object value_offset

    def __cinit__(self, parts not None):
        memset(&self.classifier, 0, sizeof(self.classifier))
        if isinstance(parts, Threshold):
            self.of_threshold(parts)
        elif isinstance(parts, Ensemble):
            self.of_ensemble(parts)
        elif isinstance(parts, Diagram):
            self.of_diagrams([parts], 2)
        elif len(parts) and all(isinstance(part, Diagram) for part in parts):
            self.of_diagrams(parts[1:] if len(parts) == 2 else parts, len(parts))
        else:
            self.of_rivals(parts)

    cdef int of_threshold(self, Threshold threshold) except -1:
        self.parts, self.value_offset = threshold, np.array(threshold.value_offset)
        self.classifier.n_classes, self.classifier.t = 2, threshold.handle
        return 0

    cdef int of_ensemble(self, Ensemble ensemble) except -1:
        self.parts, self.value_offset = ensemble, ensemble.value_offset
        self.classifier.n_classes, self.classifier.ensemble = ensemble.n_classes, ensemble.handle
        return 0

    cdef int of_diagrams(self, diagrams, n_classes) except -1:
        cdef Diagram diagram
        self.parts = list(diagrams)
        self.value_offset = value_offset_of(diagrams[0])
        self.addresses = np.empty(len(self.parts), dtype=np.uintp)
        for i, diagram in enumerate(self.parts):
            if not np.array_equal(value_offset_of(diagram), self.value_offset):
                raise ValueError("the diagrams are not over the same features")
            self.addresses[i] = <size_t> diagram.handle
        self.classifier.n_classes = n_classes
        self.classifier.diagrams = <const symcf_diagram *const *> <void *> &self.addresses[0]
        return 0

    cdef int of_rivals(self, rows) except -1:
        cdef Pointers pointers
        functions = [None if r == p else f for p, row in enumerate(rows) for r, f in enumerate(row)]
        if any(len(row) != len(rows) for row in rows) or functions.count(None) != len(rows) or len(rows) < 2:
            raise ValueError("K classes need K lists of K threshold functions (of a class and itself: any)")
        self.parts = pointers = Pointers(functions)
        self.value_offset = pointers.value_offset
        self.classifier.n_classes, self.classifier.beats = len(rows), pointers.table
        return 0


def decide(parts, array, groups=None):
    """The class of every row. `parts` as a Batch takes them."""
    cdef Decision decision = Decision(parts)
    cdef const uint32_t[::1] value_offset = decision.value_offset
    cdef Rows rows = Rows(array, <uint32_t> (value_offset.shape[0] - 1), groups)
    result = np.empty(rows.rows.m, dtype=np.uint8)
    cdef uint8_t[::1] classes = result
    cdef uint8_t *out = &classes[0] if rows.rows.m else NULL
    cdef symcf_control control = new_control()
    cdef symcf_status status
    cdef size_t row = 0
    cdef uint32_t feature = 0
    with nogil:
        status = symcf_decide_rows(
            &decision.classifier, &value_offset[0], &rows.rows, &control, out, &row, &feature)
    if status == SYMCF_INVALID:
        raise bad_code(array, row, feature)
    check(status)
    return result
