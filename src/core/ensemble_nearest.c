/* ensemble_nearest.c: branch and bound over boxes for the row of least cost (ensemble_nearest.h has the bound).
 *
 * Boxes wait in a heap, the one with the least bound first. The trees are prepared for it, and a search in depth goes
 * on from there: it branches on a place that some tree's pick wants to reach, and bounds anew only the trees that test
 * that feature. A box a few levels down that takes long goes to the heap, and is prepared in its turn.
 * So at every moment the least bound of the heap bounds the answer. */
#include "ensemble_nearest.h"

#include <assert.h>
#include <string.h>

#include "memory.h"
#include "try.h"

enum {
	PREPARED_DEPTH = 5, /* boxes so far down are prepared anew, if they take long      */
	STRONG_DEPTH = 1,   /* up to there several ways to branch are tried out ...       */
	STRONG = 8          /* ... so many                                                */
};

/* A leaf that is left of a tree. */
typedef struct nearest_entry {
	uint32_t leaf, off;
	double asks;
	int64_t path;
} nearest_entry;

/* What is left of a tree at a node. */
typedef struct nearest_left {
	uint64_t start;
	uint32_t count;
	uint32_t corner; /* the leaf that holds the corner, or ENSEMBLE_NOWHERE */
} nearest_left;

typedef struct nearest_branch {
	uint32_t feature;
	ensemble_range near, far;
	double score;
} nearest_branch;

typedef struct nearest_frame {
	nearest_branch branch;
	uint32_t stage;
	uint64_t entries; /* in use */
	int64_t cost;
	uint32_t changed;
	double bound;
	/* what is undone when the node is left */
	uint32_t feature, corner;
	ensemble_range range;
} nearest_frame;

/* Something that a tree's pick wants: to be at this place, or beyond. */
typedef struct nearest_wish {
	uint32_t feature, place;
	double loss, share; /* what the tree loses otherwise, and what it pays */
} nearest_wish;

typedef struct nearest_job {
	int64_t bound;
	uint32_t group;
	uint64_t box; /* its slot */
} nearest_job;

typedef struct nearest_search {
	nearest_problem p;
	uint32_t n_groups, width;
	nearest_part *roots; /* by group */
	nearest_part part;
	/* the node under way; T trees, W columns */
	ensemble_range *box;
	uint32_t *corner;
	uint32_t depth;
	nearest_frame *frames;
	nearest_entry *entries;
	nearest_left *left; /* depth * T + tree */
	double *best;       /* (depth * T + tree) * W * NUS + column * NUS + i */
	uint32_t *pick;     /* the same: an entry of the tree, by number */
	int64_t *most;      /* (depth * T + tree) * W + column */
	uint32_t *most_pick;
	uint64_t cap_frames, cap_entries, cap_left, cap_best, cap_pick, cap_most, cap_most_pick;
	nearest_wish *wishes, *spare;
	uint64_t n_wishes, cap_wishes, cap_spare;
	/* the boxes that wait */
	nearest_job *heap;
	uint64_t n_jobs, cap_heap;
	ensemble_range *boxes;
	uint64_t n_boxes, cap_boxes; /* in slots of n */
	uint64_t *unused;
	uint64_t n_unused, cap_unused;
	int64_t under_way;   /* the bound of the box that was taken from the heap */
	uint32_t most_nodes; /* of a search in depth */
	uint64_t n_nodes, n_parts;
	double began, first; /* readings of the clock: now, and when there was a row */
	arena arena;
} nearest_search;

/* ------------------------------------------------------------------- the heap ---------------- */

static symcf_status push_job(nearest_search *s, uint32_t group, const ensemble_range *box,
                             int64_t bound)
{
	const uint32_t n = s->p.n;
	if (!symcf_grow(&s->heap, &s->cap_heap, s->n_jobs + 1, sizeof *s->heap) ||
	    !symcf_grow(&s->unused, &s->cap_unused, s->n_boxes + 1, sizeof *s->unused))
		return symcf_no_memory();
	if (!s->n_unused && !symcf_grow(&s->boxes, &s->cap_boxes, s->n_boxes + 1, n * sizeof *s->boxes))
		return symcf_no_memory();
	const uint64_t slot = s->n_unused ? s->unused[--s->n_unused] : s->n_boxes++;
	memcpy(s->boxes + slot * n, box, n * sizeof *box);
	uint64_t at = s->n_jobs++;
	for (; at && s->heap[(at - 1) / 2].bound > bound; at = (at - 1) / 2)
		s->heap[at] = s->heap[(at - 1) / 2];
	s->heap[at] = (nearest_job){bound, group, slot};
	return SYMCF_OK;
}

static nearest_job pop_job(nearest_search *s)
{
	const nearest_job top = s->heap[0], last = s->heap[--s->n_jobs];
	uint64_t at = 0;
	for (;;) {
		uint64_t child = 2 * at + 1;
		if (child >= s->n_jobs)
			break;
		child += child + 1 < s->n_jobs && s->heap[child + 1].bound < s->heap[child].bound;
		if (s->heap[child].bound >= last.bound)
			break;
		s->heap[at] = s->heap[child];
		at = child;
	}
	s->heap[at] = last;
	return top;
}

