// SPDX-License-Identifier: GPL-2.0-or-later
/* Files that must be refused, and where the message must point. */
#include "spec_cases.h"
#include "spec_check.h"
#include "tap.h"

struct refused {
	const char *description;
	const char *text;
	u32 line, column;
	const char *check;
};

#define N16 "0123456789abcdef"
#define N64 N16 N16 N16 N16

static const struct refused specs[] = {
	{ "empty name", ":PRT:-:5::", 1, 1, "empty-name" },
	{ "empty name in brackets", "<:PRT:-:5::>", 1, 2, "empty-name" },
	{ "only blanks as name", "  \t:PRT:-:5::", 1, 4, "empty-name" },
	{ "quoted empty name", "\"\":PRT:-:5::", 1, 1, "empty-name" },
	{ "byte order mark", "\357\273\277a:PRT:-:5::", 1, 1, "byte-order-mark" },
	{ "byte order mark alone", "\357\273\277", 1, 1, "byte-order-mark" },
	{ "only an opening bracket", "<", 1, 2, "empty-name" },
	{ "bracket and end of line", "<\na:PRT:-:5::", 1, 2, "empty-name" },
	{ "empty brackets", "<>", 1, 2, "empty-name" },
	{ "comment in the brackets", "< # x", 1, 3, "empty-name" },
	{ "closing bracket alone", ">", 1, 1, "empty-name" },
	{ "an @ and no user", "a@:PRT:-:5::", 1, 2, "bad-user" },
	{ "a user's name", "a@root:PRT:-:5::", 1, 2, "bad-user" },
	{ "a number and more", "a@10x:PRT:-:5::", 1, 2, "bad-user" },
	{ "two users", "a@10@11:PRT:-:5::", 1, 5, "missing-field" },
	{ "a negative user", "a@-1:PRT:-:5::", 1, 2, "bad-user" },
	{ "the number that is no user's", "\"a\" @4294967295:PRT:-:5::", 1, 5, "bad-user" },
	{ "the one before that", "a@4294967294:PRT:-:5::", 1, 2, "bad-user" },
	{ "a user of 21 digits", "a@000000000018446744073709551617:PRT:-:5::", 1, 2, "bad-user" },
	{ "a user and no name", "@1000:PRT:-:5::", 1, 1, "empty-name" },
	{ "a cgroup that is no path", "cgroup:a:PRT:-:5::", 1, 8, "bad-policy" },
	{ "256 bytes of path", "/" N64 N64 N64 N16 N16 N16 "0123456789abcdef:PRT:-:5::", 1, 1,
	  "name-too-long" },
	{ "64 bytes of name", N64 ":PRT:-:5::", 1, 1, "name-too-long" },
	{ "64 bytes of quoted name", " \"" N64 "\":PRT:-:5::", 1, 2, "name-too-long" },
	{ "64 bytes with an escape", "\"\\\"" N64 "\":PRT:-:5::", 1, 1, "name-too-long" },
	{ "quote inside a bare name", "a\"b:PRT:-:5::", 1, 2, "stray-quote" },
	{ "quote behind a bare name", "ab \":PRT:-:5::", 1, 4, "stray-quote" },
	{ "unclosed quote", "\"ab:PRT:-:5::", 1, 1, "unclosed-quote" },
	{ "quote over two lines", "\"ab\ncd\":PRT:-:5::", 1, 1, "unclosed-quote" },
	{ "closing quote escaped", " \"ab\\\"", 1, 2, "unclosed-quote" },
	{ "only a quote", "\"", 1, 1, "unclosed-quote" },
	{ "quote and backslash at the end", "\"\\", 1, 1, "unclosed-quote" },
	{ "escape character in a name", "a\033b:PRT:-:5::", 1, 2, "control-character" },
	{ "DEL in a quoted name", "\"a\177\":PRT:-:5::", 1, 3, "control-character" },
	{ "tab in a quoted name", "\"a\tb\":PRT:-:5::", 1, 3, "control-character" },
	{ "tab in a bare name", "a\tb:PRT:-:5::", 1, 2, "control-character" },
	{ "name alone", "glxgears", 1, 9, "missing-field" },
	{ "name and blanks alone", "glxgears  \n", 1, 11, "missing-field" },
	{ "text behind a quoted name", "\"a\"b:PRT:-:5::", 1, 4, "missing-field" },
	{ "comment behind the name", "a#:PRT:-:5::", 1, 2, "missing-field" },
	{ "no reservation field", "a:PRT", 1, 6, "missing-field" },
	{ "no priority field", "a:PRT:-", 1, 8, "missing-field" },
	{ "no capacity field", "a:PRT:-:5", 1, 10, "missing-field" },
	{ "no period field", "a:PRT:-:5:", 1, 11, "missing-field" },
	{ "no period field, brackets", "<a:PRT:PE:5:100>", 1, 16, "missing-field" },
	{ "closed after the priority", "<a:PRT:-:5>::", 1, 11, "missing-field" },
	{ "comment before the period", "a:PRT:PE:5:1 # :2", 1, 14, "missing-field" },
	{ "CRLF cuts the entry", "a:PRT:-\r\n", 1, 9, "missing-field" },
	{ "empty policy", "a::-:5::", 1, 3, "bad-policy" },
	{ "lower-case policy", "a:prt:-:5::", 1, 3, "bad-policy" },
	{ "unknown policy", "a: EDF :-:5::", 1, 4, "bad-policy" },
	{ "FIFO with more behind", "a:FIFO=1:-:5::", 1, 3, "bad-policy" },
	{ "a weight of PRT", "a:PRT=20:-:5::", 1, 3, "bad-policy" },
	{ "a domain that is no cgroup", "a:DOMAIN:-:-::", 1, 3, "domain-without-cgroup" },
	{ "a domain of a user", "cgroup:/a@7:DOMAIN:-:-::", 1, 13, "domain-without-cgroup" },
	{ "a domain of all", "cgroup:/:DOMAIN:-:-::", 1, 10, "domain-of-all" },
	{ "weight 0 of a domain", "cgroup:/a:DOMAIN=0:-:-::", 1, 18, "bad-weight" },
	{ "a target above all", "cgroup:/a:DOMAIN target=100.0001%:-:-::", 1, 25, "bad-target" },
	{ "a target that is no percentage", "cgroup:/a:DOMAIN target=50:-:-::", 1, 25, "bad-target" },
	{ "a domain with a lead", "cgroup:/a:DOMAIN lead=1ms:-:-::", 1, 17, "bad-domain" },
	{ "a domain without video memory", "cgroup:/a:DOMAIN vram=0:-:-::", 1, 23,
	  "vram-out-of-range" },
	{ "a domain's target behind its memory", "cgroup:/a:DOMAIN vram=1M target=5%:-:-::", 1, 23,
	  "bad-vram" },
	{ "a domain with a priority", "cgroup:/a:DOMAIN:-:0::", 1, 20, "domain-priority" },
	{ "a domain in the background", "cgroup:/a:DOMAIN:BG:-::", 1, 18, "bad-quota" },
	{ "a domain with a Shared quota", "cgroup:/a:DOMAIN:PE@g:-:1:2", 1, 18, "bad-quota" },
	{ "a quota larger than its period", "cgroup:/a:DOMAIN:PE:-:2:1", 1, 23, "capacity-over-period" },
	{ "a domain twice", "cgroup:/a:DOMAIN:-:-::\ncgroup:/a:DOMAIN=2:-:-::", 2, 1, "double-domain" },
	{ "a policy of a program", "a:POLICY=rr:-:-::", 1, 3, "policy-without-gpu" },
	{ "a policy of a program that is called so", "\"gpu:0\":POLICY=rr:-:-::", 1, 9, "policy-without-gpu" },
	{ "a policy of gpu", "gpu:POLICY=rr:-:-::", 1, 5, "policy-without-gpu" },
	{ "a GPU with a program's policy", "gpu:0:FQ:-:-::", 1, 7, "gpu-without-policy" },
	{ "a GPU that is a domain", "gpu:0:DOMAIN:-:-::", 1, 7, "gpu-without-policy" },
	{ "a GPU's policy for a user", "gpu:0@7:POLICY=rr:-:-::", 1, 9, "gpu-without-policy" },
	{ "no GPU's number", "<gpu:0x1:POLICY=rr:-:-::>", 1, 2, "bad-gpu" },
	{ "no GPU's number behind blanks", "  <\t gpu:1x:POLICY=rr:-:-::>", 1, 6, "bad-gpu" },
	{ "a GPU's number with a zero", "gpu:01:POLICY=rr:-:-::", 1, 1, "bad-gpu" },
	{ "too large a GPU's number", "gpu:10000:POLICY=rr:-:-::", 1, 1, "bad-gpu" },
	{ "a GPU's number that would wrap", "gpu:4294967296:POLICY=rr:-:-::", 1, 1, "bad-gpu" },
	{ "all GPUs and more", "gpu:*1:POLICY=rr:-:-::", 1, 1, "bad-gpu" },
	{ "an empty policy of a GPU", "gpu:0:POLICY=:-:-::", 1, 14, "bad-policy-name" },
	{ "two policies of a GPU", "gpu:0:POLICY=rr xc:-:-::", 1, 14, "bad-policy-name" },
	{ "too long a policy's name", "gpu:0:POLICY=abcdefghijklmnop:-:-::", 1, 14, "bad-policy-name" },
	{ "a GPU with a reserve", "gpu:0:POLICY=rr:PE:-:1:2", 1, 17, "gpu-reserve" },
	{ "a GPU with a group", "gpu:0:POLICY=rr:-@g:-::", 1, 17, "gpu-reserve" },
	{ "a GPU with a priority", "gpu:0:POLICY=rr:-:5::", 1, 19, "gpu-priority" },
	{ "a GPU with a capacity", "gpu:0:POLICY=rr:-:-:1:", 1, 21, "unused-time" },
	{ "a GPU twice", "gpu:0:POLICY=rr:-:-::\ngpu:0:POLICY=rr:-:-::", 2, 1, "double-policy" },
	{ "a GPU behind all GPUs", "gpu:*:POLICY=rr:-:-::\ngpu:0:POLICY=rr:-:-::", 2, 1, "double-policy" },
	{ "no weight", "a:FQ=:-:5::", 1, 6, "bad-weight" },
	{ "weight 0", "a:FQ=0:-:5::", 1, 6, "bad-weight" },
	{ "weight above the largest", "a:FQ=10001:-:5::", 1, 6, "bad-weight" },
	{ "a weight that would wrap", "a:FQ=4294967396:-:5::", 1, 6, "bad-weight" },
	{ "a weight in percent", "a:FQ=20%:-:5::", 1, 6, "bad-weight" },
	{ "a weight with decimals", "a:FQ=1.5:-:5::", 1, 6, "bad-weight" },
	{ "a blank before the weight", "a:FQ= 5:-:5::", 1, 6, "bad-weight" },
	{ "a blank before =", "a:FQ =5:-:5::", 1, 3, "bad-policy" },
	{ "a lead without a blank", "a:PRTlead=1:-:5::", 1, 3, "bad-policy" },
	{ "a lead and no policy", "a: lead=1:-:5::", 1, 4, "bad-policy" },
	{ "a blank before the = of a lead", "a:PRT lead =1:-:5::", 1, 3, "bad-policy" },
	{ "a lead of no policy", "a:XT lead=x:-:5::", 1, 3, "bad-policy" },
	{ "a lead of no time", "a:PRT lead=:-:5::", 1, 12, "bad-time" },
	{ "a lead that is a word", "a:PRT lead=long:-:5::", 1, 12, "bad-time" },
	{ "a lead in minutes", "a:PRT lead=1m:-:5::", 1, 13, "bad-unit" },
	{ "a lead that is too fine", "a:PRT lead=1.5ns:-:5::", 1, 14, "time-too-fine" },
	{ "a lead above the longest", "a:PRT lead=100001us:-:5::", 1, 12, "lead-out-of-range" },
	{ "a lead that would wrap", "a:PRT lead=18446744073709551616ns:-:5::", 1, 12,
	  "time-out-of-range" },
	{ "no video memory", "a:FQ vram=:-:5::", 1, 11, "vram-out-of-range" },
	{ "video memory of 0", "a:FQ vram=0M:-:5::", 1, 11, "vram-out-of-range" },
	{ "video memory of a suffix alone", "a:FQ vram=M:-:5::", 1, 11, "vram-out-of-range" },
	{ "video memory in terabytes", "a:FQ vram=1T:-:5::", 1, 11, "bad-vram" },
	{ "half of it", "a:FQ vram=0.5G:-:5::", 1, 11, "bad-vram" },
	{ "more than any card has", "a:FQ vram=262145G:-:5::", 1, 11, "vram-out-of-range" },
	{ "so much that it would wrap", "a:FQ vram=18446744073709551616:-:5::", 1, 11,
	  "vram-out-of-range" },
	{ "video memory before a lead", "a:FQ vram=1M lead=1ms:-:5::", 1, 11, "bad-vram" },
	{ "video memory without a blank", "a:FQvram=1M:-:5::", 1, 3, "bad-policy" },
	{ "two leads", "a:PRT lead=1 lead=2:-:5::", 1, 14, "bad-unit" },
	{ "policy with more behind", "a:PRTX:-:5::", 1, 3, "bad-policy" },
	{ "policy cut short", "a:PR:-:5::", 1, 3, "bad-policy" },
	{ "two words as policy", "a:HT PRT:-:5::", 1, 3, "bad-policy" },
	{ "colon and end of file", "a:", 1, 3, "bad-policy" },
	{ "empty reservation", "a:PRT::5::", 1, 7, "bad-reservation" },
	{ "unknown reservation", "a:PRT:XE:5::", 1, 7, "bad-reservation" },
	{ "lower-case reservation", "a:PRT:  pe:5:1:2", 1, 9, "bad-reservation" },
	{ "group without a kind", "a:PRT:@g:5:1:2", 1, 7, "bad-reservation" },
	{ "two dashes", "a:PRT:--:5::", 1, 7, "bad-reservation" },
	{ "group of no reserve", "a:PRT:-@g:5::", 1, 8, "group-without-reserve" },
	{ "group of the background", "a:PRT:BG@g:5::", 1, 9, "group-without-reserve" },
	{ "empty group", "a:PRT:PE@:5:1:2", 1, 9, "bad-group" },
	{ "UTF-16, little end first", "\377\376a", 1, 1, "utf-16" },
	{ "UTF-16, big end first", "\376\377", 1, 1, "utf-16" },
	{ "a carriage return alone", "a:PRT:-:5::\rb:PRT:-:5::\r", 1, 12, "carriage-return" },
	{ "a carriage return behind a comment", "# c\ra:PRT:-:5::\n", 1, 4, "carriage-return" },
	{ "two carriage returns", "\na:PRT:-:5::\r\r\n", 2, 12, "carriage-return" },
	{ "no-break space before the name", "\302\240a:PRT:-:5::", 1, 1, "odd-blank" },
	{ "no-break space behind the name", "a\302\240:PRT:-:5::", 1, 2, "odd-blank" },
	{ "no-break space in a field", "a:PRT\302\240:-:5::", 1, 6, "odd-blank" },
	{ "no-break space behind quotes", "\"a\302\240\\\"\"\302\240:PRT:-:5::", 1, 7, "odd-blank" },
	{ "no-break space alone", "a:PRT:-:5::\n\302\240\n", 2, 1, "odd-blank" },
	{ "no-break space in a time", "a:PRT:PE:5:1\302\240ms:2ms", 1, 13, "odd-blank" },
	{ "narrow no-break space", "a:PRT:PE:5:1\342\200\257ms:2ms", 1, 13, "odd-blank" },
	{ "zero-width space", "a:\342\200\213PRT:-:5::", 1, 3, "odd-blank" },
	{ "wide space", "a:PRT:-:\343\200\2005::", 1, 9, "odd-blank" },
	{ "what turns writing round", "a:PRT:-:\342\200\2565::", 1, 9, "odd-blank" },
	{ "byte order mark in a later line", "a:PRT:-:5::\n\357\273\277b:PRT:-:5::", 2, 1, "odd-blank" },
	{ "C1 control character in a name", "a\302\233b:PRT:-:5::", 1, 2, "control-character" },
	{ "C1 control character in quotes", "\"a\302\205\":PRT:-:5::", 1, 3, "control-character" },
	{ "C1 control character in a group", "a:PRT:PE@g\302\205:5:1:2", 1, 11, "bad-group" },
	{ "columns are characters", "spiel\303\244\346\230\240\360\237\216\256:XT:-:5::", 1, 10, "bad-policy" },
	{ "a byte that is no UTF-8 is a column", "sp\344\240\200\377\200:XT:-:5::", 1, 7, "bad-policy" },
	{ "a sequence that the line cuts off", "a:PRT:-:\342\200", 1, 9, "bad-priority" },
	{ "a tab is a column", "\ta\t:\tXT:-:5::", 1, 6, "bad-policy" },
	{ "finer than a nanosecond", "a:PRT:PE:5:1.5ns:9", 1, 14, "time-too-fine" },
	{ "finer than a nanosecond, without a unit", "a:PRT:PE:5:1.0005:9", 1, 17, "time-too-fine" },
	{ "a third of a second", "a:PRT:PE:5:1:0.3333333333s", 1, 25, "time-too-fine" },
	{ "nothing before the point", "a:PRT:PE:5:.5ms:9ms", 1, 12, "bad-time" },
	{ "nothing behind the point", "a:PRT:PE:5:5.ms:9ms", 1, 14, "bad-time" },
	{ "two points", "a:PRT:PE:5:1.5.2:9ms", 1, 15, "bad-time" },
	{ "a comma", "a:PRT:PE:5:2,5ms:9ms", 1, 13, "bad-time" },
	{ "zero with a point", "a:PRT:PE:5:0.000ms:9ms", 1, 12, "time-out-of-range" },
	{ "a nanosecond over 100 s", "a:PRT:PE:5:1:100.000000001s", 1, 14, "time-out-of-range" },
	{ "64 bytes of group", "a:PRT:AE@" N64 ":5:1:2", 1, 9, "bad-group" },
	{ "blank in a group", "a:PRT:PE@g h:5:1:2", 1, 11, "bad-group" },
	{ "blank before a group", "a:PRT:PE@ g:5:1:2", 1, 10, "bad-group" },
	{ "second @", "a:PRT:PE@g@h:5:1:2", 1, 11, "bad-group" },
	{ "quote in a group", "a:PRT:PE@\"g\":5:1:2", 1, 10, "bad-group" },
	{ "bracket in a group", "a:PRT:PE@g<:5:1:2", 1, 11, "bad-group" },
	{ "empty priority", "a:PRT:-:::", 1, 9, "bad-priority" },
	{ "priority 100", "a:PRT:-:100::", 1, 9, "bad-priority" },
	{ "negative priority", "a:PRT:-:-1::", 1, 9, "bad-priority" },
	{ "priority with a sign", "a:PRT:-: +1::", 1, 10, "bad-priority" },
	{ "three digits", "a:PRT:-:007::", 1, 9, "bad-priority" },
	{ "two stars", "a:PRT:-:**::", 1, 9, "bad-priority" },
	{ "word as priority", "a:PRT:-:hi::", 1, 9, "bad-priority" },
	{ "hexadecimal priority", "a:PRT:-:a0::", 1, 9, "bad-priority" },
	{ "capacity is a word", "a:PRT:PE:5:x:2", 1, 12, "bad-time" },
	{ "negative capacity", "a:PRT:PE:5:-1:2", 1, 12, "bad-time" },
	{ "unit without a number", "a:PRT:PE:5:1: ms", 1, 15, "bad-time" },
	{ "fraction with a comma", "a:PRT:PE:5:2ms:2,5s", 1, 17, "bad-time" },
	{ "unknown unit", "a:PRT:PE:5:1m:2", 1, 13, "bad-unit" },
	{ "capital unit", "a:PRT:PE:5:1:2 MS", 1, 16, "bad-unit" },
	{ "unit with more behind", "a:PRT:PE:5:1:2msx", 1, 15, "bad-unit" },
	{ "two numbers", "a:PRT:PE:5:1 1:2", 1, 14, "bad-unit" },
	{ "capacity 0", "a:PRT:PE:5:0:2", 1, 12, "time-out-of-range" },
	{ "period 0", "a:PRT:PE:5:1:0", 1, 14, "time-out-of-range" },
	{ "101 s", "a:PRT:PE:5:1:101s", 1, 14, "time-out-of-range" },
	{ "100001 ms", "a:PRT:PE:5:1:100001ms", 1, 14, "time-out-of-range" },
	{ "100000001 us", "a:PRT:PE:5:1:100000001", 1, 14, "time-out-of-range" },
	{ "100000000001 ns", "a:PRT:PE:5:1:100000000001ns", 1, 14, "time-out-of-range" },
	{ "2^64 + 1", "a:PRT:PE:5:1:18446744073709551617", 1, 14, "time-out-of-range" },
	{ "13 digits", "a:PRT:PE:5:1:1000000000000ns", 1, 14, "time-out-of-range" },
	{ "C without T at all", "a:PRT:PE:5:1:", 1, 14, "missing-period" },
	{ "T without C", "a:PRT:AE:5::2", 1, 12, "missing-capacity" },
	{ "neither C nor T", "a:PRT:AE:5::", 1, 12, "missing-capacity" },
	{ "new group without C and T", "a:PRT:AE@g:5::", 1, 14, "missing-capacity" },
	{ "C over T", "a:PRT:PE:5:3:2", 1, 12, "capacity-over-period" },
	{ "C over T by its unit", "a:PRT:PE:5:3ms:2999us", 1, 12, "capacity-over-period" },
	{ "C of no reserve", "a:PRT:-:5:1:", 1, 11, "unused-time" },
	{ "T of no reserve", "a:PRT:-:5::2", 1, 12, "unused-time" },
	{ "C and T of the background", "a:PRT:BG:5: 1:2", 1, 13, "unused-time" },
	{ "group with another C", "a:PRT:PE@g:5:1:9\nb:PRT:PE@g:5:2:9", 2, 14,
	  "group-mismatch" },
	{ "group with another T", "a:PRT:PE@g:5:1:9\nb:PRT:PE@g:5:1:8", 2, 14,
	  "group-mismatch" },
	{ "group of the other kind", "a:PRT:PE@g:5:1:9\n\nb:PRT:AE@g:5::", 3, 7,
	  "group-mismatch" },
	{ "group of the other kind, times", "a:PRT:AE@g:5:1:9\nb:PRT:PE@g:5:1:9", 2, 7,
	  "group-mismatch" },
	{ "later C without T", "a:PRT:PE@g:5:1:9\nb:PRT:PE@g:5:1:", 2, 16, "missing-period" },
	{ "unclosed bracket", "<a:PRT:-:5::", 1, 1, "unclosed-bracket" },
	{ "unclosed, then a comment", "  <a:PRT:-:5:: # >", 1, 3, "unclosed-bracket" },
	{ "bracket closed on the next line", "<a:PRT:-:5::\n>", 1, 1, "unclosed-bracket" },
	{ "two opening brackets", "<<a:PRT:-:5::>", 1, 2, "stray-bracket" },
	{ "stray closing bracket", "a:PRT:-:5::>", 1, 12, "stray-bracket" },
	{ "stray closing bracket, times", "a:PRT:PE:5:1:2 >", 1, 16, "stray-bracket" },
	{ "a seventh field", "a:PRT:-:5:::", 1, 12, "trailing-text" },
	{ "a seventh field in brackets", "<a:PRT:-:5:::x>", 1, 13, "trailing-text" },
	{ "text behind the bracket", "<a:PRT:-:5::> x", 1, 15, "trailing-text" },
	{ "second closing bracket", "<a:PRT:-:5::>>", 1, 14, "trailing-text" },
	{ "two entries on a line", "<a:PRT:-:5::><b:PRT:-:5::>", 1, 14, "trailing-text" },
	{ "third line, after good ones", "a:PRT:-:5::\n# c\n\tb:PRT:-:x::\n", 3, 10,
	  "bad-priority" },
	{ "line after CRLF lines", "a:PRT:-:5::\r\n\r\nb:RT:-:5::\r\n", 3, 3, "bad-policy" },
	{ "the first of two mistakes", "a:X:-:5::\nb:Y:-:5::", 1, 3, "bad-policy" },
};

