# Change sets: the query, the lists of sets, and the engines `cover` and `diagram`.

from cpython.pycapsule cimport PyCapsule_GetPointer


cdef object outcome(symcf_status status):
    """How a cursor's step ended: "complete", "more" or "time"; anything else is an exception."""
    if status == SYMCF_OK:
        return "complete"
    if status == SYMCF_MORE:
        return "more"
    if status == SYMCF_LIMIT_TIME:
        return "time"
    check(status)


@cython.final
cdef class Query:
    """What is asked of an engine. Keeps its arrays alive."""

    cdef symcf_query query
    cdef const uint32_t[::1] x
    cdef const uint8_t[::1] allowed
    cdef const int64_t[::1] cost

    def __cinit__(self, const uint32_t[::1] x not None, const uint8_t[::1] allowed=None,
                  const int64_t[::1] cost=None, max_changes=None, bint reasons=False):
        self.x, self.allowed, self.cost = x, allowed, cost
        self.query.x = &x[0] if x.shape[0] else NULL
        self.query.allowed = &allowed[0] if allowed is not None and allowed.shape[0] else NULL
        self.query.cost = &cost[0] if cost is not None and cost.shape[0] else NULL
        self.query.max_changes = 2**32 - 1 if max_changes is None else min(max_changes, 2**32 - 1)
        self.query.reasons = reasons
        if cost is not None and cost.shape[0] != x.shape[0]:
            raise ValueError("cost does not fit the instance")

    cdef int fits(self, uint32_t n, const uint32_t *value_offset) except -1:
        """Nothing that reaches the engines may point outside of their tables."""
        cdef uint32_t j
        if self.x.shape[0] != n or (self.allowed is not None and self.allowed.shape[0] != value_offset[n]):
            raise ValueError("the query does not fit the classifier")
        for j in range(n):
            if self.x[j] >= value_offset[j + 1] - value_offset[j]:
                raise ValueError(f"{self.x[j]} is not a value of feature {j}")
        return 0


@cython.final
cdef class Sets:
    """Change sets: set i is features[end[i - 1]:end[i]]."""

    cdef symcf_sets sets
    cdef bint shared  # does an array look at them?

    def __cinit__(self):
        memset(&self.sets, 0, sizeof(self.sets))

    def __dealloc__(self):
        symcf_sets_free_arrays(&self.sets)

    def __len__(self):
        return self.sets.n_sets

    @property
    def features(self):
        """The features of all sets, one after the other, without a copy: the sets cannot change any more."""
        self.shared = True
        return view(self, self.sets.features, self.sets.n_features, "uint32")

    @property
    def end(self):
        """Where each set ends in `features`, without a copy: the sets cannot change any more."""
        self.shared = True
        return view(self, self.sets.end, self.sets.n_sets, "uint64")

    @property
    def n_features(self):
        """The length of `features`."""
        return self.sets.n_features

    cdef int64_t last_of(self, uint64_t i) noexcept:
        """The last, hence the largest, feature of a set; -1 if it is empty."""
        cdef uint64_t start = self.sets.end[i - 1] if i else 0
        return self.sets.features[self.sets.end[i] - 1] if self.sets.end[i] > start else -1

    cdef int changing(self) except -1:
        if self.shared:
            raise ValueError("the sets are in use and cannot change")
        return 0

    @staticmethod
    def from_list(sets):
        """Ascending tuples of feature indices."""
        cdef Sets self = Sets()
        cdef const uint32_t[::1] features
        for change_set in sets:
            features = np.array(change_set, dtype=np.uint32)
            check(symcf_sets_push(
                &self.sets, &features[0] if features.shape[0] else NULL, <uint32_t> features.shape[0]))
        return self

    def append(self, Sets more not None):
        """Adds the sets of another list."""
        cdef symcf_status status
        self.changing()
        with nogil:
            status = symcf_sets_append(&self.sets, &more.sets)
        check(status)

    def sort(self, const int64_t[::1] cost=None, double time_limit=-1, uint64_t first=0):
        """The sets from `first` on by cost (1 each by default), then size, then features. False if time was up before
        it was done: then they are as they were.
        """
        cdef symcf_control control = new_control(time_limit)
        cdef const int64_t *costs = &cost[0] if cost is not None and cost.shape[0] else NULL
        cdef symcf_status status
        cdef uint64_t i
        self.changing()
        if first > self.sets.n_sets:
            raise ValueError(f"there are {self.sets.n_sets} sets")
        if costs != NULL:
            for i in range(first, self.sets.n_sets):
                if self.last_of(i) >= cost.shape[0]:
                    raise ValueError("cost does not fit the sets")
        with nogil:
            status = symcf_sets_sort_from(&self.sets, first, costs, &control)
        return outcome(status) == "complete"

    def sort_priced(self, const int64_t[::1] cost not None, double time_limit=-1):
        """The same where set i costs cost[i]."""
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        self.changing()
        if <uint64_t> cost.shape[0] != self.sets.n_sets:
            raise ValueError("cost does not fit the sets")
        if not cost.shape[0]:
            return True
        with nogil:
            status = symcf_sets_sort_priced(&self.sets, 0, &cost[0], &control)
        return outcome(status) == "complete"

    def to_list(self):
        """The sets as tuples of feature indices."""
        cdef uint64_t i, j, start = 0
        cdef list result = []
        for i in range(self.sets.n_sets):
            result.append(tuple([self.sets.features[j] for j in range(start, self.sets.end[i])]))
            start = self.sets.end[i]
        return result


