# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Page tables and contexts of channels are of the card's memory, too, and cannot be moved: they take
# nothing of what is reserved, and come with a reservation.
#
# boot: --vram 256

# The hogs have what is free, and what of the margin is for page tables.
hogs_have_many_files() {
	chmod 666 /dev/dri/renderD128
	vram_client many nobody files=240
	vram_client more files=240
	eventually 60 grep -q ^files "$T/many.out"
	eventually 60 grep -q ^files "$T/more.out"
	grep -h . "$T/many.out" "$T/more.out"
}

# Twelve that have reserved nearly all begin to use it when hogs have opened all the files that they
# can: 1.1 MiB for each file, and as much again for two channels.
test_page_tables_come_with_a_reservation() {
	local i

	spec
	load vram=1
	tgvram open channel
	for ((i = 0; i < 12; i++)); do
		mkfifo "$T/a$i"
		vram_client "job$i" open reserve=16 "wait=$T/a$i" channel both=2,8 where
		eventually 20 said "job$i" 'reserve ok'
	done
	grep vram: $STATUS
	hogs_have_many_files
	grep vram: $STATUS
	for ((i = 0; i < 12; i++)); do
		echo >"$T/a$i"
	done
	for ((i = 0; i < 12; i++)); do
		eventually 20 grep -q ^where "$T/job$i.out"
		said "job$i" 'channel ok' && said "job$i" 'where vram=2 gart=0' ||
			fail "job$i: $(cat "$T/job$i.out")"
	done
	pkill_children
	all_gone
}

# Of a user's limit they are a part: otherwise he had 2 MiB more for each reservation of one.
test_small_reservations_of_a_user_leave_others_theirs() {
	local i n

	spec
	load vram=1
	tgvram open channel
	chmod 666 /dev/timegraph /dev/dri/renderD128
	for ((i = 0; i < 64; i++)); do
		vram_client "small$i" nobody open reserve=1
	done
	for ((i = 0; i < 64; i++)); do
		eventually 20 grep -q ^reserve "$T/small$i.out"
	done
	n=$(cat "$T"/small*.out | grep -cx 'reserve ok')
	grep vram: $STATUS
	want "his reservations" "$n" -ge 20
	want "his reservations, of three MiB together each" "$n" -le 40
	tgvram open channel try=100 >"$T/other.out"
	grep -qx 'try ok' "$T/other.out" || fail "$(cat "$T/other.out")"
	pkill_children
	all_gone
}

# Each open file of the card has page tables, 1 MiB here, and each channel a context: of the card's
# memory, and of nobody's. They have what is free, not what is reserved, and are given back.
test_page_tables_leave_what_is_reserved() {
	local margin files

	spec
	load vram=1
	mkfifo "$T/a"
	tgvram open channel
	margin=$(vram margin)
	tgvram name=careful open channel reserve=96 "wait=$T/a" both=12,8 where hold >"$T/careful.out" &
	eventually 20 grep -qx 'reserve ok' "$T/careful.out"
	chmod 666 /dev/timegraph /dev/dri/renderD128
	# A reservation, however small, is no right to more of them; and root's have no other limit.
	vram_client many nobody open channel reserve=1 files=240
	eventually 60 grep -q ^files "$T/many.out"
	files=$(sed -n 's/^files //p' "$T/many.out")
	vram_client more open channel reserve=1 files=240
	eventually 60 grep -q ^files "$T/more.out"
	grep vram $STATUS
	echo >"$T/a"
	eventually 20 grep -q ^where "$T/careful.out"
	grep -h . "$T/many.out" "$T/more.out" "$T/careful.out"
	grep -x 'where vram=12 gart=0' "$T/careful.out" || fail "$(cat "$T/careful.out")"
	# A user's are a quarter of the card's memory at most.
	want "a user's files" "$files" -ge 40
	want "a user's files, but for eight page tables of others before" "$files" -le 72
	want "root's files" "$(sed -n 's/^files //p' "$T/more.out")" -ge 50
	nothing_is_free || fail "$(grep vram $STATUS)"
	pkill_children
	all_gone
	# nouveau keeps eight, for the next.
	want "margin" "$(vram margin)" -le $((margin + (8 << 20)))
}

# Half of what is for all is left for the second, when one user has all the rest.
test_page_tables_of_one_leave_another_some() {
	spec
	load vram=1
	holds careful 200
	chmod 666 /dev/dri/renderD128
	vram_client many nobody files=240
	eventually 60 grep -q ^files "$T/many.out"
	want "his files" "$(sed -n 's/^files //p' "$T/many.out")" -lt 60
	tgvram open channel both=1,8 >"$T/other.out"
	cat "$T/many.out" "$T/other.out"
	grep -qx 'channel ok' "$T/other.out" && grep -qx 'both ok' "$T/other.out" || fail "$(cat "$T/other.out")"
}

# What a hog has is evicted for who has waited for too long; also for his page tables, and the context
# of his channel, for which nouveau itself evicts nothing.
test_who_is_preferred_has_page_tables() {
	local n

	spec
	load vram=1 vram_aging_ms=200
	vram_client hog open channel both=30,8
	eventually 20 said hog 'both ok'
	for n in 1 2 3; do
		vram_client "job$n" open channel reserve=64 alloc=8,8 where
		eventually 20 said "job$n" 'reserve ok'
		eventually 20 grep -q ^where "$T/job$n.out"
		said "job$n" 'where vram=8 gart=0' || fail "job$n: $(cat "$T/job$n.out")"
	done
	pkill_children
	all_gone
	sums_are_right
}
