/* choose.c: which new values make the features of a set flip the decision, at what cost.
 *
 * The problem. A change set says which features change. Each of them takes one of its allowed values,
 * every value has a cost and adds something to a sum, and the sum has to reach 0: the multiple-choice
 * knapsack problem. Wanted is the choice that is first by (cost, move, margin falling, codes).
 *
 * One sum. A value that costs no less and adds no more than another can be forgotten, and so can a
 * partial choice (Nemhauser and Ullmann, "Discrete dynamic programming and capital allocation",
 * 1969). The partial choices of a prefix that are left are in rising order of cost and of sum. Each
 * option of the next feature keeps that order, so the next prefix is a merge of as many lists as the
 * feature has options. What can no longer reach 0, or must cost more than another that is completed
 * by the largest gains, is left out. In a minimal change set all members together may gain less than
 * one of them gives up, so most have one option left, and what they cost needs no search.
 *
 * Where one of several sums has to reach 0, the largest margin is that of one of them: each is raised
 * by itself.
 *
 * Cost and move are one number of 128 bits, cost above: sums of each are below 2^62, so sums of both
 * compare as pairs. */
#include "choose.h"

#include <assert.h>
#include <string.h>

#include "memory.h"
#include "try.h"

/* ------------------------------------------------------------------ life cycle --------------- */

static uint64_t n_values(const symcf_chooser *c)
{
	return c->value_offset[c->n];
}

static uint32_t most_values(const symcf_chooser *c)
{
	uint32_t most = 1;
	for (uint32_t j = 0; j < c->n; j++) {
		const uint32_t d = c->value_offset[j + 1] - c->value_offset[j];
		most = d > most ? d : most;
	}
	return most;
}

static symcf_status allocate(symcf_chooser *c)
{
	const uint64_t n = c->n, lines = c->n_lines ? c->n_lines : 1;
	c->line = symcf_allocate(lines, sizeof *c->line);
	c->shift = symcf_allocate(lines, sizeof *c->shift);
	c->total = symcf_allocate(lines, sizeof *c->total);
	c->front = symcf_allocate(lines * n_values(c), sizeof *c->front);
	c->front_size = symcf_allocate(lines * n, sizeof *c->front_size);
	c->rest = symcf_allocate(n + 1, sizeof *c->rest);
	c->open = symcf_allocate(n, sizeof *c->open);
	c->level = symcf_allocate(n + 2, sizeof *c->level);
	c->head = symcf_allocate(most_values(c), sizeof *c->head);
	c->names = symcf_allocate(n, sizeof *c->names);
	c->other = symcf_allocate(3 * n, sizeof *c->other);
	c->best = symcf_allocate(n, sizeof *c->best);
	c->rank = symcf_allocate(n, sizeof *c->rank);
	c->level_of = symcf_allocate(n, sizeof *c->level_of);
	c->feature = symcf_allocate(n, sizeof *c->feature);
	c->stamp = symcf_allocate_zeroed(c->aim.d ? c->aim.d->n_nodes : 1, sizeof *c->stamp);
	return c->line && c->shift && c->total && c->front && c->front_size && c->rest && c->open &&
	               c->level && c->head && c->names && c->other && c->best && c->rank &&
	               c->level_of && c->feature && c->stamp
			   ? SYMCF_OK
			   : symcf_no_memory();
}

symcf_status symcf_chooser_open(const symcf_aim *aim, uint32_t n, const uint32_t *value_offset,
                                symcf_chooser **out)
{
	symcf_chooser *c = symcf_allocate_zeroed(1, sizeof *c);
	if (!c)
		return symcf_no_memory();
	c->aim = *aim;
	c->n = n;
	c->value_offset = value_offset;
	c->sign = aim->fall ? -1 : 1;
	for (uint32_t i = 0; !aim->d && i < aim->n_functions; i++)
		c->n_lines += aim->t[i] != NULL;
	const symcf_status status = allocate(c);
	if (status) {
		symcf_chooser_free(c);
		return status;
	}
	uint32_t r = 0;
	for (uint32_t i = 0; !aim->d && i < aim->n_functions; i++)
		if (aim->t[i]) {
			c->shift[r] = aim->shift ? aim->shift[i] : 0;
			c->line[r++] = aim->t[i];
		}
	c->other_slot = c->other + n;
	c->other_name = c->other_slot + n;
	for (uint32_t k = 0; aim->d && k < n; k++) {
		c->level_of[aim->d->order[k]] = k;
		c->rank[k] = UINT32_MAX;
	}
	*out = c;
	return SYMCF_OK;
}

