/* classifier.c: what a classifier of any number of classes decides. */
#include "memory.h"
#include "symcf.h"

/* The class that no other is preferred to: preferences are transitive, so whoever loses once need
 * not be asked again. */
static uint32_t preferred(const symcf_classifier *c, const uint32_t *x)
{
	uint32_t best = 0;
	for (uint32_t k = 1; k < c->n_classes; k++)
		if (symcf_threshold_score(c->beats[(uint64_t)best * c->n_classes + k], x) >= 0)
			best = k;
	return best;
}

uint32_t symcf_decide(const symcf_classifier *c, const uint32_t *x)
{
	if (c->t)
		return symcf_threshold_score(c->t, x) >= 0;
	if (c->beats)
		return preferred(c, x);
	if (c->ensemble)
		return symcf_ensemble_decide(c->ensemble, x);
	if (c->n_classes == 2)
		return symcf_diagram_evaluate(c->diagrams[0], x);
	uint32_t k = 0;
	while (k < c->n_classes && !symcf_diagram_evaluate(c->diagrams[k], x))
		k++;
	return k;
}

symcf_status symcf_decide_rows(const symcf_classifier *c, const uint32_t *value_offset,
                               const symcf_rows *rows, symcf_control *control, uint8_t *decision,
                               size_t *row, uint32_t *feature)
{
	if (c->n_classes > UINT8_MAX + 1)
		return SYMCF_UNSUPPORTED;
	uint32_t *x = symcf_allocate(rows->n, sizeof *x);
	if (!x)
		return symcf_no_memory();
	symcf_status status = SYMCF_OK;
	for (size_t i = 0; i < rows->m && !status; i++) {
		*row = i;
		if ((status = symcf_rows_get(rows, i, value_offset, x, feature)))
			break;
		const uint32_t k = symcf_decide(c, x);
		decision[i] = (uint8_t)k;
		status =
			k < c->n_classes ? symcf_tick(control, (rows->n + 10) * c->n_classes) : SYMCF_INTERNAL;
	}
	symcf_free(x);
	return status;
}
