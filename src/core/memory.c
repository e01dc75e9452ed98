/* memory.c: see memory.h. */
#include "memory.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"

static uint64_t fail_countdown;

void symcf_fail_allocation(uint64_t countdown)
{
	fail_countdown = countdown;
}

int symcf_allocation_fails(void)
{
	return fail_countdown && !--fail_countdown;
}

static int product_overflows(uint64_t count, size_t size)
{
	return size && count > (uint64_t)(PTRDIFF_MAX / size);
}

/* Asks for huge pages in large memory, where page faults would take most of the time of whoever
 * writes it once from end to end. Returns the memory. */
static void *wish_huge_pages(void *memory, uint64_t bytes)
{
	enum { LARGE = 1 << 22, PAGE = 1 << 21 };
	if (memory && bytes >= LARGE) {
		const uint64_t from = -(uintptr_t)memory % PAGE;
		symcf_wish_huge(memory, from, from + (bytes - from) / PAGE * PAGE);
	}
	return memory;
}

/* ------------------------------------------------------------------ budgets ------------------ */

struct symcf_budget {
	symcf_budget *outer; /* charged as well; NULL: none                                  */
	uint64_t most;
	uint64_t family; /* the number of the outermost one; blocks remember it, never 0 */
	_Atomic uint64_t held, peak;
	uint64_t resident; /* of the process, at the beginning; UINT64_MAX: nobody looks   */
};

SYMCF_LAID_OUT static _Thread_local symcf_budget *charged; /* whom this thread charges */
SYMCF_LAID_OUT static _Thread_local bool over_budget; /* why the last failed allocation failed */

symcf_status symcf_budget_create(uint64_t most, symcf_budget **out)
{
	static _Atomic uint64_t families;
	symcf_budget *b = symcf_allocation_fails() ? NULL : calloc(1, sizeof *b);
	if (!b)
		return SYMCF_NO_MEMORY;
	b->outer = charged;
	b->most = most ? most : UINT64_MAX;
	b->family = charged ? charged->family : ++families;
	b->resident = b->most > symcf_physical_memory() / 2 ? UINT64_MAX : symcf_resident_memory();
	*out = b;
	return SYMCF_OK;
}

void symcf_budget_free(symcf_budget *b)
{
	free(b);
}

symcf_budget *symcf_budget_enter(symcf_budget *b)
{
	symcf_budget *before = charged;
	charged = b;
	return before;
}

symcf_budget *symcf_budget_now(void)
{
	return charged;
}

uint64_t symcf_budget_peak(const symcf_budget *b)
{
	return b->peak;
}

uint64_t symcf_budget_left(void)
{
	uint64_t left = UINT64_MAX;
	for (const symcf_budget *b = charged; b; b = b->outer) {
		const uint64_t held = b->held, own = held < b->most ? b->most - held : 0;
		left = own < left ? own : left;
	}
	return left;
}

bool symcf_is_over_budget(void)
{
	return over_budget;
}

/* Takes bytes back from the budgets from this one up to, but not including, `end`. What was taken before an
 * inner budget began may be given back within it. */
static void give_back(symcf_budget *b, const symcf_budget *end, uint64_t bytes)
{
	for (; b != end; b = b->outer) {
		uint64_t held = b->held;
		while (!atomic_compare_exchange_weak(&b->held, &held, held > bytes ? held - bytes : 0))
			;
	}
}

bool symcf_charge(uint64_t bytes)
{
	for (symcf_budget *b = charged; b; b = b->outer) {
		const uint64_t held = atomic_fetch_add(&b->held, bytes) + bytes;
		if (held > b->most) {
			give_back(charged, b->outer, bytes);
			over_budget = true;
			return false;
		}
		uint64_t peak = b->peak;
		while (held > peak && !atomic_compare_exchange_weak(&b->peak, &peak, held))
			;
	}
	return true;
}

void symcf_refund(uint64_t bytes)
{
	give_back(charged, NULL, bytes);
}

symcf_status symcf_check_resident(void)
{
	enum { CONSTANT = 32 << 20 }; /* what an allocator holds besides */
	const uint64_t now = charged ? symcf_resident_memory() : 0;
	for (const symcf_budget *b = charged; b; b = b->outer)
		if (now > b->resident && now - b->resident > b->most + b->most / 2 + CONSTANT)
			return SYMCF_LIMIT_MEMORY;
	return SYMCF_OK;
}

/* ------------------------------------------------------------------- blocks ------------------ */

/* Before each array are its size and the family of the budget that it was charged to; 0: none. With assertions
 * on it stands between two guards as well, which are looked at when it comes back, and is full of rubbish
 * at first: reads and writes beyond an array are noticed, or lead to a wrong result that the tests
 * notice. The address sanitizer does this better. */
typedef struct head {
	uint64_t bytes, family;
#if !defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
	uint64_t guard[2];
#endif
} head;

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define HIDE(block) ASAN_POISON_MEMORY_REGION(block, sizeof(head))
#define SHOW(block) ASAN_UNPOISON_MEMORY_REGION(block, sizeof(head))
#else
#define HIDE(block) ((void)(block))
#define SHOW(block) ((void)(block))
#endif

#if defined(NDEBUG) || defined(__SANITIZE_ADDRESS__)

