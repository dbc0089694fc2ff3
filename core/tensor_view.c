/* tensor_view.c - a matrix of numbers that lies somewhere else. */
#include "core/tensor_view.h"

#include <stdint.h>
#include <string.h>

size_t dtype_size(enum dtype t)
{
	static const size_t size[] = { [DTYPE_F64] = 8, [DTYPE_F32] = 4, [DTYPE_F16] = 2, [DTYPE_BF16] = 2 };
	return size[t];
}

struct tensor_view tensor_view_of(const void *data, enum dtype type, size_t rows, size_t columns)
{
	ptrdiff_t size = (ptrdiff_t)dtype_size(type);

	return (struct tensor_view){ data, type, rows, columns, (ptrdiff_t)columns * size, size };
}

/* float16: sign, 5 bits of exponent, 10 of fraction. */
static double from_f16(uint16_t h)
{
	uint32_t magnitude = h & 0x7fffu, x = magnitude << 13;
	float value;

	memcpy(&value, &x, sizeof value);
	value *= 0x1p112f;		/* the exponents' biases differ by that much */
	if (magnitude >= 0x7c00u) {
		x |= 0x7f800000u;
		memcpy(&value, &x, sizeof value);
	}
	return h & 0x8000u ? -(double)value : (double)value;
}

static double number(const unsigned char *p, enum dtype type)
{
	uint16_t half;
	uint32_t x;
	float single;
	double full;

	switch (type) {
	case DTYPE_F32:
		memcpy(&single, p, sizeof single);
		return (double)single;
	case DTYPE_F16:
		memcpy(&half, p, sizeof half);
		return from_f16(half);
	case DTYPE_BF16:
		memcpy(&half, p, sizeof half);
		x = (uint32_t)half << 16;
		memcpy(&single, &x, sizeof single);
		return (double)single;
	default:
		memcpy(&full, p, sizeof full);
		return full;
	}
}

double tensor_view_at(const struct tensor_view *t, size_t i, size_t c)
{
	return number(tensor_view_row_at(t, i) + (ptrdiff_t)c * t->column_step, t->type);
}

/* One loop a type, with nothing to decide inside. */
void tensor_view_doubles(const struct tensor_view *t, size_t i, double *out)
{
	const unsigned char *p = tensor_view_row_at(t, i);
	ptrdiff_t step = t->column_step;
	float single;

	if (t->type == DTYPE_F32) {
		for (size_t c = 0; c < t->columns; c++) {
			memcpy(&single, p + (ptrdiff_t)c * step, sizeof single);
			out[c] = (double)single;
		}
		return;
	}
	for (size_t c = 0; c < t->columns; c++)
		out[c] = number(p + (ptrdiff_t)c * step, t->type);
}

void tensor_view_row(const struct tensor_view *t, const struct lanes *l, size_t i, float *out)
{
	if (t->column_step == (ptrdiff_t)dtype_size(t->type))
		l->widen(tensor_view_row_at(t, i), t->type, t->columns, out);
	else
		for (size_t c = 0; c < t->columns; c++)
			out[c] = (float)tensor_view_at(t, i, c);
}

bool tensor_view_beside(const struct tensor_view *t)
{
	return t->column_step == (ptrdiff_t)dtype_size(t->type) && t->row_step >= 0;
}

bool tensor_view_plain(const struct tensor_view *t)
{
	return t->type == DTYPE_F32 && tensor_view_beside(t);
}
