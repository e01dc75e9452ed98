/* compile.c: threshold function -> reduced ordered decision diagram, by sorted merges.
 *
 * Problem. Shift each feature's weights so that the smallest is 0; then f(x) = 1 iff the sum of
 * the shifted weights delta reaches a threshold T. After the first k features (in diagram order)
 * have been read, what is left to decide is "does the rest sum to at least t?", for the threshold
 * t that remains. Different t may ask the same: all t between two consecutive sums of the suffix
 * do. (Chan and Darwiche, UAI 2003, compile naive Bayes classifiers this way; Abio et al., JAIR
 * 2012, pseudo-Boolean constraints.)
 *
 * Idea. The textbook way recurses from the top and looks each t up among the intervals known so
 * far. We never look up anything, but merge sorted arrays from both ends:
 *
 *     reach[0] = {T},  reach[k+1] = union over values v of  reach[k] - delta[k][v]
 *     sums[n]  = {0},  sums[k]    = union over values v of  sums[k+1] + delta[k][v]
 *
 * reach[k], clipped to the thresholds that the suffix leaves open (0 < t <= largest sum), are the
 * questions asked at level k; the elements of sums[k] are where the answers change. The smaller of
 * the two grows until they meet at some level m, so neither reaches its exponential end.
 *
 *   - From m downwards a *state* is an element b > 0 of sums[k]: it stands for all t in the gap
 *     that ends at b. Different states are different functions by construction.
 *   - From m upwards a state is an element of reach[k]. Two may be the same function, but f falls
 *     as t rises, so equal ones are neighbours, and have the same children.
 *
 * Children of ascending states ascend too: one pointer per value walks along the level below. All
 * access is sequential. A state whose children are all the same is no node, it is its child.
 */
#include <assert.h>
#include <string.h>

#include "diagram.h"
#include "memory.h"

/* What a level adds to the sum, each different amount once. */
typedef struct level {
	uint32_t arity;     /* values of the feature                      */
	uint32_t n_steps;   /* different amounts                          */
	int64_t *step;      /* the amounts, ascending, the first is 0     */
	uint32_t *of_value; /* value -> index into step                  */
} level;

/* The states of a level. id is the node each becomes, once known. */
typedef struct states {
	int64_t *at;
	uint32_t *id;
	uint64_t count;
} states;

static const uint32_t UNUSED = UINT32_MAX;

typedef struct compiler {
	uint32_t n;
	symcf_control *control;
	uint64_t held; /* bytes, as far as they grow with the diagram   */
	level *levels; /* n                                             */
	int64_t *rest; /* n + 1: the largest sum of the levels from k   */
	states *reach; /* 0 .. meet                                     */
	states *sums;  /* meet .. n                                     */
	uint32_t meet;
	int64_t threshold; /* T */
	/* the diagram that grows */
	uint32_t n_nodes;
	uint64_t n_children;
	uint32_t *node_level;
	uint32_t *child;
	uint64_t cap_nodes, cap_children;
	uint32_t *kids; /* two scratch rows of child ids, by step, as long as the widest level */
	uint64_t *walk; /* one pointer per step */
	uint32_t widest;
} compiler;

/* Intermediate states allowed per node of the budget: they are not nodes, but they take memory. */
enum { STATES_PER_NODE = 16 };

/* ------------------------------------------------------------------- budget ------------------ */

static symcf_status charge(compiler *c, uint64_t entries, size_t size)
{
	symcf_control *control = c->control;
	if (!control)
		return SYMCF_OK;
	if (entries > (UINT64_MAX >> 8) / size)
		return SYMCF_LIMIT_MEMORY;
	const uint64_t held = c->held + entries * size;
	if (control->max_memory && held > control->max_memory)
		return SYMCF_LIMIT_MEMORY;
	c->held = held;
	control->memory = held > control->memory ? held : control->memory;
	return SYMCF_OK;
}

static void refund(compiler *c, uint64_t entries, size_t size)
{
	c->held -= c->control ? entries * size : 0;
}

static symcf_status check_states(const compiler *c, uint64_t count)
{
	const symcf_control *control = c->control;
	if (control && control->max_nodes && count / STATES_PER_NODE > control->max_nodes)
		return SYMCF_LIMIT_NODES;
	return SYMCF_OK;
}

/* ------------------------------------------------------------------- merges ------------------ */

