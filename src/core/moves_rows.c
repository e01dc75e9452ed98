/* moves_rows.c: counterfactuals with minimal moves of many rows, where sums of weights decide.
 *
 * What a feature can move to depends on its own value alone. So the chains of all own values stand in
 * one table, the steps of a row are copied from there, feature by feature, and moves_cover.c does the
 * rest. What it finds are steps; a counterfactual is the last step of each chain.
 */
#include "memory.h"
#include "symcf.h"
#include "try.h"

/* Of a row that time cut short, so many sets are given in order; sorting more would take longer than
 * the limit allows. */
enum { SORTED_LATE = 1 << 16 };

typedef struct row_solver {
	const symcf_moves_table *table;
	const symcf_batch_request *request;
	symcf_control *control;
	symcf_moves moves;
	/* of the row */
	uint32_t *x, *chain_start;        /* n, n + 1                                   */
	uint32_t *step_start;             /* by chain, and one more                     */
	uint32_t *code, *feature, *value; /* by step; value: to the caller              */
	uint32_t *chain;                  /* by step                                    */
	int64_t *price;                   /* by step                                    */
	uint32_t *pairs;                  /* 2n: a set to be                            */
	symcf_sets steps;
} row_solver;

static void free_solver(row_solver *s)
{
	symcf_free(s->x);
	symcf_free(s->chain_start);
	symcf_free(s->step_start);
	symcf_free(s->code);
	symcf_free(s->feature);
	symcf_free(s->value);
	symcf_free(s->chain);
	symcf_free(s->price);
	symcf_free(s->pairs);
	symcf_sets_free_arrays(&s->steps);
}

/* The most chains and steps that a row can have. */
static void most_of_rows(const symcf_moves_table *t, size_t *chains, size_t *steps)
{
	*chains = *steps = 0;
	for (uint32_t j = 0; j < t->n; j++) {
		size_t most_chains = 0, most_steps = 0;
		for (uint32_t v = t->value_offset[j]; v < t->value_offset[j + 1]; v++) {
			const uint32_t first = t->chain_start[v], end = t->chain_start[v + 1];
			const size_t n_steps = t->step_start[end] - t->step_start[first];
			most_chains = end - first > most_chains ? end - first : most_chains;
			most_steps = n_steps > most_steps ? n_steps : most_steps;
		}
		*chains += most_chains;
		*steps += most_steps;
	}
}

static symcf_status open_solver(row_solver *s)
{
	const size_t n = s->table->n;
	size_t chains, steps;
	most_of_rows(s->table, &chains, &steps);
	s->x = symcf_allocate(n, sizeof *s->x);
	s->chain_start = symcf_allocate(n + 1, sizeof *s->chain_start);
	s->step_start = symcf_allocate(chains + 1, sizeof *s->step_start);
	s->code = symcf_allocate(steps, sizeof *s->code);
	s->feature = symcf_allocate(steps, sizeof *s->feature);
	s->value = symcf_allocate(steps, sizeof *s->value);
	s->chain = symcf_allocate(steps, sizeof *s->chain);
	s->price = symcf_allocate(steps, sizeof *s->price);
	s->pairs = symcf_allocate(2 * n, sizeof *s->pairs);
	if (!s->x || !s->chain_start || !s->step_start || !s->code || !s->feature || !s->value ||
	    !s->chain || !s->price || !s->pairs)
		return symcf_no_memory();
	s->moves = (symcf_moves){.n = (uint32_t)n,
	                         .x = s->x,
	                         .chain_start = s->chain_start,
	                         .step_start = s->step_start,
	                         .code = s->code,
	                         .max_changes = s->request->max_changes};
	return SYMCF_OK;
}

/* Puts the steps of a row together. */
static void read_row(row_solver *s, const uint32_t *own)
{
	const symcf_moves_table *t = s->table;
	uint32_t chains = 0, steps = 0;
	s->step_start[0] = 0;
	for (uint32_t j = 0; j < t->n; j++) {
		const uint32_t v = t->value_offset[j] + own[j];
		s->x[j] = t->own[v];
		s->chain_start[j] = chains;
		for (uint32_t c = t->chain_start[v]; c < t->chain_start[v + 1]; c++) {
			for (uint32_t i = t->step_start[c]; i < t->step_start[c + 1]; i++, steps++) {
				s->code[steps] = t->code[i];
				s->value[steps] = t->value[i];
				s->price[steps] = t->price[i];
				s->feature[steps] = j;
				s->chain[steps] = chains;
			}
			s->step_start[++chains] = steps;
		}
	}
	s->chain_start[t->n] = chains;
}

