# The compiled extension as type checkers see it; tests/e2e/test_build.py compares it with the real one.

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, Never, ParamSpec, TypeAlias, TypeVar, final

import numpy as np
import numpy.typing as npt

_P = ParamSpec("_P")
_R = TypeVar("_R")

_Outcome: TypeAlias = Literal["complete", "more", "time"]
# Where the values of each feature of an array start, and by value its code in the core.
_Groups: TypeAlias = tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]
# Two classes, or K: function r of list p is "r is preferred to p", or one diagram per class.
_Decision: TypeAlias = Threshold | Diagram | Ensemble | Sequence[Sequence[Threshold | None]] | Sequence[Diagram]

@final
class Threshold:
    def __init__(self, /, *args: Never, **kwargs: Never) -> None: ...
    @staticmethod
    def from_weights(value_offset: npt.NDArray[np.uint32], weight: npt.NDArray[np.int64], bias: int) -> Threshold: ...
    @staticmethod
    def from_bayes(
        value_offset: npt.NDArray[np.uint32],
        p1: npt.NDArray[np.float64],
        p0: npt.NDArray[np.float64],
        prior1: float,
        prior0: float,
        cut: float,
        tie_positive: bool,
    ) -> Threshold: ...
    @property
    def n(self) -> int: ...
    @property
    def value_offset(self) -> npt.NDArray[np.uint32]: ...
    @property
    def weight(self) -> npt.NDArray[np.int64]: ...
    @property
    def bias(self) -> int: ...
    @property
    def band(self) -> int: ...
    @property
    def tie_shift(self) -> int: ...
    @property
    def scale(self) -> int: ...
    def scores(self, array: npt.NDArray[Any], groups: _Groups | None = None) -> npt.NDArray[np.int64]: ...
    def margins(self, array: npt.NDArray[Any], groups: _Groups | None = None) -> npt.NDArray[np.float64]: ...
    def influence_order(self) -> npt.NDArray[np.uint32]: ...
    def regrouped(self, value_offset: npt.NDArray[np.uint32], weight: npt.NDArray[np.int64]) -> Threshold: ...

