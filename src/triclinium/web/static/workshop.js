// The workshop: checks an edition 300 ms after a change, filters tables of numbers, and follows a running study.
(() => {
  "use strict";
  const CHECK_DELAY = 300;
  const REFRESH_DELAY = 2000;

  const parse = (text) => new DOMParser().parseFromString(text, "text/html");

  // Replaces the parts of this page that differ in another copy of them. A field in use keeps its element.
  const replaceParts = (copy) => {
    for (const fresh of copy.querySelectorAll("[data-part]")) {
      const part = document.querySelector(`[data-part="${CSS.escape(fresh.dataset.part)}"]`);
      if (part && part.classList.contains("num-row")) replaceRow(part, fresh);
      else if (part && part.innerHTML !== fresh.innerHTML) part.replaceChildren(...fresh.childNodes);
    }
  };

  const replaceRow = (row, fresh) => {
    const input = row.querySelector("input");
    const freshInput = fresh.querySelector("input");
    for (const attribute of ["aria-invalid", "aria-describedby"]) {
      if (freshInput.hasAttribute(attribute)) input.setAttribute(attribute, freshInput.getAttribute(attribute));
      else input.removeAttribute(attribute);
    }
    row.className = fresh.className;
    freshInput.closest(".stepper").replaceWith(row.querySelector(".stepper"));
    row.replaceChildren(...fresh.childNodes);
  };

  const form = document.getElementById("edition");
  if (form) {
    let timer = 0;
    let latest = 0;
    const check = async () => {
      const number = ++latest;
      const focused = document.activeElement;
      const body = new FormData(form);
      // The answer has the rows that have a mark now, and those that may lose theirs.
      const marks = form.querySelectorAll(".num-row.changed, .num-row.bad, .num-row .counts-to");
      body.append("marked", [...marks].map((mark) => mark.closest(".num-row").id).join(" "));
      const answer = await fetch(form.dataset.check, { method: "POST", body });
      if (answer.status !== 200) return;
      const { playable, parts } = await answer.json();
      if (number !== latest) return;
      replaceParts(parse(parts));
      for (const button of document.querySelectorAll("[data-needs-playable]")) {
        button.title = playable ? "" : button.dataset.needsPlayable;
        if (playable) button.removeAttribute("aria-disabled");
        else button.setAttribute("aria-disabled", "true");
      }
      if (focused && focused.isConnected && document.activeElement !== focused) focused.focus();
    };
    const schedule = () => {
      clearTimeout(timer);
      timer = setTimeout(() => check().catch(() => {}), CHECK_DELAY);
    };
    form.addEventListener("input", (event) => {
      if (event.target.type === "search") return;
      addEventListener("beforeunload", warn);
      schedule();
    });
    const warn = (event) => event.preventDefault();
    form.addEventListener("submit", () => removeEventListener("beforeunload", warn));

    // A reset puts the printed number back without leaving the page.
    document.addEventListener("click", (event) => {
      const button = event.target.closest("button.reset");
      const blocked = event.target.closest("[aria-disabled=true]");
      if (blocked) event.preventDefault();
      if (!button) return;
      event.preventDefault();
      const all = button.value === "all";
      for (const input of form.querySelectorAll("input[data-printed]"))
        if (all || input.name === `n:${button.value}`) {
          input.value = input.dataset.printed;
          if (!all) input.focus();
        }
      addEventListener("beforeunload", warn);
      schedule();
    });

    const step = (event) => {
      const button = event.currentTarget;
      const input = button.parentElement.querySelector("input");
      if (button.dataset.step === "up") input.stepUp();
      else input.stepDown();
      input.dispatchEvent(new Event("input", { bubbles: true }));
    };
    for (const stepper of form.querySelectorAll(".stepper"))
      for (const [way, sign, place] of [["down", "−", "afterbegin"], ["up", "+", "beforeend"]]) {
        const button = document.createElement("button");
        button.type = "button";
        button.tabIndex = -1; // the arrow keys of the field do the same
        button.setAttribute("aria-hidden", "true");
        button.dataset.step = way;
        button.textContent = sign;
        button.addEventListener("click", step);
        stepper.insertAdjacentElement(place, button);
      }

    for (const search of form.querySelectorAll("input[data-filters]"))
      search.addEventListener("input", () => {
        const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
        for (const row of document.getElementById(search.dataset.filters).children) {
          const text = row.textContent.toLowerCase();
          row.hidden = !words.every((word) => text.includes(word));
        }
      });
    for (const search of form.querySelectorAll("input[data-filters]"))
      search.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
  }

  const study = document.querySelector("[data-refreshes]");
  if (study) {
    const refresh = async () => {
      const answer = await fetch(study.dataset.refreshes);
      if (answer.status === 200) {
        const page = parse(await answer.text());
        if (!page.querySelector("[data-refreshes]")) return location.reload();
        replaceParts(page);
      }
      setTimeout(() => refresh().catch(() => {}), REFRESH_DELAY);
    };
    setTimeout(() => refresh().catch(() => {}), REFRESH_DELAY);
  }
})();
