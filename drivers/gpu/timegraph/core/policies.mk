# SPDX-License-Identifier: GPL-2.0-only
# The files of the scheduling policies, without their endings: whoever compiles the
# core takes them from here, so that a policy more is a word more.
TG_POLICIES := tg_policies tg_fair tg_ready tg_slaf tg_cosched

# All that the scheduler is made of.
TG_SCHED := $(TG_POLICIES) tg_sched tg_pass tg_drain tg_nest tg_floor tg_lead tg_costs tg_polled tg_predict tg_predictor tg_claim \
	tg_wait tg_charge tg_reserve tg_admission

# What reads a specification, looks programs up in it, and says what they get.
TG_SPEC := tg_spec tg_cursor tg_time tg_words tg_match tg_cpu

# A card's memory, who has reserved how much of it.
TG_VRAM := tg_vram
