// SPDX-License-Identifier: GPL-2.0-or-later
//
// Loaded into KWin by tgfocus (backend kde) while it runs: tells it the process of
// the active window. A number would reach D-Bus as whatever type the engine keeps
// it in; as text it is always the same.

function tell(window) {
	callDBus("org.timegraph.Focus", "/org/timegraph/Focus", "org.timegraph.Focus",
		 "Activated", window && window.pid > 0 ? String(window.pid) : "");
}

if (workspace.windowActivated) {
	workspace.windowActivated.connect(tell);
	tell(workspace.activeWindow);
} else {
	// KWin 5
	workspace.clientActivated.connect(tell);
	tell(workspace.activeClient);
}