/* -------------------------------------------------------------------- a node ----------------- */

static symcf_status room_for(nearest_search *s, uint32_t depth)
{
	const uint64_t trees = ((uint64_t)depth + 1) * (s->part.n_trees + 1);
	if (!symcf_grow(&s->frames, &s->cap_frames, (uint64_t)depth + 1, sizeof *s->frames) ||
	    !symcf_grow(&s->left, &s->cap_left, trees, sizeof *s->left) ||
	    !symcf_grow(&s->best, &s->cap_best, trees * s->width * NEAREST_NUS, sizeof *s->best) ||
	    !symcf_grow(&s->pick, &s->cap_pick, trees * s->width * NEAREST_NUS, sizeof *s->pick) ||
	    !symcf_grow(&s->most, &s->cap_most, trees * s->width, sizeof *s->most) ||
	    !symcf_grow(&s->most_pick, &s->cap_most_pick, trees * s->width, sizeof *s->most_pick))
		return symcf_no_memory();
	return SYMCF_OK;
}

/* Picks of a tree, by all multipliers. requires: it has leaves. */
static void pick_leaves(nearest_search *s, uint32_t depth, uint32_t tree)
{
	const nearest_part *part = &s->part;
	const uint64_t row = (uint64_t)depth * part->n_trees + tree;
	nearest_left *l = &s->left[row];
	const nearest_entry *e = s->entries + l->start;
	const uint64_t leaf = part->trees[tree].leaf;
	const uint32_t width = s->width;
	l->corner = ENSEMBLE_NOWHERE;
	for (uint32_t i = 0; i < l->count; i++)
		if (!e[i].off)
			l->corner = e[i].leaf;
	for (uint32_t c = 0; c < width; c++) {
		const double *nu = part->nu + c * NEAREST_NUS;
		double best[NEAREST_NUS];
		uint32_t pick[NEAREST_NUS] = {0}, most_pick = 0;
		int64_t most = INT64_MIN;
		for (uint32_t k = 0; k < NEAREST_NUS; k++)
			best[k] = -INFINITY;
		for (uint32_t i = 0; i < l->count; i++) {
			const int64_t v = part->value[(leaf + e[i].leaf) * width + c];
			const double d = (double)v;
			if (v > most) {
				most = v;
				most_pick = i;
			}
			for (uint32_t k = 0; k < NEAREST_NUS; k++) {
				const double key = nu[k] * d - e[i].asks;
				if (key > best[k]) {
					best[k] = key;
					pick[k] = i;
				}
			}
		}
		s->most[row * width + c] = most;
		s->most_pick[row * width + c] = most_pick;
		memcpy(s->best + (row * width + c) * NEAREST_NUS, best, sizeof best);
		memcpy(s->pick + (row * width + c) * NEAREST_NUS, pick, sizeof pick);
	}
}

/* Is the corner as wanted? */
static bool corner_reaches(const nearest_search *s, uint32_t depth, uint32_t column)
{
	const nearest_part *part = &s->part;
	const nearest_left *l = s->left + (uint64_t)depth * part->n_trees;
	int64_t sum = part->base[column];
	for (uint32_t t = 0; t < part->n_trees; t++) {
		if (l[t].corner == ENSEMBLE_NOWHERE)
			return false;
		sum += part->value[(part->trees[t].leaf + l[t].corner) * s->width + column];
	}
	return sum >= 0;
}

/* Bounds the node at a depth whose trees are bounded. ensures: false if it is done with; a corner as wanted is kept. */
static bool bound_node(nearest_search *s, uint32_t depth)
{
	nearest_problem *p = &s->p;
	const nearest_part *part = &s->part;
	nearest_frame *f = &s->frames[depth];
	const uint32_t width = s->width;
	f->bound = (double)f->cost;
	if (f->changed > p->max_changes || !symcf_nearest_may_improve(p, f->cost, s->corner))
		return false;
	const uint64_t row = (uint64_t)depth * part->n_trees;
	for (uint32_t c = 0; c < width; c++) {
		int64_t most = part->base[c];
		double sums[NEAREST_NUS];
		for (uint32_t k = 0; k < NEAREST_NUS; k++)
			sums[k] = part->nu[c * NEAREST_NUS + k] * (double)part->base[c];
		for (uint32_t t = 0; t < part->n_trees; t++) {
			most += s->most[(row + t) * width + c];
			const double *best = s->best + ((row + t) * width + c) * NEAREST_NUS;
			for (uint32_t k = 0; k < NEAREST_NUS; k++)
				sums[k] += best[k];
		}
		if (most < 0) {
			f->bound = INFINITY;
			return false;
		}
		for (uint32_t k = 0; k < NEAREST_NUS; k++)
			f->bound = fmax(f->bound, (double)f->cost - sums[k] - part->slack[c * NEAREST_NUS + k]);
	}
	if (p->least < NEAREST_FAR && f->bound > (double)p->least)
		return false;
	bool reaches = true;
	for (uint32_t c = 0; c < width && reaches; c++)
		reaches = corner_reaches(s, depth, c);
	if (reaches) {
		p->least = f->cost;
		p->found = true;
		memcpy(p->best, s->corner, p->n * sizeof *p->best);
	}
	return !reaches;
}

