// Short sounds, synthesized by the browser. Only pages of readers who have turned them on load this script.
"use strict";

(() => {
  let context = null;

  // Browsers play no sound before the reader has used the page.
  function ready() {
    const touched = !navigator.userActivation || navigator.userActivation.hasBeenActive;
    if (!("AudioContext" in window) || !touched) return null;
    if (!context) context = new AudioContext();
    if (context.state === "suspended") context.resume().catch(() => {});
    return context;
  }

  // Play one note: start, pitch, length, volume and waveform.
  function note(at, hertz, seconds, loud, type) {
    const audio = ready();
    if (!audio) return;
    const from = audio.currentTime + at;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = type;
    tone.frequency.setValueAtTime(hertz, from);
    volume.gain.setValueAtTime(0.0001, from);
    volume.gain.exponentialRampToValueAtTime(loud, from + 0.012);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + seconds);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + seconds + 0.02);
  }

  const cues = {
    turn: () => {
      note(0, 587, 0.22, 0.12, "sine");
      note(0.13, 880, 0.34, 0.12, "sine");
    },
    move: () => {
      note(0, 196, 0.07, 0.14, "triangle");
      note(0.018, 131, 0.09, 0.1, "triangle");
    },
    refusal: () => {
      note(0, 165, 0.14, 0.1, "triangle");
      note(0.12, 139, 0.2, 0.1, "triangle");
    },
    chat: () => note(0, 740, 0.16, 0.08, "sine"),
    low: () => [0, 0.25].forEach((at) => note(at, 988, 0.05, 0.08, "square")),
    end: () => [392, 494, 587, 784].forEach((hertz, n) => note(n * 0.14, hertz, 0.5, 0.1, "sine")),
  };

  // The facts about the table that have a sound.
  const heard = () => ({
    mine: Boolean(document.querySelector(".chip.turn")),
    over: document.body.classList.contains("over"),
    version: document.body.dataset.version,
    unread: Number((document.querySelector("[data-unread]") || { firstChild: { data: 0 } }).firstChild.data),
    notice: (document.querySelector("[role=alert]") || {}).textContent || "",
    pieces: [...document.querySelectorAll(".piece[id]")]
      .map((piece) => piece.id + piece.getAttribute("transform"))
      .join(),
  });

  const wants = (document.body.dataset.sounds || "").split(" ");
  let before = heard();

  // Play one sound for each change: the most important one.
  document.addEventListener("table:put", () => {
    const now = heard();
    if (wants.includes("chat") && now.unread > before.unread) cues.chat();
    if (!wants.includes("table")) {
      before = now;
      return;
    }
    if (now.notice && now.notice !== before.notice) cues.refusal();
    else if (now.over && !before.over) cues.end();
    else if (now.mine && !before.mine) cues.turn();
    else if (now.version !== before.version || now.pieces !== before.pieces) cues.move();
    before = now;
  });

  document.addEventListener("table:remind", () => {
    if (wants.includes("table") && heard().mine) cues.turn();
  });
  document.addEventListener("table:low", () => {
    if (wants.includes("clock")) cues.low();
  });

  for (const touch of ["pointerup", "keydown"]) document.addEventListener(touch, ready, { once: true });
})();
