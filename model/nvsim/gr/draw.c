// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Vertex submission: counted and timed, not drawn. Shader programs are not executed, so nobody
 * knows where a primitive would land; a draw leaves the frame buffer as it is.
 *
 * What a draw (BEGIN ... END with at least one primitive) is charged for: its area is the part of
 * the render target inside screen scissor, scissor and viewport, covered once, however many
 * primitives there are; its vertices; its primitives. See Documentation/gpu-model-graphics.rst.
 */
#include "draw.h"

#include <math.h>
#include <string.h>

#include "op.h"
#include "prog.h"
#include "target.h"

#define DMA_CODE_CB		0x0198
#define VERTEX_ARRAY_FETCH	0x0900
#define VIEWPORT_SCALE_X	0x0a00
#define VIEWPORT_TRANSLATE_X	0x0a0c
#define VERTEX_BUFFER_COUNT	0x0d78
#define VP_ADDRESS_HIGH		0x0f7c
#define FP_ADDRESS_HIGH		0x0fa4
#define RT_CONTROL		0x121c
#define DEPTH_TEST_ENABLE	0x12cc
#define DEPTH_WRITE_ENABLE	0x12e8
#define VB_ELEMENT_U8_SETUP	0x1300
#define VB_ELEMENT_U8		0x1304
#define BLEND_ENABLE		0x1360
#define STENCIL_ENABLE		0x1380
#define VP_START_ID		0x140c
#define FP_START_ID		0x1414
#define SAMPLECNT_ENABLE	0x1514
#define VERTEX_BEGIN_D3D	0x15d4
#define VERTEX_END_D3D		0x15d8
#define VERTEX_BEGIN_GL		0x15dc
#define VERTEX_END_GL		0x15e0
#define VB_ELEMENT_U32		0x15e8
#define VB_ELEMENT_U16_SETUP	0x15ec
#define VB_ELEMENT_U16		0x15f0
#define VERTEX_DATA		0x1640
#define RASTERIZE_ENABLE	0x17b4
#define VIEWPORT_TRANSFORM_EN	0x192c
#define VERTEX_ARRAY_ATTRIB	0x1ac0

#define ATTRIBS			16u
#define FETCH_ENABLE		0x20000000u
#define ATTRIB_CONST		0x10u

enum prim {
	POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN, QUADS,
	QUAD_STRIP, POLYGON, LINES_ADJ, LINE_STRIP_ADJ, TRIANGLES_ADJ, TRIANGLE_STRIP_ADJ,
	PRIMS,
};

/* Methods whose last component, for attribute 0, completes an immediate vertex. */
static const uint16_t attrib0_last[] = {
	0x0300, 0x0340, 0x0384, 0x0408, 0x050c, 0x0604, 0x0680, 0x06c0, 0x0704, 0x0784, 0x0800,
	0x0840, 0x0880, 0x08c0,
};

static uint64_t strip(uint64_t verts, uint64_t lead)
{
	return verts > lead ? verts - lead : 0;
}

/* Points, lines or triangles that so many vertices make. */
static uint64_t primitives(uint32_t prim, uint64_t verts)
{
	switch (prim) {
	case POINTS:
		return verts;
	case LINES:
		return verts / 2;
	case LINE_LOOP:
		return verts > 1 ? verts : 0;
	case LINE_STRIP:
		return strip(verts, 1);
	case TRIANGLES:
		return verts / 3;
	case TRIANGLE_STRIP:
	case TRIANGLE_FAN:
	case POLYGON:
		return strip(verts, 2);
	case QUADS:
		return verts / 4 * 2;
	case QUAD_STRIP:
		return strip(verts, 2) / 2 * 2;
	case LINES_ADJ:
		return verts / 4;
	case LINE_STRIP_ADJ:
		return strip(verts, 3);
	case TRIANGLES_ADJ:
		return verts / 6;
	case TRIANGLE_STRIP_ADJ:
		return strip(verts, 4) / 2;
	default:
		return 0;
	}
}

static float reg_float(const struct nvsim_gr_op *op, uint32_t mthd)
{
	uint32_t u = nvsim_gr_reg(op, mthd);
	float f;

	memcpy(&f, &u, sizeof(f));
	return f;
}

static int64_t to_pixel(float f)
{
	if (!(f > 0.0f))
		return 0;
	return f < 65536.0f ? (int64_t)f : 65536;
}

