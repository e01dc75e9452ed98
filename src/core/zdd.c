/* zdd.c: families of sets as zero-suppressed decision diagrams (ZDDs).
 *
 * The problem: a classifier with a few dozen features can have billions of minimal change sets.
 * A ZDD (Minato, "Zero-suppressed BDDs for set manipulation in combinatorial problems", DAC 1993)
 * holds such a family as a graph of shared subfamilies, and set operations on whole families take
 * time in the size of the graphs, not in the number of members.
 *
 * The operations are those of Knuth's family algebra (The Art of Computer Programming 4A, section
 * 7.1.4): nonsupersets, difference, minimal elements of a union and of a join. All families here
 * are antichains, which makes two things cheaper than in the book: only ZDD_UNIT holds the empty
 * set, so that question is one comparison; and the minimal elements of a union need no pass over
 * either operand by itself.
 *
 * How it is stored: 16-byte nodes in one array, children before parents, found through an open
 * addressing table of node numbers. Results of operations are kept in a direct-mapped cache, where
 * a newer result replaces an older one; it doubles when more results were stored than it has
 * places. Nothing is collected during construction. After it symcf_zdd_compact keeps the one
 * family that is wanted. Nodes know the size of their largest member, so that symcf_zdd_at_most stops
 * where nothing is too large.
 *
 * How it recurses: there can be thousands of levels, so not on the C stack. `evaluate` runs all
 * operations on one array of frames and reads like any recursion over a diagram: terminal cases
 * and look-up (`settled`), cofactors (`first_call`, `next_call`), combine (`symcf_zdd_make`), store. Each
 * call begins at a deeper level than the call it is part of, so one frame per level is enough.
 */
#include "zdd.h"

#include <assert.h>
#include <string.h>

#include "memory.h"

enum operation { NONE, NONSUPERSETS, DIFFERENCE, MINIMAL_UNION, AT_MOST, MINIMAL_JOIN };

typedef struct zdd_call {
	uint32_t op, f, g; /* AT_MOST: g is the size */
} zdd_call;

struct zdd_known {
	zdd_call call; /* op NONE: a free place */
	uint32_t result;
};

struct zdd_frame {
	zdd_call call;
	uint32_t step;   /* partial results so far    */
	uint32_t low;    /* the first of them ...     */
	uint32_t second; /* ... and for joins the next */
};

enum {
	FIRST_BITS = 10,      /* of both tables          */
	LAST_CACHE_BITS = 24, /* 256 MB                  */
	WORK_A_CALL = 30      /* in units of symcf_tick  */
};

/* ------------------------------------------------------------------ memory ------------------- */

static bool fail(zdd *z, symcf_status status)
{
	z->status = status;
	return false;
}

bool symcf_zdd_grow(zdd *z, void *array, uint64_t *capacity, uint64_t needed, size_t size)
{
	if (needed <= *capacity)
		return true;
	const uint64_t limit = z->control ? z->control->max_memory : 0, left = symcf_budget_left();
	const uint64_t own = !limit ? UINT64_MAX : limit > z->bytes ? limit - z->bytes : 0;
	const uint64_t room = own < left ? own : left;
	uint64_t target = *capacity + *capacity / 2 + 16;
	if (target - *capacity > room / size)
		target = *capacity + room / size;
	if (target < needed)
		target = needed;
	if (target - *capacity > room / size)
		return fail(z, SYMCF_LIMIT_MEMORY);
	void *memory; /* `array` is the address of a pointer of any type */
	memcpy(&memory, array, sizeof memory);
	if (!(memory = symcf_resize(memory, target, size)))
		return fail(z, symcf_no_memory());
	memcpy(array, &memory, sizeof memory);
	z->bytes += (target - *capacity) * size;
	*capacity = target;
	if (z->control)
		z->control->memory = z->bytes;
	return true;
}

void symcf_zdd_release(zdd *z, void *array, uint64_t *capacity, size_t size)
{
	void *memory, *const none = NULL;
	memcpy(&memory, array, sizeof memory);
	symcf_free(memory);
	memcpy(array, &none, sizeof none);
	z->bytes -= *capacity * size;
	*capacity = 0;
}

