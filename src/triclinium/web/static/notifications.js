// Notifications by the page itself: the number on the app's icon, a notification in the background, and unread
// messages.
"use strict";

(() => {
  const body = document.body;
  const table = body.dataset.table;
  const may_notify = () => "Notification" in window && Notification.permission === "granted";
  const worker = () =>
    navigator.serviceWorker ? navigator.serviceWorker.getRegistration("/").catch(() => null) : Promise.resolve(null);

  // -- whether the page is visible ----------------------------------------------------------------------------------

  // The stream tells the server that a page is open; only the page knows whether it is visible.
  function report() {
    if (!table || !body.dataset.tab) return;
    const told = { tab: body.dataset.tab, visible: !document.hidden, notifies: may_notify() };
    const packed = new Blob([JSON.stringify(told)], { type: "application/json" });
    navigator.sendBeacon(`/api/v1/tables/${table}/presence`, packed);
  }
  document.addEventListener("visibilitychange", () => {
    report();
    read();
    if (!document.hidden) put_away();
  });
  document.addEventListener("table:open", () => document.hidden && report());

  // -- number and notification --------------------------------------------------------------------------------------

  function number() {
    const waits = document.querySelector("meta[name=waits]");
    if (!waits || !navigator.setAppBadge) return;
    const count = Number(waits.content);
    (count ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => {});
  }

  const is_mine = () => Boolean(document.querySelector(".chip.turn"));

  async function notify() {
    const said = document.getElementById("said");
    const how = { body: said ? said.textContent.trim() : "", tag: table, data: { path: location.pathname } };
    const found = await worker();
    if (found && found.active) found.showNotification(document.title, { ...how, renotify: true });
    else new Notification(document.title, how);
  }

  // A reader who has opened the table needs no notification about it any more.
  async function put_away() {
    const found = table && (await worker());
    if (found) for (const shown of await found.getNotifications({ tag: table })) shown.close();
  }

  let was_mine = is_mine();
  function turn(again) {
    const mine = is_mine();
    if (mine && (again || !was_mine) && document.hidden && may_notify()) notify().catch(() => {});
    was_mine = mine;
    number();
  }
  document.addEventListener("table:put", () => {
    turn(false);
    read();
  });
  document.addEventListener("table:remind", () => turn(true));

  // -- unread chat messages -----------------------------------------------------------------------------------------

  const talk = () => document.querySelector(".pane.chat, .panel.talk");
  let reading = false;
  async function read() {
    if (!table || !document.querySelector("[data-unread]") || reading) return;
    const seen = talk() && talk().getClientRects().length > 0 && !document.hidden;
    if (!seen) return;
    reading = true;
    try {
      const answer = await fetch(`/api/v1/tables/${table}/chat/read`, { method: "POST" });
      if (answer.ok) for (const dot of document.querySelectorAll("[data-unread]")) dot.remove();
    } catch (error) {
      // they stay unread until the server answers
    } finally {
      reading = false;
    }
  }
  document.addEventListener("change", (event) => {
    if (["tab", "door"].includes(event.target.name)) read();
  });

  // -- permission and the service worker ----------------------------------------------------------------------------

  function offer() {
    for (const button of document.querySelectorAll("[data-notify]"))
      button.hidden = !("Notification" in window) || Notification.permission !== "default" || !window.isSecureContext;
  }
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-notify]");
    if (!button) return;
    await Notification.requestPermission();
    button.hidden = true;
    report();
  });
  document.addEventListener("table:fresh", offer);

  if (navigator.serviceWorker && window.isSecureContext)
    window.addEventListener("load", () => navigator.serviceWorker.register("/sw.js").catch(() => {}));

  offer();
  number();
  read();
  put_away();
})();
