/* choose_all.c: values that raise several sums at once, where the wanted class has to beat all others.
 *
 * With several sums, few values are better than others in all respects, so partial choices are not
 * compared. A depth-first search goes by bounds: what the rest can add to each sum at most, and what
 * it costs at least. It finds the lowest cost and the largest margin. The codes come last: each
 * feature in turn takes the first value with which that optimum can still be had. */
#include <string.h>

#include "arena.h"
#include "choose.h"
#include "try.h"

/* (cost and move, margin) of a choice, or of the best that a partial one may become. */
typedef struct result {
	choose_unit unit;
	int64_t margin;
} result;

typedef struct searching {
	symcf_chooser *c;
	uint32_t size, lines;
	int64_t *base;          /* by line                                                        */
	choose_option *all;     /* the options of the features of the set, one after the other    */
	int64_t *gain;          /* by option and line                                             */
	uint32_t *start;        /* size + 1: where the options of a feature begin                 */
	uint32_t *first, *last; /* size: those that are left                                  */
	uint32_t *sorted;       /* by option: those of a feature by (unit, least gain falling)    */
	uint32_t *spare;        /* while they are sorted                                          */
	/* a search over the features that have several left, widest spread first */
	uint32_t *several, n_several;
	int64_t *spread;    /* by feature                                                      */
	int64_t *most;      /* by depth and line: what the features from there add at most     */
	choose_unit *least; /* by depth                                                       */
	int64_t *sum;       /* by depth and line                                               */
	choose_unit *unit;  /* by depth                                                        */
	uint32_t *next;     /* by depth: the option to try                                     */
} searching;

static void lay_out(arena *a, searching *s, uint64_t n_options)
{
	const uint64_t size = s->size, lines = s->lines;
	s->base = symcf_arena_take(a, lines, sizeof *s->base);
	s->all = symcf_arena_take(a, n_options, sizeof *s->all);
	s->gain = symcf_arena_take(a, n_options * lines, sizeof *s->gain);
	s->start = symcf_arena_take(a, size + 1, sizeof *s->start);
	s->first = symcf_arena_take(a, size, sizeof *s->first);
	s->last = symcf_arena_take(a, size, sizeof *s->last);
	s->sorted = symcf_arena_take(a, n_options, sizeof *s->sorted);
	s->spare = symcf_arena_take(a, n_options, sizeof *s->spare);
	s->several = symcf_arena_take(a, size, sizeof *s->several);
	s->spread = symcf_arena_take(a, size, sizeof *s->spread);
	s->most = symcf_arena_take(a, (size + 1) * lines, sizeof *s->most);
	s->least = symcf_arena_take(a, size + 1, sizeof *s->least);
	s->sum = symcf_arena_take(a, (size + 1) * lines, sizeof *s->sum);
	s->unit = symcf_arena_take(a, size + 1, sizeof *s->unit);
	s->next = symcf_arena_take(a, size + 1, sizeof *s->next);
}

/* --------------------------------------------------------------------- options --------------- */

static const int64_t *gains_of(const searching *s, uint32_t option)
{
	return s->gain + (uint64_t)option * s->lines;
}

/* Is a choice with b always better than the same one with a? It costs no more and its sums are no
 * smaller. That alone may be a tie, for the margin is the smallest sum: so it must be cheaper, or
 * larger in every sum, or come first by its code. */
static bool beats(const searching *s, uint32_t b, uint32_t a)
{
	bool larger = s->lines > 0;
	for (uint32_t r = 0; r < s->lines; r++) {
		if (gains_of(s, b)[r] < gains_of(s, a)[r])
			return false;
		larger = larger && gains_of(s, b)[r] > gains_of(s, a)[r];
	}
	const choose_option *p = &s->all[b], *q = &s->all[a];
	return p->unit <= q->unit && (p->unit < q->unit || p->name < q->name || larger);
}

static void copy_option(searching *s, uint32_t to, uint32_t from)
{
	s->all[to] = s->all[from];
	memmove(s->gain + (uint64_t)to * s->lines, gains_of(s, from), s->lines * sizeof *s->gain);
}

