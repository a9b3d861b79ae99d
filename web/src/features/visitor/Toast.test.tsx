import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LocaleContext, textsIn } from '@/i18n/texts';
import { Toast } from './Toast';

const onClose = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers();
  onClose.mockClear();
});
afterEach(() => vi.useRealTimers());

async function show() {
  const texts = await textsIn('en');
  render(
    <LocaleContext value={{ language: 'en', texts }}>
      <Toast message="No order matches" onClose={onClose} />
    </LocaleContext>,
  );
  return screen.getByText('No order matches').parentElement!;
}

function pass(milliseconds: number) {
  act(() => vi.advanceTimersByTime(milliseconds));
}

test('it closes after five seconds', async () => {
  await show();
  expect(screen.getByRole('alert')).toHaveTextContent('No order matches');
  pass(4_999);
  expect(onClose).not.toHaveBeenCalled();
  pass(1);
  expect(onClose).toHaveBeenCalledOnce();
});

test('it stays open under the pointer', async () => {
  const toast = await show();
  fireEvent.pointerEnter(toast);
  pass(60_000);
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.pointerLeave(toast);
  pass(5_000);
  expect(onClose).toHaveBeenCalledOnce();
});

test('it stays open while another window has the focus', async () => {
  await show();
  act(() => void dispatchEvent(new Event('blur')));
  pass(60_000);
  expect(onClose).not.toHaveBeenCalled();
  act(() => void dispatchEvent(new Event('focus')));
  pass(5_000);
  expect(onClose).toHaveBeenCalledOnce();
});

test('it is dragged away or springs back', async () => {
  const toast = await show();
  fireEvent.pointerDown(toast, { clientX: 100 });
  fireEvent.pointerMove(toast, { clientX: 150 });
  expect(toast).toHaveStyle({ transform: 'translateX(50px)' });
  fireEvent.pointerUp(toast);
  expect(toast).not.toHaveStyle({ transform: 'translateX(50px)' });
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.pointerDown(toast, { clientX: 100 });
  fireEvent.pointerMove(toast, { clientX: 200 });
  fireEvent.pointerUp(toast);
  expect(onClose).toHaveBeenCalledOnce();
});
