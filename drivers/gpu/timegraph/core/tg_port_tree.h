/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ordered trees as the kernel's rbtree.h offers them, in user space.
 *
 * A treap: each node has a weight by chance, and none is heavier than its parent.  So
 * the tree is as one that was filled in random order, whatever the order was: a path
 * through n nodes has about 1.4 log2(n) of them.  The weights follow from the number of
 * the insertion: the same calls take the same steps each time.
 */
#ifndef TG_PORT_TREE_H
#define TG_PORT_TREE_H

struct rb_node {
	struct rb_node *rb_parent, *rb_left, *rb_right;
	u32 weight;
};

struct rb_root {
	struct rb_node *rb_node;
};

struct rb_root_cached {
	struct rb_root rb_root;
	struct rb_node *rb_leftmost;
	u32 insertions;
};

#define RB_ROOT_CACHED ((struct rb_root_cached){ { NULL }, NULL, 0 })
#define RB_EMPTY_ROOT(root) (!(root)->rb_node)
#define rb_first_cached(root) ((root)->rb_leftmost)
#define rb_entry(ptr, type, member) container_of(ptr, type, member)
#define rb_entry_safe(ptr, type, member)                                    \
	({                                                                  \
		__typeof__(ptr) node__ = (ptr);                             \
		node__ ? rb_entry(node__, type, member) : NULL;             \
	})

/* Where the tree refers to @node. */
static inline struct rb_node **rb_link_of(struct rb_root *root, struct rb_node *node)
{
	struct rb_node *parent = node->rb_parent;

	if (!parent)
		return &root->rb_node;
	return parent->rb_left == node ? &parent->rb_left : &parent->rb_right;
}

/* @node changes places with its parent. */
static inline void rb_lift(struct rb_root *root, struct rb_node *node)
{
	struct rb_node *parent = node->rb_parent, *between;

	*rb_link_of(root, parent) = node;
	node->rb_parent = parent->rb_parent;
	if (parent->rb_left == node) {
		between = node->rb_right;
		parent->rb_left = between;
		node->rb_right = parent;
	} else {
		between = node->rb_left;
		parent->rb_right = between;
		node->rb_left = parent;
	}
	if (between)
		between->rb_parent = parent;
	parent->rb_parent = node;
}

static inline struct rb_node *rb_next(const struct rb_node *node)
{
	if (node->rb_right) {
		node = node->rb_right;
		while (node->rb_left)
			node = node->rb_left;
		return (struct rb_node *)node;
	}
	while (node->rb_parent && node == node->rb_parent->rb_right)
		node = node->rb_parent;
	return node->rb_parent;
}

/* Behind those that are not less. */
static inline void rb_add_cached(struct rb_node *node, struct rb_root_cached *tree,
				 bool (*less)(struct rb_node *, const struct rb_node *))
{
	struct rb_node **link = &tree->rb_root.rb_node, *parent = NULL;
	bool leftmost = true;

	while (*link) {
		parent = *link;
		if (less(node, parent)) {
			link = &parent->rb_left;
		} else {
			link = &parent->rb_right;
			leftmost = false;
		}
	}
	/* Knuth's multiplicative hash: a permutation of 32 bits. */
	node->weight = ++tree->insertions * 2654435761U;
	node->weight ^= node->weight >> 15;
	node->weight *= 2246822519U;
	node->rb_parent = parent;
	node->rb_left = NULL;
	node->rb_right = NULL;
	*link = node;
	if (leftmost)
		tree->rb_leftmost = node;
	while (node->rb_parent && node->rb_parent->weight < node->weight)
		rb_lift(&tree->rb_root, node);
}

static inline void rb_erase_cached(struct rb_node *node, struct rb_root_cached *tree)
{
	struct rb_node *child;

	if (tree->rb_leftmost == node)
		tree->rb_leftmost = rb_next(node);
	while (node->rb_left && node->rb_right)
		rb_lift(&tree->rb_root, node->rb_left->weight > node->rb_right->weight ?
						node->rb_left : node->rb_right);
	child = node->rb_left ?: node->rb_right;
	*rb_link_of(&tree->rb_root, node) = child;
	if (child)
		child->rb_parent = node->rb_parent;
}

#endif
