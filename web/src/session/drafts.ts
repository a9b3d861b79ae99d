/** The forms whose drafts are stored, and what else is kept with them. */
export type DraftName =
  | 'api-key'
  | 'approval-note'
  | 'canned-text'
  | 'chargeback'
  | 'copied'
  | 'correction'
  | 'filing'
  | 'filing-claim'
  | 'give-orders'
  | 'member'
  | 'paper-reason'
  | 'phone-order'
  | 'portal-refusal'
  | 'recipient'
  | 'refund-mark'
  | 'remark'
  | 'saved-view'
  | 'transaction'
  | 'upload'
  | 'visa-reason'
  | 'whatsapp'
  | 'workload';

/** The subject of a draft: an order, a member, a part of an order. Empty: there is one form of the name. */
type About = number | string;

const PREFIX = 'visadesk.draft.';
/** Changes with the shape of the drafts: a new release must not read those of the one before. */
const FORMAT = 2;

// Browsers store no file in the session: it stays in memory, and survives an ended session, but no reload.
const files = new Map<string, File>();

// Drafts are stored per tab: they survive navigation, a reload and an ended session, and are removed
// with the tab. Each belongs to one member.
function place(name: DraftName, staffId: number, about: About): string {
  return `${PREFIX}${FORMAT}.${name}.${staffId}.${about}`;
}

/** The member's draft, or null. */
export function draftOf<Draft>(name: DraftName, staffId: number, about: About): Draft | null {
  const stored = sessionStorage.getItem(place(name, staffId, about));
  return stored === null ? null : (JSON.parse(stored) as Draft);
}

/** Stores a draft; null removes it. */
export function keepDraft(name: DraftName, staffId: number, about: About, draft: object | null) {
  const key = place(name, staffId, about);
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
