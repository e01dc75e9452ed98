/* test_sets.c: lists of change sets, and their order. */
#include "support.h"

static void push(symcf_sets *s, uint32_t size, const uint32_t *features)
{
	CHECK_EQ_INT(symcf_sets_push(s, features, size), SYMCF_OK);
}

static const uint32_t NOTHING[1];

#define PUSH(s, ...)                                                                               \
	push((s), sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

static void sets_are_kept_in_the_order_they_come(void)
{
	symcf_sets s = {0};
	for (uint32_t i = 0; i < 1000; i++) {
		const uint32_t features[3] = {i, i + 1, i + 2};
		push(&s, i % 4, features);
	}
	CHECK_EQ_INT(s.n_sets, 1000);
	CHECK_EQ_INT(s.n_features, 1500);
	for (uint32_t i = 0, start = 0; i < 1000; start = (uint32_t)s.end[i++]) {
		CHECK_EQ_INT(s.end[i] - start, i % 4);
		for (uint32_t j = 0; j < i % 4; j++)
			CHECK_EQ_INT(s.features[start + j], i + j);
	}
	const uint64_t capacity = s.cap_sets;
	symcf_sets_clear(&s);
	CHECK(s.n_sets == 0 && s.n_features == 0 && s.cap_sets == capacity);
	PUSH(&s, 5);
	CHECK(s.n_sets == 1 && s.features[0] == 5 && s.end[0] == 1);
	symcf_sets_free_arrays(&s);
	CHECK(!s.features && !s.end && !s.cap_sets && !s.n_sets);
	symcf_sets_free_arrays(&s);
}

/* Reads the sets as one string, "0 2|1|", to compare them at a glance. */
static const char *spell(const symcf_sets *s)
{
	static char text[1000];
	size_t at = 0;
	text[0] = 0;
	for (uint64_t i = 0, start = 0; i < s->n_sets; start = s->end[i++]) {
		for (uint64_t j = start; j < s->end[i]; j++)
			at += (size_t)snprintf(text + at, sizeof text - at, "%s%" PRIu32, j > start ? " " : "",
			                       s->features[j]);
		at += (size_t)snprintf(text + at, sizeof text - at, "|");
	}
	return text;
}

static void sets_sort_by_cost_then_size_then_features(void)
{
	static const int64_t cost[] = {5, 1, 4, 1, 9};
	symcf_sets s = {0};
	PUSH(&s, 4);
	PUSH(&s, 0, 2);
	PUSH(&s, 1, 2);
	PUSH(&s, 2, 3);
	PUSH(&s, 0);
	PUSH(&s, 3);
	push(&s, 0, NOTHING);
	PUSH(&s, 1);
	CHECK_EQ_INT(symcf_sets_sort_from(&s, 0, cost, NULL), SYMCF_OK);
	CHECK_EQ_STR(spell(&s), "|1|3|0|1 2|2 3|4|0 2|");
	CHECK_EQ_INT(symcf_sets_sort_from(&s, 0, NULL, NULL), SYMCF_OK); /* each feature costs 1 */
	CHECK_EQ_STR(spell(&s), "|0|1|3|4|0 2|1 2|2 3|");
	symcf_sets_free_arrays(&s);
}

static void what_stands_before_the_first_stays(void)
{
	symcf_sets s = {0};
	PUSH(&s, 9);
	PUSH(&s, 8);
	PUSH(&s, 3, 4);
	PUSH(&s, 7);
	PUSH(&s, 2);
	CHECK_EQ_INT(symcf_sets_sort_from(&s, 2, NULL, NULL), SYMCF_OK);
	CHECK_EQ_STR(spell(&s), "9|8|2|7|3 4|");
	CHECK_EQ_INT(symcf_sets_sort_from(&s, s.n_sets, NULL, NULL), SYMCF_OK);
	CHECK_EQ_STR(spell(&s), "9|8|2|7|3 4|");
	symcf_sets_free_arrays(&s);
}

static void sorting_nothing_is_fine(void)
{
	symcf_sets s = {0};
	CHECK_EQ_INT(symcf_sets_sort_from(&s, 0, NULL, NULL), SYMCF_OK);
	CHECK_EQ_INT(s.n_sets, 0);
	push(&s, 0, NOTHING);
	CHECK_EQ_INT(symcf_sets_sort_from(&s, 0, NULL, NULL), SYMCF_OK);
	CHECK_EQ_STR(spell(&s), "|");
	symcf_sets_free_arrays(&s);
}

static void large_costs_do_not_wrap(void)
{
	static const int64_t cost[] = {(int64_t)1 << 60, (int64_t)1 << 60, ((int64_t)1 << 61) - 1};
	symcf_sets s = {0};
	PUSH(&s, 0, 1);
	PUSH(&s, 2);
	CHECK_EQ_INT(symcf_sets_sort_from(&s, 0, cost, NULL), SYMCF_OK);
	CHECK_EQ_STR(spell(&s), "2|0 1|");
	symcf_sets_free_arrays(&s);
}

static void sets_sort_by_their_own_costs(void)
{
	static const int64_t set_cost[] = {7, 2, 7, 1};
	symcf_sets s = {0};
	PUSH(&s, 1);
	PUSH(&s, 0, 2);
	PUSH(&s, 0);
	PUSH(&s, 3, 4);
	CHECK_EQ_INT(symcf_sets_sort_priced(&s, 0, set_cost, NULL), SYMCF_OK);
	CHECK_EQ_STR(spell(&s), "3 4|0 2|0|1|");
	symcf_sets_free_arrays(&s);
}

static void lists_are_appended(void)
{
	symcf_sets s = {0}, more = {0};
	CHECK_EQ_INT(symcf_sets_append(&s, &more), SYMCF_OK);
	CHECK_EQ_INT(s.n_sets, 0);
	PUSH(&more, 1);
	push(&more, 0, NOTHING);
	PUSH(&more, 0, 2);
	CHECK_EQ_INT(symcf_sets_append(&s, &more), SYMCF_OK);
	CHECK_EQ_INT(symcf_sets_append(&s, &more), SYMCF_OK);
	CHECK_EQ_STR(spell(&s), "1||0 2|1||0 2|");
	symcf_sets_free_arrays(&s);
	symcf_sets_free_arrays(&more);
}

/* Pseudo-random sets of up to three features below `most`, ascending. */
static void push_random(symcf_sets *s, uint32_t count, uint32_t most)
{
	uint32_t state = 1;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t features[3], size = 0;
		for (uint32_t j = 0; j < 3; j++) {
			state = state * 1664525u + 1013904223u;
			const uint32_t next = (size ? features[size - 1] + 1 : 0) + (state >> 8) % most;
			if (state >> 30)
				features[size++] = next;
		}
		push(s, size, features);
	}
}

