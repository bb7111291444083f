// The one script of the house. Every page works without it; with it, tables move by themselves and pieces glide.
"use strict";

(() => {
  const body = document.body;
  const stream = body.dataset.events;
  let version = Number(body.dataset.version || 0);
  let fetching = false;
  let again = false;

  // -- the fresh table, put in place of the old one ---------------------------------------------------------------

  const places = (root) => new Map([...root.querySelectorAll(".piece[id]")].map((piece) => [piece.id, piece.getAttribute("transform")]));

  const sameAs = (old) => {
    if (old.id) return `#${CSS.escape(old.id)}`;
    if (old.name && old.value) return `[name="${CSS.escape(old.name)}"][value="${CSS.escape(old.value)}"]`;
    return "";
  };

  function put(page) {
    const before = places(document);
    const focused = document.activeElement;
    const inside = focused && focused.closest("[data-live]");
    const find = inside ? sameAs(focused) : "";
    for (const fresh of page.querySelectorAll("[data-live]")) {
      const old = document.querySelector(`[data-live="${CSS.escape(fresh.dataset.live)}"]`);
      if (!old) { location.reload(); return; }
      if (old.innerHTML === fresh.innerHTML) continue;
      old.innerHTML = fresh.innerHTML;
    }
    for (const old of document.querySelectorAll("[data-live]")) {
      if (!page.querySelector(`[data-live="${CSS.escape(old.dataset.live)}"]`)) { location.reload(); return; }
    }
    document.title = page.title;
    body.className = page.body.className;
    body.classList.add("live-on");
    body.dataset.version = page.body.dataset.version || "";
    version = Number(page.body.dataset.version || version);
    glide(before);
    if (inside && !document.contains(focused)) {
      const next = (find && document.querySelector(`[data-live="${CSS.escape(inside.dataset.live)}"] ${find}`)) || document.getElementById("decide");
      if (next) next.focus({ preventScroll: true });
    }
    reveal(document);
    badge();
  }

  function glide(before) {
    for (const [id, now] of places(document)) {
      const then = before.get(id);
      if (then === undefined || then === now) continue;
      const piece = document.getElementById(id);
      piece.setAttribute("transform", then);
      piece.getBoundingClientRect();
      requestAnimationFrame(() => piece.setAttribute("transform", now));
    }
  }

  const parse = (text) => new DOMParser().parseFromString(text, "text/html");

  async function refresh() {
    if (fetching) { again = true; return; }
    fetching = true;
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" }, credentials: "same-origin" });
      if (answer.ok || answer.status === 409) put(parse(await answer.text()));
    } catch (error) {
      // the stream tells again when the house is back
    } finally {
      fetching = false;
      if (again) { again = false; refresh(); }
    }
  }

  // -- acts without leaving the page ------------------------------------------------------------------------------

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("form[data-act]") || form.method !== "post" || event.defaultPrevented) return;
    event.preventDefault();
    const data = new URLSearchParams(new FormData(form, event.submitter));
    const buttons = [...form.querySelectorAll("button")];
    for (const button of buttons) button.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.action, { method: "POST", body: data, credentials: "same-origin", headers: { accept: "text/html" } });
      const text = await answer.text();
      if (answer.redirected && new URL(answer.url).pathname !== location.pathname) { location.href = answer.url; return; }
      if (answer.redirected && answer.url !== location.href) history.replaceState(null, "", answer.url);
      if (form.matches("[data-clears]") && answer.ok) form.reset();
      put(parse(text));
    } catch (error) {
      HTMLFormElement.prototype.submit.call(form);
    } finally {
      for (const button of buttons) button.removeAttribute("aria-busy");
    }
  });

  // A place on the board chooses what its button chooses.
  document.addEventListener("click", (event) => {
    const place = event.target.closest("[data-option]");
    if (!place) return;
    const form = document.getElementById("decision");
    const button = form && [...form.querySelectorAll("button[value]")].find((one) => one.value === place.dataset.option);
    if (button) { event.preventDefault(); button.click(); }
  });

  // -- being told -------------------------------------------------------------------------------------------------

  let wasMine = false;
  function badge() {
    const mine = Boolean(document.querySelector(".chip.turn"));
    if (mine && !wasMine && document.hidden && "Notification" in window && Notification.permission === "granted") {
      const said = document.getElementById("said");
      new Notification(document.title, { body: said ? said.textContent : "", tag: location.pathname });
    }
    if (navigator.setAppBadge) { if (mine) navigator.setAppBadge(1).catch(() => {}); else navigator.clearAppBadge().catch(() => {}); }
    wasMine = mine;
  }

  if (stream) {
    const source = new EventSource(stream);
    source.addEventListener("table", (event) => { const told = JSON.parse(event.data); if (told.version !== version || told.status === "over" || document.querySelector("[data-live=waiting]")) refresh(); });
    source.addEventListener("chat", refresh);
    source.addEventListener("here", refresh);
    source.addEventListener("remind", badge);
    window.addEventListener("pagehide", () => source.close());
    window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  }

  // -- small comforts ---------------------------------------------------------------------------------------------

  function reveal(root) {
    for (const button of root.querySelectorAll("[data-copies]")) button.hidden = !navigator.clipboard;
    for (const button of root.querySelectorAll("[data-play]")) button.hidden = false;
    for (const button of root.querySelectorAll("[data-notify]")) button.hidden = !("Notification" in window) || Notification.permission !== "default";
  }

  document.addEventListener("click", async (event) => {
    const copies = event.target.closest("[data-copies]");
    if (copies) { await navigator.clipboard.writeText(copies.parentElement.querySelector("[data-copy]").value); copies.classList.add("primary"); }
    const notify = event.target.closest("[data-notify]");
    if (notify) { await Notification.requestPermission(); notify.hidden = true; }
    const play = event.target.closest("[data-play]");
    if (play) walk(play);
  });

  // The time machine plays two moves a second.
  async function walk(button) {
    const to = Number(button.dataset.to);
    let n = Number(button.dataset.from);
    while (n < to) {
      n += 1;
      const answer = await fetch(button.dataset.play + n + location.search, { credentials: "same-origin" });
      if (!answer.ok) return;
      history.replaceState(null, "", answer.url);
      put(parse(await answer.text()));
      await new Promise((next) => setTimeout(next, 500));
      if (document.hidden || !location.pathname.endsWith(`/${n}`)) return;
    }
  }

  // Arrow keys step through the time machine.
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, [tabindex='0']")) return;
    const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    const link = rel && body.classList.contains("past") && document.querySelector(`.scrub a[rel=${rel}]`);
    if (link) link.click();
  });

  document.addEventListener("change", (event) => { if (event.target.closest("form[data-range]")) event.target.form.requestSubmit(); });

  for (const field of document.querySelectorAll("[data-copy]")) field.addEventListener("focus", () => field.select());
  body.classList.add("live-on");
  reveal(document);
  badge();
})();
