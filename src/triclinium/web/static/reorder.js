// Rows whose parts change places and are turned over: dragging or buttons arrange them here, and the shortest series
// of steps is sent at once. Without this script each step is an option of its own.
"use strict";

(() => {
  let row = null;
  let parts = []; // in their order on the table
  let order = []; // the same parts in their new order
  let turned = new Set();
  let dragged = -1;
  let confirm = null;

  function button(sign, told, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "btn tiny";
    made.textContent = sign;
    made.setAttribute("aria-label", told);
    made.dataset.tip = told;
    made.addEventListener("click", act);
    return made;
  }

  function ready() {
    const found = document.querySelector("[data-arrange]");
    if (found === row && found && found.contains(confirm)) return;
    row = found;
    if (!row) return;
    const words = row.dataset;
    parts = [...row.querySelectorAll("[data-part]")];
    order = parts.map((_, n) => n);
    turned = new Set();
    parts.forEach((part, n) => {
      const bar = document.createElement("span");
      bar.className = "arranging";
      bar.append(button("‹", words.left, () => shift(n, -1)));
      if (part.dataset.part === "turns") bar.append(button("⇄", words.flip, () => turn(n)));
      bar.append(button("›", words.right, () => shift(n, 1)));
      part.querySelector(".arranging")?.remove();
      part.append(bar);
      part.draggable = true;
      part.ondragstart = (event) => {
        dragged = n;
        event.dataTransfer.effectAllowed = "move";
      };
      part.ondragover = (event) => {
        if (dragged < 0) return;
        event.preventDefault();
        if (dragged !== n) move(dragged, order.indexOf(n));
      };
      part.ondragend = () => (dragged = -1);
    });
    row.querySelector(".arranged")?.remove();
    confirm = document.createElement("button");
    confirm.className = "btn primary arranged";
    confirm.setAttribute("form", "decision");
    confirm.name = words.name;
    row.append(confirm);
    show();
  }

  function shift(n, by) {
    const to = order.indexOf(n) + by;
    if (to >= 0 && to < order.length) move(n, to);
  }

  function move(n, to) {
    order.splice(order.indexOf(n), 1);
    order.splice(to, 0, n);
    show();
  }

  function turn(n) {
    if (!turned.delete(n)) turned.add(n);
    show();
  }

  // The longest part of the row that can stay in place.
  function staying() {
    const best = order.map((n, i) => {
      const before = order.slice(0, i).map((m, j) => (m < n ? j : -1));
      return { n, before: before.filter((j) => j >= 0) };
    });
    const runs = [];
    best.forEach(({ n, before }, i) => {
      const longest = before.map((j) => runs[j]).reduce((a, b) => (b.length > a.length ? b : a), []);
      runs[i] = [...longest, n];
    });
    return runs.reduce((a, b) => (b.length > a.length ? b : a), []);
  }

  // The steps in notation; each position is the one at the time of its step.
  function steps() {
    const made = [...turned].sort((a, b) => a - b).map((n) => `leaf ${n + 1}; flip`);
    const placed = new Set(staying());
    const now = order.map((_, n) => n);
    for (const n of order) {
      if (placed.has(n)) continue;
      const from = now.indexOf(n);
      now.splice(from, 1);
      const later = order.slice(order.indexOf(n) + 1).filter((m) => placed.has(m));
      const to = later.length ? now.indexOf(later[0]) : now.length;
      now.splice(to, 0, n);
      placed.add(n);
      made.push(`leaf ${from + 1}; position ${to + 1}`);
    }
    return made;
  }

  function show() {
    order.forEach((n, at) => {
      parts[n].style.order = at;
      parts[n].classList.toggle("turned", turned.has(n));
    });
    const made = steps();
    const most = Number(row.dataset.arrange);
    const words = row.dataset;
    confirm.hidden = made.length === 0;
    confirm.disabled = made.length > most;
    confirm.style.order = order.length;
    confirm.value = [...made, ...(most > 1 && made.length < most ? ["done"] : [])].join("; ");
    confirm.textContent = confirm.disabled ? words.many : made.length === 1 ? words.one : words.some.replace("{0}", made.length);
  }

  document.addEventListener("table:fresh", ready);
  ready();
})();
