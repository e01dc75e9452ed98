/* mcs_counter.c: "more than k features change", as clauses that all instances share. */
#include <string.h>

#include "mcs_internal.h"
#include "memory.h"

static symcf_status fresh(symcf_mcs *e, int32_t *variable)
{
	TRY(symcf_sat_variable(e->sat, variable));
	return symcf_sat_phase(e->sat, -*variable);
}

/* left[i] true: more than i on the left, and so on. The clauses say what the sum is at least. */
static symcf_status add_up(symcf_mcs *e, const int32_t *left, uint32_t n_left, const int32_t *right,
                           uint32_t n_right, const int32_t *sum, uint32_t n_sum)
{
	for (uint32_t i = 0; i <= n_left; i++) {
		for (uint32_t j = 0; j <= n_right; j++) {
			int32_t clause[3];
			uint32_t size = 0;
			if (i + j == 0 || i + j > n_sum)
				continue;
			if (i)
				clause[size++] = -left[i - 1];
			if (j)
				clause[size++] = -right[j - 1];
			clause[size++] = sum[i + j - 1];
			TRY(symcf_sat_clause(e->sat, clause, size));
		}
	}
	return SYMCF_OK;
}

/* Counts inputs[0..count) up to `most` in place: afterwards inputs[k] says "more than k" for the
 * first min(count, most) of them. sum: scratch of `most` entries. */
static symcf_status totalize(symcf_mcs *e, int32_t *inputs, uint32_t count, uint32_t most,
                             int32_t *sum)
{
	if (count <= 1)
		return SYMCF_OK;
	const uint32_t half = count / 2, rest = count - half;
	TRY(totalize(e, inputs, half, most, sum));
	TRY(totalize(e, inputs + half, rest, most, sum));
	const uint32_t n_left = half < most ? half : most, n_right = rest < most ? rest : most;
	const uint32_t n_sum = count < most ? count : most;
	for (uint32_t k = 0; k < n_sum; k++)
		TRY(fresh(e, &sum[k]));
	TRY(add_up(e, inputs, n_left, inputs + half, n_right, sum, n_sum));
	memcpy(inputs, sum, n_sum * sizeof *sum);
	return SYMCF_OK;
}

/* Makes counter.more_than[bound] available. A counter that is too short is replaced by one of at
 * least twice its length. requires: bound < n. */
static symcf_status counter_reserve(symcf_mcs *e, uint32_t bound)
{
	mcs_counter *c = &e->counter;
	if (bound < c->n_outputs)
		return SYMCF_OK;
	const uint32_t wanted = bound < 2 * c->n_outputs ? 2 * c->n_outputs : bound + 1;
	const uint32_t most = wanted < e->n ? wanted : e->n;
	int32_t *sum = symcf_allocate(most, sizeof *sum);
	if (!sum)
		return symcf_no_memory();
	symcf_status status = SYMCF_OK;
	for (uint32_t j = 0; j < e->n && status == SYMCF_OK; j++) {
		if (!c->n_outputs)
			status = fresh(e, &c->changed[j]);
		c->more_than[j] = c->changed[j];
	}
	c->n_outputs = 0; /* until it stands */
	if (status == SYMCF_OK)
		status = totalize(e, c->more_than, e->n, most, sum);
	if (status == SYMCF_OK)
		c->n_outputs = most;
	symcf_free(sum);
	return status;
}

symcf_status symcf_mcs_bound_changes(symcf_mcs *e)
{
	if (!mcs_is_bounded(e))
		return SYMCF_OK;
	TRY(counter_reserve(e, e->max_changes));
	for (uint32_t j = 0; j < e->n; j++) {
		const int32_t tie[] = {-e->active, e->keep[j], e->counter.changed[j]};
		TRY(symcf_sat_clause(e->sat, tie, 3));
	}
	return SYMCF_OK;
}
