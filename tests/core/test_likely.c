/* test_likely.c: minimal changes to rows that are likely enough, against trying everything. */
#include "change_sets.h"
#include "support.h"

enum { ROUNDS = 8000, MOST_TABLE = MOST_FEATURES * MOST_VALUES * MOST_VALUES };

/* A sum of tables: by position, the feature, the position that it depends on, and a table of both. */
typedef struct world {
	symcf_threshold *t;
	symcf_likely *likely;
	uint32_t x[MOST_FEATURES], feature[MOST_FEATURES], up[MOST_FEATURES], cells[MOST_FEATURES];
	uint32_t cell[MOST_FEATURES * MOST_VALUES];
	int64_t table[MOST_TABLE], least;
	uint64_t table_size;
	uint8_t allowed[MOST_FEATURES * MOST_VALUES];
	symcf_query query;
} world;

static symcf_status create(const world *w, symcf_likely **out)
{
	return symcf_likely_create(w->t->n, w->t->value_offset, w->cell, w->feature, w->up, w->cells,
	                           w->table, w->table_size, w->least, out);
}

static int64_t sum_of(const world *w, const uint32_t *row)
{
	const int64_t *table = w->table;
	uint32_t cell[MOST_FEATURES];
	int64_t sum = 0;
	for (uint32_t p = 0; p < w->t->n; p++) {
		const uint32_t j = w->feature[p], up = w->up[p];
		cell[p] = w->cell[w->t->value_offset[j] + row[j]];
		sum += table[(up == SYMCF_LIKELY_ROOT ? 0 : cell[up]) * w->cells[p] + cell[p]];
		table += (up == SYMCF_LIKELY_ROOT ? 1 : w->cells[up]) * w->cells[p];
	}
	return sum;
}

static void fill_world(world *w)
{
	uint32_t row[MOST_FEATURES];
	const uint32_t n = w->t->n;
	for (uint32_t p = 0; p < n; p++)
		w->feature[p] = p;
	for (uint32_t p = n; p > 1; p--) {
		const uint32_t other = random_below(p), feature = w->feature[other];
		w->feature[other] = w->feature[p - 1];
		w->feature[p - 1] = feature;
	}
	const int64_t range = random_between(1, 20);
	for (uint32_t p = 0; p < n; p++) {
		const uint32_t j = w->feature[p], values = values_of(w->t, j);
		w->cells[p] = random_below(4) ? values : 1 + random_below(values);
		for (uint32_t v = 0; v < values; v++)
			w->cell[w->t->value_offset[j] + v] =
				w->cells[p] == values ? v : random_below(w->cells[p]);
		w->up[p] = p && random_below(5) ? random_below(p) : SYMCF_LIKELY_ROOT;
		const uint32_t above = w->up[p] == SYMCF_LIKELY_ROOT ? 1 : w->cells[w->up[p]];
		for (uint32_t i = 0; i < above * w->cells[p]; i++)
			w->table[w->table_size++] = random_between(-range, range);
		w->x[j] = random_below(values);
		row[j] = random_below(values);
	}
	w->least = sum_of(w, row); /* of a row among all */
	for (uint32_t i = 0; i < w->t->value_offset[n]; i++)
		w->allowed[i] = random_below(5) > 0;
	w->query = (symcf_query){.x = w->x,
	                         .allowed = random_below(2) ? w->allowed : NULL,
	                         .max_changes = random_below(3) ? UINT32_MAX : random_below(n + 1)};
	REQUIRE(create(w, &w->likely) == SYMCF_OK);
}

/* Six features of four values, so that lists of choices are long. */
static symcf_threshold *rich_threshold(void)
{
	uint32_t value_offset[7];
	int64_t weight[24], total = 0;
	symcf_threshold *t = NULL;
	for (uint32_t j = 0; j <= 6; j++)
		value_offset[j] = 4 * j;
	for (uint32_t i = 0; i < 24; i++)
		total += weight[i] = random_between(-50, 50);
	CHECK_EQ_INT(symcf_threshold_create(6, value_offset, weight, -total / 4, &t), SYMCF_OK);
	return t;
}

