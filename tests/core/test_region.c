/* test_region.c: memory that grows in place. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../src/core/memory.h"
#include "../../src/core/region.h"
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
	symcf_region r = {0};
	REQUIRE(symcf_region_open(&r, bytes) == SYMCF_OK);
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
	symcf_region_close(&r);
}

static void address_space_is_not_memory(void)
{
	const uint64_t bytes = UINT64_C(1) << 34; /* as much as valgrind lets us have */
	symcf_region r = {0};
	REQUIRE(symcf_region_open(&r, bytes) == SYMCF_OK);
	char *data = r.data;
	data[0] = 1;
	data[bytes - 1] = 2;
	CHECK_EQ_INT(data[0] + data[bytes - 1], 3);
	symcf_region_close(&r);
}

static void trimming_keeps_the_beginning(void)
{
	symcf_region r = {0};
	REQUIRE(symcf_region_open(&r, 8 << 20) == SYMCF_OK);
	char *data = r.data;
	memset(data, 7, 3 << 20);
	symcf_region_trim(&r, (2 << 20) + 1);
	CHECK(r.data == data);
	CHECK_EQ_INT(r.size, (2 << 20) + page());
	CHECK(data[0] == 7 && data[2 << 20] == 7);
	CHECK(!is_mapped(data + r.size));
	symcf_region_trim(&r, 100 << 20); /* no way back */
	CHECK_EQ_INT(r.size, (2 << 20) + page());
	symcf_region_trim(&r, 0);
	CHECK_EQ_INT(r.size, page());
	CHECK_EQ_INT(data[1], 7);
	symcf_region_close(&r);
	CHECK(!is_mapped(data));
}

static void nothing_is_a_size_too(void)
{
	symcf_region r = {0};
	REQUIRE(symcf_region_open(&r, 0) == SYMCF_OK);
	*(int64_t *)r.data = 5;
	CHECK_EQ_INT(r.size, page());
	symcf_region_close(&r);
}

static void closing_twice_is_fine(void)
{
	symcf_region r = {0};
	symcf_region_close(&r);
	REQUIRE(symcf_region_open(&r, 1) == SYMCF_OK);
	symcf_region_close(&r);
	CHECK(!r.data && !r.size);
	symcf_region_close(&r);
}

static void what_cannot_be_had_is_refused(void)
{
	symcf_region r = {0};
	CHECK_EQ_INT(symcf_region_open(&r, UINT64_MAX), SYMCF_NO_MEMORY);
	CHECK_EQ_INT(symcf_region_open(&r, UINT64_C(1) << 62), SYMCF_NO_MEMORY);
	symcf_fail_allocation(1);
	CHECK_EQ_INT(symcf_region_open(&r, 1), SYMCF_NO_MEMORY);
	CHECK(!r.data && !r.size);
}

int main(void)
{
	RUN(holds_what_it_is_given);
	RUN(address_space_is_not_memory);
	RUN(trimming_keeps_the_beginning);
	RUN(nothing_is_a_size_too);
	RUN(closing_twice_is_fine);
	RUN(what_cannot_be_had_is_refused);
	return check_report();
}
