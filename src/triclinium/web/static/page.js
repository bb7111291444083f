// The script of every page. All pages work without it. With it, tables update themselves and pieces glide.
"use strict";

(() => {
  const body = document.body;
  let version = Number(body.dataset.version || 0);
  let present, watching; // the seats whose players are present and the number of spectators, as the page shows them
  const shows = (data) => ([present, watching] = [data.present, Number(data.spectators)]);
  shows(body.dataset);
  let fetching = false;
  let again = false;
  let unsure = false; // the page that is being fetched may be older than what the stream has announced
  let acting = false;
  let acts = 0; // counted when an act begins and when its answer arrives
  let told = 0; // the newest version that the stream has announced
  let over = false; // the stream has announced the end of the match
  let missed = false; // an announcement arrived during an act

  // -- updating the table in place ----------------------------------------------------------------------------------

  // Two elements are the same one if they have the same id, button value or key.
  const keyOf = (node) => {
    if (node.nodeType !== 1) return "";
    if (node.id) return `#${node.id}`;
    if ((node.localName === "button" || node.localName === "input") && node.name && node.value)
      return `${node.name}=${node.value}`;
    return node.dataset && node.dataset.key ? `:${node.dataset.key}` : "";
  };

  // Most of a table does not change, and the browser's own comparison is faster; but it ignores the content of
  // templates.
  const alike = (old, fresh) => old.isEqualNode(fresh) && fresh.localName !== "template" && !fresh.querySelector("template");

  // Make the old element equal to the fresh one, and keep equal children, so that pieces glide and the focus stays.
  function morph(old, fresh, moved) {
    if (alike(old, fresh)) return;
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name) && !(name === "open" && old.localName === "details")) old.removeAttribute(name);
    }
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) === value) continue;
      if (name === "open" && old.localName === "details") continue; // the reader has folded it
      old.setAttribute(name, value);
      if (name === "value" && "value" in old) old.value = value;
    }
    if (old.localName === "template") {
      if (old.innerHTML !== fresh.innerHTML) old.innerHTML = fresh.innerHTML;
      return;
    }
    const wanted = new Set([...fresh.childNodes].map(keyOf).filter(Boolean));
    const known = new Map();
    for (const child of [...old.childNodes]) {
      const key = keyOf(child);
      if (!key) continue;
      if (wanted.has(key)) known.set(key, child);
      else child.remove();
    }
    let at = old.firstChild;
    for (const next of [...fresh.childNodes]) {
      const key = keyOf(next);
      let same = key ? known.get(key) : at;
      if (!key) {
        while (same && keyOf(same)) same = same.nextSibling;
        if (same && (same.nodeType !== next.nodeType || same.nodeName !== next.nodeName)) same = null;
      }
      if (same && same.nodeName === next.nodeName) {
        if (same !== at) {
          // remove the elements between, unless they are needed later; in that case this one moves
          while (at && at !== same && !keyOf(at)) {
            const gone = at;
            at = at.nextSibling;
            gone.remove();
          }
          if (same !== at) {
            if (same.nodeType === 1) moved.push(same);
            old.insertBefore(same, at);
          }
        }
        at = same.nextSibling;
        if (same.nodeType === 1) morph(same, next, moved);
        else if (same.nodeValue !== next.nodeValue) same.nodeValue = next.nodeValue;
      } else {
        old.insertBefore(document.importNode(next, true), at);
      }
    }
    while (at) {
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
  }

  const pieces = () =>
    new Map([...document.querySelectorAll(".piece[id]")].map((piece) => [piece, piece.getAttribute("transform")]));

  // `since` is the version at which the reader acted, if this update follows an act. An announcement may have updated
  // the page to that version already.
  function put(page, since = null) {
    const before = pieces();
    const acted = since !== null;
    const focused = document.activeElement;
    const inside = focused && focused.closest("[data-live]");
    const moved = [];
    for (const fresh of page.querySelectorAll("[data-live]")) {
      const old = document.querySelector(`[data-live="${CSS.escape(fresh.dataset.live)}"]`);
      if (!old) {
        location.reload();
        return;
      }
      morph(old, fresh, moved);
    }
    for (const old of document.querySelectorAll("[data-live]")) {
      if (!page.querySelector(`[data-live="${CSS.escape(old.dataset.live)}"]`)) {
        location.reload();
        return;
      }
    }
    document.title = page.title;
    const waits = page.querySelector("meta[name=waits]");
    if (waits) document.querySelector("meta[name=waits]").content = waits.content;
    body.className = page.body.className;
    body.classList.add("live-on");
    body.dataset.version = page.body.dataset.version || "";
    if ("sent" in page.body.dataset) body.dataset.sent = page.body.dataset.sent;
    version = Number(page.body.dataset.version || version);
    shows(page.body.dataset);
    glide(before, moved);
    reveal(document);
    fold();
    await_vote();
    // for scripts that change the page: the focus may be on their elements
    document.dispatchEvent(new CustomEvent("table:fresh"));
    // An element that has moved in the document has lost the focus.
    if (inside && document.activeElement !== focused) focused.focus({ preventScroll: true });
    const lost = Boolean(inside) && document.activeElement !== focused;
    const detail = { acted, moved: acted && since !== version, lost };
    document.dispatchEvent(new CustomEvent("table:put", { detail }));
  }

  // An open note of the guide takes room from the log, and on a phone from the decision, so it starts folded in a low
  // window. That does not depend on the question, so that nothing moves when the reader's turn begins. Once the
  // reader has opened or folded the note, it stays so.
  const LOW = 800; // pixels
  let opened = ""; // the note that the reader has opened or folded
  document.addEventListener("click", (event) => {
    const summary = event.target.closest("details.guide > summary");
    if (summary) opened = summary.parentElement.dataset.key;
  });
  function fold() {
    const note = document.querySelector("details.guide");
    if (!note || !note.open || note.dataset.key === opened) return;
    const layout = getComputedStyle(note).getPropertyValue("--layout");
    if (innerHeight < LOW || ["phone", "low"].includes(layout)) note.open = false;
  }

  // While an absent player's time runs, fetch the page now and then: no event announces that it has run out.
  let looking = 0;
  function await_vote() {
    clearTimeout(looking);
    if (document.querySelector("[data-again]")) looking = setTimeout(() => (acting ? await_vote() : refresh()), 10000);
  }

  // A piece that has moved in the document starts again from its former place.
  function glide(before, moved) {
    for (const one of moved) {
      for (const piece of [one, ...one.querySelectorAll(".piece[id]")]) {
        const then = before.get(piece);
        const now = piece.getAttribute("transform");
        if (!then || then === now) continue;
        piece.setAttribute("transform", then);
        piece.getBoundingClientRect();
        requestAnimationFrame(() => piece.setAttribute("transform", now));
      }
    }
  }

  const is_behind = () =>
    told !== version || over !== body.classList.contains("over") || document.querySelector("[data-live=waiting]") !== null;

  let later = 0; // the timer of a refresh that is not urgent
  const parse = (text) => new DOMParser().parseFromString(text, "text/html");

  const BAD_GATEWAY = [502, 503, 504]; // answers of a proxy that cannot reach the server

  // Return the server's answer and its text, or null if there is none; connection.js shows that.
  async function reach(url, options) {
    try {
      const answer = await fetch(url, { credentials: "same-origin", headers: { accept: "text/html" }, ...options });
      const text = await answer.text();
      if (!BAD_GATEWAY.includes(answer.status)) return { answer, text };
    } catch (error) {
      // the same as a bad gateway
    }
    document.dispatchEvent(new CustomEvent("table:unreached"));
    return null;
  }

  async function refresh() {
    clearTimeout(later);
    later = 0;
    if (fetching) {
      again = true;
      return;
    }
    fetching = true;
    const before = acts;
    const headers = { accept: "text/html" };
    // a refresh in the background is no sign that the player is present
    if (document.hidden) headers["x-page-hidden"] = "1";
    const reached = await reach(location.href, { headers, signal: AbortSignal.timeout(12000) });
    fetching = false;
    // an answer to a request from before the move may be older than the move's own answer
    const once_more = again || acts !== before;
    again = false;
    if (!reached) return;
    const { answer, text } = reached;
    if (acts === before && (answer.ok || answer.status === 409)) put(parse(text));
    if (answer.status === 403 || answer.status === 404) document.dispatchEvent(new CustomEvent("table:hidden"));
    if (answer.status === 429) setTimeout(refresh, 1000 * Number(answer.headers.get("retry-after") || 1));
    else if (once_more || (unsure && is_behind())) refresh();
    else document.dispatchEvent(new CustomEvent("table:reached"));
    unsure = false;
  }

  const lives = (page) => [...page.querySelectorAll("[data-live]")].map((one) => one.dataset.live).join();
  const is_alike = (page) => lives(page) === lives(document);

  // Replace the document by a fetched page.
  function show_whole(text) {
    document.open();
    document.write(text);
    document.close();
  }

  // -- acts that stay on the page -----------------------------------------------------------------------------------

  // Send a form and show the answer. Return the status of the answer; 0: the server could not be reached.
  async function post(action, data, signal, takes_focus = true) {
    acting = true;
    acts += 1;
    const since = version;
    const reached = await reach(action, { method: "POST", body: data, signal });
    acting = false;
    if (reached) show_answer(reached, takes_focus ? since : null);
    if (told > version || missed) refresh(); // the table has moved on in the meantime
    missed = false;
    return reached ? reached.answer.status : 0;
  }

  function show_answer({ answer, text }, since) {
    if (answer.redirected && new URL(answer.url).pathname !== location.pathname) {
      location.href = answer.url;
      return;
    }
    if (answer.redirected && answer.url !== location.href) history.replaceState(null, "", answer.url);
    acts += 1;
    const page = parse(text);
    // This page says why the act failed; a reload would lose the message.
    if (!answer.ok && !is_alike(page)) show_whole(text);
    else put(page, since);
  }

  // A place on the board makes the same choice as its button.
  document.addEventListener("click", (event) => {
    const place = event.target.closest("[data-option]");
    if (!place) return;
    const form = document.getElementById("decision");
    const button =
      form && [...form.querySelectorAll("button[value]")].find((one) => one.value === place.dataset.option);
    if (button) {
      event.preventDefault();
      button.click();
    }
  });

  // -- events of the table; notifications.js shows them outside of the page -----------------------------------------

  // Listen to a stream; connection.js opens it, again if it was lost.
  function follow(source) {
    source.addEventListener("table", (event) => {
      const news = JSON.parse(event.data);
      [told, over] = [news.version, news.status === "over"];
      if (acting || !is_behind()) return;
      if (fetching) unsure = true;
      else refresh();
    });
    const hear = () => {
      if (acting) missed = true;
      else refresh();
    };
    source.addEventListener("hint", hear);
    source.addEventListener("seats", hear);
    source.addEventListener("review", hear);
    source.addEventListener("chat", refresh);
    source.addEventListener("presence", (event) => {
      const now = JSON.parse(event.data);
      if (now.present.join() !== present) refresh();
      else if (now.spectators !== watching && !later)
        // only spectators wait, so that they do not all fetch at once
        later = setTimeout(refresh, 4000 + 4000 * Math.random());
    });
    source.addEventListener("reminder", () => document.dispatchEvent(new CustomEvent("table:remind")));
  }
  window.tablePage = { follow, post, refresh };

  if (body.dataset.events) {
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) location.reload();
    });
  }

  // -- smaller things -----------------------------------------------------------------------------------------------

  function reveal(root) {
    for (const button of root.querySelectorAll("[data-play]")) button.hidden = false;
    for (const time of root.querySelectorAll("time[data-utc]")) time.textContent = local(time);
  }

  // Tell the server the reader's time zone, in which it writes times from the next page on.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.split("; ").includes(`zone=${zone}`)) {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;
  }

  // Convert a time that the server could only write in UTC.
  function local(time) {
    const form = time.dataset.utc === "clock" ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
    return new Intl.DateTimeFormat(document.documentElement.lang, form).format(new Date(time.dateTime));
  }

  document.addEventListener("click", (event) => {
    const play = event.target.closest("[data-play]");
    if (play) walk(play);
  });

  // The recap and the drawn cards cover the board: a press elsewhere or Escape closes them.
  const recap = () =>
    document.querySelector("dialog[open]") ? null : document.querySelector("details:is(.recap, .turned-up)[open]");
  document.addEventListener("pointerdown", (event) => {
    const open = recap();
    if (open && !open.contains(event.target)) open.open = false;
  });
  document.addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && recap();
    if (!open) return;
    if (open.contains(document.activeElement)) open.querySelector("summary").focus();
    open.open = false;
  });

  // The time machine plays two moves a second until it is pressed again; "Watch" leads to a page that plays at once.
  let playing = null;
  function press_play() {
    for (const button of document.querySelectorAll("[data-play]")) button.ariaPressed = String(playing !== null);
  }

  async function walk(button) {
    const mine = playing ? null : {};
    playing = mine;
    press_play();
    if (!mine) return;
    await steps(button, () => playing === mine);
    if (playing === mine) playing = null;
    press_play();
  }

  async function steps(button, goes_on) {
    const to = Number(button.dataset.to);
    let n = Number(button.dataset.from);
    while (n < to && goes_on()) {
      n += 1;
      const answer = await fetch(button.dataset.play + n + location.search, { credentials: "same-origin" });
      if (!answer.ok) return;
      const page = parse(await answer.text());
      if (!goes_on()) return;
      history.replaceState(null, "", answer.url);
      put(page);
      press_play();
      await new Promise((next) => setTimeout(next, 500));
      if (document.hidden || !location.pathname.endsWith(`/${n}`)) return;
    }
  }

  document.addEventListener("change", (event) => {
    if (event.target.closest("form[data-range]")) event.target.form.requestSubmit();
  });

  body.classList.add("live-on");
  reveal(document);
  addEventListener("resize", fold);
  fold();
  await_vote();
  const watched = location.hash === "#watch" && document.querySelector("[data-play]");
  if (watched) walk(watched);
})();
