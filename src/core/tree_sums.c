/* tree_sums.c: the sum of decision trees, level by level, without adding them up.
 *
 * The problem. f(x) = 1 iff bias + sum of the leaves that x reaches >= 0, as a diagram over the
 * features in a given order. Adding the trees up as diagrams with numbers at the leaves makes nearly
 * every combination of leaves a node before any of them can be seen not to matter.
 *
 * Instead all trees are walked at once, from the root. Each tree becomes an ordered diagram with
 * numbers on its edges (edge_valued.h). What is left of the trees when the features of the upper levels
 * are known is then a multiset of nodes, a *sum*, and one number. Sums are kept once each, and what
 * the values of the next feature make of them is found when first asked for. Who walks them
 * (compile_trees.c) stops where the bounds decide.
 */
#include "tree_sums.h"

#include <assert.h>
#include <string.h>

#include "edge_valued.h"
#include "memory.h"
#include "try.h"

typedef struct sum {
	uint32_t level;
	uint32_t n_members;
	uint64_t first; /* its members, ascending */
	int64_t most;
	uint64_t runs;   /* the first of its runs  */
	uint32_t n_runs; /* 0: not expanded        */
	uint32_t hash;   /* of its members: going through all of them again would take seconds */
} sum;

struct tree_sums {
	const symcf_trees *trees;
	uint32_t n;
	uint32_t *place;         /* feature -> level */
	uint32_t *n_values;      /* by level         */
	edge_valued_edge *roots; /* by tree          */
	edge_valued edge_valued;
	sum *sums;
	uint32_t *members;   /* of the sums      */
	tree_sums_run *runs; /* of the sums      */
	uint64_t n_sums, n_members, n_runs;
	uint64_t cap_sums, cap_members, cap_runs;
	hash_table table;  /* of the sums      */
	uint32_t *scratch; /* members of a sum to be, ascending; room for as many as there are trees */
	uint32_t n_scratch;
};

/* --------------------------------------------------------------------- sums ------------------ */

/* The upper half of the hash of the members taken: tables begin their search by upper bits. */
static uint32_t hash_scratch(const tree_sums *f)
{
	uint64_t hash = f->n_scratch;
	for (uint32_t i = 0; i < f->n_scratch; i++)
		hash = hash_table_mix(hash, f->scratch[i]);
	return (uint32_t)(hash >> 32);
}

static uint64_t hash_sum(const void *owner, uint32_t number)
{
	return (uint64_t)((const tree_sums *)owner)->sums[number - 1].hash << 32;
}

/* Is it the sum of the members taken? */
static bool is_sum(const void *owner, uint32_t number, const void *unused)
{
	const tree_sums *f = owner;
	const sum *known = &f->sums[number - 1];
	(void)unused;
	if (known->n_members != f->n_scratch)
		return false;
	/* without members there may be no arrays, and memcmp takes no NULL */
	return !f->n_scratch ||
	       !memcmp(f->members + known->first, f->scratch, f->n_scratch * sizeof *f->scratch);
}

static void take_member(tree_sums *f, uint32_t member)
{
	uint32_t at = f->n_scratch;
	if (!member)
		return;
	while (at > 0 && f->scratch[at - 1] > member) {
		f->scratch[at] = f->scratch[at - 1];
		at--;
	}
	f->scratch[at] = member;
	f->n_scratch++;
}

static symcf_status new_sum(tree_sums *f, uint32_t hash)
{
	sum made = {.level = f->n, .n_members = f->n_scratch, .first = f->n_members, .hash = hash};
	if (!symcf_grow(&f->sums, &f->cap_sums, f->n_sums + 1, sizeof *f->sums) ||
	    !symcf_grow(&f->members, &f->cap_members, f->n_members + f->n_scratch, sizeof *f->members))
		return symcf_no_memory();
	for (uint32_t i = 0; i < f->n_scratch; i++) {
		const edge_valued_node *member = &f->edge_valued.nodes[f->scratch[i]];
		made.most += member->most;
		made.level = member->level < made.level ? member->level : made.level;
		f->members[f->n_members++] = f->scratch[i];
	}
	f->sums[f->n_sums++] = made;
	return SYMCF_OK;
}

/* The sum of the members taken, found or made. */
static symcf_status end_sum(tree_sums *f, uint32_t *out)
{
	TRY(symcf_hash_table_reserve(&f->table, 1, f->n_sums + 1, hash_sum, f));
	const uint32_t hash = hash_scratch(f);
	uint32_t *slot = hash_table_find(&f->table, (uint64_t)hash << 32, is_sum, f, NULL);
	if (!*slot) {
		TRY(new_sum(f, hash));
		*slot = (uint32_t)f->n_sums;
	}
	*out = *slot - 1;
	return SYMCF_OK;
}

