/* tensor_place.h - where the numbers of a head lie in a file; for tensor_*.c only. */
#ifndef CORE_IO_TENSOR_PLACE_H
#define CORE_IO_TENSOR_PLACE_H

#include "core/io/recognise.h"

/* Whether the numbers of such an array are left where they are: floats in this machine's byte
 * order, and more of them in a layer than are worth a look-up. */
bool tensor_stays(const struct npy *a, const struct view *v);
/* One head of an open array that stays. */
struct tensor_view tensor_place(const struct npy *a, const struct meaning *m, size_t layer, size_t batch, size_t head);
/* Gives back what was unpacked to recognise the file and is none of the scenario's numbers. */
void tensors_close_others(struct tensors *t, const struct scenario *s);

#endif
