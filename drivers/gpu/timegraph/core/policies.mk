# SPDX-License-Identifier: GPL-2.0-only
# The files of the scheduling policies, without their endings: whoever compiles the
# core takes them from here, so that a policy more is a word more.
TG_POLICIES := tg_policies