/* Do values v - 1 and v make the same of each member? */
static bool same_as_before(const tree_sums *f, const sum *s, uint32_t v)
{
	for (uint32_t i = 0; i < s->n_members; i++) {
		const edge_valued_node *member = &f->edge_valued.nodes[f->members[s->first + i]];
		const edge_valued_edge *e = f->edge_valued.edges + member->first;
		if (member->level == s->level && !edge_valued_same(e[v - 1], e[v]))
			return false;
	}
	return true;
}

static symcf_status follow_sum(tree_sums *f, const sum *s, uint32_t v, tree_sums_run *run)
{
	*run = (tree_sums_run){.end = v + 1};
	f->n_scratch = 0;
	for (uint32_t i = 0; i < s->n_members; i++) {
		const edge_valued_edge member = {.node = f->members[s->first + i]};
		const edge_valued_edge next = edge_valued_follow(&f->edge_valued, member, s->level, v);
		take_member(f, next.node);
		run->gain += next.gain;
	}
	return end_sum(f, &run->sum);
}

symcf_status symcf_tree_sums_expand(tree_sums *f, uint32_t number, symcf_control *control)
{
	const sum s = f->sums[number]; /* a copy: the list may move */
	const uint64_t first = f->n_runs;
	symcf_status status = SYMCF_OK;
	tree_sums_run run;
	assert(s.level < f->n);
	for (uint32_t v = 0; v < f->n_values[s.level] && !status; v++) {
		if (v && same_as_before(f, &s, v)) {
			f->runs[f->n_runs - 1].end++;
			continue;
		}
		if ((status = follow_sum(f, &s, v, &run)))
			return status;
		if (!symcf_grow(&f->runs, &f->cap_runs, f->n_runs + 1, sizeof *f->runs))
			return symcf_no_memory();
		f->runs[f->n_runs++] = run;
		status = symcf_tick(control, 100 + 20 * s.n_members + hash_table_take_steps(&f->table));
	}
	f->sums[number].runs = first;
	f->sums[number].n_runs = status ? 0 : (uint32_t)(f->n_runs - first);
	return status;
}

symcf_status symcf_tree_sums_root(tree_sums *f, uint32_t *out, int64_t *gathered)
{
	f->n_scratch = 0;
	*gathered = f->trees->bias;
	for (uint32_t t = 0; t < f->trees->n_trees; t++) {
		take_member(f, f->roots[t].node);
		*gathered += f->roots[t].gain;
	}
	return end_sum(f, out);
}

uint32_t symcf_tree_sums_level(const tree_sums *f, uint32_t number)
{
	return f->sums[number].level;
}

int64_t symcf_tree_sums_most(const tree_sums *f, uint32_t number)
{
	return f->sums[number].most;
}

uint32_t symcf_tree_sums_n_runs(const tree_sums *f, uint32_t number)
{
	return f->sums[number].n_runs;
}

tree_sums_run symcf_tree_sums_get_run(const tree_sums *f, uint32_t number, uint32_t run)
{
	return f->runs[f->sums[number].runs + run];
}

uint64_t symcf_tree_sums_count(const tree_sums *f)
{
	return f->n_sums;
}

uint64_t symcf_tree_sums_bytes(const tree_sums *f)
{
	return symcf_edge_valued_bytes(&f->edge_valued) + f->cap_sums * sizeof *f->sums +
	       f->cap_members * sizeof *f->members + f->cap_runs * sizeof *f->runs +
	       hash_table_bytes(&f->table);
}

/* -------------------------------------------------------------------- trees ------------------ */

static const char *wrong_node(const symcf_trees *t, uint64_t first, uint64_t end, uint64_t u)
{
	const int64_t nodes = (int64_t)(end - first), own = (int64_t)(u - first);
	const int64_t all = t->left_start[t->start[t->n_trees]];
	const int32_t left = t->left[u], right = t->right[u];
	if (t->feature[u] == -1)
		return NULL;
	if (t->feature[u] < -1 || (uint32_t)t->feature[u] >= t->n)
		return "a node tests a feature that is not there";
	if (left <= own || left >= nodes || right <= own || right >= nodes)
		return "a child does not come after its node";
	if (t->left_start[u] < 0 || t->left_start[u] > all - (int64_t)t->n_values[t->feature[u]])
		return "a node does not say for each value where it goes";
	return NULL;
}

const char *symcf_tree_sums_wrong(const symcf_trees *t)
{
	const char *wrong = t->start[0] ? "the first tree does not begin at node 0" : NULL;
	for (uint32_t j = 0; j < t->n && !wrong; j++)
		if (!t->n_values[j])
			wrong = "a feature has no value";
	for (uint32_t i = 0; i < t->n_trees && !wrong; i++)
		if (t->start[i] >= t->start[i + 1])
			wrong = "a tree has no node";
	for (int64_t i = 0; !wrong && i < t->left_start[t->start[t->n_trees]]; i++)
		if (t->left_values[i] > 1)
			wrong = "where a value goes is neither 0 nor 1";
	for (uint32_t i = 0; i < t->n_trees && !wrong; i++)
		for (uint64_t u = t->start[i]; u < t->start[i + 1] && !wrong; u++)
			wrong = wrong_node(t, t->start[i], t->start[i + 1], u);
	return wrong;
}

