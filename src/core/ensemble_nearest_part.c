/* ensemble_nearest_part.c: the trees within a box, prepared for the search. Leaves that the box does not meet, that cost
 * too much alone or that cannot be part of a row as wanted are left out; trees of which one leaf is left become a
 * constant; small trees are merged in pairs, which makes the bound tighter, because their leaves have to agree. */
#include "ensemble_nearest.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "memory.h"
#include "try.h"

enum {
	MERGED = 16,     /* leaves of a merged tree at most ...                */
	MOST_SLOTS = 64, /* ... and features that it tests                    */
	PARTNERS = 8,    /* trees that each small tree is tried with           */
	NARROWED = 3,    /* times that the box is narrowed to its leaves       */
	STEPS = 12,      /* of the search for the best multiplier              */
	ROUNDS = 2       /* of striking leaves by the bound and sharing again  */
};

/* The other multipliers, relative to the best one of the whole box. */
static const double SPREAD[NEAREST_NUS] = {1, 0.45, 2.2};

uint32_t symcf_nearest_cheapest(const nearest_problem *p, uint32_t j, ensemble_range r)
{
	uint32_t best = ENSEMBLE_NOWHERE;
	int64_t least = NEAREST_FAR;
	if (r.low < r.high) {
		const uint32_t own = p->scene.place[j];
		const int64_t *cost = p->cost + p->at[j];
		if (p->rises[j]) {
			best = own < r.low ? r.low : own >= r.high ? r.high - 1 : own;
			least = cost[best];
		} else {
			for (uint32_t i = r.low; i < r.high; i++)
				if (cost[i] < least || (cost[i] == least && least < NEAREST_FAR &&
				                        p->rank[p->at[j] + i] < p->rank[p->at[j] + best])) {
					least = cost[i];
					best = i;
				}
		}
	}
	for (uint64_t rest = r.special; rest; rest &= rest - 1) {
		const uint32_t place = ENSEMBLE_SPECIAL | (uint32_t)__builtin_ctzll(rest);
		const uint64_t index = nearest_index(p, j, place);
		const int64_t cost = p->cost[index];
		if (cost < least || (cost == least && least < NEAREST_FAR &&
		                     p->rank[index] < p->rank[nearest_index(p, j, best)])) {
			least = cost;
			best = place;
		}
	}
	assert(least < NEAREST_FAR);
	return best;
}

bool symcf_nearest_may_improve(const nearest_problem *p, int64_t cost, const uint32_t *row)
{
	if (cost != p->least || !p->found)
		return cost < p->least;
	for (uint32_t j = 0; j < p->n; j++)
		if (row[j] != p->best[j])
			return p->rank[nearest_index(p, j, row[j])] < p->rank[nearest_index(p, j, p->best[j])];
	return false;
}

static void lay_out(arena *a, const nearest_problem *p, nearest_part *part)
{
	const uint64_t places = p->at[p->n];
	part->box = symcf_arena_take(a, p->n, sizeof *part->box);
	part->corner = symcf_arena_take(a, p->n, sizeof *part->corner);
	part->base = symcf_arena_take(a, part->width, sizeof *part->base);
	part->share = symcf_arena_take(a, places, sizeof *part->share);
	part->nu = symcf_arena_take(a, (uint64_t)part->width * NEAREST_NUS, sizeof *part->nu);
	part->slack = symcf_arena_take(a, (uint64_t)part->width * NEAREST_NUS, sizeof *part->slack);
	part->use_start = symcf_arena_take(a, (uint64_t)p->n + 1, sizeof *part->use_start);
}

symcf_status symcf_nearest_part_open(const nearest_problem *p, uint32_t width, nearest_part *part)
{
	*part = (nearest_part){.width = width};
	lay_out(&part->arena, p, part);
	TRY(symcf_arena_open(&part->arena));
	lay_out(&part->arena, p, part);
	return SYMCF_OK;
}

void symcf_nearest_part_close(nearest_part *part)
{
	symcf_free(part->trees);
	symcf_free(part->feature);
	symcf_free(part->range);
	symcf_free(part->value);
	symcf_free(part->asks);
	symcf_free(part->path);
	symcf_free(part->off);
	symcf_free(part->uses);
	symcf_arena_close(&part->arena);
	*part = (nearest_part){0};
}

uint64_t symcf_nearest_part_bytes(const nearest_part *part)
{
	return part->cap_trees * sizeof *part->trees + part->cap_feature * sizeof *part->feature +
	       part->cap_range * sizeof *part->range + part->cap_value * sizeof *part->value +
	       part->cap_asks * (sizeof *part->asks + sizeof *part->path + sizeof *part->off) +
	       part->cap_uses * sizeof *part->uses + part->arena.size;
}

