/* cover_count.c: the number of minimal covers, exactly and without listing them.
 *
 * Let N(i, t) be the number of ways to complete, with positions from i on, a prefix that lacks t.
 * Position i is left out, or taken; taken, it completes the cover if gain[i] >= t (cover.c):
 *
 *     N(m, t) = 0        N(i, t) = N(i + 1, t) + (gain[i] >= t ? 1 : N(i + 1, t - gain[i]))
 *
 * and N(0, deficit) is wanted. The numbers of t are too many for a table, but as a function of t,
 * N(i, .) only steps at sums of subsets of the positions from i on: it is kept as a sorted list of
 * pieces, and one level is a merge of the list with itself, shifted by gain[i]. From above, the
 * values of t that prefixes of the first i positions can lack are a sorted list as well, each with
 * the number of its prefixes; one level again is a merge with the shifted list. Both lists at most
 * double per level, and grow less the more gains are equal, so the shorter one grows until they meet:
 * 2^(n/2) rather than 2^n for gains in general position, polynomial for few distinct gains. (Both
 * ends of the interval structure that Chan & Darwiche 2003 and Abio et al. 2012 compile.)
 *
 * With max_changes, lists are kept apart by the number of positions taken: a prefix of c meets the
 * completions by r <= max_changes - c. Without, one list is all, and `step`, what taking a position
 * adds to the number of its list, is 0.
 *
 * Words: a *state* is an entry of a list from above, a *piece* one from below. */
#include "cover_count.h"

#include <assert.h>

#include "count.h"
#include "memory.h"

static void free_entries(cover_list *l)
{
	symcf_free(l->at);
	symcf_free(l->value);
	*l = (cover_list){0};
}

static void free_lists(cover_list *lists, uint32_t count)
{
	for (uint32_t i = 0; lists && i < count; i++)
		free_entries(&lists[i]);
	symcf_free(lists);
}

/* Gives an empty list room for `count` entries, `others` being those of all other lists. */
static symcf_status reserve(const cover_counting *c, cover_list *l, uint64_t count, uint64_t others)
{
	symcf_control *control = c->control;
	const uint64_t entries = count + others;
	const uint64_t bytes = entries * (sizeof *l->at + c->width * sizeof *l->value);
	assert(!l->at);
	if (control) {
		control->nodes = entries;
		control->memory = bytes;
		if (control->max_nodes && entries > control->max_nodes)
			return SYMCF_LIMIT_NODES;
		if (control->max_memory && bytes > control->max_memory)
			return SYMCF_LIMIT_MEMORY;
	}
	l->at = symcf_allocate(count, sizeof *l->at);
	l->value = symcf_allocate(count, c->width * sizeof *l->value);
	if (l->at && l->value)
		return SYMCF_OK;
	free_entries(l);
	return symcf_no_memory();
}

/* To be asked for every entry k that is written: looks at the control once in a while. */
static inline symcf_status look_up_at(symcf_control *control, uint64_t k)
{
	enum { PAUSE = 1 << 14 };
	return k % PAUSE ? SYMCF_OK : symcf_tick(control, 8 * PAUSE);
}

static uint64_t entries_of(const cover_list *lists, uint32_t count)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < count; i++)
		sum += lists[i].count;
	return sum;
}

/* Entries of all lists while list k of the next level is made. */
static uint64_t entries_but(const cover_counting *c, uint32_t k)
{
	return c->n_kept + c->n_above + c->n_below + entries_of(c->next, k);
}

/* `next` becomes *lists; the old ones, which stood before `position`, go or are kept. */
static symcf_status replace_lists(cover_counting *c, cover_list **lists, uint64_t *n_entries,
                                  uint32_t position)
{
	cover_list *fresh = NULL, *old = *lists;
	if (c->kept && !(fresh = symcf_allocate_zeroed(c->n_lists, sizeof *fresh)))
		return symcf_no_memory();
	*lists = c->next;
	c->next = c->kept ? fresh : old;
	if (c->kept) {
		c->kept[position] = old;
		c->n_kept += *n_entries;
	} else {
		for (uint32_t i = 0; i < c->n_lists; i++)
			free_entries(&old[i]);
	}
	*n_entries = entries_of(*lists, c->n_lists);
	return SYMCF_OK;
}

/* ------------------------------------------------------------- from above -------------------- */