@final
class Diagram:
    def __init__(self, /, *args: Never, **kwargs: Never) -> None: ...
    @staticmethod
    def compile(
        threshold: Threshold,
        order: npt.NDArray[np.uint32],
        time_limit: float = -1.0,
        max_nodes: int = 0,
        max_memory: int = 0,
    ) -> Diagram: ...
    @staticmethod
    def compile_trees(
        n_values: npt.NDArray[np.uint32],
        order: npt.NDArray[np.uint32],
        start: npt.NDArray[np.uint64],
        feature: npt.NDArray[np.int32],
        left: npt.NDArray[np.int32],
        right: npt.NDArray[np.int32],
        left_start: npt.NDArray[np.int64],
        left_values: npt.NDArray[np.uint8],
        score: npt.NDArray[np.int64],
        bias: int = 0,
        time_limit: float = -1.0,
        max_nodes: int = 0,
        max_memory: int = 0,
    ) -> Diagram: ...
    @staticmethod
    def from_arrays(
        order: npt.NDArray[np.uint32],
        arity: npt.NDArray[np.uint32],
        level: npt.NDArray[np.uint32],
        child: npt.NDArray[np.uint32],
        root: int,
    ) -> Diagram: ...
    @property
    def n(self) -> int: ...
    @property
    def root(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def n_bytes(self) -> int: ...
    @property
    def order(self) -> npt.NDArray[np.uint32]: ...
    @property
    def arity(self) -> npt.NDArray[np.uint32]: ...
    @property
    def level(self) -> npt.NDArray[np.uint32]: ...
    @property
    def child(self) -> npt.NDArray[np.uint32]: ...
    def validate(self) -> str | None: ...
    def evaluate(self, array: npt.NDArray[Any], groups: _Groups | None = None) -> npt.NDArray[np.uint8]: ...
    def count_models(self, sink: int) -> int: ...
    def count_weighted(
        self, sink: int, value_offset: npt.NDArray[np.uint32], weight: npt.NDArray[np.uint32], time_limit: float = -1.0
    ) -> int: ...
    def fall(
        self, feature: int, old: npt.NDArray[np.uint32], new: npt.NDArray[np.uint32], time_limit: float = -1.0
    ) -> tuple[npt.NDArray[np.uint32], int] | None: ...
    def extremes(self, threshold: Threshold, sink: int, time_limit: float = -1.0) -> tuple[int, int]: ...
    def count_paths(self, sink: int, time_limit: float = -1.0) -> int: ...

def decide(parts: _Decision, array: npt.NDArray[Any], groups: _Groups | None = None) -> npt.NDArray[np.uint8]: ...

@final
class Bdd:
    def __init__(self, /, *args: Never, **kwargs: Never) -> None: ...
    @property
    def n(self) -> int: ...
    @staticmethod
    def thaw(diagram: Diagram, time_limit: float = -1.0, max_nodes: int = 0, max_memory: int = 0) -> Bdd: ...
    @staticmethod
    def compile(
        threshold: Threshold,
        order: npt.NDArray[np.uint32],
        time_limit: float = -1.0,
        max_nodes: int = 0,
        max_memory: int = 0,
    ) -> Bdd: ...
    @staticmethod
    def from_table(n: int, table: npt.NDArray[np.uint8], n_values: npt.NDArray[np.uint32] | None = None) -> Bdd: ...
    @staticmethod
    def conjoin(
        diagrams: Sequence[Diagram],
        negate: Sequence[bool],
        time_limit: float = -1.0,
        max_nodes: int = 0,
        max_memory: int = 0,
    ) -> Bdd: ...
    @staticmethod
    def compose(
        outer: Diagram,
        inner: Sequence[Diagram],
        time_limit: float = -1.0,
        max_nodes: int = 0,
        max_memory: int = 0,
    ) -> Bdd: ...
    @staticmethod
    def translate(
        diagram: Diagram,
        order: npt.NDArray[np.uint32],
        arity: npt.NDArray[np.uint32],
        feature_of: npt.NDArray[np.uint32],
        code_start: npt.NDArray[np.uint32],
        code_of: npt.NDArray[np.uint32],
        time_limit: float = -1.0,
        max_nodes: int = 0,
        max_memory: int = 0,
    ) -> Bdd: ...
    @staticmethod
    def lasting(
        diagram: Diagram,
        negate: bool,
        value_offset: npt.NDArray[np.uint32],
        allowed: npt.NDArray[np.uint8] | None = None,
        direction: npt.NDArray[np.uint8] | None = None,
        any_number: bool = False,
        time_limit: float = -1.0,
        max_nodes: int = 0,
        max_memory: int = 0,
    ) -> Bdd: ...
    def freeze(self, time_limit: float = -1.0) -> Diagram: ...
    def sift(self, time_limit: float = -1.0) -> None: ...
    @property
    def size(self) -> int: ...
    def evaluate(self, rows: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]: ...
    def store(self, path: str, names: Sequence[str] | None = None) -> None: ...
    def close(self) -> None: ...

@final
class Clauses:
    def __init__(self, /, *args: Never, **kwargs: Never) -> None: ...
    @property
    def n_vars(self) -> int: ...
    @property
    def n_clauses(self) -> int: ...
    @property
    def literals(self) -> npt.NDArray[np.int32]: ...
    @staticmethod
    def paths(diagram: Diagram, negate: bool = False, max_clauses: int = 0, time_limit: float = -1.0) -> Clauses: ...
    @staticmethod
    def nodes(diagram: Diagram, negate: bool = False, max_clauses: int = 0, time_limit: float = -1.0) -> Clauses: ...
    @staticmethod
    def cuts(
        diagram: Diagram,
        max_in: int,
        max_length: int,
        negate: bool = False,
        max_clauses: int = 0,
        time_limit: float = -1.0,
    ) -> Clauses: ...
    @staticmethod
    def bdd_paths(bdd: Bdd, negate: bool = False, max_clauses: int = 0, time_limit: float = -1.0) -> Clauses: ...
    @staticmethod
    def primes(bdd: Bdd, negate: bool = False, max_clauses: int = 0, time_limit: float = -1.0) -> Clauses: ...

@final
class Paths:
    def __new__(cls, diagram: Diagram, sink: int, negated: bool = False) -> Paths: ...
    @property
    def done(self) -> bool: ...
    def next_chunk(self, capacity: int) -> tuple[npt.NDArray[np.int32], int]: ...

@final
class Query:
    def __new__(
        cls,
        x: npt.NDArray[np.uint32],
        allowed: npt.NDArray[np.uint8] | None = None,
        cost: npt.NDArray[np.int64] | None = None,
        max_changes: int | None = None,
        reasons: bool = False,
    ) -> Query: ...

@final
class Sets:
    def __len__(self) -> int: ...
    @property
    def features(self) -> npt.NDArray[np.uint32]: ...
    @property
    def end(self) -> npt.NDArray[np.uint64]: ...
    @property
    def n_features(self) -> int: ...
    @staticmethod
    def from_list(sets: Iterable[Sequence[int]]) -> Sets: ...
    def append(self, more: Sets) -> None: ...
    def sort(self, cost: npt.NDArray[np.int64] | None = None, time_limit: float = -1.0, first: int = 0) -> bool: ...
    def sort_priced(self, cost: npt.NDArray[np.int64], time_limit: float = -1.0) -> bool: ...
    def to_list(self) -> list[tuple[int, ...]]: ...

@final
class Cover:
    def __new__(cls, threshold: Threshold, query: Query) -> Cover: ...
    def next(self, limit: int, time_limit: float = -1.0) -> tuple[Sets, _Outcome]: ...
    @staticmethod
    def best(threshold: Threshold, query: Query, k: int, time_limit: float = -1.0) -> tuple[Sets, _Outcome]: ...
    @staticmethod
    def count(
        threshold: Threshold, query: Query, time_limit: float = -1.0, max_nodes: int = 0, max_memory: int = 0
    ) -> int: ...
    @staticmethod
    def sample(
        threshold: Threshold,
        query: Query,
        count: int,
        bit_generator: np.random.BitGenerator,
        time_limit: float = -1.0,
        max_nodes: int = 0,
        max_memory: int = 0,
    ) -> Sets: ...
    @staticmethod
    def count_bounds(
        threshold: Threshold, query: Query, time_limit: float = -1.0, max_nodes: int = 0, max_memory: int = 0
    ) -> tuple[int, int]: ...

@final
class Relation:
    n_features: int
    def __new__(cls, feature: npt.NDArray[np.uint32], holds: npt.NDArray[np.uint8]) -> Relation: ...

@final
class Likely:
    value_offset: npt.NDArray[np.uint32]
    def __new__(
        cls,
        value_offset: npt.NDArray[np.uint32],
        cell: npt.NDArray[np.uint32],
        feature: npt.NDArray[np.uint32],
        up: npt.NDArray[np.uint32],
        cells: npt.NDArray[np.uint32],
        table: npt.NDArray[np.int64],
        least: int,
    ) -> Likely: ...

@final
class Within:
    def __new__(cls, threshold: Threshold, relation: Relation, query: Query, time_limit: float = -1.0) -> Within: ...
    def next(self, limit: int, time_limit: float = -1.0) -> tuple[Sets, _Outcome]: ...
    def best(self, k: int, time_limit: float = -1.0) -> tuple[Sets, _Outcome]: ...

@final
class Related:
    def __new__(
        cls,
        thresholds: Iterable[Threshold],
        upwards: bool,
        relations: Sequence[Relation],
        query: Query,
        time_limit: float = -1.0,
    ) -> Related: ...
    def next(self, limit: int, time_limit: float = -1.0) -> tuple[Sets, _Outcome]: ...
    def best(self, k: int, time_limit: float = -1.0) -> tuple[Sets, _Outcome]: ...

@final
class MulticlassCover:
    def __new__(cls, thresholds: Iterable[Threshold | None], query: Query) -> MulticlassCover: ...
    def next(self, limit: int, time_limit: float = -1.0) -> tuple[Sets, _Outcome]: ...
    def tally(self, time_limit: float = -1.0) -> int: ...
    @staticmethod
    def best(
        thresholds: Iterable[Threshold | None], query: Query, k: int, time_limit: float = -1.0
    ) -> tuple[Sets, _Outcome]: ...

@final
class Moves:
    def __new__(
        cls,
        x: npt.NDArray[np.uint32],
        chain_start: npt.NDArray[np.uint32],
        step_start: npt.NDArray[np.uint32],
        code: npt.NDArray[np.uint32],
        max_changes: int | None = None,
    ) -> Moves: ...
    @property
    def n_steps(self) -> int: ...
    def diagram(
        self,
        diagram: Diagram,
        value_offset: npt.NDArray[np.uint32],
        sink: int,
        time_limit: float = -1.0,
        max_nodes: int = 0,
        max_memory: int = 0,
    ) -> Diagram: ...

@final
class MovesCover:
    def __new__(
        cls, thresholds: Iterable[Threshold], upwards: bool, moves: Moves, cost: npt.NDArray[np.int64]
    ) -> MovesCover: ...
    def next(self, limit: int, time_limit: float = -1.0) -> tuple[Sets, _Outcome]: ...
    def best(self, k: int, time_limit: float = -1.0) -> tuple[Sets, _Outcome]: ...
    def tally(self, time_limit: float = -1.0) -> int: ...

@final
class MovesTable:
    n_steps: int
    def __new__(
        cls,
        value_offset: npt.NDArray[np.uint32],
        own: npt.NDArray[np.uint32],
        chain_start: npt.NDArray[np.uint32],
        step_start: npt.NDArray[np.uint32],
        code: npt.NDArray[np.uint32],
        value: npt.NDArray[np.uint32],
        price: npt.NDArray[np.int64],
    ) -> MovesTable: ...
    def of_rows(
        self,
        goals: Sequence[tuple[Sequence[Threshold], bool]],
        own: npt.NDArray[np.uint32],
        goal: npt.NDArray[np.uint8],
        *,
        max_changes: int | None = None,
        k: int = 0,
        max_results: int = 0,
        result_memory: int = ...,
        time_limit: float = -1.0,
    ) -> tuple[Sets, npt.NDArray[np.uint64], npt.NDArray[np.uint8]]: ...

@final
class Minimal:
    def __new__(
        cls,
        diagram: Diagram,
        value_offset: npt.NDArray[np.uint32],
        query: Query,
        sink: int,
        time_limit: float = -1.0,
        max_nodes: int = 0,
        max_memory: int = 0,
    ) -> Minimal: ...
    @property
    def size(self) -> int: ...
    def next(self, limit: int, time_limit: float = -1.0) -> tuple[Sets, _Outcome]: ...
    def best(self, k: int, time_limit: float = -1.0) -> tuple[Sets, _Outcome]: ...
    def count(self, time_limit: float = -1.0) -> int: ...
    def count_features(self, time_limit: float = -1.0) -> list[int]: ...
    def sample(self, count: int, bit_generator: np.random.BitGenerator, time_limit: float = -1.0) -> Sets: ...

MOST_DIVERSE: int

@final
class Stop:
    def tell(self) -> None: ...

def diverse(
    features: npt.NDArray[np.uint32],
    set_offset: npt.NDArray[np.int64],
    row_offset: npt.NDArray[np.int64],
    n_features: int,
    k: int,
    effort: int,
    time_limit: float = -1.0,
    stop: Stop | None = None,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.uint64], npt.NDArray[np.bool_]]: ...

