// The connection of a table's page: its event stream, the banner while the server cannot be reached, and moves and
// messages that wait until it can. page.js sends requests and shows the answers.
"use strict";

(() => {
  const body = document.body;
  const box = document.getElementById("connection");
  const { follow, post, refresh } = window.tablePage;
  const KINDS = ["table", "presence", "seats", "chat", "hint", "review", "reminder", "heartbeat"];
  const SILENCE = 28000; // milliseconds; the server sends a heartbeat after ten seconds without another event
  const GRACE = 2000; // until the banner shows, for a stream that may come back at once
  const REFUSED = 10000; // until a stream is opened again that the server refused

  let lost = false;
  let was_lost = false; // whether the banner has been shown since the last connection
  let note = ""; // a sentence about the last act

  // -- what waits to be sent --------------------------------------------------------------------------------------

  const STORED = `unsent ${location.pathname.split("/")[2]}`;
  let unsent = [];
  try {
    unsent = JSON.parse(sessionStorage.getItem(STORED)) || [];
  } catch (error) {
    // without storage they wait as long as the page is open
  }

  function store() {
    try {
      if (unsent.length) sessionStorage.setItem(STORED, JSON.stringify(unsent));
      else sessionStorage.removeItem(STORED);
    } catch (error) {
      // as above
    }
    render();
  }

  const new_key = () => [...crypto.getRandomValues(new Uint32Array(4))].map((n) => n.toString(36)).join("-");

  // A move in place of another one has a key of its own: the server may have received the first.
  function keep(kind, action, data, label) {
    const same = unsent.find((one) => kind === "move" && one.kind === kind);
    if (same && same.data === data.toString()) return;
    if (same && same.key === data.get("key")) data.set("key", new_key());
    const waits = { kind, action, label, key: data.get("key"), version: data.get("version"), data: data.toString() };
    unsent = [...unsent.filter((one) => one !== same), waits];
    store();
  }

  function forget(one) {
    unsent = unsent.filter((other) => other !== one);
    store();
  }

  // Whether it must not be sent: the server has received it already, or the table has changed.
  function is_settled(one) {
    if (one.kind !== "move") return false;
    const done = (body.dataset.sent || "").split(" ").includes(one.key);
    if (!done && one.version !== body.dataset.version) note = box.dataset.changed;
    return done || one.version !== body.dataset.version;
  }

  // Only the table itself says which moves the server has received; the pages around it do not.
  const next = () => unsent.find((one) => one.kind !== "move" || "sent" in body.dataset);
  const is_typing = () => Boolean(document.activeElement.closest("input, textarea, select"));

  let sending = false;
  async function send_all() {
    if (sending) return;
    sending = true;
    for (let one = next(); one && !lost; one = next()) {
      if (!is_settled(one)) {
        const status = await post(one.action, new URLSearchParams(one.data), cut.signal, !is_typing());
        if (status === 429) setTimeout(refresh, 5000);
        if (!status || status === 429) break;
      }
      forget(one);
    }
    sending = false;
  }

  // -- the banner -------------------------------------------------------------------------------------------------

  function line(text, one = null) {
    const row = document.createElement("p");
    const words = document.createElement("span");
    words.textContent = text;
    row.append(words);
    if (!one) return row;
    const button = document.createElement("button");
    button.className = "btn tiny";
    button.textContent = box.dataset.cancel;
    button.addEventListener("click", () => {
      forget(one);
      document.getElementById("question")?.focus();
    });
    row.append(" ", button);
    return row;
  }

  // Lines that stay are left alone, so that only what is new is read out and a focused button keeps the focus.
  let shown = new Map();
  function render() {
    const wanted = [];
    if (lost) wanted.push([box.dataset.lost, box.dataset.lost, null]);
    if (note) wanted.push([note, note, null]);
    for (const one of unsent) wanted.push([one, box.dataset.unsent.replace("{0}", one.label), one]);
    const rows = new Map(wanted.map(([key, text, one]) => [key, shown.get(key) || line(text, one)]));
    for (const [key, row] of shown) if (!rows.has(key)) row.remove();
    let at = box.firstChild;
    for (const row of rows.values()) {
      if (row === at) at = at.nextSibling;
      else box.insertBefore(row, at);
    }
    shown = rows;
    if (lost) was_lost = true;
  }

  // For those who cannot see that the banner is gone.
  function announce_return() {
    const row = line(box.dataset.back);
    row.className = "sr";
    box.append(row);
    setTimeout(() => row.remove(), 5000);
  }

  function say(text) {
    note = "";
    render(); // so that the same sentence is read out again
    note = text;
    render();
  }

  // -- the stream -------------------------------------------------------------------------------------------------

  let source = null;
  let failures = 0; // of the stream, since it last brought something
  let heard = 0;
  let silence = 0;

  function hear() {
    heard = Date.now();
    failures = 0;
    clearTimeout(silence);
    silence = setTimeout(doubt, SILENCE);
  }

  function close() {
    clearTimeout(silence);
    if (source) source.close();
    source = null;
  }

  function listen() {
    clearTimeout(opening);
    opening = 0;
    if (source || !body.dataset.events) return;
    const opened = new EventSource(`${body.dataset.events}?tab=${body.dataset.tab}`);
    source = opened;
    heard = Date.now();
    silence = setTimeout(doubt, SILENCE);
    opened.addEventListener("open", () => document.dispatchEvent(new CustomEvent("table:open")));
    for (const kind of KINDS) opened.addEventListener(kind, hear);
    follow(opened);
    opened.addEventListener("error", () => {
      if (source !== opened) return;
      failures += 1;
      doubt(pause(0));
    });
  }

  // -- losing and finding the server ------------------------------------------------------------------------------

  let cut = new AbortController(); // of requests on their way
  let tries = 0;
  let trying = 0;
  let grace = 0;
  let opening = 0;
  const pause = (n) => Math.min(15000, 500 * 2 ** n) * (0.5 + Math.random() / 2);

  function retry(after = 0) {
    clearTimeout(trying);
    trying = setTimeout(refresh, after);
  }

  // The server may be out of reach: ask it, and show the banner unless it answers soon.
  function doubt(after = 0) {
    close();
    if (!lost && !grace) grace = setTimeout(lose, GRACE);
    retry(after);
  }

  function lose() {
    close();
    clearTimeout(grace);
    grace = 0;
    if (!lost) {
      lost = true;
      cut.abort(); // what is on its way to a server that is out of reach waits in the page instead
      cut = new AbortController();
    }
    render();
  }

  document.addEventListener("table:unreached", () => {
    lose();
    failures = 0;
    retry(pause(tries));
    tries += 1;
  });

  document.addEventListener("table:reached", () => {
    clearTimeout(grace);
    clearTimeout(trying);
    grace = tries = 0;
    lost = false;
    if (was_lost) announce_return();
    if (was_lost && note === box.dataset.failed) setTimeout(() => note === box.dataset.failed && say(""), 8000);
    was_lost = false;
    render();
    // A server that answers may still refuse the stream: too many tables are open, or this one is not for the reader.
    if (!source && !opening)
      opening = setTimeout(listen, failures > 1 ? Math.min(300000, REFUSED * 2 ** (failures - 2)) : 0);
    send_all();
  });

  function wake() {
    clearTimeout(opening);
    opening = failures = tries = 0;
    retry();
  }

  addEventListener("online", wake);
  addEventListener("offline", () => doubt());
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    if (source && Date.now() - heard > SILENCE) doubt();
    else if (lost || opening) wake();
  });
  addEventListener("pagehide", close);

  // -- acts -------------------------------------------------------------------------------------------------------

  function label_of(form, button) {
    const text = form.querySelector("[name=text]");
    if (text) return text.value;
    const named = form.querySelector(".confirm .txt") || button;
    if (!named) return "";
    return (named.dataset.label || named.getAttribute("aria-label") || named.textContent).trim().replace(/\s+/g, " ");
  }

  async function act(form, button) {
    const data = new URLSearchParams(new FormData(form, button));
    const kind = form.dataset.keeps;
    const [action, label] = [form.action, label_of(form, button)];
    if (kind === "message") data.set("key", new_key());
    let status = 0;
    if (!lost) {
      const buttons = [...form.querySelectorAll("button")];
      for (const one of buttons) one.setAttribute("aria-busy", "true");
      status = await post(action, data, cut.signal);
      for (const one of buttons) one.removeAttribute("aria-busy");
    }
    if (status) say("");
    else if (kind) keep(kind, action, data, label);
    else say(box.dataset.failed);
    if (kind === "message" && status < 300) form.reset();
    if (status) return;
    if (lost) retry();
    else refresh(); // the server has come back meanwhile
  }

  // A form that leads to another page is sent when the server answers, so that the table stays if it does not.
  const probed = new Map(); // forms, and whether the server has answered
  async function leave(form, button) {
    let status = 0;
    probed.set(form, false);
    try {
      ({ status } = await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(5000) }));
    } catch (error) {
      // no answer
    }
    if (status && status < 500) {
      probed.set(form, true);
      form.requestSubmit(button);
    } else {
      probed.delete(form);
      say(box.dataset.failed);
      document.dispatchEvent(new CustomEvent("table:unreached"));
    }
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method === "dialog") return;
    if (form.matches("[data-act]") && form.method === "post") {
      event.preventDefault();
      act(form, event.submitter);
    } else if (probed.get(form)) probed.delete(form);
    else {
      event.preventDefault();
      if (!probed.has(form)) leave(form, event.submitter);
    }
  });

  body.dataset.tab = Math.random().toString(36).slice(2); // so that the page can say which stream is its own
  listen();
  render();
  send_all(); // what an earlier visit to this page has left
})();
