/* choose_paths.c: values that lead a diagram to a sink.
 *
 * Features outside the set keep their values, so only a small part of the diagram is left: the nodes
 * of the set's features that can be reached, found level by level from the root. What is best below a
 * node does not depend on the way to it: of two choices with the same values above, costs and codes
 * compare as those below do. So the best ways are found from the bottom, one per node. A feature
 * whose level a way skips takes its cheapest value.
 *
 * The codes of a way are kept with its node, in the order of the set. There is no margin here. */
#include <string.h>

#include "choose.h"
#include "memory.h"
#include "try.h"

static const choose_unit NO_WAY = -1;

/* ------------------------------------------------------------------- the part ---------------- */

/* Follows x to the next node that tests a feature of the set, or to a sink. */
static uint32_t settle(const symcf_chooser *c, uint32_t node)
{
	const symcf_diagram *d = c->aim.d;
	while (node > 1) {
		const uint32_t j = d->order[d->level[node]];
		if (c->rank[j] != UINT32_MAX)
			break;
		node = symcf_child(d, node, c->x[j]);
	}
	return node;
}

/* All options of a feature, kept in c->front: every value matters to a diagram. */
static void list_options(symcf_chooser *c, uint32_t j, choose_feature *f)
{
	const uint32_t d = c->value_offset[j + 1] - c->value_offset[j];
	choose_option *option = c->front + c->value_offset[j];
	for (uint32_t v = 0; v < d; v++)
		if (symcf_choose_is_allowed(c, j, v)) {
			const choose_option fresh = symcf_choose_option_of(c, 0, j, v);
			uint32_t at = f->count++;
			for (; at && (fresh.unit < option[at - 1].unit ||
			              (fresh.unit == option[at - 1].unit && fresh.name < option[at - 1].name));
			     at--)
				option[at] = option[at - 1];
			option[at] = fresh;
		}
	f->option = option;
}

/* Fills c->feature and c->rank. ensures: false if a feature has no option. */
static bool order_features(symcf_chooser *c, const uint32_t *features, uint32_t size)
{
	bool possible = true;
	for (uint32_t i = 0; i < size; i++) {
		choose_feature fresh = {.slot = i, .level = c->level_of[features[i]]};
		list_options(c, features[i], &fresh);
		possible = possible && fresh.count;
		uint32_t at = i;
		for (; at && c->feature[at - 1].level > fresh.level; at--)
			c->feature[at] = c->feature[at - 1];
		c->feature[at] = fresh;
	}
	for (uint32_t i = 0; i < size; i++)
		c->rank[features[c->feature[i].slot]] = i;
	return possible;
}

static symcf_status visit(symcf_chooser *c, uint32_t node)
{
	if (node <= 1 || c->stamp[node])
		return SYMCF_OK;
	if (!symcf_grow(&c->place, &c->cap_place, c->n_places + UINT64_C(2), sizeof *c->place))
		return symcf_no_memory();
	c->stamp[node] = ++c->n_places;
	c->place[c->n_places] = (choose_place){.node = node};
	return SYMCF_OK;
}

/* Finds the nodes that can be reached. */
static symcf_status reach(symcf_chooser *c, uint32_t root, symcf_control *control)
{
	const symcf_diagram *d = c->aim.d;
	TRY(visit(c, root));
	for (uint32_t p = 1; p <= c->n_places; p++) {
		const uint32_t node = c->place[p].node;
		choose_feature *f = &c->feature[c->rank[d->order[d->level[node]]]];
		const uint32_t *child = symcf_children(d, node);
		c->place[p].next = f->places;
		f->places = p;
		for (uint32_t o = 0; o < f->count; o++)
			TRY(visit(c, settle(c, child[f->option[o].code])));
		TRY(symcf_tick(control, 8 * f->count));
	}
	return SYMCF_OK;
}

/* ------------------------------------------------------------------- the ways ---------------- */

/* The best way from a node, where the features from rank `from` on are still to be chosen.
 * ensures: its unit, or NO_WAY; names of these features. */
static choose_unit way_from(const symcf_chooser *c, uint32_t size, uint32_t from, uint32_t node,
                            uint32_t *names)
{
	uint32_t level = c->aim.d->n;
	choose_unit unit = node == c->aim.sink ? 0 : NO_WAY;
	if (node > 1) {
		const uint32_t place = c->stamp[node];
		const uint32_t *its = c->place_names + (uint64_t)place * size;
		unit = c->place[place].unit;
		level = c->aim.d->level[node];
		for (uint32_t i = from; unit != NO_WAY && i < size; i++)
			names[c->feature[i].slot] = its[c->feature[i].slot];
	}
	for (uint32_t i = from; unit != NO_WAY && i < size && c->feature[i].level < level; i++) {
		unit += c->feature[i].option[0].unit;
		names[c->feature[i].slot] = c->feature[i].option[0].name;
	}
	return unit;
}

/* Names of features that are not chosen yet are 0 in both. */
static bool are_smaller(const uint32_t *a, const uint32_t *b, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		if (a[i] != b[i])
			return a[i] < b[i];
	return false;
}

static void find_way(symcf_chooser *c, uint32_t size, uint32_t i, uint32_t place)
{
	const choose_feature *f = &c->feature[i];
	const uint32_t *child = symcf_children(c->aim.d, c->place[place].node);
	uint32_t *names = c->place_names + (uint64_t)place * size, *way = c->place_names;
	choose_unit best = NO_WAY;
	for (uint32_t o = 0; o < f->count; o++) {
		if (best != NO_WAY && f->option[o].unit > best)
			break; /* they ascend */
		memset(way, 0, size * sizeof *way);
		choose_unit unit = way_from(c, size, i + 1, settle(c, child[f->option[o].code]), way);
		if (unit == NO_WAY)
			continue;
		unit += f->option[o].unit;
		way[f->slot] = f->option[o].name;
		if (best == NO_WAY || unit < best || (unit == best && are_smaller(way, names, size))) {
			best = unit;
			memcpy(names, way, size * sizeof *names);
		}
	}
	c->place[place].unit = best;
}

static symcf_status find_ways(symcf_chooser *c, uint32_t size, uint32_t root,
                              symcf_control *control, uint32_t *names, choose_unit *unit)
{
	/* place 0 is nobody's: its names are scratch */
	if (!symcf_grow(&c->place_names, &c->cap_place_names, (c->n_places + UINT64_C(1)) * size,
	                sizeof *c->place_names))
		return symcf_no_memory();
	for (uint32_t i = size; i-- > 0;)
		for (uint32_t p = c->feature[i].places; p; p = c->place[p].next) {
			find_way(c, size, i, p);
			TRY(symcf_tick(control, c->feature[i].count * (8 + size)));
		}
	*unit = way_from(c, size, 0, root, names);
	return *unit == NO_WAY ? SYMCF_INVALID : SYMCF_OK;
}

symcf_status symcf_choose_path(symcf_chooser *c, const uint32_t *features, uint32_t size,
                               symcf_control *control, uint32_t *names, choose_unit *unit)
{
	symcf_status status = SYMCF_INVALID;
	c->n_places = 0;
	if (order_features(c, features, size)) {
		const uint32_t root = settle(c, c->aim.d->root);
		status = reach(c, root, control);
		if (!status)
			status = find_ways(c, size, root, control, names, unit);
	}
	for (uint32_t p = 1; p <= c->n_places; p++)
		c->stamp[c->place[p].node] = 0;
	for (uint32_t i = 0; i < size; i++)
		c->rank[features[i]] = UINT32_MAX;
	return status;
}