/* The node of the whole part. */
static symcf_status open_root(nearest_search *s, bool *alive)
{
	const nearest_part *part = &s->part;
	TRY(room_for(s, 0));
	if (!symcf_grow(&s->entries, &s->cap_entries, part->n_leaves + 1, sizeof *s->entries))
		return symcf_no_memory();
	memcpy(s->box, part->box, s->p.n * sizeof *s->box);
	memcpy(s->corner, part->corner, s->p.n * sizeof *s->corner);
	uint64_t at = 0;
	for (uint32_t t = 0; t < part->n_trees; t++) {
		const nearest_tree *tree = &part->trees[t];
		s->left[t] = (nearest_left){at, tree->n_leaves, ENSEMBLE_NOWHERE};
		for (uint32_t i = 0; i < tree->n_leaves; i++)
			s->entries[at++] =
				(nearest_entry){i, part->off[tree->leaf + i], part->asks[tree->leaf + i],
				                part->path[tree->leaf + i]};
		pick_leaves(s, 0, t);
	}
	s->frames[0] = (nearest_frame){
		.entries = at, .cost = part->cost, .changed = part->changed, .feature = ENSEMBLE_NOWHERE};
	s->depth = 0;
	*alive = bound_node(s, 0);
	return SYMCF_OK;
}

/* Does a leaf ask for a change beyond those of the corner? */
static bool asks_change(const nearest_search *s, const nearest_tree *tree, uint32_t leaf)
{
	for (uint32_t k = 0; k < tree->n_slots; k++) {
		const uint32_t j = s->part.feature[tree->slot + k];
		if (s->corner[j] == s->p.scene.place[j] &&
		    !ensemble_holds(s->part.range[tree->range + (uint64_t)k * tree->n_leaves + leaf],
		                    s->corner[j]))
			return true;
	}
	return false;
}

/* `descend`, once there is room. */
static symcf_status narrow_node(nearest_search *s, uint32_t j, ensemble_range r,
                                symcf_control *control, bool *alive)
{
	const nearest_problem *p = &s->p;
	const nearest_part *part = &s->part;
	const uint32_t depth = s->depth, width = s->width;
	const uint64_t T = part->n_trees;
	const nearest_frame *old = &s->frames[depth];
	nearest_frame *f = &s->frames[depth + 1];
	const ensemble_range before = s->box[j];
	const uint32_t corner = s->corner[j], now = nearest_place(p, j, r, corner);
	*f = (nearest_frame){.entries = old->entries, .feature = j, .corner = corner, .range = before};
	f->cost = old->cost - p->cost[nearest_index(p, j, corner)] + p->cost[nearest_index(p, j, now)];
	f->changed = old->changed - (corner != p->scene.place[j]) + (now != p->scene.place[j]);
	f->bound = (double)f->cost;
	s->box[j] = r;
	s->corner[j] = now;
	*alive = false;
	if (f->cost > p->least || f->changed > p->max_changes)
		return SYMCF_OK;
	memcpy(s->left + (depth + 1) * T, s->left + depth * T, T * sizeof *s->left);
	memcpy(s->best + (depth + 1) * T * width * NEAREST_NUS,
	       s->best + depth * T * width * NEAREST_NUS, T * width * NEAREST_NUS * sizeof *s->best);
	memcpy(s->pick + (depth + 1) * T * width * NEAREST_NUS,
	       s->pick + depth * T * width * NEAREST_NUS, T * width * NEAREST_NUS * sizeof *s->pick);
	memcpy(s->most + (depth + 1) * T * width, s->most + depth * T * width,
	       T * width * sizeof *s->most);
	memcpy(s->most_pick + (depth + 1) * T * width, s->most_pick + depth * T * width,
	       T * width * sizeof *s->most_pick);
	const double share_old = part->share[nearest_index(p, j, corner)];
	const double share_new = part->share[nearest_index(p, j, now)];
	const int64_t cost_old = p->cost[nearest_index(p, j, corner)];
	const int64_t cost_new = p->cost[nearest_index(p, j, now)];
	const int64_t room = p->least == NEAREST_FAR ? NEAREST_FAR : p->least - f->cost;
	const bool plain = p->rises[j] && corner == now;
	uint32_t work = (uint32_t)T * 4;
	for (uint32_t u = part->use_start[j]; u < part->use_start[j + 1]; u++) {
		const uint32_t t = part->uses[u].tree;
		const nearest_tree *tree = &part->trees[t];
		const ensemble_range *block =
			part->range + tree->range + (uint64_t)part->uses[u].slot * tree->n_leaves;
		nearest_left *l = &s->left[(depth + 1) * T + t];
		const uint64_t from = l->start;
		if (!symcf_grow(&s->entries, &s->cap_entries, f->entries + l->count, sizeof *s->entries))
			return symcf_no_memory();
		const nearest_entry *e = s->entries + from;
		nearest_entry *to = s->entries + f->entries;
		uint32_t kept = 0;
		for (uint32_t i = 0; i < l->count; i++) {
			const ensemble_range lr = block[e[i].leaf];
			if (!ensemble_meets(lr, r))
				continue;
			to[kept] = e[i];
			if (!plain || lr.special) {
				const ensemble_range was = ensemble_meet(lr, before), is = ensemble_meet(lr, r);
				to[kept].off += !ensemble_holds(is, now);
				to[kept].off -= !ensemble_holds(was, corner);
				to[kept].asks += (nearest_share(p, part, j, is, now) - share_new) -
				                 (nearest_share(p, part, j, was, corner) - share_old);
				to[kept].path +=
					p->cost[nearest_index(p, j, nearest_place(p, j, is, now))] - cost_new -
					(p->cost[nearest_index(p, j, nearest_place(p, j, was, corner))] - cost_old);
			}
			kept += to[kept].path <= room;
		}
		work += 10 * l->count;
		if (!kept) {
			f->bound = INFINITY;
			return symcf_tick(control, work);
		}
		if (kept == l->count && plain)
			continue; /* as before */
		l->start = f->entries;
		l->count = kept;
		f->entries += kept;
		pick_leaves(s, depth + 1, t);
	}
	if (f->changed == p->max_changes && old->changed < f->changed)
		for (uint32_t t = 0; t < T; t++) {
			nearest_left *l = &s->left[(depth + 1) * T + t];
			if (!symcf_grow(&s->entries, &s->cap_entries, f->entries + l->count,
			                sizeof *s->entries))
				return symcf_no_memory();
			uint32_t kept = 0;
			for (uint32_t i = 0; i < l->count; i++) {
				s->entries[f->entries + kept] = s->entries[l->start + i];
				kept += !asks_change(s, &part->trees[t], s->entries[l->start + i].leaf);
			}
			work += 30 * l->count;
			if (!kept) {
				f->bound = INFINITY;
				return symcf_tick(control, work);
			}
			if (kept == l->count)
				continue;
			l->start = f->entries;
			l->count = kept;
			f->entries += kept;
			pick_leaves(s, depth + 1, t);
		}
	*alive = bound_node(s, depth + 1);
	return symcf_tick(control, work);
}

