import { onSessionEnd } from '@/api/client';
import { onLoginChange } from '@/api/storedLogin';
import { forgetChange } from '@/features/order/actions/lastChange';
import { paths } from '@/paths/staffPaths';
import { auth, useAuth } from '@/session/auth';
import { clearSession, onSessionCleared, watchSignOut } from '@/session/session';
import { notify } from '@/ui/notify';
import { queryClient } from './queryClient';
import { router } from './router';

/** Connects the app to the session, which the server and other tabs can end or replace. */
export function watchSession(): void {
  onSessionCleared(() => {
    queryClient.clear();
    forgetChange();
    void router.navigate(paths.signIn);
  });
  onSessionEnd((message) => {
    notify.error(message, { id: 'session-end' });
    clearSession();
  });
  watchSignOut();
  onLoginChange(() => {
    forgetChange();
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
