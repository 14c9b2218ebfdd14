/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Structures of the shapes that nouveau's have had: compiled for their BTF
 * (btf_types.c), and into the test, where the compiler says what is true.
 */
#ifndef BTF_TYPES_H
#define BTF_TYPES_H

struct bt_push {
	int (*wait)(struct bt_push *push, unsigned int size);
	void (*kick)(struct bt_push *push);
	struct {
		struct {
			struct bt_push *parent;
			unsigned long long handle;
			struct {
				void *ptr;
				unsigned long long size;
			} map;
		} object;
		unsigned char type;
	} mem;
	unsigned int *bgn, *cur, *seg, *end;
};

typedef struct bt_push bt_push_t;

struct bt_channel {
	struct {
		const bt_push_t push;
		volatile int depth;
	} chan;
	union {
		int chid;
		unsigned int number;
	};
	struct {
		struct bt_push *in_unnamed;
	};
	unsigned int low : 3, high : 29;
	int after_bits;
	struct bt_push *other;
	unsigned int list[5];
	struct {
		int ib_put;
	} dma;
};

int bt_function(struct bt_channel *chan, const int slots, void *what);

#endif
