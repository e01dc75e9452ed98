/* arena.c: see arena.h. */
#include "arena.h"

#include <assert.h>
#include <string.h>

#include "memory.h"

enum { ALIGNMENT = 16 };

#ifdef NDEBUG

static void put_guard(arena *a)
{
	(void)a;
}

static void check_guards(const arena *a)
{
	(void)a;
}

#else

/* Large as an index, a weight or a pointer: whoever reads it by mistake gets a wrong result. */
typedef struct guard {
	uint64_t word, previous;
} guard;

static const uint64_t GUARD = UINT64_C(0x6B6B6B6B6B6B6B6B);

static void put_guard(arena *a)
{
	const guard g = {GUARD, a->guard};
	if (a->block)
		memcpy(a->block + a->used, &g, sizeof g);
	a->guard = a->used;
	a->used += sizeof g;
}

static void check_guards(const arena *a)
{
	guard g;
	for (uint64_t at = a->guard; at; at = g.previous) {
		memcpy(&g, a->block + at, sizeof g);
		assert(g.word == GUARD && g.previous < at); /* someone wrote beyond a part */
	}
}

#endif

void *symcf_arena_take(arena *a, uint64_t count, size_t size)
{
	const uint64_t most = PTRDIFF_MAX / 2;
	if (a->too_large || count > (most - a->used) / size) {
		a->too_large = true;
		return NULL;
	}
	char *part = a->block ? a->block + a->used : NULL;
	a->used += (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	put_guard(a);
	assert(!a->block || a->used <= a->size);
	return part;
}

symcf_status symcf_arena_open(arena *a)
{
	assert(!a->block);
	a->block = a->too_large ? NULL : symcf_allocate(a->used, 1);
	a->size = a->used;
	a->used = a->guard = 0;
	return a->block ? SYMCF_OK : symcf_no_memory();
}

void symcf_arena_close(arena *a)
{
	if (a->block)
		check_guards(a);
	symcf_free(a->block);
	*a = (arena){0};
}
