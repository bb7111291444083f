// The script of a wall and of a hand: the screen stays on, a phone vibrates when its player is asked, and a wall fills
// its screen and goes dark when its table is no longer shown to it.
"use strict";

(() => {
  const body = document.body;

  // A screen that shows a match must not go to sleep. The browser gives the lock back whenever the page is hidden.
  async function keep_awake() {
    try {
      await navigator.wakeLock?.request("screen");
    } catch (error) {
      // refused, for instance while the battery is low
    }
  }
  keep_awake();
  document.addEventListener("visibilitychange", () => document.hidden || keep_awake());

  // A wall has the layout of one size, magnified to the size of the screen. An upright screen has a narrower one.
  const [WIDTH, HEIGHT, UPRIGHT_WIDTH] = [1440, 810, 720];
  function fit() {
    const upright = innerHeight > innerWidth;
    document.documentElement.style.zoom = upright ? innerWidth / UPRIGHT_WIDTH : Math.min(innerWidth / WIDTH, innerHeight / HEIGHT);
  }
  if (body.matches(".wall")) {
    fit();
    addEventListener("resize", fit);
  }

  let asked = document.querySelector("#decision") !== null;
  document.addEventListener("table:put", () => {
    const now = document.querySelector("#decision") !== null;
    // Browsers refuse to vibrate before the first tap.
    if (now && !asked && !body.classList.contains("wall") && navigator.userActivation?.hasBeenActive)
      navigator.vibrate?.(200);
    asked = now;
  });

  document.addEventListener("table:hidden", () => {
    if (!body.dataset.hidden) return;
    const sentence = document.createElement("p");
    sentence.textContent = body.dataset.hidden;
    body.className = "wall is-dark";
    body.replaceChildren(sentence);
  });
})();
