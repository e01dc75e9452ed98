/* test_diverse.c: diverse choices against all choices of small lists. */
#include "support.h"

enum { MOST_SETS = 12, LONG = 6000 };

static symcf_sets list;
static uint32_t n_features;

static void draw(uint64_t n_sets, uint32_t features, uint32_t chance)
{
	symcf_sets_clear(&list);
	n_features = features;
	while (list.n_sets < n_sets) {
		uint32_t set[64], size = 0;
		for (uint32_t j = 0; j < features; j++)
			if (!random_below(chance))
				set[size++] = j;
		REQUIRE(symcf_sets_push(&list, set, size) == SYMCF_OK);
	}
}

static bool holds(uint64_t set, uint32_t feature)
{
	for (uint64_t i = set ? list.end[set - 1] : 0; i < list.end[set]; i++)
		if (list.features[i] == feature)
			return true;
	return false;
}

static double distance_of(uint64_t a, uint64_t b)
{
	double one = 0, any = 0;
	for (uint32_t j = 0; j < n_features; j++) {
		one += holds(a, j) != holds(b, j);
		any += holds(a, j) || holds(b, j);
	}
	return any > 0 ? one / any : 0;
}

static double smallest(uint32_t choice)
{
	double least = 1;
	for (uint64_t a = 0; a < list.n_sets; a++)
		for (uint64_t b = 0; b < a; b++)
			if ((choice >> a & 1) && (choice >> b & 1)) {
				const double d = distance_of(a, b);
				least = d < least ? d : least;
			}
	return least;
}

/* Does the ascending choice a come before b? It does if the lowest set that only one has is in a. */
static bool is_earlier(uint32_t a, uint32_t b)
{
	const uint32_t differ = a ^ b;
	return differ && (a & (differ & -differ));
}

static symcf_status choose(uint64_t k, uint64_t effort, symcf_control *control, uint64_t *chosen,
                           symcf_diversity *out)
{
	return symcf_diverse(list.features, list.end, 0, list.n_sets, n_features, k, effort, control,
	                     chosen, out);
}

static void all_choices_of_small_lists(void)
{
	for (int round = 0; round < 400; round++) {
		uint64_t chosen[MOST_SETS];
		symcf_diversity out;
		draw(1 + random_below(MOST_SETS - 1), 1 + random_below(9), 2 + random_below(2));
		const uint64_t k = 1 + random_below((uint32_t)list.n_sets);
		uint32_t best = 0, found = 0;
		for (uint32_t choice = 1; choice < 1u << list.n_sets; choice++) {
			if ((uint64_t)__builtin_popcount(choice) != k)
				continue;
			if (!best || smallest(choice) > smallest(best) ||
			    (smallest(choice) >= smallest(best) && is_earlier(choice, best)))
				best = choice;
		}
		REQUIRE(choose(k, UINT64_MAX, NULL, chosen, &out) == SYMCF_OK);
		for (uint64_t i = 0; i < k; i++) {
			CHECK(!i || chosen[i] > chosen[i - 1]);
			found |= 1u << chosen[i];
		}
		CHECK(out.exact);
		CHECK((double)out.apart / (double)out.of == smallest(best));
		CHECK_EQ_INT(found, best);
		/* without effort: a choice all the same, that is not said to be best unless nothing is farther */
		REQUIRE(choose(k, 0, NULL, chosen, &out) == SYMCF_OK);
		CHECK(!out.exact || (double)out.apart / (double)out.of == smallest(best));
	}
}

static void long_lists(void)
{
	uint64_t chosen[4];
	symcf_diversity out;
	draw(LONG, 60, 2);
	REQUIRE(choose(4, 1 << 20, NULL, chosen, &out) == SYMCF_OK);
	CHECK(!out.exact && chosen[3] < LONG);
	draw(LONG, 60, 40);
	REQUIRE(choose(4, 1 << 20, NULL, chosen, &out) == SYMCF_OK);
	CHECK(out.exact && out.apart == out.of);
}

static symcf_status attempt(const void *data)
{
	uint64_t chosen[2];
	symcf_diversity out;
	(void)data;
	return choose(2, UINT64_MAX, NULL, chosen, &out);
}

static void failures_and_stops(void)
{
	uint32_t calls;
	uint64_t chosen[6];
	symcf_diversity out;
	draw(5, 6, 2);
	CHECK_EQ_INT(choose(0, 1, NULL, chosen, &out), SYMCF_INVALID);
	CHECK_EQ_INT(choose(6, 1, NULL, chosen, &out), SYMCF_INVALID);
	CHECK_EQ_INT(fail_each_allocation(attempt, NULL), 1);
	draw(LONG, 40, 2);
	symcf_control control = interrupting(&calls);
	CHECK_EQ_INT(choose(6, UINT64_MAX, &control, chosen, &out), SYMCF_INTERRUPTED);
	control = (symcf_control){.deadline = symcf_clock() + 0.05};
	CHECK_EQ_INT(choose(6, UINT64_MAX, &control, chosen, &out), SYMCF_OK);
	CHECK(!out.exact && chosen[5] < LONG);
}

int main(void)
{
	RUN(all_choices_of_small_lists);
	RUN(long_lists);
	RUN(failures_and_stops);
	symcf_sets_free_arrays(&list);
	return check_report();
}