@final
class Responsive:
    def __new__(
        cls,
        goals: Sequence[list[Threshold] | tuple[Diagram, int] | None],
        value_offset: npt.NDArray[np.uint32],
        core_offset: npt.NDArray[np.uint32],
        group: npt.NDArray[np.uint32] | None = None,
        allowed: npt.NDArray[np.uint8] | None = None,
        direction: npt.NDArray[np.uint8] | None = None,
        max_changes: int = 0xFFFFFFFF,
    ) -> Responsive: ...
    def count(
        self,
        array: npt.NDArray[Any],
        classes: npt.NDArray[np.uint8],
        part: npt.NDArray[np.uint32],
        n_parts: int,
        times: npt.NDArray[np.uint32] | None = None,
        time_limit: float = -1.0,
    ) -> npt.NDArray[np.uint64]: ...

@final
class Shapley:
    def __new__(
        cls, diagram: Diagram, value_offset: npt.NDArray[np.uint32], share: npt.NDArray[np.float64]
    ) -> Shapley: ...
    def values(
        self, rows: npt.NDArray[np.uint32], sinks: npt.NDArray[np.uint8], time_limit: float = -1.0
    ) -> npt.NDArray[np.float64]: ...

@final
class Ensemble:
    def __new__(
        cls,
        n_values: npt.NDArray[np.uint32],
        start: npt.NDArray[np.uint64],
        feature: npt.NDArray[np.int32],
        left: npt.NDArray[np.int32],
        right: npt.NDArray[np.int32],
        left_start: npt.NDArray[np.int64],
        left_values: npt.NDArray[np.uint8],
        scores: npt.NDArray[np.int64],
        later_wins: bool,
    ) -> Ensemble: ...
    @property
    def value_offset(self) -> npt.NDArray[np.uint32]: ...
    @property
    def n_classes(self) -> int: ...
    @property
    def n_leaves(self) -> int: ...

