import { answer, api, onSessionEnd } from '@/api/client';
import { onLoginChange, removeLogin, storedLogin } from '@/api/storedLogin';
import { dropDrafts } from '@/features/order/detail/drafts';
import { notify } from '@/ui/notify';
import { auth, useAuth } from './auth';
import { paths } from './paths';
import { queryClient } from './queryClient';
import { router } from './router';

/** Ends the session here and, as far as it can be reached, on the server. */
export function signOut(): void {
  const login = storedLogin();
  if (login) {
    const headers = { Authorization: login.accessToken };
    void answer(api.POST('/api/admin/sign-out', { headers })).catch(() => undefined);
  }
  dropDrafts();
  forget();
}

function forget(): void {
  removeLogin();
  auth.logout();
  queryClient.clear();
  void router.navigate(paths.signIn);
}

/** Follows what ends or changes the session from outside: the server, or another tab. */
export function watchSession(): void {
  onSessionEnd((message) => {
    notify.error(message, { id: 'session-end' });
    forget();
  });
  onLoginChange(() => {
    queryClient.clear();
    auth.logout();
    if (storedLogin()) useAuth.setState({ isAuth: true });
  });
}