void symcf_chooser_free(symcf_chooser *c)
{
	if (!c)
		return;
	symcf_free(c->line);
	symcf_free(c->shift);
	symcf_free(c->total);
	symcf_free(c->front);
	symcf_free(c->front_size);
	symcf_free(c->rest);
	symcf_free(c->open);
	symcf_free(c->state);
	symcf_free(c->level);
	symcf_free(c->head);
	symcf_free(c->names);
	symcf_free(c->other);
	symcf_free(c->best);
	symcf_free(c->rank);
	symcf_free(c->level_of);
	symcf_free(c->feature);
	symcf_free(c->stamp);
	symcf_free(c->place);
	symcf_free(c->place_names);
	symcf_free(c);
}

void symcf_chooser_reset(symcf_chooser *c, const uint32_t *x, const symcf_options *options)
{
	c->x = x;
	c->options = *options;
	for (uint32_t r = 0; r < c->n_lines; r++) {
		const int64_t score = symcf_threshold_score(c->line[r], x);
		c->total[r] = c->sign > 0 ? score : -score - 1;
	}
	memset(c->front_size, 0xFF, (uint64_t)c->n_lines * c->n * sizeof *c->front_size);
}

/* --------------------------------------------------------------------- options --------------- */

bool symcf_choose_is_allowed(const symcf_chooser *c, uint32_t j, uint32_t v)
{
	return c->options.cost[c->value_offset[j] + v] >= 0;
}

choose_option symcf_choose_option_of(const symcf_chooser *c, uint32_t line, uint32_t j, uint32_t v)
{
	const uint32_t at = c->value_offset[j] + v;
	const int64_t move = c->options.move ? c->options.move[at] : 0;
	return (choose_option){
		.unit = ((choose_unit)c->options.cost[at] << 64) + move,
		.gain = c->n_lines ? c->sign * c->line[line]->weight[at] : 0,
		.code = v,
		.name = c->options.name ? c->options.name[at] : v,
	};
}

static bool comes_before(const choose_option *a, const choose_option *b)
{
	if (a->unit != b->unit)
		return a->unit < b->unit;
	return a->gain != b->gain ? a->gain > b->gain : a->name < b->name;
}

const choose_option *symcf_choose_front(symcf_chooser *c, uint32_t line, uint32_t j,
                                        uint32_t *count)
{
	const uint32_t d = c->value_offset[j + 1] - c->value_offset[j];
	choose_option *front = c->front + line * n_values(c) + c->value_offset[j];
	uint32_t *size = &c->front_size[(uint64_t)line * c->n + j];
	if (*size == UINT32_MAX) {
		const int64_t own = c->sign * c->line[line]->weight[c->value_offset[j] + c->x[j]];
		uint32_t used = 0, kept = 0;
		for (uint32_t v = 0; v < d; v++) {
			if (!symcf_choose_is_allowed(c, j, v))
				continue;
			choose_option option = symcf_choose_option_of(c, line, j, v);
			option.gain -= own;
			uint32_t at = used++;
			for (; at && comes_before(&option, &front[at - 1]); at--)
				front[at] = front[at - 1];
			front[at] = option;
		}
		for (uint32_t i = 0; i < used; i++)
			if (!kept || front[i].gain > front[kept - 1].gain)
				front[kept++] = front[i];
		*size = kept;
	}
	*count = *size;
	return front;
}

/* ------------------------------------------------------------------- one line ---------------- */

/* What is left of a set: `slack` is how much less than their largest gains its members may gain in all,
 * so options that fall short by more are no options. Each member takes the cheapest one left; those
 * with others to choose from are remembered in c->open. With only these, the largest gains included,
 * the line lacks c->missing.
 * ensures: false if a feature has no option, or the largest gains do not suffice; *fits if the
 * cheapest values will do. Of equally dear options only that of the largest gain is in a front, so
 * then they are the best choice, *unit and *total theirs. */
