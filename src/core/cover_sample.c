/* cover_sample.c: minimal covers drawn uniformly, without listing them.
 *
 * cover_count.c splits the number of covers into products: the prefixes of a state times the ways to
 * complete them. A state before position i is completed by i itself, in one way, or, where the lists
 * from above and below meet, by any way that the pieces count. A number below the total picks one of
 * the products; one below each factor then picks the prefix, going back level by level, and the
 * completion, going on. At each level one comparison tells whether its position was left out or taken.
 *
 * So that a draw need not add up all products, their running sum is noted at every STRIDE states. */
#include <assert.h>

#include "count.h"
#include "cover_count.h"
#include "memory.h"

enum { STRIDE = 64 };

/* States `first` .. `first + STRIDE - 1` of a list, and the pieces that complete them. */
typedef struct stretch {
	const cover_list *states, *pieces;
	uint64_t first;
	uint32_t position;        /* that the states stand before           */
	uint32_t n_taken, n_left; /* the numbers of the two lists           */
} stretch;

typedef struct sampling {
	cover_counting c;
	cover_list *single; /* by position: one piece, completed by the position alone */
	stretch *stretches;
	uint64_t *sum; /* `width` limbs each: the products before a stretch */
	uint64_t n_stretches, cap_stretches, cap_sum;
	uint64_t *running, *draw, *product; /* scratch numbers */
	uint32_t *members;                  /* the cover being drawn */
	uint32_t size;
} sampling;

/* The completions of those that lack t: the limbs, or NULL for 0. */
static const uint64_t *completions(const cover_list *pieces, int64_t t, size_t width)
{
	uint64_t low = 0, high = pieces->count;
	while (low < high) {
		const uint64_t middle = low + (high - low) / 2;
		if (pieces->at[middle] < t)
			low = middle + 1;
		else
			high = middle;
	}
	return low < pieces->count ? pieces->value + low * width : NULL;
}

/* The prefixes that lack exactly t, likewise. */
static const uint64_t *prefixes(const cover_list *states, int64_t t, size_t width)
{
	const uint64_t *value = completions(states, t, width);
	return value && states->at[(uint64_t)(value - states->value) / width] == t ? value : NULL;
}

/* ------------------------------------------------------------- preparing --------------------- */

/* Notes the products of a list. */
static symcf_status note(sampling *s, stretch from)
{
	const size_t width = s->c.width;
	const cover_list *states = from.states;
	for (uint64_t i = 0; i < states->count; i++) {
		const uint64_t *ways = completions(from.pieces, states->at[i], width);
		if (!ways)
			break; /* those that lack more cannot be completed either */
		if (i % STRIDE == 0) {
			const uint64_t k = s->n_stretches;
			symcf_status status = symcf_tick(s->c.control, 8 * STRIDE);
			if (status != SYMCF_OK)
				return status;
			if (!symcf_grow(&s->stretches, &s->cap_stretches, k + 1, sizeof *s->stretches) ||
			    !symcf_grow(&s->sum, &s->cap_sum, (k + 1) * width, sizeof *s->sum))
				return symcf_no_memory();
			from.first = i;
			s->stretches[k] = from;
			count_copy(s->sum + k * width, s->running, width);
			s->n_stretches++;
		}
		count_add_product(s->running, states->value + i * width, ways, width);
	}
	return SYMCF_OK;
}

static symcf_status note_all(sampling *s)
{
	cover_counting *c = &s->c;
	symcf_status status = SYMCF_OK;
	for (uint32_t i = 0; i < c->meeting; i++)
		for (uint32_t k = 0; k < c->n_lists && status == SYMCF_OK; k++)
			status = note(s, (stretch){.states = &c->kept[i][k],
			                           .pieces = &s->single[i],
			                           .position = i,
			                           .n_taken = k});
	for (uint32_t a = 0; a < c->n_lists; a++)
		for (uint32_t b = c->step; a + b < c->n_lists && status == SYMCF_OK; b++)
			status = note(s, (stretch){.states = &c->above[a],
			                           .pieces = &c->below[b],
			                           .position = c->meeting,
			                           .n_taken = a,
			                           .n_left = b});
	assert(status != SYMCF_OK || count_compare(s->running, c->total, c->width) == 0);
	return status;
}

/* Memory for everything, and the pieces of single positions. */
static symcf_status lay_out(sampling *s)
{
	const uint64_t m = s->c.e->m, width = s->c.width;
	s->single = symcf_allocate_zeroed(m + 1, sizeof *s->single);
	s->running = symcf_allocate_zeroed(4 * width, sizeof *s->running);
	s->members = symcf_allocate(2 * (m + 1), sizeof *s->members);
	if (!s->single || !s->running || !s->members)
		return symcf_no_memory();
	s->draw = s->running + width;
	s->product = s->draw + width;
	uint64_t *const one = s->product + width;
	one[0] = 1;
	for (uint64_t i = 0; i < m; i++)
		s->single[i] = (cover_list){.count = 1, .at = &s->c.e->gain[i], .value = one};
	return SYMCF_OK;
}

