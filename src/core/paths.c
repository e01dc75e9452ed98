/* paths.c: enumerates the paths from a node to a sink, as literals in a buffer.
 *
 * An iterative depth-first walk. A node branches at each value that leads elsewhere than value 0,
 * and last at "none of these"; of two values, that is value 1 before value 0. The literals chosen
 * so far are kept as one row, `prefix`; a path that ends is a copy of it. Every inner node of a
 * reduced diagram reaches both sinks, so the walk meets no dead end but the other sink: time is
 * linear in what is written, and in the dead values beside it.
 *
 * There are two walks: where no feature has more than two values, all of a node fits into a step
 * of 16 bytes and a fork has one way left, which is worth a loop of its own. There the copy
 * dominates. It moves eight literals at a time and may write up to seven too many, which
 * the next path overwrites; only within the last n + 8 entries of the buffer is it exact.
 */
#include "paths.h"

#include <assert.h>
#include <string.h>

#include "memory.h"

/* What the binary walk needs of a node, in one place: a quarter of a cache line. */
typedef struct step {
	int32_t literal; /* for value 1; that for value 0 is its negation */
	uint32_t high, low;
	uint32_t unused;
} step;

/* A node with branches still to be tried, and how many literals stood before it. */
typedef struct fork {
	uint32_t depth;
	uint32_t node;
} fork;

struct symcf_paths {
	const symcf_diagram *d;
	uint32_t sink;
	int32_t sign;    /* -1: the literals of the clause that forbids the path            */
	uint32_t n_vars; /* of the features: no path is longer                              */
	bool many;       /* some feature has more than two values                           */
	int32_t *first;  /* n + 1: see symcf_first_variables                                */
	step *steps;     /* by node; NULL if many                                           */
	uint32_t *tried; /* n, beside forks: the value tried last; NULL unless many         */
	int32_t *prefix; /* n_vars + 10: the path under way: lead literal, choices, stop    */
	uint32_t depth;  /* entries of prefix in use                                        */
	fork *forks;     /* n                                                               */
	uint32_t n_forks;
	const int32_t *stop; /* see paths.h; NULL: paths end at the sink only                   */
	uint32_t next;       /* the node to enter next, or the end of the path to emit          */
	enum { ENTER, RETREAT, EMIT, DONE } state;
};

symcf_status symcf_first_variables(const symcf_diagram *d, int32_t *first)
{
	first[0] = 1;
	for (uint32_t k = 0; k < d->n; k++) {
		if (d->arity[k] > INT32_MAX)
			return SYMCF_OVERFLOW;
		first[d->order[k] + 1] = (int32_t)d->arity[k] - 1;
	}
	for (uint32_t j = 0; j < d->n; j++)
		if (__builtin_add_overflow(first[j + 1], first[j], &first[j + 1]))
			return SYMCF_OVERFLOW;
	return SYMCF_OK;
}

static bool has_many_values(const symcf_diagram *d)
{
	for (uint32_t k = 0; k < d->n; k++)
		if (d->arity[k] > 2)
			return true;
	return false;
}

static void fill_steps(symcf_paths *p)
{
	const symcf_diagram *d = p->d;
	for (uint32_t u = 2; u < d->n_nodes; u++) {
		const int32_t variable = p->first[d->order[d->level[u]]];
		p->steps[u] = (step){p->sign * variable, symcf_child(d, u, 1), symcf_child(d, u, 0), 0};
	}
}

static bool allocate(symcf_paths *p)
{
	const uint64_t n = p->d->n;
	p->prefix = symcf_allocate_zeroed((uint64_t)p->n_vars + 10, sizeof *p->prefix);
	p->forks = symcf_allocate(n, sizeof *p->forks);
	if (p->many)
		p->tried = symcf_allocate(n, sizeof *p->tried);
	else
		p->steps = symcf_allocate(p->d->n_nodes, sizeof *p->steps);
	return p->prefix && p->forks && (p->tried || p->steps);
}

symcf_status symcf_paths_open(const symcf_diagram *d, uint32_t sink, bool negated,
                              symcf_paths **out)
{
	assert(sink <= 1);
	symcf_paths *p = symcf_allocate_zeroed(1, sizeof *p);
	int32_t *first = symcf_allocate((uint64_t)d->n + 1, sizeof *first);
	symcf_status status = p && first ? symcf_first_variables(d, first) : symcf_no_memory();
	if (status) {
		symcf_free(first);
		symcf_free(p);
		return status;
	}
	p->d = d;
	p->sink = sink;
	p->sign = negated ? -1 : 1;
	p->first = first;
	p->n_vars = (uint32_t)first[d->n] - 1;
	p->many = has_many_values(d);
	if (!allocate(p)) {
		symcf_paths_free(p);
		return symcf_no_memory();
	}
	if (!p->many)
		fill_steps(p);
	symcf_paths_restart(p, d->root, 0);
	*out = p;
	return SYMCF_OK;
}

