/* likely_row.c: gains and losses of an instance; see likely_cover.c. */
#include <string.h>

#include "likely_cover.h"
#include "memory.h"

static void lay_out(arena *a, symcf_likely_cover *e)
{
	const symcf_likely *l = e->l;
	const uint64_t n = l->n, cells = l->n_cells;
	uint64_t regrets = 0, regrets_above = 0;
	for (uint32_t p = 0; p < n; p++) {
		regrets += (uint64_t)l->cells[p] * l->cells[p];
		regrets_above += (uint64_t)likely_above(l, p) * likely_above(l, p);
	}
	e->present = symcf_arena_take(a, cells, sizeof *e->present);
	e->before = symcf_arena_take(a, cells, sizeof *e->before);
	e->loss = symcf_arena_take(a, l->start[n], sizeof *e->loss);
	e->hanging = symcf_arena_take(a, cells, sizeof *e->hanging);
	e->least = symcf_arena_take(a, cells, sizeof *e->least);
	e->regret = symcf_arena_take(a, regrets, sizeof *e->regret);
	e->regret_above = symcf_arena_take(a, regrets_above, sizeof *e->regret_above);
	e->regret_start = symcf_arena_take(a, n + 1, sizeof *e->regret_start);
	e->regret_above_start = symcf_arena_take(a, n + 1, sizeof *e->regret_above_start);
	e->own = symcf_arena_take(a, n, sizeof *e->own);
	e->cell_gain = symcf_arena_take(a, cells, sizeof *e->cell_gain);
	e->options = symcf_arena_take(a, cells, sizeof *e->options);
	e->option_start = symcf_arena_take(a, n + 1, sizeof *e->option_start);
	e->best = symcf_arena_take(a, n, sizeof *e->best);
	e->position = symcf_arena_take(a, n, sizeof *e->position);
	e->turn = symcf_arena_take(a, n, sizeof *e->turn);
	e->known_at = symcf_arena_take(a, n + 1, sizeof *e->known_at);
	e->sum = symcf_arena_take(a, n + 1, sizeof *e->sum);
	e->fall = symcf_arena_take(a, n + 1, sizeof *e->fall);
	e->node = symcf_arena_take(a, n + 1, sizeof *e->node);
	e->member = symcf_arena_take(a, n + 1, sizeof *e->member);
	e->rank = symcf_arena_take(a, n, sizeof *e->rank);
	e->tried = symcf_arena_take(a, n, sizeof *e->tried);
	e->open = symcf_arena_take(a, n, sizeof *e->open);
	e->links = symcf_arena_take(a, n + 1, sizeof *e->links);
}

/* What each cell gains, and which are allowed. */
static void read_cells(symcf_likely_cover *e, const symcf_query *q, int64_t sign)
{
	const symcf_likely *l = e->l;
	for (uint32_t c = 0; c < l->n_cells; c++)
		e->cell_gain[c] = COVER_NO_GAIN;
	for (uint32_t p = 0; p < l->n; p++) {
		const uint32_t j = l->feature[p], first = l->value_offset[j];
		const uint32_t here = first + q->x[j];
		int64_t *gain = e->cell_gain + l->cell_start[p];
		e->own[p] = l->cell[here];
		for (uint32_t v = first; v < l->value_offset[j + 1]; v++) {
			const int64_t more = sign * (e->t->weight[v] - e->t->weight[here]);
			if (v != here && (!q->allowed || q->allowed[v]) && more > gain[l->cell[v]])
				gain[l->cell[v]] = more;
		}
		for (uint32_t c = 0; c < l->cells[p]; c++)
			e->present[l->cell_start[p] + c] = gain[c] != COVER_NO_GAIN || c == e->own[p];
	}
}

