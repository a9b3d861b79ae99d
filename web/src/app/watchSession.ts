import { onSessionEnd } from '@/api/client';
import { onLoginChange, storedLogin } from '@/api/storedLogin';
import { forgetChange } from '@/features/order/actions/lastChange';
import { forgetRecentOrders } from '@/features/order/recentOrders';
import { paths } from '@/paths/staffPaths';
import { auth, useAuth } from '@/session/auth';
import { rememberAddress } from '@/session/returnAddress';
import { beginNextSession, clearSession, onSessionCleared, watchSignOut } from '@/session/session';
import { notify } from '@/ui/notify';
import { queryClient } from './queryClient';
import { router } from './router';

/** Connects the app to the session, which the server and other tabs can end or replace. */
export function watchSession(): void {
  onSessionCleared(() => {
    queryClient.clear();
    forgetActs();
    void router.navigate(paths.signIn);
  });
  onSessionEnd((message) => {
    const staffId = storedLogin()?.user.id;
    const { pathname, search, hash } = router.state.location;
    if (staffId !== undefined) rememberAddress(staffId, pathname + search + hash);
    clearSession();
    notify.error(message, { id: 'session-end' });
  });
  watchSignOut();
  onLoginChange(() => {
    beginNextSession();
    forgetActs();
    auth.loginReplaced();
    if (!useAuth.getState().isAuth) {
      queryClient.clear();
      return;
    }
    // Calls carry the new login from now on: no screen may go on showing the member before. The sign-in leads to the dashboard.
    void queryClient.resetQueries();
    void router.revalidate();
  });
}

/** Forgets what the member could still answer or undo. */
function forgetActs(): void {
  forgetChange();
  forgetRecentOrders();
  notify.closeAll();
}
