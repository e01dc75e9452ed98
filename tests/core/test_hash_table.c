/* test_hash_table.c: numbers of entries, found by key, against a plain search. */
#include "../../src/core/hash_table.h"

#include "support.h"

enum { MOST = 5000 };

/* Words; the table numbers them from `first`. */
typedef struct words {
	uint64_t word[MOST];
	uint64_t count;
	uint32_t first;
	uint64_t spread; /* of the hash: 0 sends all words to one slot */
} words;

static uint64_t hash_word(const words *w, uint64_t word)
{
	return w->spread ? hash_table_mix(w->spread, word) : 0;
}

static uint64_t hash_entry(const void *owner, uint32_t number)
{
	const words *w = owner;
	return hash_word(w, w->word[number - w->first]);
}

static bool is_entry(const void *owner, uint32_t number, const void *key)
{
	const words *w = owner;
	return w->word[number - w->first] == *(const uint64_t *)key;
}

static symcf_status add(words *w, hash_table *t, uint64_t word, uint32_t *number)
{
	const symcf_status status =
		symcf_hash_table_reserve(t, w->first, w->first + w->count, hash_entry, w);
	if (status)
		return status;
	uint32_t *slot = hash_table_find(t, hash_word(w, word), is_entry, w, &word);
	if (!*slot) {
		w->word[w->count] = word;
		*slot = w->first + (uint32_t)w->count++;
	}
	*number = *slot;
	return SYMCF_OK;
}

static uint32_t place_of(const words *w, uint64_t word)
{
	uint32_t i = 0;
	while (i < w->count && w->word[i] != word)
		i++;
	return i;
}

static void each_key_is_one_entry(void)
{
	static words w;
	for (uint32_t round = 0; round < 6; round++) {
		hash_table t = {0};
		w = (words){.first = 1 + round % 3, .spread = round};
		for (uint32_t i = 0; i < (round ? 4000 : 300); i++) {
			const uint64_t word = random_bits() % (round % 2 ? 1000 : UINT64_MAX);
			const uint32_t expected = w.first + place_of(&w, word);
			uint32_t number = 0;
			CHECK_EQ_INT(add(&w, &t, word, &number), SYMCF_OK);
			CHECK_EQ_INT(number, expected);
			CHECK(2 * w.count <= t.n_slots);
		}
		CHECK_EQ_INT(hash_table_bytes(&t), 4 * t.n_slots);
		symcf_hash_table_clear(&t);
		w.count = 0;
		uint32_t number = 0;
		CHECK_EQ_INT(add(&w, &t, 7, &number), SYMCF_OK);
		CHECK(number == w.first && w.count == 1);
		symcf_hash_table_free(&t);
		CHECK(!t.slot && !t.n_slots);
	}
}

/* Ordinary keys take few steps; if all collide, the steps tell. */
static void steps_are_counted(void)
{
	static words w;
	uint64_t steps[2];
	for (uint32_t harmless = 0; harmless < 2; harmless++) {
		hash_table t = {0};
		uint32_t number;
		w = (words){.first = 1, .spread = harmless};
		for (uint64_t i = 0; i < 1000; i++)
			CHECK_EQ_INT(add(&w, &t, i, &number), SYMCF_OK);
		steps[harmless] = hash_table_take_steps(&t);
		CHECK_EQ_INT(hash_table_take_steps(&t), 0);
		symcf_hash_table_free(&t);
	}
	CHECK(steps[0] >= 1000 * 999 / 2 && steps[1] < 2000);
}

/* A table in memory of the caller's. */
static void a_lent_table_is_filled(void)
{
	static words w;
	uint32_t slots[256];
	hash_table t = {0};
	w = (words){.first = 3, .spread = 1, .count = 100};
	for (uint64_t i = 0; i < w.count; i++)
		w.word[i] = i * i;
	symcf_hash_table_fill(&t, slots, 256, w.first, w.first + w.count, hash_entry, &w);
	for (uint64_t i = 0; i < w.count; i++) {
		const uint64_t word = i * i, absent = word + 2;
		CHECK_EQ_INT(*hash_table_find(&t, hash_word(&w, word), is_entry, &w, &word), 3 + i);
		CHECK_EQ_INT(*hash_table_find(&t, hash_word(&w, absent), is_entry, &w, &absent), 0);
	}
}

static void too_many_entries_are_refused(void)
{
	hash_table t = {0};
	CHECK_EQ_INT(symcf_hash_table_reserve(&t, 1, UINT32_MAX, hash_entry, NULL), SYMCF_OVERFLOW);
	CHECK(!t.slot);
}

static symcf_status fill(const void *data)
{
	static words w;
	hash_table t = {0};
	symcf_status status = SYMCF_OK;
	uint32_t number;
	(void)data;
	w = (words){.first = 1, .spread = 1};
	for (uint64_t i = 0; i < 500 && !status; i++) {
		status = add(&w, &t, i, &number);
		CHECK_EQ_INT(w.count, i + !status); /* what was there stays there */
		uint64_t known = i / 2;
		if (i)
			CHECK(*hash_table_find(&t, hash_word(&w, known), is_entry, &w, &known) == known + 1);
	}
	symcf_hash_table_free(&t);
	return status;
}

static void failing_memory_is_reported(void)
{
	CHECK(fail_each_allocation(fill, NULL) >= 4);
}

int main(void)
{
	RUN(each_key_is_one_entry);
	RUN(steps_are_counted);
	RUN(a_lent_table_is_filled);
	RUN(too_many_entries_are_refused);
	RUN(failing_memory_is_reported);
	return check_report();
}