static void make_world(world *w)
{
	const uint32_t n = 3 + random_below(4);
	memset(w, 0, sizeof *w);
	w->t = random_below(8) ? random_threshold(n, MOST_VALUES, 5) : rich_threshold();
	fill_world(w);
}

static void free_world(world *w)
{
	symcf_likely_free(w->likely);
	symcf_threshold_free(w->t);
}

/* By set of features: does some row that changes no others do it? */
static void try_all(const world *w, bool *flip)
{
	const uint32_t now = decide(w->t, w->x), n = w->t->n;
	uint32_t row[MOST_FEATURES] = {0};
	memset(flip, 0, sizeof *flip << n);
	do {
		uint32_t changed = 0;
		bool fine = decide(w->t, row) != now && sum_of(w, row) >= w->least;
		for (uint32_t j = 0; j < n && fine; j++)
			if (row[j] != w->x[j]) {
				changed |= UINT32_C(1) << j;
				fine = !w->query.allowed || w->allowed[w->t->value_offset[j] + row[j]];
			}
		for (uint32_t set = 0; set < UINT32_C(1) << n && fine; set++)
			flip[set] |= (set & changed) == changed;
	} while (next_input(w->t, row));
}

static void sets_are_those_of_trying_everything(void)
{
	uint64_t total = 0;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		world w;
		bool flip[1 << 6];
		symcf_likely_cover *e = NULL;
		symcf_sets found = {0}, first = {0}, wanted = {0};
		make_world(&w);
		try_all(&w, flip);
		minimal_masks(flip, w.t->n, &w.query, &wanted);
		REQUIRE(symcf_likely_cover_open(w.t, w.likely, &w.query, &e) == SYMCF_OK);
		const uint64_t k = random_below(4), step = 1 + random_below(3);
		CHECK_EQ_INT(symcf_likely_cover_best(e, k, NULL, &first), SYMCF_OK);
		CHECK(is_prefix(&first, &wanted));
		CHECK_EQ_INT(first.n_sets, k < wanted.n_sets ? k : wanted.n_sets);
		while (symcf_likely_cover_next(e, NULL, step, &found) == SYMCF_MORE)
			CHECK(found.n_sets <= wanted.n_sets);
		CHECK_EQ_INT(symcf_sets_sort_from(&found, 0, NULL, NULL), SYMCF_OK);
		CHECK(same_sets(&found, &wanted));
		total += found.n_sets;
		for (uint32_t j = 0; j < w.t->n; j++) /* another instance of the same engine */
			w.x[j] = random_below(values_of(w.t, j));
		w.query.allowed = random_below(2) ? w.allowed : NULL;
		try_all(&w, flip);
		minimal_masks(flip, w.t->n, &w.query, &wanted);
		symcf_likely_cover_reset(e, &w.query);
		symcf_sets_clear(&found);
		CHECK_EQ_INT(symcf_likely_cover_next(e, NULL, UINT64_MAX, &found), SYMCF_OK);
		CHECK_EQ_INT(symcf_sets_sort_from(&found, 0, NULL, NULL), SYMCF_OK);
		CHECK(same_sets(&found, &wanted));
		symcf_sets_free_arrays(&found);
		symcf_sets_free_arrays(&first);
		symcf_sets_free_arrays(&wanted);
		symcf_likely_cover_free(e);
		free_world(&w);
	}
	CHECK(total > ROUNDS / 2);
}

static symcf_status list_and_rank(const void *data)
{
	const world *w = data;
	symcf_likely *likely = NULL;
	symcf_likely_cover *e = NULL;
	symcf_sets sets = {0};
	symcf_status status = create(w, &likely);
	if (!status)
		status = symcf_likely_cover_open(w->t, likely, &w->query, &e);
	if (!status)
		status = symcf_likely_cover_next(e, NULL, UINT64_MAX, &sets);
	if (!status)
		status = symcf_likely_cover_best(e, 2, NULL, &sets);
	symcf_sets_free_arrays(&sets);
	symcf_likely_cover_free(e);
	symcf_likely_free(likely);
	return status;
}