/* ------------------------------------------------------------------ trees -------------------- */

static symcf_status add_tree(nearest_part *part, uint32_t n_leaves, uint32_t n_slots,
                             nearest_tree **out)
{
	const uint64_t ranges = (uint64_t)n_leaves * n_slots;
	if (!symcf_grow(&part->trees, &part->cap_trees, (uint64_t)part->n_trees + 1,
	                sizeof *part->trees) ||
	    !symcf_grow(&part->feature, &part->cap_feature, part->n_slots + n_slots + 1,
	                sizeof *part->feature) ||
	    !symcf_grow(&part->range, &part->cap_range, part->n_ranges + ranges + 1,
	                sizeof *part->range) ||
	    !symcf_grow(&part->value, &part->cap_value, (part->n_leaves + n_leaves) * part->width + 1,
	                sizeof *part->value))
		return symcf_no_memory();
	nearest_tree *t = &part->trees[part->n_trees];
	*t = (nearest_tree){n_leaves, n_slots, part->n_leaves, part->n_slots, part->n_ranges};
	*out = t;
	return SYMCF_OK;
}

/* What was written to the tree added last counts from now on. */
static void keep_tree(nearest_part *part)
{
	const nearest_tree *t = &part->trees[part->n_trees++];
	part->n_leaves += t->n_leaves;
	part->n_slots += t->n_slots;
	part->n_ranges += (uint64_t)t->n_leaves * t->n_slots;
}

symcf_status symcf_nearest_part_fill(nearest_problem *p, uint32_t first, symcf_control *control,
                                     nearest_part *part)
{
	const ensemble_scene *s = &p->scene;
	part->n_trees = 0;
	part->n_leaves = part->n_slots = part->n_ranges = 0;
	for (uint32_t c = 0; c < part->width; c++)
		part->base[c] = s->base[first + c];
	for (uint32_t t = 0; t < s->n_trees; t++) {
		const uint64_t begin = s->start[t], end = s->start[t + 1];
		uint32_t n_slots = 0;
		nearest_tree *tree;
		for (uint64_t i = begin; i < end; i++)
			for (uint32_t k = 0; k < s->leaves[i].n_conditions; k++) {
				const uint32_t j = s->conditions[s->leaves[i].first + k].feature;
				if (p->mark[j] == ENSEMBLE_NOWHERE)
					p->mark[j] = n_slots++;
			}
		const uint32_t n_leaves = (uint32_t)(end - begin);
		const symcf_status status = add_tree(part, n_leaves, n_slots, &tree);
		if (!status)
			for (uint32_t j = 0; j < p->n; j++)
				if (p->mark[j] != ENSEMBLE_NOWHERE) {
					part->feature[tree->slot + p->mark[j]] = j;
					for (uint32_t i = 0; i < n_leaves; i++)
						part->range[tree->range + (uint64_t)p->mark[j] * n_leaves + i] = s->may[j];
				}
		for (uint64_t i = begin; i < end; i++) {
			const ensemble_leaf *leaf = &s->leaves[i];
			for (uint32_t k = 0; k < leaf->n_conditions && !status; k++) {
				const ensemble_condition *c = &s->conditions[leaf->first + k];
				part->range[tree->range + (uint64_t)p->mark[c->feature] * n_leaves + (i - begin)] =
					c->range;
			}
		}
		for (uint32_t j = 0; j < p->n; j++)
			p->mark[j] = ENSEMBLE_NOWHERE;
		if (status)
			return status;
		for (uint32_t i = 0; i < n_leaves; i++)
			for (uint32_t c = 0; c < part->width; c++)
				part->value[(tree->leaf + i) * part->width + c] =
					s->value[(begin + i) * s->n_columns + first + c];
		keep_tree(part);
		TRY(symcf_tick(control, 2 * n_leaves * (n_slots + 1)));
	}
	memcpy(part->box, s->may, p->n * sizeof *part->box);
	return SYMCF_OK;
}

/* What leaf i of the tree costs beyond the corner, if it is reached at all. A leaf that asks for more changes than
 * are allowed costs too much. */
static int64_t path_of(const nearest_problem *p, const nearest_part *part, const nearest_tree *t,
                       uint32_t i)
{
	int64_t path = 0;
	uint32_t more = 0;
	for (uint32_t k = 0; k < t->n_slots; k++) {
		const uint32_t j = part->feature[t->slot + k], corner = part->corner[j];
		const ensemble_range r = part->range[t->range + (uint64_t)k * t->n_leaves + i];
		if (ensemble_holds(r, corner))
			continue;
		path += p->cost[nearest_index(p, j, nearest_place(p, j, r, corner))] -
		        p->cost[nearest_index(p, j, corner)];
		more += corner == p->scene.place[j];
	}
	return part->changed + more > p->max_changes ? NEAREST_FAR : path;
}

