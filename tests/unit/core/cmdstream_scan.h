/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CMDSTREAM_SCAN_H
#define CMDSTREAM_SCAN_H

void a_scan_finds_what_a_naive_walk_finds(void);
void cuts_do_not_change_a_scan(void);
void headers_off_the_fast_path_are_counted(void);
void arbitrary_words_are_scanned(void);
void the_order_of_commands_does_not_count(void);
void any_other_command_changes_the_hash(void);
void single_commands_differ_in_their_hash(void);
void bound_objects_count(void);
void words_that_are_not_profiled_are_learnt_from(void);
void a_notify_is_noticed(void);
void notifiers_are_followed(void);
void a_group_begins_at_nothing(void);

#endif