/* States after a level: those of `stay` up to `limit`, and those of `take` above `gain`, less it. */
static inline symcf_status merge_states(cover_list *to, const cover_list *stay,
                                        const cover_list *take, int64_t gain, int64_t limit,
                                        size_t width, symcf_control *control)
{
	uint64_t a = 0, b = 0, k = 0;
	symcf_status status = SYMCF_OK;
	while (b < take->count && take->at[b] <= gain)
		b++;
	while ((status = look_up_at(control, k)) == SYMCF_OK) {
		const int64_t left = a < stay->count && stay->at[a] <= limit ? stay->at[a] : INT64_MAX;
		const int64_t right = b < take->count ? take->at[b] - gain : INT64_MAX;
		const int64_t at = left < right ? left : right;
		if (at == INT64_MAX)
			break;
		uint64_t *value = to->value + k * width;
		to->at[k++] = at;
		if (left == at)
			count_copy(value, stay->value + a++ * width, width);
		if (right == at && left == at)
			count_add(value, take->value + b++ * width, width);
		else if (right == at)
			count_copy(value, take->value + b++ * width, width);
	}
	to->count = k;
	return status;
}

/* Adds the prefixes that this gain completes. */
static void add_completed(cover_counting *c, const cover_list *l, int64_t gain)
{
	for (uint64_t i = 0; i < l->count && l->at[i] <= gain; i++)
		count_add(c->total, l->value + i * c->width, c->width);
}

/* Takes position i into the lists from above. */
static symcf_status descend(cover_counting *c, uint32_t i)
{
	static const cover_list empty = {0};
	const int64_t gain = c->e->gain[i];
	for (uint32_t k = 0; k < c->n_lists; k++) {
		const cover_list *stay = &c->above[k],
						 *take = k >= c->step ? &c->above[k - c->step] : &empty;
		const uint64_t most = stay->count + take->count;
		const uint64_t others = entries_but(c, k);
		symcf_status status = reserve(c, &c->next[k], most, others);
		if (status != SYMCF_OK)
			return status;
		add_completed(c, stay, gain);
		const uint32_t picks = c->step ? c->e->max_changes - k : c->e->m;
		const int64_t limit = cover_reach(c->e, i + 1, picks);
		if (c->width == 1)
			status = merge_states(&c->next[k], stay, take, gain, limit, 1, c->control);
		else
			status = merge_states(&c->next[k], stay, take, gain, limit, c->width, c->control);
		if (status != SYMCF_OK)
			return status;
	}
	return replace_lists(c, &c->above, &c->n_above, i);
}

/* ------------------------------------------------------------- from below -------------------- */

/* Pieces of skip(t) + (t <= gain ? completed : take(t - gain)), up to the deficit. */
static inline symcf_status merge_pieces(cover_list *to, const cover_list *skip,
                                        const cover_list *take, int64_t gain, uint64_t completed,
                                        int64_t deficit, size_t width, symcf_control *control)
{
	uint64_t a = 0, b = 0, k = 0;
	int64_t right = gain; /* end of the current piece of the second summand */
	const uint64_t *right_value = NULL;
	symcf_status status = SYMCF_OK;
	for (int64_t at = 0; at < deficit && status == SYMCF_OK; status = look_up_at(control, a + b)) {
		const int64_t left = a < skip->count ? skip->at[a] : INT64_MAX;
		at = left < right ? left : right;
		if (at == INT64_MAX)
			break;
		uint64_t *value = to->value + k * width;
		if (right_value)
			count_copy(value, right_value, width);
		else
			count_set(value, width, right == gain ? completed : 0);
		if (left != INT64_MAX)
			count_add(value, skip->value + a * width, width);
		if (k && count_compare(value, value - width, width) == 0)
			k--;
		to->at[k++] = at;
		a += left == at;
		if (right == at) {
			right_value = b < take->count ? take->value + b * width : NULL;
			right = b < take->count ? take->at[b] + gain : INT64_MAX;
			b++;
		}
	}
	to->count = k;
	return status;
}

/* Takes position i into the lists from below. List 0 of lists kept apart stays empty: no cover is
 * completed by nothing. */
static symcf_status ascend(cover_counting *c, uint32_t i)
{
	for (uint32_t k = c->step; k < c->n_lists; k++) {
		const cover_list *skip = &c->below[k], *take = &c->below[k - c->step];
		const uint64_t most = skip->count + take->count + 1;
		const uint64_t others = entries_but(c, k);
		symcf_status status = reserve(c, &c->next[k], most, others);
		if (status != SYMCF_OK)
			return status;
		const uint64_t completed = k == c->step;
		const int64_t gain = c->e->gain[i], deficit = c->e->deficit;
		if (c->width == 1)
			status = merge_pieces(&c->next[k], skip, take, gain, completed, deficit, 1, c->control);
		else
			status = merge_pieces(&c->next[k], skip, take, gain, completed, deficit, c->width,
			                      c->control);
		if (status != SYMCF_OK)
			return status;
	}
	return replace_lists(c, &c->below, &c->n_below, i + 1);
}

