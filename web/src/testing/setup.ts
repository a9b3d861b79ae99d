import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { auth } from '@/session/auth';
import { queryClient } from '@/app/queryClient';
import { watchSession } from '@/app/watchSession';
import { forgetChange } from '@/features/order/actions/lastChange';
import { forgetRecentOrders } from '@/features/order/recentOrders';
import { useOrderTrail } from '@/features/order/orderTrail';
import { useFolds } from '@/ui/folds';
import { useFirstRunSwitch, useShortcutSwitch, useSidebarSwitch } from '@/ui/storedSwitch';
import { server } from './server';

// Stubs for what jsdom lacks: layout, media queries, modal dialogs, popovers.
window.matchMedia = (media) =>
  Object.assign(new EventTarget(), { matches: false, media, onchange: null }) as MediaQueryList;
const { matchMedia } = window;
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
window.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};
Element.prototype.checkVisibility = function checkVisibility() {
  return this.closest('[style*="display: none"]') === null;
};
const openers = new WeakMap<HTMLDialogElement, Element | null>();
HTMLDialogElement.prototype.showModal = function showModal() {
  openers.set(this, document.activeElement);
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
  const opener = openers.get(this);
  if (opener instanceof HTMLElement) opener.focus();
};

HTMLElement.prototype.showPopover = function showPopover() {
  this.style.display = 'block';
};
HTMLElement.prototype.hidePopover = function hidePopover() {
  this.style.display = '';
  this.dispatchEvent(Object.assign(new Event('toggle'), { newState: 'closed' }));
};
const find = Document.prototype.querySelector;
Document.prototype.querySelector = function querySelector(this: Document, selectors: string) {
  return find.call(this, selectors.replace(':popover-open', '[popover][style*="block"]'));
};

configure({ asyncUtilTimeout: 15_000 });

beforeAll(() => {
  server.listen({ onUnhandledFrame: 'error' });
  watchSession();
});
// All files share one window, which saves two thirds of the time: what a test leaves behind is removed here.
afterEach(() => {
  cleanup();
  window.matchMedia = matchMedia;
  vi.useRealTimers();
  server.resetHandlers();
  queryClient.clear();
  localStorage.clear();
  sessionStorage.clear();
  auth.logout();
  useFirstRunSwitch.setState(useFirstRunSwitch.getInitialState());
  useShortcutSwitch.setState(useShortcutSwitch.getInitialState());
  useSidebarSwitch.setState(useSidebarSwitch.getInitialState());
  useFolds.setState(useFolds.getInitialState());
  forgetChange();
  forgetRecentOrders();
  useOrderTrail.setState(useOrderTrail.getInitialState());
});
afterAll(() => server.close());
