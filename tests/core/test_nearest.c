/* The row of least cost that trees decide as wanted, against brute force over all rows. */
#include "grove.h"

#include "../../src/core/ensemble_nearest.h"

enum { MOST_CLASSES = 3, COSTS = MOST_FEATURES * MOST_VALUES };

typedef struct ballot {
	grove g;
	uint32_t n_classes;
	int64_t scores[MOST_CLASSES * MOST_NODES];
	bool later_wins;
	symcf_ensemble *e;
} ballot;

static void random_ballot(ballot *b, uint32_t n, uint32_t values, uint32_t trees)
{
	const char *reason = NULL;
	random_grove(&b->g, n, values, trees, 18, 6);
	b->g.trees.bias = 0;
	/* in half of them every split is a cut, but sometimes the last value goes where it likes, as missing ones do */
	const bool cuts = random_below(2), missing = random_below(2);
	for (uint64_t u = 0; u < b->g.start[trees] && cuts; u++) {
		const uint32_t size = b->g.feature[u] < 0 ? 0 : b->g.n_values[b->g.feature[u]];
		const uint32_t cut = random_below(size + 1);
		for (uint32_t v = 0; v + missing < size; v++)
			b->g.left_values[b->g.left_start[u] + v] = v < cut;
	}
	b->n_classes = 2 + random_below(2);
	b->later_wins = random_below(2);
	const int64_t scale = random_below(3) ? 1 : (INT64_C(1) << 61) / (14 * MOST_TREES);
	for (uint64_t i = 0; i < b->g.start[trees] * b->n_classes; i++)
		b->scores[i] = random_between(-6, 6) * scale;
	b->e = NULL;
	REQUIRE(symcf_ensemble_create(&b->g.trees, b->n_classes, b->scores, b->later_wins, NULL,
	                              &reason, &b->e) == SYMCF_OK);
}

static uint64_t leaf_of(const grove *g, uint32_t t, const uint32_t *x)
{
	uint64_t u = g->start[t];
	while (g->feature[u] != -1) {
		const bool left = g->left_values[g->left_start[u] + x[g->feature[u]]];
		u = g->start[t] + (uint64_t)(left ? g->left[u] : g->right[u]);
	}
	return u;
}

/* The class of a row, from the trees as they were given. */
static uint32_t class_of(const ballot *b, const uint32_t *x)
{
	int64_t sum[MOST_CLASSES] = {0};
	for (uint32_t t = 0; t < b->g.trees.n_trees; t++) {
		const uint64_t leaf = leaf_of(&b->g, t, x);
		for (uint32_t c = 0; c < b->n_classes; c++)
			sum[c] += b->scores[leaf * b->n_classes + c];
	}
	uint32_t best = 0;
	for (uint32_t c = 1; c < b->n_classes; c++)
		if (sum[c] > sum[best] || (sum[c] == sum[best] && b->later_wins))
			best = c;
	return best;
}

typedef struct trial {
	ballot b;
	uint32_t x[MOST_FEATURES], offset[MOST_FEATURES + 1], max_changes, k, sink;
	uint8_t allowed[COSTS];
	int64_t cost[COSTS];
	uint32_t rank[COSTS];
	/* the answer */
	bool any;
	int64_t least;
	uint32_t best[MOST_FEATURES];
} trial;

static bool comes_before(const trial *t, const uint32_t *y)
{
	for (uint32_t j = 0; j < t->b.g.trees.n; j++)
		if (y[j] != t->best[j])
			return t->rank[t->offset[j] + y[j]] < t->rank[t->offset[j] + t->best[j]];
	return false;
}

static void solve(trial *t)
{
	const uint32_t n = t->b.g.trees.n;
	uint32_t y[MOST_FEATURES] = {0};
	t->any = false;
	t->least = INT64_MAX;
	do {
		int64_t paid = 0;
		uint32_t changed = 0;
		bool may = true;
		for (uint32_t j = 0; j < n; j++) {
			const uint32_t at = t->offset[j] + y[j];
			if (y[j] == t->x[j])
				continue;
			changed++;
			may = may && t->cost[at] >= 0 && t->allowed[at];
			paid += t->cost[at];
		}
		may = may && changed <= t->max_changes && (class_of(&t->b, y) == t->k) == (t->sink == 1);
		if (may && (paid < t->least || (paid == t->least && comes_before(t, y)))) {
			t->any = true;
			t->least = paid;
			memcpy(t->best, y, sizeof y);
		}
	} while (next_codes(&t->b.g, y));
}

