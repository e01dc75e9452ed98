# What every part needs: the gate from status to exception, limits and signals, arrays in and out.

cimport cython
from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBuffer_FillInfo, PyBuffer_Release, PyObject_GetBuffer)
from cpython.exc cimport PyErr_Occurred
from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from libsymcf cimport *

import functools
import math
import threading

import numpy as np

from symcf.common.clock import NO_LIMIT
from symcf.errors import (
    COMPILING, LESS_MEMORY, LISTING, ClauseLimitError, CompileLimitError, InstanceError, InternalError, LimitError,
    ModelError, megabytes)


# ------------------------------------------------------------------ the gate

cdef int check(symcf_status status) except -1:
    """Turns any status but OK and MORE into its exception."""
    if status == SYMCF_OK or status == SYMCF_MORE:
        return 0
    if status == SYMCF_INTERRUPTED and PyErr_Occurred():
        return -1  # what the signal handler raised, KeyboardInterrupt as a rule
    text = symcf_status_text(status).decode()
    if status == SYMCF_NO_MEMORY:
        raise MemoryError("symcf: out of memory")
    if status == SYMCF_INVALID:
        raise ValueError(text)
    if status == SYMCF_UNSUPPORTED:
        raise NotImplementedError(text)
    if status == SYMCF_OVERFLOW:
        raise OverflowError(text)
    if status == SYMCF_IO:
        raise OSError(text)
    if status == SYMCF_INTERNAL:
        raise InternalError()
    if status == SYMCF_LIMIT_MEMORY:
        raise LimitError(f"{text}: {in_use()} in use; {LESS_MEMORY}")
    raise LimitError(text)


cdef dict LIMIT_NAMES = {SYMCF_LIMIT_NODES: "nodes", SYMCF_LIMIT_MEMORY: "memory", SYMCF_LIMIT_TIME: "time"}


cdef int check_compile(symcf_status status, const symcf_control *control, uint32_t n, str doing=COMPILING) except -1:
    """The gate for work under a budget: says how far it got."""
    if status in LIMIT_NAMES:
        raise CompileLimitError(
            LIMIT_NAMES[status], control.nodes, max(control.memory, budget_peak()), control.level, n, doing)
    return check(status)


# ------------------------------------------------------- limits and signals

cdef extern from "Python.h":
    # Not Cython's own declaration: its "except -1" would print and forget what the handler raised.
    int PyErr_CheckSignals() noexcept


cdef extern from "<stdatomic.h>" nogil:
    ctypedef int atomic_int  # seen by several threads
    int atomic_load(const atomic_int *flag)
    void atomic_store(atomic_int *flag, int value)


cdef c_bool is_cancelled(void *data) noexcept nogil:
    """For threads that hear no signals."""
    return atomic_load(<atomic_int *> data) != 0


cdef c_bool signal_arrived(void *data) noexcept with gil:
    return PyErr_CheckSignals() != 0


# Work that is done before a call without a time limit of its own looks at the clock: what is left to do when the time
# of the calls around it is up, such as the decision for one row.
cdef enum:
    UNWATCHED = 1000000


cdef symcf_control new_control(double time_limit=-1, uint64_t max_nodes=0, uint64_t max_memory=0) except *:
    """A control that listens to signals. A negative time limit means no limit but that of the calls around it."""
    cdef symcf_control control
    memset(&control, 0, sizeof(control))
    control.interrupted = signal_arrived
    control.max_nodes = max_nodes
    control.max_memory = max_memory
    if time_limit < 0:
        time_limit = NO_LIMIT.left
        control.credit = UNWATCHED
    if time_limit >= 0:
        control.deadline = symcf_clock() + time_limit
    return control


# ------------------------------------------------------------------ budgets

_thread = threading.local()


@cython.final
cdef class Budget:
    """Bytes that what it runs may take in the core, in this thread and in threads that `in_budget` passes it to.

    It lies within the budget that the thread has when it is made, which is charged as well.
    """

    cdef symcf_budget *handle
    cdef Budget outer  # must outlive `handle`

    def __cinit__(self, uint64_t most):
        self.handle = NULL
        self.outer = getattr(_thread, "budget", None)
        check(symcf_budget_create(most, &self.handle))

    def __dealloc__(self):
        symcf_budget_free(self.handle)

    def run(self, call, /, *args, **options):
        """Calls it; `LimitError` if it would take more."""
        cdef Budget before = getattr(_thread, "budget", None)
        cdef symcf_budget *entered = symcf_budget_enter(self.handle)
        try:
            _thread.budget = self
            return call(*args, **options)
        finally:
            _thread.budget = before
            symcf_budget_enter(entered)

    @property
    def peak(self):
        """The most bytes of the core that were in use at a time."""
        return symcf_budget_peak(self.handle)


