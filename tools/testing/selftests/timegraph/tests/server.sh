# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The display server of the foreground has its level. A program that listens at a socket
# stands for the server (tgserver --listen), tgctl and tgserver for tgfocus.

# serve NAME OPTION…: a tgload that listens; sets $PID
serve() {
	rm -f "$T/socket"
	tgserver --listen "$T/socket" tgload --name "$1" --json "${@:2}" \
		>"$T/$1.out" 2>"$T/$1.err" &
	PID=$!
	eventually 20 has_groups "$1" 2
}

# pictures SECONDS: what the compositor and the game had meanwhile
pictures() {
	local eye game

	eye=$(task eye groups)
	game=$(task game gpu)
	sleep "$1"
	EYE=$(($(task eye groups) - eye))
	GAME=$(($(task game gpu) - game))
	echo "eye: $EYE pictures in $1 s; game: $((GAME / 1000)) ms of the GPU"
}

# A game without a clock, five bombs, and a compositor that nobody listed, at 60 Hz.
test_compositor_of_the_focused_game_has_all_its_pictures() {
	local alone i

	spec '<game:HT:-:60::>'
	load
	trace_on
	load_client game --seconds 9999 --cost-us 2000
	eventually 20 has_groups game 20
	alone=$(gain game gpu 3)
	for i in 1 2 3 4 5; do
		load_client "bomb$i" --seconds 9999 --cost-us 2000
	done
	serve eye --seconds 9999 --cost-us 2000 --period-us 16667
	sleep 1
	pictures 3
	want "pictures of 3 s by the floor" "$EYE" -ge 6
	want "pictures of 3 s by the floor" "$EYE" -le 50
	want "the game's GPU time, of 1000 alone" $((GAME * 1000 / alone)) -ge 950
	tgctl foreground --server "$T/socket" game -- sleep 5 &
	sleep 1
	pictures 3
	want "pictures of 3 s" "$EYE" -ge 178
	want "pictures of 3 s" "$EYE" -le 182
	want "the game's GPU time, of 1000 alone" $((GAME * 1000 / alone)) -ge 830
	# The level of who waits when the focus is lost is not told.
	check_trace --min-groups 1000
	wait $!
	pictures 3
	want "pictures of 3 s without the focus" "$EYE" -le 50
}

# calls TEST SERVER GAME: with tgserver
calls() {
	(cd "$T" && tgserver "$@") || fail "tgserver $1"
}

# game_and_server SPECIFICATION…: game and server, both root's and of few groups
game_and_server() {
	spec "$@"
	load
	chmod 666 /dev/timegraph /dev/dri/*
	load_client game --seconds 600 --fills 8 --period-us 5000
	GAME=$PID
	eventually 20 has_groups game 2
	serve eye --seconds 600 --fills 8 --period-us 5000
	EYE=$PID
}

with_game() {
	game_and_server '<game:HT:-:60::>'
	calls "$1" "$EYE" "$GAME"
}

test_bad_servers_are_refused() { with_game bad_servers_are_refused; }
test_files_with_a_server_are_limited() { with_game files_with_a_server_are_limited; }
test_level_ends_with_the_focus() { with_game level_ends_with_the_focus; }
test_level_follows_both_tasks() { with_game level_follows_both_tasks; }

test_level_of_a_capped_task_needs_a_cap() {
	game_and_server '<game:PRT:PE:60:10ms:50ms>'
	calls level_of_a_capped_task_needs_a_cap "$EYE" "$GAME"
}

has_prio() {
	[ "$(task "$1" prio)" = "$2" ]
}

test_level_ends_with_the_game_and_with_the_server() {
	game_and_server '<game:HT:-:60::>'
	tgctl foreground --server "$T/socket" "$GAME" -- sleep 20 &
	eventually 5 has_prio eye 0S
	tgctl list tasks | grep -E ' eye .* 60S ' || fail "$(tgctl list tasks)"
	tgctl list tasks --json | grep -q '"server": true' || fail "$(tgctl list tasks --json)"
	kill "$GAME"
	finish "$GAME"
	want "the server's priority without the game" "$(task eye prio)" = 0
	# It holds for channels that the processes open later: of another process it does not.
	load_client game --seconds 600 --fills 8 --period-us 5000
	eventually 20 has_groups game 2
	want "the server's priority" "$(task eye prio)" = 0
	kill "$EYE"
	finish "$EYE"
	serve eye --seconds 600 --fills 8 --period-us 5000
	want "the priority of who listens there now" "$(task eye prio)" = 0
}

test_level_is_that_of_the_specification_in_force() {
	game_and_server '<game:HT:-:60::>'
	tgctl foreground --server "$T/socket" "$GAME" -- sleep 20 &
	eventually 5 has_prio eye 0S
	spec '<game:HT:-:70::>' '<eye:PRT:-:10::>'
	tgctl reload
	want "the server's priority" "$(task eye prio)" = 10S
	tgctl list tasks | grep -E ' eye .* 70S ' || fail "$(tgctl list tasks)"
	spec '<game:HT:-:70::>' '<eye:PRT:-:80::>'
	tgctl reload
	want "the server's priority" "$(task eye prio)" = 80
}

server_of_nobody() {
	spec '<game:HT:-:60::>'
	load
	chmod 666 /dev/timegraph /dev/dri/*
	chmod 777 "$T"
	load_client game --seconds 600 --fills 8 --period-us 5000
	GAME=$PID
	tgioctl --nobody tgserver --listen "$T/socket" tgload --name eye --json --seconds 600 \
		--fills 8 --period-us 5000 >"$T/eye.out" 2>"$T/eye.err" &
	EYE=$!
	eventually 20 has_groups game 2
	eventually 20 has_groups eye 2
	calls "$1" "$EYE" "$GAME"
}

test_server_of_another_user_is_refused() {
	server_of_nobody server_of_another_user_is_refused
}

test_server_that_gave_up_is_not_lifted() {
	server_of_nobody server_that_gave_up_is_not_lifted
}

test_server_of_root_is_lifted() {
	spec '<game:HT:-:60::>'
	load
	chmod 666 /dev/timegraph /dev/dri/*
	tgioctl --nobody tgload --name game --json --seconds 600 --fills 8 --period-us 5000 \
		>"$T/game.out" 2>"$T/game.err" &
	GAME=$!
	eventually 20 has_groups game 2
	serve eye --seconds 600 --fills 8 --period-us 5000
	chmod 755 "$T"
	calls server_of_root_is_lifted "$PID" "$GAME"
}
