/** A remark that is being written. */
export interface RemarkDraft {
  remark: string;
  whatsapp: boolean;
  telephone: boolean;
  refund: boolean;
  voided: boolean;
  chargeback: boolean;
}

export const NO_REMARK: RemarkDraft = {
  remark: '',
  whatsapp: false,
  telephone: false,
  refund: false,
  voided: false,
  chargeback: false,
};

const PREFIX = 'visadesk.remark.';

// Remarks begun and not saved lie in the tab's own storage: they outlive the way to another order, a
// reload and a session that ended, and go with the tab. They are their writer's alone.
function place(staffId: number, orderId: number): string {
  return `${PREFIX}${staffId}.${orderId}`;
}

/** What this member of staff has begun to write about the order. */
export function draftOf(staffId: number, orderId: number): RemarkDraft {
  const stored = sessionStorage.getItem(place(staffId, orderId));
  return stored === null ? NO_REMARK : { ...NO_REMARK, ...(JSON.parse(stored) as RemarkDraft) };
}

export function keepDraft(staffId: number, orderId: number, draft: RemarkDraft): void {
  const isEmpty = Object.values(draft).every((value) => !value);
  if (isEmpty) sessionStorage.removeItem(place(staffId, orderId));
  else sessionStorage.setItem(place(staffId, orderId), JSON.stringify(draft));
}

/** Drops what everybody has begun to write: whoever signs out leaves nothing behind. */
export function dropDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }
}