static void free_tables(zdd *z)
{
	symcf_zdd_release(z, &z->table.slot, &z->cap_slots, sizeof *z->table.slot);
	symcf_zdd_release(z, &z->cache, &z->cap_cache, sizeof *z->cache);
	symcf_zdd_release(z, &z->stack, &z->cap_stack, sizeof *z->stack);
	z->n_made = z->n_stored = 0;
}

void symcf_zdd_trim(zdd *z)
{
	free_tables(z);
	zdd_node *nodes = symcf_resize(z->nodes, z->n_nodes, sizeof *nodes);
	if (nodes) {
		z->nodes = nodes;
		z->bytes -= (z->cap_nodes - z->n_nodes) * sizeof *nodes;
		z->cap_nodes = z->n_nodes;
	}
}

void symcf_zdd_free_arrays(zdd *z)
{
	free_tables(z);
	symcf_zdd_release(z, &z->nodes, &z->cap_nodes, sizeof *z->nodes);
	z->n_nodes = 0;
}

/* ------------------------------------------------------------------ tables ------------------- */

/* A product: each of its upper bits depends on all bits of a, b and c. */
static inline uint64_t hash(uint32_t a, uint32_t b, uint32_t c)
{
	const uint64_t mixed = ((uint64_t)b << 32 | c) + a * UINT64_C(0x9E3779B97F4A7C15);
	return (mixed ^ mixed >> 29) * UINT64_C(0xD6E8FEB86659FD93);
}

static uint64_t hash_node(const void *owner, uint32_t i)
{
	const zdd_node *node = &((const zdd *)owner)->nodes[i];
	return hash(node->level, node->lo, node->hi);
}

static inline bool is_node(const void *owner, uint32_t i, const void *wanted)
{
	const zdd_node *node = &((const zdd *)owner)->nodes[i], *key = wanted;
	return node->lo == key->lo && node->hi == key->hi && node->level == key->level;
}

static inline uint32_t *find_slot(zdd *z, const zdd_node *key)
{
	return hash_table_find(&z->table, hash(key->level, key->lo, key->hi), is_node, z, key);
}

/* Makes the unique table of 2^bits slots from the nodes. */
static bool fill_slots(zdd *z, unsigned bits)
{
	const uint64_t size = UINT64_C(1) << bits;
	if (!symcf_zdd_grow(z, &z->table.slot, &z->cap_slots, size, sizeof *z->table.slot))
		return false;
	symcf_hash_table_fill(&z->table, z->table.slot, size, ZDD_UNIT + 1, z->n_nodes, hash_node, z);
	z->slot_bits = bits;
	return true;
}

static bool clear_cache(zdd *z, unsigned bits)
{
	const uint64_t size = UINT64_C(1) << bits;
	if (!symcf_zdd_grow(z, &z->cache, &z->cap_cache, size, sizeof *z->cache))
		return false;
	memset(z->cache, 0, size * sizeof *z->cache);
	z->cache_bits = bits;
	z->last_cache_bits = LAST_CACHE_BITS;
	z->n_stored = 0;
	return true;
}

static inline zdd_known *place(zdd *z, const zdd_call *call)
{
	return &z->cache[hash(call->op, call->f, call->g) >> (64 - z->cache_bits)];
}

/* Doubles the cache, if memory allows. A result at place i moves to 2i or 2i + 1. */
static void widen_cache(zdd *z)
{
	const uint64_t size = UINT64_C(1) << z->cache_bits;
	if (!symcf_zdd_grow(z, &z->cache, &z->cap_cache, 2 * size, sizeof *z->cache)) {
		z->status = SYMCF_OK; /* a smaller cache is as right, only slower */
		z->last_cache_bits = z->cache_bits;
		return;
	}
	z->cache_bits++;
	memset(z->cache + size, 0, size * sizeof *z->cache);
	for (uint64_t i = size; i--;) {
		const zdd_known known = z->cache[i];
		z->cache[i].call.op = NONE;
		if (known.call.op != NONE)
			*place(z, &known.call) = known;
	}
}

