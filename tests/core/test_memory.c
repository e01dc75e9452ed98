/* test_memory.c: allocation, growth, and failing on demand. */
#define _POSIX_C_SOURCE 200809L
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

static void nothing_is_an_allocation_too(void)
{
	void *a = symcf_allocate(0, 8), *b = symcf_allocate_zeroed(0, 8);
	CHECK(a && b);
	b = symcf_resize(b, 0, 8);
	CHECK(b != NULL);
	symcf_free(a);
	symcf_free(b);
	symcf_free(NULL);
}

static void products_that_overflow_are_refused(void)
{
	CHECK(!symcf_allocate(UINT64_MAX, 8));
	CHECK(!symcf_allocate((UINT64_MAX / 8) + 2, 8)); /* the product wraps to 8 */
	CHECK(!symcf_allocate_zeroed((UINT64_MAX / 8) + 2, 8));
	CHECK(!symcf_allocate((uint64_t)PTRDIFF_MAX + 1, 1));
	char *array = symcf_allocate(4, 1);
	REQUIRE(array);
	memcpy(array, "abc", 4);
	CHECK(!symcf_resize(array, UINT64_MAX / 4, 8));
	CHECK_EQ_STR(array, "abc");
	symcf_free(array);
}

static void zeroed_means_zero(void)
{
	uint8_t *array = symcf_allocate_zeroed(1000, 1);
	REQUIRE(array);
	for (int i = 0; i < 1000; i++)
		CHECK_EQ_INT(array[i], 0);
	symcf_free(array);
}

static void growth_keeps_the_contents(void)
{
	uint32_t *array = NULL;
	uint64_t capacity = 0, steps = 0, before;
	for (uint32_t i = 0; i < 100000; i++) {
		before = capacity;
		CHECK(symcf_grow(&array, &capacity, (uint64_t)i + 1, sizeof *array));
		CHECK(capacity > i && capacity >= before);
		CHECK(capacity == before || capacity >= before + before / 2);
		steps += capacity != before;
		array[i] = i;
	}
	CHECK(steps < 30);
	for (uint32_t i = 0; i < 100000; i++)
		CHECK_EQ_INT(array[i], i);
	before = capacity;
	CHECK(symcf_grow(&array, &capacity, 1, sizeof *array)); /* never shrinks */
	CHECK_EQ_INT(capacity, before);
	symcf_free(array);
}

static void failed_growth_changes_nothing(void)
{
	uint32_t *array = NULL;
	uint64_t capacity = 0;
	CHECK(symcf_grow(&array, &capacity, 10, sizeof *array));
	uint32_t *const before = array;
	const uint64_t capacity_before = capacity;
	CHECK(!symcf_grow(&array, &capacity, UINT64_MAX, sizeof *array));
	symcf_fail_allocation(1);
	CHECK(!symcf_grow(&array, &capacity, capacity + 1, sizeof *array));
	CHECK(array == before && capacity == capacity_before);
	CHECK(symcf_grow(&array, &capacity, capacity + 1, sizeof *array));
	symcf_free(array);
}

static void the_allocation_asked_for_fails_and_no_other(void)
{
	for (uint64_t failing = 1; failing <= 4; failing++) {
		symcf_fail_allocation(failing);
		for (uint64_t i = 1; i <= 6; i++) {
			void *array = i % 2 ? symcf_allocate(1, 1) : symcf_allocate_zeroed(1, 1);
			CHECK((array == NULL) == (i == failing));
			symcf_free(array);
		}
	}
	symcf_fail_allocation(1);
	symcf_fail_allocation(0);
	void *array = symcf_allocate(1, 1);
	CHECK(array != NULL);
	symcf_free(array);
}

/* Does a child come to its end that writes a byte at this place of an array of 24? */
static bool survives(int place, int by)
{
	const pid_t child = fork();
	if (child == 0) {
		const struct rlimit no_core = {0, 0};
		setrlimit(RLIMIT_CORE, &no_core);
		char *array = by == 0   ? symcf_allocate(24, 1)
		              : by == 1 ? symcf_allocate_zeroed(3, 8)
		                        : symcf_resize(symcf_allocate(1, 7), 6, 4);
		if (!freopen("/dev/null", "w", stderr) || !array)
			_exit(0);
		((volatile char *)array)[place] ^= 1;
		symcf_free(array);
		_exit(0);
	}
	int how = 0;
	CHECK(child > 0 && waitpid(child, &how, 0) == child);
	return WIFEXITED(how) && WEXITSTATUS(how) == 0;
}

/* By our guards, or by the sanitizer. */
static void a_write_beside_an_array_is_seen(void)
{
	for (int by = 0; by < 3; by++) {
		CHECK(survives(0, by) && survives(23, by));
		CHECK(!survives(-1, by) && !survives(24, by));
	}
}

/* ------------------------------------------------------------------- budgets ----------------- */

