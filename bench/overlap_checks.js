// Checks of texts and of the board on a table's page: overlapping and hidden texts, words broken inside, covered places,
// labels that are too small, and nested scroll bars. Returns a list of faults, each "kind: description".
// Arguments: the helpers of layout_tools.js.
((tools) => {
  const { HEARD, label, shown, style, parents, clipping, covers, lines, drawn } = tools;
  const READABLE = 11; // minimum font size of a place's label in pixels
  const WIDE = 1024; // windows from this width must show all labels in readable size
  const LOW = 500; // windows up to this height scroll the page
  const faults = [];
  const told = new Set();
  const said = (kind, what) => {
    if (!told.has(`${kind}: ${what}`)) faults.push(`${kind}: ${what}`);
    told.add(`${kind}: ${what}`);
  };
  const board = document.querySelector(".board");
  const map = document.querySelector(".board > svg:not([data-still])");

  // Returns the element with the nearest name around it, so that a developer finds it.
  const place = (one) => {
    if (!one.getAttribute("class") && !one.textContent.trim() && one.tagName !== "use") return label(one); // it names its parent
    const around = one.parentElement?.closest("[id], [data-shown], [data-apart], section, details");
    if (one.textContent.trim().length < 3 && one.parentElement?.matches("g, span, i, b")) return `${label(one)} of ${label(one.parentElement)}`;
    const name = around && (around.id ? `#${around.id}` : (around.getAttribute("class") ?? around.tagName.toLowerCase()).split(" ")[0]);
    return `${label(one)}${name && !["#board", "#lm-sheet"].includes(name) ? ` in ${name}` : ""}`;
  };
  const inWindow = (x, y) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;

  const NAMED = "[role=button], [role=img], [tabindex], [data-tip], [data-enlarge], .spot > button"; // parts of a board
  const SPARE = ".recap > summary > b"; // visible only if no sentence fits in front of it

  // -- all visible texts, with the part of them that is visible ----------------------------------------------------
  const scroller = (one) => parents(one).find((at) => clipping(at).scrolls);
  const clip = (box, one, upTo) => {
    let { left, right, top, bottom } = box;
    for (const at of [one, ...parents(one)]) {
      if (at === upTo) break;
      const cut = clipping(at);
      if (cut.x) [left, right] = [Math.max(left, cut.box.left), Math.min(right, cut.box.right)];
      if (cut.y) [top, bottom] = [Math.max(top, cut.box.top), Math.min(bottom, cut.box.bottom)];
    }
    return { left, right, top, bottom, width: right - left, height: bottom - top };
  };
  const texts = [];
  const add = (line) => {
    if (!line.text) return;
    const within = scroller(line.holder);
    const part = clip(line.box, line.holder, within);
    const seen = clip(part, line.holder);
    if (part.width < 1 || part.height < 1) return;
    texts.push({ ...line, part, seen, within, visible: seen.width > 1 && seen.height > 1 });
  };
  const isUnseen = (one) => [one, ...parents(one)].some((at) => at instanceof HTMLElement && style(at).clipPath !== "none");
  const readable = (one) => !one.closest(`${HEARD}, option, style, script, title`) && shown(one) && !isUnseen(one);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) {
    const holder = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() && !(holder instanceof SVGElement) && readable(holder)) nodes.push(walker.currentNode);
  }
  for (const node of nodes) for (const line of lines(node, node.parentElement)) add(line);
  for (const one of document.querySelectorAll("svg text")) if (readable(one)) for (const line of drawn(one)) add(line);

  // `use` shows the texts of another drawing of this page, such as an inset of the map: a copy in its place is measured.
  for (const use of document.querySelectorAll("use[href^='#']")) {
    const target = document.getElementById(use.getAttribute("href").slice(1));
    if (!target?.querySelector("text") || target.closest("defs, symbol") || !shown(use) || use.closest(HEARD)) continue;
    const copy = document.createElementNS("http://www.w3.org/2000/svg", "g");
    copy.setAttribute("transform", `${use.getAttribute("transform") ?? ""} translate(${use.x.baseVal.value} ${use.y.baseVal.value})`);
    copy.append(target.cloneNode(true));
    use.after(copy);
    for (const text of copy.querySelectorAll("text"))
      if (readable(text)) for (const line of drawn(text)) add({ ...line, holder: use, source: text });
    copy.remove();
  }

  // -- what lies above a point ------------------------------------------------------------------------------------
  const open = document.querySelector("dialog[open]");
  // Returns all elements at a point, the uppermost first, with a drawn text for each of its parts.
  const stack = (x, y) => document.elementsFromPoint(x, y).map((at) => (at instanceof SVGElement && at.closest("text")) || at);
  const related = (one, other) => one === other || one.contains(other) || other.contains(one);
  // Returns the element that hides an element at a point, if there is one.
  const hiding = (one, x, y) => {
    if (!inWindow(x, y)) return null;
    const top = document.elementFromPoint(x, y);
    if (!top || top === one || one.contains(top)) return null;
    for (const at of stack(x, y)) {
      if (at === one || one.contains(at)) return null;
      if (at.contains(one)) {
        if (covers(at, x, y)) return null;
        continue;
      }
      if (covers(at, x, y)) return at;
    }
    return null;
  };
  // Scrolling reveals a text that lies under a bar outside of its scroller, or under a sticky one.
  const passing = (one, over) => {
    const within = scroller(one);
    if (!within) return false;
    if (!within.contains(over)) return true;
    for (let at = over; at && at !== within; at = at.parentElement)
      if (["sticky", "fixed"].includes(style(at).position)) return true;
    return false;
  };

  // -- two texts do not overlap -------------------------------------------------------------------------------------
  const apart = (a, b) => {
    for (const quad of [a, b])
      for (let n = 0; n < 4; n += 1) {
        const [from, to] = [quad[n], quad[(n + 1) % 4]];
        const [nx, ny] = [to.y - from.y, from.x - to.x];
        const length = Math.hypot(nx, ny) || 1;
        const along = (points) => points.map((at) => (at.x * nx + at.y * ny) / length);
        const [first, second] = [along(a), along(b)];
        const depth = Math.min(Math.max(...first), Math.max(...second)) - Math.max(Math.min(...first), Math.min(...second));
        if (depth < 1.5) return true;
      }
    return false;
  };
  const common = (a, b) => {
    const [first, second] = a.within === b.within ? [a.part, b.part] : [a.seen, b.seen];
    const left = Math.max(first.left, second.left);
    const top = Math.max(first.top, second.top);
    const [width, height] = [Math.min(first.right, second.right) - left, Math.min(first.bottom, second.bottom) - top];
    return { left, top, width, height, x: left + width / 2, y: top + height / 2 };
  };
  // Returns whether something opaque separates two texts, so that only one of them is seen.
  const parted = (a, b, { x, y }) => {
    if (!inWindow(x, y)) return false;
    const [one, other] = [a.holder, b.holder];
    const seen = stack(x, y);
    const upper = seen.find((at) => at === one || at === other || covers(at, x, y));
    if (!upper) return true;
    if (upper !== one && upper !== other) return !upper.contains(one) || !upper.contains(other);
    const lower = upper === one ? other : one;
    if (covers(upper, x, y)) return true;
    for (const at of seen.slice(seen.indexOf(upper) + 1)) {
      if (at === lower) return false;
      if (covers(at, x, y)) return !(at.contains(lower) && at.contains(upper));
    }
    return false;
  };
  texts.sort((a, b) => a.part.left - b.part.left);
  for (const [n, one] of texts.entries())
    for (let m = n + 1; m < texts.length && texts[m].part.left < one.part.right; m += 1) {
      const other = texts[m];
      if (one.holder === other.holder && one.source === other.source) continue;
      if (one.within !== other.within && !(one.visible && other.visible)) continue;
      const shared = common(one, other);
      const low = Math.min(one.part.height, other.part.height);
      if (shared.width < 1.5 || shared.height < Math.max(1.5, low * 0.15) || apart(one.quad, other.quad)) continue;
      if (parted(one, other, shared)) continue;
      const [first, second] = [one, other].map((at) => place(at.source ?? at.holder));
      said("overlap", `${first} and ${second} by ${Math.round(shared.width)}x${Math.round(shared.height)}${one.source ? ` in ${label(one.holder)}` : ""}`);
    }

  // Returns the panel on the board to which an element belongs: an HTML box with a ground, or a large drawn one. Pieces
  // and cards, which have names, are no panels.
  const panelOf = (over, one) => {
    if (related(over, one) || open?.contains(over)) return null;
    const drawing = one.closest("svg");
    if (over instanceof SVGElement && drawing?.contains(over)) {
      const size = over.getBoundingClientRect();
      return over.closest(NAMED) || over.tagName === "use" || size.width * size.height < 3000 ? null : over;
    }
    let panel = null;
    for (let at = over; at && !at.contains(one); at = at.parentElement) if (!(at instanceof SVGElement) && covers(at)) panel = at;
    return panel;
  };
  const words = (text) => text.replace(/\s+/g, " ").trim().toLocaleLowerCase();
  const names = words([...(board?.querySelectorAll("[aria-label], [data-tip]") ?? [])]
    .map((one) => `${one.getAttribute("aria-label") ?? ""} ${one.dataset.tip ?? ""}`)
    .join(" ")); // names of seas and lands without a place are only decoration
  const panels = new Map();
  const decorative = (one) =>
    map?.contains(one) && !one.closest("[aria-label]:not(svg, .board)") && /\p{L}{3}/u.test(one.textContent) && !names.includes(words(one.textContent));
  const lies = (panel, one) => {
    const named = one.closest("[aria-label]:not(svg, .board)");
    const name = (named?.getAttribute("aria-label") || one.textContent || label(one)).trim().replace(/\s+/g, " ");
    if (!panels.has(panel)) panels.set(panel, new Set());
    panels.get(panel).add(name.slice(0, 24));
  };

  // -- no text lies under something else ----------------------------------------------------------------------------
  // Returns whether a piece stands in the middle of a numbered space.
  const stands = (piece, space) => {
    const box = piece.getBoundingClientRect();
    const [x, y] = [box.left + box.right - space.left - space.right, box.top + box.bottom - space.top - space.bottom];
    return Math.hypot(x, y) / 2 < space.height / 2 && box.width > space.height;
  };
  for (const one of texts) {
    if (!one.visible || one.source || one.holder.closest(SPARE) || decorative(one.holder)) continue;
    const along = Math.max(3, Math.min(24, Math.round(one.box.width / 3)));
    const [a, b, c, d] = one.quad;
    let hidden = 0;
    let tried = 0;
    let over = null;
    for (let n = 0; n < along; n += 1)
      for (const down of [0.3, 0.7]) {
        const t = (n + 0.5) / along;
        const [x0, y0] = [a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t];
        const [x1, y1] = [d.x + (c.x - d.x) * t, d.y + (c.y - d.y) * t];
        const [x, y] = [x0 + (x1 - x0) * down, y0 + (y1 - y0) * down];
        if (x < one.seen.left + 1 || x > one.seen.right - 1 || y < one.seen.top + 1 || y > one.seen.bottom - 1 || !inWindow(x, y)) continue;
        tried += 1;
        const found = hiding(one.holder, x, y);
        if (!found) continue;
        hidden += 1;
        over ??= found;
      }
    const least = one.text.length > 2 ? 0.15 : 0.25; // the empty space around one letter is large
    if (!over || hidden / tried < least || passing(one.holder, over) || open?.contains(over)) continue;
    const panel = board?.contains(one.holder) && panelOf(over, one.holder);
    if (panel) lies(panel, one.holder);
    else if (one.text.length <= 3 && stands(over, one.box)) continue; // a piece on a numbered space, or on the last one
    else said("hidden", `${place(one.holder)} under ${place(over)}, ${Math.round((100 * hidden) / tried)}%`);
  }

  // -- drawn texts stay inside their frame ----------------------------------------------------------------------------
  for (const one of texts) {
    if (!(one.holder instanceof SVGElement) || one.source) continue;
    const [x, y] = [(one.box.left + one.box.right) / 2, (one.box.top + one.box.bottom) / 2];
    const groups = [one.holder.parentElement, one.holder.parentElement.parentElement].filter((at) => at.matches("g, svg"));
    const frames = groups.flatMap((at) => [...at.querySelectorAll(":scope > rect")])
      .map((rect) => ({ rect, box: rect.getBoundingClientRect() }))
      .filter(({ rect, box }) => covers(rect) && box.left <= x && x <= box.right && box.top <= y && y <= box.bottom)
      .sort((first, second) => first.box.width - second.box.width);
    const box = frames[0]?.box;
    if (!box || box.width < one.box.height) continue;
    if (one.box.left < box.left - 1.5 || one.box.right > box.right + 1.5)
      said("outside", `${place(one.holder)} out of ${label(frames[0].rect)} by ${Math.round(Math.max(box.left - one.box.left, one.box.right - box.right))} px`);
  }

  // -- no word is broken inside without a hyphen ----------------------------------------------------------------------
  const breaks = (node, word) => {
    const range = document.createRange();
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    if (new Set([...range.getClientRects()].map((line) => Math.round(line.top / 3))).size < 2) return -1;
    let before;
    for (let n = 0; n < word[0].length; n += 1) {
      range.setStart(node, word.index + n);
      range.setEnd(node, word.index + n + 1);
      const { top } = range.getBoundingClientRect();
      if (before !== undefined && top > before + 3) return n;
      before = top;
    }
    return -1;
  };
  for (const node of nodes) {
    const holder = node.parentElement;
    for (const word of node.data.matchAll(/[\p{L}\p{N}'’]{2,24}(?![\p{L}\p{N}])/gu)) {
      const at = breaks(node, word);
      if (at < 0 || (at === 1 && node.data[word.index - 1] === "\u00ad")) continue; // the hyphen counts as the first letter
      if (style(holder).hyphens === "auto") {
        const before = holder.style.hyphens;
        holder.style.hyphens = "manual";
        const plain = breaks(node, word);
        holder.style.hyphens = before;
        if (plain !== at) continue; // the browser had added a hyphen
      }
      const cut = `${word[0].slice(0, at)}/${word[0].slice(at)}`;
      said("broken", `${place(holder)} within a word: ${cut}`);
    }
  }

  // -- nothing covers the board's places, labels and pieces ------------------------------------------------------------
  if (board)
    for (const one of board.querySelectorAll(NAMED)) {
      if (!shown(one) || one.closest(".zoom")) continue;
      const outer = one.closest("svg")?.parentElement?.closest(".board") ?? one.closest(".board");
      const box = clip(one.getBoundingClientRect(), one);
      const area = outer.getBoundingClientRect();
      const whole = one.getBoundingClientRect();
      if (box.width * box.height < 0.4 * whole.width * whole.height) continue; // mostly beyond the edge of the map
      if (box.width < 4 || box.height < 4 || box.width * box.height > (area.width * area.height) / 4) continue;
      if (one.querySelector(NAMED)) continue; // its parts are measured
      let hidden = 0;
      let over = null;
      for (const right of [0.2, 0.5, 0.8])
        for (const down of [0.2, 0.5, 0.8]) {
          const [x, y] = [box.left + box.width * right, box.top + box.height * down];
          const found = hiding(one, x, y);
          const panel = found && !passing(one, found) ? panelOf(found, one) : null;
          if (!panel) continue;
          hidden += 1;
          over ??= panel;
        }
      if (hidden >= 3) lies(over, one);
    }
  for (const [panel, under] of panels) {
    const words = [...under].filter((name) => name.length > 2);
    const names = (words.length ? words : [...under]).map((name) => `"${name}"`);
    const more = names.length > 6 ? ` and ${names.length - 6} more` : "";
    said("covered", `${label(panel).slice(0, 50)} lies on ${names.slice(0, 6).join(", ")}${more}`);
  }

  // -- labels of places are readable ------------------------------------------------------------------------------------
  if (map) {
    const asked = words([...document.querySelectorAll("#question, #decision button.option, .player.me, .player.is-me")].map((one) => one.textContent).join(" "));
    for (const one of texts) {
      if (!one.visible || one.source || !map.contains(one.holder) || one.size >= READABLE - 0.05) continue;
      const name = words(one.text);
      if (!/\p{L}{3}/u.test(name) || !names.includes(name)) continue;
      if (innerWidth < WIDE && !asked.includes(name)) continue;
      said("tiny", `${place(one.holder)} ${one.size.toFixed(1)} px`);
    }
  }

  // -- the decision has one scroll bar; a low window also scrolls the page, for everything below the board -------------
  for (const one of document.querySelectorAll("#decide, #decide *, #advice, #advice *")) {
    if (!shown(one) || !clipping(one).scrolls) continue;
    const outer = parents(one).find((at) => at !== one && clipping(at).scrolls);
    if (outer && (innerHeight > LOW || outer.closest(".rail"))) said("nested", `${place(one)} scrolls inside of ${label(outer).split(" ")[0]}`);
  }
  return faults;
})
