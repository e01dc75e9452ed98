/* test_growing_map.c: memory that grows in place. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../../src/core/growing_map.h"
#include "../../src/core/memory.h"
#include "check.h"

static uint64_t page(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Does the page that begins here belong to anything? */
static bool is_mapped(char *start)
{
	unsigned char resident;
	return mincore(start, (size_t)page(), &resident) == 0 || errno != ENOMEM;
}

static void holds_what_it_is_given(void)
{
	const uint64_t bytes = 5 << 20; /* small pages and huge ones */
	symcf_growing_map r = {0};
	REQUIRE(symcf_growing_map_open(&r, bytes) == SYMCF_OK);
	CHECK(r.size >= bytes && r.size % page() == 0);
	unsigned char *data = r.data;
	for (uint64_t i = 0; i < bytes; i++) {
		if (data[i])
			CHECK(!"it begins as zeros");
		data[i] = (unsigned char)(i * 31 >> 3);
	}
	uint64_t kept = 0;
	for (uint64_t i = 0; i < bytes; i++)
		kept += data[i] == (unsigned char)(i * 31 >> 3);
	CHECK_EQ_INT(kept, bytes);
	symcf_growing_map_close(&r);
}

static void address_space_is_not_memory(void)
{
	const uint64_t bytes = UINT64_C(1) << 34; /* as much as valgrind lets us have */
	symcf_growing_map r = {0};
	REQUIRE(symcf_growing_map_open(&r, bytes) == SYMCF_OK);
	char *data = r.data;
	data[0] = 1;
	data[bytes - 1] = 2;
	CHECK_EQ_INT(data[0] + data[bytes - 1], 3);
	symcf_growing_map_close(&r);
}

static void trimming_keeps_the_beginning(void)
{
	symcf_growing_map r = {0};
	REQUIRE(symcf_growing_map_open(&r, 8 << 20) == SYMCF_OK);
	char *data = r.data;
	memset(data, 7, 3 << 20);
	symcf_growing_map_trim(&r, (2 << 20) + 1);
	CHECK(r.data == data);
	CHECK_EQ_INT(r.size, GROWING_MAP_SMALL + PAGE_CACHE_UNIT);
	CHECK(data[0] == 7 && data[2 << 20] == 7);
	CHECK(!is_mapped(data + r.size));
	symcf_growing_map_trim(&r, 100 << 20); /* no way back */
	CHECK_EQ_INT(r.size, GROWING_MAP_SMALL + PAGE_CACHE_UNIT);
	symcf_growing_map_trim(&r, 0);
	CHECK_EQ_INT(r.size, page());
	CHECK_EQ_INT(data[1], 7);
	symcf_growing_map_close(&r);
	CHECK(!is_mapped(data));
}

static void nothing_is_a_size_too(void)
{
	symcf_growing_map r = {0};
	REQUIRE(symcf_growing_map_open(&r, 0) == SYMCF_OK);
	*(int64_t *)r.data = 5;
	CHECK_EQ_INT(r.size, page());
	symcf_growing_map_close(&r);
}

static void closing_twice_is_fine(void)
{
	symcf_growing_map r = {0};
	symcf_growing_map_close(&r);
	REQUIRE(symcf_growing_map_open(&r, 1) == SYMCF_OK);
	symcf_growing_map_close(&r);
	CHECK(!r.data && !r.size);
	symcf_growing_map_close(&r);
}

static void what_cannot_be_had_is_refused(void)
{
	symcf_growing_map r = {0};
	CHECK_EQ_INT(symcf_growing_map_open(&r, UINT64_MAX), SYMCF_NO_MEMORY);
	CHECK_EQ_INT(symcf_growing_map_open(&r, UINT64_C(1) << 62), SYMCF_NO_MEMORY);
	symcf_fail_allocation(1);
	CHECK_EQ_INT(symcf_growing_map_open(&r, 1), SYMCF_NO_MEMORY);
	CHECK(!r.data && !r.size);
}

/* Opens a map, fills it as far as said and closes it. ensures: how much of it was memory of
 * others. */
static uint64_t use(uint64_t bytes, unsigned char with)
{
	symcf_growing_map r = {0};
	CHECK_EQ_INT(symcf_growing_map_open(&r, 100 << 20), SYMCF_OK);
	if (!r.data)
		return UINT64_MAX;
	CHECK_EQ_INT(symcf_growing_map_reach(&r, bytes), SYMCF_OK);
	const uint64_t reused = r.backed;
	memset(r.data, with, bytes);
	symcf_growing_map_trim(&r, bytes);
	unsigned char *data = r.data;
	for (uint64_t i = 0; i < bytes; i += 509) /* some on each page */
		if (data[i] != with || data[bytes - 1 - i] != with)
			CHECK(!"it holds what it was given");
	symcf_growing_map_close(&r);
	return reused;
}

static void pages_serve_again(void)
{
	const uint64_t small = GROWING_MAP_SMALL, unit = PAGE_CACHE_UNIT;
	symcf_release_memory();
	CHECK_EQ_INT(use(small, 1), 0); /* too small to bother */
	CHECK_EQ_INT(use(small + 10 * unit, 2), small);
	CHECK_EQ_INT(use(small + 15 * unit, 3), small + 10 * unit);
	CHECK_EQ_INT(use(small + 5 * unit, 4),
	             small + 15 * unit); /* and gives back in two pieces ... */
	CHECK_EQ_INT(use(small + 15 * unit, 5),
	             small + 10 * unit); /* ... of which this is the larger */
	CHECK_EQ_INT(use(small + 15 * unit + 1, 6), small + 15 * unit);
	CHECK_EQ_INT(use(small + 1, 7), small + 16 * unit);
	symcf_release_memory();
	CHECK_EQ_INT(use(small + 15 * unit, 8), small);
	symcf_release_memory();
}

