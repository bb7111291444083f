// What an option would do, shown beside it: fetched when somebody points at it, comes to it, or holds a finger on it.
"use strict";

(() => {
  const POINTED = 180; // milliseconds until somebody means it
  const HELD = 450;
  const box = document.getElementById("preview");
  const kept = new Map(); // by address; an address is of one version of the table
  let wanted = null; // the button whose preview is shown or on its way
  let from = ""; // the address of that preview
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
    if (!from) return;
    let text = "";
    try {
      text = await fetched(from);
    } catch (error) {
      return; // the house is away: the option can be chosen all the same when it is back
    }
    if (button !== wanted || !text.trim() || !document.contains(button)) return;
    box.setAttribute("aria-live", aloud ? "polite" : "off");
    box.hidden = false;
    box.innerHTML = text;
    box.style.maxHeight = "";
    button.setAttribute("aria-describedby", "preview");
    place(button);
  }

  // Beside the option where there is room, else above it or below; it never covers the option itself.
  function place(button) {
    const at = button.getBoundingClientRect();
    const size = box.getBoundingClientRect();
    const keep = (value, most) => Math.max(6, Math.min(value, most - 6));
    const listed = Boolean(button.closest("#decide")); // else it is a place on the board, whose tip stands above it
    const above = at.top - 16;
    const below = innerHeight - at.bottom - 16;
    let left = keep(at.left + at.width / 2 - size.width / 2, innerWidth - size.width);
    let top = keep(at.top, innerHeight - size.height);
    let room = innerHeight - 12;
    if (listed && at.left > size.width + 16) left = at.left - size.width - 10;
    else if (listed && innerWidth - at.right > size.width + 16) left = at.right + 10;
    else if (above > size.height && (listed || below < size.height)) top = at.top - size.height - 10;
    else if (below > size.height || below > above) {
      top = at.bottom + 10;
      room = below;
    } else {
      top = 6;
      room = above;
    }
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
    box.style.maxHeight = `${room}px`;
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
    from = address(button);
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
    from = address(button);
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
  document.addEventListener("scroll", (event) => wanted && event.target.contains(wanted) && hide(), true);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  // After every move; also when somebody comes or says something, and then the preview stays.
  document.addEventListener("table:put", () => {
    if (!wanted || !document.contains(wanted) || address(wanted) !== from) hide();
    else if (!box.hidden) wanted.setAttribute("aria-describedby", "preview");
    if (kept.size > 200) kept.clear();
  });
})();