/* A tree of `from` within the box of `part`. ensures: *empty if no leaf is left: no row of the box will do. */
static symcf_status restrict_tree(const nearest_part *from, const nearest_tree *old,
                                  nearest_part *part, bool *empty)
{
	nearest_tree *t;
	TRY(add_tree(part, old->n_leaves, old->n_slots, &t));
	ensemble_range *to = part->range + t->range;
	uint32_t n_leaves = 0, n_slots = 0;
	for (uint32_t i = 0; i < old->n_leaves;
	     i++) { /* leaf by leaf first: the blocks are as long as before */
		bool meets = true;
		for (uint32_t k = 0; k < old->n_slots && meets; k++) {
			const uint32_t j = from->feature[old->slot + k];
			const ensemble_range r = ensemble_meet(
				from->range[old->range + (uint64_t)k * old->n_leaves + i], part->box[j]);
			to[(uint64_t)k * old->n_leaves + n_leaves] = r;
			meets = !ensemble_is_empty(r);
		}
		if (!meets)
			continue;
		memcpy(part->value + (t->leaf + n_leaves) * part->width,
		       from->value + (old->leaf + i) * part->width, part->width * sizeof *part->value);
		n_leaves++;
	}
	*empty = !n_leaves;
	if (!n_leaves)
		return SYMCF_OK;
	for (uint32_t k = 0; k < old->n_slots; k++) {
		const uint32_t j = from->feature[old->slot + k];
		const ensemble_range *block = to + (uint64_t)k * old->n_leaves;
		uint32_t i = 0;
		while (i < n_leaves && ensemble_same(block[i], part->box[j]))
			i++;
		if (i == n_leaves)
			continue; /* no longer tested */
		part->feature[t->slot + n_slots] = j;
		memmove(to + (uint64_t)n_slots * n_leaves, block, n_leaves * sizeof *to);
		n_slots++;
	}
	t->n_leaves = n_leaves;
	t->n_slots = n_slots;
	return SYMCF_OK;
}

/* Leaves out leaves by a mark each. */
static void strike(nearest_part *part, nearest_tree *t, const uint8_t *out)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < t->n_leaves; i++)
		if (!out[i])
			memmove(part->value + (t->leaf + kept++) * part->width,
			        part->value + (t->leaf + i) * part->width, part->width * sizeof *part->value);
	ensemble_range *range = part->range + t->range;
	for (uint32_t k = 0; k < t->n_slots; k++) {
		uint32_t at = 0;
		for (uint32_t i = 0; i < t->n_leaves; i++)
			if (!out[i])
				range[(uint64_t)k * kept + at++] = range[(uint64_t)k * t->n_leaves + i];
	}
	t->n_leaves = kept;
}

/* A tree of one leaf adds a constant; its ranges are part of the question, because the others were struck. */
static bool is_constant(const nearest_tree *t)
{
	return t->n_leaves == 1 && t->n_slots == 0;
}

/* --------------------------------------------------------------- merged trees ---------------- */

/* Two trees as one, if it has few leaves. ensures: *made; the tree is added but not kept. */
static symcf_status merge(nearest_problem *p, nearest_part *part, uint32_t a, uint32_t b,
                          bool *made)
{
	const uint32_t slots = part->trees[a].n_slots + part->trees[b].n_slots;
	nearest_tree *t;
	TRY(add_tree(part, MERGED, slots, &t));
	const nearest_tree *first = &part->trees[a], *second = &part->trees[b];
	uint32_t n = 0, n_slots = 0;
	for (uint32_t k = 0; k < first->n_slots; k++) {
		const uint32_t j = part->feature[first->slot + k];
		part->feature[t->slot + n_slots] = j;
		p->mark[j] = n_slots++;
	}
	for (uint32_t k = 0; k < second->n_slots; k++) {
		const uint32_t j = part->feature[second->slot + k];
		if (p->mark[j] == ENSEMBLE_NOWHERE) {
			part->feature[t->slot + n_slots] = j;
			p->mark[j] = n_slots++;
		}
	}
	ensemble_range *to = part->range + t->range;
	bool few = true;
	for (uint32_t i = 0; i < first->n_leaves && few; i++)
		for (uint32_t l = 0; l < second->n_leaves && few; l++) {
			ensemble_range row[MOST_SLOTS];
			bool meets = true;
			for (uint32_t k = 0; k < n_slots; k++)
				row[k] = k < first->n_slots
				             ? part->range[first->range + (uint64_t)k * first->n_leaves + i]
				             : part->box[part->feature[t->slot + k]];
			for (uint32_t k = 0; k < second->n_slots && meets; k++) {
				const uint32_t at = p->mark[part->feature[second->slot + k]];
				row[at] = ensemble_meet(
					row[at], part->range[second->range + (uint64_t)k * second->n_leaves + l]);
				meets = !ensemble_is_empty(row[at]);
			}
			if (!meets)
				continue;
			few = n < MERGED;
			if (!few)
				break;
			for (uint32_t k = 0; k < n_slots; k++)
				to[(uint64_t)k * MERGED + n] = row[k];
			for (uint32_t c = 0; c < part->width; c++)
				part->value[(t->leaf + n) * part->width + c] =
					part->value[(first->leaf + i) * part->width + c] +
					part->value[(second->leaf + l) * part->width + c];
			n++;
		}
	for (uint32_t k = 0; k < n_slots; k++)
		p->mark[part->feature[t->slot + k]] = ENSEMBLE_NOWHERE;
	*made = few && n;
	if (*made) {
		for (uint32_t k = 1; k < n_slots; k++)
			memmove(to + (uint64_t)k * n, to + (uint64_t)k * MERGED, n * sizeof *to);
		t->n_leaves = n;
		t->n_slots = n_slots;
	}
	return SYMCF_OK;
}