def in_budget(call):
    """The same call for another thread, charged to the budget of this one."""
    cdef Budget budget = getattr(_thread, "budget", None)
    return call if budget is None else functools.partial(budget.run, call)


def check_memory(uint64_t expected=0):
    """`LimitError` if the budget of this thread has less than the `expected` bytes left, or if the whole process has
    grown by more than one and a half times the budget and 32 MB: for memory that the core does not take itself.
    """
    check(SYMCF_LIMIT_MEMORY if expected > symcf_budget_left() else symcf_check_resident())


cdef uint64_t budget_peak():
    cdef Budget budget = getattr(_thread, "budget", None)
    return 0 if budget is None else symcf_budget_peak(budget.handle)


cdef str in_use():
    return megabytes(budget_peak())


# ---------------------------------------------------------------- arrays in

cdef dict TYPES = {
    ("?", 1): SYMCF_UINT8, ("b", 1): SYMCF_INT8, ("B", 1): SYMCF_UINT8,
    ("h", 2): SYMCF_INT16, ("H", 2): SYMCF_UINT16, ("i", 4): SYMCF_INT32, ("I", 4): SYMCF_UINT32,
    ("l", 4): SYMCF_INT32, ("L", 4): SYMCF_UINT32, ("l", 8): SYMCF_INT64, ("L", 8): SYMCF_UINT64,
    ("q", 8): SYMCF_INT64, ("Q", 8): SYMCF_UINT64,
}


cdef class Rows:
    """Holds the buffer of a two-dimensional, C-contiguous integer array.

    groups: where the values of each feature of the array start, and what each value is to the core.
    """

    cdef Py_buffer buffer
    cdef bint held
    cdef symcf_rows rows
    cdef const uint32_t[::1] value_offset
    cdef const uint32_t[::1] group

    def __cinit__(self, array not None, uint32_t n, groups=None):
        self.held = False
        memset(&self.rows, 0, sizeof(self.rows))
        PyObject_GetBuffer(array, &self.buffer, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)
        self.held = True
        code = self.buffer.format.decode() if self.buffer.format else "B"
        if self.buffer.ndim != 2 or (code, self.buffer.itemsize) not in TYPES:
            raise TypeError(f"rows must be a two-dimensional array of integers, not {self.buffer.ndim}-dimensional"
                            f" of type {code!r}")
        if self.buffer.shape[1] != n:
            raise InstanceError(f"rows have {self.buffer.shape[1]} features, the classifier has {n}")
        self.rows.data = self.buffer.buf
        self.rows.type = TYPES[code, self.buffer.itemsize]
        self.rows.m = self.buffer.shape[0]
        self.rows.n = n
        if groups is not None:
            self.value_offset, self.group = groups
            self.take_groups()

    cdef int take_groups(self) except -1:
        cdef uint32_t j, n = self.rows.n
        if self.value_offset.shape[0] != n + 1 or self.value_offset[0] or \
                self.value_offset[n] != self.group.shape[0]:
            raise ValueError("groups do not fit the features")
        for j in range(n):
            if self.value_offset[j] > self.value_offset[j + 1]:
                raise ValueError("groups do not fit the features")
        self.rows.value_offset = &self.value_offset[0]
        if self.group.shape[0]:  # otherwise there is no value to convert
            self.rows.group = &self.group[0]
        return 0

    def __dealloc__(self):
        if self.held:
            PyBuffer_Release(&self.buffer)


cdef bad_code(array, size_t row, uint32_t feature):
    return InstanceError.bad_code(array, row, feature)


# --------------------------------------------------------------- arrays out

@cython.final
cdef class Array:
    """Read-only memory of the core that stays alive as long as someone looks at it."""

    cdef object owner
    cdef const void *data
    cdef Py_ssize_t n_bytes

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        PyBuffer_FillInfo(buffer, self, <void *> self.data, self.n_bytes, 1, flags)


cdef view(object owner, const void *data, uint64_t count, str dtype):
    """A numpy array over memory that `owner` keeps."""
    cdef Array array = Array.__new__(Array)
    array.owner = owner
    array.data = data
    array.n_bytes = count * np.dtype(dtype).itemsize
    return np.frombuffer(array, dtype=dtype)


cdef take_int(uint64_t *limbs, size_t width):
    """A Python int from little-endian limbs, which are freed."""
    try:
        return int.from_bytes((<uint8_t *> limbs)[:width * 8], "little")
    finally:
        symcf_free(limbs)
