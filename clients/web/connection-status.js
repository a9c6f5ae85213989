// The status of the connection, as the pages of the demo show it.

const statusTexts = {
  connecting: "Connecting", open: "Connected", lost: "Reconnecting", refused: "Refused",
  closed: "Closed",
};
/** A lost connection is reported in a notice after this time. */
const NOTICE_DELAY_MS = 1000;
const refusals = { 4005: "This list is open in another tab. Reload to continue here." };

const element = (id) => document.getElementById(id);
let noticeTimer = 0;

/**
 * Shows a notice above the list for `forMs` milliseconds, or until the next notice if `forMs` is 0.
 * An empty text hides it.
 */
export function notify(text, forMs = 0) {
  const notice = element("notice");
  clearTimeout(noticeTimer);
  notice.textContent = text;
  notice.hidden = text === "";
  if (forMs > 0) noticeTimer = setTimeout(() => notify(""), forMs);
}

/** Sends a text to screen readers. */
export function announce(text) {
  element("announcer").textContent = text;
}

/** Shows the status of the client's connection from now on. */
export function showConnection(client) {
  let wasLost = false;
  let disconnectionTimer = 0;
  client.addEventListener("status", ({ detail: { status, code } }) => {
    // While the client reconnects after a loss, the page shows the status `lost`.
    const shown = status === "connecting" && wasLost ? "lost" : status;
    element("connection").dataset.status = shown;
    element("connection-text").textContent = statusTexts[shown];
    if (status === "lost" && !wasLost) {
      const text = client.welcome
        ? "The connection to the daemon is lost. Reconnecting" : "Cannot connect to the daemon. Trying again";
      disconnectionTimer = setTimeout(() => {
        notify(`${text}…`);
        announce(`${text}.`);
      }, NOTICE_DELAY_MS);
    } else if (status === "refused") {
      clearTimeout(disconnectionTimer);
      notify(refusals[code] ?? "The daemon refused this page. Reload to try again.");
    } else if (status === "open") {
      clearTimeout(disconnectionTimer);
      const wasNoticeShown = !element("notice").hidden && wasLost;
      notify("");
      if (wasNoticeShown) announce("Reconnected.");
    }
    wasLost = shown === "lost";
  });
}