static uint32_t common(const nearest_part *part, const nearest_tree *a, const nearest_tree *b)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < a->n_slots; i++)
		for (uint32_t k = 0; k < b->n_slots; k++)
			count += part->feature[a->slot + i] == part->feature[b->slot + k];
	return count;
}

/* Merges trees while there are pairs that stay small. Those that are used up have no leaves. */
static symcf_status merge_all(nearest_problem *p, nearest_part *part, symcf_control *control)
{
	for (uint32_t a = 0; a < part->n_trees; a++) {
		if (!part->trees[a].n_leaves || part->trees[a].n_leaves > MERGED / 2)
			continue;
		/* the partners that have most features in common */
		uint32_t partner[PARTNERS], rank[PARTNERS], n = 0;
		for (uint32_t b = a + 1; b < part->n_trees; b++) {
			const nearest_tree *t = &part->trees[b];
			if (!t->n_leaves || t->n_leaves > MERGED ||
			    part->trees[a].n_slots + t->n_slots > MOST_SLOTS)
				continue;
			const uint32_t same = common(part, &part->trees[a], t);
			if (!same && t->n_leaves * part->trees[a].n_leaves > MERGED)
				continue;
			const uint32_t r = same * 64 + 64 - t->n_leaves;
			uint32_t at = n;
			while (at && rank[at - 1] < r)
				at--;
			if (at == PARTNERS)
				continue;
			n += n < PARTNERS;
			memmove(rank + at + 1, rank + at, (n - 1 - at) * sizeof *rank);
			memmove(partner + at + 1, partner + at, (n - 1 - at) * sizeof *partner);
			rank[at] = r;
			partner[at] = b;
		}
		TRY(symcf_tick(control, 20 * part->n_trees));
		for (uint32_t i = 0; i < n; i++) {
			bool made;
			TRY(merge(p, part, a, partner[i], &made));
			TRY(symcf_tick(control, 2000));
			if (made) {
				keep_tree(part); /* it comes up again as the last one */
				part->trees[a].n_leaves = part->trees[partner[i]].n_leaves = 0;
				break;
			}
		}
	}
	return SYMCF_OK;
}

/* ------------------------------------------------------------ shares and bounds -------------- */

/* Which side of the row's own place a place is on: what is charged on one side is not charged on another. */
static uint32_t side_of(const nearest_problem *p, uint32_t j, uint32_t index)
{
	const uint32_t own = p->scene.place[j], line = p->e->n_line[j];
	if (index - p->at[j] >= line)
		return 2;
	return !(own & ENSEMBLE_SPECIAL) && index - p->at[j] < own;
}

