/* faults.c: allocations that fail on demand, for tests/drivers/faults.py.
 *
 * A shared library that is loaded before the C library (LD_PRELOAD). It passes every call on, but
 * for two things. Allocations of one watched library (symcf's extension with CUDD inside, or
 * PySAT's solvers) can be made to fail: the n-th from now, or all from the n-th on. And what that
 * library has allocated and nobody has freed is counted, so that a leak is a number of bytes.
 *
 * Who allocates is told by the return address. C++ allocates by `operator new` in another library,
 * so that one is replaced, too; when it is to fail it throws what the real one throws.
 *
 * glibc only. The table of live blocks has a fixed size, because it cannot allocate; when it is
 * full the process aborts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define EXPORT __attribute__((visibility("default")))
#define CALLER ((uintptr_t)__builtin_return_address(0))

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

/* What tests/drivers/faults.py calls. */
void faults_watch(uintptr_t start, uintptr_t end);
void faults_arm(uint64_t countdown, int persistent);
uint64_t faults_disarm(void);
uint64_t faults_live_bytes(void);
uint64_t faults_live_blocks(void);

/* The replaced functions of C++ that no C header declares. */
void *_Znwm(size_t size);
void *_Znam(size_t size);
void _ZdlPv(void *block);
void _ZdaPv(void *block);
void _ZdlPvm(void *block, size_t size);
void _ZdaPvm(void *block, size_t size);

/* ------------------------------------------------------------- which allocation fails -------- */

static uintptr_t watched_start, watched_end;
static uint64_t countdown, failed;
static int persistent;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_watched(uintptr_t caller)
{
	return caller >= watched_start && caller < watched_end;
}

static bool fails(uintptr_t caller)
{
	bool hit = false;
	if (!is_watched(caller))
		return false;
	pthread_mutex_lock(&lock);
	if (countdown) {
		hit = countdown == 1;
		if (!hit || !persistent)
			countdown--;
		failed += hit;
	}
	pthread_mutex_unlock(&lock);
	if (hit)
		errno = ENOMEM;
	return hit;
}

/* From here on allocations whose callers lie in [start, end) are watched. */
EXPORT void faults_watch(uintptr_t start, uintptr_t end)
{
	watched_start = start;
	watched_end = end;
}

/* The allocation number `n` from now fails (1: the next; 0: no allocation); with `all`, those after it do,
 * too. */
EXPORT void faults_arm(uint64_t n, int all)
{
	pthread_mutex_lock(&lock);
	countdown = n;
	persistent = all;
	failed = 0;
	pthread_mutex_unlock(&lock);
}

/* No allocation fails any more. ensures: returns how many have failed since faults_arm. */
EXPORT uint64_t faults_disarm(void)
{
	pthread_mutex_lock(&lock);
	const uint64_t result = failed;
	countdown = 0;
	pthread_mutex_unlock(&lock);
	return result;
}

/* ------------------------------------------------------------------ what is alive ------------ */

enum { SLOTS = 1 << 20 };

/* Open addressing; a block that is gone leaves the mark 1, which no block has as its address. */
static struct {
	uintptr_t block;
	size_t bytes;
} live[SLOTS];
static uint64_t live_bytes, live_blocks, used_slots;

static size_t slot_of(uintptr_t block)
{
	return (size_t)(block * UINT64_C(0x9E3779B97F4A7C15) >> 44) % SLOTS;
}

static void enter(void *block, size_t bytes)
{
	size_t i = slot_of((uintptr_t)block);
	while (live[i].block > 1)
		i = (i + 1) % SLOTS;
	if (!live[i].block && ++used_slots > SLOTS / 2)
		abort();
	live[i].block = (uintptr_t)block;
	live[i].bytes = bytes;
	live_bytes += bytes;
	live_blocks++;
}

