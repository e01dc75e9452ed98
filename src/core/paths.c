/* paths.c: enumerates the paths from a node to a sink, as literals in a buffer.
 *
 * An iterative depth-first walk, value 1 before value 0. The literals chosen so far are kept as
 * one row, `prefix`; a path that ends is a copy of it. Every inner node of a reduced diagram
 * reaches both sinks, so the walk meets no dead end but the other sink: time is linear in what
 * is written.
 *
 * The copy dominates. It moves eight literals at a time and may write up to seven too many, which
 * the next path overwrites; only within the last n + 8 entries of the buffer is it exact.
 */
#include "paths.h"

#include <assert.h>
#include <string.h>

#include "memory.h"

/* What the walk needs of a node, in one place: a quarter of a cache line. */
typedef struct step {
	int32_t literal; /* for value 1; that for value 0 is its negation */
	uint32_t high, low;
	uint32_t unused;
} step;

/* A node whose value 0 is still to be tried, and how many literals stood before it. */
typedef struct fork {
	uint32_t depth;
	uint32_t node;
} fork;

struct symcf_paths {
	const symcf_diagram *d;
	uint32_t sink;
	step *steps;     /* by node                                                         */
	int32_t *prefix; /* n + 10: the path under way: lead literal, choices, stop literal */
	uint32_t depth;  /* entries of prefix in use                                        */
	fork *forks;     /* n                                                               */
	uint32_t n_forks;
	const int32_t *stop; /* see paths.h; NULL: paths end at the sink only                   */
	uint32_t next;       /* the node to enter next, or the end of the path to emit          */
	enum { ENTER, RETREAT, EMIT, DONE } state;
};

static void fill_steps(symcf_paths *p, bool negated)
{
	const symcf_diagram *d = p->d;
	for (uint32_t u = 2; u < d->n_nodes; u++) {
		const int32_t variable = (int32_t)d->order[d->level[u]] + 1;
		p->steps[u] =
			(step){negated ? -variable : variable, symcf_child(d, u, 1), symcf_child(d, u, 0), 0};
	}
}

symcf_status symcf_paths_open(const symcf_diagram *d, uint32_t sink, bool negated,
                              symcf_paths **out)
{
	assert(sink <= 1);
	for (uint32_t k = 0; k < d->n; k++)
		if (d->arity[k] != 2)
			return SYMCF_UNSUPPORTED;
	symcf_paths *p = symcf_allocate_zeroed(1, sizeof *p);
	if (!p)
		return SYMCF_NO_MEMORY;
	p->d = d;
	p->sink = sink;
	p->steps = symcf_allocate(d->n_nodes, sizeof *p->steps);
	p->prefix = symcf_allocate_zeroed((uint64_t)d->n + 10, sizeof *p->prefix);
	p->forks = symcf_allocate(d->n, sizeof *p->forks);
	if (!p->steps || !p->prefix || !p->forks) {
		symcf_paths_free(p);
		return SYMCF_NO_MEMORY;
	}
	fill_steps(p, negated);
	symcf_paths_restart(p, d->root, 0);
	*out = p;
	return SYMCF_OK;
}

void symcf_paths_free(symcf_paths *p)
{
	if (!p)
		return;
	symcf_free(p->steps);
	symcf_free(p->prefix);
	symcf_free(p->forks);
	symcf_free(p);
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

/* The walk itself; `stop` is a constant NULL or p->stop, so that there are two versions of it. */
static inline symcf_status walk(symcf_paths *p, const int32_t *stop, symcf_control *control,
                                int32_t *buffer, uint64_t capacity, uint64_t *length,
                                uint64_t *count)
{
	const uint32_t n = p->d->n, dead = 1 - p->sink;
	const uint64_t roomy_until = capacity > (uint64_t)n + 10 ? capacity - n - 10 : 0;
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

symcf_status symcf_paths_next(symcf_paths *p, symcf_control *control, int32_t *buffer,
                              uint64_t capacity, uint64_t *length, uint64_t *count)
{
	if (p->stop)
		return walk(p, p->stop, control, buffer, capacity, length, count);
	return walk(p, NULL, control, buffer, capacity, length, count);
}

/* a + b, or false if it passes 2^63. */
static bool add(uint64_t *a, uint64_t b)
{
	return !__builtin_add_overflow(*a, b, a) && !(*a >> 63);
}

/* A node has the paths of its children, each one literal longer. */
symcf_status symcf_paths_measure(const symcf_diagram *d, uint32_t sink, uint64_t *count,
                                 uint64_t *length)
{
	typedef struct measure {
		uint64_t paths, literals;
	} measure;
	measure *m = symcf_allocate_zeroed(d->n_nodes, sizeof *m);
	if (!m)
		return SYMCF_NO_MEMORY;
	bool fits = true;
	m[sink].paths = 1;
	for (uint32_t u = 2; u < d->n_nodes && fits; u++)
		for (uint32_t v = 0; v < d->arity[d->level[u]]; v++) {
			const measure below = m[symcf_child(d, u, v)];
			fits = fits && add(&m[u].paths, below.paths) && add(&m[u].literals, below.literals) &&
			       add(&m[u].literals, below.paths);
		}
	*count = m[d->root].paths;
	*length = m[d->root].literals;
	fits = fits && add(length, *count);
	symcf_free(m);
	return fits ? SYMCF_OK : SYMCF_OVERFLOW;
}