/* Undoes what `descend` did to box and corner. requires: it succeeded. */
static void ascend(nearest_search *s, const nearest_frame *f)
{
	if (f->feature != ENSEMBLE_NOWHERE) {
		s->box[f->feature] = f->range;
		s->corner[f->feature] = f->corner;
	}
}

/* Narrows one feature of the node on top, as the node below it. ensures: s->frames[depth + 1] and what belongs to it;
 * *alive: is there more to do? Box and corner are those of the new node, or on failure as before. */
static symcf_status descend(nearest_search *s, uint32_t j, ensemble_range r, symcf_control *control,
                            bool *alive)
{
	TRY(room_for(s, s->depth + 1));
	const symcf_status status = narrow_node(s, j, r, control, alive);
	if (status)
		ascend(s, &s->frames[s->depth + 1]);
	return status;
}

/* ------------------------------------------------------------------ branching ---------------- */

static bool wish_before(const nearest_wish *a, const nearest_wish *b, void *context)
{
	(void)context;
	return a->feature != b->feature ? a->feature < b->feature : a->place < b->place;
}

#define SORT_NAME sort_wishes
#define SORT_TYPE nearest_wish
#define SORT_BEFORE wish_before
#include "sort.h"

/* The two sides of branching on a place away from the corner: the far one has it. */
static void sides_of(const nearest_search *s, uint32_t j, uint32_t place, nearest_branch *b)
{
	const ensemble_range box = s->box[j];
	const uint32_t corner = s->corner[j];
	b->feature = j;
	b->near = b->far = box;
	if (place & ENSEMBLE_SPECIAL) {
		b->far = (ensemble_range){0, 0, UINT64_C(1) << (place & ~ENSEMBLE_SPECIAL)};
		b->near.special &= ~b->far.special;
	} else if (corner & ENSEMBLE_SPECIAL) {
		b->far.special = 0;
		b->near.low = b->near.high = 0;
	} else {
		b->far.special = 0;
		if (place > corner) {
			b->far.low = place;
			b->near.high = place;
		} else {
			b->far.high = place + 1;
			b->near.low = place + 1;
		}
	}
	b->near = ensemble_trim(&s->p.scene, j, b->near);
	b->far = ensemble_trim(&s->p.scene, j, b->far);
}

