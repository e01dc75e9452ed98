/* ensemble_scene.c: one row and one goal. Walks every tree from its root, narrows the ranges of the
 * features on the way, and keeps the leaves that can be reached by few enough changes. Branches that
 * no allowed value enters, or that need more changes, are never visited: of a tree with 1,500 leaves,
 * two changes reach about a hundred. */
#include "ensemble.h"

#include <assert.h>
#include <string.h>

#include "memory.h"
#include "try.h"

/* A node on the way, and what it has to undo. */
typedef struct ensemble_frame {
	uint32_t node;
	uint8_t stage; /* 0: new, 1: low was entered or skipped, 2: high */
	bool first;    /* is it the first on the way that tests its feature? */
	bool away;     /* was the feature away before? */
	ensemble_range before;
} ensemble_frame;

static void lay_out(arena *a, ensemble_scene *s)
{
	const symcf_ensemble *e = s->e;
	const uint64_t values = e->value_offset[e->n];
	s->place = symcf_arena_take(a, e->n, sizeof *s->place);
	s->may = symcf_arena_take(a, e->n, sizeof *s->may);
	s->now = symcf_arena_take(a, e->n, sizeof *s->now);
	s->touched = symcf_arena_take(a, e->n, sizeof *s->touched);
	s->path = symcf_arena_take(a, e->n, sizeof *s->path);
	s->class = symcf_arena_take(a, 2 * (uint64_t)e->n_classes, sizeof *s->class);
	s->base = symcf_arena_take(a, e->n_classes, sizeof *s->base);
	s->start = symcf_arena_take(a, (uint64_t)e->n_trees + 1, sizeof *s->start);
	s->ends = symcf_arena_take(a, 2 * values, sizeof *s->ends);
}

symcf_status symcf_ensemble_scene_open(const symcf_ensemble *e, ensemble_scene *s)
{
	*s = (ensemble_scene){.e = e};
	lay_out(&s->arena, s);
	TRY(symcf_arena_open(&s->arena));
	lay_out(&s->arena, s);
	memset(s->touched, 0, e->n);
	return SYMCF_OK;
}

void symcf_ensemble_scene_close(ensemble_scene *s)
{
	symcf_arena_close(&s->arena);
	symcf_free(s->leaves);
	symcf_free(s->value);
	symcf_free(s->conditions);
	symcf_free(s->frames);
	*s = (ensemble_scene){0};
}

uint64_t symcf_ensemble_scene_bytes(const ensemble_scene *s)
{
	return s->cap_leaves * sizeof *s->leaves + s->cap_values * sizeof *s->value +
	       s->cap_conditions * sizeof *s->conditions;
}

/* ---------------------------------------------------------------- the question --------------- */

static void add_column(ensemble_scene *s, uint32_t leader, uint32_t other)
{
	s->class[2 * s->n_columns] = leader;
	s->class[2 * s->n_columns + 1] = other;
	s->base[s->n_columns] = ensemble_wins_ties(s->e, leader, other) ? 0 : -1;
	s->n_columns++;
}

static void set_columns(ensemble_scene *s, uint32_t k, uint32_t sink)
{
	s->n_columns = 0;
	s->all = sink == 1;
	for (uint32_t r = 0; r < s->e->n_classes; r++)
		if (r != k)
			add_column(s, sink ? k : r, sink ? r : k);
}

/* The allowed places of feature j, the row's own among them. */
static void set_allowed(ensemble_scene *s, const symcf_query *q, uint32_t j)
{
	const symcf_ensemble *e = s->e;
	const uint32_t at = e->value_offset[j], line = e->n_line[j];
	const uint32_t *code = e->code + at;
	uint32_t *next = s->next + at, *last = s->last + at;
	ensemble_range may = {0, line, 0};
	for (uint32_t b = 0; b < e->n_special[j]; b++)
		if (q->allowed[at + code[line + b]] || code[line + b] == q->x[j])
			may.special |= UINT64_C(1) << b;
	uint32_t seen = UINT32_MAX; /* such that last + 1 is 0 */
	for (uint32_t p = 0; p < line; p++) {
		if (q->allowed[at + code[p]] || code[p] == q->x[j])
			seen = p;
		last[p] = seen;
	}
	may.high = seen + 1;
	seen = line;
	for (uint32_t p = line; p-- > 0;) {
		if (q->allowed[at + code[p]] || code[p] == q->x[j])
			seen = p;
		next[p] = seen;
	}
	may.low = seen;
	if (may.low >= may.high)
		may.low = may.high = 0;
	s->may[j] = may;
}