/* Any sum of leaves fits with bits to spare. */
static bool fits(const symcf_trees *t)
{
	const int64_t most = (int64_t)1 << 60;
	if (t->bias <= -most || t->bias >= most)
		return false;
	int64_t total = 0;
	for (uint32_t i = 0; i < t->n_trees; i++) {
		int64_t largest = 0;
		for (uint64_t u = t->start[i]; u < t->start[i + 1]; u++) {
			if (t->feature[u] != -1)
				continue;
			if (t->score[u] <= -most || t->score[u] >= most)
				return false;
			const int64_t size = t->score[u] < 0 ? -t->score[u] : t->score[u];
			largest = size > largest ? size : largest;
		}
		if ((total += largest) >= most)
			return false;
	}
	return true;
}

/* Children come after parents, so the last node goes first. at: scratch, one edge per node. */
static symcf_status order_tree(tree_sums *f, uint32_t number, edge_valued_edge *at)
{
	const symcf_trees *t = f->trees;
	const uint64_t first = t->start[number];
	symcf_status status = SYMCF_OK;
	for (uint64_t u = t->start[number + 1]; u-- > first && !status;) {
		if (t->feature[u] == -1)
			at[u - first] = (edge_valued_edge){.gain = t->score[u]};
		else
			status = symcf_edge_valued_choose(&f->edge_valued, f->place[t->feature[u]],
			                                  t->left_values + t->left_start[u], at[t->left[u]],
			                                  at[t->right[u]], &at[u - first]);
	}
	f->roots[number] = at[0];
	return status;
}

static symcf_status order_trees(tree_sums *f, symcf_control *control)
{
	const symcf_trees *t = f->trees;
	uint64_t most = 1;
	for (uint32_t i = 0; i < t->n_trees; i++)
		most = t->start[i + 1] - t->start[i] > most ? t->start[i + 1] - t->start[i] : most;
	edge_valued_edge *at = symcf_allocate_zeroed(most, sizeof *at);
	symcf_status status = at ? SYMCF_OK : symcf_no_memory();
	for (uint32_t i = 0; i < t->n_trees && !status; i++) {
		status = order_tree(f, i, at);
		if (control && !status)
			control->level = i + 1;
		if (!status)
			status = symcf_hold(control, symcf_tree_sums_bytes(f));
	}
	symcf_free(at);
	return status;
}

static symcf_status set_out(tree_sums *f, const uint32_t *order, symcf_control *control)
{
	const symcf_trees *t = f->trees;
	f->place = symcf_allocate(f->n, sizeof *f->place);
	f->n_values = symcf_allocate(f->n, sizeof *f->n_values);
	f->roots = symcf_allocate(t->n_trees, sizeof *f->roots);
	f->scratch = symcf_allocate(t->n_trees, sizeof *f->scratch);
	if (!f->place || !f->n_values || !f->roots || !f->scratch)
		return symcf_no_memory();
	for (uint32_t k = 0; k < f->n; k++) {
		f->place[order[k]] = k;
		f->n_values[k] = t->n_values[order[k]];
	}
	f->edge_valued.n_values = f->n_values;
	f->edge_valued.control = control;
	return symcf_edge_valued_open(&f->edge_valued, f->n);
}

symcf_status symcf_tree_sums_open(const symcf_trees *trees, const uint32_t *order,
                                  symcf_control *control, const char **reason, tree_sums **out)
{
	if ((*reason = symcf_tree_sums_wrong(trees)))
		return SYMCF_INVALID;
	if (!fits(trees))
		return SYMCF_OVERFLOW;
	tree_sums *f = symcf_allocate_zeroed(1, sizeof *f);
	if (!f)
		return symcf_no_memory();
	f->trees = trees;
	f->n = trees->n;
	symcf_status status = set_out(f, order, control);
	if (!status)
		status = order_trees(f, control);
	if (status)
		symcf_tree_sums_free(f);
	else
		*out = f;
	return status;
}

void symcf_tree_sums_free(tree_sums *f)
{
	if (!f)
		return;
	symcf_edge_valued_free_arrays(&f->edge_valued);
	symcf_free(f->place);
	symcf_free(f->n_values);
	symcf_free(f->roots);
	symcf_free(f->sums);
	symcf_free(f->members);
	symcf_free(f->runs);
	symcf_hash_table_free(&f->table);
	symcf_free(f->scratch);
	symcf_free(f);
}
