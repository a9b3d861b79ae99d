import { act, cleanup, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { App } from '@/app/App';
import { useAuth } from '@/session/auth';
import { queryClient } from '@/app/queryClient';
import { router } from '@/app/router';
import { storedLogin } from '@/api/storedLogin';

/** Opens the app at a URL. */
export async function openApp(url: string) {
  useAuth.setState({ isAuth: storedLogin() !== null });
  await act(() => router.navigate(url));
  render(<App />);
  return userEvent.setup();
}

/** Closes the app, as if the tab were closed. */
export function closeApp(): void {
  cleanup();
  queryClient.clear();
}

/** Goes to a URL within the app, or so many steps through the history. */
export function go(to: string | number): Promise<void> {
  return act(async () => (typeof to === 'string' ? router.navigate(to) : router.navigate(to)));
}

/** Refetches all queries of the screen. */
export function refetchAll(): Promise<void> {
  return act(() => queryClient.refetchQueries());
}

/** The current URL of the app. */
export function place(): string {
  const { pathname, search } = router.state.location;
  return pathname + search;
}
