// Helpers of the layout checks: names of elements for messages, visibility, clipping, and painted text as quadrilaterals.
(() => {
  const HEARD = ".sr, .skip, [hidden], .zoom, template, dialog:not([open])"; // not text of the page for the eye

  const label = (one) => {
    const text = one.getAttribute("aria-label") || one.textContent || one.getAttribute("name") || one.getAttribute("href") || "";
    const kind = (one.getAttribute("class") || one.id || "").trim().split(/\s+/).slice(0, 2).join(".");
    const name = `${one.tagName.toLowerCase()}${kind && `.${kind}`}`;
    const parent = one.parentElement;
    if (!kind && !text.trim() && parent && parent.tagName !== "svg") return `${name} of ${label(parent)}`;
    return `${name} "${text.trim().replace(/\s+/g, " ").slice(0, 40)}"`;
  };
  const shown = (one) => {
    const box = one.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };

  const styles = new Map();
  const style = (one) => {
    if (!styles.has(one)) styles.set(one, getComputedStyle(one));
    return styles.get(one);
  };

  // Returns the ancestors that may clip an element. An absolutely positioned element skips some of them.
  const parents = (one) => {
    const found = [];
    for (let at = one; at && at !== document.body; ) {
      const placed = at instanceof HTMLElement && ["absolute", "fixed"].includes(style(at).position);
      at = placed ? at.offsetParent : at.parentElement;
      if (at) found.push(at);
    }
    return found.filter((at) => at !== document.body && at !== document.documentElement);
  };
  const clips = new Map();
  const clipping = (at) => {
    if (!clips.has(at)) {
      const { overflowX, overflowY, overflow } = style(at);
      const drawn = at instanceof SVGElement;
      const cuts = drawn ? at.tagName === "svg" && overflow !== "visible" : null;
      clips.set(at, {
        x: cuts ?? overflowX !== "visible",
        y: cuts ?? overflowY !== "visible",
        hides: drawn || overflowY === "hidden" || overflowY === "clip",
        scrolls: !drawn && /auto|scroll/.test(overflowY) && at.scrollHeight > at.clientHeight + 1,
        box: at.getBoundingClientRect(),
      });
    }
    return clips.get(at);
  };

  // Returns the opaque colour share of a CSS colour: 0 for `none` and `transparent`, 1 for an opaque colour or a pattern.
  const alpha = (colour) => {
    if (!colour || colour === "none" || colour === "transparent") return 0;
    const parts = colour.match(/[\d.]+%?/g) ?? [];
    const last = colour.includes("/") ? parts.at(-1) : colour.startsWith("rgba") ? parts[3] : "1";
    return last?.endsWith("%") ? parseFloat(last) / 100 : Number(last ?? 1);
  };
  const opacity = (one) => {
    let product = 1;
    for (let at = one; at; at = at.parentElement) product *= Number(style(at).opacity);
    return product;
  };
  // Returns whether a clone of a drawing of this page is painted at a point, which its transparent parts are not.
  const clonePaints = (use, x, y) => {
    const target = document.getElementById((use.getAttribute("href") ?? "").slice(1));
    const matrix = target && use.getScreenCTM();
    if (!matrix) return true;
    const at = DOMMatrix.fromMatrix(matrix).inverse().transformPoint({ x, y });
    const [left, top] = [at.x - use.x.baseVal.value, at.y - use.y.baseVal.value];
    const parts = target.matches("g, symbol") ? [...target.querySelectorAll("path, circle, rect, ellipse, polygon, use, image")] : [target];
    return parts.some((part) => {
      if (!covers(part)) return false;
      const box = part.getBBox();
      return left >= box.x && left <= box.x + box.width && top >= box.y && top <= box.y + box.height;
    });
  };
  // Returns whether an element is opaque, and at this point if one is given.
  const covers = (one, x, y) => {
    const { fill, fillOpacity, stroke, strokeOpacity, backgroundColor, backgroundImage } = style(one);
    if (opacity(one) < 0.5) return false;
    if (one instanceof SVGElement && one.tagName !== "svg") {
      if (["text", "tspan", "textPath", "g", "a", "foreignObject"].includes(one.tagName)) return false;
      if (one.tagName === "use") return x === undefined || clonePaints(one, x, y);
      if (one.tagName === "image") return true;
      return alpha(fill) * Number(fillOpacity) >= 0.5 || alpha(stroke) * Number(strokeOpacity) >= 0.5;
    }
    return ["IMG", "CANVAS", "VIDEO"].includes(one.tagName) || alpha(backgroundColor) >= 0.5 || backgroundImage.includes("url(");
  };

  // -- the ink of a text: its boxes without the empty space above and below the letters ----------------------------
  const pen = document.createElement("canvas").getContext("2d");
  const inks = new Map();
  const ink = (text, one) => {
    const { fontStyle, fontWeight, fontFamily } = style(one);
    const font = `${fontStyle} ${fontWeight} 100px ${fontFamily}`;
    const key = `${font} ${text}`;
    if (!inks.has(key)) {
      pen.font = font;
      const sizes = pen.measureText(text);
      const whole = sizes.fontBoundingBoxAscent + sizes.fontBoundingBoxDescent;
      inks.set(key, [
        (sizes.fontBoundingBoxAscent - sizes.actualBoundingBoxAscent) / whole,
        (sizes.fontBoundingBoxAscent + sizes.actualBoundingBoxDescent) / whole,
      ]);
    }
    return inks.get(key);
  };
  const bounds = (quad) => {
    const [xs, ys] = [quad.map((at) => at.x), quad.map((at) => at.y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    return { left, right, top, bottom, width: right - left, height: bottom - top };
  };
  const quadOf = ({ left, right, top, bottom }) => [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];

  // Yields the lines of an HTML text node.
  const lines = function* (node, holder) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const [high, low] = ink(node.data.trim(), holder);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      const quad = quadOf({ left: box.left, right: box.right, top: box.top + box.height * high, bottom: box.top + box.height * low });
      yield { holder, text: node.data.trim(), quad, box: bounds(quad), size: parseFloat(style(holder).fontSize) };
    }
  };

  // Yields the lines of an SVG text: letters in a row, or single letters where they are turned.
  const drawn = function* (text) {
    const matrix = text.getScreenCTM();
    const count = matrix ? text.getNumberOfChars() : 0;
    const letters = [...text.textContent.replace(/\s+/g, " ").trim()].join("");
    const size = parseFloat(style(text).fontSize) * Math.sqrt(Math.abs(matrix?.a * matrix?.d - matrix?.b * matrix?.c));
    const [high, low] = ink(letters, text);
    const turned = (point) => ({ x: matrix.a * point.x + matrix.c * point.y + matrix.e, y: matrix.b * point.x + matrix.d * point.y + matrix.f });
    let line = null;
    const close = function* () {
      if (!line || line.right - line.left < 0.5) return;
      const [top, bottom] = [line.top + (line.bottom - line.top) * high, line.top + (line.bottom - line.top) * low];
      const quad = quadOf({ left: line.left, right: line.right, top, bottom })
        .map((at) => {
          const [cos, sin] = [Math.cos(line.turn), Math.sin(line.turn)];
          const [x, y] = [at.x - line.x, at.y - line.y];
          return line.turn ? { x: line.x + x * cos - y * sin, y: line.y + x * sin + y * cos } : at;
        })
        .map(turned);
      yield { holder: text, text: letters, quad, box: bounds(quad), size };
    };
    for (let n = 0; n < count; n += 1) {
      const [box, turn] = [text.getExtentOfChar(n), (text.getRotationOfChar(n) * Math.PI) / 180];
      const [right, bottom] = [box.x + box.width, box.y + box.height];
      const follows = line && !turn && !line.turn && Math.abs(box.y - line.top) < 0.5 && Math.abs(box.x - line.right) < box.height / 2;
      if (follows) {
        line.right = right;
        continue;
      }
      yield* close();
      const start = text.getStartPositionOfChar(n);
      line = { left: turn ? start.x : box.x, right: turn ? start.x + text.getSubStringLength(n, 1) : right, top: box.y, bottom, turn, x: start.x, y: start.y };
      if (turn) [line.top, line.bottom] = [start.y - parseFloat(style(text).fontSize) * 0.9, start.y + parseFloat(style(text).fontSize) * 0.25];
    }
    yield* close();
  };

  return { HEARD, label, shown, style, parents, clipping, covers, lines, drawn };
})()
