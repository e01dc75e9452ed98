# Frozen diagrams and CUDD's BDDs.

cdef symcf_trees trees_of(const uint32_t[::1] n_values, const uint64_t[::1] start, const int32_t[::1] feature,
                          const int32_t[::1] left, const int32_t[::1] right, const int64_t[::1] left_start,
                          const uint8_t[::1] left_values) except *:
    """Trees without scores, of arrays that outlive them."""
    cdef symcf_trees trees
    cdef Py_ssize_t nodes = feature.shape[0]
    if (not start.shape[0] or start[start.shape[0] - 1] != <uint64_t> nodes
            or not left.shape[0] == right.shape[0] == nodes == left_start.shape[0] - 1
            or left_start[nodes] != left_values.shape[0]):
        raise ValueError("the arrays of the trees do not fit each other")
    memset(&trees, 0, sizeof(trees))
    trees.n = <uint32_t> n_values.shape[0]
    trees.n_values = &n_values[0] if trees.n else NULL
    trees.n_trees = <uint32_t> (start.shape[0] - 1)
    trees.start = &start[0]
    trees.feature = &feature[0] if nodes else NULL
    trees.left = &left[0] if nodes else NULL
    trees.right = &right[0] if nodes else NULL
    trees.left_start = &left_start[0]
    trees.left_values = &left_values[0] if left_values.shape[0] else NULL
    return trees


