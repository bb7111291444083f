// Running clocks. The server counts; this script shows the time and announces when little is left.
"use strict";

(() => {
  let since = performance.now(); // when the page received the remaining time
  const said = new Set(); // announcements that were made for this question

  const two = (n) => String(n).padStart(2, "0");

  // The same format as the server's: 12:40, or for long times 71 h 05 min.
  function text(milliseconds) {
    const seconds = Math.ceil(milliseconds / 1000);
    const hours = Math.floor(seconds / 3600);
    if (hours) return `${hours} h ${two(Math.floor((seconds % 3600) / 60))} min`;
    return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  }

  function say(clock, left) {
    const at = left <= 20000 ? "20" : left <= 60000 ? "60" : "";
    const sentence = at && clock.dataset[`say${at}`];
    const key = `${document.body.dataset.version}/${at}`;
    if (!sentence || said.has(key)) return;
    said.add(key);
    document.getElementById("announcement").textContent = sentence;
    document.dispatchEvent(new CustomEvent("table:low"));
  }

  function show() {
    const gone = performance.now() - since;
    for (const clock of document.querySelectorAll("[data-clock]")) {
      if (!("runs" in clock.dataset)) continue;
      const free = Math.max(0, Number(clock.dataset.free) - gone);
      const left = Math.max(0, Number(clock.dataset.left) - Math.max(0, gone - Number(clock.dataset.free)));
      const shown = clock.querySelector(".digits");
      const own = "say60" in clock.dataset; // the reader's own clock in the bar has room for the free time
      const now = own && free > 0 && free < 3600000 ? `${text(left)} +${text(free)}` : text(left);
      if (shown.textContent !== now) shown.textContent = now;
      clock.classList.toggle("is-low", left <= Number(clock.dataset.low));
      if (free === 0) say(clock, left);
    }
  }

  document.addEventListener("table:fresh", () => {
    since = performance.now();
    show();
  });
  setInterval(show, 250);
  show();
})();
