/* test_diagram.c: the frozen diagram: arrays in, validation, evaluation, exact counts. */
#include "support.h"

/* ---------------------------------------------------------------- arrays in ------------------ */

/* Exclusive or of two features; room for one array entry too many. */
typedef struct arrays {
	uint32_t n, n_nodes, root;
	uint32_t order[3], arity[3], level[6], child[8];
	uint64_t n_children;
} arrays;

static arrays exclusive_or(void)
{
	return (arrays){2, 5, 4, {0, 1}, {2, 2}, {2, 2, 1, 1, 0}, {0, 1, 1, 0, 2, 3}, 6};
}

static symcf_status create(const arrays *a, const char **reason, symcf_diagram **out)
{
	return symcf_diagram_create(a->n, a->n_nodes, a->root, a->order, a->arity, a->level, a->child,
	                            a->n_children, NULL, reason, out);
}

static void good_arrays_are_a_diagram(void)
{
	const arrays a = exclusive_or();
	const char *reason = "";
	symcf_diagram *d = NULL;
	CHECK_EQ_INT(create(&a, &reason, &d), SYMCF_OK);
	REQUIRE(d);
	for (uint32_t i = 0; i < 4; i++) {
		const uint32_t x[2] = {i & 1, i >> 1};
		CHECK_EQ_INT(symcf_diagram_evaluate(d, x), x[0] ^ x[1]);
	}
	CHECK_EQ_INT(symcf_diagram_size(d), 5);
	CHECK_EQ_INT(symcf_child(d, 4, 1), 3);
	CHECK_EQ_INT(symcf_children(d, 3)[0], 1);
	symcf_diagram_free(d);
}

static void check_refused(const arrays *a, const char *word)
{
	const char *reason = NULL;
	symcf_diagram *d = NULL;
	CHECK_EQ_INT(create(a, &reason, &d), SYMCF_INVALID);
	CHECK(!d);
	REQUIRE(reason);
	if (!strstr(reason, word))
		CHECK_EQ_STR(reason, word);
}

#define CHECK_FAULT(field, value, word)                                                            \
	do {                                                                                           \
		arrays a = exclusive_or();                                                                 \
		a.field = (value);                                                                         \
		check_refused(&a, word);                                                                   \
	} while (0)

static void each_fault_has_its_reason(void)
{
	CHECK_FAULT(n_nodes, 0, "sinks");
	CHECK_FAULT(n_nodes, 1, "sinks");
	CHECK_FAULT(level[0], 1, "sinks");
	CHECK_FAULT(level[1], 0, "sinks");
	CHECK_FAULT(order[1], 0, "permutation");
	CHECK_FAULT(order[1], UINT32_MAX, "permutation");
	CHECK_FAULT(arity[0], 0, "no value");
	CHECK_FAULT(arity[0], 3, "number of children");
	CHECK_FAULT(arity[0], UINT32_MAX, "number of children");
	CHECK_FAULT(n_children, 5, "number of children");
	CHECK_FAULT(n_children, 7, "number of children");
	CHECK_FAULT(level[2], 2, "sorted");
	CHECK_FAULT(level[2], 0, "sorted");
	CHECK_FAULT(level[4], UINT32_MAX, "sorted");
	CHECK_FAULT(child[0], 2, "below");
	CHECK_FAULT(child[3], 2, "below");
	CHECK_FAULT(child[5], 4, "below");
	CHECK_FAULT(child[5], UINT32_MAX, "below");
	CHECK_FAULT(child[5], 2, "redundant");
	CHECK_FAULT(child[2], 0, "redundant");
	CHECK_FAULT(root, 5, "root");
	CHECK_FAULT(root, UINT32_MAX, "root");
	CHECK_FAULT(root, 3, "reach");
	CHECK_FAULT(root, 0, "reach");
	arrays twins = exclusive_or();
	twins.child[2] = 0;
	twins.child[3] = 1;
	check_refused(&twins, "same");
}

/* Whatever is written over the arrays, they are refused or are a diagram that works. */
static void hostile_arrays_are_safe(void)
{
	uint32_t accepted = 0;
	for (uint32_t round = 0; round < 20000; round++) {
		symcf_threshold *t = random_threshold(1 + random_below(4), 3, 9);
		symcf_diagram *d = compile_natural(t), *other = NULL;
		uint32_t *const field[] = {d->order, d->arity, d->level, d->child};
		const uint64_t length[] = {d->n, d->n, d->n_nodes, d->n_children};
		const char *reason = NULL;
		for (uint32_t i = 0; i <= random_below(3); i++) {
			const uint32_t f = random_below(4);
			if (length[f])
				field[f][random_bits() % length[f]] =
					random_below(8) ? random_below(8) : (uint32_t)random_bits();
		}
		const uint32_t root = random_below(8) ? d->root : random_below(12);
		const symcf_status status =
			symcf_diagram_create(d->n, d->n_nodes, root, d->order, d->arity, d->level, d->child,
			                     d->n_children, NULL, &reason, &other);
		CHECK(status == SYMCF_OK || (status == SYMCF_INVALID && reason && !other));
		if (other) {
			const uint32_t zeros[MOST_FEATURES] = {0};
			CHECK(symcf_diagram_evaluate(other, zeros) <= 1);
			CHECK_EQ_INT(symcf_diagram_validate(other, NULL, &reason), SYMCF_OK);
			accepted++;
		}
		symcf_diagram_free(other);
		symcf_diagram_free(d);
		symcf_threshold_free(t);
	}
	CHECK(accepted > 100 && accepted < 19000);
}

