# Numbers in sums: terms as integers, and the change sets of rows that are given by their gains.

def codes_of_numbers(const double[::1] numbers not None):
    """Places among the doubles; -1 for those without one."""
    cdef size_t count = numbers.shape[0]
    cdef symcf_control control = new_control()
    cdef symcf_status status
    result = np.empty(count, dtype=np.int64)
    cdef int64_t[::1] out = result
    if count:
        with nogil:
            status = symcf_codes_of_numbers(&numbers[0], count, &control, &out[0])
        check(status)
    return result


def numbers_of_codes(const int64_t[::1] codes not None):
    """The inverse; NaN for a missing number."""
    cdef size_t count = codes.shape[0]
    cdef symcf_control control = new_control()
    cdef symcf_status status
    result = np.empty(count, dtype=np.float64)
    cdef double[::1] out = result
    if count:
        with nogil:
            status = symcf_numbers_of_codes(&codes[0], count, &control, &out[0])
        check(status)
    return result


@cython.final
cdef class Polynomials:
    """What the numbers of a row add to a score: curve * 2**curve_exponent * x**2 + slope * 2**slope_exponent * x each,
    in units of 2**-scale.
    """

    cdef symcf_polynomial *terms_of
    cdef uint8_t[::1] memory  # of terms_of
    cdef uint32_t n
    cdef int32_t scale
    cdef object given

    def __cinit__(self, const int64_t[::1] curve not None, const int32_t[::1] curve_exponent not None,
                  const int64_t[::1] slope not None, const int32_t[::1] slope_exponent not None, int32_t scale):
        cdef Py_ssize_t j, n = curve.shape[0]
        self.terms_of = NULL
        if not (curve_exponent.shape[0] == slope.shape[0] == slope_exponent.shape[0] == n):
            raise ValueError("the coefficients do not fit")
        if abs(scale) > 10**6:
            raise ValueError("the scale is too large")
        for j in range(n):
            if abs(curve[j]) >= 2**62 or abs(slope[j]) >= 2**62 or \
                    abs(curve_exponent[j]) > 10**6 or abs(slope_exponent[j]) > 10**6:
                raise ValueError("a coefficient is too large")
        self.memory = np.zeros((n + 1) * sizeof(symcf_polynomial), dtype=np.uint8)
        self.terms_of = <symcf_polynomial *> &self.memory[0]
        for j in range(n):
            self.terms_of[j].curve, self.terms_of[j].curve_exponent = curve[j], curve_exponent[j]
            self.terms_of[j].slope, self.terms_of[j].slope_exponent = slope[j], slope_exponent[j]
        self.n, self.scale = <uint32_t> n, scale
        self.given = np.array(curve), np.array(curve_exponent), np.array(slope), np.array(slope_exponent)

    def __reduce__(self):
        return Polynomials, (*self.given, self.scale)

    def terms(self, const double[:, ::1] x not None):
        """By row and polynomial. OverflowError with the row and the column of a number that is too large."""
        cdef size_t m = x.shape[0], row = 0
        cdef uint32_t feature = 0
        cdef symcf_control control = new_control()
        cdef symcf_status status
        if x.shape[1] != self.n:
            raise ValueError("the numbers do not fit")
        result = np.empty((m, self.n), dtype=np.int64)
        cdef int64_t[:, ::1] out = result
        if m and self.n:
            with nogil:
                status = symcf_polynomial_terms(
                    self.terms_of, self.n, self.scale, &x[0, 0], m, &control, &out[0, 0], &row, &feature)
            if status == SYMCF_OVERFLOW:
                raise OverflowError(row, feature)
            check(status)
        return result

    def sums(self, const int64_t[:, ::1] codes not None):
        """By row of codes of numbers, what the polynomials add up to. OverflowError where a number is missing or too
        large.
        """
        cdef size_t m = codes.shape[0]
        cdef symcf_control control = new_control()
        cdef symcf_status status
        if codes.shape[1] != self.n:
            raise ValueError("the numbers do not fit")
        result = np.zeros(m, dtype=np.int64)
        cdef int64_t[::1] out = result
        if m and self.n:
            with nogil:
                status = symcf_polynomial_sums(self.terms_of, self.n, self.scale, &codes[0, 0], m, &control, &out[0])
            if status == SYMCF_OVERFLOW:
                raise OverflowError("a number is missing or too large")
            check(status)
        return result


def cover_rows(const int64_t[:, :, ::1] gain not None, const int64_t[:, ::1] deficit not None, *,
               const int64_t[::1] cost=None, max_changes=None, uint64_t k=0, uint64_t max_results=0,
               uint64_t result_memory=2**62, bint sorted=True, double time_limit=-1):
    """The change sets of rows that are given by what their features can gain towards each rival, and lack.

    The sets of all rows, how many each row has, and the status of each row. Listens to signals.
    """
    cdef symcf_gains gains
    cdef symcf_batch_request request
    cdef symcf_control control = new_control(time_limit)
    cdef symcf_status status
    cdef Sets sets = Sets()
    cdef Py_ssize_t i, r
    memset(&request, 0, sizeof(request))
    gains.m, gains.n_rivals, gains.n = gain.shape[0], <uint32_t> gain.shape[1], <uint32_t> gain.shape[2]
    if deficit.shape[0] != gain.shape[0] or deficit.shape[1] != gain.shape[1] or not gains.n_rivals:
        raise ValueError("gains and deficits do not fit")
    if cost is not None and cost.shape[0] != gain.shape[2]:
        raise ValueError("cost does not fit the gains")
    for i in range(deficit.shape[0]):
        for r in range(deficit.shape[1]):
            if deficit[i, r] < 1:
                raise ValueError("a row lacks nothing")
    counts, states = np.zeros(gains.m, dtype=np.uint64), np.zeros(gains.m, dtype=np.uint8)
    cdef uint64_t[::1] n_sets = counts
    cdef uint8_t[::1] row_status = states
    if not gains.m:
        return sets, counts, states
    gains.gain = &gain[0, 0, 0] if gains.n else NULL
    gains.deficit = &deficit[0, 0]
    request.cost = &cost[0] if cost is not None and gains.n else NULL
    request.max_changes = 2**32 - 1 if max_changes is None else min(max_changes, 2**32 - 1)
    request.k, request.max_results, request.max_memory, request.sorted = k, max_results, result_memory, sorted
    with nogil:
        status = symcf_cover_rows(&gains, &request, &control, &sets.sets, &n_sets[0], &row_status[0])
    check(status)
    return sets, counts, states
