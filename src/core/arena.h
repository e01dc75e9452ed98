/* arena.h (private): arrays that live and die together, in one block.
 *
 *   static void lay_out(arena *a, thing *t)
 *   {
 *       t->gain = symcf_arena_take(a, t->n + 1, sizeof *t->gain);
 *       t->path = symcf_arena_take(a, t->n, sizeof *t->path);
 *   }
 *
 *   arena a = {0};
 *   lay_out(&a, &t);           measures; what is taken is NULL
 *   TRY(symcf_arena_open(&a));       allocates the block
 *   lay_out(&a, &t);           hands its parts out
 *   ...
 *   symcf_arena_close(&a);           frees it
 *
 * The arrays are written down once, so that no size has to agree with the places of the parts. Every
 * part is aligned as malloc would align it, and every size is checked for overflow.
 *
 * With assertions on there is a guard behind each part, and symcf_arena_close sees whether someone has
 * written beyond a part: an address sanitizer does not, since it knows only the block.
 */
#ifndef SYMCF_ARENA_H
#define SYMCF_ARENA_H

#include "symcf.h"

typedef struct arena {
	char *block; /* NULL while measuring                        */
	uint64_t size, used;
	uint64_t guard; /* the place of the last guard, for assertions */
	bool too_large;
} arena;

/* Room for `count` things of this size. ensures: NULL while measuring, never NULL afterwards. */
void *symcf_arena_take(arena *a, uint64_t count, size_t size);

/* Ends measuring. ensures: SYMCF_NO_MEMORY if the sizes overflow or memory is short; then there is
 * nothing to close. */
symcf_status symcf_arena_open(arena *a);

/* An arena that was not opened has nothing to free. */
void symcf_arena_close(arena *a);

#endif