static void clip_transform(const struct nvsim_gr_op *op, struct nvsim_gr_rect *r)
{
	int64_t edge[4];

	if (!(nvsim_gr_reg(op, VIEWPORT_TRANSFORM_EN) & 1))
		return;
	for (unsigned int i = 0; i < 2; i++) {
		float scale = fabsf(reg_float(op, VIEWPORT_SCALE_X + i * 4));
		float translate = reg_float(op, VIEWPORT_TRANSLATE_X + i * 4);

		edge[i] = to_pixel(translate - scale);
		edge[i + 2] = to_pixel(translate + scale + 0.5f);
	}
	nvsim_gr_rect_clip(r, edge[0], edge[1], edge[2], edge[3]);
}

/* Bytes the ROPs read and write per sample, and how many samples pass through them per pixel. */
struct traffic {
	uint32_t bytes;
	uint32_t targets;
	uint32_t width, height;
	bool any;
};

static void add_target(struct traffic *tr, const struct nvsim_gr_target *t, uint32_t accesses)
{
	tr->bytes += t->cpp * accesses;
	if (!tr->any || t->width < tr->width)
		tr->width = t->width;
	if (!tr->any || t->height < tr->height)
		tr->height = t->height;
	tr->any = true;
}

static void find_traffic(struct nvsim_gr_op *op, struct traffic *tr)
{
	uint32_t control = nvsim_gr_reg(op, RT_CONTROL);
	uint32_t count = control & 0xf;
	struct nvsim_gr_target t;

	memset(tr, 0, sizeof(*tr));
	for (uint32_t i = 0; i < count && i < NVSIM_GR_RTS; i++) {
		uint32_t rt = control >> (4 + 3 * i) & 7;

		if (!nvsim_gr_target_open_rt(op, rt, 0, &t))
			continue;
		add_target(tr, &t, nvsim_gr_reg(op, BLEND_ENABLE + rt * 4) & 1 ? 2 : 1);
		tr->targets++;
	}
	if (nvsim_gr_target_open_zeta(op, 0, &t)) {
		bool test = (nvsim_gr_reg(op, DEPTH_TEST_ENABLE) |
			     nvsim_gr_reg(op, STENCIL_ENABLE)) & 1;
		bool write = test && (nvsim_gr_reg(op, DEPTH_WRITE_ENABLE) & 1);

		add_target(tr, &t, test + write);
	}
}

static uint64_t draw_area(struct nvsim_gr_op *op, const struct traffic *tr)
{
	struct nvsim_gr_rect r = nvsim_gr_target_screen(op);
	unsigned int ms_x, ms_y;

	nvsim_gr_target_clip_scissor(op, &r);
	clip_transform(op, &r);
	nvsim_gr_target_samples(op, &ms_x, &ms_y);
	nvsim_gr_rect_clip(&r, 0, 0, tr->width >> ms_x, tr->height >> ms_y);
	if (nvsim_gr_rect_empty(&r))
		return 0;
	return (uint64_t)(r.x1 - r.x0) * (uint64_t)(r.y1 - r.y0);
}

static uint64_t vertex_bytes(const struct nvsim_gr_op *op)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < ATTRIBS; i++) {
		uint32_t fetch = nvsim_gr_reg(op, VERTEX_ARRAY_FETCH + i * 0x10);

		if (fetch & FETCH_ENABLE)
			bytes += fetch & 0xfff;
	}
	return bytes;
}

/* Words of one vertex in VERTEX_DATA: what the attributes that are not constant take. */
static uint32_t inline_words(const struct nvsim_gr_op *op)
{
	/* bytes by vertex format (envytools g80_3d: g80_vtxelt_format) */
	static const uint8_t size[64] = {
		[0x01] = 16, [0x02] = 12, [0x03] = 8, [0x04] = 8, [0x05] = 6, [0x0a] = 4,
		[0x0f] = 4, [0x12] = 4, [0x13] = 3, [0x18] = 2, [0x1b] = 2, [0x1d] = 1,
		[0x30] = 4, [0x31] = 4,
	};
	uint32_t bytes = 0;

	for (uint32_t i = 0; i < ATTRIBS; i++) {
		uint32_t attrib = nvsim_gr_reg(op, VERTEX_ARRAY_ATTRIB + i * 4);

		if (!(attrib & ATTRIB_CONST))
			bytes += size[attrib >> 19 & 0x3f];
	}
	return bytes < 4 ? 1 : (bytes + 3) / 4;
}