static symcf_budget *entered(uint64_t most)
{
	symcf_budget *b = NULL;
	CHECK_EQ_INT(symcf_budget_create(most, &b), SYMCF_OK);
	symcf_budget_enter(b);
	return b;
}

static void leave(symcf_budget *b, symcf_budget *to)
{
	CHECK(symcf_budget_enter(to) == b);
	symcf_budget_free(b);
}

static void what_is_freed_may_be_taken_again(void)
{
	symcf_budget *b = entered(1000);
	for (int i = 0; i < 100; i++) {
		char *array = symcf_allocate(600, 1), *more = symcf_allocate_zeroed(399, 1);
		CHECK(array && more && !symcf_allocate(2, 1));
		CHECK_EQ_INT(symcf_no_memory(), SYMCF_LIMIT_MEMORY);
		CHECK_EQ_INT(symcf_budget_left(), 1);
		CHECK(!symcf_resize(more, 401, 1));
		CHECK((more = symcf_resize(more, 100, 1)));
		CHECK((array = symcf_resize(array, 900, 1)));
		CHECK_EQ_INT(symcf_budget_left(), 0);
		symcf_free(array);
		symcf_free(more);
		CHECK_EQ_INT(symcf_budget_left(), 1000);
	}
	CHECK_EQ_INT(symcf_budget_peak(b), 1000);
	leave(b, NULL);
	CHECK_EQ_INT(symcf_budget_left(), UINT64_MAX);
}

static void a_failure_says_whose_it_was(void)
{
	symcf_budget *b = entered(1000);
	CHECK(!symcf_allocate(1001, 1));
	CHECK_EQ_INT(symcf_no_memory(), SYMCF_LIMIT_MEMORY);
	symcf_fail_allocation(1);
	CHECK(!symcf_allocate(1, 1));
	CHECK_EQ_INT(symcf_no_memory(), SYMCF_NO_MEMORY);
	CHECK(!symcf_allocate(1001, 1));
	void *array = symcf_allocate(1, 1); /* of several allocations one failed */
	CHECK_EQ_INT(symcf_no_memory(), SYMCF_LIMIT_MEMORY);
	symcf_free(array);
	leave(b, NULL);
}

/* Growth takes what is left rather than nothing. */
static void growth_uses_the_budget_up(void)
{
	symcf_budget *b = entered(1000);
	char *array = NULL;
	uint64_t capacity = 0;
	CHECK(symcf_grow(&array, &capacity, 800, 1));
	CHECK(symcf_grow(&array, &capacity, 801, 1));
	CHECK_EQ_INT(capacity, 1000);
	CHECK(!symcf_grow(&array, &capacity, 1001, 1));
	symcf_free(array);
	leave(b, NULL);
}

static void an_inner_budget_charges_the_outer_one(void)
{
	symcf_budget *outer = entered(1000);
	void *before = symcf_allocate(500, 1);
	symcf_budget *inner = entered(2000);
	CHECK(!symcf_allocate(501, 1)); /* the outer one has 500 left */
	void *within = symcf_allocate(400, 1);
	CHECK(within && symcf_budget_left() == 100);
	leave(inner, outer);
	CHECK_EQ_INT(symcf_budget_left(), 100);
	symcf_free(within);
	CHECK_EQ_INT(symcf_budget_left(), 500);
	inner = entered(100);
	CHECK(!symcf_allocate(101, 1));
	symcf_free(before); /* was not taken within it: gains it nothing */
	CHECK(!symcf_allocate(101, 1) && symcf_budget_left() == 100);
	leave(inner, outer);
	CHECK_EQ_INT(symcf_budget_left(), 1000);
	leave(outer, NULL);
}

/* What a budget has not paid for gives it nothing when it is freed. */
static void budgets_do_not_mix(void)
{
	char *earlier = symcf_allocate(5000, 1);
	symcf_budget *b = entered(1000);
	char *array = symcf_allocate(1000, 1);
	symcf_free(earlier);
	CHECK_EQ_INT(symcf_budget_left(), 0);
	leave(b, NULL);
	b = entered(1000);
	CHECK(!symcf_resize(array, 1001, 1)); /* charged as a whole to who makes it grow */
	CHECK((array = symcf_resize(array, 900, 1)));
	CHECK_EQ_INT(symcf_budget_left(), 100);
	symcf_free(array);
	CHECK_EQ_INT(symcf_budget_left(), 1000);
	leave(b, NULL);
}

int main(void)
{
	RUN(nothing_is_an_allocation_too);
	RUN(products_that_overflow_are_refused);
	RUN(zeroed_means_zero);
	RUN(growth_keeps_the_contents);
	RUN(failed_growth_changes_nothing);
	RUN(the_allocation_asked_for_fails_and_no_other);
	RUN(a_write_beside_an_array_is_seen);
	RUN(what_is_freed_may_be_taken_again);
	RUN(a_failure_says_whose_it_was);
	RUN(growth_uses_the_budget_up);
	RUN(an_inner_budget_charges_the_outer_one);
	RUN(budgets_do_not_mix);
	return check_report();
}
