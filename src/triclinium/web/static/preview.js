// What an option would do, shown beside it: fetched when somebody points at it, comes to it, or holds a finger on it.
"use strict";

(() => {
  const POINTED = 180; // milliseconds until somebody means it
  const HELD = 450;
  const box = document.getElementById("preview");
  const kept = new Map(); // by address; an address is of one version of the table
  let wanted = null; // the button whose preview is shown or on its way
  let timer = 0;
  let held = false; // a finger has been held: letting it go chooses nothing
  let finger = null; // where it was put down

  const CHOICES = "button[name=option][value], button[name=choose][value]";
  const choice = (event) => {
    const found = event.target instanceof Element && event.target.closest(CHOICES);
    return found && !found.closest(".confirm") ? found : null;
  };

  function address(button) {
    const form = document.getElementById("decision");
    if (!form || !form.dataset.preview) return "";
    return `${form.dataset.preview}${encodeURIComponent(button.value)}?${form.dataset.previews}`;
  }

  async function fetched(url) {
    if (!kept.has(url)) {
      const answer = await fetch(url, { credentials: "same-origin", headers: { accept: "text/html" } });
      if (!answer.ok) return "";
      kept.set(url, await answer.text());
    }
    return kept.get(url);
  }

  async function show(button, aloud) {
    const url = address(button);
    if (!url) return;
    let text = "";
    try {
      text = await fetched(url);
    } catch (error) {
      return; // the house is away: the option can be chosen all the same when it is back
    }
    if (button !== wanted || !text.trim() || !document.contains(button)) return;
    box.setAttribute("aria-live", aloud ? "polite" : "off");
    box.hidden = false;
    box.innerHTML = text;
    button.setAttribute("aria-describedby", "preview");
    place(button);
  }

  // Beside the option where there is room, else above it or below; it never covers the option itself.
  function place(button) {
    const at = button.getBoundingClientRect();
    const size = box.getBoundingClientRect();
    const keep = (value, most) => Math.max(6, Math.min(value, most - 6));
    const row = at.width > 200; // an option of the list, not a place on the board
    let left = keep(at.left + at.width / 2 - size.width / 2, innerWidth - size.width);
    let top = keep(at.top, innerHeight - size.height);
    if (row && at.left > size.width + 16) left = at.left - size.width - 10;
    else if (row && innerWidth - at.right > size.width + 16) left = at.right + 10;
    else if (row === at.top > size.height + 16) top = at.top - size.height - 10;
    else if (innerHeight - at.bottom > size.height + 16) top = at.bottom + 10;
    else top = at.top > size.height + 16 ? at.top - size.height - 10 : at.bottom + 10;
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
  }

  function hide() {
    clearTimeout(timer);
    if (wanted) wanted.removeAttribute("aria-describedby");
    wanted = null;
    box.hidden = true;
    box.replaceChildren();
  }

  function want(button, wait, aloud) {
    if (button === wanted) return;
    hide();
    wanted = button;
    timer = setTimeout(() => show(button, aloud), wait);
  }

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const button = choice(event);
    if (button) want(button, POINTED, false);
    else if (wanted && wanted !== document.activeElement) hide();
  });
  document.addEventListener("focusin", (event) => {
    const button = choice(event);
    if (button && button.matches(":focus-visible")) want(button, POINTED, true);
  });
  document.addEventListener("focusout", hide);

  document.addEventListener("pointerdown", (event) => {
    held = false;
    hide();
    const button = choice(event);
    if (event.pointerType !== "touch" || !button || button.dataset.enlarge) return; // that one is shown large instead
    finger = { x: event.clientX, y: event.clientY };
    wanted = button;
    timer = setTimeout(() => {
      held = true;
      show(button, false);
    }, HELD);
  });
  document.addEventListener("pointermove", (event) => {
    const moved = finger && Math.hypot(event.clientX - finger.x, event.clientY - finger.y) > 10;
    if (event.pointerType === "touch" && moved && !held) hide();
  });
  for (const end of ["pointerup", "pointercancel"])
    document.addEventListener(end, (event) => {
      if (event.pointerType === "touch" && !held) clearTimeout(timer);
      finger = null;
    });
  document.addEventListener("contextmenu", (event) => {
    if (finger && wanted) event.preventDefault();
  });
  document.addEventListener(
    "click",
    (event) => {
      if (held && choice(event)) {
        event.preventDefault();
        event.stopImmediatePropagation();
      } else hide();
      held = false;
    },
    true,
  );
  document.addEventListener("scroll", hide, true);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  document.addEventListener("table:put", () => {
    hide();
    if (kept.size > 200) kept.clear();
  });
})();
