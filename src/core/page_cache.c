/* page_cache.c: see page_cache.h. */
#define _GNU_SOURCE
#include "page_cache.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/mman.h>

typedef struct piece {
	void *data;
	uint64_t bytes; /* 0: no piece */
} piece;

/* A result has two large arrays; a second thread may be busy with another batch. */
enum { PIECES = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static piece cached[PIECES]; /* under lock */

/* Never waits: whoever finds the lock taken does without the cache. So a child that was forked while
 * a thread of its parent held the lock does not wait for that thread. */
static bool try_lock(void)
{
	return pthread_mutex_trylock(&lock) == 0;
}

static void unmap(piece p)
{
	if (p.bytes)
		munmap(p.data, p.bytes);
}

#if defined(MREMAP_FIXED) && defined(MADV_FREE)

static uint64_t cached_bytes(void)
{
	uint64_t sum = 0;
	for (int i = 0; i < PIECES; i++)
		sum += cached[i].bytes;
	return sum;
}

static piece *smallest(void)
{
	piece *found = cached;
	for (int i = 1; i < PIECES; i++)
		if (cached[i].bytes < found->bytes)
			found = &cached[i];
	return found;
}

static piece *largest(uint64_t most)
{
	piece *found = NULL;
	for (int i = 0; i < PIECES; i++)
		if (cached[i].bytes && cached[i].bytes <= most &&
		    (!found || cached[i].bytes > found->bytes))
			found = &cached[i];
	return found;
}

void page_cache_give(void *data, uint64_t bytes)
{
	piece given = {data, bytes / PAGE_CACHE_UNIT * PAGE_CACHE_UNIT}, gone = {0};
	uint64_t room = 0;
	if (given.bytes && try_lock()) {
		piece *place = smallest();
		room = PAGE_CACHE_MOST - (cached_bytes() - place->bytes);
		if (given.bytes > room)
			given.bytes = room / PAGE_CACHE_UNIT * PAGE_CACHE_UNIT;
		if (given.bytes > place->bytes && madvise(data, given.bytes, MADV_FREE) == 0) {
			gone = *place;
			*place = given;
		} else {
			given.bytes = 0;
		}
		pthread_mutex_unlock(&lock);
	} else {
		given.bytes = 0;
	}
	unmap(gone);
	unmap((piece){(char *)data + given.bytes, bytes - given.bytes});
}

symcf_status page_cache_move(void *place, uint64_t bytes, uint64_t *moved)
{
	piece p = {0};
	*moved = 0;
	if (try_lock()) {
		piece *found = largest(bytes);
		if (found) {
			p = *found;
			*found = (piece){0};
		}
		pthread_mutex_unlock(&lock);
	}
	if (!p.bytes)
		return SYMCF_OK;
	if (mremap(p.data, p.bytes, p.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) == place) {
		*moved = p.bytes;
		return SYMCF_OK;
	}
	unmap(p);
	/* it may have made room before it failed */
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
	const bool whole = mmap(place, p.bytes, PROT_READ | PROT_WRITE, flags, -1, 0) == place;
	return whole ? SYMCF_OK : SYMCF_NO_MEMORY;
}

#else

void page_cache_give(void *data, uint64_t bytes)
{
	unmap((piece){data, bytes});
}

symcf_status page_cache_move(void *place, uint64_t bytes, uint64_t *moved)
{
	(void)place;
	(void)bytes;
	*moved = 0;
	return SYMCF_OK;
}

#endif

void symcf_release_memory(void)
{
	piece gone[PIECES] = {{0}};
	if (!try_lock())
		return;
	for (int i = 0; i < PIECES; i++) {
		gone[i] = cached[i];
		cached[i] = (piece){0};
	}
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < PIECES; i++)
		unmap(gone[i]);
}
