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


def diverse(const uint32_t[::1] features not None, const uint64_t[::1] end not None, uint64_t start,
            uint32_t n_features, uint64_t k, uint64_t effort, double time_limit=-1, Stop stop=None):
    """The numbers of the sets, ascending, their smallest distance as two numbers, and whether that is proved to be the
    largest. Set i is features[end[i - 1]:end[i]], the first one from `start` on. With `stop` it listens to that instead
    of signals.
    """
    cdef symcf_control control = new_control(time_limit)
    cdef symcf_status status
    cdef symcf_diversity found
    cdef uint64_t i, at = start, n_sets = end.shape[0]
    if not 1 <= k <= min(n_sets, SYMCF_MOST_DIVERSE):
        raise ValueError(f"{k} of {n_sets} sets")
    for i in range(n_sets):
        if not at <= end[i] <= <uint64_t> features.shape[0]:
            raise ValueError(f"set {i} does not end where it can")
        at = end[i]
    for i in range(start, at):
        if features[i] >= n_features:
            raise ValueError(f"{features[i]} is not a feature")
    if stop is not None:
        control.interrupted = is_cancelled
        control.data = &stop.told
    result = np.zeros(k, dtype=np.uint64)
    cdef uint64_t[::1] chosen = result
    with nogil:
        status = symcf_diverse(
            &features[0] if features.shape[0] else NULL, &end[0], start, n_sets, n_features, k, effort, &control,
            &chosen[0], &found)
    check(status)
    return result, found.apart, found.of, bool(found.exact)
