/** The forms of an order that keep drafts. */
type Kind = 'remark' | 'chargeback' | 'transaction' | 'filing' | 'copied';

const PREFIX = 'visadesk.draft.';

// Drafts are stored per tab: they survive navigation, a reload and an ended session, and are removed
// with the tab. Each belongs to one member.
function place(kind: Kind, staffId: number, orderId: number): string {
  return `${PREFIX}${kind}.${staffId}.${orderId}`;
}

/** The member's draft for the order, or null. */
export function draftOf<Draft>(kind: Kind, staffId: number, orderId: number): Draft | null {
  const stored = sessionStorage.getItem(place(kind, staffId, orderId));
  return stored === null ? null : (JSON.parse(stored) as Draft);
}

/** Stores a draft; null removes it. */
export function keepDraft(kind: Kind, staffId: number, orderId: number, draft: object | null) {
  const key = place(kind, staffId, orderId);
  if (draft === null) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(draft));
}

/** Removes all drafts of this tab. */
export function dropDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }
}
