# SPDX-License-Identifier: GPL-2.0-or-later
#
# timegraph: "make help".

VERSION := 0.2.0

PREFIX ?= /usr/local
BUILD ?= $(CURDIR)/build
KDIR ?= /lib/modules/$(shell uname -r)/build
KREL = $(shell $(MAKE) -s --no-print-directory -C $(KDIR) kernelrelease)
# That kernel's source package: a tree, or the tarball as packaged.
LINUX_SOURCE ?= $(shell patches/nouveau/source \
	"$$(cat '$(KDIR)/include/config/kernel.release' 2>/dev/null)" 2>/dev/null)
JOBS ?= $(shell nproc)
VM := machine
# WORKLOADS= leaves them out, and with them what they need of OpenGL.
WORKLOADS := workloads
# Every folder under tools/ with a Makefile; the library first.
TOOLS = $(sort $(patsubst %/Makefile,%,$(wildcard tools/*/Makefile)))
# What "make install" copies lies here first; its list stays on the system, for
# "make uninstall".
STAGE = $(BUILD)/stage
INSTALLED = $(PREFIX)/share/timegraph/installed

.DELETE_ON_ERROR:

help:
	@echo 'timegraph $(VERSION): GPU command scheduling for nouveau'
	@echo
	@echo '  make run          boot the simulated machine; frame rates without and with'
	@echo '                    TimeGraph as a table, and in build/run.json'
	@echo '  make shell        a shell in the simulated machine, with the tools and programs'
	@echo '  make experiments  the experiments of the paper, as tables and in'
	@echo '                    build/experiments.json; EXPERIMENTS="fig9 fig13" for some'
	@echo "  make figures      TimeGraph's figures 7 to 16, LoGA's 7 to 11, Pegasus's 4 to 9 and"
	@echo "                    schedGPU's 11 to 15, beside the papers' words, in build/figures/index.html;"
	@echo '                    FIGURES="fig9 loga7" for some, FIGURES=--again to draw what was'
	@echo '                    measured last, FIGURES=--readme for the pictures of README.md,'
	@echo '                    FIGURES="--readme --compare" to see if they still are what is measured'
	@echo '  make bench        tables, also in build/bench.json: instructions of a decision of the'
	@echo '                    scheduler among 10 to 10,000; what programs alone lose; what pairs'
	@echo '                    and eight of them get; how long a group takes. BENCH="overhead" for'
	@echo '                    some of decisions, overhead, sharing, many, latency'
	@echo '  make check        tests of everything, the long ones in short: core, tools, GPU model,'
	@echo '                    workloads, test machine'
	@echo '  make check-all    all tests, whole'
	@echo '                    SUITE="core docs" runs some; "make list" says what there is;'
	@echo '                    TIMEGRAPH_SERIES=7.2 those of the test machine, on that kernel'
	@echo '  make check-debug  selftests and torture on a kernel with KASAN and lockdep'
	@echo '  make check-hostile'
	@echo '                    a hostile user against two promises, for long, on both kernels'
	@echo '  make nvsim-report registers that the GPU model does not know, for a boot'
	@echo '                    and the workloads'
	@echo '  make modules      timegraph.ko for this kernel, from its headers'
	@echo '  make nouveau      nouveau with the hooks, from its sources; see Documentation'
	@echo '  make tools        tgspec, tgctl, tgtop and the others, and the workloads'
	@echo '  make install      install what was built (as root), below $(PREFIX);'
	@echo '                    "make uninstall" takes away what it installed'
	@echo '  make packages     the Debian packages, into build/deb'
	@echo '  make docs         the manual as HTML, in build/docs'
	@echo '  make graph        who includes whom, for Graphviz: make -s graph | dot -Tsvg;'
	@echo '                    AREA=module, model or tools for one'
	@echo '  make pre-commit   what can be said of a change in ten seconds'
	@echo '  make compile_commands'
	@echo '                    build/compile_commands.json, for clangd and editors'
	@echo '  make clean        remove build/ (the cache outside the tree stays)'
	@echo
	@echo '  KDIR=DIR          kernel headers to build modules for ($(KDIR))'
	@echo '  LINUX_SOURCE=X    kernel source, a tree or a tarball, for nouveau'
	@echo '                    ($(or $(LINUX_SOURCE),not found: install linux-source))'
	@echo '  BUILD=DIR         where to build ($(BUILD))'
	@echo '  PREFIX=DIR        where programs go: /usr/local or /usr; DESTDIR=DIR before it'
	@echo '  TIMEGRAPH_SERIES  kernel that run, shell and check boot: 6.12, or 6.1, 7.2, 7.3'
	@echo '  TIMEGRAPH_CACHE   where the test machine is kept (~/.cache/timegraph)'

run:
	@O='$(BUILD)' bench/table/run $(RUN_ARGS)

# How the last command that was typed ended is no matter of make's; 120 on is.
shell:
	@TIMEGRAPH_BUILD='$(BUILD)' $(VM)/run --shell $(RUN_ARGS) || test $$? -lt 120

experiments:
	@O='$(BUILD)' bench/reserves/experiments $(EXPERIMENTS)

figures:
	@O='$(BUILD)' bench/figures/figures $(FIGURES)

bench:
	@O='$(BUILD)' bench/costs/costs $(or $(BENCH),$(if $(DECISIONS),decisions)) \
		--decisions '$(DECISIONS)'

# What "make check" takes on its command line. Another variable there is a slip (SUITES=)
# that would run something else than was asked for.
CHECK_TAKES = SUITE CHECK_ARGS BUILD JOBS CC CFLAGS TESTS KDIR LINUX_SOURCE TIMEGRAPH_%
TYPED = $(foreach v,$(.VARIABLES),$(if $(findstring command line,$(origin $v)),$v))

REFUSE_SLIPS = $(if $(filter-out $(CHECK_TAKES),$(TYPED)),$(error \
	check takes no $(filter-out $(CHECK_TAKES),$(TYPED))=, but $(CHECK_TAKES)))

check:
	$(REFUSE_SLIPS)
	@O='$(BUILD)' tests/check $(SUITE) $(CHECK_ARGS)

check-all:
	$(REFUSE_SLIPS)
	@O='$(BUILD)' tests/check --all $(SUITE) $(CHECK_ARGS)

list:
	@tests/check --list

check-debug:
	@O='$(BUILD)' tests/check --debug $(CHECK_ARGS)

# Its short form is part of "check-all", in the suite "module".
check-hostile:
	@O='$(BUILD)' tests/check hostile

nvsim-report:
	@O='$(BUILD)' bench/table/run --report $(BUILD)/nvsim-report.txt $(RUN_ARGS)
	@cat $(BUILD)/nvsim-report.txt

graph:
	@python3 -B tests/unit/tree/includes.py --graph $(AREA)

pre-commit:
	@O='$(BUILD)' tests/pre-commit

compile_commands:
	@mkdir -p '$(BUILD)'
	@KDIR='$(KDIR)' tests/compile-commands '$(BUILD)' >'$(BUILD)/compile_commands.json'
	@echo 'make: for an editor: ln -s $(BUILD)/compile_commands.json .'

.PHONY: graph pre-commit compile_commands

modules: headers
	mkdir -p '$(BUILD)/modules/timegraph/drivers/gpu' '$(BUILD)/modules/timegraph/patches/nouveau'
	cp -u Kbuild Makefile '$(BUILD)/modules/timegraph/'
	cp -ru include '$(BUILD)/modules/timegraph/'
	cp -ru patches/nouveau/include '$(BUILD)/modules/timegraph/patches/nouveau/'
	cp -ru drivers/gpu/timegraph '$(BUILD)/modules/timegraph/drivers/gpu/'
	$(MAKE) -C '$(KDIR)' M='$(BUILD)/modules/timegraph' -j$(JOBS) modules

nouveau: headers $(BUILD)/modules/nouveau/.prepared
	$(MAKE) -C '$(KDIR)' M='$(BUILD)/modules/nouveau' CONFIG_DRM_NOUVEAU=m -j$(JOBS) modules

headers:
	@test -d '$(KDIR)' || { \
		echo 'make: no kernel headers in $(KDIR): install linux-headers for it, or give KDIR='; \
		exit 1; }

# Which one: that of another kernel is older or newer by chance.
$(BUILD)/modules/nouveau.source: FORCE
	@test -n '$(LINUX_SOURCE)' || { \
		echo 'make: no source of the kernel of $(KDIR): install linux-source for it, or give LINUX_SOURCE='; \
		exit 1; }
	@mkdir -p '$(@D)'
	@echo '$(LINUX_SOURCE)' | cmp -s - '$@' || echo '$(LINUX_SOURCE)' >'$@'

# Only anew when the patch or the source changed: everything is compiled again.
$(BUILD)/modules/nouveau/.prepared: $(wildcard patches/nouveau/* patches/nouveau/*/*) \
		$(LINUX_SOURCE) $(BUILD)/modules/nouveau.source
	patches/nouveau/prepare '$(LINUX_SOURCE)' auto '$(BUILD)/modules/nouveau'
	@touch $@

tools:
	$(if $(WORKLOADS),$(MAKE) -C $(WORKLOADS) O='$(BUILD)/workloads')
	set -e; for d in $(TOOLS); do $(MAKE) -C $$d O='$(BUILD)'/$$d; done

install: stage
	packaging/install '$(STAGE)' '$(INSTALLED)' '$(DESTDIR)'

uninstall:
	packaging/install --remove '$(INSTALLED)' '$(DESTDIR)'

stage:
	@test -f '$(BUILD)/modules/timegraph/drivers/gpu/timegraph/timegraph.ko' || { \
		echo 'make: nothing to install yet: run "make modules tools" first'; exit 1; }
	rm -rf '$(STAGE)'
	install -D -m 644 -t '$(STAGE)/lib/modules/$(KREL)/updates' \
		$(wildcard $(BUILD)/modules/nouveau/nouveau.ko) \
		'$(BUILD)/modules/timegraph/drivers/gpu/timegraph/timegraph.ko'
	strip --strip-debug '$(STAGE)/lib/modules/$(KREL)/updates/'*.ko
	$(if $(WORKLOADS),$(MAKE) -C $(WORKLOADS) O='$(BUILD)/workloads' DESTDIR='$(STAGE)' install)
	set -e; for d in $(TOOLS); do \
		$(MAKE) -C $$d O='$(BUILD)'/$$d DESTDIR='$(STAGE)' install; done
	install -D -m 644 -t '$(STAGE)/etc' packaging/etc/*
	install -D -m 644 -t '$(STAGE)/etc/modprobe.d' packaging/modprobe.d/*
	install -D -m 644 -t '$(STAGE)$(PREFIX)/lib/udev/rules.d' packaging/udev/*

packages:
	packaging/deb '$(BUILD)/deb'

# The simulator draws the manual's figures.
docs:
	@for p in sphinx-build mandoc; do command -v $$p >/dev/null || { \
		echo "make: the manual needs $$p: apt install python3-sphinx mandoc"; exit 1; }; done
	@$(MAKE) -s -C tools/tgsim O='$(BUILD)/tools/tgsim'
	@TGSIM='$(BUILD)/tools/tgsim/tgsim' PYTHONDONTWRITEBYTECODE=1 sphinx-build -W -n \
		--keep-going -q -d '$(BUILD)/docs/.doctrees' Documentation '$(BUILD)/docs'
	@echo 'make: the manual begins at $(BUILD)/docs/index.html'

clean:
	rm -rf '$(BUILD)'

.PHONY: FORCE help run shell experiments figures bench check check-all list check-debug check-hostile nvsim-report modules nouveau headers \
	tools install uninstall stage packages docs clean
