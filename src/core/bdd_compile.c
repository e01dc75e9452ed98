/* bdd_compile.c: threshold function -> CUDD's BDD, the way of the literature.
 *
 * Chan and Darwiche (UAI 2003) compile a naive Bayes classifier by reading one feature after the
 * other and remembering what is left to decide: "do the features from level k on sum to at least
 * t?". All t between two consecutive sums of the suffix ask the same question. So a level remembers
 * intervals of t, each with its node, and a question whose t lies in a known interval is not asked
 * again. The interval of a node follows from those of its children: t may move as far as none of
 * them changes.
 *
 * Nodes go straight into CUDD's unique table, each when its children are known. compile.c makes the
 * same diagram by merging sorted arrays, many times as fast; the two share no code, so that each is
 * a check of the other (backend="cudd" in Python).
 *
 * The depth-first walk keeps its own stack, one frame per level. The intervals of a level are a
 * treap: disjoint, ordered by where they begin, a heap by random priorities.
 */
#include "bdd.h"
#include "memory.h"

/* Beyond every sum: weights and thresholds have 61 bits. */
#define NEVER INT64_MAX

/* A question that was answered: all t from low to high lead to this node. */
typedef struct answer {
	int64_t low, high;
	DdNode *node; /* referenced */
	uint32_t left, right, priority;
} answer;

/* A node under construction. */
typedef struct frame {
	int64_t at;        /* t                                          */
	int64_t low, high; /* where the children found so far stay       */
	uint32_t value;    /* the child that is looked for now           */
} frame;

typedef struct compiler {
	symcf_bdd *b;
	const symcf_threshold *t;
	const uint32_t *order;
	symcf_control *control;
	int64_t *lowest;    /* n: by level, the smallest weight                   */
	int64_t *rest;      /* n + 1: the largest sum of the levels from k        */
	frame *frames;      /* n                                                  */
	DdNode **children;  /* by level, as the values of its feature lie in t    */
	answer *answers;    /* 0 is nobody                                        */
	uint32_t *answered; /* n: by level, the root of its treap                 */
	uint64_t n_answers, cap_answers;
	uint32_t random;
} compiler;

/* ------------------------------------------------------------------ intervals ---------------- */

static uint32_t find(const compiler *c, uint32_t level, int64_t t)
{
	uint32_t u = c->answered[level];
	while (u && (t < c->answers[u].low || t > c->answers[u].high))
		u = t < c->answers[u].low ? c->answers[u].left : c->answers[u].right;
	return u;
}

/* Hangs answer `fresh` where its priority wants it; what hung there is split around it. */
static void insert(answer *pool, uint32_t *root, uint32_t fresh)
{
	uint32_t *at = root;
	while (*at && pool[*at].priority >= pool[fresh].priority)
		at = pool[fresh].low < pool[*at].low ? &pool[*at].left : &pool[*at].right;
	uint32_t rest = *at, *less = &pool[fresh].left, *more = &pool[fresh].right;
	*at = fresh;
	while (rest) {
		if (pool[rest].low < pool[fresh].low) {
			*less = rest;
			less = &pool[rest].right;
			rest = *less;
		} else {
			*more = rest;
			more = &pool[rest].left;
			rest = *more;
		}
	}
	*less = *more = 0;
}

static symcf_status remember(compiler *c, uint32_t level, const frame *f, DdNode *node)
{
	if (c->n_answers >= UINT32_MAX - 1)
		return SYMCF_OVERFLOW;
	if (!symcf_grow(&c->answers, &c->cap_answers, c->n_answers + 1, sizeof *c->answers))
		return symcf_no_memory();
	c->random = c->random * 1664525u + 1013904223u;
	c->answers[c->n_answers] = (answer){f->low, f->high, node, 0, 0, c->random};
	insert(c->answers, &c->answered[level], (uint32_t)c->n_answers++);
	return SYMCF_OK;
}

/* --------------------------------------------------------------------- nodes ----------------- */

static uint32_t arity_of(const compiler *c, uint32_t level)
{
	const uint32_t j = c->order[level];
	return c->t->value_offset[j + 1] - c->t->value_offset[j];
}

static int64_t step_of(const compiler *c, uint32_t level, uint32_t value)
{
	return c->t->weight[c->t->value_offset[c->order[level]] + value] - c->lowest[level];
}

/* The child under way has this node for all t from low to high. */
static void take_child(compiler *c, uint32_t level, DdNode *node, int64_t low, int64_t high)
{
	frame *f = &c->frames[level];
	const int64_t step = step_of(c, level, f->value);
	c->children[c->t->value_offset[c->order[level]] + f->value++] = node;
	if (low != -NEVER && low + step > f->low)
		f->low = low + step;
	if (high != NEVER && high + step < f->high)
		f->high = high + step;
}

/* Where the question "from this level on at least t?" is decided or was answered before, it is
 * taken as the child of the level above. */
static bool take_known(compiler *c, uint32_t level, int64_t t)
{
	if (t <= 0) {
		take_child(c, level - 1, Cudd_ReadOne(c->b->manager), -NEVER, 0);
		return true;
	}
	if (t > c->rest[level]) {
		take_child(c, level - 1, Cudd_ReadLogicZero(c->b->manager), c->rest[level] + 1, NEVER);
		return true;
	}
	const uint32_t known = find(c, level, t);
	if (known)
		take_child(c, level - 1, c->answers[known].node, c->answers[known].low,
		           c->answers[known].high);
	return known != 0;
}