static void store(zdd *z, const zdd_call *call, uint32_t result)
{
	if (++z->n_stored > UINT64_C(1) << z->cache_bits && z->cache_bits < z->last_cache_bits)
		widen_cache(z);
	*place(z, call) = (zdd_known){*call, result};
}

/* Bits of a table that held n things last time, and will hold about as many again. */
static unsigned bits_for(uint64_t n, unsigned last)
{
	unsigned bits = FIRST_BITS;
	while (bits < last && n >> bits)
		bits++;
	return bits;
}

symcf_status symcf_zdd_start(zdd *z, uint32_t n_levels, symcf_control *control)
{
	const unsigned slot_bits = bits_for(2 * z->n_made, z->slot_bits);
	const unsigned cache_bits = bits_for(z->n_stored, z->cache_bits);
	z->control = control;
	z->status = SYMCF_OK;
	z->n_nodes = 0;
	if (!symcf_zdd_grow(z, &z->nodes, &z->cap_nodes, ZDD_UNIT + 1, sizeof *z->nodes) ||
	    !symcf_zdd_grow(z, &z->stack, &z->cap_stack, n_levels, sizeof *z->stack) ||
	    !fill_slots(z, slot_bits) || !clear_cache(z, cache_bits))
		return z->status;
	z->nodes[ZDD_EMPTY] = (zdd_node){ZDD_NO_LEVEL, ZDD_EMPTY, ZDD_EMPTY, 0};
	z->nodes[ZDD_UNIT] = (zdd_node){ZDD_NO_LEVEL, ZDD_UNIT, ZDD_UNIT, 0};
	z->n_nodes = ZDD_UNIT + 1;
	return SYMCF_OK;
}

/* ------------------------------------------------------------------- nodes ------------------- */

/* Room for one more node in the array and in the unique table, which stays half empty. */
static bool make_room(zdd *z)
{
	if (z->n_nodes >= ZDD_FAILED ||
	    (z->control && z->control->max_nodes && z->n_nodes >= z->control->max_nodes))
		return fail(z, SYMCF_LIMIT_NODES);
	if (!symcf_zdd_grow(z, &z->nodes, &z->cap_nodes, z->n_nodes + 1, sizeof *z->nodes))
		return false;
	return 2 * z->n_nodes < UINT64_C(1) << z->slot_bits || fill_slots(z, z->slot_bits + 1);
}

static uint32_t append(zdd *z, zdd_node node)
{
	if (!make_room(z))
		return ZDD_FAILED;
	const uint32_t of_lo = z->nodes[node.lo].largest, of_hi = z->nodes[node.hi].largest + 1;
	uint32_t *slot = find_slot(z, &node);
	node.largest = of_lo > of_hi ? of_lo : of_hi;
	z->nodes[z->n_nodes] = node;
	return *slot = (uint32_t)z->n_nodes++;
}

uint32_t symcf_zdd_make(zdd *z, uint32_t level, uint32_t lo, uint32_t hi)
{
	const zdd_node node = {.level = level, .lo = lo, .hi = hi};
	if (lo == ZDD_FAILED || hi == ZDD_FAILED)
		return ZDD_FAILED;
	if (hi == ZDD_EMPTY)
		return lo;
	assert(level < z->nodes[lo].level && level < z->nodes[hi].level && lo != ZDD_UNIT);
	const uint32_t known = *find_slot(z, &node);
	return known ? known : append(z, node);
}

/* -------------------------------------------------------------- operations ------------------- */

static inline uint32_t level_of(const zdd *z, uint32_t f)
{
	return z->nodes[f].level;
}

/* The subfamilies of f without and with `level`. requires: f does not begin above `level`. */
static inline uint32_t without(const zdd *z, uint32_t f, uint32_t level)
{
	return level_of(z, f) == level ? z->nodes[f].lo : f;
}

static inline uint32_t with(const zdd *z, uint32_t f, uint32_t level)
{
	return level_of(z, f) == level ? z->nodes[f].hi : ZDD_EMPTY;
}