static void what_was_not_needed_is_kept_when_a_map_fails(void)
{
	const uint64_t bytes = GROWING_MAP_SMALL + 10 * PAGE_CACHE_UNIT;
	symcf_release_memory();
	use(bytes, 1);
	symcf_growing_map r = {0};
	REQUIRE(symcf_growing_map_open(&r, 100 << 20) == SYMCF_OK);
	REQUIRE(symcf_growing_map_reach(&r, 3 << 20) == SYMCF_OK);
	symcf_growing_map_close(&r); /* not trimmed: nobody knows what was written */
	CHECK_EQ_INT(use(bytes, 2), bytes);
	symcf_release_memory();
}

static void not_too_much_is_kept(void)
{
	symcf_release_memory();
	for (int i = 0; i < 3; i++) {
		symcf_growing_map r = {0};
		REQUIRE(symcf_growing_map_open(&r, 3 * PAGE_CACHE_MOST) == SYMCF_OK);
		REQUIRE(symcf_growing_map_reach(&r, 2 * PAGE_CACHE_MOST) == SYMCF_OK);
		CHECK_EQ_INT(r.backed, i ? GROWING_MAP_SMALL + PAGE_CACHE_MOST : GROWING_MAP_SMALL);
		char *data = r.data;
		data[3 * PAGE_CACHE_MOST - 1] = 1;
		data[GROWING_MAP_SMALL + PAGE_CACHE_MOST - 1] = 1;
		symcf_growing_map_trim(&r, 3 * PAGE_CACHE_MOST);
		symcf_growing_map_close(&r);
		CHECK(!is_mapped(data + 2 * PAGE_CACHE_MOST));
	}
	symcf_release_memory();
}

/* A piece larger than the map stays where it is. */
static void a_small_map_has_no_use_for_a_large_piece(void)
{
	const uint64_t bytes = GROWING_MAP_SMALL + 25 * PAGE_CACHE_UNIT;
	symcf_release_memory();
	use(bytes, 1);
	symcf_growing_map r = {0};
	REQUIRE(symcf_growing_map_open(&r, 10 << 20) == SYMCF_OK);
	REQUIRE(symcf_growing_map_reach(&r, 9 << 20) == SYMCF_OK);
	CHECK_EQ_INT(r.backed, GROWING_MAP_SMALL);
	memset(r.data, 1, 10 << 20);
	symcf_growing_map_close(&r);
	CHECK_EQ_INT(use(bytes, 2), bytes);
	symcf_release_memory();
}

/* Sanitizers need addresses themselves. */
#if defined(RLIMIT_AS) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LIMITS_ADDRESSES
/* Bytes of addresses that the process has taken; 0 if the system does not tell. */
static uint64_t addresses_taken(void)
{
	unsigned long long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	if (file) {
		if (fscanf(file, "%llu", &pages) != 1)
			pages = 0;
		fclose(file);
	}
	return pages * page();
}

static void what_is_kept_is_given_back_for_want_of_addresses(void)
{
	const uint64_t bytes = UINT64_C(700) << 20;
	symcf_growing_map r = {0};
	struct rlimit old, scarce;
	symcf_release_memory();
	REQUIRE(symcf_growing_map_open(&r, bytes) == SYMCF_OK);
	symcf_growing_map_trim(&r, bytes);
	symcf_growing_map_close(&r); /* is kept, though nothing was written */
	REQUIRE(getrlimit(RLIMIT_AS, &old) == 0);
	scarce = old;
	scarce.rlim_cur = addresses_taken() + (200 << 20);
	if (scarce.rlim_cur == 200 << 20 || setrlimit(RLIMIT_AS, &scarce) != 0)
		return;
	CHECK_EQ_INT(symcf_growing_map_open(&r, UINT64_C(500) << 20), SYMCF_OK);
	symcf_growing_map_close(&r);
	CHECK_EQ_INT(symcf_growing_map_open(&r, UINT64_C(2000) << 20), SYMCF_NO_MEMORY);
	setrlimit(RLIMIT_AS, &old);
}
#endif

static void *use_often(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < 60; i++)
		use((3 + i * 7 % 13) << 20, (unsigned char)i);
	return NULL;
}

static void threads_share_what_is_kept(void)
{
	pthread_t thread[3];
	for (int i = 0; i < 3; i++)
		REQUIRE(pthread_create(&thread[i], NULL, use_often, NULL) == 0);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	symcf_release_memory();
}

int main(void)
{
	RUN(holds_what_it_is_given);
	RUN(address_space_is_not_memory);
	RUN(trimming_keeps_the_beginning);
	RUN(nothing_is_a_size_too);
	RUN(closing_twice_is_fine);
	RUN(what_cannot_be_had_is_refused);
	RUN(pages_serve_again);
	RUN(what_was_not_needed_is_kept_when_a_map_fails);
	RUN(not_too_much_is_kept);
	RUN(a_small_map_has_no_use_for_a_large_piece);
#ifdef LIMITS_ADDRESSES
	RUN(what_is_kept_is_given_back_for_want_of_addresses);
#endif
	RUN(threads_share_what_is_kept);
	return check_report();
}
