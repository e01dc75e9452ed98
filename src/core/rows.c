/* rows.c: reads value codes of any integer type from the caller's table. */
#include "symcf.h"

/* One loop per type, so that the check is a single unsigned comparison: a negative code becomes a
 * huge one. */
#define READ_ROW(type)                                                                             \
	do {                                                                                           \
		const type *row = (const type *)rows->data + i * rows->n;                                  \
		for (uint32_t j = 0; j < rows->n; j++) {                                                   \
			const uint64_t code = (uint64_t)row[j];                                                \
			if (code >= value_offset[j + 1] - value_offset[j]) {                                   \
				*bad = j;                                                                          \
				return SYMCF_INVALID;                                                              \
			}                                                                                      \
			x[j] = (uint32_t)code;                                                                 \
		}                                                                                          \
		return SYMCF_OK;                                                                           \
	} while (0)

static symcf_status read_row(const symcf_rows *rows, size_t i, const uint32_t *value_offset,
                             uint32_t *x, uint32_t *bad)
{
	switch (rows->type) {
	case SYMCF_INT8: READ_ROW(int8_t);
	case SYMCF_UINT8: READ_ROW(uint8_t);
	case SYMCF_INT16: READ_ROW(int16_t);
	case SYMCF_UINT16: READ_ROW(uint16_t);
	case SYMCF_INT32: READ_ROW(int32_t);
	case SYMCF_UINT32: READ_ROW(uint32_t);
	case SYMCF_INT64: READ_ROW(int64_t);
	case SYMCF_UINT64: READ_ROW(uint64_t);
	}
	*bad = 0;
	return SYMCF_INVALID;
}

symcf_status symcf_rows_values(const symcf_rows *rows, size_t i, const uint32_t *value_offset,
                               uint32_t *x, uint32_t *bad)
{
	return read_row(rows, i, rows->group ? rows->value_offset : value_offset, x, bad);
}

symcf_status symcf_rows_get(const symcf_rows *rows, size_t i, const uint32_t *value_offset,
                            uint32_t *x, uint32_t *bad)
{
	if (!rows->group)
		return read_row(rows, i, value_offset, x, bad);
	const symcf_status status = read_row(rows, i, rows->value_offset, x, bad);
	for (uint32_t j = 0; j < rows->n && !status; j++) {
		x[j] = rows->group[rows->value_offset[j] + x[j]];
		if (x[j] >= value_offset[j + 1] - value_offset[j]) { /* a table for other features */
			*bad = j;
			return SYMCF_INVALID;
		}
	}
	return status;
}
