/* A test program in C, in full:
 *
 *     #include "check.h"
 *     static void adds(void)
 *     {
 *         CHECK(1 + 1 == 2);
 *         CHECK_EQ_INT(1 + 1, 2);      got, wanted: both are printed when they differ
 *         CHECK_EQ_STR(name, "adds");
 *         REQUIRE(pointer != NULL);    as CHECK, but leaves the test: what follows needs it
 *     }
 *     int main(void)
 *     {
 *         RUN(adds);
 *         return check_report();       prints "1 passed, 0 failed"; non-zero unless all passed
 *     }
 *
 * A failed check prints file, line and expression, and the test goes on. Include it once per program.
 */
#ifndef SYMCF_CHECK_H
#define SYMCF_CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int check_passed, check_failed;
static _Atomic bool check_ok; /* of the running test, so far; several threads may check */

static inline bool check_that(bool holds, const char *file, int line, const char *expression)
{
	if (!holds) {
		fprintf(stderr, "%s:%d: failed: %s\n", file, line, expression);
		check_ok = false;
	}
	return holds;
}

static inline void check_int(intmax_t got, intmax_t wanted, const char *file, int line,
                             const char *expression)
{
	if (!check_that(got == wanted, file, line, expression))
		fprintf(stderr, "  got %" PRIdMAX ", wanted %" PRIdMAX "\n", got, wanted);
}

static inline void check_str(const char *got, const char *wanted, const char *file, int line,
                             const char *expression)
{
	if (!check_that(got && strcmp(got, wanted) == 0, file, line, expression))
		fprintf(stderr, "  got \"%s\", wanted \"%s\"\n", got ? got : "(null)", wanted);
}

#define CHECK(condition) ((void)check_that((condition), __FILE__, __LINE__, #condition))
#define CHECK_EQ_INT(got, wanted)                                                                  \
	check_int((intmax_t)(got), (intmax_t)(wanted), __FILE__, __LINE__, #got " == " #wanted)
#define CHECK_EQ_STR(got, wanted)                                                                  \
	check_str((got), (wanted), __FILE__, __LINE__, #got " == " #wanted)
#define REQUIRE(condition)                                                                         \
	do {                                                                                           \
		if (!check_that((condition), __FILE__, __LINE__, #condition))                              \
			return;                                                                                \
	} while (0)

#define RUN(test) check_run(#test, test)

static inline void check_run(const char *name, void (*test)(void))
{
	check_ok = true;
	test();
	if (!check_ok)
		fprintf(stderr, "FAILED %s\n", name);
	*(check_ok ? &check_passed : &check_failed) += 1;
}

static inline int check_report(void)
{
	printf("%d passed, %d failed\n", check_passed, check_failed);
	return check_failed != 0 || check_passed == 0;
}

#endif