@final
class TreeSearch:
    def __new__(cls, ensemble: Ensemble, query: Query, k: int, sink: int, max_memory: int = 0) -> TreeSearch: ...
    def next(self, limit: int, time_limit: float = -1.0) -> tuple[Sets, _Outcome]: ...
    def best(self, k: int, time_limit: float = -1.0) -> tuple[Sets, _Outcome]: ...
    def reasons(self, time_limit: float = -1.0) -> tuple[Sets, _Outcome]: ...
    @property
    def complete_up_to(self) -> int | None: ...

def find_row(
    ensemble: Ensemble, query: Query, k: int, sink: int, time_limit: float = -1.0
) -> npt.NDArray[np.uint32] | None: ...
def nearest_row(
    ensemble: Ensemble,
    query: Query,
    k: int,
    sink: int,
    cost: npt.NDArray[np.int64],
    rank: npt.NDArray[np.uint32] | None = None,
    time_limit: float = -1.0,
    max_memory: int = 0,
) -> tuple[npt.NDArray[np.uint32] | None, int, int, str, int, float]: ...
def choose_values(
    ensemble: Ensemble,
    query: Query,
    k: int,
    sink: int,
    features: npt.NDArray[np.uint32],
    cost: npt.NDArray[np.int64],
    time_limit: float = -1.0,
) -> tuple[int, npt.NDArray[np.uint32]] | None: ...