/* Finds the sets of steps of the row that was read. */
static symcf_status search(row_solver *s, const symcf_moves_goal *goal, uint64_t k, uint64_t limit)
{
	symcf_moves_cover *cover = NULL;
	symcf_status status = symcf_moves_cover_open(goal->rival, goal->n_rivals, goal->upwards,
	                                             &s->moves, s->price, &cover);
	if (!status)
		status = k ? symcf_moves_cover_best(cover, k, s->control, &s->steps)
		           : symcf_moves_cover_next(cover, s->control, limit, &s->steps);
	symcf_moves_cover_free(cover);
	return status;
}

/* Appends what the steps lead to: of each set the pairs of a feature and its new value. */
static symcf_status put_pairs(row_solver *s, symcf_sets *sets)
{
	uint64_t i = 0;
	for (uint64_t set = 0; set < s->steps.n_sets; set++) {
		uint32_t size = 0;
		for (const uint64_t end = s->steps.end[set]; i < end; i++) {
			const uint32_t step = s->steps.features[i];
			if (i + 1 < end && s->chain[s->steps.features[i + 1]] == s->chain[step])
				continue;
			s->pairs[size++] = s->feature[step];
			s->pairs[size++] = s->value[step];
		}
		TRY(symcf_sets_push(sets, s->pairs, size));
	}
	return SYMCF_OK;
}

/* Sorts what was found before time was up, or the first of it. */
static symcf_status sort_late(row_solver *s)
{
	if (s->steps.n_sets > SORTED_LATE) {
		s->steps.n_sets = SORTED_LATE;
		s->steps.n_features = s->steps.end[SORTED_LATE - 1];
	}
	return symcf_sets_sort_from(&s->steps, 0, s->price, NULL);
}

/* The sets of one row, at the end of the list. ensures: *row_status. */
static symcf_status solve_row(row_solver *s, const uint32_t *own, const symcf_moves_goal *goal,
                              symcf_sets *sets, uint8_t *row_status)
{
	const symcf_batch_request *r = s->request;
	const uint64_t most = r->max_memory / (sizeof(int64_t) + sizeof(int32_t)) + 1;
	uint64_t limit = r->max_results ? r->max_results : UINT64_MAX;
	const uint64_t k = r->k < limit ? r->k : limit;
	limit = limit < most ? limit : most; /* more could not be held */
	read_row(s, own);
	symcf_sets_clear(&s->steps);
	symcf_status status = search(s, goal, r->k ? (k < most ? k : most) : 0, limit);
	const bool cut = status == SYMCF_MORE || (k < r->k && s->steps.n_sets == k);
	*row_status = cut ? SYMCF_ROW_MAX_RESULTS : SYMCF_ROW_COMPLETE;
	if (!r->k && (!status || status == SYMCF_MORE))
		status = symcf_sets_sort_from(&s->steps, 0, s->price, s->control);
	const bool late = status == SYMCF_LIMIT_TIME;
	if (late) {
		*row_status = SYMCF_ROW_TIME;
		TRY(sort_late(s));
	} else if (status) {
		return status;
	}
	TRY(put_pairs(s, sets));
	if (sets->n_sets * sizeof(int64_t) + sets->n_features * sizeof(int32_t) > r->max_memory)
		return SYMCF_LIMIT_MEMORY;
	return late ? SYMCF_LIMIT_TIME : SYMCF_OK;
}

static symcf_status solve_rows(row_solver *s, const symcf_moves_rows *rows, symcf_sets *sets,
                               uint64_t *n_sets, uint8_t *row_status)
{
	for (size_t row = 0; row < rows->m; row++) {
		n_sets[row] = 0;
		row_status[row] = SYMCF_ROW_TIME;
	}
	for (size_t row = 0; row < rows->m; row++) {
		const uint64_t first = sets->n_sets;
		symcf_status status = symcf_tick(s->control, 1000);
		if (!status)
			status = solve_row(s, rows->own + row * s->table->n, &rows->goals[rows->goal[row]],
			                   sets, &row_status[row]);
		n_sets[row] = sets->n_sets - first;
		if (status == SYMCF_LIMIT_TIME)
			return SYMCF_OK;
		TRY(status);
	}
	return SYMCF_OK;
}

symcf_status symcf_moves_of_rows(const symcf_moves_table *table, const symcf_moves_rows *rows,
                                 const symcf_batch_request *request, symcf_control *control,
                                 symcf_sets *sets, uint64_t *n_sets, uint8_t *row_status)
{
	row_solver s = {.table = table, .request = request, .control = control};
	symcf_status status = open_solver(&s);
	if (!status)
		status = solve_rows(&s, rows, sets, n_sets, row_status);
	free_solver(&s);
	return status;
}