static inline uint32_t top_level(const zdd *z, const zdd_call *call)
{
	const uint32_t level = level_of(z, call->f);
	if ((call->op == MINIMAL_UNION || call->op == MINIMAL_JOIN) && level_of(z, call->g) < level)
		return level_of(z, call->g);
	return level;
}

/* Terminal cases; brings the operands into the one form under which the result is cached. */
static inline bool terminal(const zdd *z, zdd_call *c, uint32_t *result)
{
	switch (c->op) {
	case NONSUPERSETS: /* what g says about levels above f is about sets that f does not have */
		if (c->f == ZDD_EMPTY || c->f == c->g || c->g == ZDD_UNIT)
			return *result = ZDD_EMPTY, true;
		if (c->f == ZDD_UNIT)
			return *result = ZDD_UNIT, true;
		while (level_of(z, c->g) < level_of(z, c->f))
			c->g = z->nodes[c->g].lo;
		if (c->g == ZDD_EMPTY)
			return *result = c->f, true;
		return *result = ZDD_EMPTY, c->f == c->g;
	case DIFFERENCE:
		if (c->f == ZDD_EMPTY || c->f == c->g)
			return *result = ZDD_EMPTY, true;
		while (level_of(z, c->g) < level_of(z, c->f))
			c->g = z->nodes[c->g].lo;
		if (c->g <= ZDD_UNIT) /* and f is another antichain */
			return *result = c->f, true;
		return *result = ZDD_EMPTY, c->f == c->g;
	case MINIMAL_UNION:
		if (c->f > c->g)
			*c = (zdd_call){c->op, c->g, c->f};
		if (c->f == ZDD_EMPTY)
			return *result = c->g, true;
		return *result = c->f, c->f == c->g || c->f == ZDD_UNIT;
	case MINIMAL_JOIN:
		if (c->f > c->g)
			*c = (zdd_call){c->op, c->g, c->f};
		if (c->f == ZDD_EMPTY)
			return *result = ZDD_EMPTY, true;
		return *result = c->g, c->f == c->g || c->f == ZDD_UNIT;
	default:
		if (c->g == 0)
			return *result = c->f == ZDD_UNIT ? ZDD_UNIT : ZDD_EMPTY, true;
		return *result = c->f, z->nodes[c->f].largest <= c->g;
	}
}

/* Terminal cases and look-up. ensures: false if there is something to compute. */
static inline bool settled(zdd *z, zdd_call *c, uint32_t *result)
{
	if (terminal(z, c, result))
		return true;
	const zdd_known *known = place(z, c);
	*result = known->result;
	return known->call.f == c->f && known->call.g == c->g && known->call.op == c->op;
}

/* What to compute first: the part of the result without the top level. */
static inline zdd_call first_call(const zdd *z, const zdd_call *c)
{
	const uint32_t level = top_level(z, c);
	const uint32_t g = c->op == AT_MOST ? c->g : without(z, c->g, level);
	return (zdd_call){c->op, without(z, c->f, level), g};
}

/* The minimal sets that contain a member of f and one of g. Those without the top level are joined
 * from the members without it. With it in the set, whether a member has it does not matter: they are
 * joined from all members without their top level, and those that do without it are left out. */
static inline bool next_of_join(const zdd *z, zdd_frame *frame, uint32_t partial, zdd_call *next)
{
	const zdd_call c = frame->call;
	const uint32_t level = top_level(z, &c);
	switch (++frame->step) {
	case 1:
		frame->low = partial;
		*next = (zdd_call){MINIMAL_UNION, without(z, c.f, level), with(z, c.f, level)};
		return true;
	case 2:
		frame->second = partial;
		*next = (zdd_call){MINIMAL_UNION, without(z, c.g, level), with(z, c.g, level)};
		return true;
	case 3: *next = (zdd_call){MINIMAL_JOIN, frame->second, partial}; return true;
	case 4: *next = (zdd_call){NONSUPERSETS, partial, frame->low}; return true;
	default: return false;
	}
}

