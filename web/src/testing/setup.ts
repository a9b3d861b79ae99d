import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { auth } from '@/session/auth';
import { queryClient } from '@/app/queryClient';
import { watchSession } from '@/app/watchSession';
import { forgetChange } from '@/features/order/actions/lastChange';
import { useOrderTrail } from '@/features/order/orderTrail';
import { useShortcutSwitch } from '@/ui/shortcutSwitch';
import { server } from './server';

// Stubs for what jsdom lacks: layout, media queries, modal dialogs, popovers.
window.matchMedia = (media) =>
  Object.assign(new EventTarget(), { matches: false, media, onchange: null }) as MediaQueryList;
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
window.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
};

HTMLElement.prototype.showPopover = function showPopover() {
  this.style.display = 'block';
};
HTMLElement.prototype.hidePopover = function hidePopover() {
  this.style.display = '';
  this.dispatchEvent(Object.assign(new Event('toggle'), { newState: 'closed' }));
};

configure({ asyncUtilTimeout: 15_000 });

beforeAll(() => {
  server.listen({ onUnhandledFrame: 'error' });
  watchSession();
});
// All files share one window, which saves two thirds of the time: what a test leaves behind is removed here.
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  server.resetHandlers();
  queryClient.clear();
  localStorage.clear();
  sessionStorage.clear();
  auth.logout();
  useShortcutSwitch.setState(useShortcutSwitch.getInitialState());
  forgetChange();
  useOrderTrail.setState(useOrderTrail.getInitialState());
});
afterAll(() => server.close());
