/** The forms about an order in which something may be begun and not saved. */
type Kind = 'remark' | 'chargeback' | 'transaction';

const PREFIX = 'visadesk.draft.';

// What is begun and not saved lies in the tab's own storage: it outlives the way to another order, a
// reload and a session that ended, and goes with the tab. It is its writer's alone.
function place(kind: Kind, staffId: number, orderId: number): string {
  return `${PREFIX}${kind}.${staffId}.${orderId}`;
}

/** What this member of staff has begun to write about the order, or null. */
export function draftOf<Draft>(kind: Kind, staffId: number, orderId: number): Draft | null {
  const stored = sessionStorage.getItem(place(kind, staffId, orderId));
  return stored === null ? null : (JSON.parse(stored) as Draft);
}

/** Keeps what was typed; null when there is nothing to keep. */
export function keepDraft(kind: Kind, staffId: number, orderId: number, draft: object | null) {
  const key = place(kind, staffId, orderId);
  if (draft === null) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(draft));
}

/** Drops what everybody has begun to write: whoever signs out leaves nothing behind. */
export function dropDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }
}
