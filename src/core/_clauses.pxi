# Clauses: buffers of zero-terminated int32 literals.

@cython.final
cdef class Clauses:
    """A CNF in one buffer."""

    cdef symcf_clauses *handle

    def __cinit__(self):
        self.handle = NULL

    def __init__(self):
        raise TypeError("made by Clauses.paths, nodes, cuts or primes")

    def __dealloc__(self):
        symcf_clauses_free(self.handle)

    @property
    def n_vars(self):
        """Variables, auxiliary ones included."""
        return self.handle.n_vars

    @property
    def n_clauses(self):
        """Clauses."""
        return self.handle.n_clauses

    @property
    def literals(self):
        """The buffer, without a copy."""
        return view(self, self.handle.literals, self.handle.length, "int32")

    @staticmethod
    def paths(Diagram diagram not None, bint negate=False, uint64_t max_clauses=0, double time_limit=-1):
        """One clause per path."""
        cdef Clauses self = Clauses.__new__(Clauses)
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        with nogil:
            status = symcf_encode_paths(diagram.handle, negate, max_clauses, &control, &self.handle)
        check_clauses(status, &control, max_clauses)
        return self

    @staticmethod
    def nodes(Diagram diagram not None, bint negate=False, uint64_t max_clauses=0, double time_limit=-1):
        """One variable per node."""
        cdef Clauses self = Clauses.__new__(Clauses)
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        with nogil:
            status = symcf_encode_nodes(diagram.handle, negate, max_clauses, &control, &self.handle)
        check_clauses(status, &control, max_clauses)
        return self

    @staticmethod
    def cuts(Diagram diagram not None, uint32_t max_in, uint32_t max_length, bint negate=False,
             uint64_t max_clauses=0, double time_limit=-1):
        """Variables at cut points only."""
        cdef Clauses self = Clauses.__new__(Clauses)
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        with nogil:
            status = symcf_encode_cuts(diagram.handle, negate, max_in, max_length, max_clauses, &control,
                                       &self.handle)
        check_clauses(status, &control, max_clauses)
        return self

    @staticmethod
    def bdd_paths(Bdd bdd not None, bint negate=False, uint64_t max_clauses=0, double time_limit=-1):
        """One clause per path of CUDD's nodes."""
        cdef Clauses self = Clauses.__new__(Clauses)
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        bdd.opened()
        with nogil:
            status = symcf_bdd_encode_paths(bdd.handle, negate, max_clauses, &control, &self.handle)
        check_clauses(status, &control, max_clauses)
        return self

    @staticmethod
    def primes(Bdd bdd not None, bint negate=False, uint64_t max_clauses=0, double time_limit=-1):
        """An irredundant set of prime implicates."""
        cdef Clauses self = Clauses.__new__(Clauses)
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        bdd.opened()
        with nogil:
            status = symcf_encode_primes(bdd.handle, negate, max_clauses, &control, &self.handle)
        check_clauses(status, &control, max_clauses)
        return self


cdef int check_clauses(symcf_status status, const symcf_control *control, uint64_t max_clauses) except -1:
    if status == SYMCF_LIMIT_NODES:
        raise ClauseLimitError(control.nodes, max_clauses)
    return check(status)


@cython.final
cdef class Paths:
    """A cursor over the paths from the root to a sink."""

    cdef symcf_paths *handle
    cdef Diagram diagram
    cdef readonly bint done

    def __cinit__(self, Diagram diagram not None, uint32_t sink, bint negated=False):
        self.handle = NULL
        self.diagram = diagram
        self.done = False
        if sink > 1:
            raise ValueError(f"the sinks are 0 and 1, not {sink}")
        check(symcf_paths_open(diagram.handle, sink, negated, &self.handle))

    def __dealloc__(self):
        symcf_paths_free(self.handle)

    def next_chunk(self, uint64_t capacity):
        """As many whole zero-terminated paths as fit into `capacity` entries; sets `done` after the last."""
        cdef uint64_t length = 0, count = 0
        cdef symcf_control control = new_control()
        cdef symcf_status status
        result = np.empty(max(capacity, symcf_paths_longest(self.handle)), dtype=np.int32)
        cdef int32_t[::1] buffer = result
        cdef uint64_t room = buffer.shape[0]
        with nogil:
            status = symcf_paths_next(self.handle, &control, &buffer[0], room, &length, &count)
        check(status)
        self.done = status == SYMCF_OK
        return result[:length], count