/* What the picks of the trees wish, by multiplier k of a column; k = NEAREST_NUS: by value alone. */
static symcf_status gather(nearest_search *s, uint32_t column, uint32_t k)
{
	const nearest_problem *p = &s->p;
	const nearest_part *part = &s->part;
	const uint32_t width = s->width;
	const double nu = k < NEAREST_NUS ? part->nu[column * NEAREST_NUS + k] : 0;
	s->n_wishes = 0;
	for (uint32_t t = 0; t < part->n_trees; t++) {
		const uint64_t row = (uint64_t)s->depth * part->n_trees + t;
		const nearest_left *l = &s->left[row];
		const nearest_entry *e = s->entries + l->start;
		const nearest_tree *tree = &part->trees[t];
		const uint32_t picked = k < NEAREST_NUS ? s->pick[(row * width + column) * NEAREST_NUS + k]
		                                        : s->most_pick[row * width + column];
		if (!e[picked].off)
			continue;
		const double best = k < NEAREST_NUS ? s->best[(row * width + column) * NEAREST_NUS + k] : 0;
		for (uint32_t slot = 0; slot < tree->n_slots; slot++) {
			const uint32_t j = part->feature[tree->slot + slot], corner = s->corner[j];
			const ensemble_range *block =
				part->range + tree->range + (uint64_t)slot * tree->n_leaves;
			const ensemble_range r = ensemble_meet(block[e[picked].leaf], s->box[j]);
			if (ensemble_holds(r, corner))
				continue;
			const uint32_t place = nearest_place(p, j, r, corner);
			double loss = 1;
			if (k < NEAREST_NUS) {
				nearest_branch b;
				double other = -INFINITY;
				sides_of(s, j, place, &b);
				for (uint32_t i = 0; i < l->count; i++)
					if (ensemble_meets(block[e[i].leaf], b.near)) {
						const double key =
							nu * (double)part->value[(tree->leaf + e[i].leaf) * width + column] -
							e[i].asks;
						other = fmax(other, key);
					}
				loss = fmin(best - other, 1e18);
			}
			if (!symcf_grow(&s->wishes, &s->cap_wishes, s->n_wishes + 1, sizeof *s->wishes))
				return symcf_no_memory();
			s->wishes[s->n_wishes++] = (nearest_wish){j, place, loss,
			                                          part->share[nearest_index(p, j, place)] -
			                                              part->share[nearest_index(p, j, corner)]};
		}
	}
	return SYMCF_OK;
}

/* The best ways to branch, by what both sides gain. ensures: how many, at most `most`. */
static symcf_status branches(nearest_search *s, uint32_t most, nearest_branch *out, uint32_t *n)
{
	const nearest_problem *p = &s->p;
	*n = 0;
	if (!symcf_grow(&s->spare, &s->cap_spare, s->n_wishes + 1, sizeof *s->spare))
		return symcf_no_memory();
	TRY(sort_wishes(s->wishes, s->spare, s->n_wishes, NULL, NULL));
	for (uint64_t i = 0; i < s->n_wishes; i++) {
		const nearest_wish *w = &s->wishes[i];
		if (i && w[-1].feature == w->feature && w[-1].place == w->place)
			continue;
		const uint32_t j = w->feature, corner = s->corner[j];
		double near = 0, paid = 0;
		uint64_t first = i;
		while (first && s->wishes[first - 1].feature == j)
			first--;
		const bool special = (w->place | corner) & ENSEMBLE_SPECIAL, up = w->place > corner;
		for (uint64_t k = first; k < s->n_wishes && s->wishes[k].feature == j; k++) {
			const nearest_wish *o = &s->wishes[k];
			if (special ? o->place == w->place
			            : !(o->place & ENSEMBLE_SPECIAL) && (o->place > corner) == up &&
			                  (up ? o->place >= w->place : o->place <= w->place)) {
				near += o->loss;
				paid += w->share;
			} else if (!special && !(o->place & ENSEMBLE_SPECIAL) && (o->place > corner) == up) {
				paid += o->share;
			}
		}
		const double step =
			(double)(p->cost[nearest_index(p, j, w->place)] - p->cost[nearest_index(p, j, corner)]);
		const double far = fmax(step - paid, 1e-3 * step + 1e-6);
		nearest_branch b;
		sides_of(s, j, w->place, &b);
		b.score = fmax(near, 1e-6) * far;
		uint32_t at = *n;
		while (at && out[at - 1].score < b.score)
			at--;
		if (at == most)
			continue;
		*n += *n < most;
		memmove(out + at + 1, out + at, (*n - 1 - at) * sizeof *out);
		out[at] = b;
	}
	return SYMCF_OK;
}

