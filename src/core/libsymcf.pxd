# The C core as Cython sees it: declarations only, all of them callable without the GIL.
# Contracts are in symcf.h.

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

cdef extern from "symcf.h" nogil:
    ctypedef bint c_bool "bool"

    ctypedef enum symcf_status:
        SYMCF_OK
        SYMCF_MORE
        SYMCF_NO_MEMORY
        SYMCF_INVALID
        SYMCF_UNSUPPORTED
        SYMCF_OVERFLOW
        SYMCF_LIMIT_NODES
        SYMCF_LIMIT_MEMORY
        SYMCF_LIMIT_TIME
        SYMCF_INTERRUPTED
        SYMCF_IO
        SYMCF_INTERNAL

    const char *symcf_status_text(symcf_status status)

    ctypedef struct symcf_control:
        c_bool (*interrupted)(void *data) noexcept
        void *data
        double deadline
        uint64_t max_nodes
        uint64_t max_memory
        uint64_t nodes
        uint64_t memory
        uint32_t level
        int64_t credit

    double symcf_clock()

    ctypedef struct symcf_budget:
        pass

    symcf_status symcf_budget_create(uint64_t most, symcf_budget **out)
    void symcf_budget_free(symcf_budget *b)
    symcf_budget *symcf_budget_enter(symcf_budget *b)
    uint64_t symcf_budget_left()
    uint64_t symcf_budget_peak(const symcf_budget *b)
    symcf_status symcf_check_resident()

    void symcf_free(void *array)

    # rows
    ctypedef enum symcf_type:
        SYMCF_INT8
        SYMCF_UINT8
        SYMCF_INT16
        SYMCF_UINT16
        SYMCF_INT32
        SYMCF_UINT32
        SYMCF_INT64
        SYMCF_UINT64

    ctypedef struct symcf_rows:
        const void *data
        symcf_type type
        size_t m
        uint32_t n
        const uint32_t *value_offset
        const uint32_t *group

    # threshold function
    ctypedef struct symcf_threshold:
        uint32_t n
        uint32_t *value_offset
        int64_t *weight
        int64_t bias
        int64_t tie_shift
        int64_t band
        int64_t finite
        int scale

    ctypedef enum symcf_bayes_problem:
        SYMCF_BAYES_FINE
        SYMCF_BAYES_IMPOSSIBLE
        SYMCF_BAYES_CONFLICT

    uint32_t SYMCF_PRIOR

    ctypedef struct symcf_bayes_fault:
        symcf_bayes_problem problem
        uint32_t feature
        uint32_t value
        uint32_t other_feature
        uint32_t other_value

    symcf_status symcf_threshold_create(uint32_t n, const uint32_t *value_offset, const int64_t *weight,
                                        int64_t bias, symcf_threshold **out)
    symcf_status symcf_threshold_from_bayes(uint32_t n, const uint32_t *value_offset, const double *p1,
                                            const double *p0, double prior1, double prior0, double cut,
                                            c_bool tie_positive, symcf_bayes_fault *fault, symcf_threshold **out)
    void symcf_threshold_free(symcf_threshold *t)
    double symcf_threshold_margin(const symcf_threshold *t, int64_t score)
    symcf_status symcf_threshold_scores(const symcf_threshold *t, const symcf_rows *rows, symcf_control *control,
                                        int64_t *score, size_t *row, uint32_t *feature)
    symcf_status symcf_threshold_influence_order(const symcf_threshold *t, uint32_t *order)

    # numbers in sums
    ctypedef struct symcf_polynomial:
        int64_t curve
        int64_t slope
        int32_t curve_exponent
        int32_t slope_exponent

    symcf_status symcf_codes_of_numbers(const double *number, size_t count, symcf_control *control, int64_t *code)
    symcf_status symcf_numbers_of_codes(const int64_t *code, size_t count, symcf_control *control, double *number)
    symcf_status symcf_polynomial_terms(const symcf_polynomial *p, uint32_t n, int32_t scale, const double *x, size_t m,
                                        symcf_control *control, int64_t *term, size_t *row, uint32_t *feature)
    symcf_status symcf_polynomial_sums(const symcf_polynomial *p, uint32_t n, int32_t scale, const int64_t *code,
                                       size_t m, symcf_control *control, int64_t *sum)

    # diagram
    ctypedef struct symcf_diagram:
        uint32_t n
        uint32_t n_nodes
        uint32_t root
        uint32_t *order
        uint32_t *arity
        int64_t *child_base
        uint32_t *level
        uint32_t *child
        uint64_t n_children

    symcf_status symcf_diagram_create(uint32_t n, uint32_t n_nodes, uint32_t root, const uint32_t *order,
                                      const uint32_t *arity, const uint32_t *level, const uint32_t *child,
                                      uint64_t n_children, symcf_control *control, const char **reason,
                                      symcf_diagram **out)
    void symcf_diagram_free(symcf_diagram *d)
    symcf_status symcf_diagram_validate(const symcf_diagram *d, symcf_control *control, const char **reason)
    symcf_status symcf_diagram_evaluate_rows(const symcf_diagram *d, const symcf_rows *rows, symcf_control *control,
                                             uint8_t *sink, size_t *row, uint32_t *feature)
    uint32_t symcf_diagram_size(const symcf_diagram *d)
    symcf_status symcf_diagram_count_models(const symcf_diagram *d, uint32_t sink, symcf_control *control,
                                            uint64_t **limbs, size_t *width)
    symcf_status symcf_diagram_count_weighted(const symcf_diagram *d, uint32_t sink, const uint32_t *value_offset,
                                              const uint32_t *weight, symcf_control *control, uint64_t **limbs,
                                              size_t *width)
    symcf_status symcf_diagram_fall(const symcf_diagram *d, uint32_t feature, const uint32_t *from_,
                                    const uint32_t *to, size_t n_pairs, symcf_control *control, uint32_t *x,
                                    c_bool *found, size_t *which)
    symcf_status symcf_diagram_count_paths(const symcf_diagram *d, uint32_t sink, symcf_control *control,
                                           uint64_t **limbs, size_t *width)

    ctypedef struct symcf_row_goal:
        const symcf_threshold *const *sums
        uint32_t n_sums
        const symcf_diagram *diagram
        uint32_t sink

    ctypedef struct symcf_responsive_request:
        uint32_t n, n_classes
        const uint32_t *value_offset
        const uint32_t *core_offset
        const uint32_t *group
        const symcf_row_goal *goals
        const uint8_t *allowed
        const uint8_t *direction
        uint32_t max_changes

    symcf_status symcf_responsive(const symcf_responsive_request *q, const symcf_rows *rows, const uint8_t *class_,
                                  const uint32_t *part, const uint32_t *times, symcf_control *control,
                                  uint64_t *counts, size_t *row, uint32_t *feature)
    symcf_status symcf_diagram_extremes(const symcf_diagram *d, const symcf_threshold *t, uint32_t sink,
                                        symcf_control *control, int64_t *least, int64_t *most)
    symcf_status symcf_compile(const symcf_threshold *t, const uint32_t *order, symcf_control *control,
                               symcf_diagram **out)

    # decisions between classes
    ctypedef struct symcf_ensemble:
        pass

    ctypedef struct symcf_classifier:
        uint32_t n_classes
        const symcf_threshold *t
        const symcf_threshold *const *beats
        const symcf_diagram *const *diagrams
        const symcf_ensemble *ensemble

    symcf_status symcf_decide_rows(const symcf_classifier *c, const uint32_t *value_offset, const symcf_rows *rows,
                                   symcf_control *control, uint8_t *decision, size_t *row, uint32_t *feature)

    ctypedef struct symcf_trees:
        uint32_t n
        const uint32_t *n_values
        uint32_t n_trees
        const uint64_t *start
        const int32_t *feature
        const int32_t *left
        const int32_t *right
        const int64_t *left_start
        const uint8_t *left_values
        const int64_t *score
        int64_t bias

    symcf_status symcf_compile_trees(const symcf_trees *trees, const uint32_t *order, symcf_control *control,
                                     const char **reason, symcf_diagram **out)

    symcf_status symcf_ensemble_create(const symcf_trees *trees, uint32_t n_classes, const int64_t *scores,
                                       c_bool later_wins, symcf_control *control, const char **reason,
                                       symcf_ensemble **out)
    void symcf_ensemble_free(symcf_ensemble *e)
    uint64_t symcf_ensemble_leaves(const symcf_ensemble *e)

    # CUDD's BDD
    ctypedef struct symcf_bdd:
        pass

    symcf_status symcf_bdd_thaw(const symcf_diagram *d, symcf_control *control, symcf_bdd **out)
    symcf_status symcf_bdd_compile(const symcf_threshold *t, const uint32_t *order, symcf_control *control,
                                   symcf_bdd **out)
    symcf_status symcf_bdd_from_table(uint32_t n, const uint32_t *n_values, const uint8_t *table,
                                      symcf_control *control, symcf_bdd **out)
    symcf_status symcf_bdd_conjoin(const symcf_diagram *const *d, const uint8_t *negate, size_t count,
                                   symcf_control *control, symcf_bdd **out)
    symcf_status symcf_bdd_compose(const symcf_diagram *outer, const symcf_diagram *const *inner,
                                   symcf_control *control, symcf_bdd **out)
    symcf_status symcf_bdd_translate(const symcf_diagram *d, uint32_t n, const uint32_t *order, const uint32_t *arity,
                                     const uint32_t *feature_of, const uint32_t *code_start,
                                     const uint32_t *code_of, symcf_control *control, symcf_bdd **out)
    symcf_status symcf_bdd_lasting(const symcf_diagram *d, c_bool negate, const uint32_t *value_offset,
                                   const uint8_t *allowed, const uint8_t *direction, c_bool any_number,
                                   symcf_control *control, symcf_bdd **out)
    symcf_status symcf_bdd_freeze(symcf_bdd *b, symcf_control *control, symcf_diagram **out)
    symcf_status symcf_bdd_sift(symcf_bdd *b, symcf_control *control)
    symcf_status symcf_bdd_size(symcf_bdd *b, symcf_control *control, uint64_t *size)
    uint32_t symcf_bdd_evaluate(symcf_bdd *b, const uint32_t *x)
    symcf_status symcf_bdd_store(symcf_bdd *b, const char *path, const char *const *names)
    int symcf_bdd_free(symcf_bdd *b)
    void symcf_bdd_drop(symcf_bdd *b)
    c_bool symcf_bdd_is_lost(const symcf_bdd *b)

    # clauses
    ctypedef struct symcf_clauses:
        int32_t *literals
        uint64_t length
        uint64_t n_clauses
        uint32_t n_vars

    ctypedef struct symcf_paths:
        pass

    void symcf_clauses_free(symcf_clauses *c)
    symcf_status symcf_paths_open(const symcf_diagram *d, uint32_t sink, c_bool negated, symcf_paths **out)
    symcf_status symcf_paths_next(symcf_paths *p, symcf_control *control, int32_t *buffer, uint64_t capacity,
                                  uint64_t *length, uint64_t *count)
    void symcf_paths_free(symcf_paths *p)
    uint64_t symcf_paths_longest(const symcf_paths *p)
    symcf_status symcf_encode_paths(const symcf_diagram *d, c_bool negate, uint64_t max_clauses,
                                    symcf_control *control, symcf_clauses **out)
    symcf_status symcf_encode_nodes(const symcf_diagram *d, c_bool negate, uint64_t max_clauses,
                                    symcf_control *control, symcf_clauses **out)
    symcf_status symcf_encode_cuts(const symcf_diagram *d, c_bool negate, uint32_t max_in, uint32_t max_length,
                                   uint64_t max_clauses, symcf_control *control, symcf_clauses **out)
    symcf_status symcf_bdd_encode_paths(symcf_bdd *b, c_bool negate, uint64_t max_clauses, symcf_control *control,
                                        symcf_clauses **out)
    symcf_status symcf_encode_primes(symcf_bdd *b, c_bool negate, uint64_t max_clauses, symcf_control *control,
                                     symcf_clauses **out)

    # diverse choices
    enum: SYMCF_MOST_DIVERSE

    ctypedef struct symcf_diversity:
        uint64_t apart
        uint64_t of
        c_bool exact

    symcf_status symcf_diverse(const uint32_t *features, const uint64_t *end, uint64_t start, uint64_t n_sets,
                               uint32_t n_features, uint64_t k, uint64_t effort, symcf_control *control,
                               uint64_t *chosen, symcf_diversity *out)

    # change sets
    ctypedef struct symcf_query:
        const uint32_t *x
        const uint8_t *allowed
        const int64_t *cost
        uint32_t max_changes
        c_bool reasons

    ctypedef struct symcf_sets:
        uint32_t *features
        uint64_t *end
        uint64_t n_sets
        uint64_t n_features
        uint64_t cap_sets
        uint64_t cap_features

    symcf_status symcf_sets_push(symcf_sets *s, const uint32_t *features, uint32_t size)
    void symcf_sets_free_arrays(symcf_sets *s)
    symcf_status symcf_sets_append(symcf_sets *s, const symcf_sets *more)
    symcf_status symcf_sets_sort_from(symcf_sets *s, uint64_t first, const int64_t *cost, symcf_control *control)
    symcf_status symcf_sets_sort_priced(symcf_sets *s, uint64_t first, const int64_t *set_cost,
                                        symcf_control *control)

    ctypedef struct symcf_cover:
        pass

    symcf_status symcf_cover_open(const symcf_threshold *t, const symcf_query *q, symcf_cover **out)
    symcf_status symcf_cover_next(symcf_cover *e, symcf_control *control, uint64_t limit, symcf_sets *sets)
    void symcf_cover_free(symcf_cover *e)
    symcf_status symcf_cover_best(const symcf_threshold *t, const symcf_query *q, uint64_t k, symcf_control *control,
                                  symcf_sets *sets)
    symcf_status symcf_cover_count(const symcf_threshold *t, const symcf_query *q, symcf_control *control,
                                   uint64_t **limbs, size_t *width)
    symcf_status symcf_cover_count_bounds(const symcf_threshold *t, const symcf_query *q, symcf_control *control,
                                          uint64_t **lower, uint64_t **upper, size_t *width)

    ctypedef struct symcf_relation:
        uint32_t n
        const uint32_t *feature
        const uint8_t *holds
        uint64_t n_combinations

    ctypedef struct symcf_within:
        pass

    symcf_status symcf_within_open(const symcf_threshold *t, const symcf_relation *r, const symcf_query *q,
                                   symcf_control *control, symcf_within **out)
    symcf_status symcf_within_next(symcf_within *e, symcf_control *control, uint64_t limit, symcf_sets *sets)
    symcf_status symcf_within_best(symcf_within *e, uint64_t k, symcf_control *control, symcf_sets *sets)
    void symcf_within_free(symcf_within *e)

    ctypedef struct symcf_likely:
        pass

    symcf_status symcf_likely_create(uint32_t n, const uint32_t *value_offset, const uint32_t *cell,
                                     const uint32_t *feature, const uint32_t *up, const uint32_t *cells,
                                     const int64_t *table, uint64_t table_size, int64_t least, symcf_likely **out)
    void symcf_likely_free(symcf_likely *l)

    ctypedef struct symcf_related:
        pass

    symcf_status symcf_related_open(const symcf_threshold *const *rival, uint32_t n_rivals, c_bool upwards,
                                    const symcf_relation *const *relation, uint32_t n_relations, const symcf_query *q,
                                    symcf_control *control, symcf_related **out)
    symcf_status symcf_related_next(symcf_related *e, symcf_control *control, uint64_t limit, symcf_sets *sets)
    symcf_status symcf_related_best(symcf_related *e, uint64_t k, symcf_control *control, symcf_sets *sets)
    symcf_status symcf_related_tally(symcf_related *e, symcf_control *control, uint64_t *n_sets)
    void symcf_related_free(symcf_related *e)

    ctypedef struct symcf_multiclass_cover:
        pass

    symcf_status symcf_multiclass_cover_open(const symcf_threshold *const *rival, uint32_t n_rivals,
                                             const symcf_query *q, symcf_multiclass_cover **out)
    symcf_status symcf_multiclass_cover_next(symcf_multiclass_cover *e, symcf_control *control, uint64_t limit,
                                             symcf_sets *sets)
    symcf_status symcf_multiclass_cover_tally(symcf_multiclass_cover *e, symcf_control *control, uint64_t *n_sets,
                                              uint64_t *n_features)
    void symcf_multiclass_cover_free(symcf_multiclass_cover *e)
    symcf_status symcf_multiclass_cover_best(const symcf_threshold *const *rival, uint32_t n_rivals,
                                             const symcf_query *q, uint64_t k, symcf_control *control,
                                             symcf_sets *sets)

    ctypedef struct symcf_minimal:
        pass

    # moves
    ctypedef struct symcf_moves:
        uint32_t n
        const uint32_t *x
        const uint32_t *chain_start
        const uint32_t *step_start
        const uint32_t *code
        uint32_t max_changes

    ctypedef struct symcf_moves_cover:
        pass

    symcf_status symcf_moves_diagram(const symcf_diagram *d, const symcf_moves *m, uint32_t sink,
                                     symcf_control *control, symcf_diagram **out)
    symcf_status symcf_moves_cover_open(const symcf_threshold *const *rival, uint32_t n_rivals, c_bool upwards,
                                        const symcf_moves *m, const int64_t *cost, symcf_moves_cover **out)
    symcf_status symcf_moves_cover_next(symcf_moves_cover *e, symcf_control *control, uint64_t limit,
                                        symcf_sets *sets)
    symcf_status symcf_moves_cover_tally(symcf_moves_cover *e, symcf_control *control, uint64_t *n_sets)
    symcf_status symcf_moves_cover_best(symcf_moves_cover *e, uint64_t k, symcf_control *control, symcf_sets *sets)
    void symcf_moves_cover_free(symcf_moves_cover *e)

    symcf_status symcf_minimal_open(const symcf_diagram *d, const uint32_t *value_offset, const symcf_query *q,
                                    uint32_t sink, symcf_control *control, symcf_minimal **out)
    symcf_status symcf_minimal_next(symcf_minimal *e, symcf_control *control, uint64_t limit, symcf_sets *sets)
    symcf_status symcf_minimal_best(symcf_minimal *e, const int64_t *cost, uint64_t k, symcf_control *control,
                                    symcf_sets *sets)
    symcf_status symcf_minimal_count(symcf_minimal *e, symcf_control *control, uint64_t **limbs, size_t *width)
    symcf_status symcf_cover_sample(const symcf_threshold *t, const symcf_query *q, uint64_t count,
                                    uint64_t (*random)(void *data) noexcept nogil, void *data,
                                    symcf_control *control, symcf_sets *sets)
    symcf_status symcf_minimal_sample(symcf_minimal *e, uint64_t count, uint64_t (*random)(void *data) noexcept nogil,
                                      void *data, symcf_control *control, symcf_sets *sets)
    symcf_status symcf_minimal_count_features(symcf_minimal *e, symcf_control *control, uint64_t **limbs,
                                              size_t *width)
    uint64_t symcf_minimal_size(const symcf_minimal *e)
    void symcf_minimal_free(symcf_minimal *e)

    ctypedef struct symcf_shapley:
        pass

    symcf_status symcf_shapley_open(const symcf_diagram *d, const uint32_t *value_offset, const double *share,
                                    symcf_shapley **out)
    symcf_status symcf_shapley_values(symcf_shapley *s, const uint32_t *x, uint32_t sink, symcf_control *control,
                                      double *value)
    void symcf_shapley_free(symcf_shapley *s)
    ctypedef struct symcf_ensemble_search:
        pass

    symcf_status symcf_ensemble_open(const symcf_ensemble *e, const symcf_query *q, uint32_t k, uint32_t sink,
                                     symcf_ensemble_search **out)
    void symcf_ensemble_close(symcf_ensemble_search *s)
    symcf_status symcf_ensemble_next(symcf_ensemble_search *s, symcf_control *control, uint64_t limit,
                                     symcf_sets *sets)
    symcf_status symcf_ensemble_best(symcf_ensemble_search *s, uint64_t k, symcf_control *control, symcf_sets *sets)
    uint32_t symcf_ensemble_complete(const symcf_ensemble_search *s)
    symcf_status symcf_ensemble_reasons(symcf_ensemble_search *s, symcf_control *control, symcf_sets *reasons)
    symcf_status symcf_ensemble_find(const symcf_ensemble *e, const symcf_query *q, uint32_t k, uint32_t sink,
                                     symcf_control *control, c_bool *found, uint32_t *row)
    ctypedef struct symcf_nearest_result:
        c_bool found
        int64_t cost
        int64_t bound
        uint64_t n_boxes
        uint64_t n_prepared
        double first_seconds
    symcf_status symcf_ensemble_nearest_row(const symcf_ensemble *e, const symcf_query *q, uint32_t k, uint32_t sink,
                                            const int64_t *cost, const uint32_t *rank, symcf_control *control,
                                            symcf_nearest_result *out, uint32_t *row)
    symcf_status symcf_ensemble_choose(const symcf_ensemble *e, const symcf_query *q, uint32_t k, uint32_t sink,
                                       const uint32_t *features, uint32_t size, const int64_t *cost,
                                       symcf_control *control, c_bool *found, uint32_t *codes, int64_t *total)

    # values
    ctypedef struct symcf_aim:
        const symcf_threshold *const *t
        uint32_t n_functions
        const int64_t *shift
        c_bool fall
        c_bool every
        const symcf_relation *relation
        const symcf_diagram *d
        uint32_t sink

    ctypedef struct symcf_options:
        const int64_t *cost
        const int64_t *move
        const uint32_t *name

    ctypedef struct symcf_chooser:
        pass

    symcf_status symcf_chooser_open(const symcf_aim *aim, uint32_t n, const uint32_t *value_offset,
                                    symcf_chooser **out)
    void symcf_chooser_free(symcf_chooser *c)
    void symcf_chooser_reset(symcf_chooser *c, const uint32_t *x, const symcf_options *options)
    symcf_status symcf_choose(symcf_chooser *c, const uint32_t *features, uint32_t size, symcf_control *control,
                              uint32_t *names, int64_t *cost)
    symcf_status symcf_choose_best(symcf_chooser *c, uint32_t max_changes, uint64_t k, symcf_control *control,
                                   symcf_sets *sets)

    # batches
    ctypedef struct symcf_price:
        int64_t flat
        const int64_t *table
        const int64_t *low
        const int64_t *high
        int64_t step
        uint32_t place

    uint32_t SYMCF_NO_PLACES

    ctypedef struct symcf_goal:
        const symcf_diagram *d
        const symcf_ensemble *e
        uint32_t k
        uint32_t sink

    ctypedef struct symcf_batch_request:
        const uint8_t *allowed
        const uint8_t *direction
        const int64_t *cost
        const symcf_price *price
        const int64_t *place
        uint32_t n_places
        const symcf_aim *aims
        const symcf_goal *goals
        const symcf_relation *relation
        const symcf_likely *likely
        uint32_t max_changes
        uint64_t k
        uint64_t max_results
        uint64_t max_memory
        double row_seconds
        int target
        c_bool sorted
        c_bool mark_bad_rows
        c_bool reasons

    ctypedef struct symcf_growing_map:
        void *data
        uint64_t size

    ctypedef struct symcf_columns:
        uint64_t m
        uint64_t n_sets
        uint64_t n_features
        int64_t *row_offsets
        symcf_growing_map set_offsets
        symcf_growing_map features
        uint8_t *status
        uint8_t *prediction

    ctypedef struct symcf_batch:
        pass

    void symcf_columns_free(symcf_columns *c)
    void symcf_release_memory()
    symcf_status symcf_batch_open(const symcf_classifier *c, const uint32_t *value_offset, const symcf_rows *rows,
                                  const symcf_batch_request *request, symcf_control *control, symcf_batch **out)
    symcf_status symcf_batch_work(symcf_batch *b, symcf_control *control)
    uint64_t symcf_batch_progress(const symcf_batch *b)
    symcf_status symcf_batch_finish(symcf_batch *b, symcf_columns *out, uint64_t *bad_row, uint32_t *bad_feature)
    void symcf_batch_free(symcf_batch *b)

    ctypedef struct symcf_gains:
        size_t m
        uint32_t n
        uint32_t n_rivals
        const int64_t *gain
        const int64_t *deficit

    symcf_status symcf_cover_rows(const symcf_gains *gains, const symcf_batch_request *request, symcf_control *control,
                                  symcf_sets *sets, uint64_t *n_sets, uint8_t *row_status)

    ctypedef struct symcf_moves_table:
        uint32_t n
        const uint32_t *value_offset
        const uint32_t *own
        const uint32_t *chain_start
        const uint32_t *step_start
        const uint32_t *code
        const uint32_t *value
        const int64_t *price

    ctypedef struct symcf_moves_goal:
        const symcf_threshold *const *rival
        uint32_t n_rivals
        c_bool upwards

    ctypedef struct symcf_moves_rows:
        size_t m
        const uint32_t *own
        const symcf_moves_goal *goals
        const uint8_t *goal

    symcf_status symcf_moves_of_rows(const symcf_moves_table *table, const symcf_moves_rows *rows,
                                     const symcf_batch_request *request, symcf_control *control, symcf_sets *sets,
                                     uint64_t *n_sets, uint8_t *row_status)