@final
class Mcs:
    def __new__(
        cls,
        make_solver: Callable[[], tuple[Callable[[], object], Any, str, str]],
        literals: npt.NDArray[np.int32],
        n_vars: int,
        n_features: int,
        diagram: Diagram | None = None,
        sink: int = 1,
    ) -> Mcs: ...
    def open(
        self,
        keep: npt.NDArray[np.int32],
        fixed: npt.NDArray[np.uint8],
        max_changes: int | None = None,
        assumed: npt.NDArray[np.int32] | None = None,
        codes: npt.NDArray[np.uint32] | None = None,
        order: npt.NDArray[np.uint32] | None = None,
    ) -> None: ...
    def next(self, limit: int, time_limit: float = -1.0) -> tuple[Sets, _Outcome]: ...
    @property
    def statistics(self) -> dict[str, int]: ...

@final
class Columns:
    @property
    def row_offsets(self) -> npt.NDArray[np.int64]: ...
    @property
    def set_offsets(self) -> npt.NDArray[np.int64]: ...
    @property
    def features(self) -> npt.NDArray[np.int32]: ...
    @property
    def status(self) -> npt.NDArray[np.uint8]: ...
    @property
    def prediction(self) -> npt.NDArray[np.uint8]: ...

#: (flat, table, low, high, step, place) as in symcf_price.
_Price = tuple[
    int,
    npt.NDArray[np.int64] | None,
    npt.NDArray[np.int64] | None,
    npt.NDArray[np.int64] | None,
    int,
    int | None,
]

