// Options that are chosen several times together: counters collect them here, and one click sends all of them. Without
// this script each option is chosen by itself.
"use strict";

(() => {
  let form = null; // the counters of the current question
  let version = ""; // the version of the table for which the counts were made
  let counts = new Map(); // by option

  const rows = () => [...form.querySelectorAll(".k-count")];
  const optionOf = (row) => row.dataset.counts;
  const count = (row) => counts.get(optionOf(row)) || 0;
  const chosen = () => [...counts.values()].reduce((sum, n) => sum + n, 0);
  const total = () => Number(form.dataset.total);

  // An update of the page sets everything back to what the server sent; the counts are kept while the table is the same.
  function ready() {
    form = document.querySelector("#decision .k-counted");
    if (version !== document.body.dataset.version) counts = new Map();
    version = document.body.dataset.version;
    if (!form) return;
    for (const one of document.querySelectorAll("#decision .k-offers .option")) one.hidden = true;
    form.hidden = false;
    show();
  }

  // One more of an option; a thing of which there is only one is given back by a second click.
  function add(row) {
    if (row.dataset.most === "1" && count(row) === 1) change(row, -1);
    else if (count(row) < Number(row.dataset.most) && chosen() < total()) change(row, 1);
  }

  function change(row, by) {
    counts.set(optionOf(row), Math.max(count(row) + by, 0));
    show();
    const confirm = form.querySelector(":scope > .option");
    if (by > 0 && !confirm.disabled) confirm.focus();
  }

  // The buttons on the table for the same option.
  const things = (option) => document.querySelectorAll(`[form="decision"][value="${CSS.escape(option)}"]`);

  function show() {
    const full = chosen() === total();
    for (const row of rows()) {
      const more = row.querySelector(".option");
      row.querySelector("output").textContent = count(row);
      row.querySelector(".fewer").disabled = count(row) === 0;
      more.setAttribute("aria-pressed", count(row) > 0);
      for (const thing of things(optionOf(row))) thing.classList.toggle("is-counted", count(row) > 0);
    }
    const sent = JSON.parse(form.dataset.shortened)[rows().map(count).join(" ")] ?? total();
    const options = rows().flatMap((row) => Array(count(row)).fill(optionOf(row)));
    const confirm = form.querySelector(":scope > .option");
    confirm.disabled = !full;
    confirm.value = options.slice(0, sent).join("; ");
    confirm.dataset.shows = full ? confirm.value : "";
    confirm.querySelector("span").textContent = full
      ? form.dataset.all
      : form.dataset.some.replace("{0}", chosen()).replace("{1}", total());
  }

  document.addEventListener(
    "click",
    (event) => {
      if (!form || !form.isConnected || !(event.target instanceof Element)) return;
      const row = event.target.closest(".k-count");
      const thing = event.target.closest('[form="decision"]');
      if (row && event.target.closest(".fewer")) change(row, -1);
      else if (row) add(row);
      else {
        const named = thing && rows().find((one) => optionOf(one) === thing.value);
        if (!named) return;
        event.preventDefault();
        add(named);
      }
    },
    true,
  );

  document.addEventListener("table:fresh", ready);
  ready();
})();
