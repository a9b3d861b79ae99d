import { answer, api } from '@/api/client';
import { removeLogin, storedLogin } from '@/api/storedLogin';
import { auth } from './auth';
import { dropDrafts } from './drafts';
import { forgetAddress } from './returnAddress';

/** Changes when a member signs out, which other tabs notice. A session ended by the server leaves it alone. */
const SIGNED_OUT_AT = 'visadesk.signed-out-at';

let sessions = 0;

/** Counts the sessions that this tab has seen: what began in an earlier one is not reported in the next. */
export const sessionCount = () => sessions;

/** Notes that from now on another session counts: the last one ended, or another tab has replaced it. */
export function beginNextSession(): void {
  sessions += 1;
}

let afterSession = () => {};

/** Sets the app's reaction to a cleared session. */
export function onSessionCleared(listener: () => void): void {
  afterSession = listener;
}

/** Removes everything this browser keeps of the session. Drafts stay: they survive a 401. */
export function clearSession(): void {
  removeLogin();
  beginNextSession();
  auth.logout();
  afterSession();
}

/** Ends the session here and, if it can be reached, on the server. */
export function signOut(): void {
  const login = storedLogin();
  if (login) {
    const headers = { Authorization: login.accessToken };
    void answer(api.POST('/api/admin/sign-out', { headers })).catch(() => undefined);
  }
  localStorage.setItem(SIGNED_OUT_AT, new Date().toISOString());
  forgetMember();
  clearSession();
}

/** Removes what this tab keeps for the member's next sign-in. */
function forgetMember(): void {
  dropDrafts();
  forgetAddress();
}

/** Removes the drafts of this tab when the member signs out in another one. */
export function watchSignOut(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === SIGNED_OUT_AT) forgetMember();
  });
}