static void leave(void *block)
{
	size_t i = slot_of((uintptr_t)block);
	while (live[i].block && live[i].block != (uintptr_t)block)
		i = (i + 1) % SLOTS;
	if (!live[i].block)
		return;
	live[i].block = 1;
	live_bytes -= live[i].bytes;
	live_blocks--;
	/* marks before an empty slot are no longer needed */
	for (size_t next = (i + 1) % SLOTS; live[i].block == 1 && !live[next].block;
	     next = i, i = (i + SLOTS - 1) % SLOTS) {
		live[i].block = 0;
		used_slots--;
	}
}

static void *born(uintptr_t caller, void *block, size_t bytes)
{
	if (block && is_watched(caller)) {
		pthread_mutex_lock(&lock);
		enter(block, bytes);
		pthread_mutex_unlock(&lock);
	}
	return block;
}

static void dies(void *block)
{
	if (block && watched_end) {
		pthread_mutex_lock(&lock);
		leave(block);
		pthread_mutex_unlock(&lock);
	}
}

EXPORT uint64_t faults_live_bytes(void)
{
	return live_bytes;
}

EXPORT uint64_t faults_live_blocks(void)
{
	return live_blocks;
}

/* --------------------------------------------------------------- the C library --------------- */

EXPORT void *malloc(size_t size)
{
	return fails(CALLER) ? NULL : born(CALLER, __libc_malloc(size), size);
}

EXPORT void *calloc(size_t count, size_t size)
{
	return fails(CALLER) ? NULL : born(CALLER, __libc_calloc(count, size), count * size);
}

EXPORT void *realloc(void *block, size_t size)
{
	if (fails(CALLER))
		return NULL;
	dies(block); /* before another thread can be given the same address */
	void *result = __libc_realloc(block, size);
	if (!result && size)
		return born(CALLER, block, size), NULL;
	return born(CALLER, result, size);
}

EXPORT int posix_memalign(void **out, size_t alignment, size_t size)
{
	if (fails(CALLER))
		return ENOMEM;
	void *block = born(CALLER, __libc_memalign(alignment, size), size);
	if (!block)
		return ENOMEM;
	*out = block;
	return 0;
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	return fails(CALLER) ? NULL : born(CALLER, __libc_memalign(alignment, size), size);
}

EXPORT void free(void *block)
{
	dies(block);
	__libc_free(block);
}

/* Address space fails, too, but is not counted: it is given back in pieces. */
EXPORT void *mmap(void *place, size_t bytes, int protection, int flags, int file, off_t offset)
{
	static void *(*real)(void *, size_t, int, int, int, off_t);
	if (fails(CALLER))
		return MAP_FAILED;
	if (!real) {
		void *found = dlsym(RTLD_NEXT, "mmap");
		memcpy(&real, &found, sizeof real);
	}
	return real(place, bytes, protection, flags, file, offset);
}

/* ------------------------------------------------------------------------- C++ --------------- */

static void *new_block(uintptr_t caller, size_t size)
{
	void *block = fails(caller) ? NULL : born(caller, __libc_malloc(size ? size : 1), size);
	if (!block) {
		void (*throw_bad_alloc)(void);
		void *found = dlsym(RTLD_DEFAULT, "_ZSt17__throw_bad_allocv");
		if (!found)
			found = dlsym(dlopen("libstdc++.so.6", RTLD_LAZY), "_ZSt17__throw_bad_allocv");
		memcpy(&throw_bad_alloc, &found, sizeof throw_bad_alloc);
		throw_bad_alloc();
	}
	return block;
}

EXPORT void *_Znwm(size_t size)
{
	return new_block(CALLER, size);
}

EXPORT void *_Znam(size_t size)
{
	return new_block(CALLER, size);
}

EXPORT void _ZdlPv(void *block)
{
	free(block);
}

EXPORT void _ZdaPv(void *block)
{
	free(block);
}

EXPORT void _ZdlPvm(void *block, size_t size)
{
	(void)size;
	free(block);
}

EXPORT void _ZdaPvm(void *block, size_t size)
{
	(void)size;
	free(block);
}
