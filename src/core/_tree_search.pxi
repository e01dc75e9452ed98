# Engine `boxes`: change sets of trees that vote.

@cython.final
cdef class TreeSearch:
    """A cursor over the change sets of a row: the decision should become class k (sink 1), or any other (sink 0)."""

    cdef symcf_ensemble_search *handle
    cdef Ensemble ensemble
    cdef Query query
    cdef uint64_t max_memory

    def __cinit__(self, Ensemble ensemble not None, Query query not None, uint32_t k, uint32_t sink,
                  uint64_t max_memory=0):
        self.handle = NULL
        self.ensemble, self.query, self.max_memory = ensemble, query, max_memory
        fits_ensemble(ensemble, query, k, sink)
        check(symcf_ensemble_open(ensemble.handle, &query.query, k, sink, &self.handle))

    def __dealloc__(self):
        symcf_ensemble_close(self.handle)

    def next(self, uint64_t limit, double time_limit=-1):
        """At most `limit` more sets, and how the step ended."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit, 0, self.max_memory)
        cdef symcf_status status
        with nogil:
            status = symcf_ensemble_next(self.handle, &control, limit, &sets.sets)
        return sets, outcome(status)

    def best(self, uint64_t k, double time_limit=-1):
        """The k cheapest sets in order, and how the search ended."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit, 0, self.max_memory)
        cdef symcf_status status
        with nogil:
            status = symcf_ensemble_best(self.handle, k, &control, &sets.sets)
        return sets, outcome(status)

    def reasons(self, double time_limit=-1):
        """All minimal sufficient reasons, and how the search ended."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit, 0, self.max_memory)
        cdef symcf_status status
        with nogil:
            status = symcf_ensemble_reasons(self.handle, &control, &sets.sets)
        return sets, outcome(status)

    @property
    def complete_up_to(self):
        """All sets of up to so many changes have been found; None: all that were asked for."""
        cdef uint32_t size = symcf_ensemble_complete(self.handle)
        return None if size == 2**32 - 1 else size


cdef int fits_ensemble(Ensemble ensemble, Query query, uint32_t k, uint32_t sink) except -1:
    cdef const uint32_t[::1] value_offset = ensemble.value_offset
    if k >= ensemble.n_classes or sink > 1:
        raise ValueError("there is no such goal")
    return query.fits(<uint32_t> (value_offset.shape[0] - 1), &value_offset[0])


def find_row(Ensemble ensemble not None, Query query not None, uint32_t k, uint32_t sink, double time_limit=-1):
    """The codes of a row that the query allows and that has class k (sink 1), or any other (sink 0); None: there is
    none.
    """
    cdef symcf_control control = new_control(time_limit)
    cdef symcf_status status
    cdef c_bool found = False
    fits_ensemble(ensemble, query, k, sink)
    row = np.empty(query.x.shape[0], dtype=np.uint32)
    cdef uint32_t[::1] codes = row
    cdef uint32_t *out = &codes[0] if codes.shape[0] else NULL
    with nogil:
        status = symcf_ensemble_find(ensemble.handle, &query.query, k, sink, &control, &found, out)
    check(status)
    return row if found else None


def nearest_row(Ensemble ensemble not None, Query query not None, uint32_t k, uint32_t sink,
                const int64_t[::1] cost not None, const uint32_t[::1] rank=None, double time_limit=-1,
                uint64_t max_memory=0):
    """The row of least cost that the query allows and that has the wanted class: (codes or None, its cost, a bound that
    no such row is below, how the search ended, boxes searched, seconds until a row was known). Without a row, cost or
    bound are 2**63 - 1. cost: by value, negative: not allowed. Of rows that cost the same the first by rank, by value,
    feature by feature.
    """
    cdef symcf_control control = new_control(time_limit, 0, max_memory)
    cdef symcf_status status
    cdef symcf_nearest_result result
    cdef const uint32_t[::1] value_offset = ensemble.value_offset
    fits_ensemble(ensemble, query, k, sink)
    if cost.shape[0] != value_offset[query.x.shape[0]]:
        raise ValueError("cost does not fit the trees")
    row = np.empty(query.x.shape[0], dtype=np.uint32)
    cdef uint32_t[::1] codes = row
    cdef uint32_t *out = &codes[0] if codes.shape[0] else NULL
    if rank is not None and rank.shape[0] != cost.shape[0]:
        raise ValueError("rank does not fit the trees")
    cdef const int64_t *costs = &cost[0] if cost.shape[0] else NULL
    cdef const uint32_t *ranks = &rank[0] if rank is not None and rank.shape[0] else NULL
    with nogil:
        status = symcf_ensemble_nearest_row(ensemble.handle, &query.query, k, sink, costs, ranks, &control, &result,
                                            out)
    ended = outcome(status)
    return (row if result.found else None), result.cost, result.bound, ended, result.n_boxes, result.first_seconds


def choose_values(Ensemble ensemble not None, Query query not None, uint32_t k, uint32_t sink,
                  const uint32_t[::1] features not None, const int64_t[::1] cost not None, double time_limit=-1):
    """The least that values of these features cost that give the wanted class, and their codes; None: there are none.
    cost: by value, negative: not allowed.
    """
    cdef symcf_control control = new_control(time_limit)
    cdef symcf_status status
    cdef c_bool found = False
    cdef int64_t total = 0
    cdef uint32_t i, size = <uint32_t> features.shape[0]
    cdef const uint32_t[::1] value_offset = ensemble.value_offset
    fits_ensemble(ensemble, query, k, sink)
    if cost.shape[0] != value_offset[query.x.shape[0]]:
        raise ValueError("cost does not fit the trees")
    for i in range(size):
        if features[i] >= query.x.shape[0] or (i and features[i] <= features[i - 1]):
            raise ValueError("features must ascend")
    codes = np.empty(size, dtype=np.uint32)
    cdef uint32_t[::1] values = codes
    cdef uint32_t *out = &values[0] if size else NULL
    cdef const uint32_t *given = &features[0] if size else NULL
    cdef const int64_t *costs = &cost[0] if cost.shape[0] else NULL
    with nogil:
        status = symcf_ensemble_choose(ensemble.handle, &query.query, k, sink, given, size, costs, &control, &found,
                                       out, &total)
    check(status)
    return (total, codes) if found else None
