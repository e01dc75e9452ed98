/* related.c: minimal changes of threshold functions within several relations that share no feature.
 *
 * Of each relation, the features that change are one part of its features; a part gains the most that a
 * combination which changes just these can gain (cover_within.c). The parts of the relations and the
 * other features gain independently of each other. So a minimal set is a choice of one part of each
 * relation, or none, and of other features, that reaches the deficit, and does not if any part is
 * replaced by a smaller one or any feature stays: the problem of moves_cover.c, where a relation is a
 * feature, its parts are places to go to, and what is nearer than a part is contained in it. If the row
 * itself does not obey a relation, something of it has to change.
 */
#include "memory.h"
#include "moves_cover.h"
#include "try.h"

struct symcf_related {
	uint32_t n_groups, n_steps;
	uint32_t *chain_start,
		*step_start;                 /* by group and by step, and one more                       */
	uint32_t *member_start, *member; /* by step, the features                                    */
	int64_t *cost;                   /* by step                                                  */
	cover_part *part;                /* of the relation at hand                                  */
	bool *related;                   /* by feature                                               */
	symcf_moves moves;
	symcf_moves_cover *cover;
};

typedef struct problem {
	const symcf_threshold *const *rival;
	const symcf_relation *const *relation;
	const symcf_query *q;
	uint32_t n, n_rivals, n_relations;
	int64_t sign;
} problem;

void symcf_related_free(symcf_related *e)
{
	if (!e)
		return;
	symcf_moves_cover_free(e->cover);
	symcf_free(e->chain_start);
	symcf_free(e->step_start);
	symcf_free(e->member_start);
	symcf_free(e->member);
	symcf_free(e->cost);
	symcf_free(e->part);
	symcf_free(e->related);
	symcf_free(e);
}

/* Room for all parts but the empty ones, and for a step for each other feature. */
static symcf_status allocate(symcf_related *e, const problem *p)
{
	uint64_t steps = p->n, members = p->n, most = 1;
	for (uint32_t i = 0; i < p->n_relations; i++) {
		const uint32_t r = p->relation[i]->n;
		if (r > COVER_RELATED)
			return SYMCF_UNSUPPORTED;
		const uint64_t parts = UINT64_C(1) << r;
		steps += parts;
		members += parts * r;
		most = parts > most ? parts : most;
	}
	const uint64_t groups = (uint64_t)p->n_relations + p->n;
	e->chain_start = symcf_allocate(groups + 1, sizeof *e->chain_start);
	e->step_start = symcf_allocate(steps + 1, sizeof *e->step_start);
	e->member_start = symcf_allocate(steps + 1, sizeof *e->member_start);
	e->member = symcf_allocate(members, sizeof *e->member);
	e->cost = symcf_allocate(steps, sizeof *e->cost);
	e->part = symcf_allocate(most, sizeof *e->part);
	e->related = symcf_allocate_zeroed(p->n, sizeof *e->related);
	const bool room = e->chain_start && e->step_start && e->member_start && e->member && e->cost &&
	                  e->part && e->related;
	return room ? SYMCF_OK : symcf_no_memory();
}

/* Adds a step that stands for some features: those of `features` whose bit is set. */
static void add_step(symcf_related *e, const problem *p, const uint32_t *features, uint32_t bits)
{
	const uint32_t s = e->n_steps++;
	uint32_t at = e->member_start[s];
	e->cost[s] = 0;
	for (uint32_t i = 0; bits >> i; i++)
		if (bits >> i & 1) {
			e->member[at++] = features[i];
			e->cost[s] += p->q->cost ? p->q->cost[features[i]] : 1;
		}
	e->member_start[s + 1] = at;
	e->step_start[s + 1] = e->n_steps;
}

/* Each step is a chain of its own. A part is a step if some combination allows it, whatever the rival. */
static symcf_status make_steps(symcf_related *e, const problem *p, symcf_control *control)
{
	e->step_start[0] = e->member_start[0] = e->chain_start[0] = 0;
	for (uint32_t i = 0; i < p->n_relations; i++) {
		const symcf_relation *r = p->relation[i];
		TRY(symcf_cover_parts(p->rival[0], r, p->q, p->sign, control, e->part));
		for (uint32_t bits = 1; bits < UINT32_C(1) << r->n; bits++)
			if (e->part[bits].gain != COVER_NO_GAIN)
				add_step(e, p, r->feature, bits);
		for (uint32_t f = 0; f < r->n; f++)
			e->related[r->feature[f]] = true;
		e->chain_start[++e->n_groups] = e->n_steps;
	}
	for (uint32_t j = 0; j < p->n; j++)
		if (!e->related[j]) {
			add_step(e, p, &j, 1);
			e->chain_start[++e->n_groups] = e->n_steps;
		}
	e->moves = (symcf_moves){.n = e->n_groups,
	                         .chain_start = e->chain_start,
	                         .step_start = e->step_start,
	                         .max_changes = p->q->max_changes};
	return SYMCF_OK;
}

