# How many values of each feature lead to a goal.


@cython.final
cdef class Responsive:
    """Counts values that lead to a goal.

    goals, by class: a list of threshold functions of the values, one of which has to be reached; a pair of a diagram
    and its sink; or None where no row asks. group: by value, what it is to the diagrams; None where they have the
    values of the rows.
    """

    cdef const uint32_t[::1] value_offset, core_offset, group
    cdef const uint8_t[::1] allowed, direction
    cdef list kept
    cdef uint8_t[::1] storage
    cdef symcf_row_goal *goals
    cdef symcf_responsive_request request

    def __cinit__(self, goals not None, const uint32_t[::1] value_offset not None,
                  const uint32_t[::1] core_offset not None, const uint32_t[::1] group=None,
                  const uint8_t[::1] allowed=None, const uint8_t[::1] direction=None, uint32_t max_changes=0xFFFFFFFF):
        cdef uint32_t n = <uint32_t> (value_offset.shape[0] - 1)
        if core_offset.shape[0] != n + 1 or (group is None and not np.array_equal(core_offset, value_offset)):
            raise ValueError("the offsets do not fit each other")
        if (group is not None and <uint32_t> group.shape[0] != value_offset[n]) or (
                allowed is not None and <uint32_t> allowed.shape[0] != value_offset[n]) or (
                direction is not None and <uint32_t> direction.shape[0] != n):
            raise ValueError("group, allowed or direction does not fit the features")
        self.value_offset, self.core_offset, self.group = value_offset, core_offset, group
        self.allowed, self.direction = allowed, direction
        self.kept = []
        self.storage = np.zeros(max(1, len(goals)) * sizeof(symcf_row_goal), dtype=np.uint8)
        self.goals = <symcf_row_goal *> <void *> &self.storage[0]
        for k, goal in enumerate(goals):
            if goal is not None:
                self.set_goal(k, goal)
        memset(&self.request, 0, sizeof(self.request))
        self.request.n, self.request.n_classes = n, len(goals)
        self.request.value_offset, self.request.core_offset = &value_offset[0], &core_offset[0]
        self.request.group = &group[0] if group is not None and group.shape[0] else NULL
        self.request.allowed = &allowed[0] if allowed is not None and allowed.shape[0] else NULL
        self.request.direction = &direction[0] if direction is not None and n else NULL
        self.request.goals, self.request.max_changes = self.goals, max_changes

    cdef int set_goal(self, size_t k, goal) except -1:
        cdef Pointers pointers
        cdef Diagram diagram
        if isinstance(goal, list):
            pointers = Pointers(goal)
            if not goal or not np.array_equal(pointers.value_offset, self.value_offset):
                raise ValueError("a threshold function does not fit the features")
            self.goals[k].sums, self.goals[k].n_sums = pointers.table, len(goal)
            self.kept.append(pointers)
        else:
            diagram, sink = goal
            fits_diagram(diagram, self.core_offset)
            self.goals[k].diagram, self.goals[k].sink = diagram.handle, sink
            self.kept.append(diagram)
        return 0

    def count(self, array, const uint8_t[::1] classes not None, const uint32_t[::1] part not None, uint32_t n_parts,
              const uint32_t[::1] times=None, double time_limit=-1):
        """By part and feature: values that may be taken, that lead to the goal alone, and alone or with others."""
        cdef Rows rows = Rows(array, self.request.n)
        cdef size_t i, m = rows.rows.m, row = 0
        cdef uint32_t feature = 0, most = self.request.n_classes
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        if <size_t> classes.shape[0] != m or <size_t> part.shape[0] != m or (
                times is not None and <size_t> times.shape[0] != m):
            raise ValueError("classes, part or times does not fit the rows")
        for i in range(m):
            if part[i] >= n_parts or classes[i] >= most or not (
                    self.goals[classes[i]].n_sums or self.goals[classes[i]].diagram):
                raise ValueError(f"row {i} has no part or no goal")
        result = np.zeros((n_parts, self.request.n, 3), dtype=np.uint64)
        cdef uint64_t[::1] counts = result.reshape(-1)
        if not m or not self.request.n:
            return result
        with nogil:
            status = symcf_responsive(&self.request, &rows.rows, &classes[0], &part[0],
                                      &times[0] if times is not None else NULL, &control, &counts[0], &row, &feature)
        if status == SYMCF_INVALID:
            raise bad_code(array, row, feature)
        check(status)
        return result
