/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WL_MESH_H
#define WL_MESH_H

#include <GLES2/gl2.h>
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

#endif