/* Adds a tree's claim: of each side, the largest of what its leaves cost at least there. */
static void claim(nearest_problem *p, const nearest_part *part, const nearest_tree *t, uint32_t k,
                  double farthest[3])
{
	const uint32_t j = part->feature[t->slot + k], corner = part->corner[j];
	const ensemble_range *block = part->range + t->range + (uint64_t)k * t->n_leaves;
	for (uint32_t i = 0; i < t->n_leaves; i++) {
		const ensemble_range r = block[i];
		if (ensemble_holds(r, corner))
			continue;
		const uint32_t own = p->scene.place[j];
		ensemble_range parts[3] = {{0}, {0}, {0, 0, r.special}};
		if (own & ENSEMBLE_SPECIAL) {
			parts[0] = (ensemble_range){r.low, r.high, 0};
		} else {
			parts[0] = (ensemble_range){r.low > own ? r.low : own, r.high, 0};
			parts[1] = (ensemble_range){r.low, r.high < own ? r.high : own, 0};
		}
		for (uint32_t side = 0; side < 3; side++) {
			const ensemble_range one = parts[side];
			if (one.low >= one.high && !one.special)
				continue;
			int64_t least = NEAREST_FAR;
			if (side < 2 && p->rises[j]) {
				least = p->cost[p->at[j] + (side ? one.high - 1 : one.low)];
			} else {
				for (uint32_t at = one.low; at < one.high; at++)
					if (p->cost[p->at[j] + at] < least)
						least = p->cost[p->at[j] + at];
				for (uint64_t rest = one.special; rest; rest &= rest - 1) {
					const int64_t cost =
						p->cost[p->at[j] + p->e->n_line[j] + (uint32_t)__builtin_ctzll(rest)];
					if (cost < least)
						least = cost;
				}
			}
			if (least < NEAREST_FAR && (double)least > farthest[side])
				farthest[side] = (double)least;
		}
	}
}

static bool comes_first(const double *a, const double *b, void *context)
{
	(void)context;
	return *a < *b;
}

#define SORT_NAME sort_claims
#define SORT_TYPE double
#define SORT_BEFORE comes_first
#include "sort.h"

/* Shares of one feature: going from one cost to the next is paid by all trees that have a leaf so far away. */
static symcf_status share_feature(nearest_problem *p, nearest_part *part, uint32_t j)
{
	const uint32_t begin = part->use_start[j], n = part->use_start[j + 1] - begin;
	if (!symcf_grow(&p->scratch, &p->cap_scratch, 4 * (uint64_t)n + 4, sizeof *p->scratch))
		return symcf_no_memory();
	double *claims = p->scratch, *spare = p->scratch + 3 * (uint64_t)n;
	for (uint32_t i = 0; i < n; i++) {
		double farthest[3] = {-1, -1, -1};
		const nearest_use *u = &part->uses[begin + i];
		claim(p, part, &part->trees[u->tree], u->slot, farthest);
		for (uint32_t side = 0; side < 3; side++)
			claims[side * n + i] = farthest[side];
	}
	const double corner = (double)p->cost[nearest_index(p, j, part->corner[j])];
	for (uint32_t side = 0; side < 3; side++) {
		double *list = claims + (uint64_t)side * n;
		TRY(sort_claims(list, spare, n, NULL, NULL));
		uint32_t below = 0; /* claims that end before */
		double last = corner, sum = 0;
		for (uint32_t i = 0; i < p->n_by_cost[j]; i++) {
			const uint32_t index = p->by_cost[p->at[j] + i];
			if (side_of(p, j, index) != side)
				continue;
			const double cost = (double)p->cost[index];
			if (cost > last) {
				/* from the last cost to this one: claims may end on the way only at costs of places */
				while (below < n && list[below] < cost)
					below++;
				if (below < n)
					sum += (cost - last) / (double)(n - below);
				last = cost;
			}
			part->share[index] = sum;
		}
	}
	part->share[nearest_index(p, j, part->corner[j])] = 0;
	return SYMCF_OK;
}

static symcf_status list_uses(const nearest_problem *p, nearest_part *part)
{
	uint64_t total = 0;
	memset(part->use_start, 0, ((uint64_t)p->n + 1) * sizeof *part->use_start);
	for (uint32_t t = 0; t < part->n_trees; t++)
		for (uint32_t k = 0; k < part->trees[t].n_slots; k++) {
			part->use_start[part->feature[part->trees[t].slot + k] + 1]++;
			total++;
		}
	if (!symcf_grow(&part->uses, &part->cap_uses, total + 1, sizeof *part->uses))
		return symcf_no_memory();
	for (uint32_t j = 0; j < p->n; j++)
		part->use_start[j + 1] += part->use_start[j];
	for (uint32_t t = part->n_trees; t-- > 0;)
		for (uint32_t k = part->trees[t].n_slots; k-- > 0;) {
			const uint32_t j = part->feature[part->trees[t].slot + k];
			part->uses[--part->use_start[j + 1]] = (nearest_use){t, k};
		}
	/* the ends have become the beginnings of the next one's */
	for (uint32_t j = 0; j < p->n; j++)
		part->use_start[j] = part->use_start[j + 1];
	part->use_start[p->n] = (uint32_t)total;
	return SYMCF_OK;
}

