# SPDX-License-Identifier: GPL-2.0-or-later
# util/guest-random.c with the function of guest-random.c (the variable "code") at its end.
{ print }
END {
    while ((getline line <code) > 0) {
        print line
        n++
    }
    exit n == 0
}
