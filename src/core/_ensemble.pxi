# Trees that vote, prepared for the engine `boxes`.

@cython.final
cdef class Ensemble:
    """Decision trees whose leaves are added up, class by class; immutable. symcf.h tells what the arrays hold."""

    cdef symcf_ensemble *handle
    cdef readonly object value_offset
    cdef readonly uint32_t n_classes

    def __cinit__(self, const uint32_t[::1] n_values not None, const uint64_t[::1] start not None,
                  const int32_t[::1] feature not None, const int32_t[::1] left not None,
                  const int32_t[::1] right not None, const int64_t[::1] left_start not None,
                  const uint8_t[::1] left_values not None, const int64_t[:, ::1] scores not None, bint later_wins):
        cdef symcf_control control = new_control()
        cdef symcf_status status
        cdef const char *reason = NULL
        cdef symcf_trees trees = trees_of(n_values, start, feature, left, right, left_start, left_values)
        cdef uint32_t n_classes = <uint32_t> scores.shape[1]
        cdef const int64_t *table = &scores[0, 0] if scores.shape[0] and n_classes else NULL
        self.handle = NULL
        if scores.shape[0] != feature.shape[0]:
            raise ValueError("the arrays of the trees do not fit each other")
        with nogil:
            status = symcf_ensemble_create(&trees, n_classes, table, later_wins, &control, &reason, &self.handle)
        if status == SYMCF_INVALID:
            raise ValueError(f"not decision trees: {reason.decode()}")
        check(status)
        self.n_classes = n_classes
        self.value_offset = np.concatenate([[0], np.cumsum(n_values)]).astype(np.uint32)

    def __dealloc__(self):
        symcf_ensemble_free(self.handle)

    @property
    def n_leaves(self):
        """The leaves of all trees."""
        return symcf_ensemble_leaves(self.handle)