static symcf_status share_out(nearest_problem *p, nearest_part *part, symcf_control *control)
{
	TRY(list_uses(p, part));
	for (uint32_t j = 0; j < p->n; j++)
		if (part->use_start[j] < part->use_start[j + 1]) {
			TRY(share_feature(p, part, j));
			TRY(symcf_tick(control, 40 * (part->use_start[j + 1] - part->use_start[j])));
		}
	if (!symcf_grow(&part->asks, &part->cap_asks, part->n_leaves + 1, sizeof *part->asks) ||
	    !symcf_grow(&part->path, &part->cap_path, part->n_leaves + 1, sizeof *part->path) ||
	    !symcf_grow(&part->off, &part->cap_off, part->n_leaves + 1, sizeof *part->off))
		return symcf_no_memory();
	for (uint32_t t = 0; t < part->n_trees; t++) {
		const nearest_tree *tree = &part->trees[t];
		for (uint32_t i = 0; i < tree->n_leaves; i++) {
			double sum = 0;
			int64_t path = 0;
			uint32_t off = 0;
			for (uint32_t k = 0; k < tree->n_slots; k++) {
				const uint32_t j = part->feature[tree->slot + k], corner = part->corner[j];
				const ensemble_range r =
					part->range[tree->range + (uint64_t)k * tree->n_leaves + i];
				if (ensemble_holds(r, corner))
					continue;
				off++;
				const uint32_t near = nearest_place(p, j, r, corner);
				path += p->cost[nearest_index(p, j, near)] - p->cost[nearest_index(p, j, corner)];
				sum += nearest_share(p, part, j, r, corner);
			}
			part->asks[tree->leaf + i] = sum;
			part->path[tree->leaf + i] = path;
			part->off[tree->leaf + i] = off;
		}
		TRY(symcf_tick(control, 10 * tree->n_leaves * (tree->n_slots + 1)));
	}
	return SYMCF_OK;
}

/* ----------------------------------------------------------------- multipliers --------------- */

/* Each tree picks its best leaf: what the values and the shares of these add up to. */
static double picked(const nearest_part *part, uint32_t c, double nu, double *value, double *asked)
{
	double v = (double)part->base[c], s = 0, q = nu * v;
	for (uint32_t t = 0; t < part->n_trees; t++) {
		const nearest_tree *tree = &part->trees[t];
		double best = -INFINITY, best_value = 0, best_asks = 0;
		for (uint32_t i = 0; i < tree->n_leaves; i++) {
			const double of = (double)part->value[(tree->leaf + i) * part->width + c];
			const double asks = part->asks[tree->leaf + i];
			/* nu = infinity: by value, then by share */
			const double key = isinf(nu) ? of : nu * of - asks;
			if (key > best || (key == best && asks < best_asks)) {
				best = key;
				best_value = of;
				best_asks = asks;
			}
		}
		v += best_value;
		s += best_asks;
		q += best;
	}
	*value = v;
	*asked = s;
	return q;
}

/* The multiplier of a column that bounds the cost best: the bound is concave in it, so that tangents lead there. */
static double best_multiplier(const nearest_part *part, uint32_t c)
{
	double low_value, low_asked, high_value, high_asked, nu = 0;
	picked(part, c, 0, &low_value, &low_asked);
	picked(part, c, INFINITY, &high_value, &high_asked);
	const double scale = (high_asked - low_asked) / (high_value - low_value);
	if (low_value >= 0 || !(high_value > low_value))
		return isfinite(scale) && scale > 0 ? scale : 0;
	for (uint32_t step = 0; step < STEPS; step++) {
		double value, asked;
		nu = (high_asked - low_asked) / (high_value - low_value);
		if (!(nu > 0) || !isfinite(nu))
			return 0;
		const double q = picked(part, c, nu, &value, &asked);
		if (q <= (nu * low_value - low_asked) * (1 + 1e-9) || value == low_value ||
		    value == high_value)
			break;
		if (value < 0) {
			low_value = value;
			low_asked = asked;
		} else {
			high_value = value;
			high_asked = asked;
		}
	}
	return nu;
}