/* A sorted run, seen through a shift. */
typedef struct run {
	const int64_t *at;
	uint64_t count;
	int64_t shift;
} run;

/* Merges two runs to out, each value once, only those in low < value <= high.
 * ensures: *count values were written. */
static symcf_status merge(run a, run b, int64_t low, int64_t high, symcf_control *control,
                          int64_t *out, uint64_t *count)
{
	enum { BLOCK = 1 << 15 };
	uint64_t i = 0, j = 0, written = 0;
	while (i < a.count && a.at[i] + a.shift <= low)
		i++;
	while (j < b.count && b.at[j] + b.shift <= low)
		j++;
	for (uint64_t step = 1; i < a.count || j < b.count; step++) {
		const int64_t left = i < a.count ? a.at[i] + a.shift : INT64_MAX;
		const int64_t right = j < b.count ? b.at[j] + b.shift : INT64_MAX;
		const int64_t next = left < right ? left : right;
		if (next > high)
			break;
		i += left == next;
		j += right == next;
		out[written++] = next;
		if (step % BLOCK == 0) {
			const symcf_status status = symcf_tick(control, 2 * BLOCK);
			if (status)
				return status;
		}
	}
	*count = written;
	return SYMCF_OK;
}

/* Merges base shifted by sign * step[v] for v in [first, last): a balanced tree of two-way merges,
 * as deep as the logarithm of the number of steps. ensures: *out is a fresh exact array. */
static symcf_status merge_steps(compiler *c, const states *base, const level *l, int sign,
                                uint32_t first, uint32_t last, int64_t low, int64_t high,
                                int64_t **out, uint64_t *count)
{
	run runs[2];
	int64_t *owned[2] = {NULL, NULL};
	symcf_status status = SYMCF_OK;
	const uint32_t middle = first + (last - first + 1) / 2;
	const uint32_t bound[3] = {first, middle, last};
	for (int half = 0; half < 2 && !status; half++) {
		const uint32_t from = bound[half], to = bound[half + 1];
		runs[half] = (run){base->at, to > from ? base->count : 0, 0};
		if (to - from == 1) {
			runs[half].shift = sign * l->step[from];
		} else if (to > from) {
			status =
				merge_steps(c, base, l, sign, from, to, low, high, &owned[half], &runs[half].count);
			runs[half].at = owned[half];
		}
	}
	const uint64_t room = status ? 0 : runs[0].count + runs[1].count;
	int64_t *merged = NULL;
	if (!status && !(status = check_states(c, room)) &&
	    !(status = charge(c, room, sizeof *merged))) {
		if (!(merged = symcf_allocate(room, sizeof *merged)))
			status = symcf_no_memory();
		else
			status = merge(runs[0], runs[1], low, high, c->control, merged, count);
	}
	for (int half = 0; half < 2; half++)
		if (owned[half]) {
			refund(c, runs[half].count, sizeof **owned);
			symcf_free(owned[half]);
		}
	if (status) {
		symcf_free(merged);
		return status;
	}
	int64_t *exact = symcf_resize(merged, *count, sizeof *merged);
	*out = exact ? exact : merged;
	refund(c, room - *count, sizeof *merged);
	return SYMCF_OK;
}

static symcf_status grow_states(compiler *c, const states *base, uint32_t k, int sign, int64_t low,
                                int64_t high, states *out)
{
	const level *l = &c->levels[k];
	const symcf_status status =
		merge_steps(c, base, l, sign, 0, l->n_steps, low, high, &out->at, &out->count);
	if (!status && c->control)
		c->control->level++;
	return status;
}

/* ------------------------------------------------------------- the two ends meet ------------- */

static symcf_status single_state(compiler *c, states *s, int64_t at)
{
	const symcf_status status = charge(c, 1, sizeof *s->at);
	if (status)
		return status;
	if (!(s->at = symcf_allocate(1, sizeof *s->at)))
		return symcf_no_memory();
	s->at[0] = at;
	s->count = 1;
	return SYMCF_OK;
}

static symcf_status meet_in_the_middle(compiler *c)
{
	uint32_t top = 0, bottom = c->n;
	symcf_status status = single_state(c, &c->reach[0], c->threshold);
	if (!status)
		status = single_state(c, &c->sums[c->n], 0);
	while (!status && top < bottom) {
		if (c->reach[top].count <= c->sums[bottom].count) {
			status =
				grow_states(c, &c->reach[top], top, -1, 0, c->rest[top + 1], &c->reach[top + 1]);
			top++;
		} else {
			bottom--;
			status = grow_states(c, &c->sums[bottom + 1], bottom, +1, -1, INT64_MAX - 1,
			                     &c->sums[bottom]);
		}
	}
	c->meet = top;
	return status;
}