static const struct nvsim_gr_prog *program(struct nvsim_gr_op *op, enum nvsim_gr_stage stage,
					   uint32_t address_high, uint32_t start_id)
{
	return nvsim_gr_prog_get(op, stage, nvsim_gr_reg(op, DMA_CODE_CB),
				 nvsim_gr_reg_addr(op, address_high, address_high + 4) +
				 nvsim_gr_reg(op, start_id));
}

static void count(struct nvsim_gr_op *op, uint64_t verts, uint64_t prims, uint64_t pixels)
{
	uint64_t *counter = op->c->counter;

	counter[NVSIM_GR_VFETCH_VERTICES] += verts;
	counter[NVSIM_GR_VFETCH_PRIMITIVES] += prims;
	counter[NVSIM_GR_VP_LAUNCHES] += verts;
	counter[NVSIM_GR_GENERATED_PRIMITIVES] += prims;
	counter[NVSIM_GR_RAST_PRECLIP] += prims;
	counter[NVSIM_GR_RAST_POSTCLIP] += prims;
	counter[NVSIM_GR_FP_PIXELS] += pixels;
	if (nvsim_gr_reg(op, SAMPLECNT_ENABLE) & 1)
		op->c->samples += pixels;
}

static void charge(struct nvsim_gr_op *op, uint64_t verts, uint64_t prims)
{
	struct nvsim_cost_work work = { .fixed_ps = op->c->model->draw_ps };
	const struct nvsim_gr_prog *vp, *fp;
	unsigned int ms_x, ms_y;
	struct traffic tr;
	uint64_t pixels = 0, samples;

	vp = program(op, NVSIM_GR_VP, VP_ADDRESS_HIGH, VP_START_ID);
	fp = vp ? program(op, NVSIM_GR_FP, FP_ADDRESS_HIGH, FP_START_ID) : NULL;
	if (!fp)
		return;
	find_traffic(op, &tr);
	if (prims && (nvsim_gr_reg(op, RASTERIZE_ENABLE) & 1))
		pixels = draw_area(op, &tr);
	if (op->c->draw3d.prim == POINTS && pixels > prims)
		pixels = prims;
	nvsim_gr_target_samples(op, &ms_x, &ms_y);
	samples = pixels << (ms_x + ms_y);
	work.verts = verts;
	work.prims = prims;
	work.rop_pixels = samples * (tr.targets ? tr.targets : 1);
	work.vram_bytes = samples * tr.bytes + nvsim_cost_mul(verts, vertex_bytes(op));
	work.alu_ops = nvsim_cost_mul(verts, vp->alu) + nvsim_cost_mul(pixels, fp->alu);
	work.texels = nvsim_cost_mul(verts, vp->tex) + nvsim_cost_mul(pixels, fp->tex);
	count(op, verts, prims, pixels);
	nvsim_gr_work(op, &work);
}

static void begin(struct nvsim_gr_op *op, uint32_t prim)
{
	struct nvsim_gr_draw3d *draw = &op->c->draw3d;

	if (draw->active) {
		nvsim_gr_error(op, NVSIM_GR_ERR_BEGIN_END_ACTIVE);
		return;
	}
	if (prim >= PRIMS) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_ENUM);
		return;
	}
	memset(draw, 0, sizeof(*draw));
	draw->active = true;
	draw->prim = prim;
}

static void end(struct nvsim_gr_op *op)
{
	struct nvsim_gr_draw3d *draw = &op->c->draw3d;
	uint64_t verts;

	if (!draw->active)
		return;
	draw->active = false;
	verts = draw->verts + draw->inline_words / inline_words(op);
	if (verts && op->c->cond_3d)
		charge(op, verts, primitives(draw->prim, verts));
}

/* D3D numbers points, lines and strips from 1, and has no loops, fans, quads, polygons. */
static uint32_t from_d3d(uint32_t prim)
{
	if (prim == 1 || prim == 2)
		return prim - 1;
	if ((prim >= LINE_STRIP && prim <= TRIANGLE_STRIP) || prim >= LINES_ADJ)
		return prim;
	return PRIMS;
}

static void elements_setup(struct nvsim_gr_op *op, uint32_t element_bytes)
{
	struct nvsim_gr_draw3d *draw = &op->c->draw3d;

	draw->elements_left = op->data & 0x3fffffff;
	draw->elements_skip = (op->data >> 30) / element_bytes;
	draw->elements_limited = draw->elements_left != 0;
}

