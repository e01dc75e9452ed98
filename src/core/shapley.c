/* shapley.c: exact Shapley values of a decision diagram, under a product distribution.
 *
 * The problem. Let v(S) be the probability of a decision if the features in S are as in x and the
 * others are drawn independently. Feature j's Shapley value is what it adds to v on average, over all
 * orders in which the features can become known. For diagrams this takes polynomial time (Arenas,
 * Barcelo, Bertossi, Monet, "The tractability of SHAP-scores over deterministic and decomposable
 * Boolean circuits", AAAI 2021).
 *
 * The deviation. They count sets by size, with a polynomial per node. Here orders are drawn by giving
 * each feature a random time in [0, 1] (Owen, "Multilinear extensions of games", 1972): at time t a
 * feature is known with probability t, independently of others, so that
 *
 *   value of j = integral over t of  E[v with j known - v with j drawn]  at time t.
 *
 * At a given t, let A(u) be the probability of the decision below node u, and B(u) that of getting to
 * u from the root; levels that are skipped take no part. Then
 *
 *   A(u) = t A(child for x_j) + (1 - t) M(u),   M(u) = sum of share(v) A(child for v),
 *   B    = spread from the root in the same way,
 *   value of j = integral of the sum of B(u) (A(child for x_j) - M(u)) over the nodes of j.
 *
 * The integrand is a polynomial in t of degree n - 1 at most, so Gauss-Legendre quadrature with n / 2
 * points, rounded up, is exact but for the rounding of doubles; all terms are probabilities, nothing
 * cancels but in the last difference. Polynomials' coefficients would be of size 2^n, with signs.
 * Some points are carried along together: then a node is one or two vectors, and one cache line.
 */
#include <math.h>
#include <string.h>

#include "arena.h"
#include "symcf.h"
#include "try.h"

enum {
	POINTS = 8,      /* of time that are carried along together */
	WORK_A_CHILD = 8 /* in units of symcf_tick                  */
};

typedef struct points {
	double at[POINTS];
} points;

struct symcf_shapley {
	arena arena; /* holds everything, the engine included */
	const symcf_diagram *d;
	const uint32_t *value_offset;
	const double *share;
	uint32_t n_blocks;
	points *time, *weight; /* n_blocks; what is beyond the last point weighs nothing */
	points *below, *above; /* by node: A and B                                       */
};

/* --------------------------------------------------------------- quadrature ------------------ */

/* The value of Legendre's polynomial of degree n at x, and of its derivative. */
static double legendre(uint32_t n, double x, double *derivative)
{
	double before = 0, now = 1;
	for (uint32_t k = 1; k <= n; k++) {
		const double next = ((2.0 * k - 1) * x * now - (k - 1.0) * before) / k;
		before = now;
		now = next;
	}
	*derivative = n * (x * now - before) / (x * x - 1);
	return now;
}

/* The points and weights of Gauss's rule on [0, 1]: roots by Newton's method from Tricomi's guess. */
static void set_quadrature(symcf_shapley *s, uint32_t n_points)
{
	enum { STEPS = 8 }; /* each doubles the digits */
	memset(s->weight, 0, s->n_blocks * sizeof *s->weight);
	memset(s->time, 0, s->n_blocks * sizeof *s->time);
	for (uint32_t i = 0; i < n_points; i++) {
		double x = cos(3.14159265358979323846 * (i + 0.75) / (n_points + 0.5)), slope;
		for (int step = 0; step < STEPS; step++)
			x -= legendre(n_points, x, &slope) / slope;
		legendre(n_points, x, &slope);
		s->time[i / POINTS].at[i % POINTS] = (1 - x) / 2;
		s->weight[i / POINTS].at[i % POINTS] = 1 / ((1 - x * x) * slope * slope);
	}
}

/* ------------------------------------------------------------------- passes ------------------ */

/* M(u) of the opening comment. */
static inline points mean_below(const symcf_shapley *s, uint32_t u, const double *share)
{
	const uint32_t *child = symcf_children(s->d, u), arity = s->d->arity[s->d->level[u]];
	points mean = {{0}};
	for (uint32_t v = 0; v < arity; v++) {
		const points *to = &s->below[child[v]];
		for (int i = 0; i < POINTS; i++)
			mean.at[i] += share[v] * to->at[i];
	}
	return mean;
}

