/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WL_MESH_H
#define WL_MESH_H

#include <GLES3/gl3.h>
#include <stdbool.h>

/* One triangle strip of vec2 positions in a buffer object. */
struct mesh {
	GLuint buffer;
	GLsizei count;
};

/* columns x rows squares that cover -1..1 in both directions. */
bool mesh_grid(struct mesh *mesh, int columns, int rows);
/* A gear wheel: teeth alternate between the outer radius and 0.85 of it. */
bool mesh_gear(struct mesh *mesh, int teeth, float inner, float outer);
void mesh_fini(struct mesh *mesh);
/* Attribute 0 takes its positions from the mesh. */
void mesh_bind(const struct mesh *mesh);
void mesh_draw(const struct mesh *mesh);

/*
 * One vec4 per copy of a mesh, in attribute 1. Mesa's nv50 driver (22.0 and
 * later) ends a command group after every draw call, but the copies of an
 * instanced draw stay together: this is how a program decides how long its
 * groups are. Without OpenGL ES 3 the copies are drawn one by one.
 */
struct instances {
	GLuint buffer;
	GLsizei count;
	float *values;
	bool es3;
};

/* Takes a copy of count * 4 floats. */
bool instances_init(struct instances *in, const float *values, GLsizei count, bool es3);
void instances_fini(struct instances *in);
void instances_bind(const struct instances *in);
/* Draws the first `count` copies of the bound mesh. */
void instances_draw(const struct instances *in, const struct mesh *mesh, GLsizei count);

#endif
