// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh.h"

static bool upload(struct mesh *mesh, float *positions, int count)
{
	mesh->count = count;
	glGenBuffers(1, &mesh->buffer);
	glBindBuffer(GL_ARRAY_BUFFER, mesh->buffer);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(sizeof(float) * 2 * (size_t)count),
		     positions, GL_STATIC_DRAW);
	free(positions);
	return glGetError() == GL_NO_ERROR;
}

/* Rows are joined by repeating the last vertex of one and the first of the next. */
bool mesh_grid(struct mesh *mesh, int columns, int rows)
{
	int per_row = 2 * (columns + 1) + 2, row, column, side, n = 0;
	float *p = malloc(sizeof(float) * 2 * (size_t)(per_row * rows));

	if (!p)
		return false;
	for (row = 0; row < rows; row++) {
		for (column = -1; column <= columns + 1; column++) {
			int clamped = column < 0 ? 0 : column > columns ? columns : column;

			for (side = 0; side < 2; side++) {
				if ((column < 0 && side == 1) || (column > columns && side == 0))
					continue;
				p[n++] = 2.0f * (float)clamped / (float)columns - 1.0f;
				p[n++] = 2.0f * (float)(row + side) / (float)rows - 1.0f;
			}
		}
	}
	return upload(mesh, p, n / 2);
}

bool mesh_gear(struct mesh *mesh, int teeth, float inner, float outer)
{
	int steps = teeth * 4, i, n = 0;
	float *p = malloc(sizeof(float) * 4 * (size_t)(steps + 1));

	if (!p)
		return false;
	for (i = 0; i <= steps; i++) {
		float angle = 6.2831853f * (float)(i % steps) / (float)steps;
		float radius = (i & 2) ? outer : 0.85f * outer;

		p[n++] = inner * cosf(angle);
		p[n++] = inner * sinf(angle);
		p[n++] = radius * cosf(angle);
		p[n++] = radius * sinf(angle);
	}
	return upload(mesh, p, n / 2);
}

void mesh_fini(struct mesh *mesh)
{
	glDeleteBuffers(1, &mesh->buffer);
	*mesh = (struct mesh){ 0 };
}

void mesh_bind(const struct mesh *mesh)
{
	glBindBuffer(GL_ARRAY_BUFFER, mesh->buffer);
	glEnableVertexAttribArray(0);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
}

void mesh_draw(const struct mesh *mesh)
{
	glDrawArrays(GL_TRIANGLE_STRIP, 0, mesh->count);
}

bool instances_init(struct instances *in, const float *values, GLsizei count, bool es3)
{
	size_t bytes = sizeof(float) * 4 * (size_t)count;

	*in = (struct instances){ .count = count, .es3 = es3, .values = malloc(bytes) };
	if (!in->values)
		return false;
	memcpy(in->values, values, bytes);
	glGenBuffers(1, &in->buffer);
	glBindBuffer(GL_ARRAY_BUFFER, in->buffer);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, values, GL_STATIC_DRAW);
	return glGetError() == GL_NO_ERROR;
}

void instances_fini(struct instances *in)
{
	glDeleteBuffers(1, &in->buffer);
	free(in->values);
	*in = (struct instances){ 0 };
}

void instances_bind(const struct instances *in)
{
	if (!in->es3)
		return;
	glBindBuffer(GL_ARRAY_BUFFER, in->buffer);
	glEnableVertexAttribArray(1);
	glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 0, NULL);
	glVertexAttribDivisor(1, 1);
}

void instances_draw(const struct instances *in, const struct mesh *mesh, GLsizei count)
{
	GLsizei i;

	if (in->es3) {
		glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, mesh->count, count);
		return;
	}
	for (i = 0; i < count; i++) {
		glVertexAttrib4fv(1, in->values + 4 * i);
		mesh_draw(mesh);
	}
}