static const struct refused limits[] = {
	{ "nothing", "", 1, 1, "empty-file" },
	{ "an empty line", "\n", 2, 1, "empty-file" },
	{ "byte order mark", "\357\273\27750", 1, 1, "byte-order-mark" },
	{ "only a comment", "# 50", 1, 5, "empty-file" },
	{ "comments and blanks", "# 50\n \t\n", 3, 1, "empty-file" },
	{ "UTF-16", "\377\3765", 1, 1, "utf-16" },
	{ "a carriage return in between", "# c\r80\r", 1, 4, "carriage-return" },
	{ "no-break space", "80\302\240%", 1, 3, "odd-blank" },
	{ "101", "101", 1, 1, "bad-limit" },
	{ "2^32 + 50", " 4294967346", 1, 2, "bad-limit" },
	{ "negative", "-1", 1, 1, "bad-limit" },
	{ "fraction", "\n 0.5", 2, 2, "bad-limit" },
	{ "word", "all", 1, 1, "bad-limit" },
	{ "percent sign alone", "%", 1, 1, "bad-limit" },
	{ "two percent signs", "5%%", 1, 1, "bad-limit" },
	{ "percent before", "%5", 1, 1, "bad-limit" },
	{ "101 with a sign", "101%", 1, 1, "bad-limit" },
	{ "two numbers on a line", "50 60", 1, 1, "bad-limit" },
	{ "two numbers", "50\n# x\n60", 3, 1, "trailing-text" },
	{ "the same number twice", "50\n 50", 2, 2, "trailing-text" },
};