/* ------------------------------------------------------------ arrays that mean harm ---------- */

/* Three levels: a root with a branch for each of `count` nodes in the middle, whose children are
 * among all functions of a lowest feature of LOWEST values. */
enum { LOWEST = 10, FUNCTIONS = (1 << LOWEST) - 2, MOST_MIDDLE = 1 << 15 };

typedef struct fan {
	uint32_t count, arity; /* of the middle               */
	uint32_t *middle;      /* count * arity, 2 .. 2 + FUNCTIONS - 1 */
} fan;

static symcf_status create_fan(const fan *f, symcf_control *control, const char **reason)
{
	const uint32_t n_nodes = 2 + FUNCTIONS + f->count + 1, first = 2 + FUNCTIONS;
	const uint64_t own = (uint64_t)f->count * f->arity;
	const uint64_t n_children = FUNCTIONS * LOWEST + own + f->count;
	const uint32_t order[3] = {0, 1, 2}, arity[3] = {f->count, f->arity, LOWEST};
	uint32_t *level = calloc(n_nodes, sizeof *level), *child = calloc(n_children, sizeof *child);
	symcf_diagram *d = NULL;
	for (uint32_t u = 0; u < n_nodes; u++)
		level[u] = u < 2 ? 3 : u < first ? 2 : u < n_nodes - 1 ? 1 : 0;
	for (uint32_t i = 0; i < FUNCTIONS * LOWEST; i++)
		child[i] = (i / LOWEST + 1) >> i % LOWEST & 1;
	memcpy(child + FUNCTIONS * LOWEST, f->middle, own * sizeof *child);
	for (uint32_t i = 0; i < f->count; i++)
		child[FUNCTIONS * LOWEST + own + i] = first + i;
	const symcf_status status = symcf_diagram_create(3, n_nodes, n_nodes - 1, order, arity, level,
	                                                 child, n_children, control, reason, &d);
	symcf_diagram_free(d);
	free(level);
	free(child);
	return status;
}

/* The work that the control was charged for; symcf_tick does not poll as long as it has credit. */
static uint64_t work_of(const fan *f)
{
	const int64_t credit = INT64_MAX / 2;
	symcf_control control = {.credit = credit};
	const char *reason;
	CHECK_EQ_INT(create_fan(f, &control, &reason), SYMCF_OK);
	return (uint64_t)(credit - control.credit);
}

/* Pairs of functions which a hash of children that validation used once sends to a small part of
 * its table: it needed a quarter of a billion steps for these. */
static fan colliding_pairs(void)
{
	fan f = {0, 2, calloc(2 * MOST_MIDDLE, sizeof(uint32_t))};
	const uint64_t n_pairs = (uint64_t)FUNCTIONS * FUNCTIONS, step = 7919; /* in no order */
	for (uint64_t i = 0; i < n_pairs && f.count < MOST_MIDDLE - 1500; i++) {
		const uint64_t pair = i * step % n_pairs, a = 2 + pair / FUNCTIONS,
					   b = 2 + pair % FUNCTIONS;
		uint64_t h = a * 0x9E3779B97F4A7C15u;
		h = ((h ^ h >> 29) ^ b) * 0x9E3779B97F4A7C15u;
		if (a != b && ((h ^ h >> 29) & 0xFFFF) < 0x0800) {
			f.middle[2 * f.count] = (uint32_t)a;
			f.middle[2 * f.count + 1] = (uint32_t)b;
			f.count++;
		}
	}
	return f;
}

/* Different nodes, which take all functions for children if there are 3,000 or more. */
static fan numbered(uint32_t count, uint32_t arity, bool falling)
{
	fan f = {count, arity, calloc((uint64_t)count * arity, sizeof(uint32_t))};
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t number = falling ? count - 1 - i : i;
		uint32_t *child = f.middle + (uint64_t)i * arity;
		for (uint32_t v = 0; v < arity; v++)
			child[v] = 2; /* equal but for the last two */
		const uint32_t a = number / (FUNCTIONS - 1), b = number % (FUNCTIONS - 1);
		child[arity - 2] = 2 + a;
		child[arity - 1] = 2 + (a + b + 1) % FUNCTIONS; /* another one than a */
	}
	return f;
}

