/* additive.c: what numbers add to a score, as integers.
 *
 * A linear model adds b x for a number x, naive Bayes with normal distributions a x^2 + b x. The
 * rule of symcf is in integers, so each such term is rounded, once, to a multiple of 2^-scale:
 *
 *     term(x) = floor(floor(a x^2 2^(s+64)) / 2^64 + floor(b x 2^(s+64)) / 2^64 + 1/2),  s = scale
 *
 * a and b are integers of up to 62 bits times powers of two, and a double is one of 53 bits, so both
 * products are exact in 192 bits and nothing depends on the machine, the compiler or the order of
 * additions. Without a x^2 the term rises or falls with x as b x does: rounding down is monotone.
 */
#include <math.h>
#include <string.h>

#include "symcf.h"
#include "try.h"

enum { PLACES = 64 };

/* Terms stay below 2^61, so that the difference of two of 60 bits is one. Sums of terms are checked
 * where they are added up. */
static const int64_t MOST = (int64_t)1 << 61;

/* A magnitude of 192 bits, the lowest first. */
typedef struct wide {
	uint64_t limb[3];
} wide;

static wide times(unsigned __int128 a, uint64_t b)
{
	const unsigned __int128 low = (unsigned __int128)(uint64_t)a * b;
	const unsigned __int128 high = (unsigned __int128)(uint64_t)(a >> 64) * b + (low >> 64);
	return (wide){{(uint64_t)low, (uint64_t)high, (uint64_t)(high >> 64)}};
}

static int length_of(const wide *w)
{
	for (int i = 2; i >= 0; i--)
		if (w->limb[i])
			return 64 * i + 64 - __builtin_clzll(w->limb[i]);
	return 0;
}

/* The magnitude shifted to the right; *lost: were some of the bits that fell off 1? */
static unsigned __int128 shifted_right(const wide *w, int32_t shift, bool *lost)
{
	unsigned __int128 result = 0;
	*lost = false;
	for (int bit = 0; bit < 192; bit += 64) {
		const uint64_t limb = w->limb[bit / 64];
		const int64_t at = (int64_t)bit - shift; /* of the limb's lowest bit in the result */
		if (at <= -64) {
			*lost = *lost || limb;
		} else if (at < 0) {
			*lost = *lost || limb << (64 + at);
			result |= limb >> -at;
		} else if (at < 128) {
			result |= (unsigned __int128)limb << at;
		}
	}
	return result;
}

/* floor(+-w 2^shift). ensures: false if it does not fit 126 bits. */
static bool scaled(const wide *w, bool negative, int64_t shift, __int128 *out)
{
	const int length = length_of(w);
	bool lost = false;
	*out = 0;
	if (length == 0)
		return true;
	if (length + shift > 126)
		return false;
	const int32_t right = shift < -192 ? 192 : (int32_t)-shift;
	const __int128 magnitude = (__int128)shifted_right(w, right, &lost);
	*out = negative ? -magnitude - lost : magnitude;
	return true;
}

static uint64_t magnitude_of(int64_t number)
{
	return number < 0 ? -(uint64_t)number : (uint64_t)number;
}

/* The same of a magnitude of 128 bits, which takes a fifth of the time. */
static bool scaled_short(unsigned __int128 w, bool negative, int64_t shift, __int128 *out)
{
	const uint64_t high = (uint64_t)(w >> 64), low = (uint64_t)w;
	*out = 0;
	if (!w)
		return true;
	const int length = high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll(low);
	if (length + shift > 126)
		return false;
	const int right = shift < -127 ? 127 : (int)(shift < 0 ? -shift : 0);
	const unsigned __int128 left = shift < -127 ? 0 : shift < 0 ? w >> right : w << shift;
	const bool lost = shift < -127 || (right && w << (128 - right));
	*out = negative ? -(__int128)left - lost : (__int128)left;
	return true;
}

/* floor(n / 2^64). */
static __int128 floor_of_unit(__int128 n)
{
	return n >= 0 ? (__int128)((unsigned __int128)n >> PLACES)
	              : -(__int128)(((unsigned __int128)-n + UINT64_MAX) >> PLACES);
}