/* Sets multipliers, and the bound of the whole part. */
static void bound_part(const nearest_problem *p, nearest_part *part)
{
	/* sums over trees, over costs along a feature, and along a way down */
	const double unit = 0x1p-51 * ((double)part->n_trees + (double)p->at[p->n] + 256);
	double best = (double)part->cost;
	double asks = (double)part->cost + (p->least < NEAREST_FAR ? (double)p->least : 0);
	for (uint32_t t = 0; t < part->n_trees; t++) {
		double most = 0;
		for (uint32_t i = 0; i < part->trees[t].n_leaves; i++)
			most = fmax(most, part->asks[part->trees[t].leaf + i]);
		asks += most;
	}
	for (uint32_t c = 0; c < part->width; c++) {
		const double nu = best_multiplier(part, c);
		double values = fabs((double)part->base[c]);
		for (uint32_t t = 0; t < part->n_trees; t++) {
			double most = 0;
			for (uint32_t i = 0; i < part->trees[t].n_leaves; i++)
				most = fmax(most,
				            fabs((double)part->value[(part->trees[t].leaf + i) * part->width + c]));
			values += most;
		}
		for (uint32_t i = 0; i < NEAREST_NUS; i++) {
			part->nu[c * NEAREST_NUS + i] = nu * SPREAD[i];
			part->slack[c * NEAREST_NUS + i] = unit * (nu * SPREAD[i] * values + asks);
		}
		double value, asked;
		const double q = picked(part, c, nu, &value, &asked);
		best = fmax(best, (double)part->cost - q - part->slack[c * NEAREST_NUS]);
	}
	best = ceil(best);
	part->bound = best >= 0x1p62 ? NEAREST_FAR : (int64_t)best;
	if (part->bound < part->cost)
		part->bound = part->cost;
}

/* ------------------------------------------------------------ what cannot be ----------------- */

/* Strikes leaves that cost too much alone, and those without which alone a column could reach 0.
 * ensures: false if no row of the box will do. */
static symcf_status strike_alone(nearest_problem *p, nearest_part *part, bool *alive, bool *struck)
{
	*alive = *struck = false;
	uint64_t longest = 0;
	for (uint32_t t = 0; t < part->n_trees; t++)
		longest = part->trees[t].n_leaves > longest ? part->trees[t].n_leaves : longest;
	if (!symcf_grow(&p->out, &p->cap_out, longest + 1, sizeof *p->out))
		return symcf_no_memory();
	for (uint32_t pass = 0; pass < 2; pass++) {
		for (uint32_t c = 0; c < part->width; c++) {
			p->most[c] = part->base[c];
			for (uint32_t t = 0; t < part->n_trees; t++) {
				const nearest_tree *tree = &part->trees[t];
				int64_t most = INT64_MIN;
				for (uint32_t i = 0; i < tree->n_leaves; i++) {
					const int64_t v = part->value[(tree->leaf + i) * part->width + c];
					most = v > most ? v : most;
				}
				p->most[c] += tree->n_leaves ? most : 0;
			}
			if (p->most[c] < 0)
				return SYMCF_OK;
		}
		for (uint32_t t = 0; t < part->n_trees; t++) {
			nearest_tree *tree = &part->trees[t];
			uint32_t left = tree->n_leaves;
			if (!left)
				continue;
			for (uint32_t i = 0; i < tree->n_leaves; i++) {
				const int64_t path = path_of(p, part, tree, i);
				p->out[i] = path == NEAREST_FAR || path > p->least - part->cost;
			}
			for (uint32_t c = 0; c < part->width; c++) {
				int64_t most = INT64_MIN;
				for (uint32_t i = 0; i < tree->n_leaves; i++) {
					const int64_t v = part->value[(tree->leaf + i) * part->width + c];
					most = v > most ? v : most;
				}
				for (uint32_t i = 0; i < tree->n_leaves; i++)
					if (p->most[c] - most + part->value[(tree->leaf + i) * part->width + c] < 0)
						p->out[i] = 1;
			}
			for (uint32_t i = 0; i < tree->n_leaves; i++)
				left -= p->out[i];
			if (!left)
				return SYMCF_OK;
			if (left < tree->n_leaves) {
				strike(part, tree, p->out);
				*struck = true;
			}
		}
	}
	*alive = true;
	return SYMCF_OK;
}

/* Strikes leaves that no row cheaper than the best so far can reach, by the bound with the leaf fixed. */
static bool strike_by_bound(nearest_problem *p, nearest_part *part, bool *struck)
{
	*struck = false;
	if (p->least == NEAREST_FAR)
		return true;
	for (uint32_t c = 0; c < part->width; c++) {
		double value, asked;
		const double nu = part->nu[c * NEAREST_NUS];
		const double q = picked(part, c, nu, &value, &asked);
		/* how far a tree may stay behind its best leaf */
		const double room =
			(double)p->least - (double)part->cost + q + 2 * part->slack[c * NEAREST_NUS];
		if (room < 0)
			return false;
		for (uint32_t t = 0; t < part->n_trees; t++) {
			nearest_tree *tree = &part->trees[t];
			double best = -INFINITY;
			uint32_t out = 0;
			for (uint32_t i = 0; i < tree->n_leaves; i++)
				best = fmax(best, nu * (double)part->value[(tree->leaf + i) * part->width + c] -
				                      part->asks[tree->leaf + i]);
			for (uint32_t i = 0; i < tree->n_leaves; i++) {
				const double key = nu * (double)part->value[(tree->leaf + i) * part->width + c] -
				                   part->asks[tree->leaf + i];
				p->out[i] = key < best - room;
				out += p->out[i];
			}
			if (!out)
				continue;
			*struck = true;
			uint32_t kept = 0; /* what `strike` does to the values, for the shares */
			for (uint32_t i = 0; i < tree->n_leaves; i++)
				if (!p->out[i])
					part->asks[tree->leaf + kept++] = part->asks[tree->leaf + i];
			strike(part, tree, p->out);
		}
	}
	return true;
}