static symcf_status allocate_ids(compiler *c, states *s)
{
	const symcf_status status = charge(c, s->count, sizeof *s->id);
	if (status)
		return status;
	if (!(s->id = symcf_allocate(s->count, sizeof *s->id)))
		return symcf_no_memory();
	memset(s->id, 0xFF, s->count * sizeof *s->id); /* UNUSED */
	return SYMCF_OK;
}

/* ----------------------------------------------------------------- walking ------------------- */

/* For a state with threshold t at level k: where does the question go after step v?
 * ensures: 1 or 0 if it is decided (through *sink, returning NULL), else the state in `below`
 * that answers it. The pointers of `walk` only move forward. */
static uint32_t *child_slot(compiler *c, uint32_t k, int64_t t, uint32_t v, states *below,
                            uint32_t *sink)
{
	const int64_t remaining = t - c->levels[k].step[v];
	if (remaining <= 0 || remaining > c->rest[k + 1]) {
		*sink = remaining <= 0;
		return NULL;
	}
	uint64_t i = c->walk[v];
	while (below->at[i] < remaining)
		i++;
	assert(i < below->count);
	c->walk[v] = i;
	return &below->id[i];
}

static void restart_walk(compiler *c)
{
	memset(c->walk, 0, c->widest * sizeof *c->walk);
}

/* Marks the states of sums[k+1] that used states of sums[k] lead to; any id but UNUSED will do. */
static symcf_status mark_below(compiler *c, uint32_t k)
{
	states *here = &c->sums[k], *below = &c->sums[k + 1];
	const uint32_t n_steps = c->levels[k].n_steps;
	restart_walk(c);
	for (uint64_t i = 0; i < here->count; i++) {
		if (here->id[i] == UNUSED)
			continue;
		for (uint32_t v = 0; v < n_steps; v++) {
			uint32_t sink, *slot = child_slot(c, k, here->at[i], v, below, &sink);
			if (slot)
				*slot = 0;
		}
		const symcf_status status = symcf_tick(c->control, 3 * n_steps);
		if (status)
			return status;
	}
	return SYMCF_OK;
}

/* Marks the states of sums[meet] that answer the questions of reach[meet]. */
static void mark_meeting(compiler *c)
{
	const states *asked = &c->reach[c->meet];
	states *answers = &c->sums[c->meet];
	uint64_t i = 0;
	for (uint64_t q = 0; q < asked->count; q++) {
		while (answers->at[i] < asked->at[q])
			i++;
		answers->id[i] = 0;
	}
}

static void adopt_meeting(compiler *c)
{
	states *asked = &c->reach[c->meet];
	const states *answers = &c->sums[c->meet];
	uint64_t i = 0;
	for (uint64_t q = 0; q < asked->count; q++) {
		while (answers->at[i] < asked->at[q])
			i++;
		asked->id[q] = answers->id[i];
	}
}

/* ------------------------------------------------------------------- nodes ------------------- */

static symcf_status reserve(compiler *c, void *array, uint64_t *capacity, uint64_t needed)
{
	const uint64_t before = *capacity;
	if (needed <= before)
		return SYMCF_OK;
	if (!symcf_grow(array, capacity, needed, sizeof(uint32_t)))
		return symcf_no_memory();
	return charge(c, *capacity - before, sizeof(uint32_t));
}

/* Appends the node at level k whose children, by step, are kids. */
static symcf_status new_node(compiler *c, uint32_t k, const uint32_t *kids, uint32_t *id)
{
	const level *l = &c->levels[k];
	symcf_control *control = c->control;
	if (control) {
		if (control->max_nodes && c->n_nodes - 2 >= control->max_nodes)
			return SYMCF_LIMIT_NODES;
		control->nodes = c->n_nodes - 1;
	}
	if (c->n_nodes >= UNUSED - 1)
		return SYMCF_OVERFLOW;
	symcf_status status = reserve(c, &c->node_level, &c->cap_nodes, (uint64_t)c->n_nodes + 1);
	if (!status)
		status = reserve(c, &c->child, &c->cap_children, c->n_children + l->arity);
	if (status)
		return status;
	c->node_level[c->n_nodes] = k;
	for (uint32_t v = 0; v < l->arity; v++)
		c->child[c->n_children++] = kids[l->of_value[v]];
	*id = c->n_nodes++;
	return SYMCF_OK;
}

