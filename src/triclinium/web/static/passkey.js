// Passkeys: the device creates a key for this server, or proves that it has one. Without script, use the recovery
// phrase.
"use strict";

(() => {
  if (!window.isSecureContext || !window.PublicKeyCredential) return;

  const bytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replace(/\+/g, "-")
      .replace(/\//g, "_")
      .replace(/=+$/, "");

  async function post(path, body) {
    const answer = await fetch(`/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body || {}),
    });
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.message);
    return told;
  }

  // The result of the passkey as JSON, with every buffer as text.
  function told(key) {
    const response = {};
    for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"])
      if (key.response[name]) response[name] = text(key.response[name]);
    return { id: key.id, rawId: text(key.rawId), type: key.type, response };
  }

  async function make() {
    const asked = await post("/me/passkeys/options");
    const challenge = asked.challenge;
    asked.challenge = bytes(challenge);
    asked.user.id = bytes(asked.user.id);
    for (const known of asked.excludeCredentials || []) known.id = bytes(known.id);
    const key = await navigator.credentials.create({ publicKey: asked });
    await post("/me/passkeys", { challenge, credential: told(key) });
    location.reload();
  }

  async function use() {
    const asked = await post("/passkeys/options");
    const challenge = asked.challenge;
    asked.challenge = bytes(challenge);
    const key = await navigator.credentials.get({ publicKey: asked });
    await post("/passkeys", { challenge, credential: told(key) });
    location.assign("/");
  }

  for (const needs of document.querySelectorAll("[data-passkey-needs]")) needs.hidden = true;
  for (const box of document.querySelectorAll("[data-passkey-box]")) box.hidden = false;
  for (const button of document.querySelectorAll("[data-passkey]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const place = document.querySelector("[data-passkey-told]");
      try {
        await (button.dataset.passkey === "make" ? make() : use());
      } catch (error) {
        place.textContent = error.name === "Error" ? error.message : place.dataset.failed;
      }
    });
  }
})();
