/* cover_rows.c: minimal covers of many rows, each given by its gains.
 *
 * Where columns hold numbers, no two rows share their values, so there is no threshold function of
 * all rows; but what the engine `cover` needs of a row are the gains of its features and the
 * deficit (cover.h), for each rival where there are several classes. A row becomes a threshold
 * function over features that change or do not.
 */
#include "memory.h"
#include "symcf.h"
#include "try.h"

typedef struct row_solver {
	const symcf_gains *gains;
	const symcf_batch_request *request;
	uint32_t *value_offset, *x; /* n + 1, n: features of two values, none changed */
	int64_t *weight;            /* 2n                                             */
	symcf_threshold **rival;    /* n_rivals, the row's                            */
	symcf_query query;
} row_solver;

static void free_rivals(row_solver *s)
{
	for (uint32_t r = 0; r < s->gains->n_rivals; r++) {
		symcf_threshold_free(s->rival[r]);
		s->rival[r] = NULL;
	}
}

static void free_solver(row_solver *s)
{
	if (s->rival)
		free_rivals(s);
	symcf_free(s->value_offset);
	symcf_free(s->x);
	symcf_free(s->weight);
	symcf_free(s->rival);
}

static symcf_status open_solver(row_solver *s)
{
	const uint32_t n = s->gains->n;
	s->value_offset = symcf_allocate((size_t)n + 1, sizeof *s->value_offset);
	s->x = symcf_allocate_zeroed(n, sizeof *s->x);
	s->weight = symcf_allocate_zeroed((size_t)2 * n, sizeof *s->weight);
	s->rival = symcf_allocate_zeroed(s->gains->n_rivals, sizeof *s->rival);
	if (!s->value_offset || !s->x || !s->weight || !s->rival)
		return symcf_no_memory();
	for (uint32_t j = 0; j <= n; j++)
		s->value_offset[j] = 2 * j;
	s->query =
		(symcf_query){.x = s->x, .cost = s->request->cost, .max_changes = s->request->max_changes};
	return SYMCF_OK;
}

static symcf_status read_row(row_solver *s, size_t row)
{
	const symcf_gains *g = s->gains;
	for (uint32_t r = 0; r < g->n_rivals; r++) {
		const int64_t *gain = g->gain + (row * g->n_rivals + r) * g->n;
		for (uint32_t j = 0; j < g->n; j++)
			s->weight[2 * j + 1] = gain[j] > 0 ? gain[j] : 0;
		TRY(symcf_threshold_create(g->n, s->value_offset, s->weight,
		                           -g->deficit[row * g->n_rivals + r], &s->rival[r]));
	}
	return SYMCF_OK;
}

static symcf_status best_sets(const row_solver *s, uint64_t k, symcf_control *control,
                              symcf_sets *sets)
{
	const symcf_threshold *const *rival = (const symcf_threshold *const *)s->rival;
	return s->gains->n_rivals == 1 ? symcf_cover_best(rival[0], &s->query, k, control, sets)
	                               : symcf_multiclass_cover_best(rival, s->gains->n_rivals,
	                                                             &s->query, k, control, sets);
}

static symcf_status list_sets(const row_solver *s, uint64_t limit, symcf_control *control,
                              symcf_sets *sets)
{
	const symcf_threshold *const *rival = (const symcf_threshold *const *)s->rival;
	symcf_cover *cover = NULL;
	symcf_multiclass_cover *several = NULL;
	symcf_status status;
	if (s->gains->n_rivals == 1) {
		status = symcf_cover_open(rival[0], &s->query, &cover);
		if (!status)
			status = symcf_cover_next(cover, control, limit, sets);
	} else {
		status = symcf_multiclass_cover_open(rival, s->gains->n_rivals, &s->query, &several);
		if (!status)
			status = symcf_multiclass_cover_next(several, control, limit, sets);
	}
	symcf_cover_free(cover);
	symcf_multiclass_cover_free(several);
	return status;
}

/* The sets of one row, at the end of the list. ensures: *row_status. */
static symcf_status solve_row(row_solver *s, size_t row, symcf_control *control, symcf_sets *sets,
                              uint8_t *row_status)
{
	const symcf_batch_request *r = s->request;
	const uint64_t first = sets->n_sets,
				   most = r->max_memory / (sizeof(int64_t) + sizeof(int32_t)) + 1;
	uint64_t limit = r->max_results ? r->max_results : UINT64_MAX;
	const uint64_t k = r->k < limit ? r->k : limit;
	limit = limit < most ? limit : most; /* more could not be held */
	symcf_status status = read_row(s, row);
	if (!status)
		status = r->k ? best_sets(s, k < most ? k : most, control, sets)
		              : list_sets(s, limit, control, sets);
	free_rivals(s);
	const bool cut = status == SYMCF_MORE || (k < r->k && sets->n_sets - first == k);
	if (status == SYMCF_LIMIT_TIME) {
		*row_status = SYMCF_ROW_TIME;
		return SYMCF_LIMIT_TIME;
	}
	if (status && status != SYMCF_MORE)
		return status;
	*row_status = cut ? SYMCF_ROW_MAX_RESULTS : SYMCF_ROW_COMPLETE;
	if (sets->n_sets * sizeof(int64_t) + sets->n_features * sizeof(int32_t) > r->max_memory)
		return SYMCF_LIMIT_MEMORY;
	return r->k || !r->sorted ? SYMCF_OK : symcf_sets_sort_from(sets, first, r->cost, control);
}

static symcf_status solve_rows(row_solver *s, symcf_control *control, symcf_sets *sets,
                               uint64_t *n_sets, uint8_t *row_status)
{
	for (size_t row = 0; row < s->gains->m; row++) {
		n_sets[row] = 0;
		row_status[row] = SYMCF_ROW_TIME;
	}
	for (size_t row = 0; row < s->gains->m; row++) {
		const uint64_t first = sets->n_sets;
		symcf_status status = symcf_tick(control, 1000);
		if (!status)
			status = solve_row(s, row, control, sets, &row_status[row]);
		n_sets[row] = sets->n_sets - first;
		if (status == SYMCF_LIMIT_TIME) { /* while sorting, too: as found */
			row_status[row] = SYMCF_ROW_TIME;
			return SYMCF_OK;
		}
		TRY(status);
	}
	return SYMCF_OK;
}

symcf_status symcf_cover_rows(const symcf_gains *gains, const symcf_batch_request *request,
                              symcf_control *control, symcf_sets *sets, uint64_t *n_sets,
                              uint8_t *row_status)
{
	row_solver s = {.gains = gains, .request = request};
	symcf_status status = open_solver(&s);
	if (!status)
		status = solve_rows(&s, control, sets, n_sets, row_status);
	free_solver(&s);
	return status;
}
