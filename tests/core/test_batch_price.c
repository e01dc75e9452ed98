/* test_batch_price.c: batches whose costs depend on values, and batches within relations, against the
 * engines asked row by row. */
#include "support.h"

enum { ROUNDS = 400, ROWS = 25, ALL_VALUES = MOST_FEATURES * MOST_VALUES };

typedef struct world {
	symcf_threshold *t;
	symcf_diagram *d;
	uint32_t data[ROWS * MOST_FEATURES];
	int64_t place[ROWS * MOST_FEATURES], table[MOST_FEATURES][MOST_VALUES * MOST_VALUES];
	int64_t low[MOST_FEATURES][MOST_VALUES], high[MOST_FEATURES][MOST_VALUES];
	symcf_price price[MOST_FEATURES];
	uint8_t allowed[ALL_VALUES], direction[MOST_FEATURES];
	uint32_t related[2];
	uint8_t holds[MOST_VALUES * MOST_VALUES];
	symcf_relation relation;
	symcf_aim aims[2];
	symcf_goal goals[2];
	symcf_batch_request request;
	symcf_classifier classifier;
	symcf_rows rows;
} world;

static void make_price(world *w, uint32_t j)
{
	const uint32_t d = values_of(w->t, j);
	symcf_price *p = &w->price[j];
	*p = (symcf_price){.flat = random_between(1, 4), .step = 1, .place = SYMCF_NO_PLACES};
	for (uint32_t i = 0; i < d * d; i++)
		w->table[j][i] = random_between(1, 5);
	for (uint32_t v = 0; v < d; v++) {
		w->low[j][v] = 10 * (int64_t)v;
		w->high[j][v] = w->low[j][v] + (random_below(5) ? random_between(0, 9) : -1);
	}
	if (random_below(3) == 0) {
		p->table = w->table[j];
	} else if (random_below(2)) {
		p->low = w->low[j];
		p->high = w->high[j];
		p->step = random_between(1, 3);
		p->place = random_below(2) ? j : SYMCF_NO_PLACES;
	}
}

/* With `way`: 0 sums, 1 sums within a relation, 2 diagrams. */
static void make_world(world *w, uint32_t way)
{
	const uint32_t n = 1 + random_below(5);
	memset(w, 0, sizeof *w);
	w->t = random_threshold(n, 4, 6);
	w->d = compile_natural(w->t);
	w->relation = (symcf_relation){0, w->related, w->holds, 1};
	for (uint32_t j = 0; j < n; j++) {
		make_price(w, j);
		w->direction[j] = (uint8_t)random_below(3);
		if (w->relation.n < 2 && random_below(2)) {
			w->related[w->relation.n++] = j;
			w->relation.n_combinations *= values_of(w->t, j);
		}
		for (uint32_t i = 0; i < ROWS; i++) {
			const uint32_t v = random_below(values_of(w->t, j));
			w->data[i * n + j] = v;
			w->place[i * n + j] =
				random_below(9) ? 10 * (int64_t)v + random_between(0, 9) : INT64_MIN;
		}
	}
	for (uint64_t i = 0; i < w->relation.n_combinations; i++)
		w->holds[i] = random_below(3) > 0;
	for (uint32_t i = 0; i < w->t->value_offset[n]; i++)
		w->allowed[i] = random_below(6) > 0;
	for (uint32_t class = 0; class < 2; class++) {
		w->aims[class] = (symcf_aim){
			.t = (const symcf_threshold *const *)&w->t, .n_functions = 1, .fall = class};
		w->aims[class].relation = way == 1 ? &w->relation : NULL;
		w->goals[class] = (symcf_goal){.d = w->d, .sink = !class};
	}
	w->classifier = (symcf_classifier){.n_classes = 2, .t = w->t};
	w->rows = (symcf_rows){w->data, SYMCF_UINT32, ROWS, n, NULL, NULL};
	w->request =
		(symcf_batch_request){.allowed = random_below(2) ? w->allowed : NULL,
		                      .direction = random_below(2) ? w->direction : NULL,
		                      .price = w->price,
		                      .place = w->place,
		                      .n_places = n,
		                      .aims = w->aims,
		                      .goals = way == 2 ? w->goals : NULL,
		                      .relation = way == 1 ? &w->relation : NULL,
		                      .max_changes = random_below(3) ? UINT32_MAX : random_below(n + 1),
		                      .k = random_below(2) ? 0 : 1 + random_below(4),
		                      .max_memory = 1 << 20,
		                      .target = -1,
		                      .sorted = true};
}

static void free_world(world *w)
{
	symcf_threshold_free(w->t);
	symcf_diagram_free(w->d);
}

/* By the definition. */
static int64_t cost_of(const world *w, uint32_t row, uint32_t j, uint32_t v)
{
	const symcf_price *p = &w->price[j];
	const uint32_t old = w->data[row * w->t->n + j];
	int64_t place = p->low ? p->low[old] : 0;
	if (p->table)
		return p->table[old * values_of(w->t, j) + v];
	if (p->low && p->place != SYMCF_NO_PLACES)
		place = w->place[row * w->t->n + j];
	if (!p->low || place == INT64_MIN || p->low[old] > p->high[old] || p->low[v] > p->high[v])
		return p->flat;
	int64_t way = 1;
	way = p->low[v] - place > way ? p->low[v] - place : way;
	way = place - p->high[v] > way ? place - p->high[v] : way;
	return way * p->step;
}