/* How to branch at the node on top. */
static symcf_status choose_branch(nearest_search *s, symcf_control *control, nearest_branch *chosen)
{
	const nearest_part *part = &s->part;
	nearest_branch some[STRONG];
	uint32_t n = 0, column = 0, best_k = 0;
	double best = -INFINITY;
	const uint64_t row = (uint64_t)s->depth * part->n_trees;
	for (uint32_t c = 0; c < s->width; c++) {
		if (corner_reaches(s, s->depth, c))
			continue;
		for (uint32_t k = 0; k < NEAREST_NUS; k++) {
			double sum = part->nu[c * NEAREST_NUS + k] * (double)part->base[c];
			for (uint32_t t = 0; t < part->n_trees; t++)
				sum += s->best[((row + t) * s->width + c) * NEAREST_NUS + k];
			if (-sum > best) {
				best = -sum;
				column = c;
				best_k = k;
			}
		}
	}
	TRY(gather(s, column, best_k));
	for (uint32_t k = 0; k <= NEAREST_NUS && !s->n_wishes; k++)
		TRY(gather(s, column, k));
	if (!s->n_wishes)
		return SYMCF_INTERNAL; /* the corner would be as wanted */
	const bool strong = s->depth < STRONG_DEPTH;
	TRY(branches(s, strong ? STRONG : 1, some, &n));
	*chosen = some[0];
	if (!strong || n == 1)
		return SYMCF_OK;
	double best_score = -1;
	for (uint32_t i = 0; i < n; i++) {
		double gain[2];
		for (uint32_t side = 0; side < 2; side++) {
			bool alive;
			const double before = s->frames[s->depth].bound;
			TRY(descend(s, some[i].feature, side ? some[i].far : some[i].near, control, &alive));
			gain[side] = !alive ? fmax((double)s->p.least - before, 1)
			                    : s->frames[s->depth + 1].bound - before;
			ascend(s, &s->frames[s->depth + 1]);
		}
		const double score = fmax(gain[0], 1e-6) * fmax(gain[1], 1e-6);
		if (score > best_score) {
			best_score = score;
			*chosen = some[i];
		}
	}
	return SYMCF_OK;
}

/* ------------------------------------------------------------------- the search -------------- */

static int64_t as_bound(double bound)
{
	return bound >= 0x1p62 ? NEAREST_FAR : (int64_t)ceil(bound);
}

/* Puts what is left of the search in depth into the heap. */
static symcf_status put_back(nearest_search *s, uint32_t group)
{
	symcf_status status = SYMCF_OK;
	for (;; s->depth--) {
		const nearest_frame *f = &s->frames[s->depth];
		const int64_t bound = as_bound(f->bound);
		if (bound <= s->p.least && f->stage == 0 && !status) {
			status = push_job(s, group, s->box, bound);
		} else if (bound <= s->p.least && f->stage == 1 && !status) {
			const uint32_t j = f->branch.feature;
			const ensemble_range now = s->box[j];
			s->box[j] = f->branch.far;
			status = push_job(s, group, s->box, bound);
			s->box[j] = now;
		}
		ascend(s, f);
		if (!s->depth)
			return status;
	}
}

/* Puts the box at a depth on the way back into the heap, to be searched from there. */
static symcf_status postpone(nearest_search *s, uint32_t group, uint32_t depth)
{
	for (; s->depth > depth; s->depth--)
		ascend(s, &s->frames[s->depth]);
	const nearest_frame *f = &s->frames[depth];
	const symcf_status status = push_job(s, group, s->box, as_bound(f->bound));
	if (!status) {
		ascend(s, f);
		s->depth--;
	}
	return status;
}

/* Searches in depth. ensures: on any failure everything that is left is in the heap, if there was memory for that. */
static symcf_status search_part(nearest_search *s, uint32_t group, symcf_control *control)
{
	bool alive;
	symcf_status status = open_root(s, &alive);
	if (status || !alive)
		return status;
	const uint32_t deep = s->most_nodes < PREPARED_DEPTH ? s->most_nodes : PREPARED_DEPTH;
	for (uint32_t nodes = 0;;) {
		nearest_frame *f = &s->frames[s->depth];
		if (f->stage == 2 || as_bound(f->bound) > s->p.least) {
			ascend(s, f);
			if (!s->depth)
				return SYMCF_OK;
			s->depth--;
			continue;
		}
		if (f->stage == 0) {
			if (s->depth < deep)
				nodes = 0;
			if (nodes >= s->most_nodes) {
				status = postpone(s, group, deep);
				if (status)
					break;
				continue;
			}
			nearest_branch branch;
			status = choose_branch(s, control, &branch);
			f = &s->frames[s->depth];
			if (status)
				break;
			f->branch = branch;
		}
		status = descend(s, f->branch.feature, f->stage ? f->branch.far : f->branch.near, control,
		                 &alive);
		nodes++;
		s->n_nodes++;
		f = &s->frames[s->depth];
		if (status)
			break;
		f->stage++;
		if (alive)
			s->depth++;
		else
			ascend(s, &s->frames[s->depth + 1]);
	}
	(void)put_back(s, group);
	return status;
}

static void note_first(nearest_search *s)
{
	if (s->p.found && !s->first)
		s->first = symcf_clock();
}

/* Tells the control how much memory is held. */
static symcf_status hold(const nearest_search *s, symcf_control *control)
{
	const nearest_problem *p = &s->p;
	if (!control)
		return SYMCF_OK;
	uint64_t bytes = symcf_ensemble_scene_bytes(&p->scene) + p->arena.size + s->arena.size +
	                 s->cap_frames * sizeof *s->frames + s->cap_entries * sizeof *s->entries +
	                 s->cap_left * sizeof *s->left + s->cap_best * sizeof *s->best +
	                 s->cap_pick * sizeof *s->pick + s->cap_most * sizeof *s->most +
	                 s->cap_most_pick * sizeof *s->most_pick + s->cap_wishes * sizeof *s->wishes +
	                 s->cap_spare * sizeof *s->spare + s->cap_heap * sizeof *s->heap +
	                 s->cap_boxes * p->n * sizeof *s->boxes + s->cap_unused * sizeof *s->unused +
	                 p->cap_scratch * sizeof *p->scratch;
	for (uint32_t g = 0; g < s->n_groups; g++)
		bytes += symcf_nearest_part_bytes(&s->roots[g]);
	return symcf_hold(control, bytes + symcf_nearest_part_bytes(&s->part));
}

