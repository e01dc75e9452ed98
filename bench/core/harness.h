/* harness.h (private): what the benchmarks in C share: classifiers as in the paper, and timing.
 *
 *     bench_start(argc, argv);                        --json: one line of JSON per result;
 *                                                     --single: one turn of one classifier, for
 *                                                     tools that count instructions
 *     symcf_threshold *t = bench_classifier(25, 1);   the same one for the same numbers, everywhere
 *     bench_case cases[] = {{walk, &data}, {copy, &data}};
 *     bench_in_turns(cases, 2, 11);                   a warm-up, then 11 turns of both
 *     cases[0].median, .least, .most                  seconds
 *     bench_ratio(&cases[0], &cases[1])               the median of the ratios turn by turn
 *
 * Seconds are processor time of the thread, the system's share included: the wait while others run
 * is not ours. What others do to caches and memory still is, hence turns: a machine that is busy
 * for a second is then busy for all cases alike, and a ratio of neighbours hardly notices.
 *
 * A benchmark ends the process when something fails: a wrong answer has no speed.
 */
#ifndef SYMCF_BENCH_HARNESS_H
#define SYMCF_BENCH_HARNESS_H

#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "symcf.h"

/* ---------------------------------------------------------------- start, stop ---------------- */

static bool bench_json, bench_single;

static inline void bench_must(symcf_status status)
{
	if (status != SYMCF_OK) {
		fprintf(stderr, "failed: %s\n", symcf_status_text(status));
		exit(EXIT_FAILURE);
	}
}

static inline void *bench_allocate(size_t size)
{
	void *memory = malloc(size);
	if (!memory)
		bench_must(SYMCF_NO_MEMORY);
	return memory;
}

/* Reads the flags, if there are any. */
static inline void bench_start(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--json") == 0) {
			bench_json = true;
		} else if (strcmp(argv[i], "--single") == 0) {
			bench_single = true;
		} else {
			fprintf(stderr, "usage: %s [--json] [--single]\n", argv[0]);
			exit(EXIT_FAILURE);
		}
	}
}

/* How many of `count` seeds to run. */
static inline unsigned bench_seeds(unsigned count)
{
	return bench_single ? 1 : count;
}

/* ----------------------------------------------------------------- classifiers --------------- */

/* A number in (0, 1). (Splitmix64, by Steele, Lea and Flood 2014.) */
static inline double bench_uniform(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	z ^= z >> 31;
	return ((double)(z >> 11) + 0.5) * 0x1p-53;
}

/* Naive Bayes with all probabilities uniform and threshold .5: the random classifiers of the
 * paper. ensures: freed by symcf_threshold_free. */
static inline symcf_threshold *bench_classifier(uint32_t n, uint64_t seed)
{
	uint64_t state = seed << 32 | n;
	uint32_t *value_offset = bench_allocate((n + 1) * sizeof *value_offset);
	double *p1 = bench_allocate((2 * (size_t)n + 1) * sizeof *p1);
	double *p0 = bench_allocate((2 * (size_t)n + 1) * sizeof *p0);
	const double prior = bench_uniform(&state);
	for (uint32_t j = 0; j < n; j++) {
		p1[2 * j + 1] = bench_uniform(&state);
		p0[2 * j + 1] = bench_uniform(&state);
		p1[2 * j] = 1 - p1[2 * j + 1];
		p0[2 * j] = 1 - p0[2 * j + 1];
	}
	for (uint32_t j = 0; j <= n; j++)
		value_offset[j] = 2 * j;
	symcf_bayes_fault fault;
	symcf_threshold *t = NULL;
	bench_must(symcf_threshold_from_bayes(n, value_offset, p1, p0, prior, 1 - prior, 0.5, true,
	                                      &fault, &t));
	free(value_offset);
	free(p1);
	free(p0);
	return t;
}

/* `count` random codes 0 and 1. */
static inline void bench_codes(uint64_t *state, size_t count, uint32_t *codes)
{
	for (size_t i = 0; i < count; i++)
		codes[i] = bench_uniform(state) < 0.5;
}

/* Its diagram, features by influence. ensures: freed by symcf_diagram_free. */
static inline symcf_diagram *bench_compile(const symcf_threshold *t)
{
	uint32_t *order = bench_allocate((t->n + 1) * sizeof *order);
	symcf_diagram *d = NULL;
	bench_must(symcf_threshold_influence_order(t, order));
	bench_must(symcf_compile(t, order, NULL, &d));
	free(order);
	return d;
}

/* -------------------------------------------------------------------- timing ----------------- */

enum { BENCH_MAX_TURNS = 101 };

typedef struct bench_case {
	void (*work)(void *data);
	void *data;
	void (*undo)(void *data); /* cleans up, unwatched; may be NULL */
	/* filled in by bench_in_turns; seconds */
	double turn[BENCH_MAX_TURNS];
	unsigned turns;
	double median, least, most;
} bench_case;

static inline int bench_by_value(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

/* The median; *least and *most may be NULL. requires: 0 < count <= BENCH_MAX_TURNS. */
static inline double bench_median(const double *values, unsigned count, double *least, double *most)
{
	double sorted[BENCH_MAX_TURNS];
	memcpy(sorted, values, count * sizeof *values);
	qsort(sorted, count, sizeof *sorted, bench_by_value);
	if (least)
		*least = sorted[0];
	if (most)
		*most = sorted[count - 1];
	return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

static inline double bench_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline double bench_once(const bench_case *c)
{
	const double start = bench_clock();
	c->work(c->data);
	const double seconds = bench_clock() - start;
	if (c->undo)
		c->undo(c->data);
	return seconds;
}

/* Runs every case once unwatched, then all of them in turns; with --single, once only.
 * requires: turns <= BENCH_MAX_TURNS. */
static inline void bench_in_turns(bench_case *cases, unsigned count, unsigned turns)
{
	turns = bench_single ? 1 : turns;
	for (unsigned i = 0; i < count && !bench_single; i++)
		bench_once(&cases[i]);
	for (unsigned turn = 0; turn < turns; turn++)
		for (unsigned i = 0; i < count; i++)
			cases[i].turn[turn] = bench_once(&cases[i]);
	for (unsigned i = 0; i < count; i++) {
		bench_case *c = &cases[i];
		c->turns = turns;
		c->median = bench_median(c->turn, turns, &c->least, &c->most);
	}
}

/* How many times as long as b does a take? */
static inline double bench_ratio(const bench_case *a, const bench_case *b)
{
	double ratio[BENCH_MAX_TURNS];
	for (unsigned turn = 0; turn < a->turns; turn++)
		ratio[turn] = a->turn[turn] / b->turn[turn];
	return bench_median(ratio, a->turns, NULL, NULL);
}

/* , "name": {"median": seconds, ...}: a field of a line of JSON. */
static inline void bench_print_case(const char *name, const bench_case *c)
{
	printf(", \"%s\": {\"median\": %.9g, \"least\": %.9g, \"most\": %.9g, \"turns\": %u}", name,
	       c->median, c->least, c->most, c->turns);
}

/* Opens a line of JSON: which benchmark, which compiler, which classifier. */
static inline void bench_open_line(const char *bench, uint32_t n, uint64_t seed)
{
#ifdef __clang__
	const char *compiler = __VERSION__; /* names itself */
#else
	const char *compiler = "GCC " __VERSION__;
#endif
	printf("{\"bench\": \"%s\", \"compiler\": \"%s\", \"n\": %" PRIu32 ", \"seed\": %" PRIu64,
	       bench, compiler, n, seed);
}

static inline void bench_close_line(void)
{
	printf("}\n");
	fflush(stdout);
}

#endif
