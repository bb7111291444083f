// Previews of options: fetched when a player points at an option, focuses it, or holds a finger on it.
"use strict";

(() => {
  const POINTED = 180; // milliseconds for which the pointer must rest
  const HELD = 450;
  const MOVED = 4; // pixels; smaller movements are not made by the player
  const box = document.getElementById("preview");
  const kept = new Map(); // by address; an address belongs to one version of the table
  let wanted = null; // the button whose preview is shown or requested
  let from = ""; // the address of that preview
  let timer = 0;
  let held = false; // a long press is active: lifting the finger chooses nothing
  let finger = null; // the position where the finger touched

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
      return; // the server cannot be reached: the option can still be chosen when it answers again
    }
    if (button !== wanted || !text.trim() || !document.contains(button)) return;
    box.setAttribute("aria-live", aloud ? "polite" : "off");
    box.hidden = false;
    box.innerHTML = text;
    button.setAttribute("aria-describedby", "preview");
    place(button);
  }

  // The elements that show where the move happens: places on the board for this option, and the option itself.
  function targets(button) {
    const same = button.value.split("; ").map((one) => `button[value="${CSS.escape(one)}"]`);
    const found = document.querySelectorAll(`.is-shown, button[value="${CSS.escape(button.value)}"], ${same.join()}`);
    return [...found].filter((one) => !one.closest("#decide"));
  }

  const EDGE = 6; // pixels between the preview and the edge of the window
  const GAP = 10; // pixels between the preview and things that must stay visible
  const GRAVE = 1e6; // the cost of covering what should only be covered as a last resort
  const MUCH = 1e3;
  const STEPS = 12; // the number of positions that are tried in each direction

  const overlap = (a, b) =>
    Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
    Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

  // The nearest position that covers neither the question nor the option nor its target, nor other options if
  // possible.
  function place(button) {
    const at = button.getBoundingClientRect();
    const size = box.getBoundingClientRect();
    const [wide, high] = [innerWidth - size.width - EDGE, Math.max(EDGE, innerHeight - size.height - EDGE)];
    const kept = [[at, GRAVE]];
    const keep = (found, weight) => {
      for (const one of found) if (one.checkVisibility()) kept.push([one.getBoundingClientRect(), weight]);
    };
    keep(document.querySelectorAll("#question"), GRAVE);
    keep(targets(button), GRAVE);
    keep(document.querySelectorAll("#decision button.option"), MUCH);
    let best = null;
    const offer = (left, top) => {
      if (left < EDGE || top < EDGE || left > wide || top > high) return;
      const there = { left, top, right: left + size.width, bottom: top + size.height };
      const away = Math.hypot(left + size.width / 2 - at.left - at.width / 2, top + size.height / 2 - at.top);
      const cost = kept.reduce((sum, [one, weight]) => sum + weight * overlap(there, one), away);
      if (!best || cost < best.cost) best = { left, top, cost };
    };
    const lefts = [at.left - size.width - GAP, at.right + GAP, at.left + at.width / 2 - size.width / 2];
    const tops = [at.top, at.top - size.height - GAP, at.bottom + GAP];
    for (const [one] of kept) {
      lefts.push(one.left - size.width - GAP, one.right + GAP);
      tops.push(one.top - size.height - GAP, one.bottom + GAP);
    }
    for (let n = 0; n <= STEPS; n += 1) {
      lefts.push(EDGE + ((wide - EDGE) * n) / STEPS);
      tops.push(EDGE + ((high - EDGE) * n) / STEPS);
    }
    for (const left of lefts) for (const top of tops) offer(left, top);
    box.style.left = `${best.left}px`;
    box.style.top = `${best.top}px`;
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

  // A question can appear under a resting pointer: no preview is shown until the player moves the pointer.
  let pointer = null; // the last position of the pointer
  let resting = null; // the position of the pointer when the question appeared, as long as it rests
  let asked = null; // that question
  function rests(event) {
    const here = { x: event.screenX, y: event.screenY };
    const form = document.getElementById("decision");
    const question = form ? form.dataset.previews : "";
    if (question !== asked) [asked, resting] = [question, pointer || here];
    pointer = here;
    if (resting && Math.hypot(here.x - resting.x, here.y - resting.y) > MOVED) resting = null;
    return resting !== null;
  }

  function point(event) {
    if (event.pointerType === "touch" || rests(event)) return;
    const button = choice(event);
    if (button) want(button, POINTED, false);
    else if (wanted && wanted !== document.activeElement) hide();
  }
  document.addEventListener("pointerover", point);
  document.addEventListener("pointermove", point);
  document.addEventListener("focusin", (event) => {
    const button = choice(event);
    if (button && button.matches(":focus-visible")) want(button, POINTED, true);
  });
  document.addEventListener("focusout", hide);

  document.addEventListener("pointerdown", (event) => {
    held = false;
    hide();
    const button = choice(event);
    if (event.pointerType !== "touch" || !button || button.dataset.enlarge) return; // a long press enlarges it instead
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
      if (event.pointerType === "touch") hide();
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
  // After every update; if only presence or chat has changed, the preview stays.
  document.addEventListener("table:put", () => {
    if (!wanted || !document.contains(wanted) || address(wanted) !== from) hide();
    else if (!box.hidden) wanted.setAttribute("aria-describedby", "preview");
    if (kept.size > 200) kept.clear();
  });
})();
