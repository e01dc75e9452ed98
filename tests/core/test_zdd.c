/* test_zdd.c: the family algebra against families that are written out, on all antichains of a few
 * elements. A written-out family has one bit per set, and a set one bit per level. */
#include "../../src/core/zdd.h"

#include "support.h"

enum { MOST = 5, SETS = 1 << MOST };

typedef uint32_t family; /* bit s: the set s is a member */

static family members(const zdd *z, uint32_t f, uint32_t chosen)
{
	if (f == ZDD_EMPTY)
		return 0;
	if (f == ZDD_UNIT)
		return (family)1 << chosen;
	const zdd_node *node = &z->nodes[f];
	return members(z, node->lo, chosen) | members(z, node->hi, chosen | 1u << node->level);
}

/* The family as a diagram, from level `level` on: members that lack it, and those that have it. */
static uint32_t build(zdd *z, family wanted, uint32_t level, uint32_t n)
{
	family without = 0, with = 0;
	if (wanted == 0)
		return ZDD_EMPTY;
	if (level == n)
		return ZDD_UNIT;
	for (uint32_t s = 0; s < SETS; s++) {
		if (!(wanted >> s & 1))
			continue;
		if (s >> level & 1)
			with |= (family)1 << (s & ~(1u << level));
		else
			without |= (family)1 << s;
	}
	const uint32_t lo = build(z, without, level + 1, n), hi = build(z, with, level + 1, n);
	return hi == ZDD_EMPTY ? lo : symcf_zdd_make(z, level, lo, hi);
}

static family minimal_of(family f)
{
	family left = f;
	for (uint32_t s = 0; s < SETS; s++)
		for (uint32_t t = 0; t < SETS; t++)
			if (s != t && (f >> s & 1) && (f >> t & 1) && (s & t) == t)
				left &= ~((family)1 << s);
	return left;
}

static family nonsupersets_of(family f, family g)
{
	family left = f;
	for (uint32_t s = 0; s < SETS; s++)
		for (uint32_t t = 0; t < SETS; t++)
			if ((f >> s & 1) && (g >> t & 1) && (s & t) == t)
				left &= ~((family)1 << s);
	return left;
}

static family join_of(family f, family g)
{
	family joined = 0;
	for (uint32_t s = 0; s < SETS; s++)
		for (uint32_t t = 0; t < SETS; t++)
			if ((f >> s & 1) && (g >> t & 1))
				joined |= (family)1 << (s | t);
	return minimal_of(joined);
}

static family at_most_of(family f, uint32_t size)
{
	family left = f;
	for (uint32_t s = 0; s < SETS; s++)
		if ((uint32_t)__builtin_popcount(s) > size)
			left &= ~((family)1 << s);
	return left;
}

/* Every operation on two families, and whether equal families have one number. */
static void check_pair(zdd *z, family f, family g, uint32_t n)
{
	const uint32_t a = build(z, f, 0, n), b = build(z, g, 0, n);
	const uint32_t both = symcf_zdd_minimal_union(z, a, b), rest = symcf_zdd_nonsupersets(z, a, b);
	const uint32_t other = symcf_zdd_difference(z, a, b), join = symcf_zdd_minimal_join(z, a, b);
	CHECK_EQ_INT(members(z, a, 0), f);
	CHECK_EQ_INT(members(z, both, 0), minimal_of(f | g));
	CHECK_EQ_INT(members(z, rest, 0), nonsupersets_of(f, g));
	CHECK_EQ_INT(members(z, other, 0), f & ~g);
	CHECK_EQ_INT(both, build(z, minimal_of(f | g), 0, n));
	CHECK_EQ_INT(rest, build(z, nonsupersets_of(f, g), 0, n));
	CHECK_EQ_INT(other, build(z, f & ~g, 0, n));
	CHECK_EQ_INT(members(z, join, 0), join_of(f, g));
	CHECK_EQ_INT(join, build(z, join_of(f, g), 0, n));
	for (uint32_t size = 0; size <= n; size++)
		CHECK_EQ_INT(members(z, symcf_zdd_at_most(z, a, size), 0), at_most_of(f, size));
}

