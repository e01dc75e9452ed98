/* page_cache.c: see page_cache.h. */
#include "page_cache.h"

#include "platform.h"

typedef struct piece {
	void *data;
	uint64_t bytes; /* 0: no piece */
} piece;

/* A result has two large arrays; a second thread may be busy with another batch. */
enum { PIECES = 4 };

static symcf_lock lock = SYMCF_LOCK_INITIAL;
static piece cached[PIECES]; /* under lock */

/* Never waits: whoever finds the lock taken does without the cache. So a child that was forked while
 * a thread of its parent held the lock does not wait for that thread. */
static bool try_lock(void)
{
	return symcf_lock_try(&lock);
}

static void unmap(piece p)
{
	symcf_map_drop(p.data, 0, p.bytes);
}

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

void symcf_page_cache_give(void *data, uint64_t bytes)
{
	piece given = {data, bytes / PAGE_CACHE_UNIT * PAGE_CACHE_UNIT}, gone = {0};
	uint64_t room = 0;
	if (given.bytes && try_lock()) {
		piece *place = smallest();
		room = PAGE_CACHE_MOST - (cached_bytes() - place->bytes);
		if (given.bytes > room)
			given.bytes = room / PAGE_CACHE_UNIT * PAGE_CACHE_UNIT;
		if (given.bytes > place->bytes && symcf_map_mark_free(data, given.bytes)) {
			gone = *place;
			*place = given;
		} else {
			given.bytes = 0;
		}
		symcf_lock_release(&lock);
	} else {
		given.bytes = 0;
	}
	unmap(gone);
	unmap((piece){(char *)data + given.bytes, bytes - given.bytes});
}

symcf_status symcf_page_cache_move(void *place, uint64_t bytes, uint64_t *moved)
{
	piece p = {0};
	*moved = 0;
	if (try_lock()) {
		piece *found = largest(bytes);
		if (found) {
			p = *found;
			*found = (piece){0};
		}
		symcf_lock_release(&lock);
	}
	if (!p.bytes)
		return SYMCF_OK;
	bool done;
	const bool whole = symcf_map_move(p.data, p.bytes, place, &done);
	*moved = done ? p.bytes : 0;
	return whole ? SYMCF_OK : SYMCF_NO_MEMORY;
}

void symcf_release_memory(void)
{
	piece gone[PIECES] = {{0}};
	if (!try_lock())
		return;
	for (int i = 0; i < PIECES; i++) {
		gone[i] = cached[i];
		cached[i] = (piece){0};
	}
	symcf_lock_release(&lock);
	for (int i = 0; i < PIECES; i++)
		unmap(gone[i]);
}
