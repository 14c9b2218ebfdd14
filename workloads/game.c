// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An uneven heavy scene in the manner of a 3-D game: a reflection, a world with
 * depth, translucent layers, a down-sampled glow and the final picture. How many
 * layers a frame has follows a camera path that depends on --seed and the
 * frame's index alone, never on time, so that two runs draw the same frames.
 *
 * Draws cover the whole viewport and come in instanced batches with one uniform
 * changed for each: the work is on the GPU, not on the CPU that feeds it.
 */
#include "glapp.h"
#include "mesh.h"

#define SHOTS 6
#define SHOT_FRAMES 4		/* between two cuts */
#define MAX_BATCH 64

static const char vertex_source[] =
	"attribute vec2 position;\n"
	"attribute vec4 instance;\n"	/* number within the batch */
	"uniform vec4 layer;\n"		/* phase, depth, height, tint */
	"varying vec3 at;\n"
	"void main() {\n"
	"	float phase = layer.x + instance.x;\n"
	"	float wave = sin(3.0 * position.x + phase) * cos(2.0 * position.y - phase);\n"
	"	float depth = layer.y - 0.002 * instance.x;\n"
	"	at = vec3(0.5 + 0.5 * position, layer.w + 0.2 * wave);\n"
	"	gl_Position = vec4(1.05 * position, depth + layer.z * wave, 1.0);\n"
	"}\n";

static const char world_source[] =
	"precision mediump float;\n"
	"uniform sampler2D first;\n"
	"varying vec3 at;\n"
	"void main() {\n"
	"	gl_FragColor = vec4(texture2D(first, at.xy).rgb * at.z + 0.1 * at, 0.25);\n"
	"}\n";

static const char final_source[] =
	"precision mediump float;\n"
	"uniform sampler2D first, second;\n"
	"varying vec3 at;\n"
	"void main() {\n"
	"	gl_FragColor = vec4(texture2D(first, at.xy).rgb +\n"
	"			    0.5 * texture2D(second, at.xy).rgb, 1.0);\n"
	"}\n";

struct material {
	GLuint program;
	GLint layer;
};

static struct {
	uint64_t layers;		/* about how many the average frame has */
	uint64_t batch;			/* layers in a draw call */
	struct material world, final;
	struct instances numbers;
	struct mesh terrain, quad;
	struct gl_target reflection, scene, glow;
	uint64_t min_layers, max_layers, sum_layers;
} game = { .layers = 56, .batch = 4 };

static bool make_material(struct material *m, const char *fragment)
{
	m->program = gl_program(vertex_source, fragment);
	if (!m->program)
		return false;
	m->layer = glGetUniformLocation(m->program, "layer");
	glUseProgram(m->program);
	glUniform1i(glGetUniformLocation(m->program, "first"), 0);
	glUniform1i(glGetUniformLocation(m->program, "second"), 1);
	return true;
}

static bool number_layers(bool es3)
{
	float numbers[MAX_BATCH][4] = { 0 };
	int i;

	for (i = 0; i < MAX_BATCH; i++)
		numbers[i][0] = (float)i;
	return instances_init(&game.numbers, numbers[0], MAX_BATCH, es3);
}

static bool init(struct gl_app *app)
{
	const struct wl_size full = app->common.size;
	const struct wl_size half = { (full.width + 1) / 2, (full.height + 1) / 2 };
	const struct wl_size quarter = { (full.width + 3) / 4, (full.height + 3) / 4 };

	return number_layers(app->gl.es3) && make_material(&game.world, world_source) &&
	       make_material(&game.final, final_source) &&
	       mesh_grid(&game.terrain, 16, 12) && mesh_grid(&game.quad, 1, 1) &&
	       gl_target_init(&app->gl, &game.reflection, half, true, false) &&
	       gl_target_init(&app->gl, &game.scene, full, true, false) &&
	       gl_target_init(&app->gl, &game.glow, quarter, false, false);
}

/*
 * Layers of frame `index`: a shot's own level, a swell of the camera within the
 * shot, and a jitter of 10 %; 60 to 150 % of --layers. Heavy and light shots
 * alternate, so that every stretch of a dozen frames is about as heavy as any
 * other: a run that gets fewer frames must not have got the easier ones.
 */
static uint64_t count_layers(struct gl_app *app, uint64_t index)
{
	static const uint64_t levels[SHOTS] = { 2, 5, 0, 4, 1, 3 };
	uint64_t seed = app->common.seed, shot = index / SHOT_FRAMES % SHOTS;
	uint64_t within = index % SHOT_FRAMES;
	uint64_t swell = within < SHOT_FRAMES / 2 ? within : SHOT_FRAMES - within;
	uint64_t percent;

	percent = 60 + 14 * levels[shot] + wl_random(seed, shot) % 5;
	percent += swell * 5 + wl_random(seed ^ 0x9a3e, index) % 11;
	return game.layers * percent / 107 + 1;
}