@cython.final
cdef class Diagram:
    """A frozen diagram: immutable flat arrays. See symcf.h for their layout."""

    cdef symcf_diagram *handle

    def __cinit__(self):
        self.handle = NULL

    def __init__(self):
        raise TypeError("made by Diagram.compile, compile_trees or from_arrays")

    def __dealloc__(self):
        symcf_diagram_free(self.handle)

    @staticmethod
    def compile(Threshold threshold not None, const uint32_t[::1] order not None, double time_limit=-1,
                uint64_t max_nodes=0, uint64_t max_memory=0):
        """The reduced diagram of a threshold function; CompileLimitError beyond a limit (0, -1: no limit)."""
        cdef uint32_t n = threshold.handle.n
        if not is_permutation(order, n):
            raise ValueError("order is not a permutation of the features")
        cdef Diagram self = Diagram.__new__(Diagram)
        cdef symcf_control control = new_control(time_limit, max_nodes, max_memory)
        cdef const uint32_t *levels = &order[0] if n else NULL
        cdef symcf_status status
        with nogil:
            status = symcf_compile(threshold.handle, levels, &control, &self.handle)
        check_compile(status, &control, n)
        return self

    @staticmethod
    def compile_trees(const uint32_t[::1] n_values not None, const uint32_t[::1] order not None,
                      const uint64_t[::1] start not None, const int32_t[::1] feature not None,
                      const int32_t[::1] left not None, const int32_t[::1] right not None,
                      const int64_t[::1] left_start not None, const uint8_t[::1] left_values not None,
                      const int64_t[::1] score not None, int64_t bias=0, double time_limit=-1, uint64_t max_nodes=0,
                      uint64_t max_memory=0):
        """The reduced diagram of "bias + sum of the leaves >= 0"; symcf.h tells what the arrays of trees hold."""
        cdef Diagram self = Diagram.__new__(Diagram)
        cdef symcf_control control = new_control(time_limit, max_nodes, max_memory)
        cdef symcf_status status
        cdef const char *reason = NULL
        cdef symcf_trees trees = trees_of(n_values, start, feature, left, right, left_start, left_values)
        cdef uint32_t n = trees.n
        if not is_permutation(order, n):
            raise ValueError("order is not a permutation of the features")
        if score.shape[0] != feature.shape[0]:
            raise ValueError("the arrays of the trees do not fit each other")
        trees.score = &score[0] if score.shape[0] else NULL
        trees.bias = bias
        cdef const uint32_t *levels = &order[0] if n else NULL
        with nogil:
            status = symcf_compile_trees(&trees, levels, &control, &reason, &self.handle)
        if status == SYMCF_INVALID:
            raise ValueError(f"not decision trees: {reason.decode()}")
        check_compile(status, &control, trees.n_trees)
        return self

    @staticmethod
    def from_arrays(const uint32_t[::1] order not None, const uint32_t[::1] arity not None,
                    const uint32_t[::1] level not None, const uint32_t[::1] child not None, uint32_t root):
        """A copy of the arrays; ValueError says what is wrong with them."""
        cdef const char *reason = NULL
        cdef Diagram self = Diagram.__new__(Diagram)
        if order.shape[0] != arity.shape[0] or order.shape[0] >= 2**32 - 1 or level.shape[0] >= 2**32 - 1:
            raise ValueError("order and arity do not fit")
        cdef uint32_t n = <uint32_t> order.shape[0], n_nodes = <uint32_t> level.shape[0]
        cdef uint64_t n_children = child.shape[0]
        cdef const uint32_t *orders = &order[0] if n else NULL
        cdef const uint32_t *arities = &arity[0] if n else NULL
        cdef const uint32_t *levels = &level[0] if n_nodes else NULL
        cdef const uint32_t *children = &child[0] if n_children else NULL
        cdef symcf_control control = new_control()
        cdef symcf_status status
        with nogil:
            status = symcf_diagram_create(n, n_nodes, root, orders, arities, levels, children, n_children, &control,
                                          &reason, &self.handle)
        if status == SYMCF_INVALID:
            raise ValueError(f"not a diagram: {reason.decode()}")
        check(status)
        return self

    @property
    def n(self):
        """The number of features."""
        return self.handle.n

    @property
    def root(self):
        """The root node; 0 or 1 for a constant."""
        return self.handle.root

    @property
    def size(self):
        """Nodes, sinks included, that can be reached from the root."""
        return symcf_diagram_size(self.handle)

    @property
    def n_bytes(self):
        """Memory of the arrays."""
        return (self.handle.n_nodes + self.handle.n_children) * 4 + self.handle.n * 16

    @property
    def order(self):
        """The feature of each level."""
        return view(self, self.handle.order, self.handle.n, "uint32")

    @property
    def arity(self):
        """The number of values of each level's feature."""
        return view(self, self.handle.arity, self.handle.n, "uint32")

    @property
    def level(self):
        """The level of each node."""
        return view(self, self.handle.level, self.handle.n_nodes, "uint32")

    @property
    def child(self):
        """The children of node 2, 3, ..., by value."""
        return view(self, self.handle.child, self.handle.n_children, "uint32")

    def validate(self):
        """None, or what is wrong with the arrays."""
        cdef const char *reason = NULL
        cdef symcf_control control = new_control()
        cdef symcf_status status
        with nogil:
            status = symcf_diagram_validate(self.handle, &control, &reason)
        if status == SYMCF_INVALID:
            return reason.decode()
        check(status)
        return None

    def evaluate(self, array, groups=None):
        """The sink of every row. groups: see Rows."""
        cdef Rows rows = Rows(array, self.handle.n, groups)
        result = np.empty(rows.rows.m, dtype=np.uint8)
        cdef uint8_t[::1] sink = result
        cdef uint8_t *out = &sink[0] if rows.rows.m else NULL
        cdef symcf_control control = new_control()
        cdef symcf_status status
        cdef size_t row = 0
        cdef uint32_t feature = 0
        with nogil:
            status = symcf_diagram_evaluate_rows(self.handle, &rows.rows, &control, out, &row, &feature)
        if status == SYMCF_INVALID:
            raise bad_code(array, row, feature)
        check(status)
        return result

    def count_models(self, uint32_t sink):
        """How many inputs reach the sink."""
        return self._count(sink, True, -1)

    def count_paths(self, uint32_t sink, double time_limit=-1):
        """How many paths lead from the root to the sink."""
        return self._count(sink, False, time_limit)

    def count_weighted(self, uint32_t sink, const uint32_t[::1] value_offset not None,
                       const uint32_t[::1] weight not None, double time_limit=-1):
        """How many inputs reach the sink if value v of feature j counts weight[value_offset[j] + v] times."""
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        cdef uint64_t *limbs = NULL
        cdef size_t width = 0
        fits_diagram(self, value_offset)
        if <uint32_t> weight.shape[0] != value_offset[self.handle.n]:
            raise ValueError("weight does not fit the diagram")
        cdef const uint32_t *weights = &weight[0] if weight.shape[0] else NULL
        with nogil:
            status = symcf_diagram_count_weighted(self.handle, sink, &value_offset[0], weights, &control, &limbs,
                                                  &width)
        check(status)
        return take_int(limbs, width)

    def fall(self, uint32_t feature, const uint32_t[::1] old not None, const uint32_t[::1] new not None,
             double time_limit=-1):
        """An input that reaches 1 with old[i] as a feature's value and 0 with new[i], and that i; None if there is
        none.
        """
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        cdef c_bool found = False
        cdef size_t which = 0, count = old.shape[0]
        cdef uint32_t n = self.handle.n
        if feature >= n or <size_t> new.shape[0] != count:
            raise ValueError("the pairs do not fit the diagram")
        most = max(np.max(old, initial=0), np.max(new, initial=0))
        if most >= self.arity[list(self.order).index(feature)]:
            raise ValueError("the pairs do not fit the diagram")
        result = np.zeros(n, dtype=np.uint32)
        cdef uint32_t[::1] x = result
        if not count:
            return None
        with nogil:
            status = symcf_diagram_fall(self.handle, feature, &old[0], &new[0], count, &control, &x[0], &found, &which)
        check(status)
        return (result, which) if found else None

    def extremes(self, Threshold threshold not None, uint32_t sink, double time_limit=-1):
        """The least score among the inputs that reach the sink, and the largest among those that do not.

        2**63 - 1 and -2**63 where no input does.
        """
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        cdef int64_t least = 0, most = 0
        if sink > 1:
            raise ValueError("the sinks are 0 and 1")
        with nogil:
            status = symcf_diagram_extremes(self.handle, threshold.handle, sink, &control, &least, &most)
        if status == SYMCF_INVALID:
            raise ValueError("the diagram and the threshold function differ in their features or values")
        check(status)
        return least, most

    cdef _count(self, uint32_t sink, bint models, double time_limit):
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        cdef uint64_t *limbs = NULL
        cdef size_t width = 0
        with nogil:
            if models:
                status = symcf_diagram_count_models(self.handle, sink, &control, &limbs, &width)
            else:
                status = symcf_diagram_count_paths(self.handle, sink, &control, &limbs, &width)
        check(status)
        return take_int(limbs, width)

    def __reduce__(self):
        arrays = (self.order, self.arity, self.level, self.child)
        return Diagram.from_arrays, (*map(np.array, arrays), self.handle.root)