/* ---------------------------------------------------------------- meeting -------------------- */

static symcf_status add_meetings(cover_counting *c, const cover_list *states,
                                 const cover_list *pieces)
{
	symcf_status status = SYMCF_OK;
	for (uint64_t i = 0, k = 0; i < states->count && status == SYMCF_OK; i++) {
		while (k < pieces->count && pieces->at[k] < states->at[i])
			k++;
		if (k == pieces->count)
			break;
		count_add_product(c->total, states->value + i * c->width, pieces->value + k * c->width,
		                  c->width);
		status = look_up_at(c->control, i);
	}
	return status;
}

static symcf_status meet(cover_counting *c)
{
	for (uint32_t a = 0; a < c->n_lists; a++)
		for (uint32_t b = c->step; a + b < c->n_lists; b++) {
			const symcf_status status = add_meetings(c, &c->above[a], &c->below[b]);
			if (status != SYMCF_OK)
				return status;
		}
	return SYMCF_OK;
}

static symcf_status run(cover_counting *c)
{
	symcf_status status = reserve(c, &c->above[0], 1, 0);
	if (status != SYMCF_OK)
		return status;
	c->above[0].at[0] = c->e->deficit;
	count_set(c->above[0].value, c->width, 1);
	c->above[0].count = c->n_above = 1;
	uint32_t top = 0, bottom = c->e->m;
	while (top < bottom) {
		status = c->n_above <= c->n_below ? descend(c, top++) : ascend(c, --bottom);
		if (status != SYMCF_OK)
			return status;
		if (c->control)
			c->control->level = c->e->m - (bottom - top);
	}
	c->meeting = top;
	return meet(c);
}

symcf_status symcf_cover_counting_open(cover_counting *c, const symcf_cover *e, bool keep,
                                       symcf_control *control)
{
	*c = (cover_counting){.e = e, .control = control, .width = count_width(e->m)};
	c->step = e->max_changes < e->m;
	c->n_lists = c->step ? e->max_changes + 1 : 1;
	c->above = symcf_allocate_zeroed(c->n_lists, sizeof *c->above);
	c->below = symcf_allocate_zeroed(c->n_lists, sizeof *c->below);
	c->next = symcf_allocate_zeroed(c->n_lists, sizeof *c->next);
	c->total = symcf_allocate_zeroed(c->width, sizeof *c->total);
	c->kept = keep ? symcf_allocate_zeroed((uint64_t)e->m + 1, sizeof(cover_list *)) : NULL;
	if (!c->above || !c->below || !c->next || !c->total || (keep && !c->kept))
		return symcf_no_memory();
	if (e->deficit <= 0) { /* only the empty set */
		c->total[0] = 1;
		return SYMCF_OK;
	}
	return cover_exists(e) ? run(c) : SYMCF_OK;
}

void symcf_cover_counting_close(cover_counting *c)
{
	free_lists(c->above, c->n_lists);
	free_lists(c->below, c->n_lists);
	free_lists(c->next, c->n_lists);
	for (uint32_t i = 0; c->kept && i <= c->e->m; i++)
		free_lists(c->kept[i], c->n_lists);
	symcf_free(c->kept);
	symcf_free(c->total);
}

symcf_status symcf_cover_count_open(const symcf_cover *e, symcf_control *control, uint64_t **limbs,
                                    size_t *width)
{
	cover_counting c;
	const symcf_status status = symcf_cover_counting_open(&c, e, false, control);
	if (status == SYMCF_OK) {
		*limbs = c.total;
		*width = c.width;
		c.total = NULL;
	}
	symcf_cover_counting_close(&c);
	return status;
}

symcf_status symcf_cover_count(const symcf_threshold *t, const symcf_query *q,
                               symcf_control *control, uint64_t **limbs, size_t *width)
{
	symcf_cover *e;
	symcf_status status = symcf_cover_open(t, q, &e);
	if (status != SYMCF_OK)
		return status;
	status = symcf_cover_count_open(e, control, limbs, width);
	symcf_cover_free(e);
	return status;
}