/* Collects what is worth taking of a feature, by rising name. ensures: where its options end. */
static uint32_t collect(searching *s, uint32_t j, uint32_t at)
{
	symcf_chooser *c = s->c;
	const uint32_t d = c->value_offset[j + 1] - c->value_offset[j], begin = at;
	for (uint32_t v = 0; v < d; v++)
		if (symcf_choose_is_allowed(c, j, v)) {
			uint32_t to = at++;
			const choose_option option = symcf_choose_option_of(c, 0, j, v);
			for (; to > begin && option.name < s->all[to - 1].name; to--)
				copy_option(s, to, to - 1);
			s->all[to] = option;
			for (uint32_t r = 0; r < s->lines; r++)
				s->gain[(uint64_t)to * s->lines + r] = c->line[r]->weight[c->value_offset[j] + v];
		}
	/* who is beaten is so by one that is not beaten, so those may go at once, in any order */
	for (uint32_t a = begin; a < at;) {
		bool beaten = false;
		for (uint32_t b = begin; b < at && !beaten; b++)
			beaten = b != a && beats(s, b, a);
		if (!beaten) {
			a++;
			continue;
		}
		for (uint32_t i = a; i + 1 < at; i++)
			copy_option(s, i, i + 1);
		at--;
	}
	return at;
}

static int64_t least_gain(const searching *s, uint32_t option)
{
	int64_t least = s->lines ? INT64_MAX : 0;
	for (uint32_t r = 0; r < s->lines; r++)
		least = gains_of(s, option)[r] < least ? gains_of(s, option)[r] : least;
	return least;
}

static bool is_tried_before(const uint32_t *a, const uint32_t *b, void *context)
{
	const searching *s = context;
	if (s->all[*a].unit != s->all[*b].unit)
		return s->all[*a].unit < s->all[*b].unit;
	return least_gain(s, *a) > least_gain(s, *b);
}

#define SORT_NAME sort_tried
#define SORT_TYPE uint32_t
#define SORT_BEFORE is_tried_before
#include "sort.h"

static void sort_options(searching *s, uint32_t i)
{
	for (uint32_t o = s->start[i]; o < s->start[i + 1]; o++)
		s->sorted[o] = o;
	sort_tried(s->sorted + s->start[i], s->spare, s->start[i + 1] - s->start[i], s, NULL);
	int64_t widest = 0;
	for (uint32_t r = 0; r < s->lines; r++) {
		int64_t low = INT64_MAX, high = INT64_MIN;
		for (uint32_t o = s->start[i]; o < s->start[i + 1]; o++) {
			const int64_t gain = gains_of(s, o)[r];
			low = gain < low ? gain : low;
			high = gain > high ? gain : high;
		}
		widest = high - low > widest ? high - low : widest;
	}
	s->spread[i] = widest;
}

/* --------------------------------------------------------------------- search ---------------- */

/* What is left of the features: those with one option count at once, the others are ordered. */
static void prepare(searching *s)
{
	const uint32_t lines = s->lines;
	s->n_several = 0;
	s->unit[0] = 0;
	memcpy(s->sum, s->base, lines * sizeof *s->sum);
	for (uint32_t i = 0; i < s->size; i++) {
		if (s->last[i] - s->first[i] == 1) {
			s->unit[0] += s->all[s->first[i]].unit;
			for (uint32_t r = 0; r < lines; r++)
				s->sum[r] += gains_of(s, s->first[i])[r];
			continue;
		}
		uint32_t at = s->n_several++;
		for (; at && s->spread[s->several[at - 1]] < s->spread[i]; at--)
			s->several[at] = s->several[at - 1];
		s->several[at] = i;
	}
	memset(s->most + (uint64_t)s->n_several * lines, 0, lines * sizeof *s->most);
	s->least[s->n_several] = 0;
	for (uint32_t depth = s->n_several; depth-- > 0;) {
		const uint32_t i = s->several[depth];
		s->least[depth] = s->least[depth + 1] + s->all[s->sorted[s->start[i]]].unit;
		for (uint32_t r = 0; r < lines; r++) {
			int64_t most = INT64_MIN;
			for (uint32_t o = s->start[i]; o < s->start[i + 1]; o++)
				most = gains_of(s, o)[r] > most ? gains_of(s, o)[r] : most;
			s->most[(uint64_t)depth * lines + r] =
				s->most[(uint64_t)(depth + 1) * lines + r] + most;
		}
	}
}

/* What a choice of the first `depth` features may become at best. ensures: false if nothing that
 * raises all sums. */
static bool bound(const searching *s, uint32_t depth, result *best)
{
	best->unit = s->unit[depth] + s->least[depth];
	best->margin = s->lines ? INT64_MAX : 0;
	for (uint32_t r = 0; r < s->lines; r++) {
		const uint64_t at = (uint64_t)depth * s->lines + r;
		const int64_t top = s->sum[at] + s->most[at];
		if (top < 0)
			return false;
		if (top + s->c->shift[r] < best->margin)
			best->margin = top + s->c->shift[r];
	}
	return true;
}

