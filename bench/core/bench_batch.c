/* The batch kernel, one thread, against the two least things it could cost: finding the change sets
 * without writing them down, and writing them down without finding them.
 *
 *   count    symcf_rows_get, symcf_cover_reset and _tally for each row: the bare kernel, which knows
 *            how many change sets there are and how many features they have, and nothing else
 *   found    symcf_batch_open, _work, _finish: all change sets in columns, as found
 *   sorted   the same, the sets of a row by (size, features)
 *   warm     memcpy of those columns into memory that has been touched before
 *   fresh    memcpy of those columns into memory from the system: the columns of a batch are new
 *            memory, too. In pages as large as the system has, like the columns.
 *
 * Nobody waits for memory to be given back: that is not timed in any of them.
 */
#define _DEFAULT_SOURCE
#include "harness.h"

#include <sys/mman.h>

enum { N = 25, ROWS = 20000, SEEDS = 7, TURNS = 7 };

typedef struct job {
	symcf_threshold *t;
	symcf_rows rows;
	symcf_columns answer; /* what the copies copy         */
	uint64_t bytes;       /* of it                        */
	char *warm;           /* touched                      */
	symcf_columns made;   /* by the last run of the batch */
	char *fresh;          /* by the last run of the copy  */
} job;

/* ------------------------------------------------------------------ the kernels -------------- */

static void count(void *data)
{
	job *j = data;
	uint32_t x[N] = {0}, bad;
	uint64_t sets = 0, features = 0;
	symcf_query q = {.x = x, .max_changes = UINT32_MAX};
	symcf_cover *e = NULL;
	bench_must(symcf_cover_open(j->t, &q, &e));
	for (size_t i = 0; i < j->rows.m; i++) {
		uint64_t row_sets, row_features;
		bench_must(symcf_rows_get(&j->rows, i, j->t->value_offset, x, &bad));
		bench_must(symcf_cover_reset(e, &q));
		bench_must(symcf_cover_tally(e, NULL, &row_sets, &row_features));
		sets += row_sets;
		features += row_features;
	}
	symcf_cover_free(e);
	if (sets != j->answer.n_sets || features != j->answer.n_features)
		bench_must(SYMCF_INTERNAL);
}

static void run_batch(job *j, bool sorted)
{
	const symcf_batch_request request = {
		.max_changes = UINT32_MAX, .max_memory = UINT64_C(8) << 30, .target = -1, .sorted = sorted};
	uint64_t bad_row;
	uint32_t bad_feature;
	symcf_batch *b = NULL;
	const symcf_classifier c = {.n_classes = 2, .t = j->t};
	bench_must(symcf_batch_open(&c, j->t->value_offset, &j->rows, &request, NULL, &b));
	bench_must(symcf_batch_work(b, NULL));
	bench_must(symcf_batch_finish(b, &j->made, &bad_row, &bad_feature));
	symcf_batch_free(b);
}

static void found(void *data)
{
	run_batch(data, false);
}

static void sorted(void *data)
{
	run_batch(data, true);
}

static void drop_columns(void *data)
{
	job *j = data;
	symcf_columns_free(&j->made);
}

/* ------------------------------------------------------------------- the copies -------------- */

/* The columns, one after the other, each at the next multiple of 64 bytes. ensures: their bytes. */
static uint64_t copy_columns(const symcf_columns *c, char *to)
{
	const struct {
		const void *data;
		uint64_t size;
	} column[] = {{c->row_offsets, (c->m + 1) * sizeof *c->row_offsets},
	              {c->set_offsets.data, (c->n_sets + 1) * sizeof(int64_t)},
	              {c->features.data, c->n_features * sizeof(int32_t)},
	              {c->status, c->m},
	              {c->prediction, c->m}};
	uint64_t at = 0;
	for (size_t i = 0; i < sizeof column / sizeof *column; i++) {
		if (to)
			memcpy(to + at, column[i].data, column[i].size);
		at += (column[i].size + 63) / 64 * 64;
	}
	/* The compiler must not find out that nobody reads the copy. */
	__asm__ volatile("" : : "r"(to) : "memory");
	return at;
}

