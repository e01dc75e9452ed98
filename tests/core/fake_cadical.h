/* fake_cadical.h: what the fake solver library of test_sat_api.c writes down. */
#ifndef SYMCF_FAKE_CADICAL_H
#define SYMCF_FAKE_CADICAL_H

#include <stdint.h>

enum { FAKE_MOST = 64 };

typedef struct fake_list {
	int entry[FAKE_MOST];
	int count;
} fake_list;

/* In the place of a CaDiCaL::Solver. */
typedef struct fake_cadical {
	int vars; /* what vars() says; the rest is zero at first */
	fake_list added, assumed, constrained, phased, asked;
	int reserved, resets, connects, disconnects;
	void *terminator;
	int patience; /* a solve asks its terminator so often ... */
	int answer;   /* ... then says this                       */
	int8_t value[FAKE_MOST];
} fake_cadical;

#endif
