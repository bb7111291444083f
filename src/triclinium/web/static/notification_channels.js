// The notifications page: turn on this browser by a click, and install the server as an app.
"use strict";

(() => {
  const button = document.querySelector("[data-push]");
  const said = document.querySelector("[data-said]");

  const bytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

  async function turn_on() {
    if ((await Notification.requestPermission()) !== "granted") return button.dataset.no;
    const worker = await navigator.serviceWorker.ready;
    let subscription;
    try {
      const applicationServerKey = bytes(button.dataset.push);
      subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    } catch (error) {
      return button.dataset.cannot;
    }
    const answer = await fetch("/api/v1/notifications/channels", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ kind: "device", subscription: subscription.toJSON() }),
    });
    if (!answer.ok) return (await answer.json()).message;
    location.hash = "where";
    location.reload();
    return "";
  }

  if (button && window.isSecureContext && "PushManager" in window && navigator.serviceWorker) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.setAttribute("aria-busy", "true");
      said.textContent = await turn_on();
      button.removeAttribute("aria-busy");
    });
  } else if (button && said) {
    said.textContent = button.dataset.cannot;
  }

  // The browser offers to install the app at any time; keep the offer until the reader wants it.
  const install = document.querySelector("[data-install]");
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    install.hidden = false;
    install.onclick = () => event.prompt();
  });
})();