static bool narrow(symcf_chooser *c, uint32_t line, const uint32_t *features, uint32_t size,
                   uint32_t *names, choose_unit *unit, int64_t *total, bool *fits)
{
	uint32_t count;
	int64_t slack = c->total[line], short_of = 0;
	for (uint32_t i = 0; i < size; i++) {
		const choose_option *front = symcf_choose_front(c, line, features[i], &count);
		if (!count)
			return false;
		slack += front[count - 1].gain;
	}
	if (slack < 0)
		return false;
	*unit = 0;
	c->n_open = 0;
	c->missing = -slack;
	for (uint32_t i = 0; i < size; i++) {
		const choose_option *front = symcf_choose_front(c, line, features[i], &count);
		const int64_t most = front[count - 1].gain;
		while (most - front->gain > slack) {
			front++;
			count--;
		}
		*unit += front->unit;
		short_of += most - front->gain;
		if (names)
			names[i] = front->name;
		if (count > 1) {
			c->open[c->n_open++] = (choose_open){front, count, i};
			c->missing += most;
		}
	}
	*total = slack - short_of;
	*fits = short_of <= slack;
	return true;
}

/* Fills c->rest. */
static void find_rest(symcf_chooser *c)
{
	c->rest[c->n_open] = (choose_rest){0};
	for (uint32_t i = c->n_open; i-- > 0;) {
		const choose_option *first = c->open[i].front, *last = first + c->open[i].count - 1;
		c->rest[i] =
			(choose_rest){c->rest[i + 1].cheapest + first->unit,
			              c->rest[i + 1].dearest + last->unit, c->rest[i + 1].most + last->gain};
	}
}

/* Does state a, extended by a value, have smaller codes than state b? The first feature in which they
 * differ decides, and that is the last difference met on the way back. */
static bool has_smaller_names(const symcf_chooser *c, uint32_t a, uint32_t name_a, uint32_t b,
                              uint32_t name_b)
{
	bool smaller = name_a < name_b;
	for (; a != b; a = c->state[a].parent, b = c->state[b].parent)
		if (c->state[a].name != c->state[b].name)
			smaller = c->state[a].name < c->state[b].name;
	return smaller;
}

/* The next state of the merge: the option whose head is first by (unit, missing, codes).
 * ensures: `count` if no list has more. */
static uint32_t first_head(const symcf_chooser *c, const choose_option *front, uint32_t count,
                           uint64_t end)
{
	uint32_t first = count;
	choose_unit unit = 0;
	int64_t missing = 0;
	for (uint32_t o = 0; o < count; o++) {
		if (c->head[o] == end)
			continue;
		const choose_state *s = &c->state[c->head[o]];
		const choose_unit its_unit = s->unit + front[o].unit;
		const int64_t its_missing = s->missing - front[o].gain;
		if (first == count || its_unit < unit || (its_unit == unit && its_missing < missing) ||
		    (its_unit == unit && its_missing == missing &&
		     has_smaller_names(c, c->head[o], front[o].name, c->head[first], front[first].name))) {
			first = o;
			unit = its_unit;
			missing = its_missing;
		}
	}
	return first;
}

/* The states of the prefix that is one feature longer than that of level i. The last one is made only
 * as far as the first state, which is the best choice. */
static symcf_status extend(symcf_chooser *c, const choose_option *front, uint32_t count, uint32_t i,
                           bool last, symcf_control *control)
{
	const uint64_t end = c->level[i + 1];
	const choose_rest rest = c->rest[i + 1];
	uint64_t made = end;
	choose_unit enough = 0;
	for (uint32_t o = 0; o < count; o++)
		c->head[o] = (uint32_t)c->level[i];
	for (uint32_t o; (o = first_head(c, front, count, end)) < count;) {
		const uint32_t from = c->head[o]++;
		const choose_state next = {c->state[from].unit + front[o].unit,
		                           c->state[from].missing - front[o].gain, from, front[o].name};
		TRY(symcf_tick(control, 4 * count));
		if (next.missing > rest.most || (made > end && next.missing >= c->state[made - 1].missing))
			continue;
		if (made == end)
			enough = next.unit + rest.dearest;
		else if (next.unit + rest.cheapest > enough)
			break;
		if (made >= UINT32_MAX)
			return SYMCF_LIMIT_MEMORY;
		if (!symcf_grow(&c->state, &c->cap_state, made + 1, sizeof *c->state))
			return symcf_no_memory();
		c->state[made++] = next;
		if (last)
			break;
	}
	c->level[i + 2] = made;
	assert(made > end); /* the largest gains suffice */
	return SYMCF_OK;
}