static void close_sampling(sampling *s)
{
	symcf_cover_counting_close(&s->c);
	symcf_free(s->single);
	symcf_free(s->stretches);
	symcf_free(s->sum);
	symcf_free(s->running);
	symcf_free(s->members);
}

/* --------------------------------------------------------------- drawing --------------------- */

/* The last stretch whose sum is at most the number drawn. */
static uint64_t find_stretch(const sampling *s)
{
	uint64_t low = 0, high = s->n_stretches;
	while (high - low > 1) {
		const uint64_t middle = low + (high - low) / 2;
		if (count_compare(s->sum + middle * s->c.width, s->draw, s->c.width) <= 0)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* s->draw is less than the limbs (NULL: 0), or becomes what is left of it. */
static bool falls_into(sampling *s, const uint64_t *limbs)
{
	if (!limbs)
		return false;
	if (count_compare(s->draw, limbs, s->c.width) < 0)
		return true;
	count_subtract(s->draw, limbs, s->c.width);
	return false;
}

/* Prefix number s->draw of those before `position` that have taken n and lack t. */
static void take_prefix(sampling *s, uint32_t position, uint32_t n, int64_t t)
{
	const cover_counting *c = &s->c;
	while (position-- > 0) {
		if (falls_into(s, prefixes(&c->kept[position][n], t, c->width)))
			continue;
		s->members[s->size++] = position;
		t += c->e->gain[position];
		n -= c->step;
	}
	assert(t == c->e->deficit && n == 0);
}

/* Completion number s->draw, by n positions from the meeting on, of what lacks t. */
static void take_completion(sampling *s, uint32_t n, int64_t t)
{
	const cover_counting *c = &s->c;
	for (uint32_t i = c->meeting; t > 0; i++) {
		assert(i < c->e->m);
		if (falls_into(s, completions(&c->kept[i + 1][n], t, c->width)))
			continue;
		s->members[s->size++] = i;
		t -= c->e->gain[i];
		n -= c->step;
	}
}

static bool is_less(const uint32_t *a, const uint32_t *b, void *unused)
{
	(void)unused;
	return *a < *b;
}

#define SORT_NAME sort_features
#define SORT_TYPE uint32_t
#define SORT_BEFORE is_less
#include "sort.h"

/* One cover: s->members, as features, ascending. */
static void draw_cover(sampling *s, uint64_t (*random)(void *data), void *data)
{
	const size_t width = s->c.width;
	count_draw_below(s->c.total, width, random, data, s->draw);
	const uint64_t k = find_stretch(s);
	const stretch *from = &s->stretches[k];
	const uint64_t *ways = NULL;
	count_subtract(s->draw, s->sum + k * width, width);
	uint64_t i = from->first;
	for (;; i++) {
		ways = completions(from->pieces, from->states->at[i], width);
		count_set(s->product, width, 0);
		count_add_product(s->product, from->states->value + i * width, ways, width);
		if (falls_into(s, s->product))
			break;
	}
	s->size = 0;
	count_draw_below(from->states->value + i * width, width, random, data, s->draw);
	take_prefix(s, from->position, from->n_taken, from->states->at[i]);
	if (from->position < s->c.meeting) {
		s->members[s->size++] = from->position;
	} else {
		count_draw_below(ways, width, random, data, s->draw);
		take_completion(s, from->n_left, from->states->at[i]);
	}
	for (uint32_t j = 0; j < s->size; j++)
		s->members[j] = s->c.e->feature[s->members[j]];
	sort_features(s->members, s->members + s->size, s->size, NULL, NULL);
}

static symcf_status sample(sampling *s, uint64_t count, uint64_t (*random)(void *data), void *data,
                           symcf_sets *sets)
{
	symcf_status status = SYMCF_OK;
	if (count == 0 || count_is_zero(s->c.total, s->c.width))
		return SYMCF_OK;
	if ((status = lay_out(s)) == SYMCF_OK)
		status = note_all(s);
	for (; count > 0 && status == SYMCF_OK; count--) {
		draw_cover(s, random, data);
		if ((status = symcf_tick(s->c.control, 8 * (s->c.e->m + STRIDE))) == SYMCF_OK)
			status = symcf_sets_push(sets, s->members, s->size);
	}
	return status;
}

symcf_status symcf_cover_sample(const symcf_threshold *t, const symcf_query *q, uint64_t count,
                                uint64_t (*random)(void *data), void *data, symcf_control *control,
                                symcf_sets *sets)
{
	symcf_cover *e;
	sampling s = {0};
	symcf_status status = symcf_cover_open(t, q, &e);
	if (status != SYMCF_OK)
		return status;
	for (; e->deficit <= 0 && count > 0 && status == SYMCF_OK; count--)
		if ((status = symcf_tick(control, 8)) == SYMCF_OK)
			status = symcf_sets_push(sets, NULL, 0); /* there is no other */
	if (status == SYMCF_OK)
		status = symcf_cover_counting_open(&s.c, e, true, control);
	if (status == SYMCF_OK)
		status = sample(&s, count, random, data, sets);
	close_sampling(&s);
	symcf_cover_free(e);
	return status;
}
