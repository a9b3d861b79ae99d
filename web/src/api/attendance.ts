/** After this time without an act of a person, requests are the app's own. */
const ATTENDED_MS = 30_000;

/** The acts of a person. Assistive software may send a click or an input without a pointer or a key. */
const ACTS = ['click', 'focus', 'input', 'keydown', 'pointerdown', 'pointermove', 'wheel'] as const;

let lastAct = Date.now();

for (const act of ACTS) {
  const note = () => {
    lastAct = Date.now();
  };
  window.addEventListener(act, note, { capture: true, passive: true });
}

/** Returns true if a person is at the screen. The server does not count requests of an unattended screen as activity of the session. */
export function isAttended(): boolean {
  return Date.now() - lastAct < ATTENDED_MS;
}
