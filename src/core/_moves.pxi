# Moves: chains of values, the diagram of their steps, and the engine for sums.

@cython.final
cdef class Moves:
    """How far each feature may move, in steps. Keeps its arrays alive; symcf.h tells what they hold."""

    cdef symcf_moves moves
    cdef const uint32_t[::1] x, chain_start, step_start, code
    cdef readonly uint32_t n_steps

    def __cinit__(self, const uint32_t[::1] x not None, const uint32_t[::1] chain_start not None,
                  const uint32_t[::1] step_start not None, const uint32_t[::1] code not None, max_changes=None):
        cdef Py_ssize_t n = x.shape[0], i
        cdef bint rising = chain_start.shape[0] == n + 1 and step_start.shape[0] > 0
        if rising:
            rising = chain_start[0] == step_start[0] == 0 and chain_start[n] == step_start.shape[0] - 1
        for i in range(n if rising else 0):
            rising = rising and chain_start[i] <= chain_start[i + 1]
        for i in range(step_start.shape[0] - 1 if rising else 0):
            rising = rising and step_start[i] < step_start[i + 1]
        if not rising or step_start[step_start.shape[0] - 1] != code.shape[0]:
            raise ValueError("the arrays of chains and steps do not fit each other")
        self.x, self.chain_start, self.step_start, self.code = x, chain_start, step_start, code
        self.n_steps = <uint32_t> code.shape[0]
        self.moves.n = <uint32_t> n
        self.moves.x = &x[0] if n else NULL
        self.moves.chain_start = &chain_start[0]
        self.moves.step_start = &step_start[0]
        self.moves.code = &code[0] if self.n_steps else NULL
        self.moves.max_changes = 2**32 - 1 if max_changes is None else min(max_changes, 2**32 - 1)

    cdef int fits(self, const uint32_t[::1] value_offset) except -1:
        """Nothing that reaches the core may point outside of its tables."""
        cdef Py_ssize_t j, s, n = self.x.shape[0]
        cdef uint32_t count
        if value_offset.shape[0] != n + 1:
            raise ValueError("the moves do not fit the classifier")
        for j in range(n):
            count = value_offset[j + 1] - value_offset[j]
            if self.x[j] >= count:
                raise ValueError(f"{self.x[j]} is not a value of feature {j}")
            for s in range(self.step_start[self.chain_start[j]], self.step_start[self.chain_start[j + 1]]):
                if self.code[s] >= count or self.code[s] == self.x[j]:
                    raise ValueError(f"{self.code[s]} is not another value of feature {j}")
        return 0

    def diagram(self, Diagram diagram not None, const uint32_t[::1] value_offset not None, uint32_t sink,
                double time_limit=-1, uint64_t max_nodes=0, uint64_t max_memory=0):
        """The function "these steps lead to the sink"."""
        cdef Diagram made = Diagram.__new__(Diagram)
        cdef symcf_control control = new_control(time_limit, max_nodes, max_memory)
        cdef symcf_status status
        if sink > 1:
            raise ValueError("the sinks are 0 and 1")
        fits_diagram(diagram, value_offset)
        self.fits(value_offset)
        with nogil:
            status = symcf_moves_diagram(diagram.handle, &self.moves, sink, &control, &made.handle)
        check_compile(status, &control, diagram.handle.n, LISTING)
        return made


@cython.final
cdef class MovesCover:
    """A cursor over the nearest moves that make one of the threshold functions true, or one false."""

    cdef symcf_moves_cover *handle
    cdef Pointers rivals
    cdef Moves moves
    cdef const int64_t[::1] cost

    def __cinit__(self, thresholds not None, bint upwards, Moves moves not None, const int64_t[::1] cost not None):
        cdef Pointers rivals = Pointers(thresholds)
        cdef const int64_t *costs = &cost[0] if moves.n_steps else NULL
        self.handle = NULL
        self.rivals, self.moves, self.cost = rivals, moves, cost
        if None in rivals.functions or cost.shape[0] != moves.n_steps:
            raise ValueError("thresholds and costs do not fit the moves")
        if rivals.functions:
            moves.fits(rivals.value_offset)
        check_rivals(symcf_moves_cover_open(
            rivals.table, <uint32_t> len(rivals.functions), upwards, &moves.moves, costs, &self.handle))

    def __dealloc__(self):
        symcf_moves_cover_free(self.handle)

    def next(self, uint64_t limit, double time_limit=-1):
        """At most `limit` more sets of steps, and how the step ended."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        with nogil:
            status = symcf_moves_cover_next(self.handle, &control, limit, &sets.sets)
        return sets, outcome(status)

    def best(self, uint64_t k, double time_limit=-1):
        """The k cheapest sets in order, and how the search ended."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        with nogil:
            status = symcf_moves_cover_best(self.handle, k, &control, &sets.sets)
        return sets, outcome(status)

    def tally(self, double time_limit=-1):
        """How many sets there are in all, one by one; LimitError when time is up."""
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        cdef uint64_t n_sets = 0
        with nogil:
            status = symcf_moves_cover_tally(self.handle, &control, &n_sets)
        if status == SYMCF_LIMIT_TIME:
            raise LimitError(f"time limit reached while counting: more than {n_sets:,} so far; raise time_limit")
        check(status)
        return n_sets


