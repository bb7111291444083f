// Keyboard control of the table: every group is one tab stop with arrow keys inside; numbers choose options, letters
// jump and act.
"use strict";

(() => {
  const body = document.body;
  const STOPS = "button:not(:disabled), a[href], summary, [tabindex]";
  const OFFERS = ".spot.can > button, button.choose.can";
  const FIELDS = "input:not([type=radio], [type=checkbox], [type=range]), select, textarea";
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const held = new WeakMap(); // the element of each group that the Tab key reaches

  // -- one tab stop for each group: [data-roves] --------------------------------------------------------------------

  const groupOf = (one) => one.closest("[data-roves]");

  const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0;

  // All stops of a group, visible or not. An open menu and a dialog have stops of their own.
  const stops = (group) =>
    [...group.querySelectorAll(STOPS)].filter((one) => groupOf(one) === group && !one.closest(".menu > div, dialog"));

  const things = (group) => stops(group).filter(seen);

  // Setting an attribute recomputes the style of its element, even if the value stays the same.
  const turn = (one, on) => {
    const index = on ? "0" : "-1";
    if (one.getAttribute("tabindex") !== index) one.setAttribute("tabindex", index);
  };

  function settle(group) {
    const all = stops(group);
    const wanted = [document.activeElement, held.get(group)].find((one) => all.includes(one) && seen(one));
    const stop = wanted || all.find((one) => one.matches(OFFERS) && seen(one)) || all.find(seen);
    for (const one of all) turn(one, one === stop);
    if (group.hasAttribute("tabindex")) turn(group, !stop);
    if (stop) held.set(group, stop);
  }

  const settleAll = () => document.querySelectorAll("[data-roves]").forEach(settle);
  addEventListener("resize", settleAll); // other elements become visible

  document.addEventListener("focusin", (event) => {
    const group = event.target instanceof Element && groupOf(event.target);
    if (group && group !== event.target && held.get(group) !== event.target) settle(group);
  });

  // Opening or turning something makes other elements reachable.
  for (const turn of ["toggle", "change"])
    document.addEventListener(
      turn,
      (event) => {
        const group = event.target instanceof Element && groupOf(event.target);
        if (group) settle(group);
      },
      true,
    );

  const middle = (one) => {
    const box = one.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, box };
  };

  // A thing under the button that offers it is the same place; the button describes both.
  function places(group) {
    const all = things(group).map((one) => ({ one, at: middle(one) }));
    const offers = all.filter(({ one }) => one.matches(".spot > button"));
    const covered = ({ one, at }) =>
      !one.matches(".spot > button") &&
      offers.some(
        ({ at: { box } }) => at.x > box.left && at.x < box.right && at.y > box.top && at.y < box.bottom,
      );
    return all.filter((place) => place.one === document.activeElement || !covered(place));
  }

  // The nearest element within 60 degrees of the arrow; if there is none, the nearest one on that side.
  function toward(group, [dx, dy]) {
    const from = middle(document.activeElement);
    let best = null;
    let least = Infinity;
    for (const { one, at } of places(group)) {
      const [x, y] = [at.x - from.x, at.y - from.y];
      const far = Math.hypot(x, y);
      const turned = far > 0 ? (x * dx + y * dy) / far : 0; // the cosine of the angle
      const cost = far + (turned < 0.5 ? 1e6 : 0);
      if (one === document.activeElement || turned < 0.05 || cost >= least) continue;
      best = one;
      least = cost;
    }
    return best;
  }

  // Arrow keys, Home and End within a group.
  function wander(group, key) {
    const all = key === "Home" || key === "End" ? places(group).map(({ one }) => one) : [];
    const to = WAYS[key] ? toward(group, WAYS[key]) : key === "Home" ? all[0] : all.at(-1);
    if (to) to.focus();
  }

  const label = (one) =>
    (one.getAttribute("aria-label") || one.dataset.tip || one.textContent || "").trim().toLowerCase();

  // Type-ahead: the letters typed within a second are the beginning of a name, or of a word in it.
  let typed = "";
  let pause = 0;
  function lookFor(group, letter) {
    clearTimeout(pause);
    pause = setTimeout(() => (typed = ""), 1000);
    typed += letter.toLowerCase();
    const all = places(group).map(({ one }) => one);
    const at = all.indexOf(document.activeElement) + (typed.length === 1 ? 1 : 0);
    const turn = [...all.slice(at), ...all.slice(0, at)];
    const found = turn.find((one) => label(one).startsWith(typed)) || turn.find((one) => label(one).includes(` ${typed}`));
    if (found) found.focus();
    else typed = "";
    return Boolean(found);
  }

  // -- number keys choose options -----------------------------------------------------------------------------------

  let nine = 0; // the number of options before those that have number keys now
  const options = () => [...document.querySelectorAll("#decision button.option:not([hidden])")];

  function number() {
    for (const field of document.querySelectorAll("#decision [data-sifts]")) field.hidden = false;
    options().forEach((one, n) => {
      const key = one.querySelector("kbd");
      if (key) key.hidden = n < nine || n >= nine + 9;
    });
  }

  function choose(digit) {
    const all = options();
    if (digit > 0) {
      const one = all[nine + digit - 1];
      const fold = one && one.closest("details:not([open])");
      if (fold) {
        fold.open = true; // open it first if it is folded
        one.focus();
      } else if (one) one.click();
      return;
    }
    nine = nine + 9 < all.length ? nine + 9 : 0;
    number();
    if (all[nine]) all[nine].scrollIntoView({ block: "nearest" });
  }

  // If there are many options, show those that match the typed text; Enter goes to the first of them.
  // Accents do not matter, and neither does the kind of apostrophe.
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("’", "'").toLowerCase();

  const SIFTED = { options: "#decision .k-offers .option", log: "#log > ol > li" };

  function sift(field) {
    const wanted = plain(field.value.trim());
    for (const one of document.querySelectorAll(SIFTED[field.dataset.sifts])) {
      const said = one.querySelector(":scope > kbd ~ span") || one;
      one.hidden = !plain(said.textContent).includes(wanted);
    }
    field.parentElement.classList.toggle("sifted", wanted !== "");
    nine = 0;
    number();
  }

  document.addEventListener("input", (event) => event.target.matches("[data-sifts]") && sift(event.target));
  document.addEventListener("keydown", (event) => {
    const field = event.target;
    if (!field.matches("[data-sifts]") || event.isComposing) return;
    if (event.key === "Escape") {
      field.value = "";
      sift(field);
      go("d");
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (field.dataset.sifts === "options" && options()[0]) options()[0].focus();
    }
  });

  // -- letter keys jump and act -------------------------------------------------------------------------------------

  const GOES = { d: "#question, #result", b: "#board", m: "#own", s: "#seats", l: "#log", c: "#say" };
  const TABS = {
    d: ["door-decide"],
    b: ["door-board"],
    m: ["door-mine"],
    l: ["tab-log", "door-log"],
    c: ["tab-chat", "door-chat"],
    score: ["tab-score", "door-score"],
  };

  // Before a key jumps to an element, open the tab, or the sheet of a phone, that contains it.
  function open(name) {
    for (const id of TABS[name] || []) {
      const one = document.getElementById(id);
      if (one) one.checked = true;
    }
  }

  function go(letter) {
    open(letter);
    const place = document.querySelector(GOES[letter]) || (letter === "c" && document.querySelector(".says"));
    if (!place) return;
    if (place.matches("[data-roves]")) settle(place);
    const to = held.get(place);
    if (to && place.contains(to)) to.focus();
    else {
      if (!place.matches(`${FIELDS}, [tabindex]`)) place.tabIndex = -1;
      place.focus();
    }
  }

  // A press on a seat's points opens the score sheet and highlights the column of this seat.
  document.addEventListener("click", (event) => {
    const one = event.target instanceof Element && event.target.closest("[data-score]");
    if (!one) return;
    open("score");
    const tabs = document.getElementById("talk");
    tabs.dataset.scored = one.dataset.score;
    tabs.querySelector(".pane.score").scrollIntoView({ block: "nearest" });
  });

  const say = (text) => (document.getElementById("announcement").textContent = text);

  // The reason of the focused refusal, or of the next one in the decision.
  function whyNot() {
    const now = document.activeElement;
    if (now.matches("[aria-disabled]")) {
      say(now.getAttribute("aria-label"));
      return;
    }
    const all = [...document.querySelectorAll("#decision .refused")];
    const one = all[(all.indexOf(now.closest("#decision .refused")) + 1) % all.length];
    if (!one) return;
    one.closest("details").open = true;
    one.querySelector("a").focus();
    say(one.textContent);
  }

  // The rule that the focused element names, or the rules.
  function rule() {
    const now = document.activeElement;
    const around = now.closest("li") || (now.id === "question" && now.closest(".decide").querySelector(".k-steps")) || now;
    const link = around.querySelector('a[href^="/rules/"]');
    const named = /\(([A-Z]+-[\w.]+)\)/.exec(now.getAttribute("aria-label") || now.dataset.tip || "");
    if (link && now !== body) link.click();
    else location.assign(`/rules/${body.dataset.game}${named ? `#${named[1].toLowerCase()}` : ""}`);
  }

  // The search field above many options, or the one above the log.
  function search() {
    let field = document.querySelector("#decision [data-sifts]");
    if (!field) {
      go("l");
      field = document.querySelector("#log [data-sifts]");
    }
    if (!field) return;
    field.hidden = false;
    field.focus();
  }

  // A button declares its own letter in aria-keyshortcuts.
  function press(letter) {
    const button = document.querySelector(`[aria-keyshortcuts="${letter}"]`);
    if (button) button.click();
  }

  const listed = document.getElementById("keys");
  const letters = {
    w: whyNot,
    r: rule,
    n: () => location.assign(`/next-table?after=${body.dataset.table}`),
    u: () => press("u"),
    h: () => press("h"),
    "/": search,
    "?": () => listed.showModal(),
  };
  for (const letter of Object.keys(GOES)) letters[letter] = () => go(letter);

  // Go back: from a menu, from an option to be confirmed, or from anywhere to the decision.
  function back() {
    const menu = document.querySelector("details.menu[open]");
    const change = document.querySelector("#decision .confirm a");
    if (menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
    } else if (change) change.click();
    else if (groupOf(document.activeElement)) go("d");
  }

  // The time machine, from every element that has no arrow keys of its own.
  function step(key) {
    const rel = { ArrowLeft: "prev", ArrowRight: "next" }[key];
    const link = rel && body.classList.contains("past") && document.querySelector(`.scrub a[rel=${rel}]`);
    if (link) link.click();
  }

  const arrows = (key) => key in WAYS || key === "Home" || key === "End";

  // Return the function of a key here, or undefined if the key belongs to the browser.
  function meant(key, group) {
    if (group && arrows(key)) return () => wander(group, key);
    if (arrows(key)) return document.activeElement.matches("input") ? undefined : () => step(key);
    if (key === "Escape") return back;
    if (group && group.id === "board" && /^\p{L}$/u.test(key) && lookFor(group, key)) return () => {};
    if (body.dataset.keys === "off") return undefined;
    if (/^\d$/.test(key)) return () => choose(Number(key));
    return letters[key.toLowerCase()];
  }

  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    if (document.hidden || target.closest(FIELDS) || document.querySelector("dialog[open]")) return;
    const group = target === groupOf(target) && things(target).length ? null : groupOf(target);
    const does = meant(key, group);
    if (!does) return;
    if (group || !arrows(key)) event.preventDefault();
    does();
  });

  // The help card opens from the bar and the menu; without script they lead to its page.
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-lists]")) {
      event.preventDefault();
      if (!listed.open) listed.showModal();
    }
    const skip = event.target.closest("[data-goes]");
    if (!skip) return;
    event.preventDefault();
    go(skip.dataset.goes);
  });

  // Scroll to an element that was unfolded in the decision: on a phone it opens below the edge of the sheet.
  document.addEventListener("click", (event) => {
    const fold = event.target.closest("#decision summary")?.parentElement;
    if (fold) requestAnimationFrame(() => fold.open && fold.scrollIntoView({ block: "nearest" }));
  });

  // -- the focus after every update ---------------------------------------------------------------------------------

  let byKey = false;
  document.addEventListener("keydown", () => (byKey = true), true);
  document.addEventListener("pointerdown", () => (byKey = false), true);

  let wasOver = body.classList.contains("over");
  function told({ acted, moved, lost }) {
    const over = body.classList.contains("over");
    const ended = over && !wasOver;
    wasOver = over;
    const result = document.getElementById("result");
    const confirm = document.querySelector("#decision .confirm .primary");
    if (ended && result) {
      if (document.activeElement.closest(FIELDS)) say(result.textContent);
      else result.focus();
    } else if (acted && confirm) confirm.focus();
    else if (moved || lost) {
      open("d");
      const asked = document.getElementById("question") || result;
      asked.focus({ preventScroll: !byKey });
      // A reader who has scrolled to the last answer sees the next question from its beginning; the page does not
      // scroll.
      const sheet = moved && asked.closest(".rail.asks");
      for (let box = asked; sheet && sheet.contains(box); box = box.parentElement) box.scrollTop = 0;
    }
  }

  document.addEventListener("table:put", (event) => {
    nine = 0;
    settleAll();
    number();
    told(event.detail);
  });
  settleAll();
  number();
  // on the page that confirms an option, Enter confirms and Esc changes
  const chosen = document.querySelector("#decision .confirm .primary");
  if (chosen) chosen.focus();
})();
