/* test_sort.c: sort.h against an insertion sort, on lists in every kind of order. */
#include "../../src/core/memory.h"
#include "chance.h"
#include "check.h"

typedef struct entry {
	uint32_t key, place;
} entry;

static uint64_t comparisons;

static bool comes_before(const entry *a, const entry *b, void *context)
{
	comparisons++;
	return context ? a->key > b->key : a->key < b->key;
}

#define SORT_NAME sort_entries
#define SORT_TYPE entry
#define SORT_BEFORE comes_before
#include "../../src/core/sort.h"

enum { MOST = 3000 };
static entry list[MOST], spare[MOST], wanted[MOST];

/* Runs of any length, falling stretches, few or many different keys. */
static void fill(uint32_t count)
{
	const uint32_t keys = 1 + random_below(random_below(2) ? 5 : UINT32_MAX - 1);
	const uint32_t run = 1 + random_below(random_below(2) ? 4 : MOST), kind = random_below(3);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t before = i && i % run ? list[i - 1].key : random_below(keys);
		list[i].key = kind == 0   ? random_below(keys)
		              : kind == 1 ? before + random_below(2) * (before < UINT32_MAX)
		                          : before - random_below(2) * (before > 0);
		list[i].place = i;
	}
}

static void sort_slowly(uint32_t count, bool falling)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = i;
		for (;
		     at && (falling ? wanted[at - 1].key < list[i].key : wanted[at - 1].key > list[i].key);
		     at--)
			wanted[at] = wanted[at - 1];
		wanted[at] = list[i];
	}
}

static void every_list_is_sorted_and_equals_stay_in_order(void)
{
	for (uint32_t round = 0; round < 1500; round++) {
		const uint32_t count = round < 200 ? round % 40 : random_below(round % 50 ? 200 : MOST);
		bool falling = random_below(2);
		fill(count);
		sort_slowly(count, falling);
		CHECK_EQ_INT(sort_entries(list, spare, count, falling ? &falling : NULL, NULL), SYMCF_OK);
		CHECK(!memcmp(list, wanted, count * sizeof *list));
	}
}

/* One pass for what is in order, few for what was sorted in parts, n log n for the worst. */
static void order_is_made_use_of(void)
{
	for (uint32_t i = 0; i < MOST; i++)
		list[i] = (entry){i, i};
	comparisons = 0;
	sort_entries(list, spare, MOST, NULL, NULL);
	CHECK_EQ_INT(comparisons, MOST - 1);
	for (uint32_t i = 0; i < MOST; i++)
		list[i] = (entry){i % (MOST / 4), i};
	comparisons = 0;
	sort_entries(list, spare, MOST, NULL, NULL);
	CHECK(comparisons <= 4 * MOST);
	for (uint32_t round = 0; round < 100; round++) {
		fill(MOST);
		comparisons = 0;
		sort_entries(list, spare, MOST, NULL, NULL);
		CHECK(comparisons < 20 * MOST); /* log 3000 is 11.6; insertion takes a few more */
	}
}

static bool interrupted(void *data)
{
	(void)data;
	return true;
}

static void long_sorts_are_interrupted(void)
{
	enum { LONG = 1 << 20 };
	entry *many = symcf_allocate(2 * LONG, sizeof *many);
	symcf_control control = {.interrupted = interrupted, .last_poll = -1};
	REQUIRE(many);
	for (uint32_t i = 0; i < LONG; i++)
		many[i] = (entry){random_below(UINT32_MAX), i};
	CHECK_EQ_INT(sort_entries(many, many + LONG, LONG, NULL, &control), SYMCF_INTERRUPTED);
	symcf_free(many);
}

int main(void)
{
	RUN(every_list_is_sorted_and_equals_stay_in_order);
	RUN(order_is_made_use_of);
	RUN(long_sorts_are_interrupted);
	return check_report();
}