enum { TAIL = 0 };

static void put_guards(head *block, uint64_t old)
{
	(void)block, (void)old;
}

static void check_guards(const head *block)
{
	(void)block;
}

#else

enum { TAIL = 2 * sizeof(uint64_t), RUBBISH = 0x6B };
static const uint64_t GUARD[2] = {UINT64_C(0x6B6B6B6B6B6B6B6B), UINT64_C(0x6B6B6B6B6B6B6B6B)};

/* old: the bytes that are to stay as they are; UINT64_MAX: all. */
static void put_guards(head *block, uint64_t old)
{
	char *array = (char *)(block + 1);
	memcpy(block->guard, GUARD, sizeof GUARD);
	memcpy(array + block->bytes, GUARD, sizeof GUARD);
	if (old < block->bytes)
		memset(array + old, RUBBISH, block->bytes - old);
}

static void check_guards(const head *block)
{
	/* someone wrote before the array, or it is not ours */
	assert(!memcmp(block->guard, GUARD, sizeof GUARD));
	/* someone wrote beyond the array */
	assert(!memcmp((const char *)(block + 1) + block->bytes, GUARD, sizeof GUARD));
}

#endif

enum { OVERHEAD = sizeof(head) + TAIL };

/* The array of a block; NULL for NULL. */
static void *hand_out(head *block, uint64_t bytes, uint64_t family, uint64_t old)
{
	if (!block)
		return NULL;
	block->bytes = bytes;
	block->family = family;
	put_guards(block, old);
	HIDE(block);
	return block + 1;
}

/* The block of an array, looked at; NULL for NULL. */
static head *take_back(void *array)
{
	head *block = array ? (head *)array - 1 : NULL;
	if (block) {
		SHOW(block);
		check_guards(block);
	}
	return block;
}

/* Is it charged to the budget of this thread, or to one around it? */
static bool is_charged(const head *block)
{
	return charged && block->family == charged->family;
}

/* May an array of so many entries be made? ensures: *bytes, which are charged if they are more than `old`; never
 * 0, since malloc(0) may be NULL. */
static bool begin(uint64_t count, size_t size, uint64_t old, uint64_t *bytes)
{
	if (product_overflows(count, size) || symcf_allocation_fails()) {
		over_budget = false;
		return false;
	}
	*bytes = count && size ? count * size : 1;
	return *bytes <= old || symcf_charge(*bytes - old);
}

/* The system has no memory for what was charged. */
static void fail(uint64_t bytes)
{
	over_budget = false;
	symcf_refund(bytes);
}

static uint64_t family_now(void)
{
	return charged ? charged->family : 0;
}

/* Gives back what was charged if there is no block. */
static void *end(head *block, uint64_t bytes, uint64_t old)
{
	if (!block)
		fail(bytes);
	return hand_out(block, bytes, family_now(), old);
}

void *symcf_allocate(uint64_t count, size_t size)
{
	uint64_t bytes;
	if (!begin(count, size, 0, &bytes))
		return NULL;
	return end(wish_huge_pages(malloc(bytes + OVERHEAD), bytes), bytes, 0);
}

void *symcf_allocate_zeroed(uint64_t count, size_t size)
{
	uint64_t bytes;
	if (!begin(count, size, 0, &bytes))
		return NULL;
	return end(calloc(bytes + OVERHEAD, 1), bytes, UINT64_MAX);
}

void *symcf_resize(void *array, uint64_t count, size_t size)
{
	if (!array)
		return symcf_allocate(count, size);
	uint64_t bytes;
	head *block = take_back(array), *moved;
	const uint64_t old = block->bytes, family = block->family, paid = is_charged(block) ? old : 0;
	if (!begin(count, size, paid, &bytes)) {
		HIDE(block);
		return NULL;
	}
	moved = realloc(block, bytes + OVERHEAD);
	if (!moved) {
		HIDE(block);
		fail(bytes > paid ? bytes - paid : 0);
		return NULL;
	}
	if (bytes < paid)
		symcf_refund(paid - bytes);
	return hand_out(moved, bytes, charged ? family_now() : family, old);
}

/* At least half as much again, as far as the budget allows. */
static uint64_t grown_capacity(uint64_t capacity, uint64_t needed, size_t size)
{
	const uint64_t left = symcf_budget_left() / size;
	const uint64_t more = capacity / 2 + 16;
	const uint64_t target = capacity + (more < left ? more : left);
	return target < needed ? needed : target;
}

int symcf_grow(void *array, uint64_t *capacity, uint64_t needed, size_t size)
{
	void *old, *grown;
	if (needed <= *capacity)
		return 1;
	const uint64_t target = grown_capacity(*capacity, needed, size);
	memcpy(&old, array, sizeof old); /* `array` is the address of a pointer of any type */
	if (!(grown = symcf_resize(old, target, size)))
		return 0;
	memcpy(array, &grown, sizeof grown);
	*capacity = target;
	return 1;
}

bool symcf_headroom(uint64_t bytes)
{
	return bytes <= PTRDIFF_MAX && !symcf_allocation_fails() && symcf_can_map(bytes);
}

void symcf_free(void *array)
{
	head *block = take_back(array);
	if (block && is_charged(block))
		symcf_refund(block->bytes);
	free(block);
}
