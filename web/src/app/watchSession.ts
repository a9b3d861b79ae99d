import { onSessionEnd } from '@/api/client';
import { onLoginChange } from '@/api/storedLogin';
import { forgetChange } from '@/features/order/actions/lastChange';
import { paths } from '@/paths/staffPaths';
import { auth } from '@/session/auth';
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
    queryClient.clear();
    forgetChange();
    auth.loginReplaced();
  });
}