/* All 20 antichains of subsets of three elements, with one another. */
static void all_small_families(void)
{
	zdd z = {0};
	family chains[32];
	uint32_t count = 0;
	for (family f = 0; f < 256; f++)
		if (minimal_of(f) == f)
			chains[count++] = f;
	CHECK_EQ_INT(count, 20); /* Dedekind's number of three elements */
	REQUIRE(symcf_zdd_start(&z, 3, NULL) == SYMCF_OK);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < count; k++)
			check_pair(&z, chains[i], chains[k], 3);
	symcf_zdd_free_arrays(&z);
}

static family random_antichain(uint32_t n)
{
	family f = 0;
	for (uint32_t k = random_below(9); k > 0; k--)
		f |= (family)1 << random_below(1u << n);
	return minimal_of(f);
}

static void random_families(void)
{
	zdd z = {0};
	for (int round = 0; round < 300; round++) {
		const uint32_t n = 4 + random_below(2);
		REQUIRE(symcf_zdd_start(&z, n, NULL) == SYMCF_OK);
		for (int i = 0; i < 10; i++)
			check_pair(&z, random_antichain(n), random_antichain(n), n);
	}
	symcf_zdd_free_arrays(&z);
}

/* Nodes are reduced and in order, and know their largest member. */
static void nodes_are_as_promised(void)
{
	zdd z = {0};
	REQUIRE(symcf_zdd_start(&z, MOST, NULL) == SYMCF_OK);
	for (int i = 0; i < 200; i++)
		build(&z, random_antichain(MOST), 0, MOST);
	for (uint32_t f = ZDD_UNIT + 1; f < z.n_nodes; f++) {
		const zdd_node *node = &z.nodes[f];
		const family listed = members(&z, f, 0);
		CHECK(node->hi != ZDD_EMPTY && node->lo < f && node->hi < f);
		CHECK(node->lo <= ZDD_UNIT || z.nodes[node->lo].level > node->level);
		CHECK(node->hi <= ZDD_UNIT || z.nodes[node->hi].level > node->level);
		CHECK_EQ_INT(at_most_of(listed, node->largest), listed);
		CHECK(at_most_of(listed, node->largest - 1) != listed);
	}
	symcf_zdd_free_arrays(&z);
}

static void compacting_keeps_one_family(void)
{
	zdd z = {0};
	for (int i = 0; i < 200; i++) {
		REQUIRE(symcf_zdd_start(&z, MOST, NULL) == SYMCF_OK);
		build(&z, random_antichain(MOST), 0, MOST);
		const family wanted = random_antichain(MOST);
		const uint32_t f = build(&z, wanted, 0, MOST);
		build(&z, random_antichain(MOST), 0, MOST);
		const uint32_t root = symcf_zdd_compact(&z, f);
		CHECK_EQ_INT(members(&z, root, 0), wanted);
		if (root > ZDD_UNIT)
			CHECK_EQ_INT(root + 1, z.n_nodes);
	}
	symcf_zdd_free_arrays(&z);
}

/* A budget that runs out is said, and the store serves again. */
static void budgets_hold(void)
{
	zdd z = {0};
	symcf_control control = {.max_nodes = 4};
	REQUIRE(symcf_zdd_start(&z, MOST, &control) == SYMCF_OK);
	const uint32_t first = symcf_zdd_make(&z, 4, ZDD_EMPTY, ZDD_UNIT);
	const uint32_t second = symcf_zdd_make(&z, 3, first, ZDD_UNIT);
	REQUIRE(first != ZDD_FAILED && second != ZDD_FAILED);
	CHECK_EQ_INT(symcf_zdd_make(&z, 3, first, ZDD_UNIT), second); /* not a new one */
	CHECK_EQ_INT(symcf_zdd_make(&z, 2, second, ZDD_UNIT), ZDD_FAILED);
	CHECK_EQ_INT(z.status, SYMCF_LIMIT_NODES);
	REQUIRE(symcf_zdd_start(&z, MOST, NULL) == SYMCF_OK);
	check_pair(&z, 1u << 3 | 1u << 4, 1u << 1, MOST);
	symcf_zdd_free_arrays(&z);
}

int main(void)
{
	RUN(all_small_families);
	RUN(random_families);
	RUN(nodes_are_as_promised);
	RUN(compacting_keeps_one_family);
	RUN(budgets_hold);
	return check_report();
}