/* ensures: SYMCF_INVALID if the line cannot be raised to 0. names: may be NULL. */
symcf_status symcf_choose_raise(symcf_chooser *c, uint32_t line, const uint32_t *features,
                                uint32_t size, symcf_control *control, uint32_t *names,
                                choose_unit *unit, int64_t *total)
{
	bool fits;
	if (!narrow(c, line, features, size, names, unit, total, &fits))
		return SYMCF_INVALID;
	if (fits)
		return SYMCF_OK;
	if (!symcf_grow(&c->state, &c->cap_state, 1, sizeof *c->state))
		return symcf_no_memory();
	find_rest(c);
	c->state[0] = (choose_state){0, c->missing, 0, 0};
	c->level[0] = 0;
	c->level[1] = 1;
	for (uint32_t i = 0; i < c->n_open; i++)
		TRY(extend(c, c->open[i].front, c->open[i].count, i, i + 1 == c->n_open, control));
	uint32_t at = (uint32_t)c->level[c->n_open];
	*unit += c->state[at].unit - c->rest[0].cheapest;
	*total = -c->state[at].missing;
	for (uint32_t i = c->n_open; names && i-- > 0; at = c->state[at].parent)
		names[c->open[i].slot] = c->state[at].name;
	return SYMCF_OK;
}

symcf_status symcf_choose_line(symcf_chooser *c, uint32_t line, const uint32_t *features,
                               uint32_t size, symcf_control *control, uint32_t *names,
                               choose_unit *unit)
{
	int64_t total;
	return symcf_choose_raise(c, line, features, size, control, names, unit, &total);
}

static int compare_names(const uint32_t *a, const uint32_t *b, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static symcf_status raise_any(symcf_chooser *c, const uint32_t *features, uint32_t size,
                              symcf_control *control, uint32_t *names, choose_unit *unit)
{
	bool any = false;
	choose_unit its_unit;
	int64_t total, margin = 0;
	for (uint32_t r = 0; r < c->n_lines; r++) {
		const symcf_status status =
			symcf_choose_raise(c, r, features, size, control, c->names, &its_unit, &total);
		if (status == SYMCF_INVALID)
			continue;
		if (status)
			return status;
		const int64_t its_margin = total + c->shift[r];
		if (any && (its_unit > *unit || (its_unit == *unit && its_margin < margin)))
			continue;
		if (any && its_unit == *unit && its_margin == margin &&
		    compare_names(c->names, names, size) >= 0)
			continue;
		any = true;
		*unit = its_unit;
		margin = its_margin;
		if (size)
			memcpy(names, c->names, size * sizeof *names);
	}
	return any ? SYMCF_OK : SYMCF_INVALID;
}

/* ------------------------------------------------------------------- the choice -------------- */

symcf_status symcf_choose(symcf_chooser *c, const uint32_t *features, uint32_t size,
                          symcf_control *control, uint32_t *names, int64_t *cost)
{
	choose_unit unit = 0;
	uint32_t *to = names ? names : c->best;
	symcf_status status;
	int64_t total;
	if (c->aim.d)
		status = symcf_choose_path(c, features, size, control, to, &unit);
	else if (c->aim.every && c->n_lines != 1)
		status = symcf_choose_for_all(c, features, size, control, to, &unit);
	else if (c->aim.relation)
		status = symcf_choose_within(c, features, size, control, to, &unit);
	else if (c->n_lines == 1)
		status = symcf_choose_raise(c, 0, features, size, control, names, &unit, &total);
	else
		status = raise_any(c, features, size, control, to, &unit);
	if (!status)
		*cost = (int64_t)(unit >> 64);
	return status;
}