static void check_place(const struct refused *r, const char *text, size_t len,
			const struct tg_spec_error *err)
{
	bool ok = CHECK(err->check && !strcmp(err->check, r->check)) &&
		  CHECK(err->line == r->line) && CHECK(err->column == r->column) &&
		  CHECK(spec_place_is_inside(text, len, err));

	if (!ok)
		tap_diag("  \"%s\": %u:%u %s, not %u:%u %s", r->description, err->line,
			 err->column, err->check ? err->check : "none", r->line,
			 r->column, r->check);
}

/* A copy without a NUL, so that reading past the end is seen. */
static char *exact(const char *text, size_t len)
{
	char *copy = malloc(len ? len : 1);

	memcpy(copy, text, len);
	return copy;
}

void wrong_specs_are_refused_at_their_place(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(specs); i++) {
		size_t len = strlen(specs[i].text);
		char *text = exact(specs[i].text, len);
		struct tg_spec_entry e[4];
		struct tg_spec_error err;

		if (!CHECK(tg_spec_parse(text, len, e, 4, &err) == -EINVAL))
			tap_diag("  \"%s\" was not refused", specs[i].description);
		check_place(&specs[i], text, len, &err);
		free(text);
	}
	tap_diag("%zu files", ARRAY_SIZE(specs));
}