static symcf_status run(nearest_search *s, symcf_control *control)
{
	nearest_problem *p = &s->p;
	for (uint32_t g = 0; g < s->n_groups; g++) {
		const uint32_t first = g * s->width;
		TRY(symcf_nearest_part_open(p, s->width, &s->roots[g]));
		TRY(symcf_nearest_part_fill(p, first, control, &s->roots[g]));
		TRY(hold(s, control));
		TRY(symcf_nearest_start(p, first, s->width, control));
		note_first(s);
	}
	for (uint32_t g = 0; g < s->n_groups; g++)
		TRY(push_job(s, g, p->scene.may, 0));
	TRY(symcf_nearest_part_open(p, s->width, &s->part));
	while (s->n_jobs && s->heap[0].bound <= p->least && s->heap[0].bound < NEAREST_FAR) {
		const nearest_job job = pop_job(s);
		s->under_way = job.bound;
		s->unused[s->n_unused++] = job.box;
		TRY(symcf_nearest_part_set(p, &s->roots[job.group], s->boxes + job.box * p->n, control,
		                           &s->part));
		s->n_parts++;
		if (s->part.bound <= p->least && s->part.bound < NEAREST_FAR)
			TRY(search_part(s, job.group, control));
		note_first(s);
		s->under_way = NEAREST_FAR;
		TRY(hold(s, control));
	}
	return SYMCF_OK;
}

/* ------------------------------------------------------------------- a question -------------- */

static void lay_out_problem(arena *a, nearest_problem *p)
{
	const uint64_t places = p->at[p->n];
	const uint32_t columns = p->e->n_classes;
	p->cost = symcf_arena_take(a, places + 1, sizeof *p->cost);
	p->rank = symcf_arena_take(a, places + 1, sizeof *p->rank);
	p->rises = symcf_arena_take(a, p->n, sizeof *p->rises);
	p->by_cost = symcf_arena_take(a, places + 1, sizeof *p->by_cost);
	p->n_by_cost = symcf_arena_take(a, p->n, sizeof *p->n_by_cost);
	p->best = symcf_arena_take(a, p->n, sizeof *p->best);
	p->gain = symcf_arena_take(a, (places + 1) * columns, sizeof *p->gain);
	p->point = symcf_arena_take(a, p->n, sizeof *p->point);
	p->total = symcf_arena_take(a, columns, sizeof *p->total);
	p->most = symcf_arena_take(a, columns, sizeof *p->most);
	p->mark = symcf_arena_take(a, p->n, sizeof *p->mark);
}

static void lay_out_search(arena *a, nearest_search *s)
{
	s->roots = symcf_arena_take(a, s->p.e->n_classes, sizeof *s->roots);
	s->box = symcf_arena_take(a, s->p.n, sizeof *s->box);
	s->corner = symcf_arena_take(a, s->p.n, sizeof *s->corner);
}

static bool cheaper(const uint32_t *a, const uint32_t *b, void *context)
{
	const int64_t *cost = context;
	return cost[*a] < cost[*b];
}

#define SORT_NAME sort_places
#define SORT_TYPE uint32_t
#define SORT_BEFORE cheaper
#include "sort.h"

/* Costs by place. `allowed` has room for all values. */
static symcf_status set_costs(nearest_problem *p, const symcf_query *q, const int64_t *cost,
                              const uint32_t *rank, uint32_t *spare, symcf_control *control)
{
	const symcf_ensemble *e = p->e;
	for (uint32_t j = 0; j < p->n; j++) {
		const uint32_t at = p->at[j], size = p->at[j + 1] - at, line = e->n_line[j];
		uint32_t n = 0;
		for (uint32_t i = 0; i < size; i++) {
			const uint32_t code = e->code[at + i];
			const int64_t given = code == q->x[j] ? 0 : cost[at + code];
			const bool may =
				code == q->x[j] || (given >= 0 && (!q->allowed || q->allowed[at + code]));
			p->cost[at + i] = may ? given : NEAREST_FAR;
			p->rank[at + i] = rank ? rank[at + code] : code;
			if (may)
				p->by_cost[at + n++] = at + i;
		}
		p->n_by_cost[j] = n;
		TRY(symcf_tick(control, 5 * size));
		TRY(sort_places(p->by_cost + at, spare, n, p->cost, control));
		const uint32_t own = e->place[at + q->x[j]];
		p->rises[j] = !(own & ENSEMBLE_SPECIAL);
		for (uint32_t side = 0; side < 2 && p->rises[j]; side++) {
			int64_t last = 0;
			for (uint32_t i = 1; side ? own >= i : own + i < line; i++) {
				const int64_t now = p->cost[at + (side ? own - i : own + i)];
				if (now == NEAREST_FAR)
					continue;
				p->rises[j] &= now > last;
				last = now;
			}
		}
	}
	return SYMCF_OK;
}

