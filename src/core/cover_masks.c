/* cover_masks.c: change sets of up to 64 features as bit masks, and their order.
 *
 * For batches. The search is that of cover.c, which tells how and why, without what a mask does not
 * need: sets are completed in runs of neighbouring positions, so room is made for the longest run,
 * and limits are looked at, once a run instead of once a set. At n = 25 this takes 0.7 of the time.
 * Branches that cannot be predicted are most of the rest, and still the best there is: runs counted
 * by four comparisons without branches take 1.1 to 1.4 times as long, by AVX2 1.2 to 1.5, returning
 * to earlier frames by conditional moves 1.2 to 1.5.
 *
 * In a *key* feature 0 is the highest of n bits, all bits are inverted, and the size of the set
 * stands above them: keys in rising order are sets by (size, features). At n = 25 a key has 30
 * bits, and four passes of a radix sort by bytes take about 6 ns a set where a comparison sort takes
 * 25. Taking a feature adds a constant to a mask and to a key, so one search makes both.
 */
#include <assert.h>
#include <string.h>

#include "cover.h"
#include "memory.h"

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, FEW = 48 };

void cover_masks_free(cover_masks *m)
{
	symcf_free(m->mask);
	symcf_free(m->scratch);
	memset(m, 0, sizeof *m);
}

/* ------------------------------------------------------------------- search ----------------- */

/* What a set is made of: the value of the empty prefix, what a position adds when it completes a
 * set, and what is added besides when it joins the prefix. */
typedef struct alphabet {
	uint64_t empty, step, add[COVER_MASKED];
} alphabet;

static void spell(const symcf_cover *e, bool keys, alphabet *a)
{
	const uint32_t n = e->t->n;
	a->empty = keys ? (UINT64_C(2) << n) - 1 : 0; /* size 1, that of its completions; no member */
	a->step = keys ? UINT64_C(1) << n : 0;
	for (uint32_t p = 0; p < e->m; p++) {
		const uint64_t bit = UINT64_C(1) << (n - 1 - e->feature[p]);
		a->add[p] = keys ? -bit : bit;
	}
}

/* Makes room for another run. ensures: *room is how many sets there may be before the next look. */
static bool make_room(cover_masks *m, uint32_t run, uint64_t last_set, uint64_t *room)
{
	if (!symcf_grow(&m->mask, &m->capacity, m->count + run, sizeof *m->mask))
		return false;
	const uint64_t most = m->capacity - run;
	*room = most < last_set ? most : last_set;
	return true;
}

/* Always inlined, so that the search with and without a cap on the size is a loop of its own.
 * The engine remembers its prefix as the sum of its letters without `empty`. */
__attribute__((always_inline)) static inline symcf_status search(symcf_cover *e,
                                                                 symcf_control *control,
                                                                 uint64_t limit, const alphabet *a,
                                                                 cover_masks *m, bool capped)
{
#define REACH(i) (capped ? cover_reach(e, (i), e->max_changes - size) : rest[i])
	const int64_t *const gain = e->gain, *const rest = e->rest;
	cover_frame *const frame = e->frame;
	const uint64_t last_set = limit < UINT64_MAX - m->count ? m->count + limit : UINT64_MAX;
	uint32_t p = e->position, size = e->size, n_frames = e->n_frames;
	int64_t t = e->missing;
	uint64_t mask = e->mask + a->empty, room;
	if (!make_room(m, e->m, last_set, &room))
		return SYMCF_NO_MEMORY;
	uint64_t *to = m->mask, count = m->count, n_features = m->n_features;
	symcf_status status = SYMCF_OK;
	bool done = e->done;
	while (!done) {
		const uint64_t before = count;
		for (; gain[p] >= t; p++)
			to[count++] = mask + a->add[p];
		n_features += (count - before) * (size + 1);
		if (count > room) {
			if (count > last_set) { /* the rest of the run is for the next call */
				p -= (uint32_t)(count - last_set);
				n_features -= (count - last_set) * (size + 1);
				count = last_set;
				status = SYMCF_MORE;
				break;
			}
			m->count = count;
			if (!make_room(m, e->m, last_set, &room)) {
				status = SYMCF_NO_MEMORY;
				break;
			}
			to = m->mask;
		}
		if (REACH(p) < t) {
			if (!n_frames) {
				done = true;
				break;
			}
			if ((status = symcf_tick(control, 16)) != SYMCF_OK)
				break;
			const cover_frame *f = &frame[--n_frames];
			p = f->position;
			t = f->missing;
			size = f->size;
			mask = f->mask;
		}
		assert(gain[p] < t && REACH(p) >= t);
		if (REACH(p + 1) >= t)
			frame[n_frames++] = (cover_frame){t, mask, p + 1, size};
		mask += a->add[p] + a->step;
		size++;
		t -= gain[p++];
	}
	e->done = done;
	e->position = p;
	e->size = size;
	e->n_frames = n_frames;
	e->missing = t;
	e->mask = mask - a->empty;
	m->count = count;
	m->n_features = n_features;
	return status;
#undef REACH
}

symcf_status cover_next_masks(symcf_cover *e, symcf_control *control, uint64_t limit, bool keys,
                              cover_masks *masks)
{
	alphabet a;
	assert(e->t->n <= (keys ? COVER_KEYED : COVER_MASKED));
	spell(e, keys, &a);
	return e->max_changes < e->m ? search(e, control, limit, &a, masks, true)
	                             : search(e, control, limit, &a, masks, false);
}

/* -------------------------------------------------------------------- order ------------------ */

static void sort_few(uint64_t *key, uint64_t count)
{
	for (uint64_t i = 1; i < count; i++) {
		const uint64_t k = key[i];
		uint64_t j = i;
		for (; j && key[j - 1] > k; j--)
			key[j] = key[j - 1];
		key[j] = k;
	}
}

/* One stable pass by the digit at `shift`. ensures: false if all keys have the same digit there,
 * then nothing was moved. */
static bool distribute(const uint64_t *from, uint64_t *to, uint64_t count, unsigned shift)
{
	uint64_t start[DIGITS] = {0};
	for (uint64_t i = 0; i < count; i++)
		start[from[i] >> shift & (DIGITS - 1)]++;
	if (start[from[0] >> shift & (DIGITS - 1)] == count)
		return false;
	for (uint64_t digit = 0, sum = 0; digit < DIGITS; digit++) {
		const uint64_t here = start[digit];
		start[digit] = sum;
		sum += here;
	}
	for (uint64_t i = 0; i < count; i++)
		to[start[from[i] >> shift & (DIGITS - 1)]++] = from[i];
	return true;
}

symcf_status cover_sort_keys(cover_masks *m, uint64_t first, uint32_t n)
{
	const uint64_t count = m->count - first;
	uint64_t *key = m->mask + first;
	if (count < FEW) {
		sort_few(key, count);
		return SYMCF_OK;
	}
	if (!symcf_grow(&m->scratch, &m->cap_scratch, count, sizeof *m->scratch))
		return SYMCF_NO_MEMORY;
	uint64_t *from = key, *to = m->scratch;
	for (unsigned shift = 0; shift < n + 6; shift += DIGIT_BITS)
		if (distribute(from, to, count, shift)) {
			uint64_t *swap = from;
			from = to;
			to = swap;
		}
	if (from != key)
		memcpy(key, from, count * sizeof *key);
	return SYMCF_OK;
}