/* What cells lose against the most that their part of the forest can add. */
static void find_losses(symcf_likely_cover *e)
{
	const symcf_likely *l = e->l;
	int64_t total = 0;
	memset(e->hanging, 0, l->n_cells * sizeof *e->hanging);
	for (uint32_t p = l->n; p-- > 0;) {
		const uint8_t *present = e->present + l->cell_start[p];
		const int64_t *hanging = e->hanging + l->cell_start[p];
		const uint32_t cells = l->cells[p];
		for (uint32_t u = 0; u < likely_above(l, p); u++) {
			const int64_t *term = l->table + l->start[p] + (uint64_t)u * cells;
			int64_t *loss = e->loss + l->start[p] + (uint64_t)u * cells, most = INT64_MIN;
			for (uint32_t v = 0; v < cells; v++)
				if (present[v] && term[v] + hanging[v] > most)
					most = term[v] + hanging[v];
			for (uint32_t v = 0; v < cells; v++)
				loss[v] = present[v] ? most - term[v] - hanging[v] : LIKELY_NEVER;
			if (l->up[p] == SYMCF_LIKELY_ROOT)
				total += most;
			else
				e->hanging[l->cell_start[l->up[p]] + u] += most;
		}
	}
	e->slack = total - l->least;
}

/* The most that cell `from` of position p loses more than `to`, whatever it depends on. */
static int64_t regret_of(const symcf_likely_cover *e, uint32_t p, uint32_t from, uint32_t to)
{
	const symcf_likely *l = e->l;
	const uint8_t *present =
		l->up[p] == SYMCF_LIKELY_ROOT ? NULL : e->present + l->cell_start[l->up[p]];
	int64_t most = -LIKELY_NEVER;
	for (uint32_t u = 0; u < likely_above(l, p); u++) {
		const int64_t *loss = e->loss + l->start[p] + (uint64_t)u * l->cells[p];
		if ((!present || present[u]) && loss[from] - loss[to] > most)
			most = loss[from] - loss[to];
	}
	return most;
}

/* The most that position p loses more below cell `from` than below `to`, whatever it becomes. */
static int64_t regret_below(const symcf_likely_cover *e, uint32_t p, uint32_t from, uint32_t to)
{
	const symcf_likely *l = e->l;
	const uint32_t cells = l->cells[p];
	const int64_t *one = e->loss + l->start[p] + (uint64_t)from * cells;
	const int64_t *other = e->loss + l->start[p] + (uint64_t)to * cells;
	int64_t most = -LIKELY_NEVER;
	for (uint32_t v = 0; v < cells; v++)
		if (other[v] != LIKELY_NEVER && one[v] - other[v] > most)
			most = one[v] - other[v];
	return most;
}

static void find_regrets(symcf_likely_cover *e)
{
	const symcf_likely *l = e->l;
	e->regret_start[0] = e->regret_above_start[0] = 0;
	for (uint32_t p = 0; p < l->n; p++) {
		const uint32_t above = likely_above(l, p), cells = l->cells[p];
		int64_t *regret = e->regret + e->regret_start[p];
		int64_t *regret_above = e->regret_above + e->regret_above_start[p];
		e->regret_start[p + 1] = e->regret_start[p] + (uint64_t)cells * cells;
		e->regret_above_start[p + 1] = e->regret_above_start[p] + (uint64_t)above * above;
		for (uint32_t i = 0; i < cells * cells; i++)
			regret[i] = regret_of(e, p, i / cells, i % cells);
		for (uint32_t i = 0; i < above * above; i++)
			regret_above[i] = regret_below(e, p, i / above, i % above);
		for (uint32_t v = 0; v < cells; v++) {
			int64_t *least = e->least + l->cell_start[p] + v;
			*least = LIKELY_NEVER;
			for (uint32_t u = 0; u < above; u++) {
				const int64_t loss = e->loss[l->start[p] + (uint64_t)u * cells + v];
				*least = loss < *least ? loss : *least;
			}
		}
	}
}