void wrong_limits_are_refused_at_their_place(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(limits); i++) {
		size_t len = strlen(limits[i].text);
		char *text = exact(limits[i].text, len);
		struct tg_spec_error err;
		u32 percent = 77;

		if (!CHECK(tg_ac_parse(text, len, &percent, &err) == -EINVAL))
			tap_diag("  \"%s\" was not refused", limits[i].description);
		CHECK(percent == 77);
		check_place(&limits[i], text, len, &err);
		free(text);
	}
}

void oversized_specs_are_refused(void)
{
	static const char line[] = "a:PRT:-:5::\n";
	static const struct refused large = { "64 KiB and a byte", "", 1, 1,
					      "file-too-large" };
	static const struct refused many = { "third entry of two", "", 4, 2,
					     "too-many-entries" };
	static const char three[] = "a:PRT:-:1::\nb:PRT:-:1::\n\n c:PRT:-:1::\n";
	static struct tg_spec_entry e[TG_SPEC_MAX_ENTRIES];
	char *text = malloc(TG_SPEC_MAX_BYTES + 1);
	struct tg_spec_error err;
	u32 n = 0;

	memset(text, '\n', TG_SPEC_MAX_BYTES + 1);
	for (; n < TG_SPEC_MAX_ENTRIES; n++)
		memcpy(text + n * strlen(line), line, strlen(line));
	CHECK(tg_spec_parse(text, TG_SPEC_MAX_BYTES, e, n, &err) == TG_SPEC_MAX_ENTRIES);
	CHECK(spec_error_is_clear(&err));
	CHECK(e[n - 1].line == n);
	CHECK(tg_spec_parse(text, TG_SPEC_MAX_BYTES + 1, e, n, &err) == -E2BIG);
	check_place(&large, text, TG_SPEC_MAX_BYTES + 1, &err);
	CHECK(tg_spec_parse(three, strlen(three), e, 3, &err) == 3);
	CHECK(tg_spec_parse(three, strlen(three), e, 2, &err) == -E2BIG);
	check_place(&many, three, strlen(three), &err);
	free(text);
}