static bool all_same(const uint32_t *kids, uint32_t count)
{
	for (uint32_t v = 1; v < count; v++)
		if (kids[v] != kids[0])
			return false;
	return true;
}

/* Gives every used state of level k its node. Neighbours with the same children share it. */
static symcf_status build_level(compiler *c, uint32_t k, states *here, states *below)
{
	const uint32_t n_steps = c->levels[k].n_steps;
	uint32_t *kids = c->kids, *previous = c->kids + c->widest, last = UNUSED;
	restart_walk(c);
	for (uint64_t i = 0; i < here->count; i++) {
		if (here->id[i] == UNUSED)
			continue;
		for (uint32_t v = 0; v < n_steps; v++) {
			uint32_t sink = 0;
			const uint32_t *slot = child_slot(c, k, here->at[i], v, below, &sink);
			kids[v] = slot ? *slot : sink;
			assert(kids[v] != UNUSED);
		}
		symcf_status status = symcf_tick(c->control, 5 * n_steps + 10);
		if (!status && (last == UNUSED || memcmp(kids, previous, n_steps * sizeof *kids))) {
			if (all_same(kids, n_steps))
				last = kids[0];
			else
				status = new_node(c, k, kids, &last);
			uint32_t *swap = previous;
			previous = kids;
			kids = swap;
		}
		if (status)
			return status;
		here->id[i] = last;
	}
	return SYMCF_OK;
}

static void drop_states(compiler *c, states *s)
{
	refund(c, s->count, (s->at ? sizeof *s->at : 0) + (s->id ? sizeof *s->id : 0));
	symcf_free(s->at);
	symcf_free(s->id);
	*s = (states){0};
}

/* Marks what is used from the meeting level down, then builds from the bottom up. */
static symcf_status build(compiler *c)
{
	symcf_status status = SYMCF_OK;
	for (uint32_t k = c->meet; k <= c->n && !status; k++)
		status = allocate_ids(c, &c->sums[k]);
	if (status)
		return status;
	mark_meeting(c);
	for (uint32_t k = c->meet; k < c->n && !status; k++)
		status = mark_below(c, k);
	for (uint32_t k = c->n; k-- > c->meet && !status;) {
		status = build_level(c, k, &c->sums[k], &c->sums[k + 1]);
		drop_states(c, &c->sums[k + 1]);
	}
	if (!status && !(status = allocate_ids(c, &c->reach[c->meet])))
		adopt_meeting(c);
	for (uint32_t k = c->meet; k-- > 0 && !status;) {
		status = allocate_ids(c, &c->reach[k]);
		if (status)
			break;
		memset(c->reach[k].id, 0, c->reach[k].count * sizeof *c->reach[k].id); /* all used */
		status = build_level(c, k, &c->reach[k], &c->reach[k + 1]);
		drop_states(c, &c->reach[k + 1]);
	}
	return status;
}

/* ------------------------------------------------------------- set up, hand over ------------- */

static bool is_less(const int64_t *a, const int64_t *b, void *unused)
{
	(void)unused;
	return *a < *b;
}

#define SORT_NAME sort_steps
#define SORT_TYPE int64_t
#define SORT_BEFORE is_less
#include "sort.h"

/* The place of a step among ascending ones. requires: it is one of them. */
static uint32_t place_of(const int64_t *step, uint32_t count, int64_t wanted)
{
	uint32_t first = 0;
	while (count > 1) {
		const uint32_t half = count / 2;
		first += step[first + half] <= wanted ? half : 0;
		count -= half;
	}
	return first;
}

