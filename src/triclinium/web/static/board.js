// Zoom and pan, tips, and enlarged views, on every board.
"use strict";

(() => {
  // -- zoom and pan: the viewBox of `.board > svg` ----------------------------------------------------------------

  const MOST = 6;
  const fingers = new Map();
  let box = null; // the visible part: x, y, width, height
  let dragged = false;
  let near = ""; // the viewBox that a small screen shows first: data-near of the map, or the area of the offered places

  const board = () => document.querySelector(".board");
  // A board in panes is not zoomed while the choice of panes is visible.
  const paned = () => document.querySelector(".board > .panes")?.checkVisibility() === true;
  const map = () => (paned() ? null : document.querySelector(".board > svg:not([data-still])"));
  // The whole area: the viewBox, or with `data-fills` as much as the shape of the drawing has room for.
  const whole = (svg) => {
    const [x, y, w, h] = (svg.dataset.whole || svg.getAttribute("viewBox")).split(/[ ,]+/).map(Number);
    if (svg.dataset.fills === undefined) return [x, y, w, h];
    const shape = svg.clientWidth / svg.clientHeight;
    return [x, y, Math.max(w, h * shape), Math.max(h, w / shape)];
  };

  function show() {
    const svg = map();
    if (!svg?.clientHeight) return; // behind the button of a short phone
    const [x, y, w, h] = whole(svg);
    const zoomed = box !== null && box.w < w * 0.995;
    if (!zoomed) {
      box = null;
    } else {
      box.w = Math.max(box.w, w / MOST);
      box.h = (box.w * h) / w;
      box.x = Math.min(Math.max(box.x, x), x + w - box.w);
      box.y = Math.min(Math.max(box.y, y), y + h - box.h);
    }
    if (zoomed || svg.dataset.whole) {
      svg.dataset.whole ||= svg.getAttribute("viewBox");
      svg.setAttribute("viewBox", zoomed ? `${box.x} ${box.y} ${box.w} ${box.h}` : svg.dataset.whole);
    }
    const by = zoomed ? String(w / box.w) : ""; // for names and symbols that grow less than the map
    if (svg.style.getPropertyValue("--zoom") !== by) svg.style.setProperty("--zoom", by);
    board().classList.toggle("zoomed", zoomed);
  }

  const now = (svg) => {
    const [x, y, w, h] = whole(svg);
    return box || { x, y, w, h };
  };

  const inside = (svg, x, y) => new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());

  // Zoom by a factor around the point under the finger.
  function zoom(svg, factor, at) {
    const old = now(svg);
    const point = at || { x: old.x + old.w / 2, y: old.y + old.h / 2 };
    const w = Math.max(old.w / factor, whole(svg)[2] / MOST);
    const by = w / old.w;
    box = { x: point.x - (point.x - old.x) * by, y: point.y - (point.y - old.y) * by, w, h: old.h * by };
    show();
  }

  function pan(svg, dx, dy) {
    const old = now(svg);
    box = { ...old, x: old.x + dx, y: old.y + dy };
    show();
  }

  const onMap = (event) => {
    const svg = map();
    return svg && event.target instanceof Element && svg.contains(event.target) ? svg : null;
  };

  // On a phone the map opens near the offered places, and the wheel scrolls.
  const shell = document.querySelector(".shell"); // an embedded position has none
  const small = () => Boolean(shell) && ["phone", "low"].includes(getComputedStyle(shell).getPropertyValue("--layout"));

  document.addEventListener(
    "wheel",
    (event) => {
      const svg = onMap(event);
      if (!svg || (event.deltaX && !event.deltaY)) return;
      if (!event.ctrlKey && small()) return;
      event.preventDefault();
      zoom(svg, Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), inside(svg, event.clientX, event.clientY));
    },
    { passive: false },
  );

  document.addEventListener("pointerdown", (event) => {
    const svg = onMap(event);
    if (!svg || event.button > 0) return;
    if (!fingers.size) dragged = false;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, ox: event.clientX, oy: event.clientY });
  });

  document.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    const svg = map();
    if (!finger || !svg) return;
    if (!event.buttons) {
      fingers.delete(event.pointerId);
      return;
    }
    const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, other]) => other);
    if (others.length) {
      const other = others[0];
      const before = Math.hypot(finger.x - other.x, finger.y - other.y);
      const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      dragged = true;
      if (before > 0)
        zoom(svg, after / before, inside(svg, (event.clientX + other.x) / 2, (event.clientY + other.y) / 2));
    } else if (box && (dragged || Math.hypot(event.clientX - finger.ox, event.clientY - finger.oy) > 5)) {
      dragged = true;
      const from = inside(svg, finger.x, finger.y);
      const to = inside(svg, event.clientX, event.clientY);
      pan(svg, from.x - to.x, from.y - to.y);
    }
    finger.x = event.clientX;
    finger.y = event.clientY;
  });

  for (const end of ["pointerup", "pointercancel"])
    document.addEventListener(end, (event) => fingers.delete(event.pointerId));

  // A drag is not a click.
  document.addEventListener(
    "click",
    (event) => {
      if (!dragged || !onMap(event)) return;
      dragged = false;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    const svg = map();
    if (!button || !svg) return;
    if (button.dataset.zoom === "whole") {
      box = null;
      show();
    } else zoom(svg, button.dataset.zoom === "in" ? 1.5 : 1 / 1.5);
  });

  document.addEventListener("keydown", (event) => {
    const svg = map();
    if (!svg || event.altKey || event.ctrlKey || event.metaKey || !event.target.closest(".board")) return;
    const acts = {
      "+": () => zoom(svg, 1.5),
      "=": () => zoom(svg, 1.5),
      "-": () => zoom(svg, 1 / 1.5),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  });

  // Scroll an element into view that gets the keyboard focus.
  document.addEventListener("focusin", (event) => {
    const svg = onMap(event);
    if (!svg || !box || !event.target.matches(":focus-visible")) return;
    const at = event.target.getBoundingClientRect();
    const point = inside(svg, at.x + at.width / 2, at.y + at.height / 2);
    if (point.x < box.x || point.y < box.y || point.x > box.x + box.w || point.y > box.y + box.h)
      pan(svg, point.x - box.x - box.w / 2, point.y - box.y - box.h / 2);
  });

  // -- tips: data-tip is a text, data-tips names a <template> -----------------------------------------------------

  const tip = document.getElementById("tip");
  let telling = null;
  let timer = 0;

  function tell(one) {
    telling = one;
    const from = one.dataset.tips && document.getElementById(one.dataset.tips);
    if (from) tip.replaceChildren(from.content.cloneNode(true));
    else tip.textContent = one.dataset.tip || "";
    if (!tip.textContent.trim()) return;
    tip.hidden = false;
    const at = one.getBoundingClientRect();
    const size = tip.getBoundingClientRect();
    const left = Math.min(Math.max(6, at.x + at.width / 2 - size.width / 2), innerWidth - size.width - 6);
    const above = at.y - size.height - 8;
    tip.style.left = `${left}px`;
    tip.style.top = `${above > 6 ? above : Math.min(at.bottom + 8, innerHeight - size.height - 6)}px`;
  }

  function hush() {
    clearTimeout(timer);
    telling = null;
    tip.hidden = true;
  }

  const tips = (event) => event.target instanceof Element && event.target.closest("[data-tip], [data-tips]");

  document.addEventListener("pointerover", (event) => {
    const one = tips(event);
    if (one === telling) return;
    hush();
    if (one && event.pointerType !== "touch") {
      telling = one;
      timer = setTimeout(() => tell(one), 220);
    }
  });
  document.addEventListener("focusin", (event) => {
    const one = tips(event);
    if (one && (event.target.matches(":focus-visible") || one.matches("[tabindex]"))) {
      hush();
      tell(one);
    }
  });
  document.addEventListener("focusout", hush);
  document.addEventListener("pointerdown", hush);
  document.addEventListener("scroll", hush, true);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hush();
  });

  // -- enlarging: data-enlarge names <template>s with everything about a card or piece; if many things share one, its
  // [data-told] gets the text about the thing itself

  const dialog = document.getElementById("enlarged");
  let shown = null;

  function enlarge(one, target = one) {
    if (!dialog) return; // an embedded position has none
    const from = one.dataset.enlarge
      .split(" ")
      .map((id) => document.getElementById(id))
      .filter(Boolean);
    if (!from.length) return false;
    hush();
    shown = one;
    dialog.querySelector(".dlg").replaceChildren(...from.map((each) => each.content.cloneNode(true)));
    const itself = target.closest("[data-tip]");
    for (const told of dialog.querySelectorAll("[data-told]")) told.textContent = itself ? itself.dataset.tip : "";
    if (!dialog.open) dialog.showModal();
    return true;
  }

  // The neighbours on the same shelf (data-shelf), without repetitions.
  function turn(by) {
    const shelf = (shown && shown.closest("[data-shelf]")) || document;
    const seen = new Map([...shelf.querySelectorAll("[data-enlarge]")].map((one) => [one.dataset.enlarge, one]));
    const ids = [...seen.keys()].filter((ids) => document.getElementById(ids.split(" ")[0]));
    const at = ids.indexOf(shown.dataset.enlarge);
    if (ids.length > 1) enlarge(seen.get(ids[(at + by + ids.length) % ids.length]));
  }

  const large = (event) => event.target instanceof Element && event.target.closest("[data-enlarge]");
  const plays = (one) => one.matches("button[form], button[name], [data-pick]");

  document.addEventListener("click", (event) => {
    const one = large(event);
    if (one && !plays(one)) enlarge(one, event.target);
    const way = event.target.closest("[data-turn]");
    if (way) turn(Number(way.dataset.turn));
    if (event.target === dialog) dialog.close();
  });
  // A button that makes a move is enlarged by a long press, the other mouse button or the key E.
  document.addEventListener("contextmenu", (event) => {
    const one = large(event);
    if (one && enlarge(one, event.target)) event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (dialog.open && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      event.preventDefault();
      event.stopPropagation();
      turn(event.key === "ArrowLeft" ? -1 : 1);
      return;
    }
    if (event.target.closest("input, textarea, select")) return;
    const one = large(event);
    if (!one) return;
    if (
      event.key === "e" ||
      (!plays(one) && one.localName !== "button" && (event.key === "Enter" || event.key === " "))
    ) {
      if (enlarge(one, event.target)) event.preventDefault();
    }
  });

  // -- picking: in a [data-picks], a thing with data-pick shows the targets that are data-for it, or hides them again

  document.addEventListener("click", (event) => {
    const one = event.target instanceof Element && event.target.closest("[data-pick]");
    if (!one) return;
    const area = one.closest("[data-picks]");
    const on = one.getAttribute("aria-pressed") !== "true";
    for (const other of area.querySelectorAll("[data-pick]"))
      other.setAttribute("aria-pressed", String(on && other === one));
    for (const target of area.querySelectorAll("[data-for]"))
      target.hidden = !on || target.dataset.for !== one.dataset.pick;
    const first = area.querySelector("[data-for]:not([hidden])");
    if (first && event.detail === 0) first.focus(); // chosen by a key
  });

  // -- an option and its place mark each other: data-shows names the option or the thing, data-shown the one that shows it
  // (with hyphens in place of spaces)

  let lit = null; // the event that shows the marks
  function mark(event, on) {
    lit = on ? event : null;
    const one =
      event.target instanceof Element && event.target.closest("[data-shows], .spot > button[value], .choose[value]");
    if (!one) return;
    for (const name of (one.dataset.shows || one.value).split(",")) {
      for (const other of document.querySelectorAll(
        `[data-shown~="${CSS.escape(name.replaceAll(" ", "-"))}"], [data-way="${CSS.escape(name)}"], .spot > button[value="${CSS.escape(name)}"], .choose[value="${CSS.escape(name)}"], .option[value="${CSS.escape(name)}"]`,
      ))
        other.classList.toggle("is-shown", on);
    }
    document.body.classList.toggle("showing", on);
  }
  for (const [name, on] of [
    ["pointerover", true],
    ["pointerout", false],
    ["focusin", true],
    ["focusout", false],
  ])
    document.addEventListener(name, (event) => mark(event, on));
  // an update has removed them
  document.addEventListener("table:put", () => lit?.target.isConnected && mark(lit, true));

  // A click keeps the path marked until another thing is clicked.
  document.addEventListener("click", (event) => {
    const one = event.target instanceof Element && event.target.closest(".board [data-shows], .own [data-shows]");
    if (!one) return;
    for (const old of document.querySelectorAll(".is-pinned")) old.classList.remove("is-pinned");
    for (const other of document.querySelectorAll(`[data-shown~="${CSS.escape(one.dataset.shows)}"]`))
      other.classList.add("is-pinned");
  });

  // The area of the offered places: small enough that a finger can hit each of them, if they are close together.
  function around(svg) {
    const spots = [...svg.querySelectorAll(".spot.can:not(.far)")].map((spot) => spot.getBBox());
    if (spots.length === 0) return "";
    const [, , w, h] = whole(svg);
    const margin = 2 * Math.max(...spots.map((spot) => spot.width));
    const left = Math.min(...spots.map((spot) => spot.x)) - margin;
    const right = Math.max(...spots.map((spot) => spot.x + spot.width)) + margin;
    const top = Math.min(...spots.map((spot) => spot.y)) - margin;
    const bottom = Math.max(...spots.map((spot) => spot.y + spot.height)) + margin;
    const width = Math.max(right - left, ((bottom - top) * w) / h, w / 2.5);
    if (width > w * 0.85) return "";
    const height = (width * h) / w;
    return `${(left + right - width) / 2} ${(top + bottom - height) / 2} ${width} ${height}`;
  }

  // If something new is offered in a pane that is hidden, show a pane that contains it (`.here`).
  function turnUp() {
    const offered = [...document.querySelectorAll(".board .spot.can > button")].map((one) => one.value).join();
    const pane = document.querySelector(".panes .here input");
    if (pane && offered !== near && !document.querySelector(".panes .here :checked")) pane.checked = true;
    near = offered;
  }

  // -- after every move -------------------------------------------------------------------------------------------

  function ready() {
    hush();
    const svg = map();
    for (const buttons of document.querySelectorAll(".board .zoom")) buttons.hidden = !svg;
    if (paned()) {
      turnUp();
      return;
    }
    const wanted = svg ? svg.dataset.near || around(svg) : "";
    if (wanted && wanted !== near && small()) {
      const [x, y, w, h] = wanted.split(" ").map(Number);
      box = { x, y, w, h };
    }
    near = wanted;
    show();
  }
  // After the window was turned: undo the zoom of a small screen, or zoom in.
  let was = small();
  addEventListener("resize", () => {
    if (small() !== was) {
      [was, box, near] = [!was, null, ""];
      ready();
    } else show();
  });
  document.getElementById("door-board")?.addEventListener("change", show);
  document.addEventListener("table:fresh", ready);
  ready();
})();
