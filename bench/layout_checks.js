// Checks the layout of a table's page and returns a list of faults, each "kind: description".
// Arguments: the helpers of layout_tools.js, whether the window is used by touch, and selectors of elements that must be visible.
((tools, touch, wanted) => {
  const { HEARD, label, shown, parents, clipping } = tools;
  const faults = [];
  const LEAST = touch ? 44 : 40; // minimum size of a target in pixels
  const SCROLLS = ".own, .k-row, [data-shelf]"; // elements that may scroll sideways
  const BOXES = "button, .btn, .option, .player, .chip, .k-card, .k-mark, .k-counter, .panes label, .tabbar label, td, th";

  const said = (kind, what) => faults.push(`${kind}: ${what}`);
  const lengths = (box) => `${Math.round(box.width)}x${Math.round(box.height)}`;

  // Returns whether the whole text can be read elsewhere: a tip or an accessible name contains it.
  const isNamed = (holder, text) => {
    const names = [holder, holder.parentElement, holder.closest("button, a, [data-tip], [aria-label]")].filter(Boolean);
    return names.some((one) => ["title", "data-tip", "aria-label"].some((at) => one.getAttribute(at)?.includes(text.trim())));
  };
  // Returns whether an element is for screen readers only.
  const isUnseen = (one) => [one, ...parents(one)].some((at) => at instanceof HTMLElement && getComputedStyle(at).clipPath !== "none");
  // Returns whether the text is the shortened preview of a folded text, which opens by a press on the preview.
  const isPreview = (holder, text) => {
    const summary = holder.closest("summary");
    const words = text.toLocaleLowerCase().match(/\p{L}+/gu) ?? [];
    const folded = summary ? [...summary.parentElement.children].filter((one) => one !== summary) : [];
    const whole = folded.map((one) => one.textContent.toLocaleLowerCase()).join(" ");
    return folded.length > 0 && words.filter((word) => whole.includes(word)).length >= words.length * 0.75;
  };

  // -- no element scrolls sideways -------------------------------------------------------------------------------
  for (const one of document.querySelectorAll("html, body, .frame, .shell, .shell *")) {
    if (one instanceof SVGElement || one.scrollWidth <= one.clientWidth + 1 || !one.clientWidth) continue;
    if (one.tagName !== "HTML" && !["auto", "scroll"].includes(getComputedStyle(one).overflowX)) continue;
    if (one.matches(SCROLLS) || one.closest(HEARD) || !shown(one)) continue;
    said("sideways", `${label(one)} ${one.scrollWidth} > ${one.clientWidth}`);
  }

  // -- no empty scrolling: elements for screen readers must not make the page higher -------------------------------
  const [frame, shell] = [".frame", ".shell"].map((at) => document.querySelector(at));
  if (frame && shell && frame.scrollHeight > Math.max(frame.clientHeight, shell.offsetHeight, shell.scrollHeight) + 1)
    said("empty", `.frame ${frame.scrollHeight} > ${shell.offsetHeight}`);

  // -- no text is clipped or larger than its box -------------------------------------------------------------------
  const map = document.querySelector(".board > svg:not([data-still])"); // the player can move the map freely
  const told = new Set();
  const once = (kind, one, how) => {
    if (told.has(one)) return;
    told.add(one);
    said(kind, `${label(one)} ${how}`);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const holder = text.parentElement;
    if (!text.data.trim() || holder.closest(`${HEARD}, option, style, script, title`) || !shown(holder)) continue;
    if (isUnseen(holder)) continue;
    const drawn = holder instanceof SVGElement;
    if (drawn && map?.contains(holder)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) continue;
    const slack = drawn ? 3 : 1.5;
    const leading = Math.max(3, box.height * 0.12); // letters are less high than their line
    const second = holder.closest(".digest, .naming"); // their second column is never visible
    if (second && box.left > second.getBoundingClientRect().right - 1) continue;
    const around = [holder, holder.parentElement].map((at) => getComputedStyle(at));
    const shortened = around.some((at) => at.textOverflow === "ellipsis");
    if (shortened && isNamed(holder, text.data)) continue;
    if ((shortened || around.some((at) => at.webkitLineClamp !== "none")) && isPreview(holder, text.data)) continue;
    let { top, bottom } = box;
    for (const at of [holder, ...parents(holder)]) {
      const cut = clipping(at);
      const shelf = at.matches(SCROLLS);
      if (cut.x && !shelf && (box.right > cut.box.right + slack || box.left < cut.box.left - slack))
        once("cut", holder, `at the side of ${label(at).split(" ")[0]}`);
      if (cut.y && cut.hides && (bottom > cut.box.bottom + leading || top < cut.box.top - leading))
        once("cut", holder, `by the height of ${label(at).split(" ")[0]}`);
      if (at.matches(BOXES) && (box.right > cut.box.right + 1 || bottom > cut.box.bottom + leading))
        once("spills", holder, `out of ${label(at).split(" ")[0]}`);
      if (cut.y) [top, bottom] = [Math.max(top, cut.box.top), Math.min(bottom, cut.box.bottom)]; // scrolling reveals the rest
      if (shelf || bottom - top < 1) break;
    }
    if (!drawn && getComputedStyle(holder).textOverflow === "ellipsis" && holder.scrollWidth > holder.clientWidth)
      once("cut", holder, `${holder.scrollWidth} > ${holder.clientWidth}`);
  }

  // -- the top bar contains its title ------------------------------------------------------------------------
  const bar = document.querySelector(".top")?.getBoundingClientRect();
  for (const one of document.querySelectorAll(".table .top :is(h1, .chip)")) {
    const box = one.getBoundingClientRect();
    if (shown(one) && (box.top < bar.top - 1 || box.bottom > bar.bottom + 1)) said("cut", `${label(one)} by the bar`);
  }

  // -- the first option and the foot of the decision are visible ---------------------------------------------------
  for (const selector of wanted) {
    const one = [...document.querySelectorAll(selector)].find(shown);
    if (!one) {
      said("unseen", `${selector} is not there`);
      continue;
    }
    const box = one.getBoundingClientRect();
    const inside = parents(one).every((at) => {
      const cut = clipping(at);
      return !cut.y || (box.top >= cut.box.top - 1 && box.bottom <= cut.box.bottom + 1);
    });
    const x = box.x + box.width / 2;
    const over = [box.top + Math.min(4, box.height / 4), box.top + box.height / 2, box.bottom - Math.min(4, box.height / 4)]
      .map((y) => document.elementFromPoint(x, y))
      .find((at) => !at || !(one.contains(at) || at.contains(one)));
    if (!inside || box.top < 0 || box.bottom > innerHeight + 1) said("unseen", `${label(one)} ends at ${Math.round(box.bottom)}`);
    else if (over) said("unseen", `${label(one)} lies under ${label(over)}`);
  }

  // -- targets are large enough ------------------------------------------------------------------------------------
  const enough = (one) => {
    const box = one.getBoundingClientRect();
    return box.width >= LEAST - 0.5 && box.height >= LEAST - 0.5;
  };
  const chosen = (value) => document.querySelector(`#decision .option[value="${CSS.escape(value)}"]`);
  const equal = (one) => {
    const said = one.value.split("; ");
    return said.map((_, n) => chosen(said.slice(0, said.length - n).join("; "))).find(Boolean); // the same option, or the first part of a chain
  };
  for (const one of document.querySelectorAll("button, a[href], summary, select, input:not([type=hidden]), [role=button]")) {
    if (one.closest(HEARD) || one.matches(":disabled, [aria-disabled]") || !shown(one) || enough(one)) continue;
    if (one.matches("input") && [...(one.labels ?? [])].some(enough)) continue;
    if (one.matches("input[type=range]")) continue; // its thumb moves along the whole input
    if (one.matches("a, .named") && one.closest("p, li, .why, .log, .k-steps")) continue; // part of a sentence
    if (one.matches("svg [role=button], [data-enlarge]:not([form])")) continue; // no option, only an enlargement
    if (one.form?.id === "decision" && !one.matches(".option") && equal(one) && enough(equal(one))) continue; // the form has a larger button for the same option
    said("small", `${lengths(one.getBoundingClientRect())} ${label(one)}`);
  }

  // -- neighbouring elements do not overlap ------------------------------------------------------------------------
  const apart = Map.groupBy([...document.querySelectorAll("[data-apart]")].filter(shown), (one) => one.dataset.apart);
  for (const [kind, all] of apart)
    for (const [n, one] of all.entries())
      for (const other of all.slice(n + 1)) {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 2 && high > 2) said("overlap", `${kind} ${label(one)} and ${label(other)} by ${Math.round(wide)}x${Math.round(high)}`);
      }
  const guide = document.querySelector(".guiding .guide");
  const board = document.querySelector(".board");
  if (guide && shown(guide) && board) {
    const [a, b] = [guide.getBoundingClientRect(), board.getBoundingClientRect()];
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2)
      said("overlap", `the guide lies on the board by ${lengths(a)}`);
  }
  return faults;
})
