# Engine `sat`: MCS enumeration on a CaDiCaL solver of PySAT's that is loaded once for many instances.

from cpython.exc cimport PyErr_Fetch, PyErr_Restore
from cpython.object cimport PyObject

cdef extern from "sat_api.h" nogil:
    ctypedef struct symcf_sat:
        pass

    symcf_status symcf_sat_bind(const char *path, const char *space, void *solver, const char **reason,
                                symcf_sat **out)
    void symcf_sat_free(symcf_sat *s)

cdef extern from "mcs.h" nogil:
    ctypedef struct symcf_mcs:
        pass

    ctypedef struct symcf_hard:
        uint32_t n
        int32_t n_vars
        const int32_t *literals
        uint64_t length
        const symcf_diagram *d
        uint32_t sink

    ctypedef struct symcf_instance:
        const int32_t *keep
        const uint8_t *fixed
        const int32_t *assumed
        uint32_t n_assumed
        uint32_t max_changes
        const uint32_t *codes
        const uint32_t *order

    ctypedef struct symcf_mcs_statistics:
        uint64_t instances
        uint64_t solves
        uint64_t models
        uint64_t rotated

    symcf_status symcf_mcs_create(symcf_sat *sat, const symcf_hard *hard, symcf_control *control, symcf_mcs **out)
    void symcf_mcs_free(symcf_mcs *e)
    symcf_status symcf_mcs_open(symcf_mcs *e, const symcf_instance *x)
    symcf_status symcf_mcs_next(symcf_mcs *e, symcf_control *control, uint64_t limit, symcf_sets *sets)
    c_bool symcf_mcs_worn(const symcf_mcs *e)
    symcf_mcs_statistics symcf_mcs_get_statistics(const symcf_mcs *e)


