// What a script can see of a page's looks. Each function returns a list of what is wrong, in words.
(() => {
  const shown = (one) => {
    const box = one.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const within = (box) => box.top >= -1 && box.bottom <= innerHeight + 1 && box.left >= -1 && box.right <= innerWidth + 1;
  const named = (one) => {
    const text = one.getAttribute("aria-label") || one.textContent || one.getAttribute("name") || one.getAttribute("href") || "";
    const kind = one.getAttribute("class") || "";
    return `${one.tagName.toLowerCase()}.${kind.trim().split(/\s+/).join(".")} "${text.trim().replace(/\s+/g, " ").slice(0, 40)}"`;
  };

  // -- colours --
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const mixed = new Map(); // what a colour came to: asking the canvas takes longest
  const rgba = (text) => {
    if (mixed.has(text)) return mixed.get(text);
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    mixed.set(text, [r, g, b, a / 255]);
    return mixed.get(text);
  };
  const over = (top, below) => {
    const a = top[3] + below[3] * (1 - top[3]);
    if (a === 0) return [0, 0, 0, 0];
    return [0, 1, 2].map((i) => (top[i] * top[3] + below[i] * below[3] * (1 - top[3])) / a).concat(a);
  };
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  // The paint of one element at a point: null where nothing can be told (pictures, gradients).
  let paints = new Map(); // by element, in the theme that is on
  const painted = (one) => {
    if (!paints.has(one)) paints.set(one, painting(one));
    return paints.get(one);
  };
  const painting = (one) => {
    const style = getComputedStyle(one);
    if (one instanceof SVGElement && one.tagName !== "svg" && one.tagName !== "foreignObject") {
      if (["image", "pattern"].includes(one.tagName)) return null;
      if (one.tagName === "use" && !one.closest(".seat")) return null;
      if (["g", "text", "tspan", "symbol"].includes(one.tagName) || style.fill === "none") return [0, 0, 0, 0];
      if (style.fill.startsWith("url")) return null;
      const paint = rgba(style.fill);
      return [...paint.slice(0, 3), paint[3] * style.fillOpacity];
    }
    if (style.backgroundImage !== "none") return null;
    return rgba(style.backgroundColor);
  };
  let clear = new Map(); // how much of an element is seen through all that it is in, likewise
  const through = (one) => {
    if (!(one instanceof Element)) return 1;
    if (!clear.has(one)) clear.set(one, getComputedStyle(one).opacity * through(one.parentElement));
    return clear.get(one);
  };
  // What lies behind a text, from the top down until it is opaque.
  const behind = (holder, there) => {
    let found = [0, 0, 0, 0];
    let below = false;
    const style = getComputedStyle(holder);
    if (holder instanceof SVGElement && style.paintOrder.startsWith("stroke") && style.stroke !== "none") return rgba(style.stroke);
    if (!there.includes(holder)) return null; // something cuts it off here
    for (const one of there) {
      if (!below && one !== holder && !one.contains(holder)) continue; // what covers it is a glow, a button's hit area
      below = true;
      if (one === holder && holder instanceof SVGElement) continue;
      const paint = painted(one);
      if (paint === null) return null;
      found = over(found, [...paint.slice(0, 3), paint[3] * (one.contains(holder) ? 1 : through(one))]);
      if (found[3] > 0.99) return found;
    }
    return over(found, rgba(getComputedStyle(document.documentElement).backgroundColor));
  };

  // The texts on the first screen, and all that lies where each stands, from the top down.
  let texts = null;
  const standing = () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { pointer-events: auto !important }");
    document.adoptedStyleSheets = [sheet];
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      const holder = text.parentElement;
      if (!text.data.trim() || !shown(holder) || holder.closest(".sr, [aria-disabled], :disabled, .skip, .refused, [hidden], .k-art")) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const box = range.getBoundingClientRect();
      if (!within(box) || box.width < 2) continue;
      const style = getComputedStyle(holder);
      const drawn = holder instanceof SVGElement;
      const size = parseFloat(style.fontSize) * (drawn ? holder.getScreenCTM().a : 1);
      const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
      const there = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      found.push({ holder, drawn, large, there });
    }
    document.adoptedStyleSheets = [];
    return found;
  };

  const met = new Set(); // what had the focus before
  const hues = new Map(); // the colour of the focus, by theme
  const focusHue = () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    if (!hues.has(dark)) {
      const hue = document.createElement("i");
      hue.style.color = "var(--focus)";
      document.body.append(hue);
      hues.set(dark, getComputedStyle(hue).color);
      hue.remove();
    }
    return hues.get(dark);
  };

  window.looks = {
    // Light and dark differ in colours alone: where texts stand, and what lies there, is looked at once.
    faint() {
      texts ??= standing();
      [paints, clear] = [new Map(), new Map()];
      const wrong = [];
      for (const { holder, drawn, large, there } of texts) {
        const back = behind(holder, there);
        if (back === null) continue;
        const style = getComputedStyle(holder);
        const ink = rgba(drawn ? style.fill : style.color);
        const seen = over([...ink.slice(0, 3), ink[3] * through(holder)], back);
        const found = contrast(seen, back);
        if (found < (large ? 3 : 4.5) - 0.05) wrong.push(`${found.toFixed(2)} ${named(holder)} ${seen.slice(0, 3).map(Math.round)} on ${back.slice(0, 3).map(Math.round)}`);
      }
      return wrong;
    },

    small(least) {
      const wrong = [];
      for (const one of document.querySelectorAll("button, a[href], summary, select, input:not([type=hidden]), [role=button]")) {
        if (!shown(one) || one.closest(".sr, .skip") || one.matches(":disabled, [aria-disabled]")) continue;
        const enough = (box) => box.width >= least - 0.5 && box.height >= least - 0.5;
        const box = one.getBoundingClientRect();
        if (enough(box)) continue;
        if (one.matches("input") && [...one.labels].some((label) => enough(label.getBoundingClientRect()))) continue;
        if (one.matches("a") && one.closest("p, li, .why, .log")) continue; // in a sentence
        if (one.matches("svg [role=button], [data-enlarge]:not([form])")) continue; // offers nothing: is looked at closer
        if (one.getAttribute("form") === "decision") {
          const same = document.querySelector(`#decision .option[value="${CSS.escape(one.value.split("; ")[0])}"]`);
          if (same && enough(same.getBoundingClientRect())) continue; // its equal in the form, or the first step of its way
        }
        wrong.push(`${Math.round(box.width)}x${Math.round(box.height)} ${named(one)}`);
      }
      return wrong;
    },

    unseen(selectors) {
      return selectors.filter((wanted) => {
        const found = [...document.querySelectorAll(wanted)].find(shown);
        if (!found) return true;
        const box = found.getBoundingClientRect();
        return box.top < 0 || box.top + Math.min(box.height, 40) > innerHeight;
      });
    },

    // What has the focus, preceded by what is wrong with it.
    focused() {
      const one = document.activeElement;
      if (one === document.body) return "";
      if (met.has(one)) return "again";
      met.add(one);
      const focus = focusHue();
      const rings = (at) => {
        const style = getComputedStyle(at);
        if (at instanceof SVGElement && [...at.querySelectorAll("*")].some((part) => getComputedStyle(part).stroke === focus)) return true;
        return (parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== "none") || style.boxShadow !== "none";
      };
      const label = one.matches("input") && one.closest("label");
      const lit = rings(one) || (label && rings(label));
      const held = (label || one).getBoundingClientRect();
      const inView = held.bottom > 0 && held.top < innerHeight && held.right > 0 && held.left < innerWidth;
      return `${lit ? "" : "no outline "}${inView ? "" : "out of view "}${named(one)}`;
    },

    // Where the parts of the first screen are.
    regions() {
      const found = {};
      for (const one of [".top", ".seats", ".told", ".board", ".scrub", ".own", ".decide", ".tabs", ".thumb"]) {
        const box = document.querySelector(one)?.getBoundingClientRect();
        if (box && box.top < innerHeight) found[one] = [box.left, box.top, box.width, box.height].map(Math.round);
      }
      return found;
    },
  };
})();