/* x as an integer times a power of two. requires: x is finite. */
static int64_t digits_of(double x, int *exponent)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	const int biased = (int)(bits >> 52 & 0x7ff);
	if (!biased) { /* 0, or too small to be normal */
		const int64_t digits = (int64_t)ldexp(frexp(x, exponent), 53);
		*exponent -= 53;
		return digits;
	}
	const int64_t magnitude = (int64_t)((bits & (UINT64_MAX >> 12)) | UINT64_C(1) << 52);
	*exponent = biased - 1075;
	return x < 0 ? -magnitude : magnitude;
}

/* ensures: false if x is not finite or the term is too large. */
static bool term_of(const symcf_polynomial *p, int32_t scale, double x, int64_t *out)
{
	int exponent;
	__int128 square = 0, line;
	if (!isfinite(x))
		return false;
	const int64_t digits = digits_of(x, &exponent);
	const uint64_t m = magnitude_of(digits);
	const int64_t units = (int64_t)scale + PLACES + exponent;
	if (p->curve) {
		const unsigned __int128 by_curve = (unsigned __int128)magnitude_of(p->curve) * m;
		const wide w = times(by_curve, m);
		if (!scaled(&w, p->curve < 0, units + exponent + p->curve_exponent, &square))
			return false;
	}
	const unsigned __int128 by_slope = (unsigned __int128)magnitude_of(p->slope) * m;
	if (!scaled_short(by_slope, (p->slope < 0) != (digits < 0), units + p->slope_exponent, &line))
		return false;
	const __int128 floored = floor_of_unit(square + line + ((__int128)1 << (PLACES - 1)));
	if (floored <= -MOST || floored >= MOST)
		return false;
	*out = (int64_t)floored;
	return true;
}

symcf_status symcf_polynomial_terms(const symcf_polynomial *p, uint32_t n, int32_t scale,
                                    const double *x, size_t m, symcf_control *control,
                                    int64_t *term, size_t *row, uint32_t *feature)
{
	for (size_t i = 0; i < m; i++)
		for (uint32_t j = 0; j < n; j++) {
			TRY(symcf_tick(control, 20));
			if (!term_of(&p[j], scale, x[i * n + j], &term[i * n + j])) {
				*row = i;
				*feature = j;
				return SYMCF_OVERFLOW;
			}
		}
	return SYMCF_OK;
}

/* The same of a line, where digits times slope are shifted to the right by less than they have bits. To
 * round half up is to add a half and to round down. ensures: false if this is not such a case. */
static inline bool term_of_line(const symcf_polynomial *p, int32_t scale, double x, int64_t *out)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	const int biased = (int)(bits >> 52 & 0x7ff);
	const int64_t right = 1075 - biased - (int64_t)scale - p->slope_exponent;
	if (p->curve || !biased || biased == 0x7ff || right < 1 || right > 120)
		return false;
	const int64_t digits = (int64_t)((bits & (UINT64_MAX >> 12)) | UINT64_C(1) << 52);
	const __int128 product = (__int128)(bits >> 63 ? -digits : digits) * p->slope;
	const __int128 more = product + ((__int128)1 << (right - 1));
	const __int128 low = ((__int128)1 << right) - 1;
	const __int128 floored = more >= 0 ? more >> right : -((low - more) >> right);
	*out = (int64_t)floored;
	return floored > -MOST && floored < MOST;
}

symcf_status symcf_polynomial_sums(const symcf_polynomial *p, uint32_t n, int32_t scale,
                                   const int64_t *code, size_t m, symcf_control *control,
                                   int64_t *sum)
{
	enum { BLOCK = 64 };
	const int64_t most = (MOST >> 1) / (n ? n : 1);
	double x[BLOCK];
	for (size_t i = 0; i < m; i++) {
		sum[i] = 0;
		for (uint32_t first = 0; first < n; first += BLOCK) {
			const uint32_t count = n - first < BLOCK ? n - first : BLOCK;
			TRY(symcf_tick(control, 20 * count));
			TRY(symcf_numbers_of_codes(code + i * n + first, count, NULL, x));
			for (uint32_t j = 0; j < count; j++) {
				int64_t term;
				if (!term_of_line(&p[first + j], scale, x[j], &term) &&
				    !term_of(&p[first + j], scale, x[j], &term))
					return SYMCF_OVERFLOW;
				if (term <= -most || term >= most)
					return SYMCF_OVERFLOW;
				sum[i] += term;
			}
		}
	}
	return SYMCF_OK;
}
