// Tables of the board kit: enlarged cards, and the paths to places. Without this script a table can still be played
// and read.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const dialog = document.getElementById("enlarged");
  let shown = null;

  // -- enlarging: a card's face, by click, Enter or Space; arrows turn within its row -------------------------------

  function ready() {
    for (const face of document.querySelectorAll(".k-card[data-key] > .k-face")) {
      face.setAttribute("role", "button");
      face.setAttribute("aria-haspopup", "dialog");
      if (!face.hasAttribute("tabindex")) face.tabIndex = face.closest("[data-roves]") ? -1 : 0;
    }
  }

  function enlarge(card) {
    const copy = document.createElement("li");
    copy.append(...[...card.cloneNode(true).childNodes]);
    copy.className = card.className.replace(/\b(s|m|chip)\b/g, "").replace("k-card", "k-card l");
    for (const face of copy.querySelectorAll(".k-face"))
      for (const name of ["role", "tabindex", "aria-haspopup"]) face.removeAttribute(name);
    const row = document.createElement("ul");
    row.className = "k-row l";
    row.append(copy);
    shown = card;
    dialog.querySelector(".dlg").replaceChildren(row);
    if (!dialog.open) dialog.showModal();
  }

  function turn(by) {
    const group = shown.closest(".k-row, .news, .k-board") || document;
    const cards = [...group.querySelectorAll(".k-card[data-key]")];
    enlarge(cards[(cards.indexOf(shown) + by + cards.length) % cards.length]);
  }

  const faceOf = (event) => event.target instanceof Element && event.target.closest(".k-face[role=button]");

  document.addEventListener("click", (event) => {
    const face = faceOf(event);
    const way = event.target.closest("#enlarged [data-turn]");
    if (face) enlarge(face.closest(".k-card"));
    else if (way) turn(Number(way.dataset.turn));
    else if (event.target === dialog) dialog.close();
  });
  document.addEventListener("keydown", (event) => {
    const face = faceOf(event);
    if (dialog.open && (event.key === "ArrowLeft" || event.key === "ArrowRight"))
      turn(event.key === "ArrowLeft" ? -1 : 1);
    else if (face && (event.key === "Enter" || event.key === " ")) enlarge(face.closest(".k-card"));
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("close", () => {
    const face = shown && shown.querySelector(".k-face");
    if (face && document.contains(face)) face.focus();
  });

  // -- the path to a place, while the pointer is on it or on a card that names it -----------------------------------

  const drawn = (name, attributes, text = "") => {
    const one = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
    one.textContent = text;
    return one;
  };

  const at = (place) => place.getAttribute("transform").match(/-?[\d.]+/g);

  // The map contains for each place the number of the one before it on the path from the player's position.
  function wayTo(place) {
    const map = place.closest("svg");
    const before = (map.dataset.ways || "").split(" ");
    const places = [...map.querySelectorAll(".k-place")];
    const way = [place];
    for (let n = places.indexOf(place); before[n] && before[n] !== "-"; n = Number(before[n]))
      way.unshift(places[before[n]]);
    return way;
  }

  let led = null; // the event that shows the path
  function lead(event, on) {
    led = on ? event : null;
    const one = event.target instanceof Element && event.target.closest("[data-at], .k-place");
    if (!one) return;
    const place = one.dataset.at ? document.getElementById(one.dataset.at) : one;
    const route = place && place.closest("svg").querySelector(".k-route");
    if (!route) return;
    const way = on ? wayTo(place) : [];
    route.replaceChildren();
    if (way.length < 2) return;
    route.append(drawn("path", { d: `M${way.map((each) => at(each).join(" ")).join("L")}` }));
    for (const [n, each] of way.entries()) {
      if (n === 0) continue;
      const mark = drawn("g", { transform: `translate(${at(each).join(" ")})` });
      mark.append(drawn("circle", { r: 13 }), drawn("text", { y: 6 }, String(n)));
      route.append(mark);
    }
  }
  for (const [name, on] of [
    ["pointerover", true],
    ["pointerout", false],
    ["focusin", true],
    ["focusout", false],
  ])
    document.addEventListener(name, (event) => lead(event, on));
  document.addEventListener("table:put", () => led?.target.isConnected && lead(led, true)); // an update has removed it

  document.addEventListener("table:put", ready);
  ready();
})();