/* Draws `layers` of the world in batches; depth falls from 0.9 towards 0. */
static void draw_layers(struct gl_app *app, uint64_t layers, float phase, float height,
			float tint)
{
	uint64_t i, n;

	for (i = 0; i < layers; i += n) {
		n = layers - i < game.batch ? layers - i : game.batch;
		glUniform4f(game.world.layer, phase + (float)i,
			    0.9f - 0.5f * (float)i / (float)layers, height, tint);
		instances_draw(&game.numbers, &game.terrain, (GLsizei)n);
		gl_app_drawn(app);
	}
}

static void draw_final(struct gl_app *app)
{
	glUniform4f(game.final.layer, 0.0f, 0.0f, 0.0f, 1.0f);
	instances_draw(&game.numbers, &game.quad, 1);
	gl_app_drawn(app);
}

static void begin_pass(const struct gl_target *target, GLbitfield clear)
{
	gl_target_bind(target);
	glClear(clear);
}

static void use(const struct material *m, const struct mesh *mesh, GLuint texture)
{
	glUseProgram(m->program);
	mesh_bind(mesh);
	instances_bind(&game.numbers);
	glActiveTexture(GL_TEXTURE0);
	glBindTexture(GL_TEXTURE_2D, texture);
}

static void draw_world(struct gl_app *app, uint64_t layers, float phase)
{
	glEnable(GL_DEPTH_TEST);	/* back to front: nothing is rejected */
	draw_layers(app, layers / 2, phase, 0.001f, 0.5f);
	glDepthMask(GL_FALSE);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	draw_layers(app, layers - layers / 2, -phase, 0.001f, 0.8f);
	glDisable(GL_BLEND);
	glDepthMask(GL_TRUE);
	glDisable(GL_DEPTH_TEST);
}

static void frame(struct gl_app *app, struct gl_target *target, uint64_t index)
{
	uint64_t layers = count_layers(app, index);
	float phase = (float)(index % 1000) * 0.05f;

	if (!game.min_layers || layers < game.min_layers)
		game.min_layers = layers;
	if (layers > game.max_layers)
		game.max_layers = layers;
	game.sum_layers += layers;

	glClearColor(0.3f, 0.4f, 0.6f, 1.0f);
	use(&game.world, &game.terrain, game.glow.texture);
	begin_pass(&game.reflection, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	draw_layers(app, layers / 8, phase, 0.1f, 0.4f);

	glBindTexture(GL_TEXTURE_2D, game.reflection.texture);
	begin_pass(&game.scene, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	draw_world(app, layers, phase);

	use(&game.final, &game.quad, game.scene.texture);
	begin_pass(&game.glow, GL_COLOR_BUFFER_BIT);
	draw_final(app);

	glActiveTexture(GL_TEXTURE1);
	glBindTexture(GL_TEXTURE_2D, game.glow.texture);
	begin_pass(target, GL_COLOR_BUFFER_BIT);
	draw_final(app);
	glBindTexture(GL_TEXTURE_2D, 0);
}

static void report(struct gl_app *app)
{
	uint64_t drawn = app->next_frame + app->common.warmup;

	wl_run_extra(&app->run, "layers_min", game.min_layers);
	wl_run_extra(&app->run, "layers_max", game.max_layers);
	wl_run_extra(&app->run, "layers_mean", drawn ? game.sum_layers / drawn : 0);
}

static void fini(struct gl_app *app)
{
	gl_target_fini(&app->gl, &game.reflection);
	gl_target_fini(&app->gl, &game.scene);
	gl_target_fini(&app->gl, &game.glow);
	instances_fini(&game.numbers);
	mesh_fini(&game.terrain);
	mesh_fini(&game.quad);
	glDeleteProgram(game.world.program);
	glDeleteProgram(game.final.program);
}

int main(int argc, char **argv)
{
	static const struct wl_opt opts[] = {
		{ "layers", WL_OPT_UINT, &game.layers, "N", "layers of an average frame (56)",
		  .min = 1, .max = 10000 },
		{ "batch", WL_OPT_UINT, &game.batch, "N", "layers in a draw call (4)",
		  .min = 1, .max = MAX_BATCH },
		{ 0 },
	};
	static const struct gl_workload workload = {
		.task = "game",
		.summary = "An uneven heavy scene: several passes, many draws, cuts between scenes.",
		.size = { 1280, 1024 },
		.in_flight = 2,
		.group = 8,
		.warmup = 3,
		.opts = opts,
		.init = init,
		.frame = frame,
		.report = report,
		.fini = fini,
	};

	return gl_app_main(argc, argv, &workload);
}