/* The weights of a feature, shifted to start at 0. ensures: *lowest is what was taken away. */
static symcf_status prepare_level(const symcf_threshold *t, uint32_t feature, level *l,
                                  int64_t *lowest)
{
	const int64_t *weight = t->weight + t->value_offset[feature];
	l->arity = t->value_offset[feature + 1] - t->value_offset[feature];
	l->step = symcf_allocate(2 * (uint64_t)l->arity, sizeof *l->step); /* half of it for sorting */
	l->of_value = symcf_allocate(l->arity, sizeof *l->of_value);
	if (!l->step || !l->of_value)
		return symcf_no_memory();
	memcpy(l->step, weight, l->arity * sizeof *weight);
	sort_steps(l->step, l->step + l->arity, l->arity, NULL, NULL);
	*lowest = l->step[0];
	for (uint32_t v = 0; v < l->arity; v++) {
		const int64_t step = l->step[v] - *lowest;
		if (!l->n_steps || l->step[l->n_steps - 1] != step)
			l->step[l->n_steps++] = step;
	}
	for (uint32_t v = 0; v < l->arity; v++)
		l->of_value[v] = place_of(l->step, l->n_steps, weight[v] - *lowest);
	return SYMCF_OK;
}

static symcf_status prepare(compiler *c, const symcf_threshold *t, const uint32_t *order)
{
	c->n = t->n;
	c->n_nodes = 2;
	c->levels = symcf_allocate_zeroed(c->n, sizeof *c->levels);
	c->rest = symcf_allocate_zeroed((uint64_t)c->n + 1, sizeof *c->rest);
	c->reach = symcf_allocate_zeroed((uint64_t)c->n + 1, sizeof *c->reach);
	c->sums = symcf_allocate_zeroed((uint64_t)c->n + 1, sizeof *c->sums);
	if (!c->levels || !c->rest || !c->reach || !c->sums)
		return symcf_no_memory();
	c->threshold = -t->bias;
	c->widest = 1;
	for (uint32_t k = 0; k < c->n; k++) {
		int64_t lowest;
		const symcf_status status = prepare_level(t, order[k], &c->levels[k], &lowest);
		if (status)
			return status;
		c->threshold -= lowest;
		c->widest = c->levels[k].arity > c->widest ? c->levels[k].arity : c->widest;
	}
	for (uint32_t k = c->n; k-- > 0;)
		c->rest[k] = c->rest[k + 1] + c->levels[k].step[c->levels[k].n_steps - 1];
	c->kids = symcf_allocate(2 * (uint64_t)c->widest, sizeof *c->kids);
	c->walk = symcf_allocate(c->widest, sizeof *c->walk);
	return c->kids && c->walk ? SYMCF_OK : symcf_no_memory();
}

static void dispose(compiler *c)
{
	for (uint32_t k = 0; k <= c->n && c->reach && c->sums; k++) {
		drop_states(c, &c->reach[k]);
		drop_states(c, &c->sums[k]);
	}
	for (uint32_t k = 0; k < c->n && c->levels; k++) {
		symcf_free(c->levels[k].step);
		symcf_free(c->levels[k].of_value);
	}
	symcf_free(c->levels);
	symcf_free(c->rest);
	symcf_free(c->reach);
	symcf_free(c->sums);
	symcf_free(c->node_level);
	symcf_free(c->child);
	symcf_free(c->kids);
	symcf_free(c->walk);
}

static symcf_status hand_over(compiler *c, const uint32_t *order, uint32_t root,
                              symcf_diagram **out)
{
	symcf_diagram *d = symcf_diagram_allocate(c->n, c->n_nodes, c->n_children);
	if (!d)
		return symcf_no_memory();
	d->root = root;
	for (uint32_t k = 0; k < c->n; k++) {
		d->order[k] = order[k];
		d->arity[k] = c->levels[k].arity;
	}
	if (c->n_nodes > 2) {
		memcpy(d->level + 2, c->node_level + 2, (c->n_nodes - 2) * sizeof *d->level);
		memcpy(d->child, c->child, c->n_children * sizeof *d->child);
	}
	symcf_diagram_place_children(d);
	*out = d;
	return SYMCF_OK;
}

symcf_status symcf_compile(const symcf_threshold *t, const uint32_t *order, symcf_control *control,
                           symcf_diagram **out)
{
	compiler c = {.control = control};
	symcf_status status = prepare(&c, t, order);
	if (!status && (c.threshold <= 0 || c.threshold > c.rest[0])) {
		status = hand_over(&c, order, c.threshold <= 0, out);
	} else if (!status) {
		status = meet_in_the_middle(&c);
		if (!status)
			status = build(&c);
		if (!status)
			status = hand_over(&c, order, c.reach[0].id[0], out);
	}
	dispose(&c);
	return status;
}