static void elements(struct nvsim_gr_op *op, uint32_t per_word)
{
	struct nvsim_gr_draw3d *draw = &op->c->draw3d;
	uint32_t n = per_word;

	if (draw->elements_limited) {
		n = n > draw->elements_skip ? n - draw->elements_skip : 0;
		if (n > draw->elements_left)
			n = draw->elements_left;
		draw->elements_skip = 0;
		draw->elements_left -= n;
	}
	if (draw->active)
		draw->verts += n;
}

void nvsim_gr_draw_method(struct nvsim_gr_op *op)
{
	struct nvsim_gr_draw3d *draw = &op->c->draw3d;

	switch (op->mthd) {
	case VERTEX_BEGIN_GL:
		begin(op, op->data & 0x0fffffff);
		break;
	case VERTEX_BEGIN_D3D:
		begin(op, from_d3d(op->data & 0x0fffffff));
		break;
	case VERTEX_END_GL:
	case VERTEX_END_D3D:
		end(op);
		break;
	case VERTEX_BUFFER_COUNT:
		if (draw->active)
			draw->verts += op->data;
		break;
	case VB_ELEMENT_U8_SETUP:
		elements_setup(op, 1);
		break;
	case VB_ELEMENT_U16_SETUP:
		elements_setup(op, 2);
		break;
	case VB_ELEMENT_U8:
		elements(op, 4);
		break;
	case VB_ELEMENT_U16:
		elements(op, 2);
		break;
	case VB_ELEMENT_U32:
		if (draw->active)
			draw->verts++;
		break;
	case VERTEX_DATA:
		if (draw->active)
			draw->inline_words++;
		break;
	default:	/* last component of attribute 0 */
		if (draw->active)
			draw->verts++;
		break;
	}
}

void nvsim_gr_draw_mark(uint8_t known[NVSIM_GR_METHODS])
{
	static const uint16_t active[] = {
		VERTEX_BEGIN_GL, VERTEX_BEGIN_D3D, VERTEX_END_GL, VERTEX_END_D3D,
		VERTEX_BUFFER_COUNT, VB_ELEMENT_U8_SETUP, VB_ELEMENT_U16_SETUP, VB_ELEMENT_U8,
		VB_ELEMENT_U16, VB_ELEMENT_U32, VERTEX_DATA,
	};

	for (unsigned int i = 0; i < sizeof(active) / sizeof(active[0]); i++)
		known[active[i] / 4] = NVSIM_GR_ACTION;
	for (unsigned int i = 0; i < sizeof(attrib0_last) / sizeof(attrib0_last[0]); i++)
		known[attrib0_last[i] / 4] = NVSIM_GR_ACTION;
	nvsim_gr_mark_inputs(known, DMA_CODE_CB, 1, 4);
	nvsim_gr_mark_inputs(known, VERTEX_ARRAY_FETCH, ATTRIBS, 16);
	nvsim_gr_mark_inputs(known, VIEWPORT_SCALE_X, 2, 4);
	nvsim_gr_mark_inputs(known, VIEWPORT_TRANSLATE_X, 2, 4);
	nvsim_gr_mark_inputs(known, VP_ADDRESS_HIGH, 2, 4);
	nvsim_gr_mark_inputs(known, FP_ADDRESS_HIGH, 2, 4);
	nvsim_gr_mark_inputs(known, DEPTH_TEST_ENABLE, 1, 4);
	nvsim_gr_mark_inputs(known, DEPTH_WRITE_ENABLE, 1, 4);
	nvsim_gr_mark_inputs(known, BLEND_ENABLE, NVSIM_GR_RTS, 4);
	nvsim_gr_mark_inputs(known, STENCIL_ENABLE, 1, 4);
	nvsim_gr_mark_inputs(known, VP_START_ID, 1, 4);
	nvsim_gr_mark_inputs(known, FP_START_ID, 1, 4);
	nvsim_gr_mark_inputs(known, SAMPLECNT_ENABLE, 1, 4);
	nvsim_gr_mark_inputs(known, RASTERIZE_ENABLE, 1, 4);
	nvsim_gr_mark_inputs(known, VIEWPORT_TRANSFORM_EN, 1, 4);
	nvsim_gr_mark_inputs(known, VERTEX_ARRAY_ATTRIB, ATTRIBS, 4);
}