/* Takes in a partial result. ensures: false if it was the part with the top level. */
static inline bool next_call(const zdd *z, zdd_frame *frame, uint32_t partial, zdd_call *next)
{
	const zdd_call c = frame->call;
	const uint32_t level = top_level(z, &c);
	if (c.op == MINIMAL_JOIN)
		return next_of_join(z, frame, partial, next);
	if (++frame->step == 1) {
		frame->low = partial;
		*next = (zdd_call){c.op, with(z, c.f, level), c.g - 1};
		if (c.op == NONSUPERSETS)
			next->g = level_of(z, c.g) == level ? z->nodes[c.g].hi : c.g;
		else if (c.op != AT_MOST)
			next->g = with(z, c.g, level);
		return true;
	}
	if (frame->step == 3 || c.op == AT_MOST || c.op == DIFFERENCE)
		return false;
	if (c.op == MINIMAL_UNION) {
		*next = (zdd_call){NONSUPERSETS, partial, frame->low};
		return true;
	}
	*next = (zdd_call){NONSUPERSETS, partial, z->nodes[c.g].lo};
	return level_of(z, c.g) == level;
}

/* requires: the call is not settled. */
static uint32_t evaluate(zdd *z, zdd_call call)
{
	zdd_frame *const bottom = z->stack, *top = bottom;
	uint32_t result;
	for (;;) {
		if ((z->status = symcf_tick(z->control, WORK_A_CALL)) != SYMCF_OK)
			return ZDD_FAILED;
		assert((uint64_t)(top - bottom) < z->cap_stack);
		*top++ = (zdd_frame){call, 0, 0, 0};
		call = first_call(z, &call);
		while (settled(z, &call, &result)) {
			while (!next_call(z, top - 1, result, &call)) {
				const zdd_frame *done = --top;
				result = symcf_zdd_make(z, top_level(z, &done->call), done->low, result);
				if (result == ZDD_FAILED)
					return ZDD_FAILED;
				store(z, &done->call, result);
				if (top == bottom)
					return result;
			}
		}
	}
}

static inline uint32_t apply(zdd *z, enum operation op, uint32_t f, uint32_t g)
{
	zdd_call call = {op, f, g};
	uint32_t result;
	return settled(z, &call, &result) ? result : evaluate(z, call);
}

uint32_t symcf_zdd_nonsupersets(zdd *z, uint32_t f, uint32_t g)
{
	return apply(z, NONSUPERSETS, f, g);
}

uint32_t symcf_zdd_difference(zdd *z, uint32_t f, uint32_t g)
{
	return apply(z, DIFFERENCE, f, g);
}

uint32_t symcf_zdd_minimal_union(zdd *z, uint32_t f, uint32_t g)
{
	return apply(z, MINIMAL_UNION, f, g);
}

uint32_t symcf_zdd_minimal_join(zdd *z, uint32_t f, uint32_t g)
{
	return apply(z, MINIMAL_JOIN, f, g);
}

uint32_t symcf_zdd_at_most(zdd *z, uint32_t f, uint32_t size)
{
	return apply(z, AT_MOST, f, size);
}

/* -------------------------------------------------------------- compaction ------------------- */

uint32_t symcf_zdd_compact(zdd *z, uint32_t f)
{
	uint32_t *const number = z->table.slot; /* the table is of no use to a lone family */
	uint64_t used = ZDD_UNIT + 1;
	z->n_made = z->n_nodes;
	if (f <= ZDD_UNIT) {
		z->n_nodes = used;
		return f;
	}
	memset(number, 0, ((uint64_t)f + 1) * sizeof *number);
	number[f] = 1;
	for (uint32_t i = f; i > ZDD_UNIT; i--)
		if (number[i])
			number[z->nodes[i].lo] = number[z->nodes[i].hi] = 1;
	number[ZDD_EMPTY] = ZDD_EMPTY;
	number[ZDD_UNIT] = ZDD_UNIT;
	for (uint32_t i = ZDD_UNIT + 1; i <= f; i++) {
		if (!number[i])
			continue;
		const zdd_node node = z->nodes[i];
		number[i] = (uint32_t)used;
		z->nodes[used++] = (zdd_node){node.level, number[node.lo], number[node.hi], node.largest};
	}
	z->n_nodes = used;
	return (uint32_t)used - 1;
}