/* By (size, features), as the costs are equal. */
static bool is_in_order(const symcf_sets *s)
{
	for (uint64_t i = 1; i < s->n_sets; i++) {
		const uint64_t a = i > 1 ? s->end[i - 2] : 0, b = s->end[i - 1];
		const uint64_t size = b - a, next = s->end[i] - b;
		if (size > next)
			return false;
		for (uint64_t j = 0; size == next && j < size; j++) {
			if (s->features[a + j] > s->features[b + j])
				return false;
			if (s->features[a + j] < s->features[b + j])
				break;
		}
	}
	return true;
}

static void many_sets_sort_whatever_their_numbers(void)
{
	static const uint32_t most[] = {3, 1000, 60000, 400000}; /* the last need more than 16 bits */
	for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
		symcf_sets s = {0};
		push_random(&s, 5000, most[i]);
		const uint64_t n_features = s.n_features;
		CHECK(!is_in_order(&s));
		CHECK_EQ_INT(symcf_sets_sort_from(&s, 0, NULL, NULL), SYMCF_OK);
		CHECK(is_in_order(&s));
		CHECK(s.n_sets == 5000 && s.n_features == n_features && s.end[4999] == n_features);
		symcf_sets_free_arrays(&s);
	}
}

static bool at_once(void *data)
{
	(void)data;
	return true;
}

static void sorting_can_be_interrupted_and_then_nothing_has_moved(void)
{
	symcf_sets s = {0}, as_it_was = {0};
	push_random(&s, 200000, 1000);
	CHECK_EQ_INT(symcf_sets_append(&as_it_was, &s), SYMCF_OK);
	symcf_control control = {.interrupted = at_once};
	CHECK_EQ_INT(symcf_sets_sort_from(&s, 0, NULL, &control), SYMCF_INTERRUPTED);
	CHECK(!memcmp(s.features, as_it_was.features, s.n_features * sizeof *s.features));
	CHECK(!memcmp(s.end, as_it_was.end, s.n_sets * sizeof *s.end));
	symcf_control over = {.deadline = 1e-9}; /* long ago */
	CHECK_EQ_INT(symcf_sets_sort_from(&s, 0, NULL, &over), SYMCF_LIMIT_TIME);
	CHECK(!memcmp(s.features, as_it_was.features, s.n_features * sizeof *s.features));
	symcf_sets_free_arrays(&s);
	symcf_sets_free_arrays(&as_it_was);
}

/* Fails in push or in sort; either way the list is as it was. */
static symcf_status push_and_sort(const void *data)
{
	const uint32_t *features = data;
	symcf_sets s = {0};
	symcf_status status = SYMCF_OK;
	for (uint32_t i = 0; i < 40 && !status; i++) {
		const uint64_t n_sets = s.n_sets, n_features = s.n_features;
		status = symcf_sets_push(&s, features, 3);
		CHECK(!status || (s.n_sets == n_sets && s.n_features == n_features));
	}
	if (!status && (status = symcf_sets_sort_from(&s, 0, NULL, NULL))) {
		CHECK_EQ_INT(s.n_sets, 40);
		CHECK_EQ_INT(s.end[39], 120);
	}
	symcf_sets both = {0};
	if (!status && (status = symcf_sets_append(&both, &s)))
		CHECK(both.n_sets == 0 && both.n_features == 0);
	symcf_sets_free_arrays(&both);
	symcf_sets_free_arrays(&s);
	return status;
}

static void failing_memory_leaves_the_sets_as_they_were(void)
{
	const uint32_t features[3] = {1, 2, 3};
	CHECK(fail_each_allocation(push_and_sort, features) >= 6);
}

int main(void)
{
	RUN(sets_are_kept_in_the_order_they_come);
	RUN(sets_sort_by_cost_then_size_then_features);
	RUN(what_stands_before_the_first_stays);
	RUN(sorting_nothing_is_fine);
	RUN(large_costs_do_not_wrap);
	RUN(sets_sort_by_their_own_costs);
	RUN(lists_are_appended);
	RUN(many_sets_sort_whatever_their_numbers);
	RUN(sorting_can_be_interrupted_and_then_nothing_has_moved);
	RUN(failing_memory_leaves_the_sets_as_they_were);
	return check_report();
}