static inline const double *share_at(const symcf_shapley *s, uint32_t k)
{
	return s->share + s->value_offset[s->d->order[k]];
}

static symcf_status find_below(symcf_shapley *s, const uint32_t *x, const points *time,
                               symcf_control *control)
{
	const symcf_diagram *d = s->d;
	for (uint32_t u = 2; u < d->n_nodes; u++) {
		const uint32_t k = d->level[u];
		const points mean = mean_below(s, u, share_at(s, k));
		const points *known = &s->below[symcf_child(d, u, x[d->order[k]])];
		for (int i = 0; i < POINTS; i++)
			s->below[u].at[i] = mean.at[i] + time->at[i] * (known->at[i] - mean.at[i]);
		TRY(symcf_tick(control, WORK_A_CHILD * d->arity[k]));
	}
	return SYMCF_OK;
}

static symcf_status add_values(symcf_shapley *s, const uint32_t *x, const points *time,
                               const points *weight, symcf_control *control, double *value)
{
	const symcf_diagram *d = s->d;
	memset(s->above, 0, d->n_nodes * sizeof *s->above);
	for (int i = 0; i < POINTS; i++)
		s->above[d->root].at[i] = 1;
	for (uint32_t u = d->root; u > 1; u--) {
		const uint32_t k = d->level[u], j = d->order[k], *child = symcf_children(d, u);
		const double *share = share_at(s, k);
		const points mean = mean_below(s, u, share), here = s->above[u];
		const uint32_t known = child[x[j]];
		points drawn;
		double sum = 0;
		for (int i = 0; i < POINTS; i++) {
			sum += weight->at[i] * here.at[i] * (s->below[known].at[i] - mean.at[i]);
			s->above[known].at[i] += time->at[i] * here.at[i];
			drawn.at[i] = (1 - time->at[i]) * here.at[i];
		}
		value[j] += sum;
		for (uint32_t v = 0; v < d->arity[k]; v++)
			for (int i = 0; i < POINTS; i++)
				s->above[child[v]].at[i] += share[v] * drawn.at[i];
		TRY(symcf_tick(control, WORK_A_CHILD * d->arity[k]));
	}
	return SYMCF_OK;
}

symcf_status symcf_shapley_values(symcf_shapley *s, const uint32_t *x, uint32_t sink,
                                  symcf_control *control, double *value)
{
	for (uint32_t j = 0; j < s->d->n; j++)
		value[j] = 0;
	for (int i = 0; i < POINTS; i++) {
		s->below[0].at[i] = sink == 0;
		s->below[1].at[i] = sink == 1;
	}
	for (uint32_t block = 0; block < s->n_blocks; block++) {
		TRY(find_below(s, x, &s->time[block], control));
		TRY(add_values(s, x, &s->time[block], &s->weight[block], control, value));
	}
	return SYMCF_OK;
}

/* --------------------------------------------------------------- life cycle ------------------ */

/* The engine itself is the first part. */
static symcf_shapley *lay_out(arena *a, symcf_shapley *s)
{
	symcf_shapley *self = symcf_arena_take(a, 1, sizeof *self);
	s->time = symcf_arena_take(a, s->n_blocks, sizeof *s->time);
	s->weight = symcf_arena_take(a, s->n_blocks, sizeof *s->weight);
	s->below =
		symcf_arena_take(a, (uint64_t)s->d->n_nodes + 2, sizeof *s->below); /* a constant has one */
	s->above = symcf_arena_take(a, (uint64_t)s->d->n_nodes + 2, sizeof *s->above);
	return self;
}

symcf_status symcf_shapley_open(const symcf_diagram *d, const uint32_t *value_offset,
                                const double *share, symcf_shapley **out)
{
	const uint32_t n_points = d->n / 2 + 1;
	symcf_shapley plan = {.d = d, .value_offset = value_offset, .share = share};
	plan.n_blocks = (n_points + POINTS - 1) / POINTS;
	lay_out(&plan.arena, &plan);
	TRY(symcf_arena_open(&plan.arena));
	symcf_shapley *s = lay_out(&plan.arena, &plan);
	*s = plan;
	set_quadrature(s, n_points);
	*out = s;
	return SYMCF_OK;
}

void symcf_shapley_free(symcf_shapley *s)
{
	if (!s)
		return;
	arena block = s->arena;
	symcf_arena_close(&block);
}
