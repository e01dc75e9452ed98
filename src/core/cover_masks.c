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

/* A position with all that the search asks of it in one place, so that a single pointer leads
 * there: the loop has more variables than most processors have registers. */
typedef struct spot {
	int64_t gain, rest;
	uint64_t add; /* to the prefix, when the position completes it */
} spot;

/* cover_frame with a pointer for its position. */
typedef struct turn {
	const spot *next;
	int64_t missing;
	uint64_t mask;
	uint32_t size;
} turn;

/* The engine's state while the search runs. */
typedef struct course {
	uint64_t empty, step; /* the prefix without members; what a member adds besides spot.add */
	spot spot[COVER_MASKED + 1];
	turn turn[COVER_MASKED + 1];
} course;

static void open_course(const symcf_cover *e, bool keys, course *c)
{
	const uint32_t n = e->t->n;
	c->empty = keys ? (UINT64_C(2) << n) - 1 : 0; /* the size is that of its completions, 1 */
	c->step = keys ? UINT64_C(1) << n : 0;
	for (uint32_t p = 0; p < e->m; p++) {
		const uint64_t bit = UINT64_C(1) << (n - 1 - e->feature[p]);
		c->spot[p] = (spot){e->gain[p], e->rest[p], keys ? -bit : bit};
	}
	c->spot[e->m] = (spot){0, 0, 0};
	for (uint32_t i = 0; i < e->n_frames; i++) {
		const cover_frame *f = &e->frame[i];
		c->turn[i] = (turn){c->spot + f->position, f->missing, f->mask, f->size};
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

/* Always inlined, so that the search with and without a cap on the size is a loop of its own. */
__attribute__((always_inline)) static inline symcf_status search(symcf_cover *e,
                                                                 symcf_control *control,
                                                                 uint64_t limit, course *c,
                                                                 cover_masks *m, bool capped)
{
#define REACH(s)                                                                                   \
	((s)->rest - (capped && max_changes - size < last - (s) ? (s)[max_changes - size].rest : 0))
	const spot *const last = c->spot + e->m, *at = c->spot + e->position;
	const uint32_t max_changes = e->max_changes;
	const uint64_t last_set = limit < UINT64_MAX - m->count ? m->count + limit : UINT64_MAX;
	const uint64_t step = c->step;
	turn *top = c->turn + e->n_frames;
	uint32_t size = e->size;
	int64_t t = e->missing;
	uint64_t mask = size ? e->mask : c->empty, room;
	if (!make_room(m, e->m, last_set, &room))
		return SYMCF_NO_MEMORY;
	uint64_t *to = m->mask + m->count, *full = m->mask + room, n_features = m->n_features;
	symcf_status status = SYMCF_OK;
	bool done = e->done;
	while (!done) {
		const spot *const first = at;
		for (; at->gain >= t; at++)
			*to++ = mask + at->add;
		n_features += (uint64_t)(at - first) * (size + 1);
		if (to > full) {
			m->count = (uint64_t)(to - m->mask);
			if (m->count > last_set) { /* the rest of the run is for the next call */
				const uint64_t over = m->count - last_set;
				at -= over;
				to -= over;
				n_features -= over * (size + 1);
				status = SYMCF_MORE;
				break;
			}
			if (!make_room(m, e->m, last_set, &room)) {
				status = SYMCF_NO_MEMORY;
				break;
			}
			to = m->mask + m->count;
			full = m->mask + room;
		}
		if (REACH(at) < t) {
			if (top == c->turn) {
				done = true;
				break;
			}
			if ((status = symcf_tick(control, 16)) != SYMCF_OK)
				break;
			top--;
			at = top->next;
			t = top->missing;
			size = top->size;
			mask = top->mask;
		}
		assert(at->gain < t && REACH(at) >= t);
		if (REACH(at + 1) >= t)
			*top++ = (turn){at + 1, t, mask, size};
		mask += at->add + step;
		size++;
		t -= at->gain;
		at++;
	}
	m->count = (uint64_t)(to - m->mask);
	m->n_features = n_features;
	e->done = done;
	e->position = (uint32_t)(at - c->spot);
	e->size = size;
	e->missing = t;
	e->mask = mask;
	e->n_frames = (uint32_t)(top - c->turn);
	for (uint32_t i = 0; i < e->n_frames; i++) {
		const turn *f = &c->turn[i];
		e->frame[i] = (cover_frame){f->missing, f->mask, (uint32_t)(f->next - c->spot), f->size};
	}
	return status;
#undef REACH
}

symcf_status cover_next_masks(symcf_cover *e, symcf_control *control, uint64_t limit, bool keys,
                              cover_masks *masks)
{
	course c;
	assert(e->t->n <= (keys ? COVER_KEYED : COVER_MASKED));
	open_course(e, keys, &c);
	return e->max_changes < e->m ? search(e, control, limit, &c, masks, true)
	                             : search(e, control, limit, &c, masks, false);
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

/* The builtin is a call on processors that need not have the instruction. */
static inline uint64_t count_bits(uint64_t x)
{
	x -= x >> 1 & 0x5555555555555555u;
	x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
	x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
	return x * 0x0101010101010101u >> 56;
}

void cover_masks_to_keys(cover_masks *m, uint64_t first, uint32_t n)
{
	const uint64_t all = (UINT64_C(1) << n) - 1;
	for (uint64_t i = first; i < m->count; i++)
		m->mask[i] = count_bits(m->mask[i]) << n | (~m->mask[i] & all);
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
