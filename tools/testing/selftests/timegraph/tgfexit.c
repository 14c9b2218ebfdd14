// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tgfexit FUNCTION: has a BPF program called at the end of a function of nouveau's
 * (BPF_TRACE_FEXIT, what bpftrace's "fexit:" and many tools use). Says "attached"; at
 * SIGTERM how often it was called ("calls=N"), and ends. The kernel calls such a program
 * from a trampoline, which may call the function by its address, behind whoever
 * redirects it: the two must know of each other.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>

static int fail(const char *what)
{
	fprintf(stderr, "tgfexit: %s: %s\n", what, strerror(errno));
	return 1;
}

/* What nouveau's types are by: a file of the kernel's, or -1. */
static int types_of_nouveau(void)
{
	char name[64];
	__u32 id = 0;

	while (!bpf_btf_get_next_id(id, &id)) {
		struct bpf_btf_info info = {
			.name = (unsigned long)name,
			.name_len = sizeof(name),
		};
		__u32 len = sizeof(info);
		int fd = bpf_btf_get_fd_by_id(id);

		if (fd < 0)
			continue;
		if (!bpf_obj_get_info_by_fd(fd, &info, &len) && info.kernel_btf &&
		    !strcmp(name, "nouveau"))
			return fd;
		close(fd);
	}
	errno = ENOENT;
	return -1;
}

static int id_of(const char *function)
{
	struct btf *kernel = btf__load_vmlinux_btf(), *nouveau;
	int id = -1;

	nouveau = kernel ? btf__load_module_btf("nouveau", kernel) : NULL;
	if (nouveau)
		id = btf__find_by_name_kind(nouveau, function, BTF_KIND_FUNC);
	btf__free(nouveau);
	btf__free(kernel);
	return id;
}

/* A program that does nothing: the kernel counts how often it does. */
static int load(int types, int function)
{
	const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FEXIT,
		    .attach_btf_obj_fd = types, .attach_btf_id = function);

	return bpf_prog_load(BPF_PROG_TYPE_TRACING, "tgfexit", "GPL", nothing, 2, &opts);
}

int main(int argc, char **argv)
{
	struct bpf_prog_info info = { 0 };
	__u32 len = sizeof(info);
	int types, function, prog, sig;
	sigset_t end;

	if (argc != 2) {
		fprintf(stderr, "usage: tgfexit FUNCTION\n");
		return 2;
	}
	sigemptyset(&end);
	sigaddset(&end, SIGTERM);
	sigprocmask(SIG_BLOCK, &end, NULL);
	types = types_of_nouveau();
	if (types < 0)
		return fail("nouveau's types");
	function = id_of(argv[1]);
	if (function < 0)
		return fail(argv[1]);
	prog = load(types, function);
	if (prog < 0)
		return fail("loading the program");
	if (bpf_enable_stats(BPF_STATS_RUN_TIME) < 0)
		return fail("counting calls");
	if (bpf_raw_tracepoint_open(NULL, prog) < 0)
		return fail("attaching the program");
	puts("attached");
	fflush(stdout);
	sigwait(&end, &sig);
	if (bpf_obj_get_info_by_fd(prog, &info, &len))
		return fail("reading how often it was called");
	printf("calls=%llu\n", (unsigned long long)info.run_cnt);
	return 0;
}