static void close(nearest_search *s)
{
	nearest_problem *p = &s->p;
	for (uint32_t g = 0; s->roots && g < s->p.e->n_classes; g++)
		symcf_nearest_part_close(&s->roots[g]);
	symcf_nearest_part_close(&s->part);
	symcf_free(s->frames);
	symcf_free(s->entries);
	symcf_free(s->left);
	symcf_free(s->best);
	symcf_free(s->pick);
	symcf_free(s->most);
	symcf_free(s->most_pick);
	symcf_free(s->wishes);
	symcf_free(s->spare);
	symcf_free(s->heap);
	symcf_free(s->boxes);
	symcf_free(s->unused);
	symcf_arena_close(&s->arena);
	symcf_free(p->scratch);
	symcf_free(p->out);
	symcf_ensemble_scene_close(&p->scene);
	symcf_arena_close(&p->arena);
}

static symcf_status set_up(nearest_search *s, const symcf_query *q, uint32_t k, uint32_t sink,
                           const int64_t *cost, const uint32_t *rank, symcf_control *control)
{
	nearest_problem *p = &s->p;
	TRY(symcf_ensemble_scene_open(p->e, &p->scene));
	lay_out_problem(&p->arena, p);
	TRY(symcf_arena_open(&p->arena));
	lay_out_problem(&p->arena, p);
	lay_out_search(&s->arena, s);
	TRY(symcf_arena_open(&s->arena));
	lay_out_search(&s->arena, s);
	memset(s->roots, 0, p->e->n_classes * sizeof *s->roots);
	for (uint32_t j = 0; j < p->n; j++)
		p->mark[j] = ENSEMBLE_NOWHERE;
	const uint64_t places = p->at[p->n];
	uint8_t *allowed = symcf_allocate(places + 1, sizeof *allowed);
	uint32_t *spare = symcf_allocate(places + 1, sizeof *spare);
	symcf_status status = allowed && spare ? SYMCF_OK : symcf_no_memory();
	if (!status)
		status = set_costs(p, q, cost, rank, spare, control);
	if (!status) {
		for (uint32_t j = 0; j < p->n; j++)
			for (uint32_t i = p->at[j]; i < p->at[j + 1]; i++)
				allowed[p->at[j] + p->e->code[i]] = p->cost[i] < NEAREST_FAR;
		const symcf_query within = {q->x, allowed, NULL, UINT32_MAX, false};
		status = symcf_ensemble_scene_set(&p->scene, &within, k, sink, q->max_changes, control);
	}
	symcf_free(allowed);
	symcf_free(spare);
	s->n_groups = p->scene.all ? 1 : p->scene.n_columns;
	s->width = p->scene.all ? p->scene.n_columns : 1;
	return status;
}

symcf_status symcf_nearest_tuned(const symcf_ensemble *e, const symcf_query *q, uint32_t k,
                                 uint32_t sink, const int64_t *cost, const uint32_t *rank,
                                 uint32_t most_nodes, symcf_control *control,
                                 symcf_nearest_result *out, uint32_t *row)
{
	nearest_search s = {.p = {.e = e,
	                          .n = e->n,
	                          .at = e->value_offset,
	                          .max_changes = q->max_changes,
	                          .least = NEAREST_FAR},
	                    .most_nodes = most_nodes,
	                    .began = symcf_clock(),
	                    .under_way = NEAREST_FAR};
	const symcf_status prepared = set_up(&s, q, k, sink, cost, rank, control);
	const symcf_status status = prepared ? prepared : run(&s, control);
	*out = (symcf_nearest_result){.found = s.p.found,
	                              .cost = s.p.least,
	                              .n_boxes = s.n_nodes,
	                              .n_prepared = s.n_parts,
	                              .first_seconds = s.first ? s.first - s.began : 0};
	if (status) { /* what may still be there costs at least this */
		int64_t bound = s.under_way < s.p.least ? s.under_way : s.p.least;
		if (s.n_jobs && s.heap[0].bound < bound)
			bound = s.heap[0].bound;
		out->bound = s.n_parts ? bound : 0;
	} else {
		out->bound = s.p.least;
	}
	for (uint32_t j = 0; s.p.found && j < e->n; j++)
		row[j] = e->code[nearest_index(&s.p, j, s.p.best[j])];
	close(&s);
	return status;
}

symcf_status symcf_ensemble_nearest_row(const symcf_ensemble *e, const symcf_query *q, uint32_t k,
                                        uint32_t sink, const int64_t *cost, const uint32_t *rank,
                                        symcf_control *control, symcf_nearest_result *out,
                                        uint32_t *row)
{
	return symcf_nearest_tuned(e, q, k, sink, cost, rank, NEAREST_NODES, control, out, row);
}