@cython.final
cdef class Mcs:
    """Hard clauses in a solver, and a cursor over the change sets of one instance after the other.

    `make_solver` makes a solver of PySAT's and gives what deletes it, the capsule of its C++ object, the path of
    PySAT's library and the namespace of the solver's class; it is called again when the solver is worn out. Nobody else
    may use that solver. What deletes it is written in C: a Ctrl-C that arrives in Python code of a finalizer is lost.
    With the `diagram` of a threshold function, whose inputs that reach `sink` are the models of the clauses, the
    diagram does most of the work.

    The clauses are loaded by the first `next`, so that loading is under its time limit, too.
    """

    cdef symcf_sat *sat
    cdef symcf_mcs *handle
    cdef symcf_hard hard
    cdef object make_solver
    cdef object delete_solver  # the solver must outlive `sat`
    cdef const int32_t[::1] literals
    cdef Diagram diagram
    cdef const int32_t[::1] keep
    cdef const uint8_t[::1] fixed
    cdef const int32_t[::1] assumed
    cdef const uint32_t[:, ::1] codes
    cdef const uint32_t[::1] order
    cdef symcf_instance instance
    cdef bint asked  # is there an instance?
    cdef bint opened  # does the C engine know it?
    cdef bint busy

    def __cinit__(self, make_solver not None, const int32_t[::1] literals not None, int32_t n_vars, uint32_t n_features,
                  Diagram diagram=None, uint32_t sink=1):
        self.sat, self.handle = NULL, NULL
        self.make_solver, self.literals, self.diagram = make_solver, literals, diagram
        self.hard.n, self.hard.n_vars, self.hard.sink = n_features, n_vars, sink
        self.hard.literals = &literals[0] if literals.shape[0] else NULL
        self.hard.length = literals.shape[0]
        self.hard.d = NULL if diagram is None else diagram.handle

    def __dealloc__(self):
        self.unload()

    cdef void unload(self) noexcept:
        symcf_mcs_free(self.handle)
        symcf_sat_free(self.sat)
        self.sat, self.handle = NULL, NULL
        delete_solver, self.delete_solver = self.delete_solver, None
        cdef PyObject *kind = NULL
        cdef PyObject *value = NULL
        cdef PyObject *trace = NULL
        if delete_solver is not None:
            PyErr_Fetch(&kind, &value, &trace)  # an interrupt may be on its way, and is not lost
            delete_solver()
            PyErr_Restore(kind, value, trace)

    cdef int bind(self) except -1:
        """A fresh solver in the place of the old one."""
        cdef const char *reason = NULL
        self.unload()
        self.delete_solver, capsule, path, space = self.make_solver()
        cdef bytes path_bytes = path.encode(), space_bytes = space.encode()
        cdef symcf_status status = symcf_sat_bind(
            path_bytes, space_bytes, PyCapsule_GetPointer(capsule, NULL), &reason, &self.sat)
        if status == SYMCF_UNSUPPORTED:
            raise NotImplementedError(reason.decode())
        check(status)
        return 0

    cdef symcf_status load(self, symcf_control *control) except *:
        """Makes the C engine ready for a new instance."""
        cdef symcf_status status
        if self.handle != NULL and not symcf_mcs_worn(self.handle):
            return SYMCF_OK
        self.bind()
        with nogil:
            status = symcf_mcs_create(self.sat, &self.hard, control, &self.handle)
        if status != SYMCF_OK:
            self.unload()
        return status

    cdef symcf_status begin(self, symcf_control *control) except *:
        """Makes the C engine know the instance."""
        cdef symcf_status status = self.load(control)
        if status == SYMCF_OK:
            status = symcf_mcs_open(self.handle, &self.instance)
        self.opened = status == SYMCF_OK
        return status

    def open(self, const int32_t[::1] keep not None, const uint8_t[::1] fixed not None, max_changes=None,
             const int32_t[::1] assumed=None, const uint32_t[:, ::1] codes=None, const uint32_t[::1] order=None):
        """Turns to an instance. keep[j] is the literal "feature j is as it was"; features with fixed[j] must not
        change; `assumed` literals hold afterwards, such as those that forbid values. With a diagram, codes[j] is what
        feature j keeps and what it changes to: of the values that it may take, the one nearest to the sink; `order`
        lists the features, those whose change helps most first.
        """
        if self.busy:
            raise RuntimeError("this engine is at work in another thread")
        cdef uint32_t n = self.hard.n
        if keep.shape[0] != n or fixed.shape[0] != n:
            raise ValueError("the instance does not fit the clauses")
        if self.diagram is not None and (codes is None or codes.shape[0] != n or codes.shape[1] != 2):
            raise ValueError("the codes do not fit the diagram")
        if self.diagram is not None and (order is None or order.shape[0] != n):
            raise ValueError("the order does not fit the diagram")
        self.keep, self.fixed = np.array(keep), np.array(fixed)
        self.assumed = np.zeros(0, dtype=np.int32) if assumed is None else np.array(assumed)
        self.codes = np.zeros((0, 2), dtype=np.uint32) if codes is None else np.array(codes)
        self.order = np.zeros(0, dtype=np.uint32) if order is None else np.array(order)
        memset(&self.instance, 0, sizeof(self.instance))
        if n:
            self.instance.keep, self.instance.fixed = &self.keep[0], &self.fixed[0]
        if self.assumed.shape[0]:
            self.instance.assumed, self.instance.n_assumed = &self.assumed[0], self.assumed.shape[0]
        if self.codes.shape[0]:
            self.instance.codes = &self.codes[0, 0]
        if self.order.shape[0]:
            self.instance.order = &self.order[0]
        self.instance.max_changes = 2**32 - 1 if max_changes is None else min(max_changes, 2**32 - 1)
        self.asked, self.opened = True, False

    def next(self, uint64_t limit, double time_limit=-1):
        """At most `limit` more sets, and how the step ended."""
        cdef Sets sets = Sets()
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status = SYMCF_OK
        if self.busy:
            raise RuntimeError("this engine is at work in another thread")
        if not self.asked:
            raise RuntimeError("no instance is open")
        self.busy = True
        try:
            if not self.opened:
                status = self.begin(&control)
            if status == SYMCF_OK:
                with nogil:
                    status = symcf_mcs_next(self.handle, &control, limit, &sets.sets)
        finally:
            self.busy = False
        if status in (SYMCF_NO_MEMORY, SYMCF_LIMIT_MEMORY):  # the solver is incomplete: a new one next time
            self.unload()
            self.asked = False
        return sets, outcome(status)

    @property
    def statistics(self):
        """What was done since the clauses were loaded: instances, calls of the solver, sets found by it, sets found
        from other sets.
        """
        cdef symcf_mcs_statistics s
        memset(&s, 0, sizeof(s))
        if self.handle != NULL:
            s = symcf_mcs_get_statistics(self.handle)
        return {"instances": s.instances, "solves": s.solves, "models": s.models, "rotated": s.rotated}
