// The page that the service worker shows when the server cannot be reached: it leads back to the table, and opens the
// page that was wanted when the server answers again.
"use strict";

(() => {
  const table = /^\/tables\/[^/]+/.exec(location.pathname)?.[0];
  const link = document.querySelector("[data-table]");
  if (table) link.href = table;
  link.hidden = !table;
  let pause = 1000;
  let waiting = 0;

  async function look() {
    clearTimeout(waiting);
    try {
      const answer = await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(5000) });
      // The page is opened by its address and not reloaded, because a reload would send a form again.
      if (answer.status < 500) location.replace(location.href.split("#")[0]);
    } catch (error) {
      // the server is still out of reach
    }
    waiting = setTimeout(look, pause * (0.5 + Math.random() / 2));
    pause = Math.min(15000, pause * 2);
  }

  addEventListener("online", look);
  document.addEventListener("visibilitychange", () => document.hidden || look());
  waiting = setTimeout(look, pause);
})();