/* Narrows the box to what the leaves of each tree hold together. */
static bool narrow(const nearest_problem *p, nearest_part *part)
{
	bool changed = false;
	for (uint32_t t = 0; t < part->n_trees; t++) {
		const nearest_tree *tree = &part->trees[t];
		for (uint32_t k = 0; k < tree->n_slots && tree->n_leaves; k++) {
			const uint32_t j = part->feature[tree->slot + k];
			const ensemble_range *block = part->range + tree->range + (uint64_t)k * tree->n_leaves;
			ensemble_range hull = {UINT32_MAX, 0, 0};
			for (uint32_t i = 0; i < tree->n_leaves; i++) {
				hull.special |= block[i].special;
				if (block[i].low < block[i].high) {
					hull.low = block[i].low < hull.low ? block[i].low : hull.low;
					hull.high = block[i].high > hull.high ? block[i].high : hull.high;
				}
			}
			const ensemble_range left = ensemble_meet(part->box[j], hull);
			if (!ensemble_same(left, part->box[j]) && !ensemble_is_empty(left)) {
				part->box[j] = ensemble_trim(&p->scene, j, left);
				changed = true;
			}
		}
	}
	return changed;
}

static void set_corner(const nearest_problem *p, nearest_part *part)
{
	part->cost = 0;
	part->changed = 0;
	for (uint32_t j = 0; j < p->n; j++) {
		part->corner[j] = symcf_nearest_cheapest(p, j, part->box[j]);
		part->cost += p->cost[nearest_index(p, j, part->corner[j])];
		part->changed += part->corner[j] != p->scene.place[j];
	}
}

/* The leaves within the box. ensures: *alive is false if no row of it will do. */
static symcf_status take_leaves(nearest_problem *p, const nearest_part *from, nearest_part *part,
                                symcf_control *control, bool *alive, bool *struck)
{
	*alive = false;
	set_corner(p, part);
	if (part->cost > p->least || part->changed > p->max_changes)
		return SYMCF_OK;
	memcpy(part->base, from->base, part->width * sizeof *part->base);
	part->n_trees = 0;
	part->n_leaves = part->n_slots = part->n_ranges = 0;
	for (uint32_t t = 0; t < from->n_trees; t++) {
		bool empty;
		TRY(restrict_tree(from, &from->trees[t], part, &empty));
		TRY(symcf_tick(control, 5 * from->trees[t].n_leaves * (from->trees[t].n_slots + 1)));
		if (empty)
			return SYMCF_OK;
		const nearest_tree *made = &part->trees[part->n_trees];
		if (is_constant(made))
			for (uint32_t c = 0; c < part->width; c++)
				part->base[c] += part->value[made->leaf * part->width + c];
		else
			keep_tree(part);
	}
	return strike_alone(p, part, alive, struck);
}

/* Removes the trees that are used up. */
static void close_ranks(nearest_part *part)
{
	uint32_t kept = 0;
	for (uint32_t t = 0; t < part->n_trees; t++)
		if (part->trees[t].n_leaves)
			part->trees[kept++] = part->trees[t];
	part->n_trees = kept;
}

symcf_status symcf_nearest_part_set(nearest_problem *p, const nearest_part *from,
                                    const ensemble_range *box, symcf_control *control,
                                    nearest_part *part)
{
	bool alive, struck;
	memcpy(part->box, box, p->n * sizeof *part->box);
	part->bound = NEAREST_FAR;
	for (uint32_t round = 0; round < NARROWED; round++) {
		TRY(take_leaves(p, from, part, control, &alive, &struck));
		if (!alive)
			return SYMCF_OK;
		if (!struck || round + 1 == NARROWED || !narrow(p, part))
			break;
	}
	TRY(merge_all(p, part, control));
	close_ranks(part);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		TRY(share_out(p, part, control));
		bound_part(p, part);
		if (round + 1 == ROUNDS || part->bound > p->least)
			break;
		if (!strike_by_bound(p, part, &struck)) {
			part->bound = NEAREST_FAR;
			break;
		}
		if (!struck)
			break;
	}
	return SYMCF_OK;
}