/* Costs that rise with the distance of codes, with and without ties, or any; some values not allowed. */
static void random_trial(trial *t, uint32_t n, uint32_t values, uint32_t trees)
{
	random_ballot(&t->b, n, values, trees);
	t->offset[0] = 0;
	const uint32_t kind = random_below(3);
	const int64_t scale = random_below(4) ? 1 : INT64_C(1) << 52;
	for (uint32_t j = 0; j < n; j++) {
		const uint32_t size = t->b.g.n_values[j];
		t->offset[j + 1] = t->offset[j] + size;
		t->x[j] = random_below(size);
		for (uint32_t v = 0; v < size; v++) {
			const uint32_t at = t->offset[j] + v;
			const int64_t away = v > t->x[j] ? v - t->x[j] : t->x[j] - v;
			t->cost[at] = scale * (kind == 0   ? away * (1 + (int64_t)j) * 5 + random_between(0, 4)
			                       : kind == 1 ? (away + 1) / 2
			                                   : random_between(1, 9));
			t->cost[at] = random_below(8) ? t->cost[at] : -1;
			t->allowed[at] = random_below(8) != 0;
			t->rank[at] = (v * 7 + 3) % 11;
		}
	}
	t->max_changes = random_below(3) ? UINT32_MAX : random_below(4);
	t->k = class_of(&t->b, t->x);
	t->sink = 0;
	if (random_below(2)) {
		t->k = (t->k + 1) % t->b.n_classes;
		t->sink = 1;
	}
	solve(t);
}

static void check_row(const trial *t, const symcf_nearest_result *found, const uint32_t *row)
{
	CHECK_EQ_INT(found->found, t->any);
	CHECK_EQ_INT(found->bound, t->least);
	CHECK_EQ_INT(found->cost, t->least);
	for (uint32_t j = 0; j < t->b.g.trees.n && t->any; j++)
		CHECK_EQ_INT(row[j], t->best[j]);
}

static void it_is_the_nearest(void)
{
	static trial t;
	uint32_t found = 0, far = 0;
	for (uint32_t round = 0; round < 3000; round++) {
		random_trial(&t, 1 + random_below(8), MOST_VALUES - random_below(2),
		             MOST_TREES - random_below(5));
		const symcf_query q = {.x = t.x, .allowed = t.allowed, .max_changes = t.max_changes};
		/* with few boxes at a time the others go through the heap */
		const uint32_t most[] = {1, 7, NEAREST_NODES};
		for (uint32_t i = 0; i < 3; i++) {
			symcf_nearest_result r;
			uint32_t row[MOST_FEATURES] = {0};
			CHECK_EQ_INT(
				symcf_nearest_tuned(t.b.e, &q, t.k, t.sink, t.cost, t.rank, most[i], NULL, &r, row),
				SYMCF_OK);
			check_row(&t, &r, row);
			far += r.n_prepared > 2;
		}
		found += t.any;
		symcf_ensemble_free(t.b.e);
	}
	CHECK(found > 1000 && found < 2900);
	CHECK(far > 100);
}