static void set_row(ensemble_scene *s, const symcf_query *q)
{
	const symcf_ensemble *e = s->e;
	s->next = q->allowed ? s->ends : NULL;
	s->last = q->allowed ? s->ends + e->value_offset[e->n] : NULL;
	for (uint32_t j = 0; j < e->n; j++) {
		s->place[j] = e->place[e->value_offset[j] + q->x[j]];
		if (q->allowed)
			set_allowed(s, q, j);
		else
			s->may[j] = ensemble_whole(e, j);
		s->now[j] = s->may[j];
	}
}

/* -------------------------------------------------------------------- the walk --------------- */

typedef struct walk {
	ensemble_scene *s;
	uint32_t tree;   /* of the scene                     */
	uint32_t n_path; /* features tested on the way       */
	uint32_t n_away;
	uint64_t depth; /* frames in use                    */
} walk;

static symcf_status add_leaf(walk *w, const ensemble_node *u)
{
	ensemble_scene *s = w->s;
	const int64_t *score = s->e->score + (uint64_t)u->low * s->e->n_classes;
	if (!symcf_grow(&s->leaves, &s->cap_leaves, s->n_leaves + 1, sizeof *s->leaves) ||
	    !symcf_grow(&s->value, &s->cap_values, (s->n_leaves + 1) * s->n_columns,
	                sizeof *s->value) ||
	    !symcf_grow(&s->conditions, &s->cap_conditions, s->n_conditions + w->n_path,
	                sizeof *s->conditions))
		return symcf_no_memory();
	ensemble_condition *made = s->conditions + s->n_conditions;
	uint32_t away = 0, count = 0;
	for (uint32_t i = 0; i < w->n_path; i++) {
		const uint32_t j = s->path[i];
		if (ensemble_same(s->now[j], s->may[j]))
			continue;
		made[count] = (ensemble_condition){j, s->now[j]};
		if (!ensemble_holds(s->now[j], s->place[j])) { /* to the front */
			const ensemble_condition other = made[away];
			made[away++] = made[count];
			made[count] = other;
		}
		count++;
	}
	/* made[away] may have been overwritten by itself: count > away then */
	assert(away == w->n_away);
	s->leaves[s->n_leaves] = (ensemble_leaf){w->tree, away, count, s->n_conditions};
	for (uint32_t c = 0; c < s->n_columns; c++)
		s->value[s->n_leaves * s->n_columns + c] =
			score[s->class[2 * c]] - score[s->class[2 * c + 1]];
	s->n_leaves++;
	s->n_conditions += count;
	return SYMCF_OK;
}

/* Narrows the feature of the top frame to one side and goes there, unless that is impossible. */
static symcf_status enter(walk *w, bool low)
{
	ensemble_scene *s = w->s;
	ensemble_frame *f = &s->frames[w->depth - 1];
	const ensemble_node *u = &s->e->nodes[f->node];
	const uint32_t j = (uint32_t)u->feature;
	const ensemble_range side = low ? (ensemble_range){0, u->cut, u->special}
	                                : (ensemble_range){u->cut, s->e->n_line[j], ~u->special};
	const ensemble_range left = ensemble_trim(s, j, ensemble_meet(f->before, side));
	if (ensemble_is_empty(left))
		return SYMCF_OK;
	const bool away = !ensemble_holds(left, s->place[j]);
	if (away && !f->away && w->n_away == s->most_away)
		return SYMCF_OK;
	if (!symcf_grow(&s->frames, &s->cap_frames, w->depth + 1, sizeof *s->frames))
		return symcf_no_memory();
	f = &s->frames[w->depth - 1];
	w->n_away += away && !f->away;
	s->now[j] = left;
	s->frames[w->depth++] = (ensemble_frame){.node = low ? u->low : u->high};
	return SYMCF_OK;
}