void symcf_paths_free(symcf_paths *p)
{
	if (!p)
		return;
	symcf_free(p->first);
	symcf_free(p->steps);
	symcf_free(p->tried);
	symcf_free(p->prefix);
	symcf_free(p->forks);
	symcf_free(p);
}

uint64_t symcf_paths_longest(const symcf_paths *p)
{
	return (uint64_t)p->n_vars + 1;
}

void symcf_paths_stop_at(symcf_paths *p, const int32_t *stop)
{
	p->stop = stop;
}

void symcf_paths_restart(symcf_paths *p, uint32_t start, int32_t lead)
{
	p->depth = lead != 0;
	p->n_forks = 0;
	p->prefix[0] = lead;
	p->next = start;
	p->state = start > 1 ? ENTER : start == p->sink ? EMIT : DONE;
}

/* Copies the prefix and the closing 0. requires: size + 1 entries are free, eight more if roomy. */
static inline void copy_path(int32_t *to, const int32_t *prefix, uint32_t size, bool roomy)
{
	if (roomy)
		for (uint32_t i = 0; i < size; i += 8)
			memcpy(to + i, prefix + i, 8 * sizeof *to);
	else
		memcpy(to, prefix, size * sizeof *to);
	to[size] = 0;
}

/* Does a path end at this child? The other sink is a dead end. */
static inline bool ends(const symcf_paths *p, const int32_t *stop, uint32_t child)
{
	return child == p->sink || (stop && stop[child]);
}

/* ------------------------------------------------------------- two values per feature -------- */

/* `stop` is a constant NULL or p->stop, so that there are two versions of it. */
static inline symcf_status walk(symcf_paths *p, const int32_t *stop, symcf_control *control,
                                int32_t *buffer, uint64_t capacity, uint64_t *length,
                                uint64_t *count)
{
	const uint32_t dead = 1 - p->sink;
	const uint64_t margin = (uint64_t)p->n_vars + 10;
	const uint64_t roomy_until = capacity > margin ? capacity - margin : 0;
	const step *steps = p->steps;
	int32_t *prefix = p->prefix;
	fork *forks = p->forks;
	uint32_t depth = p->depth, n_forks = p->n_forks, u = p->next;
	uint64_t at = 0, paths = 0;
	symcf_status status = SYMCF_OK;
	switch (p->state) {
	case ENTER: goto enter;
	case RETREAT: goto retreat;
	case EMIT: goto emit;
	case DONE: goto done;
	}
enter: /* u is an inner node: value 1, and a note to come back for value 0 unless it is dead */
	for (;;) {
		const step s = steps[u];
		if (s.high == dead) {
			prefix[depth++] = -s.literal;
			u = s.low;
		} else {
			forks[n_forks] = (fork){depth, u};
			n_forks += s.low != dead;
			prefix[depth++] = s.literal;
			u = s.high;
		}
		if (ends(p, stop, u))
			break;
	}
emit: /* u is where the path ends */
	{
		uint32_t size = depth;
		if (stop && stop[u])
			prefix[size++] = stop[u];
		if (at + size + 1 > capacity) {
			p->state = EMIT;
			status = SYMCF_MORE;
			goto pause;
		}
		copy_path(buffer + at, prefix, size, at < roomy_until);
		at += size + 1;
		paths++;
		if ((status = symcf_tick(control, size + 8))) {
			p->state = RETREAT;
			goto pause;
		}
	}
retreat: /* to the last fork, and along its value 0 */
	if (n_forks) {
		const fork f = forks[--n_forks];
		depth = f.depth;
		prefix[depth++] = -steps[f.node].literal;
		u = steps[f.node].low;
		if (ends(p, stop, u))
			goto emit;
		goto enter;
	}
done:
	p->state = DONE;
pause:
	p->depth = depth;
	p->n_forks = n_forks;
	p->next = u;
	*length = at;
	*count = paths;
	return status;
}

/* ---------------------------------------------------------------- many values ---------------- */

/* The next value from v on that has a branch of its own and does not lead to the dead sink; 0 if
 * only the last branch is left, that of value 0 and whatever leads where it does. */
static uint32_t next_value(const symcf_paths *p, uint32_t u, uint32_t v)
{
	const uint32_t *child = symcf_children(p->d, u), arity = p->d->arity[p->d->level[u]];
	for (; v < arity; v++)
		if (child[v] != child[0] && child[v] != 1 - p->sink)
			return v;
	return 0;
}

