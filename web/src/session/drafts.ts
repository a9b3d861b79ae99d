/** The forms of an order that keep drafts. */
type Kind = 'remark' | 'chargeback' | 'transaction' | 'filing' | 'copied' | 'recipient' | 'upload';

const PREFIX = 'visadesk.draft.';

// Browsers store no file in the session: it stays in memory, and survives an ended session, but no reload.
const files = new Map<string, File>();

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

/** The file that the member chose for the order and has not sent, or null. */
export function chosenFileOf(staffId: number, orderId: number): File | null {
  return files.get(place('upload', staffId, orderId)) ?? null;
}

/** Keeps a chosen file until it is sent; null removes it. */
export function keepChosenFile(staffId: number, orderId: number, file: File | null): void {
  const key = place('upload', staffId, orderId);
  if (file === null) files.delete(key);
  else files.set(key, file);
}

/** Removes all drafts of this tab. */
export function dropDrafts(): void {
  files.clear();
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }
}