@cython.final
cdef class MovesTable:
    """Where features can move to, by their own value, for many rows. symcf.h tells what the arrays hold."""

    cdef symcf_moves_table table
    cdef const uint32_t[::1] value_offset, own, chain_start, step_start, code, value
    cdef const int64_t[::1] price
    cdef readonly uint32_t n_steps

    def __cinit__(self, const uint32_t[::1] value_offset not None, const uint32_t[::1] own not None,
                  const uint32_t[::1] chain_start not None, const uint32_t[::1] step_start not None,
                  const uint32_t[::1] code not None, const uint32_t[::1] value not None,
                  const int64_t[::1] price not None):
        cdef Py_ssize_t i, n = value_offset.shape[0] - 1
        if not (rises(value_offset, own.shape[0], False) and rises(chain_start, step_start.shape[0] - 1, False)
                and rises(step_start, code.shape[0], True) and chain_start.shape[0] == own.shape[0] + 1
                and code.shape[0] == value.shape[0] == price.shape[0]):
            raise ValueError("the arrays of values, chains and steps do not fit each other")
        for i in range(price.shape[0]):
            if not 0 <= price[i] < 2**62:
                raise ValueError("prices lie between 0 and 2**62")
        self.value_offset, self.own, self.chain_start, self.step_start = value_offset, own, chain_start, step_start
        self.code, self.value, self.price = code, value, price
        self.n_steps = <uint32_t> code.shape[0]
        self.table.n = <uint32_t> n
        self.table.value_offset = &value_offset[0]
        self.table.own = &own[0] if own.shape[0] else NULL
        self.table.chain_start = &chain_start[0]
        self.table.step_start = &step_start[0]
        self.table.code = &code[0] if self.n_steps else NULL
        self.table.value = &value[0] if self.n_steps else NULL
        self.table.price = &price[0] if self.n_steps else NULL

    cdef int fits(self, const uint32_t[::1] value_offset) except -1:
        """Nothing that reaches the core may point outside of its tables."""
        cdef Py_ssize_t j, v, s
        cdef uint32_t count
        if value_offset.shape[0] != self.table.n + 1:
            raise ValueError("the moves do not fit the classifier")
        for j in range(self.table.n):
            count = value_offset[j + 1] - value_offset[j]
            for v in range(self.value_offset[j], self.value_offset[j + 1]):
                if self.own[v] >= count:
                    raise ValueError(f"{self.own[v]} is not a value of feature {j}")
                for s in range(self.step_start[self.chain_start[v]], self.step_start[self.chain_start[v + 1]]):
                    if self.code[s] >= count or self.code[s] == self.own[v]:
                        raise ValueError(f"{self.code[s]} is not another value of feature {j}")
        return 0

    def of_rows(self, goals not None, const uint32_t[:, ::1] own not None, const uint8_t[::1] goal not None, *,
                max_changes=None, uint64_t k=0, uint64_t max_results=0, uint64_t result_memory=2**62,
                double time_limit=-1):
        """The nearest moves of rows of own values. `goals`: threshold functions and whether they have to become true;
        `goal`: by row, which of these.

        Sets of pairs (feature, value), how many each row has, and the status of each row. Listens to signals.
        """
        cdef symcf_moves_rows rows
        cdef symcf_batch_request request
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        cdef Sets sets = Sets()
        cdef Py_ssize_t i, j, n = self.table.n
        cdef Pointers rivals
        memset(&request, 0, sizeof(request))
        pointers = [Pointers(functions) for functions, _ in goals]
        cdef uint8_t[::1] memory = np.zeros((len(pointers) + 1) * sizeof(symcf_moves_goal), dtype=np.uint8)
        cdef symcf_moves_goal *made = <symcf_moves_goal *> &memory[0]
        for i, (_, upwards) in enumerate(goals):
            rivals = pointers[i]
            if None in rivals.functions:
                raise ValueError("a goal without a function")
            if rivals.functions:
                self.fits(rivals.value_offset)
            made[i].rival, made[i].n_rivals, made[i].upwards = rivals.table, <uint32_t> len(rivals.functions), upwards
        if own.shape[1] != n or goal.shape[0] != own.shape[0]:
            raise ValueError("the rows do not fit the moves")
        for i in range(own.shape[0]):
            if goal[i] >= len(pointers):
                raise ValueError(f"{goal[i]} is not a goal")
            for j in range(n):
                if own[i, j] >= self.value_offset[j + 1] - self.value_offset[j]:
                    raise ValueError(f"{own[i, j]} is not an own value of feature {j}")
        counts, states = np.zeros(own.shape[0], dtype=np.uint64), np.zeros(own.shape[0], dtype=np.uint8)
        cdef uint64_t[::1] n_sets = counts
        cdef uint8_t[::1] row_status = states
        if not own.shape[0]:
            return sets, counts, states
        rows.m, rows.own, rows.goals = own.shape[0], &own[0, 0] if n else NULL, made
        rows.goal = &goal[0]
        request.max_changes = 2**32 - 1 if max_changes is None else min(max_changes, 2**32 - 1)
        request.k, request.max_results, request.max_memory = k, max_results, result_memory
        with nogil:
            status = symcf_moves_of_rows(
                &self.table, &rows, &request, &control, &sets.sets, &n_sets[0], &row_status[0])
        check(status)
        return sets, counts, states


cdef bint rises(const uint32_t[::1] starts, Py_ssize_t end, bint strictly):
    """Are these starts of parts, the last one at the end?"""
    cdef Py_ssize_t i
    if not starts.shape[0] or starts[0] or starts[starts.shape[0] - 1] != end:
        return False
    for i in range(starts.shape[0] - 1):
        if starts[i] > starts[i + 1] or (strictly and starts[i] == starts[i + 1]):
            return False
    return True
