// Copying and sharing a link. Without script the link stands in a field, to be marked by hand.
"use strict";

(() => {
  // A plain network address is no secure page: there the clipboard is reached the old way, through marked text.
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

  // One place that is read aloud, whatever is copied.
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

  const said = new WeakMap(); // what stood in a button before
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
      // whoever closes the share sheet has changed their mind; where copying is forbidden, the field is marked
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
