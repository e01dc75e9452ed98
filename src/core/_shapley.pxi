# Shapley values of diagrams.


@cython.final
cdef class Shapley:
    """Shapley values under a product distribution: share[value_offset[j] + v] is the probability of value v."""

    cdef symcf_shapley *handle
    cdef Diagram diagram
    cdef const uint32_t[::1] value_offset
    cdef const double[::1] share

    def __cinit__(self, Diagram diagram not None, const uint32_t[::1] value_offset not None,
                  const double[::1] share not None):
        self.handle = NULL
        self.diagram, self.value_offset, self.share = diagram, value_offset, share
        fits_diagram(diagram, value_offset)
        if <uint32_t> share.shape[0] != value_offset[diagram.handle.n]:
            raise ValueError("share does not fit the diagram")
        check(symcf_shapley_open(
            diagram.handle, &value_offset[0], &share[0] if share.shape[0] else NULL, &self.handle))

    def __dealloc__(self):
        symcf_shapley_free(self.handle)

    def values(self, const uint32_t[:, ::1] rows not None, const uint8_t[::1] sinks not None, double time_limit=-1):
        """By row and feature, for "the diagram says sinks[row]"; LimitError when time is up."""
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status = SYMCF_OK
        cdef Py_ssize_t i, m = rows.shape[0]
        cdef uint32_t j, n = self.diagram.handle.n
        if rows.shape[1] != n or sinks.shape[0] != m:
            raise ValueError("the rows do not fit the diagram")
        for i in range(m):
            for j in range(n):
                if rows[i, j] >= self.value_offset[j + 1] - self.value_offset[j]:
                    raise ValueError(f"{rows[i, j]} is not a value of feature {j}")
        result = np.zeros((m, n))
        cdef double[:, ::1] value = result
        if n and m:
            with nogil:
                for i in range(m):
                    status = symcf_shapley_values(self.handle, &rows[i, 0], sinks[i], &control, &value[i, 0])
                    if status != SYMCF_OK:
                        break
        if status == SYMCF_LIMIT_TIME:
            raise LimitError(f"time limit reached: {i:,} of {m:,} rows have Shapley values; raise time_limit")
        check(status)
        return result
