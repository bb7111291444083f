// A rule's number opens the rule in place; without this script it leads to the rules, which have a link back.
"use strict";
(() => {
  const place = (link) => link.closest("li, p, dd, td, .pop, .confirm") || link.parentElement;

  const close = (box, back) => {
    const link = document.querySelector(`a[aria-controls="${box.id}"]`);
    box.remove();
    if (!link) return;
    link.removeAttribute("aria-controls");
    link.setAttribute("aria-expanded", "false");
    if (back) link.focus();
  };

  const open = async (link) => {
    const [path, number] = new URL(link.href).href.split("#");
    const answer = await fetch(`${path}/rule/${number}?part=on`);
    if (!answer.ok) throw new Error(answer.statusText);
    const box = document.createElement("div");
    box.className = "ruled";
    box.id = `ruled-${number}-${Date.now()}`;
    box.tabIndex = -1;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", link.textContent.trim());
    box.innerHTML = await answer.text();
    link.setAttribute("aria-controls", box.id);
    link.setAttribute("aria-expanded", "true");
    place(link).append(box);
    box.focus({ preventScroll: true });
    box.scrollIntoView({ block: "nearest" });
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest('a[href^="/rules/"][href*="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || link.closest(".ruled")) return;
    event.preventDefault();
    const shown = document.getElementById(link.getAttribute("aria-controls"));
    if (shown) close(shown, true);
    else open(link).catch(() => location.assign(link.href));
  });

  document.addEventListener(
    "keydown",
    (event) => {
      const box = event.key === "Escape" && event.target.closest && event.target.closest(".ruled");
      if (!box) return;
      event.stopPropagation();
      event.preventDefault();
      close(box, true);
    },
    true,
  );
})();
