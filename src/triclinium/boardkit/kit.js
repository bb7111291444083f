// Groups of the board kit are one tab stop each: arrows go to the nearest member in that direction.
"use strict";

(() => {
  const STEEP = 0.5; // the cosine of 60 degrees: what lies farther aside is not in that direction
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const members = (group) => [...group.querySelectorAll("[data-rove]")];

  const middle = (node) => {
    const box = node.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };

  // The first of each group, or the one that was reached last, is where Tab stops.
  function stop() {
    for (const group of document.querySelectorAll("[data-roving]")) {
      const all = members(group);
      const at = all.find((one) => one === document.activeElement) || all.find((one) => one.tabIndex === 0) || all[0];
      for (const one of all) one.tabIndex = one === at ? 0 : -1;
    }
  }

  function nearest(all, from, [dx, dy]) {
    const [x, y] = middle(from);
    let best = null;
    let least = Infinity;
    for (const one of all) {
      const [u, v] = middle(one);
      const far = Math.hypot(u - x, v - y);
      if (one === from || !far || ((u - x) * dx + (v - y) * dy) / far < STEEP || far >= least) continue;
      best = one;
      least = far;
    }
    return best;
  }

  document.addEventListener("keydown", (event) => {
    const from = event.target.closest("[data-rove]");
    const group = from && from.closest("[data-roving]");
    if (!group || event.altKey || event.ctrlKey || event.metaKey) return;
    const all = members(group);
    const way = WAYS[event.key];
    const to = way ? nearest(all, from, way) : { Home: all[0], End: all[all.length - 1] }[event.key];
    if (way || to) event.preventDefault();
    if (!to) return;
    for (const one of all) one.tabIndex = one === to ? 0 : -1;
    to.focus();
  });

  document.addEventListener("table:put", stop);
  stop();
})();
