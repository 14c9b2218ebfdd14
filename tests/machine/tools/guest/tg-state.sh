# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# tgspec export and import beside real clients; for tg-tools, which has record,
# client and the rest. All that is recorded is called st-….

state_spec() {
	cat >$SPEC <<-TEXT
	# the machine's

	<capped:PRT:PE     :60: 4ms:20ms>  # stays
	<one   :PRT:PE@pair:40: 3ms:30ms>
	<two   :PRT:PE@pair:41:    :    >
	<free  :PRT:-      :50:    :    >
	# by the executable
	<tgload:PRT:BG     : 5:    :    >
	TEXT
}

# Tasks and reserves, as they are.
snap() {
	record "st-$1-tasks" tgctl list tasks --json
	record "st-$1-reserves" tgctl list reserves --json
}

state_clients() {
	local name

	for name in capped one two free nobody other; do
		client "$name" --cost-us 1000 --seconds 1000
		eventually task_is_there "$name"
	done
	sleep 1
}

# What was set at run time becomes the file, and the file gives the same.
state_exported() {
	record st-plain-fmt tgspec fmt $SPEC
	record st-plain tgspec export
	tgctl reserve --json kept 1ms:50ms >$R/st-kept.out 2>$R/st-kept.err &
	local holder=$!
	eventually test -s $R/st-kept.out
	record st-unused tgspec export
	record st-set1 tgctl set --policy HT --prio 70 capped
	record st-set2 tgctl set --resv PE --group pair --capacity 5ms --period 30ms one
	record st-set3 tgctl set --prio '*' --resv PE --group kept free
	record st-set4 tgctl set --resv AE --capacity 2ms --period 25ms nobody
	snap set
	record st-export tgspec export -o /tmp/exported.spec
	cp /tmp/exported.spec $R/st-exported.spec
	record st-check tgspec check /tmp/exported.spec
	record st-layout tgspec fmt -c /tmp/exported.spec
	record st-cleared tgctl clear capped one free nobody
	snap cleared
	record st-install cp /tmp/exported.spec $SPEC
	record st-reload tgctl reload
	kill -TERM $holder
	wait $holder 2>/dev/null
	snap reloaded
	record st-again tgspec export
	cp $SPEC $R/st-loaded.spec
}

state_imported() {
	cp $R/st-plain-fmt.out /tmp/old.spec
	printf '<capped:PRT:PE:60:4ms:20ms>\n<one:XT:-:5::>\n<two:HT:-:100::>\n' >/tmp/wrong.spec
	record st-wrong tgspec import /tmp/wrong.spec
	snap wrong
	record st-dry tgspec import --dry-run /tmp/old.spec
	record st-dry-json tgspec import -n --json /tmp/old.spec
	snap dry
	record st-import tgspec import --json /tmp/old.spec
	snap imported
	record st-untouched cmp $SPEC $R/st-loaded.spec
	record st-import-again tgspec import /tmp/old.spec
	tgspec import - </tmp/old.spec >$R/st-stdin.out 2>$R/st-stdin.err
	echo $? >$R/st-stdin.rc
	record st-import-export tgspec export
	record st-import-back tgspec import $SPEC
	snap back
	printf '<capped:PRT:PE:60:50ms:100ms>\n<one:PRT:PE:40:40ms:100ms>\n<free:PRT:PE:3:11ms:100ms>\n' \
		>/tmp/much.spec
	record st-much tgspec import /tmp/much.spec
	record st-much-dry tgspec import -n /tmp/much.spec
	snap much
	record st-clear tgctl clear capped one two free nobody other
}

# "one" does not fit beside "capped". If that shrinks, the kernel admits "one",
# and then there is no room for "free": the kernel's own refusal, after changes.
state_refused() {
	cat >$SPEC <<-TEXT
	<capped:PRT:PE:60:60ms:100ms>
	<one:PRT:PE:40:50ms:100ms>
	<two:PRT:-:41::>
	<free:PRT:-:50::>
	TEXT
	record st-tight tgctl reload
	record st-tight-set tgctl set --prio 7 two
	snap tight
	cat >/tmp/swap.spec <<-TEXT
	<capped:PRT:PE:61:30ms:100ms>
	<one:PRT:PE:40:50ms:100ms>
	<two:HT:-:9::>
	<free:PRT:PE:51:40ms:100ms>
	TEXT
	record st-swap-dry tgspec import -n /tmp/swap.spec
	record st-swap tgspec import /tmp/swap.spec
	snap swap
}

# The same refusal by what cannot be seen; and without rights.
state_user() {
	chmod 644 /dev/timegraph $SPEC
	su user -s /bin/bash -c 'exec tgload --name mine --cost-us 500 --seconds 1000' \
		>$R/client-st-mine.out 2>&1 &
	CLIENTS+=($!)
	eventually task_is_there mine
	echo '<mine:FQ:BG:0::>' >/tmp/lower.spec
	echo '<mine:FQ:BG:80::>' >/tmp/raise.spec
	echo '<mine:PRT:PE:9:50ms:100ms>' >/tmp/hidden.spec
	chmod 644 /tmp/*.spec
	record st-raised tgctl set --prio 70 mine
	as_user st-user-export 'tgspec export'
	as_user st-user-closed 'tgspec import /tmp/lower.spec'
	chmod 666 /dev/timegraph
	as_user st-user-raise 'tgspec import /tmp/raise.spec'
	snap raise
	as_user st-user-lower 'tgspec import --json /tmp/lower.spec'
	snap lower
	record st-user-hidden withnice 1000 tgspec import /tmp/hidden.spec
	snap hidden
	kill -KILL "$(pid_of mine)"
}

state_told() {
	local first

	client twin --cost-us 1000 --seconds 1000
	eventually task_is_there twin
	first=$(pid_of twin)
	client twin --cost-us 1000 --seconds 1000
	sleep 1
	record st-twins tgctl set --prio 10 "$first"
	record st-twins2 tgctl set --prio 20 "$PID"
	echo "$first $PID" >$R/st-twin-pids
	record st-twins-export tgspec export
	sed -i 's/41/42/' $SPEC
	echo '<more:PRT:-:1::>' >>$SPEC
	record st-stale tgspec export
	echo 'wrong' >>$SPEC
	record st-refused tgspec export
	rm $SPEC
	record st-none tgspec export
}

state() {
	state_spec
	record st-load tgctl reload
	state_clients
	state_exported
	state_imported
	state_refused
	state_user
	state_told
	stop_clients
}
