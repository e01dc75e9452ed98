# Values: what the features of a change set become, and at what cost.

@cython.final
cdef class Aim:
    """What has to become true: one of the threshold functions (`every`: all of them; `fall`: the only one becomes
    false), within a relation if there is one, or a diagram leads to `sink`. By function, `shift` is added to the score
    for the margin.
    """

    cdef symcf_aim aim
    cdef object kept
    cdef Pointers functions
    cdef const int64_t[::1] shift
    cdef Relation relation
    cdef const uint32_t[::1] value_offset
    cdef uint32_t n

    def __cinit__(self, goal not None, const uint32_t[::1] value_offset not None, *,
                  const int64_t[::1] shift=None, bint fall=False, bint every=False, uint32_t sink=0,
                  Relation relation=None):
        cdef Diagram diagram
        memset(&self.aim, 0, sizeof(self.aim))
        self.n = <uint32_t> (value_offset.shape[0] - 1)
        self.kept, self.value_offset, self.shift = goal, value_offset, shift
        self.aim.fall, self.aim.every, self.aim.sink = fall, every, sink
        if isinstance(goal, Diagram):
            diagram = goal
            if not np.array_equal(value_offset_of(diagram), value_offset) or sink > 1:
                raise ValueError("the diagram does not fit the values")
            self.aim.d = diagram.handle
            return
        self.functions = Pointers(goal)
        if self.functions.value_offset is not None and not np.array_equal(self.functions.value_offset, value_offset):
            raise ValueError("the threshold functions do not fit the values")
        if fall and len(self.functions.functions) != 1:
            raise ValueError("only one function can be asked to become false")
        if shift is not None and shift.shape[0] != len(self.functions.functions):
            raise ValueError("shift does not fit the functions")
        if relation is not None:
            if len(self.functions.functions) != 1 or self.functions.value_offset is None:
                raise ValueError("a relation needs one function")
            relation.fits(self.functions.table[0])
            self.relation, self.aim.relation = relation, &relation.relation
        self.aim.t, self.aim.n_functions = self.functions.table, <uint32_t> len(self.functions.functions)
        self.aim.shift = &shift[0] if shift is not None and shift.shape[0] else NULL


@cython.final
cdef class Chooser:
    """The best new values for change sets of one instance: the cheapest, then the shortest way, then the surest, then
    the smallest names.

    By value of the core, `cost` is what becoming it costs, negative if it may not be taken, `move` how far it is, and
    `name` what it is called in the answer. Entries of features that were not asked for yet may still change.
    """

    cdef symcf_chooser *handle
    cdef Aim aim
    cdef const uint32_t[::1] x
    cdef const int64_t[::1] cost
    cdef const int64_t[::1] move
    cdef const uint32_t[::1] name
    cdef uint32_t n

    def __cinit__(self, Aim aim not None, const uint32_t[::1] x not None, const int64_t[::1] cost not None,
                  const int64_t[::1] move not None, const uint32_t[::1] name not None):
        cdef symcf_options options
        cdef const uint32_t[::1] value_offset = aim.value_offset
        cdef uint32_t j
        self.handle = NULL
        memset(&options, 0, sizeof(options))
        self.n = aim.n
        self.aim, self.x, self.cost, self.move, self.name = aim, x, cost, move, name
        if x.shape[0] != self.n or cost.shape[0] != value_offset[self.n] or name.shape[0] != value_offset[self.n] \
                or move.shape[0] != value_offset[self.n]:
            raise ValueError("the instance, its costs, moves or names do not fit the values")
        for j in range(self.n):
            if x[j] >= value_offset[j + 1] - value_offset[j]:
                raise ValueError(f"{x[j]} is not a value of feature {j}")
        check(symcf_chooser_open(&aim.aim, self.n, &value_offset[0], &self.handle))
        options.cost = &cost[0] if cost.shape[0] else NULL
        options.move = &move[0] if move.shape[0] else NULL
        options.name = &name[0] if name.shape[0] else NULL
        symcf_chooser_reset(self.handle, &x[0] if self.n else NULL, &options)

    def __dealloc__(self):
        symcf_chooser_free(self.handle)

    def choose(self, change_set not None):
        """The cost and the values of the best choice; None if no allowed values flip the decision."""
        cdef const uint32_t[::1] features = np.array(change_set, dtype=np.uint32)
        cdef uint32_t i, size = <uint32_t> features.shape[0]
        cdef symcf_control control = new_control()
        cdef int64_t cost = 0
        cdef symcf_status status
        for i in range(size):
            if features[i] >= self.n or (i and features[i] <= features[i - 1]):
                raise ValueError("a change set has ascending features")
        names = np.zeros(size + 1, dtype=np.uint32)
        cdef uint32_t[::1] out = names
        with nogil:
            status = symcf_choose(self.handle, &features[0] if size else NULL, size, &control, &out[0], &cost)
        if status == SYMCF_INVALID:
            return None
        check(status)
        return cost, tuple(names[:size].tolist())

    def price(self, Sets sets not None, double time_limit=-1):
        """The costs of change sets, as far as time allows; -1 where no allowed values flip the decision."""
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status = SYMCF_OK
        cdef uint64_t i = 0, start = 0
        for i in range(sets.sets.n_sets):
            if sets.last_of(i) >= self.n:
                raise ValueError("the sets do not fit the classifier")
        prices = np.full(sets.sets.n_sets, -1, dtype=np.int64)
        cdef int64_t[::1] out = prices
        i = 0
        with nogil:
            while i < sets.sets.n_sets:
                status = symcf_choose(self.handle, sets.sets.features + start, <uint32_t> (sets.sets.end[i] - start),
                                      &control, NULL, &out[i])
                if status != SYMCF_OK and status != SYMCF_INVALID:
                    break
                start = sets.sets.end[i]
                i += 1
        if status != SYMCF_INVALID and status != SYMCF_LIMIT_TIME:
            check(status)
        return prices[:i]

    def best(self, uint64_t k, max_changes=None, double time_limit=-1):
        """The k cheapest change sets in order, where the cost of a set is that of its best choice, and how the search
        ended.
        """
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit)
        cdef uint32_t most = 2**32 - 1 if max_changes is None else min(max_changes, 2**32 - 1)
        cdef symcf_status status
        with nogil:
            status = symcf_choose_best(self.handle, most, k, &control, &sets.sets)
        return sets, outcome(status)