static bool may(const world *w, uint32_t row, uint32_t j, uint32_t v)
{
	const uint32_t old = w->data[row * w->t->n + j];
	const uint8_t *direction = w->request.direction;
	if (w->request.allowed && !w->allowed[w->t->value_offset[j] + v])
		return false;
	return !direction || direction[j] == SYMCF_ANY ||
	       (direction[j] == SYMCF_UP ? v > old : v < old);
}

static bool obeys(const world *w, const uint32_t *row)
{
	uint64_t c = 0;
	for (uint32_t i = 0; i < w->relation.n; i++)
		c = c * values_of(w->t, w->related[i]) + row[w->related[i]];
	return !w->request.relation || w->holds[c];
}

/* The minimal sets of a row in order, and no others, by looking at all inputs. */
static symcf_sets wanted_of(const world *w, uint32_t row)
{
	const uint32_t n = w->t->n, *x = w->data + row * n, now = decide(w->t, x);
	int64_t cheapest[1 << 5], price[1 << 5];
	uint32_t to[MOST_FEATURES] = {0}, found = 0;
	symcf_sets sets = {0};
	for (uint32_t set = 0; set < 1u << 5; set++)
		cheapest[set] = INT64_MAX;
	do {
		uint32_t set = 0;
		int64_t cost = 0;
		bool fine = decide(w->t, to) != now && obeys(w, to);
		for (uint32_t j = 0; j < n && fine; j++)
			if (to[j] != x[j]) {
				set |= 1u << j;
				cost += cost_of(w, row, j, to[j]);
				fine = may(w, row, j, to[j]);
			}
		if (fine && cost < cheapest[set])
			cheapest[set] = cost;
	} while (next_input(w->t, to));
	for (uint32_t set = 0; set < 1u << n; set++) {
		uint32_t features[MOST_FEATURES], size = 0;
		bool minimal = cheapest[set] < INT64_MAX;
		for (uint32_t part = 0; part < set && minimal; part++)
			minimal = (part & set) != part || cheapest[part] == INT64_MAX;
		for (uint32_t j = 0; j < n; j++)
			if (set >> j & 1)
				features[size++] = j;
		if (!minimal || size > w->request.max_changes)
			continue;
		price[found++] = cheapest[set];
		CHECK_EQ_INT(symcf_sets_push(&sets, features, size), SYMCF_OK);
	}
	CHECK_EQ_INT(symcf_sets_sort_priced(&sets, 0, price, NULL), SYMCF_OK);
	return sets;
}

static symcf_status run(const world *w, symcf_columns *columns)
{
	symcf_batch *b = NULL;
	uint64_t bad_row;
	uint32_t bad_feature;
	symcf_status status =
		symcf_batch_open(&w->classifier, w->t->value_offset, &w->rows, &w->request, NULL, &b);
	if (!status)
		status = symcf_batch_work(b, NULL);
	if (!status)
		status = symcf_batch_finish(b, columns, &bad_row, &bad_feature);
	symcf_batch_free(b);
	return status;
}

static void check_row(const world *w, const symcf_columns *columns, uint32_t row)
{
	symcf_sets wanted = wanted_of(w, row);
	const int64_t *end = (const int64_t *)columns->set_offsets.data + 1;
	const int32_t *features = columns->features.data;
	const int64_t first = columns->row_offsets[row];
	const uint64_t k = w->request.k ? w->request.k : UINT64_MAX;
	const uint64_t count = wanted.n_sets < k ? wanted.n_sets : k;
	CHECK_EQ_INT(columns->row_offsets[row + 1] - first, count);
	CHECK_EQ_INT(columns->status[row], SYMCF_ROW_COMPLETE);
	int64_t at = first ? end[first - 1] : 0;
	for (uint64_t i = 0, start = 0; i < count; start = wanted.end[i++]) {
		REQUIRE(end[first + (int64_t)i] - at == (int64_t)(wanted.end[i] - start));
		for (uint64_t f = start; f < wanted.end[i]; f++)
			CHECK_EQ_INT(features[at++], wanted.features[f]);
	}
	symcf_sets_free_arrays(&wanted);
}

static void rows_are_what_trying_everything_finds(void)
{
	for (uint32_t round = 0; round < ROUNDS; round++) {
		world w;
		symcf_columns columns = {0};
		make_world(&w, round % 3);
		REQUIRE(run(&w, &columns) == SYMCF_OK);
		for (uint32_t row = 0; row < ROWS; row++)
			check_row(&w, &columns, row);
		symcf_columns_free(&columns);
		free_world(&w);
	}
}

static symcf_status attempt(const void *data)
{
	symcf_columns columns = {0};
	const symcf_status status = run(data, &columns);
	symcf_columns_free(&columns);
	return status;
}

static void memory_may_fail(void)
{
	uint32_t failures = 0;
	for (uint32_t round = 0; round < 12; round++) {
		world w;
		make_world(&w, round % 3);
		failures += fail_each_allocation(attempt, &w);
		free_world(&w);
	}
	CHECK(failures > 300);
	symcf_release_memory();
}

int main(void)
{
	RUN(rows_are_what_trying_everything_finds);
	RUN(memory_may_fail);
	return check_report();
}