cdef size_t diagram_address(Diagram diagram) except 0:
    if diagram is None:
        raise TypeError("a diagram is needed, not None")
    return <size_t> diagram.handle


cdef bint is_permutation(const uint32_t[::1] order, uint32_t n):
    return order.shape[0] == n and sorted(order) == list(range(n))


@cython.final
cdef class Bdd:
    """A BDD in a CUDD manager of its own. One thread at a time."""

    cdef symcf_bdd *handle
    cdef readonly uint32_t n

    def __cinit__(self):
        self.handle = NULL

    def __init__(self):
        raise TypeError("made by Bdd.compile, thaw, from_table or conjoin")

    def __dealloc__(self):
        symcf_bdd_drop(self.handle)

    @staticmethod
    def thaw(Diagram diagram not None, double time_limit=-1, uint64_t max_nodes=0, uint64_t max_memory=0):
        """CUDD's twin of a frozen diagram. InternalError if the diagram was not reduced."""
        cdef Bdd self = Bdd.__new__(Bdd)
        cdef symcf_control control = new_control(time_limit, max_nodes, max_memory)
        cdef symcf_status status
        with nogil:
            status = symcf_bdd_thaw(diagram.handle, &control, &self.handle)
        check_compile(status, &control, diagram.handle.n)
        self.n = diagram.handle.n
        return self

    @staticmethod
    def compile(Threshold threshold not None, const uint32_t[::1] order not None, double time_limit=-1,
                uint64_t max_nodes=0, uint64_t max_memory=0):
        """The BDD of a threshold function, made in CUDD's unique table; CompileLimitError beyond a limit."""
        cdef uint32_t n = threshold.handle.n
        if not is_permutation(order, n):
            raise ValueError("order is not a permutation of the features")
        cdef Bdd self = Bdd.__new__(Bdd)
        cdef symcf_control control = new_control(time_limit, max_nodes, max_memory)
        cdef const uint32_t *levels = &order[0] if n else NULL
        cdef symcf_status status
        with nogil:
            status = symcf_bdd_compile(threshold.handle, levels, &control, &self.handle)
        check_compile(status, &control, n)
        self.n = n
        return self

    @staticmethod
    def from_table(uint32_t n, const uint8_t[::1] table not None, const uint32_t[::1] n_values=None):
        """The function whose value at input i is bit i of the table.

        The digits of i are the codes, feature 0 the least significant; features have two values each unless
        n_values says otherwise.
        """
        cdef Bdd self = Bdd.__new__(Bdd)
        cdef symcf_control control = new_control()
        cdef symcf_status status
        if n_values is not None and n_values.shape[0] != n:
            raise ValueError(f"numbers of values for {n_values.shape[0]} features, not for {n}")
        entries = 2**n if n_values is None else math.prod(map(int, n_values))
        if not 1 <= entries <= 2**30 or table.shape[0] != (entries + 7) // 8:
            raise ValueError(f"a table for {n} features has {entries} bits, between 1 and 2**30")
        cdef const uint32_t *values = &n_values[0] if n_values is not None and n else NULL
        with nogil:
            status = symcf_bdd_from_table(n, values, &table[0], &control, &self.handle)
        check(status)
        self.n = n
        return self

    @staticmethod
    def conjoin(diagrams, negate, double time_limit=-1, uint64_t max_nodes=0, uint64_t max_memory=0):
        """The conjunction of diagrams of the same features in the same order, some of them negated."""
        cdef Bdd self = Bdd.__new__(Bdd)
        cdef symcf_control control = new_control(time_limit, max_nodes, max_memory)
        cdef symcf_status status
        cdef size_t count = len(diagrams)
        if not count or len(negate) != count:
            raise ValueError(f"{count} diagrams and {len(negate)} signs")
        cdef size_t[::1] addresses = np.array([diagram_address(d) for d in diagrams], dtype=np.uintp)
        cdef uint8_t[::1] signs = np.array([bool(sign) for sign in negate], dtype=np.uint8)
        cdef uint32_t n = diagrams[0].n
        with nogil:
            status = symcf_bdd_conjoin(<const symcf_diagram **> <void *> &addresses[0], &signs[0], count, &control,
                                       &self.handle)
        if status == SYMCF_INVALID:
            raise ValueError("the diagrams differ in their features, values or order")
        check_compile(status, &control, n)
        self.n = n
        return self

    @staticmethod
    def compose(Diagram outer not None, inner, double time_limit=-1, uint64_t max_nodes=0, uint64_t max_memory=0):
        """The outer diagram with each of its features, which have two values, replaced by an inner diagram."""
        cdef Bdd self = Bdd.__new__(Bdd)
        cdef symcf_control control = new_control(time_limit, max_nodes, max_memory)
        cdef symcf_status status
        if not inner or len(inner) != outer.handle.n:
            raise ValueError(f"{len(inner)} diagrams for {outer.handle.n} features")
        cdef size_t[::1] addresses = np.array([diagram_address(d) for d in inner], dtype=np.uintp)
        cdef uint32_t n = inner[0].n
        with nogil:
            status = symcf_bdd_compose(outer.handle, <const symcf_diagram **> <void *> &addresses[0], &control,
                                       &self.handle)
        if status == SYMCF_INVALID:
            raise ValueError("the outer features must have two values, the inner diagrams the same features and order")
        check_compile(status, &control, outer.handle.n_nodes)
        self.n = n
        return self

    @staticmethod
    def translate(Diagram diagram not None, const uint32_t[::1] order not None, const uint32_t[::1] arity not None,
                  const uint32_t[::1] feature_of not None, const uint32_t[::1] code_start not None,
                  const uint32_t[::1] code_of not None, double time_limit=-1, uint64_t max_nodes=0,
                  uint64_t max_memory=0):
        """The diagram over other features: its feature j is read from feature_of[j], whose value v stands for
        code_of[code_start[j] + v]; the length of code_of is the last of code_start.
        """
        cdef Bdd self = Bdd.__new__(Bdd)
        cdef symcf_control control = new_control(time_limit, max_nodes, max_memory)
        cdef symcf_status status
        cdef uint32_t n = <uint32_t> order.shape[0], d = diagram.handle.n
        if arity.shape[0] != n or not is_permutation(order, n) or (n and min(arity) < 1):
            raise ValueError("order is not a permutation of the features, or a feature has no value")
        if feature_of.shape[0] != d or code_start.shape[0] != d + 1 or code_start[d] != code_of.shape[0]:
            raise ValueError("the arrays do not fit the diagram")
        cdef const uint32_t *levels = &order[0] if n else NULL
        cdef const uint32_t *arities = &arity[0] if n else NULL
        cdef const uint32_t *features = &feature_of[0] if d else NULL
        cdef const uint32_t *codes = &code_of[0] if code_of.shape[0] else NULL
        with nogil:
            status = symcf_bdd_translate(diagram.handle, n, levels, arities, features, &code_start[0], codes, &control,
                                         &self.handle)
        if status == SYMCF_INVALID:
            raise ValueError("the arrays do not fit the diagram")
        check_compile(status, &control, diagram.handle.n_nodes)
        self.n = n
        return self

    @staticmethod
    def lasting(Diagram diagram not None, bint negate, const uint32_t[::1] value_offset not None,
                const uint8_t[::1] allowed=None, const uint8_t[::1] direction=None, bint any_number=False,
                double time_limit=-1, uint64_t max_nodes=0, uint64_t max_memory=0):
        """The inputs that reach 1 (with negate: 0) whatever one feature, or any number of them, becomes.

        allowed, by value, says what may be taken; direction, by feature, is 1 for larger values only, 2 for smaller.
        """
        cdef Bdd self = Bdd.__new__(Bdd)
        cdef symcf_control control = new_control(time_limit, max_nodes, max_memory)
        cdef symcf_status status
        cdef uint32_t n = diagram.handle.n
        fits_diagram(diagram, value_offset)
        if allowed is not None and <uint32_t> allowed.shape[0] != value_offset[n]:
            raise ValueError("allowed does not fit the diagram")
        if direction is not None and <uint32_t> direction.shape[0] != n:
            raise ValueError("direction does not fit the diagram")
        cdef const uint8_t *mask = &allowed[0] if allowed is not None and allowed.shape[0] else NULL
        cdef const uint8_t *directions = &direction[0] if direction is not None and n else NULL
        with nogil:
            status = symcf_bdd_lasting(diagram.handle, negate, &value_offset[0], mask, directions, any_number, &control,
                                       &self.handle)
        check_compile(status, &control, n)
        self.n = n
        return self

    cdef int opened(self) except -1:
        if self.handle == NULL:
            raise ValueError("the BDD is closed")
        if symcf_bdd_is_lost(self.handle):
            raise MemoryError("symcf: out of memory")
        return 0

    def freeze(self, double time_limit=-1):
        """The same function as a frozen diagram."""
        cdef Diagram diagram = Diagram.__new__(Diagram)
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        self.opened()
        with nogil:
            status = symcf_bdd_freeze(self.handle, &control, &diagram.handle)
        check_compile(status, &control, self.n)
        return diagram

    def sift(self, double time_limit=-1):
        """Reorders the features by sifting, until it converges."""
        cdef symcf_control control = new_control(time_limit)
        cdef symcf_status status
        self.opened()
        with nogil:
            status = symcf_bdd_sift(self.handle, &control)
        check_compile(status, &control, self.n)

    @property
    def size(self):
        """Nodes of the frozen diagram, sinks included."""
        cdef symcf_control control = new_control()
        cdef uint64_t size = 0
        self.opened()
        check(symcf_bdd_size(self.handle, &control, &size))
        return size

    def evaluate(self, const uint32_t[:, ::1] rows not None):
        """The value at every row. Codes must be in range."""
        self.opened()
        if rows.shape[1] != self.n:
            raise ValueError(f"rows must have {self.n} columns")
        result = np.empty(rows.shape[0], dtype=np.uint8)
        cdef uint8_t[::1] out = result
        cdef Py_ssize_t i
        for i in range(rows.shape[0]):
            out[i] = symcf_bdd_evaluate(self.handle, &rows[i, 0] if self.n else NULL)
        return result

    def store(self, path, names=None):
        """Writes the BDD as text in the format DDDMP-2.0, with the names of the features."""
        cdef const char *pointers[1]
        cdef const char **list = pointers
        self.opened()
        encoded = [name.encode() for name in names] if names is not None else []
        if names is not None and len(encoded) != self.n:
            raise ValueError(f"{len(encoded)} names for {self.n} features")
        table = np.empty(max(1, len(encoded)), dtype=np.uintp)
        cdef size_t[::1] addresses = table
        cdef Py_ssize_t i
        for i in range(len(encoded)):
            addresses[i] = <size_t> <const char *> encoded[i]
        list = <const char **> <void *> &addresses[0]
        check_io(symcf_bdd_store(self.handle, path.encode(), list if names is not None else NULL), path)

    def close(self):
        """Gives CUDD's memory back; InternalError if a reference was left behind."""
        cdef int left = symcf_bdd_free(self.handle)
        self.handle = NULL
        if left:
            raise InternalError(f"{left} references left in CUDD's manager")


cdef int check_io(symcf_status status, path) except -1:
    if status == SYMCF_IO:
        raise OSError(f"{path}: the file could not be written")
    return check(status)
