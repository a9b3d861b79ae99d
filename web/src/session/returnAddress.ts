import { now } from '@/ui/clock';

const KEY = 'visadesk.return';
const KEPT_MS = 15 * 60_000;
/** Only addresses of the staff area, with nothing that could lead elsewhere. */
const STAFF_ADDRESS = /^\/admin(?:[/?#][^\\]*)?$/;

interface Remembered {
  staffId: number;
  address: string;
  /** In milliseconds. */
  at: number;
}

/** Remembers the address at which the member's session ended, for the next sign-in of the same member in this tab. */
export function rememberAddress(staffId: number, address: string): void {
  const remembered: Remembered = { staffId, address, at: now().getTime() };
  sessionStorage.setItem(KEY, JSON.stringify(remembered));
}

/** Returns the remembered address of the member, once; null: there is none, or it is too old. */
export function takeAddress(staffId: number): string | null {
  const stored = sessionStorage.getItem(KEY);
  forgetAddress();
  if (stored === null) return null;
  const { staffId: owner, address, at } = JSON.parse(stored) as Remembered;
  const isRecent = now().getTime() - at < KEPT_MS;
  return owner === staffId && isRecent && STAFF_ADDRESS.test(address) ? address : null;
}

export function forgetAddress(): void {
  sessionStorage.removeItem(KEY);
}