static bool is_better(const result *a, const result *b)
{
	return a->unit != b->unit ? a->unit < b->unit : a->margin > b->margin;
}

static void take(searching *s, uint32_t depth, uint32_t option)
{
	s->unit[depth + 1] = s->unit[depth] + s->all[option].unit;
	for (uint32_t r = 0; r < s->lines; r++)
		s->sum[(uint64_t)(depth + 1) * s->lines + r] =
			s->sum[(uint64_t)depth * s->lines + r] + gains_of(s, option)[r];
}

/* The best result, if one is better than *best; with `any`, the first that is.
 * ensures: SYMCF_OK and *best, or SYMCF_INVALID if there is none. */
static symcf_status search(searching *s, bool any, bool known, result *best, symcf_control *control)
{
	result here;
	bool found = false;
	uint32_t depth = 0;
	prepare(s);
	if (!bound(s, 0, &here) || (known && !is_better(&here, best)))
		return SYMCF_INVALID;
	if (!s->n_several) {
		*best = here;
		return SYMCF_OK;
	}
	s->next[0] = s->start[s->several[0]];
	for (;;) {
		const uint32_t i = s->several[depth];
		if (s->next[depth] == s->start[i + 1]) {
			if (!depth--)
				break;
			continue;
		}
		take(s, depth, s->sorted[s->next[depth]++]);
		TRY(symcf_tick(control, 4 + 2 * s->lines));
		if (!bound(s, depth + 1, &here) || ((known || found) && !is_better(&here, best)))
			continue;
		if (depth + 1 < s->n_several) {
			depth++;
			s->next[depth] = s->start[s->several[depth]];
			continue;
		}
		*best = here;
		found = true;
		if (any)
			break;
	}
	return found ? SYMCF_OK : SYMCF_INVALID;
}

/* The first value of each feature in turn with which the optimum can be had. */
static symcf_status fix_names(searching *s, const result *best, symcf_control *control)
{
	for (uint32_t i = 0; i < s->size; i++) {
		const uint32_t end = s->last[i];
		for (uint32_t o = s->first[i]; o < end; o++) {
			s->first[i] = o;
			s->last[i] = o + 1;
			if (o + 1 == end)
				break;
			result as_good = {best->unit, best->margin - 1};
			const symcf_status status = search(s, true, true, &as_good, control);
			if (status == SYMCF_OK)
				break;
			if (status != SYMCF_INVALID)
				return status;
		}
	}
	return SYMCF_OK;
}

/* What a line has without the features of the set. */
static int64_t base_of(const symcf_chooser *c, uint32_t r, const uint32_t *features, uint32_t size)
{
	int64_t base = c->total[r];
	for (uint32_t i = 0; i < size; i++)
		base -= c->line[r]->weight[c->value_offset[features[i]] + c->x[features[i]]];
	return base;
}

static symcf_status choose(searching *s, const uint32_t *features, symcf_control *control,
                           uint32_t *names, choose_unit *unit)
{
	result best = {0}; /* always found: some compilers cannot see it */
	s->start[0] = 0;
	for (uint32_t r = 0; r < s->lines; r++)
		s->base[r] = base_of(s->c, r, features, s->size);
	for (uint32_t i = 0; i < s->size; i++) {
		s->first[i] = s->start[i];
		s->last[i] = s->start[i + 1] = collect(s, features[i], s->start[i]);
		if (s->first[i] == s->last[i])
			return SYMCF_INVALID;
		sort_options(s, i);
	}
	TRY(search(s, false, false, &best, control));
	TRY(fix_names(s, &best, control));
	for (uint32_t i = 0; i < s->size; i++)
		names[i] = s->all[s->first[i]].name;
	*unit = best.unit;
	return SYMCF_OK;
}

symcf_status symcf_choose_for_all(symcf_chooser *c, const uint32_t *features, uint32_t size,
                                  symcf_control *control, uint32_t *names, choose_unit *unit)
{
	searching s = {.c = c, .size = size, .lines = c->n_lines};
	uint64_t n_options = 0;
	for (uint32_t i = 0; i < size; i++)
		n_options += c->value_offset[features[i] + 1] - c->value_offset[features[i]];
	arena a = {0};
	lay_out(&a, &s, n_options);
	TRY(symcf_arena_open(&a));
	lay_out(&a, &s, n_options);
	const symcf_status status = choose(&s, features, control, names, unit);
	symcf_arena_close(&a);
	return status;
}