static void memory_may_fail(void)
{
	uint32_t failures = 0;
	for (uint32_t round = 0; round < 60; round++) {
		world w;
		make_world(&w);
		failures += fail_each_allocation(list_and_rank, &w);
		free_world(&w);
	}
	CHECK(failures > 300);
}

/* Thirty features, each linked with the one before. */
static void make_chain(world *w, uint32_t *cell, uint32_t *feature, uint32_t *up, uint32_t *cells,
                       int64_t *table, symcf_likely **likely)
{
	uint32_t used = 0;
	w->t = large_threshold(30);
	for (uint32_t p = 0; p < 30; p++) {
		cell[2 * p] = 0;
		cell[2 * p + 1] = 1;
		feature[p] = p;
		up[p] = p ? p - 1 : SYMCF_LIKELY_ROOT;
		cells[p] = 2;
		for (uint32_t i = 0; i < (p ? 4 : 2); i++)
			table[used++] = random_between(-9, 9);
	}
	REQUIRE(symcf_likely_create(30, w->t->value_offset, cell, feature, up, cells, table, used, -20,
	                            likely) == SYMCF_OK);
}

static void a_long_list_can_be_stopped(void)
{
	uint32_t x[30] = {0}, cell[60], feature[30], up[30], cells[30], calls;
	int64_t table[120];
	const symcf_query query = {.x = x, .max_changes = UINT32_MAX};
	world w;
	symcf_likely *likely = NULL;
	symcf_likely_cover *e = NULL;
	symcf_sets sets = {0};
	make_chain(&w, cell, feature, up, cells, table, &likely);
	REQUIRE(symcf_likely_cover_open(w.t, likely, &query, &e) == SYMCF_OK);
	symcf_control control = interrupting(&calls), late = too_late();
	CHECK_EQ_INT(symcf_likely_cover_next(e, &control, UINT64_MAX, &sets), SYMCF_INTERRUPTED);
	symcf_likely_cover_reset(e, &query);
	CHECK_EQ_INT(symcf_likely_cover_next(e, &late, UINT64_MAX, &sets), SYMCF_LIMIT_TIME);
	symcf_likely_cover_reset(e, &query);
	symcf_sets_clear(&sets);
	CHECK_EQ_INT(symcf_likely_cover_best(e, UINT64_MAX, &late, &sets), SYMCF_LIMIT_TIME);
	CHECK_EQ_INT(sets.n_sets, 0);
	symcf_sets_free_arrays(&sets);
	symcf_likely_cover_free(e);
	symcf_likely_free(likely);
	symcf_threshold_free(w.t);
}

static void parts_that_do_not_fit_are_refused(void)
{
	for (uint32_t round = 0; round < 200; round++) {
		world w;
		symcf_likely *likely = NULL;
		make_world(&w);
		const uint32_t p = random_below(w.t->n);
		const uint32_t fault = random_below(6);
		if (fault == 0)
			w.feature[p] = w.t->n;
		if (fault == 1)
			w.up[p] = p;
		if (fault == 2)
			w.cell[random_below(w.t->value_offset[w.t->n])] = MOST_VALUES;
		if (fault == 3)
			w.table_size--;
		if (fault == 4)
			w.table[random_below((uint32_t)w.table_size)] = INT64_C(1) << 48;
		if (fault == 5)
			w.least = INT64_MIN;
		CHECK_EQ_INT(create(&w, &likely), SYMCF_INVALID);
		w.cells[p] = SYMCF_LIKELY_CELLS + 1;
		CHECK_EQ_INT(create(&w, &likely), SYMCF_UNSUPPORTED);
		free_world(&w);
	}
}

int main(void)
{
	RUN(sets_are_those_of_trying_everything);
	RUN(memory_may_fail);
	RUN(a_long_list_can_be_stopped);
	RUN(parts_that_do_not_fit_are_refused);
	return check_report();
}