typedef struct new_node {
	uint32_t feature;
	DdNode *const *children;
	DdNode *made;
} new_node;

static symcf_status make_node(symcf_bdd *b, void *data)
{
	new_node *node = data;
	node->made = symcf_bdd_chain(b, node->feature, node->children);
	return node->made ? SYMCF_OK : symcf_bdd_failure(b);
}

/* All children of the frame are known. */
static symcf_status finish(compiler *c, uint32_t level)
{
	const uint32_t j = c->order[level];
	new_node node = {j, c->children + c->t->value_offset[j], NULL};
	symcf_control *control = c->control;
	if (control && control->max_nodes && c->n_answers > control->max_nodes)
		return SYMCF_LIMIT_NODES;
	symcf_status status = symcf_bdd_guard(c->b, make_node, &node);
	if (status)
		return status;
	status = remember(c, level, &c->frames[level], node.made);
	if (status) {
		Cudd_RecursiveDeref(c->b->manager, node.made);
		return status;
	}
	if (control)
		control->nodes = c->n_answers - 1;
	return symcf_tick(control, WORK_A_NODE);
}

static void open_frame(compiler *c, uint32_t level, int64_t t)
{
	c->frames[level] = (frame){t, -NEVER, NEVER, 0};
}

/* requires: 0 < t <= rest[0]. ensures: *root is a node of an answer. */
static symcf_status walk(compiler *c, int64_t t, DdNode **root)
{
	uint32_t level = 0;
	open_frame(c, 0, t);
	for (;;) {
		frame *f = &c->frames[level];
		if (f->value < arity_of(c, level)) {
			const int64_t left = f->at - step_of(c, level, f->value);
			if (!take_known(c, level + 1, left))
				open_frame(c, ++level, left);
			continue;
		}
		const symcf_status status = finish(c, level);
		if (status)
			return status;
		const answer *made = &c->answers[c->n_answers - 1];
		if (level == 0) {
			*root = made->node;
			return SYMCF_OK;
		}
		take_child(c, --level, made->node, made->low, made->high);
	}
}

/* ---------------------------------------------------------------- set up, hand over ---------- */

static symcf_status prepare(compiler *c, int64_t *threshold)
{
	const uint32_t n = c->t->n;
	c->lowest = symcf_allocate(n, sizeof *c->lowest);
	c->rest = symcf_allocate_zeroed((uint64_t)n + 1, sizeof *c->rest);
	c->frames = symcf_allocate(n, sizeof *c->frames);
	c->children = symcf_allocate(c->t->value_offset[n], sizeof(DdNode *));
	c->answered = symcf_allocate_zeroed(n, sizeof *c->answered);
	if (!c->lowest || !c->rest || !c->frames || !c->children || !c->answered)
		return symcf_no_memory();
	c->n_answers = 1;
	*threshold = -c->t->bias;
	for (uint32_t k = n; k-- > 0;) {
		const int64_t *weight = c->t->weight + c->t->value_offset[c->order[k]];
		int64_t low = weight[0], high = weight[0];
		for (uint32_t v = 1; v < arity_of(c, k); v++) {
			low = weight[v] < low ? weight[v] : low;
			high = weight[v] > high ? weight[v] : high;
		}
		c->lowest[k] = low;
		c->rest[k] = c->rest[k + 1] + high - low;
		*threshold -= low;
	}
	return SYMCF_OK;
}

static void dispose(compiler *c)
{
	/* parents come after their children: no node dies before its parents do */
	while (c->n_answers-- > 1 && !symcf_bdd_is_lost(c->b))
		Cudd_RecursiveDeref(c->b->manager, c->answers[c->n_answers].node);
	symcf_free(c->lowest);
	symcf_free(c->rest);
	symcf_free(c->frames);
	symcf_free(c->children);
	symcf_free(c->answers);
	symcf_free(c->answered);
}

static symcf_status compile(symcf_bdd *b, const symcf_threshold *t, const uint32_t *order,
                            symcf_control *control)
{
	compiler c = {.b = b, .t = t, .order = order, .control = control, .n_answers = 1};
	int64_t threshold = 0;
	DdNode *root = NULL;
	symcf_status status = prepare(&c, &threshold);
	if (!status && (threshold <= 0 || threshold > c.rest[0]))
		root = threshold <= 0 ? Cudd_ReadOne(b->manager) : Cudd_ReadLogicZero(b->manager);
	else if (!status)
		status = walk(&c, threshold, &root);
	if (!status) {
		Cudd_Ref(root);
		b->root = root;
	}
	dispose(&c);
	return status;
}

symcf_status symcf_bdd_compile(const symcf_threshold *t, const uint32_t *order,
                               symcf_control *control, symcf_bdd **out)
{
	enum { GUESS = 1 << 12 };
	uint32_t *arity = symcf_allocate(t->n, sizeof *arity);
	symcf_bdd *b;
	if (!arity)
		return symcf_no_memory();
	for (uint32_t k = 0; k < t->n; k++)
		arity[k] = t->value_offset[order[k] + 1] - t->value_offset[order[k]];
	symcf_status status = symcf_bdd_create(t->n, order, arity, GUESS, control, &b);
	symcf_free(arity);
	if (status)
		return status;
	symcf_bdd_begin(b, control, WORK_A_NODE);
	status = compile(b, t, order, control);
	symcf_bdd_end(b);
	return bdd_hand_over(b, status, out);
}