static char *new_memory(uint64_t bytes)
{
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		bench_must(SYMCF_NO_MEMORY);
#ifdef MADV_HUGEPAGE
	madvise(memory, bytes, MADV_HUGEPAGE);
#endif
	return memory;
}

static void copy_warm(void *data)
{
	job *j = data;
	copy_columns(&j->answer, j->warm);
}

static void copy_fresh(void *data)
{
	job *j = data;
	j->fresh = new_memory(j->bytes);
	copy_columns(&j->answer, j->fresh);
}

static void drop_copy(void *data)
{
	job *j = data;
	munmap(j->fresh, j->bytes);
}

/* --------------------------------------------------------------------- results --------------- */

enum { COUNT, FOUND, SORTED, WARM, FRESH, CASES };

static const char *const name[CASES] = {"count", "found", "sorted", "warm", "fresh"};

static void print(uint64_t seed, const job *j, const bench_case *cases)
{
	const double sets = (double)j->answer.n_sets;
	if (bench_json) {
		bench_open_line("batch", N, seed);
		printf(", \"rows\": %zu, \"sets\": %.0f, \"bytes\": %" PRIu64, j->rows.m, sets, j->bytes);
		for (unsigned i = 0; i < CASES; i++)
			bench_print_case(name[i], &cases[i]);
		for (unsigned i = FOUND; i <= SORTED; i++) {
			printf(", \"%s_to_warm\": %.4g", name[i], bench_ratio(&cases[i], &cases[WARM]));
			printf(", \"%s_to_fresh\": %.4g", name[i], bench_ratio(&cases[i], &cases[FRESH]));
			printf(", \"count_to_%s\": %.4g", name[i], bench_ratio(&cases[COUNT], &cases[i]));
		}
		bench_close_line();
		return;
	}
	printf("%5" PRIu64 " %8.1f %8.0f", seed, sets / (double)j->rows.m, (double)j->bytes / 1e6);
	for (unsigned i = 0; i < CASES; i++)
		printf(" %7.2f", 1e9 * cases[i].median / sets);
	for (unsigned i = FOUND; i <= SORTED; i++)
		printf("  %6.0f%% %6.2f %6.2f", 100 * bench_ratio(&cases[COUNT], &cases[i]),
		       bench_ratio(&cases[i], &cases[WARM]), bench_ratio(&cases[i], &cases[FRESH]));
	printf("\n");
	fflush(stdout);
}

static void run_seed(uint64_t seed)
{
	uint64_t state = ~seed;
	int8_t *codes = bench_allocate((size_t)ROWS * N);
	for (size_t i = 0; i < (size_t)ROWS * N; i++)
		codes[i] = bench_uniform(&state) < 0.5;
	job j = {.t = bench_classifier(N, seed),
	         .rows = {.data = codes, .type = SYMCF_INT8, .m = ROWS, .n = N}};
	run_batch(&j, true);
	j.answer = j.made;
	memset(&j.made, 0, sizeof j.made);
	j.bytes = copy_columns(&j.answer, NULL);
	j.warm = new_memory(j.bytes);
	bench_case cases[CASES] = {{.work = count, .data = &j},
	                           {.work = found, .data = &j, .undo = drop_columns},
	                           {.work = sorted, .data = &j, .undo = drop_columns},
	                           {.work = copy_warm, .data = &j},
	                           {.work = copy_fresh, .data = &j, .undo = drop_copy}};
	bench_in_turns(cases, CASES, TURNS);
	print(seed, &j, cases);
	munmap(j.warm, j.bytes);
	symcf_columns_free(&j.answer);
	symcf_threshold_free(j.t);
	free(codes);
}

int main(int argc, char **argv)
{
	bench_start(argc, argv);
	if (!bench_json)
		printf("%d features, %d rows, one thread; nanoseconds per set, medians of %d\n"
		       "%76s  %s\n"
		       " seed sets/row       MB   count   found  sorted    warm   fresh"
		       "    speed  /warm /fresh    speed  /warm /fresh\n",
		       N, ROWS, TURNS, "as found: of count's", "sorted: of count's");
	for (uint64_t seed = 1; seed <= bench_seeds(SEEDS); seed++)
		run_seed(seed);
	return 0;
}