cdef int check_count(symcf_status status, const symcf_control *control) except -1:
    """The gate for counting under a budget."""
    if status in LIMIT_NAMES:
        raise LimitError(
            f"{LIMIT_NAMES[status]} limit reached while counting: {control.nodes:,} table entries,"
            f" {megabytes(max(control.memory, budget_peak()))}; raise max_nodes, max_memory or time_limit, or use"
            " count_bounds")
    return check(status)


cdef extern from *:
    """
    /* The head of numpy's bitgen_t, which its BitGenerators export in a capsule. */
    typedef struct symcf_bitgen { void *state; uint64_t (*next_uint64)(void *state); } symcf_bitgen;
    """
    ctypedef struct symcf_bitgen:
        void *state
        uint64_t (*next_uint64)(void *state) noexcept nogil


@cython.final
cdef class Cover:
    """Engine `cover`: a cursor over the minimal covers of a threshold function."""

    cdef symcf_cover *handle
    cdef Threshold threshold
    cdef Query query

    def __cinit__(self, Threshold threshold not None, Query query not None):
        self.handle = NULL
        self.threshold, self.query = threshold, query
        query.fits(threshold.handle.n, threshold.handle.value_offset)
        check(symcf_cover_open(threshold.handle, &query.query, &self.handle))

    def __dealloc__(self):
        symcf_cover_free(self.handle)

    def next(self, uint64_t limit, double time_limit=-1):
        """At most `limit` more sets, and how the step ended."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        with nogil:
            status = symcf_cover_next(self.handle, &control, limit, &sets.sets)
        return sets, outcome(status)

    @staticmethod
    def best(Threshold threshold not None, Query query not None, uint64_t k, double time_limit=-1):
        """The k cheapest sets in order, and how the search ended."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        query.fits(threshold.handle.n, threshold.handle.value_offset)
        with nogil:
            status = symcf_cover_best(threshold.handle, &query.query, k, &control, &sets.sets)
        return sets, outcome(status)

    @staticmethod
    def count(Threshold threshold not None, Query query not None, double time_limit=-1, uint64_t max_nodes=0,
              uint64_t max_memory=0):
        """How many sets there are; LimitError beyond the budget."""
        cdef symcf_control control = new_control(time_limit, max_nodes, max_memory)
        cdef symcf_status status
        cdef uint64_t *limbs = NULL
        cdef size_t width = 0
        query.fits(threshold.handle.n, threshold.handle.value_offset)
        with nogil:
            status = symcf_cover_count(threshold.handle, &query.query, &control, &limbs, &width)
        check_count(status, &control)
        return take_int(limbs, width)

    @staticmethod
    def sample(Threshold threshold not None, Query query not None, uint64_t count, bit_generator,
               double time_limit=-1, uint64_t max_nodes=0, uint64_t max_memory=0):
        """Sets drawn uniformly, with replacement, by a numpy BitGenerator; none if there are none."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit, max_nodes, max_memory)
        cdef symcf_status status
        cdef symcf_bitgen *bits = <symcf_bitgen *> PyCapsule_GetPointer(bit_generator.capsule, "BitGenerator")
        query.fits(threshold.handle.n, threshold.handle.value_offset)
        with bit_generator.lock:
            with nogil:
                status = symcf_cover_sample(threshold.handle, &query.query, count, bits.next_uint64, bits.state,
                                            &control, &sets.sets)
            # while the lock is held: a signal's exception must be raised before anything else is called
            check_count(status, &control)
        return sets

    @staticmethod
    def count_bounds(Threshold threshold not None, Query query not None, double time_limit=-1, uint64_t max_nodes=0,
                     uint64_t max_memory=0):
        """Certified lower and upper bounds of the number of sets."""
        cdef symcf_control control = new_control(time_limit, max_nodes, max_memory)
        cdef symcf_status status
        cdef uint64_t *lower = NULL
        cdef uint64_t *upper = NULL
        cdef size_t width = 0
        query.fits(threshold.handle.n, threshold.handle.value_offset)
        with nogil:
            status = symcf_cover_count_bounds(threshold.handle, &query.query, &control, &lower, &upper, &width)
        check_count(status, &control)
        return take_int(lower, width), take_int(upper, width)


@cython.final
cdef class Relation:
    """Which combinations of values a few features may have afterwards, by their codes, the last changing fastest."""

    cdef symcf_relation relation
    cdef const uint32_t[::1] feature
    cdef const uint8_t[::1] holds

    def __cinit__(self, const uint32_t[::1] feature not None, const uint8_t[::1] holds not None):
        self.feature, self.holds = feature, holds
        self.relation.n, self.relation.n_combinations = <uint32_t> feature.shape[0], holds.shape[0]
        self.relation.feature = &feature[0] if feature.shape[0] else NULL
        self.relation.holds = &holds[0] if holds.shape[0] else NULL

    @property
    def n_features(self):
        """How many features are related."""
        return self.relation.n

    cdef int fits(self, const symcf_threshold *t) except -1:
        cdef uint32_t i, j
        count = 1
        for i in range(self.relation.n):
            j = self.feature[i]
            if j >= t.n or (i and j <= self.feature[i - 1]):
                raise ValueError("the relation does not fit the function")
            count *= t.value_offset[j + 1] - t.value_offset[j]
        if count != self.relation.n_combinations:
            raise ValueError("the relation does not fit the values")
        return 0


@cython.final
cdef class Likely:
    """How likely rows are, and have to be: tables along a forest; see symcf_likely_create."""

    cdef symcf_likely *handle
    cdef readonly object value_offset

    def __cinit__(self, const uint32_t[::1] value_offset not None, const uint32_t[::1] cell not None,
                  const uint32_t[::1] feature not None, const uint32_t[::1] up not None,
                  const uint32_t[::1] cells not None, const int64_t[::1] table not None, int64_t least):
        cdef uint32_t n = <uint32_t> (value_offset.shape[0] - 1)
        cdef symcf_status status
        self.handle = NULL
        if not n or not feature.shape[0] == up.shape[0] == cells.shape[0] == n or cell.shape[0] != value_offset[n]:
            raise ValueError("the tables do not fit the features")
        self.value_offset = np.asarray(value_offset)
        status = symcf_likely_create(
            n, &value_offset[0], &cell[0], &feature[0], &up[0], &cells[0], &table[0], table.shape[0], least,
            &self.handle)
        if status == SYMCF_INVALID:
            raise ValueError("the tables do not fit each other")
        check(status)

    def __dealloc__(self):
        symcf_likely_free(self.handle)


@cython.final
cdef class Within:
    """Engine `cover` within a relation: a cursor over the minimal changes."""

    cdef symcf_within *handle
    cdef Threshold threshold
    cdef Relation relation
    cdef Query query

    def __cinit__(self, Threshold threshold not None, Relation relation not None, Query query not None,
                  double time_limit=-1):
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        self.handle = NULL
        self.threshold, self.relation, self.query = threshold, relation, query
        query.fits(threshold.handle.n, threshold.handle.value_offset)
        relation.fits(threshold.handle)
        with nogil:
            status = symcf_within_open(threshold.handle, &relation.relation, &query.query, &control, &self.handle)
        check(status)

    def __dealloc__(self):
        symcf_within_free(self.handle)

    def next(self, uint64_t limit, double time_limit=-1):
        """At most `limit` more sets, and how the step ended."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        with nogil:
            status = symcf_within_next(self.handle, &control, limit, &sets.sets)
        return sets, outcome(status)

    def best(self, uint64_t k, double time_limit=-1):
        """The k cheapest sets in order, and how the search ended."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        with nogil:
            status = symcf_within_best(self.handle, k, &control, &sets.sets)
        return sets, outcome(status)


@cython.final
cdef class Related:
    """Engine `cover` within relations that share no feature: a cursor over the minimal changes that make one of the
    threshold functions true, or one false.
    """

    cdef symcf_related *handle
    cdef Pointers rivals
    cdef Query query
    cdef size_t[::1] addresses

    def __cinit__(self, thresholds not None, bint upwards, relations not None, Query query not None,
                  double time_limit=-1):
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        cdef Relation relation
        cdef Threshold threshold
        cdef uint32_t n_rivals
        self.handle = NULL
        self.rivals, self.query = rivals_for(thresholds, query), query
        n_rivals = <uint32_t> len(self.rivals.functions)
        self.addresses = np.zeros(len(relations) + 1, dtype=np.uintp)
        seen = set()
        for i, relation in enumerate(relations):
            for threshold in self.rivals.functions:
                relation.fits(threshold.handle)
            if seen.intersection(relation.feature):
                raise ValueError("two relations share a feature")
            seen.update(relation.feature)
            self.addresses[i] = <size_t> &relation.relation
        with nogil:
            status = symcf_related_open(
                self.rivals.table, n_rivals, upwards,
                <const symcf_relation *const *> <void *> &self.addresses[0], <uint32_t> (self.addresses.shape[0] - 1),
                &query.query, &control, &self.handle)
        check(check_rivals(status))

    def __dealloc__(self):
        symcf_related_free(self.handle)

    def next(self, uint64_t limit, double time_limit=-1):
        """At most `limit` more sets, and how the step ended."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        with nogil:
            status = symcf_related_next(self.handle, &control, limit, &sets.sets)
        return sets, outcome(status)

    def best(self, uint64_t k, double time_limit=-1):
        """The k cheapest sets in order, and how the search ended."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        with nogil:
            status = symcf_related_best(self.handle, k, &control, &sets.sets)
        return sets, outcome(status)


@cython.final
cdef class MulticlassCover:
    """Engine `multiclass cover`: a cursor over the minimal changes that make one of the threshold functions true."""

    cdef symcf_multiclass_cover *handle
    cdef Pointers rivals
    cdef Query query

    def __cinit__(self, thresholds not None, Query query not None):
        self.handle = NULL
        self.rivals, self.query = rivals_for(thresholds, query), query
        check_rivals(symcf_multiclass_cover_open(
            self.rivals.table, <uint32_t> len(self.rivals.functions), &query.query, &self.handle))

    def __dealloc__(self):
        symcf_multiclass_cover_free(self.handle)

    def next(self, uint64_t limit, double time_limit=-1):
        """At most `limit` more sets, and how the step ended."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        with nogil:
            status = symcf_multiclass_cover_next(self.handle, &control, limit, &sets.sets)
        return sets, outcome(status)

    def tally(self, double time_limit=-1):
        """How many sets there are in all, one by one; LimitError when time is up. `next` begins again."""
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        cdef uint64_t n_sets = 0
        cdef uint64_t n_features = 0
        with nogil:
            status = symcf_multiclass_cover_tally(self.handle, &control, &n_sets, &n_features)
        if status == SYMCF_LIMIT_TIME:
            raise LimitError(f"time limit reached while counting: more than {n_sets:,} so far; raise time_limit")
        check(status)
        return n_sets

    @staticmethod
    def best(thresholds not None, Query query not None, uint64_t k, double time_limit=-1):
        """The k cheapest sets in order, and how the search ended."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit)
        cdef Pointers rivals = rivals_for(thresholds, query)
        cdef uint32_t n_rivals = <uint32_t> len(rivals.functions)
        cdef symcf_status status
        with nogil:
            status = symcf_multiclass_cover_best(rivals.table, n_rivals, &query.query, k, &control, &sets.sets)
        return sets, outcome(check_rivals(status))


cdef Pointers rivals_for(thresholds, Query query):
    cdef Pointers rivals = Pointers(thresholds)
    if query.query.reasons:
        raise ValueError("reasons against several classes are no union of covers")
    cdef const uint32_t[::1] value_offset = rivals.value_offset
    if value_offset is not None:  # otherwise nobody reads the query
        query.fits(<uint32_t> (value_offset.shape[0] - 1), &value_offset[0])
    return rivals


cdef symcf_status check_rivals(symcf_status status) except? SYMCF_INTERNAL:
    """The gate for instances that a rival has already won; the caller reports that time was up."""
    if status == SYMCF_INVALID:
        raise ValueError("one of the threshold functions is already true of the instance")
    if status != SYMCF_LIMIT_TIME:
        check(status)
    return status


cdef int fits_diagram(Diagram diagram, const uint32_t[::1] value_offset) except -1:
    cdef uint32_t k, j, n = diagram.handle.n
    if value_offset.shape[0] != n + 1:
        raise ValueError("value_offset does not fit the diagram")
    for k in range(n):
        j = diagram.handle.order[k]
        if value_offset[j + 1] - value_offset[j] != diagram.handle.arity[k]:
            raise ValueError("value_offset does not fit the diagram")
    return 0


@cython.final
cdef class Minimal:
    """Engine `diagram`: the family of all minimal change sets of an instance, as a ZDD."""

    cdef symcf_minimal *handle
    cdef Diagram diagram
    cdef Query query

    def __cinit__(self, Diagram diagram not None, const uint32_t[::1] value_offset not None, Query query not None,
                  uint32_t sink, double time_limit=-1, uint64_t max_nodes=0, uint64_t max_memory=0):
        cdef symcf_control control = new_control(time_limit, max_nodes, max_memory)
        cdef symcf_status status
        cdef uint32_t n = diagram.handle.n
        self.handle = NULL
        self.diagram, self.query = diagram, query
        fits_diagram(diagram, value_offset)
        if sink > 1:
            raise ValueError("a diagram has the sinks 0 and 1")
        query.fits(n, &value_offset[0])
        with nogil:
            status = symcf_minimal_open(diagram.handle, &value_offset[0], &query.query, sink, &control, &self.handle)
        check_compile(status, &control, n, LISTING)

    def __dealloc__(self):
        symcf_minimal_free(self.handle)

    @property
    def size(self):
        """Nodes of the family's ZDD."""
        return symcf_minimal_size(self.handle)

    def next(self, uint64_t limit, double time_limit=-1):
        """At most `limit` more sets, and how the step ended."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        with nogil:
            status = symcf_minimal_next(self.handle, &control, limit, &sets.sets)
        return sets, outcome(status)

    def best(self, uint64_t k, double time_limit=-1):
        """The k cheapest sets in order, and how the search ended."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        with nogil:
            status = symcf_minimal_best(self.handle, self.query.query.cost, k, &control, &sets.sets)
        return sets, outcome(status)

    def count(self, double time_limit=-1):
        """How many sets there are."""
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        cdef uint64_t *limbs = NULL
        cdef size_t width = 0
        with nogil:
            status = symcf_minimal_count(self.handle, &control, &limbs, &width)
        check_count(status, &control)
        return take_int(limbs, width)

    def count_features(self, double time_limit=-1):
        """By feature, in how many sets it is."""
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        cdef uint64_t *limbs = NULL
        cdef size_t width = 0
        cdef uint32_t j
        with nogil:
            status = symcf_minimal_count_features(self.handle, &control, &limbs, &width)
        check_count(status, &control)
        try:
            return [int.from_bytes((<uint8_t *> (limbs + j * width))[:width * 8], "little")
                    for j in range(self.diagram.handle.n)]
        finally:
            symcf_free(limbs)

    def sample(self, uint64_t count, bit_generator, double time_limit=-1):
        """Sets drawn uniformly, with replacement, by a numpy BitGenerator."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        cdef symcf_bitgen *bits = <symcf_bitgen *> PyCapsule_GetPointer(bit_generator.capsule, "BitGenerator")
        with bit_generator.lock:
            with nogil:
                status = symcf_minimal_sample(self.handle, count, bits.next_uint64, bits.state, &control, &sets.sets)
            check(status)  # while the lock is held: a signal's exception must be raised before anything else is called
        return sets
