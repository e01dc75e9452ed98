# Threshold functions.

@cython.final
cdef class Threshold:
    """A two-class decision in integers: 1 iff bias + the weights of the values sum to at least 0."""

    cdef symcf_threshold *handle

    def __cinit__(self):
        self.handle = NULL

    def __init__(self):
        raise TypeError("made by Threshold.from_bayes or from_weights")

    def __dealloc__(self):
        symcf_threshold_free(self.handle)

    @staticmethod
    def from_weights(const uint32_t[::1] value_offset not None, const int64_t[::1] weight not None, int64_t bias):
        """Plain integers. Feature j owns weight[value_offset[j]:value_offset[j + 1]]."""
        cdef Threshold self = Threshold.__new__(Threshold)
        cdef uint32_t n = <uint32_t> (value_offset.shape[0] - 1)
        if value_offset.shape[0] < 1 or value_offset[n] != weight.shape[0]:
            raise ValueError("value_offset does not fit weight")
        check(symcf_threshold_create(n, &value_offset[0], &weight[0] if weight.shape[0] else NULL, bias,
                                     &self.handle))
        return self

    @staticmethod
    def from_bayes(const uint32_t[::1] value_offset not None, const double[::1] p1 not None,
                   const double[::1] p0 not None, double prior1, double prior0, double cut, bint tie_positive):
        """The decision P(Y=1 | x) >= cut. Raises ModelError.undecidable where zeros leave a row without one."""
        cdef Threshold self = Threshold.__new__(Threshold)
        cdef symcf_bayes_fault fault
        cdef uint32_t n = <uint32_t> (value_offset.shape[0] - 1)
        if value_offset.shape[0] < 1 or value_offset[n] != p1.shape[0] or p1.shape[0] != p0.shape[0]:
            raise ValueError("value_offset, p1 and p0 do not fit")
        cdef symcf_status status = symcf_threshold_from_bayes(
            n, &value_offset[0], &p1[0] if p1.shape[0] else NULL, &p0[0] if p0.shape[0] else NULL, prior1, prior0,
            cut, tie_positive, &fault, &self.handle)
        if fault.problem != SYMCF_BAYES_FINE:
            first = (None if fault.feature == SYMCF_PRIOR else fault.feature, fault.value)
            other = (None if fault.other_feature == SYMCF_PRIOR else fault.other_feature, fault.other_value)
            raise ModelError.undecidable(first, other if fault.problem == SYMCF_BAYES_CONFLICT else None)
        check(status)
        return self

    @property
    def n(self):
        """The number of features."""
        return self.handle.n

    @property
    def value_offset(self):
        """Where each feature's weights start, and the end of the last."""
        return view(self, self.handle.value_offset, self.handle.n + 1, "uint32")

    @property
    def weight(self):
        """The weights of all values of all features."""
        return view(self, self.handle.weight, self.handle.value_offset[self.handle.n], "int64")

    @property
    def bias(self):
        """The constant term, tie rule included."""
        return self.handle.bias

    @property
    def band(self):
        """Margins within plus or minus this many units are ties."""
        return self.handle.band

    @property
    def tie_shift(self):
        """What the tie rule added to the bias."""
        return self.handle.tie_shift

    @property
    def scale(self):
        """A unit is 2 to the minus this."""
        return self.handle.scale

    def scores(self, array, groups=None):
        """The integer score of every row. groups: see Rows."""
        cdef Rows rows = Rows(array, self.handle.n, groups)
        result = np.empty(rows.rows.m, dtype=np.int64)
        cdef int64_t[::1] score = result
        cdef int64_t *out = &score[0] if rows.rows.m else NULL
        cdef symcf_control control = new_control()
        cdef symcf_status status
        cdef size_t row = 0
        cdef uint32_t feature = 0
        with nogil:
            status = symcf_threshold_scores(self.handle, &rows.rows, &control, out, &row, &feature)
        if status == SYMCF_INVALID:
            raise bad_code(array, row, feature)
        check(status)
        return result

    def margins(self, array, groups=None):
        """The log-odds margin of every row: 0 for ties, infinite where a probability is zero."""
        cdef const int64_t[::1] score = self.scores(array, groups)
        result = np.empty(score.shape[0], dtype=np.float64)
        cdef double[::1] margin = result
        cdef Py_ssize_t i
        with nogil:
            for i in range(score.shape[0]):
                margin[i] = symcf_threshold_margin(self.handle, score[i])
        return result

    def influence_order(self):
        """The features by falling spread of their weights."""
        result = np.empty(self.handle.n, dtype=np.uint32)
        cdef uint32_t[::1] order = result
        check(symcf_threshold_influence_order(self.handle, &order[0] if self.handle.n else NULL))
        return result

    def regrouped(self, value_offset, weight):
        """The same decision over features some of whose values, of equal weight, have become one."""
        _, (_, _, bias, state) = self.__reduce__()
        return _restore_threshold(value_offset, weight, bias, state)

    def __reduce__(self):
        state = (self.handle.tie_shift, self.handle.band, self.handle.finite, self.handle.scale)
        return _restore_threshold, (np.array(self.value_offset), np.array(self.weight), self.handle.bias, state)


def _restore_threshold(value_offset, weight, int64_t bias, state):
    """Undoes Threshold.__reduce__."""
    cdef Threshold self = Threshold.from_weights(value_offset, weight, bias)
    cdef int64_t tie_shift, band, finite
    tie_shift, band, finite, scale = state
    if not (0 <= band < 2**40 and -2**41 < tie_shift < 2**41 and finite >= 0 and 0 <= scale <= 62):
        raise ValueError("not the state of a threshold function")
    self.handle.tie_shift, self.handle.band, self.handle.finite = tie_shift, band, finite
    self.handle.scale = scale
    return self
