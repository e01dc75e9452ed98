/* test_arena.c: arrays in one block; with assertions, writes beyond one of them are seen. */
#define _POSIX_C_SOURCE 200809L
#include "../../src/core/arena.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

enum { PARTS = 5 };
static const uint64_t counts[PARTS] = {3, 0, 1, 17, 100};
static const size_t sizes[PARTS] = {8, 4, 1, 2, 12};

static void lay_out(arena *a, unsigned char **part)
{
	for (int i = 0; i < PARTS; i++)
		part[i] = symcf_arena_take(a, counts[i], sizes[i]);
}

static symcf_status open_parts(arena *a, unsigned char **part)
{
	*a = (arena){0};
	lay_out(a, part);
	for (int i = 0; i < PARTS; i++)
		CHECK(!part[i]);
	const symcf_status status = symcf_arena_open(a);
	if (!status)
		lay_out(a, part);
	return status;
}

static void parts_are_apart_and_aligned(void)
{
	arena a;
	unsigned char *part[PARTS];
	REQUIRE(open_parts(&a, part) == SYMCF_OK);
	for (int i = 0; i < PARTS; i++) {
		CHECK(part[i] && (uintptr_t)part[i] % 16 == 0);
		memset(part[i], i, counts[i] * sizes[i]);
	}
	for (int i = 0; i < PARTS; i++)
		for (uint64_t at = 0; at < counts[i] * sizes[i]; at++)
			CHECK_EQ_INT(part[i][at], i);
	symcf_arena_close(&a);
	CHECK(!a.block);
	symcf_arena_close(&a);
}

static void sizes_that_overflow_are_refused(void)
{
	static const uint64_t large[] = {UINT64_MAX, UINT64_MAX / 8 + 2, (uint64_t)1 << 60};
	for (int i = 0; i < 3; i++)
		for (int repeated = 0; repeated < 2; repeated++) {
			arena a = {0};
			symcf_arena_take(&a, repeated ? 1 : large[i], 8);
			for (int k = 0; k < 40; k++) /* each fits, the sum does not */
				symcf_arena_take(&a, large[i] / 4, 8);
			CHECK_EQ_INT(symcf_arena_open(&a), SYMCF_NO_MEMORY);
			symcf_arena_close(&a);
		}
}

static symcf_status open_and_close(const void *data)
{
	arena a;
	unsigned char *part[PARTS];
	(void)data;
	const symcf_status status = open_parts(&a, part);
	symcf_arena_close(&a);
	return status;
}

static void failing_memory_is_reported(void)
{
	CHECK_EQ_INT(fail_each_allocation(open_and_close, NULL), 1);
}

/* Does a child that writes there come to its end? */
static bool survives(int i, bool beyond)
{
	const pid_t child = fork();
	if (child == 0) {
		const struct rlimit no_core = {0, 0};
		arena a;
		unsigned char *part[PARTS];
		setrlimit(RLIMIT_CORE, &no_core);
		if (!freopen("/dev/null", "w", stderr) || open_parts(&a, part))
			_exit(2);
		const uint64_t bytes = (counts[i] * sizes[i] + 15) / 16 * 16; /* up to the next part */
		part[i][beyond ? bytes : bytes - 1] ^= 1;
		symcf_arena_close(&a);
		_exit(0);
	}
	int how = -1;
	CHECK(child > 0 && waitpid(child, &how, 0) == child);
	CHECK(WIFSIGNALED(how) ? WTERMSIG(how) == SIGABRT : WEXITSTATUS(how) == 0);
	return !WIFSIGNALED(how);
}

static void a_write_beyond_a_part_is_seen(void)
{
	for (int i = 0; i < PARTS; i++) {
		CHECK(!survives(i, true));
		if (counts[i])
			CHECK(survives(i, false));
	}
}

int main(void)
{
	RUN(parts_are_apart_and_aligned);
	RUN(sizes_that_overflow_are_refused);
	RUN(failing_memory_is_reported);
	RUN(a_write_beyond_a_part_is_seen);
	return check_report();
}
