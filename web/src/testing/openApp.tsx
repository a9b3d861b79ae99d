import { act, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { App } from '@/app/App';
import { useAuth } from '@/app/auth';
import { router } from '@/app/router';
import { watchSession } from '@/app/session';
import { storedLogin } from '@/api/storedLogin';

watchSession();

/** Opens the whole app at a URL, the way a browser would. */
export async function openApp(url: string) {
  useAuth.setState({ isAuth: storedLogin() !== null });
  await act(() => router.navigate(url));
  render(<App />);
  return userEvent.setup();
}

/** Where the app is now. */
export function place(): string {
  const { pathname, search } = router.state.location;
  return pathname + search;
}
