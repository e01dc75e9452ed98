# Batches: many rows, columns out.


@cython.final
cdef class Columns:
    """The answer of a batch: five arrays of the core, seen through numpy without a copy."""

    cdef symcf_columns columns

    def __cinit__(self):
        memset(&self.columns, 0, sizeof(self.columns))

    def __dealloc__(self):
        symcf_columns_free(&self.columns)

    @property
    def row_offsets(self):
        """Row i has the sets row_offsets[i]:row_offsets[i + 1]."""
        return view(self, self.columns.row_offsets, self.columns.m + 1, "int64")

    @property
    def set_offsets(self):
        """Set s has the features set_offsets[s]:set_offsets[s + 1]."""
        return view(self, self.columns.set_offsets.data, self.columns.n_sets + 1, "int64")

    @property
    def features(self):
        """The features of all sets, ascending in each."""
        return view(self, self.columns.features.data, self.columns.n_features, "int32")

    @property
    def status(self):
        """By row, a symcf_row_status."""
        return view(self, self.columns.status, self.columns.m, "uint8")

    @property
    def prediction(self):
        """By row, the class."""
        return view(self, self.columns.prediction, self.columns.m, "uint8")


@cython.final
cdef class Batch:
    """A batch that any number of threads may work on."""

    cdef symcf_batch *handle
    cdef symcf_batch_request request
    cdef Rows rows
    cdef object array
    cdef Decision decision
    cdef const uint32_t[::1] value_offset
    cdef const uint8_t[::1] allowed
    cdef const uint8_t[::1] direction
    cdef const int64_t[::1] cost
    cdef const int64_t[:, ::1] places
    cdef uint8_t[::1] prices
    cdef uint8_t[::1] aims
    cdef uint8_t[::1] goals
    cdef list kept
    cdef double deadline
    cdef uint64_t max_nodes
    cdef uint64_t max_memory
    cdef atomic_int cancelled
    cdef object limit

    def __cinit__(self, engine not None, const uint32_t[::1] value_offset not None, array not None, *,
                  const uint8_t[::1] allowed=None, const uint8_t[::1] direction=None, const int64_t[::1] cost=None,
                  max_changes=None, uint64_t k=0, uint64_t max_results=0, uint64_t result_memory=0, int target=-1,
                  bint sorted=True, bint mark_bad_rows=False, double time_limit=-1, uint64_t max_nodes=0,
                  uint64_t max_memory=0, groups=None, bint reasons=False,
                  prices=None, const int64_t[:, ::1] places=None, aims=None, goals=None,
                  Relation relation=None, Likely likely=None, double row_seconds=0):
        cdef symcf_control control = new_control()
        cdef symcf_status status
        cdef uint32_t n_values, n = <uint32_t> (value_offset.shape[0] - 1)
        self.handle = NULL
        atomic_store(&self.cancelled, 0)
        self.limit = None
        self.value_offset, self.allowed, self.direction, self.cost = value_offset, allowed, direction, cost
        self.decision = Decision(engine)
        if not np.array_equal(value_offset, self.decision.value_offset):
            raise ValueError("value_offset does not fit the classifier")
        self.rows = Rows(array, n, groups)
        n_values = <uint32_t> self.rows.group.shape[0] if groups is not None else value_offset[n]
        if (allowed is not None and allowed.shape[0] != n_values) or \
                (direction is not None and direction.shape[0] != n) or (cost is not None and cost.shape[0] != n):
            raise ValueError("allowed, direction or cost do not fit the classifier")
        self.array = array
        self.kept = []
        if prices is not None:
            self.take_prices(prices, aims, places)
        if goals is not None:
            self.take_goals(goals)
        if relation is not None:
            if self.decision.classifier.t == NULL:
                raise ValueError("a relation needs one threshold function")
            relation.fits(self.decision.classifier.t)
            self.kept.append(relation)
            self.request.relation = &relation.relation
        if likely is not None:
            if self.decision.classifier.t == NULL or not np.array_equal(likely.value_offset, self.value_offset):
                raise ValueError("what is likely does not fit the classifier")
            self.kept.append(likely)
            self.request.likely = likely.handle
        self.deadline = symcf_clock() + time_limit if time_limit >= 0 else 0
        self.max_nodes, self.max_memory = max_nodes, max_memory
        self.request.allowed = &allowed[0] if allowed is not None and allowed.shape[0] else NULL
        self.request.direction = &direction[0] if direction is not None and n else NULL
        self.request.cost = &cost[0] if cost is not None and n else NULL
        self.request.max_changes = 2**32 - 1 if max_changes is None else min(max_changes, 2**32 - 1)
        self.request.k, self.request.max_results = k, max_results
        self.request.max_memory = result_memory
        self.request.target = target
        self.request.sorted, self.request.mark_bad_rows = sorted, mark_bad_rows
        self.request.row_seconds = row_seconds
        self.request.reasons = reasons
        with nogil:
            status = symcf_batch_open(
                &self.decision.classifier, &value_offset[0], &self.rows.rows, &self.request, &control, &self.handle)
        if status == SYMCF_INVALID:
            raise ValueError("the target or the groups do not fit the classifier")
        check(status)

    def __dealloc__(self):
        symcf_batch_free(self.handle)

    cdef int take_prices(self, prices, aims, const int64_t[:, ::1] places) except -1:
        """By feature (flat, table, low, high, step, place), as in symcf_price; None for what it does not have."""
        cdef uint32_t j, d, n = self.rows.rows.n
        cdef const uint32_t[::1] offset = self.value_offset if self.rows.rows.group == NULL else self.rows.value_offset
        cdef symcf_price *price
        cdef const int64_t[::1] numbers
        cdef Aim aim
        if len(prices) != n or len(aims) != self.decision.classifier.n_classes:
            raise ValueError("prices or aims do not fit the classifier")
        if places is not None and <uint64_t> places.shape[0] != self.rows.rows.m:
            raise ValueError("places do not fit the rows")
        self.prices = np.zeros((n + 1) * sizeof(symcf_price), dtype=np.uint8)
        price = <symcf_price *> <void *> &self.prices[0]
        for j, (flat, table, low, high, step, place) in enumerate(prices):
            d = offset[j + 1] - offset[j]
            price[j].flat, price[j].step = flat, step
            price[j].place = SYMCF_NO_PLACES if place is None else place
            if place is not None and (places is None or place >= places.shape[1]):
                raise ValueError("places do not fit the prices")
            if table is not None:
                numbers = table
                price[j].table = self.held(numbers, <uint64_t> d * d)
            if low is not None:
                numbers = low
                price[j].low = self.held(numbers, d)
                numbers = high
                price[j].high = self.held(numbers, d)
        self.request.price = price
        self.places = places
        if places is not None and places.shape[0] and places.shape[1]:
            self.request.place, self.request.n_places = &places[0, 0], <uint32_t> places.shape[1]
        self.aims = np.zeros((len(aims) + 1) * sizeof(symcf_aim), dtype=np.uint8)
        for j, entry in enumerate(aims):
            if entry is None:  # no row of this class is asked about
                continue
            aim = entry
            if not np.array_equal(aim.value_offset, self.value_offset):
                raise ValueError("an aim does not fit the classifier")
            self.kept.append(aim)
            (<symcf_aim *> <void *> &self.aims[0])[j] = aim.aim
        self.request.aims = <symcf_aim *> <void *> &self.aims[0]
        return 0

    cdef const int64_t *held(self, const int64_t[::1] numbers, uint64_t size) except NULL:
        """The numbers, kept alive."""
        if <uint64_t> numbers.shape[0] != size:
            raise ValueError("a price does not fit the values")
        self.kept.append(numbers)
        return &numbers[0]

    cdef int take_goals(self, goals) except -1:
        """By class a diagram and a sink, or trees with a class and a sink, or None if no row of this class is asked
        about.
        """
        cdef Diagram diagram
        cdef Ensemble trees
        cdef symcf_goal *goal
        if len(goals) != self.decision.classifier.n_classes:
            raise ValueError("goals do not fit the classifier")
        self.goals = np.zeros((len(goals) + 1) * sizeof(symcf_goal), dtype=np.uint8)
        goal = <symcf_goal *> <void *> &self.goals[0]
        for k, entry in enumerate(goals):
            if entry is None:
                continue
            if isinstance(entry[0], Ensemble):
                trees, (of, sink) = entry
                if sink > 1 or of >= trees.n_classes or not np.array_equal(trees.value_offset, self.value_offset):
                    raise ValueError("a goal does not fit the classifier")
                self.kept.append(trees)
                goal[k].e, goal[k].k, goal[k].sink = trees.handle, of, sink
                continue
            diagram, sink = entry
            if sink > 1 or not np.array_equal(value_offset_of(diagram), self.value_offset):
                raise ValueError("a goal does not fit the classifier")
            self.kept.append(diagram)
            goal[k].d, goal[k].sink = diagram.handle, sink
        self.request.goals = goal
        return 0

    def work(self, bint listen):
        """Works until nothing is left. The main thread listens to signals, the others to `cancel`."""
        cdef symcf_control control = new_control()
        cdef symcf_status status
        control.deadline, control.credit = self.deadline, 0
        control.max_nodes, control.max_memory = self.max_nodes, self.max_memory
        if not listen:
            control.interrupted = is_cancelled
            control.data = &self.cancelled
        with nogil:
            status = symcf_batch_work(self.handle, &control)
        if status == SYMCF_INTERRUPTED and not listen:
            return  # the canceller tells
        if status in LIMIT_NAMES:  # the engine's budget: for `finish` to tell, unless an earlier row fails, too
            self.limit = CompileLimitError(
                LIMIT_NAMES[status], control.nodes, max(control.memory, budget_peak()), control.level, self.rows.rows.n,
                LISTING)
            return
        check(status)

    def cancel(self):
        """Makes all threads stop soon."""
        atomic_store(&self.cancelled, 1)

    @property
    def progress(self):
        """Rows done so far."""
        return symcf_batch_progress(self.handle)

    def finish(self):
        """The columns, once all threads have returned."""
        cdef Columns result = Columns()
        cdef uint64_t row = 0
        cdef uint32_t feature = 0
        cdef symcf_status status = symcf_batch_finish(self.handle, &result.columns, &row, &feature)
        if status == SYMCF_INVALID:
            raise bad_code(self.array, row, feature)
        if status == SYMCF_MORE:
            raise ValueError("the batch is not finished, or its columns were taken before")
        if status in LIMIT_NAMES and self.limit is not None:
            raise self.limit
        if status == SYMCF_LIMIT_MEMORY:
            raise LimitError(
                f"the result would take more than max_memory, {self.request.max_memory:,} bytes"
                f" ({self.progress:,} of {self.rows.rows.m:,} rows were done); set max_results or k, raise max_memory,"
                f" or stream it with explain_batches")
        check(status)
        return result


def release_memory():
    """Gives the memory of finished batches, which is kept for the next ones, back to the system."""
    symcf_release_memory()