/* What is known when a limit ends the search is true. */
static void it_may_be_stopped(void)
{
	static trial t;
	uint32_t stopped = 0;
	for (uint32_t round = 0; round < 200; round++) {
		uint32_t calls;
		random_trial(&t, 6, 5, MOST_TREES);
		const symcf_query q = {.x = t.x, .allowed = t.allowed, .max_changes = t.max_changes};
		symcf_control late = too_late(), stop = interrupting(&calls);
		symcf_nearest_result r;
		uint32_t row[MOST_FEATURES] = {0};
		CHECK_EQ_INT(
			symcf_ensemble_nearest_row(t.b.e, &q, t.k, t.sink, t.cost, t.rank, &late, &r, row),
			SYMCF_LIMIT_TIME);
		CHECK(!r.found && r.bound == 0);
		CHECK_EQ_INT(
			symcf_ensemble_nearest_row(t.b.e, &q, t.k, t.sink, t.cost, t.rank, &stop, &r, row),
			SYMCF_INTERRUPTED);
		for (uint32_t work = 1000; work < 4000000; work *= 2) { /* so much, then it is late */
			symcf_control some = too_late();
			some.credit = work;
			const symcf_status status =
				symcf_nearest_tuned(t.b.e, &q, t.k, t.sink, t.cost, t.rank, 5, &some, &r, row);
			CHECK(status == SYMCF_OK || status == SYMCF_LIMIT_TIME);
			stopped += status && r.found;
			CHECK(r.bound <= t.least && r.cost >= t.least);
			if (r.found) {
				int64_t paid = 0;
				for (uint32_t j = 0; j < t.b.g.trees.n; j++)
					paid += row[j] == t.x[j] ? 0 : t.cost[t.offset[j] + row[j]];
				CHECK_EQ_INT(paid, r.cost);
				CHECK((class_of(&t.b, row) == t.k) == (t.sink == 1));
			}
			if (!status) {
				check_row(&t, &r, row);
				break;
			}
		}
		symcf_ensemble_free(t.b.e);
	}
	CHECK(stopped > 50);
}

static symcf_status attempt(const void *data)
{
	const trial *t = data;
	const symcf_query q = {.x = t->x, .allowed = t->allowed, .max_changes = t->max_changes};
	symcf_nearest_result r;
	uint32_t row[MOST_FEATURES];
	return symcf_nearest_tuned(t->b.e, &q, t->k, t->sink, t->cost, NULL, 3, NULL, &r, row);
}

static void memory_may_be_short(void)
{
	static trial t;
	do
		random_trial(&t, 6, 4, MOST_TREES);
	while (!t.any || t.max_changes < 6);
	CHECK(fail_each_allocation(attempt, &t) > 20);
	const symcf_query q = {.x = t.x, .allowed = t.allowed, .max_changes = t.max_changes};
	symcf_nearest_result r;
	uint32_t row[MOST_FEATURES];
	symcf_control control = {.max_memory = 100};
	CHECK_EQ_INT(
		symcf_ensemble_nearest_row(t.b.e, &q, t.k, t.sink, t.cost, NULL, &control, &r, row),
		SYMCF_LIMIT_MEMORY);
	symcf_ensemble_free(t.b.e);
}

/* The control knows how much memory is held, also where several classes have trees of their own. */
static void it_says_what_it_holds(void)
{
	static trial t;
	for (uint32_t round = 0; round < 100; round++) {
		random_trial(&t, 6, 5, MOST_TREES);
		const symcf_query q = {.x = t.x, .allowed = t.allowed, .max_changes = t.max_changes};
		symcf_nearest_result r;
		uint32_t row[MOST_FEATURES];
		symcf_control control = {.max_memory = UINT64_MAX};
		symcf_budget *b = NULL;
		CHECK_EQ_INT(symcf_budget_create(0, &b), SYMCF_OK);
		CHECK(symcf_budget_enter(b) == NULL);
		CHECK_EQ_INT(
			symcf_ensemble_nearest_row(t.b.e, &q, t.k, t.sink, t.cost, NULL, &control, &r, row),
			SYMCF_OK);
		CHECK(symcf_budget_enter(NULL) == b);
		CHECK(control.memory <= symcf_budget_peak(b));
		if (r.n_prepared) /* otherwise little more than the row was written */
			CHECK(2 * control.memory > symcf_budget_peak(b));
		symcf_budget_free(b);
		symcf_ensemble_free(t.b.e);
	}
}

int main(void)
{
	RUN(it_is_the_nearest);
	RUN(it_may_be_stopped);
	RUN(memory_may_be_short);
	RUN(it_says_what_it_holds);
	return check_report();
}
