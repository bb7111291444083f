// Copying and sharing a link. Without this script the link is in a text field, to be copied by hand.
"use strict";

(() => {
  // Browsers offer no clipboard on a plain network address, so marked text is copied the old way there.
  async function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "sr";
    const focused = document.activeElement;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (focused) focused.focus({ preventScroll: true });
    if (!done) throw new Error("nothing was copied");
  }

  // One element announces every copy to screen readers.
  function announce(text) {
    let place = document.getElementById("copied");
    if (!place) {
      place = document.createElement("p");
      place.id = "copied";
      place.className = "sr";
      place.setAttribute("role", "status");
      document.body.append(place);
    }
    place.textContent = "";
    setTimeout(() => (place.textContent = text), 50);
  }

  const said = new WeakMap(); // the former text of a button
  function answer(button) {
    const label = button.querySelector("span") || button;
    if (!said.has(button)) said.set(button, label.textContent);
    label.textContent = button.dataset.done;
    announce(button.dataset.done);
    setTimeout(() => (label.textContent = said.get(button)), 2500);
  }

  const linkOf = (button) =>
    button.dataset.link || button.parentElement.querySelector("[data-copy]").value;

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copies], [data-shares]");
    if (!button) return;
    const link = linkOf(button);
    try {
      if (button.matches("[data-shares]") && navigator.share) {
        await navigator.share({ title: document.title, url: link });
        return;
      }
      await copy(link);
      answer(button);
    } catch (error) {
      // the reader has closed the share sheet, or copying is forbidden: select the field
      const field = button.parentElement.querySelector("[data-copy]");
      if (field && error.name !== "AbortError") field.select();
    }
  });

  document.addEventListener("focusin", (event) => {
    if (event.target.matches("[data-copy]")) event.target.select();
  });

  function reveal() {
    for (const button of document.querySelectorAll("[data-copies], [data-shares]")) button.hidden = false;
  }
  document.addEventListener("table:fresh", reveal);
  reveal();
})();