static void check_work(fan f)
{
	const uint64_t n_children = FUNCTIONS * LOWEST + (uint64_t)f.count * (f.arity + 1);
	const uint64_t work = work_of(&f);
	CHECK(work >= n_children);          /* all loops are under control ...  */
	CHECK(work <= 8 * 16 * n_children); /* ... and 2^16 is above the nodes */
	free(f.middle);
}

static void validation_takes_n_log_n_whatever_the_arrays(void)
{
	const fan crafted = colliding_pairs();
	CHECK(crafted.count > 30000);
	check_work(crafted);
	check_work(numbered(30000, 2, false));
	check_work(numbered(30000, 2, true));
	check_work(numbered(3000, 50, true));
}

static void two_equal_nodes_are_found_wherever_they_are(void)
{
	for (uint32_t round = 0; round < 60; round++) {
		const uint32_t arity = 2 + round % 3, a = random_below(5000), b = random_below(5000);
		fan f = numbered(5000, arity, round % 2);
		if (a != b)
			memcpy(f.middle + a * arity, f.middle + b * arity, arity * sizeof *f.middle);
		const char *reason;
		CHECK_EQ_INT(create_fan(&f, NULL, &reason), a == b ? SYMCF_OK : SYMCF_INVALID);
		if (a != b)
			CHECK_EQ_STR(reason, "two nodes are the same");
		free(f.middle);
	}
}

static void validation_can_be_stopped(void)
{
	fan f = numbered(5000, 2, true);
	const char *reason;
	uint32_t calls;
	symcf_control stop = interrupting(&calls), late = too_late();
	CHECK_EQ_INT(create_fan(&f, &stop, &reason), SYMCF_INTERRUPTED);
	CHECK_EQ_INT(create_fan(&f, &late, &reason), SYMCF_LIMIT_TIME);
	/* after any amount of work: no status is lost on the way out */
	const uint64_t whole = work_of(&f);
	for (uint64_t credit = 1; credit < whole; credit += whole / 97) {
		stop = interrupting(&calls);
		stop.credit = (int64_t)credit;
		CHECK_EQ_INT(create_fan(&f, &stop, &reason), SYMCF_INTERRUPTED);
	}
	free(f.middle);
}

/* ------------------------------------------------------------- rows and counts --------------- */

static void rows_are_evaluated_and_checked(void)
{
	const arrays a = exclusive_or();
	const char *reason;
	symcf_diagram *d = NULL;
	CHECK_EQ_INT(create(&a, &reason, &d), SYMCF_OK);
	int8_t table[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
	const symcf_rows rows = {.data = table, .type = SYMCF_INT8, .m = 4, .n = 2};
	uint8_t sink[4];
	size_t row = 9;
	uint32_t feature = 9, calls;
	symcf_control stop = interrupting(&calls);
	CHECK_EQ_INT(symcf_diagram_evaluate_rows(d, &rows, NULL, sink, &row, &feature), SYMCF_OK);
	CHECK(!memcmp(sink, (const uint8_t[]){0, 1, 1, 0}, 4));
	CHECK_EQ_INT(symcf_diagram_evaluate_rows(d, &rows, &stop, sink, &row, &feature),
	             SYMCF_INTERRUPTED);
	table[2][1] = -1;
	CHECK_EQ_INT(symcf_diagram_evaluate_rows(d, &rows, NULL, sink, &row, &feature), SYMCF_INVALID);
	CHECK(row == 2 && feature == 1);
	symcf_diagram_free(d);
}

typedef symcf_status (*counter)(const symcf_diagram *d, uint32_t sink, symcf_control *control,
                                uint64_t **limbs, size_t *width);

/* Is the count 2^exponent, or `small` where exponent is negative? */
static void check_count(counter count, const symcf_diagram *d, uint32_t sink, int exponent,
                        uint64_t small)
{
	uint64_t *limbs = NULL;
	size_t width = 0;
	CHECK_EQ_INT(count(d, sink, NULL, &limbs, &width), SYMCF_OK);
	REQUIRE(limbs && width);
	CHECK(exponent < 0 || (size_t)exponent / 64 < width);
	for (size_t i = 0; i < width; i++) {
		const uint64_t wanted = exponent < 0                 ? (i ? 0 : small)
		                        : i == (size_t)exponent / 64 ? (uint64_t)1 << exponent % 64
		                                                     : 0;
		CHECK(limbs[i] == wanted);
	}
	symcf_free(limbs);
}

static void counts_are_exact_at_any_size(void)
{
	static const uint32_t sizes[] = {1, 2, 62, 63, 64, 65, 127, 128, 129, 1000};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		symcf_diagram *d = parity_diagram(sizes[i]);
		for (uint32_t sink = 0; sink < 2; sink++) {
			check_count(symcf_diagram_count_models, d, sink, (int)sizes[i] - 1, 0);
			check_count(symcf_diagram_count_paths, d, sink, (int)sizes[i] - 1, 0);
		}
		symcf_diagram_free(d);
	}
}

