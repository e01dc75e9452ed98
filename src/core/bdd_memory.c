/* bdd_memory.c: CUDD's memory, and the way out of CUDD when memory is short.
 *
 * CUDD checks its allocations, but one cannot rely on what it does when one fails: it follows
 * the NULL pointer (Mtr_AllocNode), forgets megabytes (Cudd_Init), prints, or leaves a table in the
 * middle of a swap. So a CUDD that is built with symcf never sees a failure. Its `malloc`, `realloc`
 * and `free` are the functions below (cmake/CUDD.cmake renames them; no line of CUDD is changed).
 * They keep all blocks of a manager in a ring. Where memory is short, CUDD's functions are
 * left by a jump to symcf_bdd_guard, which frees the ring: the manager is gone, without a trace, and the
 * caller hears SYMCF_NO_MEMORY. The frozen diagram, which is what counts, is elsewhere.
 *
 * What is jumped over must own nothing: no function under symcf_bdd_guard that calls CUDD holds memory of
 * its own, except in b->scratch.
 *
 * An installed CUDD (CUDD_ROOT) has its own memory; there symcf_bdd_guard only calls.
 */
#include <assert.h>

#include "bdd.h"
#include "memory.h"
#include "platform.h"

#ifdef SYMCF_HAVE_CUDD_INTERNALS

#include <setjmp.h>

/* Whose memory CUDD asks for in this thread. */
SYMCF_LAID_OUT static _Thread_local symcf_bdd *working;

static void join(bdd_block *ring, bdd_block *block)
{
	block->previous = ring;
	block->next = ring->next;
	ring->next->previous = block;
	ring->next = block;
}

static void part(bdd_block *block)
{
	block->previous->next = block->next;
	block->next->previous = block->previous;
}

/* Leaves CUDD. */
static void *give_up(void)
{
	assert(working);
	longjmp(*(jmp_buf *)working->escape, 1);
}

void *symcf_cudd_malloc(size_t bytes)
{
	bdd_block *block = bytes < PTRDIFF_MAX ? symcf_allocate(1, sizeof *block + bytes) : NULL;
	if (!block)
		return give_up();
	join(&working->blocks, block);
	return block + 1;
}

void *symcf_cudd_realloc(void *memory, size_t bytes)
{
	if (!memory)
		return symcf_cudd_malloc(bytes);
	bdd_block *block = (bdd_block *)memory - 1;
	block = bytes < PTRDIFF_MAX ? symcf_resize(block, 1, sizeof *block + bytes) : NULL;
	if (!block)
		return give_up();
	block->previous->next = block->next->previous = block;
	return block + 1;
}

void symcf_cudd_free(void *memory)
{
	if (!memory)
		return;
	part((bdd_block *)memory - 1);
	symcf_free((bdd_block *)memory - 1);
}

static void lose_manager(symcf_bdd *b)
{
	for (bdd_block *block = b->blocks.next, *next; block != &b->blocks; block = next) {
		next = block->next;
		symcf_free(block);
	}
	b->blocks.previous = b->blocks.next = &b->blocks;
	b->manager = NULL;
	b->root = NULL;
	b->control = NULL;
}

static symcf_status call(symcf_bdd *b, bdd_work work, void *data)
{
	jmp_buf escape;
	symcf_bdd *const outer = working; /* a signal handler may have come in between */
	symcf_status status;
	if (!b->blocks.next)
		b->blocks.previous = b->blocks.next = &b->blocks;
	b->escape = &escape;
	working = b;
	if (setjmp(escape)) {
		lose_manager(b);
		status = symcf_no_memory();
	} else {
		status = work(b, data);
	}
	working = outer;
	b->escape = NULL;
	return status;
}

#else

static symcf_status call(symcf_bdd *b, bdd_work work, void *data)
{
	return work(b, data);
}

#endif

symcf_status symcf_bdd_guard(symcf_bdd *b, bdd_work work, void *data)
{
	const symcf_status status = call(b, work, data);
	symcf_free(b->scratch);
	b->scratch = NULL;
	return status;
}

bool symcf_bdd_is_lost(const symcf_bdd *b)
{
	return !b->manager;
}