@final
class Aim:
    def __new__(
        cls,
        goal: Diagram | Sequence[Threshold | None],
        value_offset: npt.NDArray[np.uint32],
        *,
        shift: npt.NDArray[np.int64] | None = None,
        fall: bool = False,
        every: bool = False,
        sink: int = 0,
        relation: Relation | None = None,
    ) -> Aim: ...

@final
class Chooser:
    def __new__(
        cls,
        aim: Aim,
        x: npt.NDArray[np.uint32],
        cost: npt.NDArray[np.int64],
        move: npt.NDArray[np.int64],
        name: npt.NDArray[np.uint32],
    ) -> Chooser: ...
    def choose(self, change_set: Sequence[int]) -> tuple[int, tuple[int, ...]] | None: ...
    def price(self, sets: Sets, time_limit: float = -1.0) -> npt.NDArray[np.int64]: ...
    def best(self, k: int, max_changes: int | None = None, time_limit: float = -1.0) -> tuple[Sets, _Outcome]: ...

@final
class Batch:
    def __new__(
        cls,
        engine: _Decision,
        value_offset: npt.NDArray[np.uint32],
        array: npt.NDArray[Any],
        *,
        allowed: npt.NDArray[np.uint8] | None = None,
        direction: npt.NDArray[np.uint8] | None = None,
        cost: npt.NDArray[np.int64] | None = None,
        max_changes: int | None = None,
        k: int = 0,
        max_results: int = 0,
        result_memory: int = 0,
        target: int = -1,
        sorted: bool = True,
        mark_bad_rows: bool = False,
        time_limit: float = -1.0,
        max_nodes: int = 0,
        max_memory: int = 0,
        groups: _Groups | None = None,
        reasons: bool = False,
        prices: Sequence[_Price] | None = None,
        places: npt.NDArray[np.int64] | None = None,
        aims: Sequence[Aim | None] | None = None,
        goals: Sequence[tuple[Diagram, int] | tuple[Ensemble, tuple[int, int]] | None] | None = None,
        relation: Relation | None = None,
        likely: Likely | None = None,
        row_seconds: float = 0.0,
    ) -> Batch: ...
    def work(self, listen: bool) -> None: ...
    def cancel(self) -> None: ...
    @property
    def progress(self) -> int: ...
    def finish(self) -> Columns: ...

def release_memory() -> None: ...

@final
class Budget:
    def __new__(cls, most: int) -> Budget: ...
    def run(self, call: Callable[_P, _R], /, *args: _P.args, **options: _P.kwargs) -> _R: ...
    @property
    def peak(self) -> int: ...

def in_budget(call: Callable[_P, _R]) -> Callable[_P, _R]: ...
def check_memory(expected: int = 0) -> None: ...
def codes_of_numbers(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]: ...
def numbers_of_codes(codes: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]: ...

@final
class Polynomials:
    def __new__(
        cls,
        curve: npt.NDArray[np.int64],
        curve_exponent: npt.NDArray[np.int32],
        slope: npt.NDArray[np.int64],
        slope_exponent: npt.NDArray[np.int32],
        scale: int,
    ) -> Polynomials: ...
    def sums(self, codes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]: ...
    def terms(self, x: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]: ...

def cover_rows(
    gain: npt.NDArray[np.int64],
    deficit: npt.NDArray[np.int64],
    *,
    cost: npt.NDArray[np.int64] | None = None,
    max_changes: int | None = None,
    k: int = 0,
    max_results: int = 0,
    result_memory: int = ...,
    sorted: bool = True,
    time_limit: float = -1.0,
) -> tuple[Sets, npt.NDArray[np.uint64], npt.NDArray[np.uint8]]: ...
