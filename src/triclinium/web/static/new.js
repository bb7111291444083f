// The variants of a new table: differences from the printed game are marked and summed up at once.
"use strict";

(() => {
  const told = document.querySelector(".differs");
  const rows = [...document.querySelectorAll(".vrow")];
  if (!told) return;

  // The value of a row in notation, and in words.
  function value(row) {
    const checked = row.querySelector("input[type=radio]:checked");
    if (checked) return [checked.value, checked.parentElement.textContent.trim()];
    const toggle = row.querySelector(".switch");
    if (toggle) return toggle.checked ? ["on", row.dataset.yes] : ["off", row.dataset.no];
    const list = row.querySelector("select");
    if (list) return [list.value, list.selectedOptions[0].textContent.trim()];
    const number = row.querySelector("input[type=number]").value;
    return [number, number];
  }

  function sum() {
    const lines = [];
    let rated = true;
    for (const row of rows) {
      const [now, said] = value(row);
      const changed = now !== row.dataset.printed;
      row.classList.toggle("changed", changed);
      if (!changed) continue;
      lines.push(`${row.dataset.label}${told.dataset.colon}${said}.`);
      if ("unrated" in row.dataset) rated = false;
    }
    const texts = told.dataset;
    const heading = lines.length > 1 ? texts.several.replace("{0}", lines.length) : lines.length ? texts.one : texts.none;
    told.classList.toggle("some", lines.length > 0);
    told.querySelector("b").textContent = heading;
    told.querySelector("p").textContent = lines.length ? `${lines.join(" ")} ${rated ? texts.rated : texts.unrated}` : "";
  }

  for (const button of document.querySelectorAll("[data-step]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const field = button.parentElement.querySelector("input");
      if (Number(button.dataset.step) > 0) field.stepUp();
      else field.stepDown();
      sum();
    });
  }
  document.getElementById("wish").addEventListener("input", sum);
})();