/* Forgets what the top frame's last side was. */
static void leave(walk *w)
{
	ensemble_scene *s = w->s;
	const ensemble_frame *f = &s->frames[w->depth - 1];
	const uint32_t j = (uint32_t)s->e->nodes[f->node].feature;
	w->n_away -= !ensemble_holds(s->now[j], s->place[j]) && !f->away;
	s->now[j] = f->before;
}

/* One step of the node on top: opens it, goes low, goes high, and at last leaves it. */
static symcf_status step(walk *w)
{
	ensemble_scene *s = w->s;
	ensemble_frame *f = &s->frames[w->depth - 1];
	const ensemble_node *u = &s->e->nodes[f->node];
	if (u->feature < 0) {
		w->depth--;
		return add_leaf(w, u);
	}
	const uint32_t j = (uint32_t)u->feature;
	if (f->stage == 0) {
		f->before = s->now[j];
		f->away = !ensemble_holds(f->before, s->place[j]);
		f->first = !s->touched[j];
		if (f->first) {
			s->touched[j] = 1;
			s->path[w->n_path++] = j;
		}
	} else {
		leave(w);
	}
	if (f->stage < 2)
		return enter(w, f->stage++ == 0);
	if (f->first) {
		s->touched[j] = 0;
		w->n_path--;
	}
	w->depth--;
	return SYMCF_OK;
}

/* Are the leaves from `first` on all worth the same? */
static bool is_constant(const ensemble_scene *s, uint64_t first)
{
	const uint64_t width = s->n_columns;
	for (uint64_t i = first + 1; i < s->n_leaves; i++)
		if (memcmp(s->value + i * width, s->value + first * width, width * sizeof *s->value) != 0)
			return false;
	return true;
}

static symcf_status walk_tree(walk *w, uint32_t tree, symcf_control *control)
{
	ensemble_scene *s = w->s;
	const uint64_t first = s->n_leaves, conditions = s->n_conditions;
	symcf_status status = SYMCF_OK;
	if (!symcf_grow(&s->frames, &s->cap_frames, 1, sizeof *s->frames))
		return symcf_no_memory();
	s->frames[0] = (ensemble_frame){.node = s->e->root[tree]};
	w->depth = 1;
	w->n_path = w->n_away = 0;
	while (w->depth && !status) {
		status = step(w);
		if (!status)
			status = symcf_tick(control, 10);
	}
	if (status) { /* the path is undone for the next row */
		memset(s->touched, 0, s->e->n);
		return status;
	}
	assert(s->n_leaves > first); /* the row's own leaf */
	if (is_constant(s, first)) {
		for (uint32_t c = 0; c < s->n_columns; c++)
			s->base[c] += s->value[first * s->n_columns + c];
		s->n_leaves = first;
		s->n_conditions = conditions;
	} else {
		s->start[++s->n_trees] = s->n_leaves;
		w->tree++;
	}
	return SYMCF_OK;
}

symcf_status symcf_ensemble_scene_set(ensemble_scene *s, const symcf_query *q, uint32_t k,
                                      uint32_t sink, uint32_t most_away, symcf_control *control)
{
	walk w = {.s = s};
	set_columns(s, k, sink);
	set_row(s, q);
	s->most_away = most_away;
	s->n_leaves = s->n_conditions = 0;
	s->n_trees = 0;
	s->start[0] = 0;
	for (uint32_t t = 0; t < s->e->n_trees; t++) {
		TRY(walk_tree(&w, t, control));
		if (control && control->max_memory && symcf_ensemble_scene_bytes(s) > control->max_memory)
			return SYMCF_LIMIT_MEMORY;
	}
	return SYMCF_OK;
}

uint32_t symcf_ensemble_nearest(const ensemble_scene *s, uint32_t j, ensemble_range r)
{
	const uint32_t own = s->place[j];
	assert(!ensemble_is_empty(r));
	if (ensemble_holds(r, own))
		return own;
	if (r.low >= r.high)
		return ENSEMBLE_SPECIAL | (uint32_t)__builtin_ctzll(r.special);
	if (own & ENSEMBLE_SPECIAL || own < r.low)
		return r.low;
	return r.high - 1;
}