/* Goes along the branch of value v of node u. */
static void follow(symcf_paths *p, uint32_t u, uint32_t v)
{
	const uint32_t *child = symcf_children(p->d, u), k = p->d->level[u];
	const int32_t before = p->first[p->d->order[k]] - 1; /* [X=v] is before + v */
	if (v)
		p->prefix[p->depth++] = p->sign * (before + (int32_t)v);
	for (uint32_t w = 1; !v && w < p->d->arity[k]; w++)
		if (child[w] != child[0])
			p->prefix[p->depth++] = -p->sign * (before + (int32_t)w);
	p->next = child[v];
	p->state = ends(p, p->stop, child[v]) ? EMIT : ENTER;
}

/* Tries the branches of u from that of value v on; back to an earlier fork if none is left. */
static void branch(symcf_paths *p, uint32_t u, uint32_t v)
{
	v = next_value(p, u, v);
	if (v) {
		p->forks[p->n_forks] = (fork){p->depth, u};
		p->tried[p->n_forks++] = v;
	} else if (symcf_child(p->d, u, 0) == 1 - p->sink) {
		p->state = RETREAT;
		return;
	}
	follow(p, u, v);
}

static void retreat(symcf_paths *p)
{
	if (!p->n_forks) {
		p->state = DONE;
		return;
	}
	const fork f = p->forks[--p->n_forks];
	p->depth = f.depth;
	branch(p, f.node, p->tried[p->n_forks] + 1);
}

static symcf_status walk_many(symcf_paths *p, symcf_control *control, int32_t *buffer,
                              uint64_t capacity, uint64_t *length, uint64_t *count)
{
	const uint64_t margin = (uint64_t)p->n_vars + 10;
	symcf_status status = SYMCF_OK;
	*length = *count = 0;
	while (p->state != DONE && !status) {
		uint32_t size = p->depth;
		if (p->state == ENTER) {
			branch(p, p->next, 1);
		} else if (p->state == RETREAT) {
			retreat(p);
		} else {
			if (p->stop && p->stop[p->next])
				p->prefix[size++] = p->stop[p->next];
			if (*length + size + 1 > capacity)
				return SYMCF_MORE;
			copy_path(buffer + *length, p->prefix, size, *length + margin < capacity);
			*length += size + 1;
			++*count;
			p->state = RETREAT;
			status = symcf_tick(control, size + 30);
		}
	}
	return status;
}

/* --------------------------------------------------------------------- both ------------------ */

symcf_status symcf_paths_next(symcf_paths *p, symcf_control *control, int32_t *buffer,
                              uint64_t capacity, uint64_t *length, uint64_t *count)
{
	if (p->many)
		return walk_many(p, control, buffer, capacity, length, count);
	if (p->stop)
		return walk(p, p->stop, control, buffer, capacity, length, count);
	return walk(p, NULL, control, buffer, capacity, length, count);
}

/* a + b, or false if it passes 2^63. */
static bool add(uint64_t *a, uint64_t b)
{
	return !__builtin_add_overflow(*a, b, a) && !(*a >> 63);
}

/* a + b * times, likewise. */
static bool add_times(uint64_t *a, uint64_t b, uint64_t times)
{
	return !__builtin_mul_overflow(b, times, &b) && add(a, b);
}

/* A node has the paths of its branches, each as much longer as the branch has literals. */
symcf_status symcf_paths_measure(const symcf_diagram *d, uint32_t sink, symcf_control *control,
                                 uint64_t *count, uint64_t *length)
{
	typedef struct measure {
		uint64_t paths, literals;
	} measure;
	measure *m = symcf_allocate_zeroed(d->n_nodes, sizeof *m);
	if (!m)
		return symcf_no_memory();
	bool fits = true;
	symcf_status status = SYMCF_OK;
	m[sink].paths = 1;
	for (uint32_t u = 2; u < d->n_nodes && fits && !status; u++) {
		const uint32_t *child = symcf_children(d, u);
		uint32_t apart = 0; /* values with a branch of their own */
		for (uint32_t v = 1; v < d->arity[d->level[u]]; v++) {
			if (child[v] == child[0])
				continue;
			const measure below = m[child[v]];
			apart++;
			fits = fits && add(&m[u].paths, below.paths) && add(&m[u].literals, below.literals) &&
			       add(&m[u].literals, below.paths);
		}
		const measure below = m[child[0]];
		fits = fits && add(&m[u].paths, below.paths) && add(&m[u].literals, below.literals) &&
		       add_times(&m[u].literals, below.paths, apart);
		status = symcf_tick(control, 4 * d->arity[d->level[u]]);
	}
	*count = m[d->root].paths;
	*length = m[d->root].literals;
	fits = fits && add(length, *count);
	symcf_free(m);
	return status ? status : fits ? SYMCF_OK : SYMCF_OVERFLOW;
}
