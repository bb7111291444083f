// Components in the box: filters work as soon as they are ticked.
"use strict";
(() => {
  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }
  const form = document.querySelector("[data-sorts]");
  if (!form) return;
  form.querySelector("button").hidden = true;
  const narrow = matchMedia("(max-width: 760px)");
  if (narrow.matches && !form.querySelector(":checked")) form.querySelector("details").open = false;
  form.addEventListener("change", () => {
    const asked = new URLSearchParams(new FormData(form));
    location.replace(`${location.pathname}?${asked}`);
  });
})();