/* What a feature can gain towards a rival. */
static int64_t gain_of(const problem *p, const symcf_threshold *t, uint32_t j)
{
	const int64_t *weight = t->weight + t->value_offset[j];
	const uint8_t *allowed = p->q->allowed ? p->q->allowed + t->value_offset[j] : NULL;
	int64_t most = 0;
	for (uint32_t v = 0; v < t->value_offset[j + 1] - t->value_offset[j]; v++) {
		const int64_t gain = p->sign * (weight[v] - weight[p->q->x[j]]);
		most = (!allowed || allowed[v]) && gain > most ? gain : most;
	}
	return most;
}

static symcf_status find_gains(symcf_related *e, const problem *p, uint32_t r,
                               symcf_control *control)
{
	const symcf_threshold *t = p->rival[r];
	const int64_t score = symcf_threshold_score(t, p->q->x);
	int64_t *gain = e->cover->gain + (uint64_t)r * e->n_steps;
	int64_t *before = e->cover->before + (uint64_t)r * e->n_steps;
	uint32_t s = 0;
	e->cover->deficit[r] = p->sign > 0 ? -score : score + 1;
	if (e->cover->deficit[r] <= 0)
		return SYMCF_INVALID;
	for (uint32_t i = 0; i < p->n_relations; i++) {
		const symcf_relation *relation = p->relation[i];
		TRY(symcf_cover_parts(t, relation, p->q, p->sign, control, e->part));
		e->cover->must[i] = e->part[0].gain == COVER_NO_GAIN;
		for (uint32_t bits = 1; bits < UINT32_C(1) << relation->n; bits++)
			if (e->part[bits].gain != COVER_NO_GAIN) {
				gain[s] = e->part[bits].gain;
				before[s++] = e->part[bits].below;
			}
	}
	for (; s < e->n_steps; s++) {
		gain[s] = gain_of(p, t, e->member[e->member_start[s]]);
		before[s] = 0;
	}
	return SYMCF_OK;
}

static symcf_status prepare(symcf_related *e, const problem *p, symcf_control *control)
{
	TRY(allocate(e, p));
	TRY(make_steps(e, p, control));
	TRY(symcf_moves_cover_create(&e->moves, p->n_rivals, e->cost, p->n + 1, &e->cover));
	e->cover->member_start = e->member_start;
	e->cover->member = e->member;
	e->cover->set_cost = p->q->cost;
	for (uint32_t r = 0; r < p->n_rivals; r++)
		TRY(find_gains(e, p, r, control));
	symcf_moves_cover_begin(e->cover);
	return SYMCF_OK;
}

symcf_status symcf_related_open(const symcf_threshold *const *rival, uint32_t n_rivals,
                                bool upwards, const symcf_relation *const *relation,
                                uint32_t n_relations, const symcf_query *q, symcf_control *control,
                                symcf_related **out)
{
	if (!n_rivals)
		return SYMCF_INVALID;
	for (uint32_t r = 0; r < n_rivals; r++)
		if (rival[r]->n != rival[0]->n)
			return SYMCF_INVALID;
	const problem p = {rival, relation, q, rival[0]->n, n_rivals, n_relations, upwards ? 1 : -1};
	symcf_related *e = symcf_allocate_zeroed(1, sizeof *e);
	if (!e)
		return symcf_no_memory();
	const symcf_status status = prepare(e, &p, control);
	if (status)
		symcf_related_free(e);
	else
		*out = e;
	return status;
}

symcf_status symcf_related_next(symcf_related *e, symcf_control *control, uint64_t limit,
                                symcf_sets *sets)
{
	return symcf_moves_cover_next(e->cover, control, limit, sets);
}

symcf_status symcf_related_best(symcf_related *e, uint64_t k, symcf_control *control,
                                symcf_sets *sets)
{
	return symcf_moves_cover_best(e->cover, k, control, sets);
}

symcf_status symcf_related_tally(symcf_related *e, symcf_control *control, uint64_t *n_sets)
{
	return symcf_moves_cover_tally(e->cover, control, n_sets);
}
