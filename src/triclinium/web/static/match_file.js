// The script of a match file: it steps through the positions, and checks the checksum and the seal of the shuffle.
"use strict";

(() => {
  const one = (id) => document.getElementById(id);
  const text = (name) => one(`match-${name}`).textContent;

  // -- checks: browsers compute hashes only in files and on encrypted pages ---------------------------------------

  async function hash(value) {
    const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(value));
    return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  function report(name, holds) {
    const line = document.querySelector(`[data-check="${name}"]`);
    if (!line) return;
    line.textContent = holds ? line.dataset.yes : line.dataset.no;
    line.className = holds ? "holds" : "fails";
  }

  async function check() {
    if (!globalThis.crypto?.subtle) return;
    try {
      report("checksum", (await hash(text("data") + text("positions"))) === JSON.parse(text("checksum")));
      const { record } = JSON.parse(text("data"));
      const field = (name) => record.match(new RegExp(`^${name} (.+)$`, "m"))[1];
      if (/^seal /m.test(record)) report("seal", (await hash(`${field("salt")}:${field("seed")}`)) === field("seal"));
    } catch (error) {
      report("checksum", false); // a part of the file is missing
    }
  }
  check();

  // -- positions: each is stored as numbers of pieces of HTML; -1 - n and a length are pieces n to n + length of the
  // position before

  const { pieces, positions } = JSON.parse(text("positions"));
  let before = [];
  for (const [n, stored] of positions.entries()) {
    const now = [];
    for (let i = 0; i < stored.length; i++) {
      const from = -1 - stored[i];
      if (from < 0) now.push(stored[i]);
      else now.push(...before.slice(from, from + stored[++i]));
    }
    positions[n] = before = now;
  }

  const place = one("position");
  const range = one("n");
  const last = positions.length - 1;
  let at = last;

  // Mark the lines of the last move that the log mentions. Only the log scrolls to them, not the page.
  function tell() {
    const log = one("log");
    const move = (line) => Number(line.querySelector(".n").hash.slice(2));
    const lines = [...log.children].filter((line) => move(line) <= at);
    const now = lines.filter((line) => move(line) === move(lines.at(-1)));
    for (const line of log.children) line.classList.toggle("is-now", now.includes(line));
    const words = now.map((line) => line.querySelector("span:not(.tail):not(:empty)")?.textContent);
    one("told").textContent = words.join(" ");
    if (now.length) log.scrollTop += now[0].getBoundingClientRect().top - log.getBoundingClientRect().top - 40;
  }

  function show(n) {
    at = Math.min(Math.max(n, 0), last);
    const focused = place.contains(document.activeElement);
    place.innerHTML = positions[at].map((piece) => pieces[piece]).join("");
    if (focused) one("board").focus({ preventScroll: true });
    range.value = at;
    one("count").textContent = `${at} / ${last}`;
    tell();
    document.dispatchEvent(new Event("table:put"));
    document.dispatchEvent(new Event("table:fresh"));
  }

  const steps = { first: () => 0, last: () => last, "-1": () => at - 1, 1: () => at + 1 };
  const keys = { ArrowLeft: "-1", ArrowRight: "1", Home: "first", End: "last" };
  const go = (step) => show(steps[step]());

  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element && event.target.closest("[data-step]");
    if (button) go(button.dataset.step);
  });
  range.addEventListener("input", () => show(Number(range.value)));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, dialog *")) return;
    if (!keys[event.key]) return;
    event.preventDefault();
    go(keys[event.key]);
  });

  function follow() {
    const wanted = /^#m(\d+)$/.exec(location.hash);
    if (!wanted) return;
    show(Number(wanted[1]));
    one("replay").scrollIntoView();
  }
  addEventListener("hashchange", follow);
  document.querySelector(".scrub").hidden = false;
  follow();
})();
