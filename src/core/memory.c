/* memory.c: see memory.h. */
#define _DEFAULT_SOURCE
#include "memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "symcf.h"

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
 * writes it once from end to end. It does not matter if the system declines. */
void *symcf_wish_huge_pages(void *memory, uint64_t bytes)
{
#ifdef MADV_HUGEPAGE
	enum { LARGE = 1 << 22, PAGE = 1 << 21 };
	if (memory && bytes >= LARGE) {
		const uintptr_t start = ((uintptr_t)memory + PAGE - 1) / PAGE * PAGE;
		const uintptr_t end = ((uintptr_t)memory + bytes) / PAGE * PAGE;
		madvise((void *)start, end - start, MADV_HUGEPAGE);
	}
#else
	(void)bytes;
#endif
	return memory;
}

/* With assertions on, what is handed out stands between two guards, which are looked at when it comes
 * back, and is full of rubbish at first: reads and writes beyond an array are noticed, or lead to a
 * wrong result that the tests notice. The address sanitizer does this better. */
#if defined(NDEBUG) || defined(__SANITIZE_ADDRESS__)

enum { GUARDS = 0 };

static void *put_guards(void *block, uint64_t bytes, uint64_t old)
{
	(void)bytes, (void)old;
	return block;
}

static void *take_guards(void *array, uint64_t *bytes)
{
	*bytes = 0;
	return array;
}

#else

/* Before the array its size and a word, behind it two words; 16 bytes each, as malloc aligns. */
enum { WORDS = 2, GUARDS = 2 * WORDS * sizeof(uint64_t), RUBBISH = 0x6B };
static const uint64_t GUARD[WORDS] = {UINT64_C(0x6B6B6B6B6B6B6B6B), UINT64_C(0x6B6B6B6B6B6B6B6B)};

/* old: the bytes that are to stay as they are; UINT64_MAX: all. */
static void *put_guards(void *block, uint64_t bytes, uint64_t old)
{
	if (!block)
		return NULL;
	const uint64_t head[WORDS] = {bytes, GUARD[0]};
	char *array = (char *)block + sizeof head;
	memcpy(block, head, sizeof head);
	memcpy(array + bytes, GUARD, sizeof GUARD);
	if (old < bytes)
		memset(array + old, RUBBISH, bytes - old);
	return array;
}

/* ensures: the block of the array, and how many bytes the array has. */
static void *take_guards(void *array, uint64_t *bytes)
{
	uint64_t head[WORDS], tail[WORDS];
	*bytes = 0;
	if (!array)
		return NULL;
	memcpy(head, (char *)array - sizeof head, sizeof head);
	assert(head[1] == GUARD[0]); /* someone wrote before the array, or it is not ours */
	memcpy(tail, (char *)array + head[0], sizeof tail);
	assert(!memcmp(tail, GUARD, sizeof tail)); /* someone wrote beyond the array */
	*bytes = head[0];
	return (char *)array - sizeof head;
}

#endif

/* Never 0: malloc(0) may be NULL. requires: no overflow. */
static uint64_t bytes_of(uint64_t count, size_t size)
{
	return count && size ? count * size : 1;
}

void *symcf_allocate(uint64_t count, size_t size)
{
	if (product_overflows(count, size) || symcf_allocation_fails())
		return NULL;
	const uint64_t bytes = bytes_of(count, size);
	return put_guards(symcf_wish_huge_pages(malloc(bytes + GUARDS), bytes), bytes, 0);
}

void *symcf_allocate_zeroed(uint64_t count, size_t size)
{
	if (product_overflows(count, size) || symcf_allocation_fails())
		return NULL;
	const uint64_t bytes = bytes_of(count, size);
	return put_guards(calloc(bytes + GUARDS, 1), bytes, UINT64_MAX);
}

void *symcf_resize(void *array, uint64_t count, size_t size)
{
	if (product_overflows(count, size) || symcf_allocation_fails())
		return NULL;
	const uint64_t bytes = bytes_of(count, size);
	uint64_t old;
	void *block = take_guards(array, &old);
	return put_guards(realloc(block, bytes + GUARDS), bytes, old);
}

int symcf_grow(void *array, uint64_t *capacity, uint64_t needed, size_t size)
{
	void *old, *grown;
	if (needed <= *capacity)
		return 1;
	uint64_t target = *capacity + *capacity / 2 + 16;
	if (target < needed)
		target = needed;
	memcpy(&old, array, sizeof old); /* `array` is the address of a pointer of any type */
	if (!(grown = symcf_resize(old, target, size)))
		return 0;
	memcpy(array, &grown, sizeof grown);
	*capacity = target;
	return 1;
}

bool symcf_headroom(uint64_t bytes)
{
	if (bytes > PTRDIFF_MAX || symcf_allocation_fails())
		return false;
	void *probe =
		mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return probe != MAP_FAILED && munmap(probe, (size_t)bytes) == 0;
}

void symcf_free(void *array)
{
	uint64_t bytes;
	free(take_guards(array, &bytes));
}
