# k sets of a list that differ most.

MOST_DIVERSE = SYMCF_MOST_DIVERSE


cdef class Stop:
    """Tells work in other threads, which hear no signals, to end soon."""

    cdef atomic_int told

    def __cinit__(self):
        atomic_store(&self.told, 0)

    def tell(self):
        """From now on."""
        atomic_store(&self.told, 1)


def diverse(const uint32_t[::1] features not None, const int64_t[::1] set_offset not None,
            const int64_t[::1] row_offset not None, uint32_t n_features, uint64_t k, uint64_t effort,
            double time_limit=-1, Stop stop=None):
    """Of each row, k sets that differ most, or all of fewer; all arrays as in `SetColumns`.

    The numbers of the sets, ascending; by row, how many they are, their smallest distance as two numbers, and whether
    that is proved to be the largest. With `stop` it listens to that instead of signals.
    """
    cdef symcf_control control = new_control(time_limit)
    cdef symcf_status status = SYMCF_OK
    cdef symcf_diversity found
    cdef int64_t at = 0, n_sets = set_offset.shape[0] - 1, n_rows = row_offset.shape[0] - 1
    cdef int64_t i, row, first, count, n_chosen = 0
    if n_sets < 0 or n_rows < 0 or not 1 <= k <= SYMCF_MOST_DIVERSE:
        raise ValueError(f"{k} of {n_sets} sets")
    at = set_offset[0]
    for i in range(n_sets + 1):
        if not 0 <= at <= set_offset[i] <= features.shape[0]:
            raise ValueError(f"set {i} does not begin where it can")
        at = set_offset[i]
    for i in range(set_offset[0], at):
        if features[i] >= n_features:
            raise ValueError(f"{features[i]} is not a feature")
    at = 0
    for row in range(n_rows + 1):
        if not at <= row_offset[row] <= n_sets:
            raise ValueError(f"row {row} does not begin where it can")
        at = row_offset[row]
    if stop is not None:
        control.interrupted = is_cancelled
        control.data = &stop.told
    chosen_array = np.zeros(sum_of_smaller(row_offset, k), dtype=np.int64)
    counts_array, exact_array = np.zeros(n_rows, dtype=np.int64), np.zeros(n_rows, dtype=np.bool_)
    apart_array = np.zeros((n_rows, 2), dtype=np.uint64)
    cdef int64_t[::1] chosen = chosen_array, counts = counts_array
    cdef uint64_t[:, ::1] apart = apart_array
    cdef uint8_t[::1] exact = exact_array.view(np.uint8)
    with nogil:
        for row in range(n_rows):
            first, count = row_offset[row], row_offset[row + 1] - row_offset[row]
            if not count:
                continue
            counts[row] = count if <uint64_t> count < k else <int64_t> k
            status = symcf_diverse(
                &features[0] if features.shape[0] else NULL, <const uint64_t *> &set_offset[first + 1],
                <uint64_t> set_offset[first], <uint64_t> count, n_features, <uint64_t> counts[row], effort, &control,
                <uint64_t *> &chosen[n_chosen], &found)
            if status:
                break
            for i in range(n_chosen, n_chosen + counts[row]):
                chosen[i] += first
            n_chosen += counts[row]
            apart[row, 0], apart[row, 1], exact[row] = found.apart, found.of, found.exact
    check(status)
    return chosen_array, counts_array, apart_array, exact_array


cdef int64_t sum_of_smaller(const int64_t[::1] starts, uint64_t most):
    """The sizes of parts, at most so much of each."""
    cdef int64_t i, size, total = 0
    for i in range(starts.shape[0] - 1):
        size = starts[i + 1] - starts[i]
        total += size if <uint64_t> size < most else <int64_t> most
    return total