/* Paths to a sink, by walking them; values that lead where value 0 does are one branch with it. */
static uint64_t walk(const symcf_diagram *d, uint32_t u, uint32_t sink)
{
	uint64_t paths = 0;
	if (u < 2)
		return u == sink;
	for (uint32_t v = 0; v < d->arity[d->level[u]]; v++)
		if (!v || symcf_child(d, u, v) != symcf_child(d, u, 0))
			paths += walk(d, symcf_child(d, u, v), sink);
	return paths;
}

static void counts_are_those_of_brute_force(void)
{
	for (uint32_t round = 0; round < 500; round++) {
		symcf_threshold *t = random_threshold(random_below(6), MOST_VALUES, round % 2 ? 2 : 99);
		symcf_diagram *d = compile_natural(t);
		uint64_t models[2] = {0, 0};
		uint32_t x[MOST_FEATURES] = {0};
		do
			models[decide(t, x)]++;
		while (next_input(t, x));
		for (uint32_t sink = 0; sink < 2; sink++) {
			check_count(symcf_diagram_count_models, d, sink, -1, models[sink]);
			check_count(symcf_diagram_count_paths, d, sink, -1, walk(d, d->root, sink));
		}
		symcf_diagram_free(d);
		symcf_threshold_free(t);
	}
}

static void counting_can_be_stopped(void)
{
	symcf_diagram *d = parity_diagram(500);
	uint64_t *limbs = NULL;
	size_t width;
	uint32_t calls;
	symcf_control stop = interrupting(&calls), late = too_late();
	CHECK_EQ_INT(symcf_diagram_count_paths(d, 0, &stop, &limbs, &width), SYMCF_INTERRUPTED);
	CHECK_EQ_INT(symcf_diagram_count_models(d, 0, &late, &limbs, &width), SYMCF_LIMIT_TIME);
	CHECK(!limbs);
	symcf_diagram_free(d);
}

/* ------------------------------------------------------------- failing memory ---------------- */

static symcf_status everything(const void *data)
{
	const uint8_t table[2] = {1, 0};
	const symcf_rows rows = {.data = table, .type = SYMCF_UINT8, .m = 1, .n = 2};
	const char *reason;
	symcf_diagram *d = NULL;
	uint64_t *models = NULL, *paths = NULL;
	size_t width, row;
	uint32_t feature;
	uint8_t sink;
	symcf_status status = create(data, &reason, &d);
	CHECK((d == NULL) == (status != SYMCF_OK));
	if (!status)
		status = symcf_diagram_count_models(d, 1, NULL, &models, &width);
	if (!status)
		status = symcf_diagram_count_paths(d, 1, NULL, &paths, &width);
	if (!status)
		status = symcf_diagram_evaluate_rows(d, &rows, NULL, &sink, &row, &feature);
	symcf_free(models);
	symcf_free(paths);
	symcf_diagram_free(d);
	return status;
}

static void failing_memory_is_reported(void)
{
	const arrays a = exclusive_or();
	CHECK(fail_each_allocation(everything, &a) >= 14);
}

/* Under UBSan: memcpy is not given NULL, not even for nothing. */
static void a_constant_needs_no_arrays(void)
{
	const uint32_t level[] = {0, 0};
	const char *reason = NULL;
	symcf_diagram *d = NULL;
	CHECK_EQ_INT(symcf_diagram_create(0, 2, 1, NULL, NULL, level, NULL, 0, NULL, &reason, &d),
	             SYMCF_OK);
	REQUIRE(d);
	CHECK_EQ_INT(symcf_diagram_evaluate(d, NULL), 1);
	symcf_diagram_free(d);
}

int main(void)
{
	RUN(good_arrays_are_a_diagram);
	RUN(each_fault_has_its_reason);
	RUN(hostile_arrays_are_safe);
	RUN(validation_takes_n_log_n_whatever_the_arrays);
	RUN(two_equal_nodes_are_found_wherever_they_are);
	RUN(validation_can_be_stopped);
	RUN(rows_are_evaluated_and_checked);
	RUN(counts_are_exact_at_any_size);
	RUN(counts_are_those_of_brute_force);
	RUN(counting_can_be_stopped);
	RUN(failing_memory_is_reported);
	RUN(a_constant_needs_no_arrays);
	return check_report();
}