/* By position, the cells to change to by falling gain; positions by falling best. */
static void list_options(symcf_likely_cover *e)
{
	const symcf_likely *l = e->l;
	const uint32_t n = l->n;
	uint32_t used = 0;
	for (uint32_t p = 0; p < n; p++) {
		const int64_t *gain = e->cell_gain + l->cell_start[p];
		const uint32_t first = e->option_start[p] = used;
		for (uint32_t c = 0; c < l->cells[p]; c++) {
			if (gain[c] == COVER_NO_GAIN)
				continue;
			uint32_t at = used++;
			for (; at > first && e->options[at - 1].gain < gain[c]; at--)
				e->options[at] = e->options[at - 1];
			e->options[at] = (likely_option){gain[c], c};
		}
		e->best[p] = used > first && e->options[first].gain > 0 ? e->options[first].gain : 0;
		uint32_t at = p;
		for (; at && e->best[e->position[at - 1]] < e->best[p]; at--)
			e->position[at] = e->position[at - 1];
		e->position[at] = p;
	}
	e->option_start[n] = used;
	e->sum[0] = e->fall[n] = 0;
	e->known_at[0] = 0;
	for (uint32_t i = 0; i < n; i++) {
		e->turn[e->position[i]] = i;
		e->known_at[i + 1] = e->known_at[i] | UINT64_C(1) << e->position[i];
		e->sum[i + 1] = e->sum[i] + e->best[e->position[i]];
	}
	for (uint32_t i = n; i-- > 0;) {
		const uint32_t p = e->position[i], end = e->option_start[p + 1];
		const int64_t worst = end > e->option_start[p] ? e->options[end - 1].gain : 0;
		e->fall[i] = e->fall[i + 1] + (worst < 0 ? worst : 0);
	}
}

void symcf_likely_cover_reset(symcf_likely_cover *e, const symcf_query *q)
{
	const symcf_likely *l = e->l;
	const int64_t score = symcf_threshold_score(e->t, q->x);
	e->deficit = score < 0 ? -score : score + 1;
	e->most_changes = q->max_changes < l->n ? q->max_changes : l->n;
	read_cells(e, q, score < 0 ? 1 : -1);
	if (!e->known || memcmp(e->present, e->before, l->n_cells) != 0) {
		find_losses(e);
		find_regrets(e);
		memcpy(e->before, e->present, l->n_cells);
		e->known = true;
	}
	list_options(e);
	symcf_likely_begin(e, 0);
}

symcf_status symcf_likely_grow(symcf_likely_cover *e, uint64_t choices)
{
	return symcf_grow(&e->choices, &e->cap_choices, choices, sizeof *e->choices) &&
	               symcf_grow(&e->cells, &e->cap_cells, choices * likely_stride(e),
	                          sizeof *e->cells)
			   ? SYMCF_OK
			   : symcf_no_memory();
}

symcf_status symcf_likely_cover_open(const symcf_threshold *t, const symcf_likely *l,
                                     const symcf_query *q, symcf_likely_cover **out)
{
	const size_t size = (l->n + UINT64_C(1)) * sizeof *l->value_offset;
	if (t->n != l->n || memcmp(t->value_offset, l->value_offset, size) != 0)
		return SYMCF_INVALID;
	symcf_likely_cover *e = symcf_allocate_zeroed(1, sizeof *e);
	if (!e)
		return symcf_no_memory();
	e->t = t;
	e->l = l;
	lay_out(&e->arena, e);
	symcf_status status = symcf_arena_open(&e->arena);
	if (!status) {
		lay_out(&e->arena, e);
		status = symcf_likely_grow(e, 1);
	}
	if (status) {
		symcf_likely_cover_free(e);
		return status;
	}
	symcf_likely_cover_reset(e, q);
	*out = e;
	return SYMCF_OK;
}

void symcf_likely_cover_free(symcf_likely_cover *e)
{
	if (!e)
		return;
	symcf_free(e->choices);
	symcf_free(e->choices_spare);
	symcf_free(e->cells);
	symcf_free(e->cells_spare);
	symcf_free(e->order);
	symcf_free(e->order_spare);
	symcf_arena_close(&e->arena);
	symcf_free(e);
}
