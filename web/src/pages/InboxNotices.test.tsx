import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { notifyOfInbox } from '@/session/desktopNotices';
import { openApp } from '@/testing/openApp';
import { get, member, server, signedInAs, success } from '@/testing/server';
import { useNoticeSwitch } from '@/ui/storedSwitch';

const UNREAD = { order_number: 'VD-100234', kind: 'mention', by: 'Budi Santoso' } as const;

/** The browser's notices: jsdom has none. */
class Notices extends EventTarget {
  static permission: NotificationPermission = 'default';
  static asked: NotificationPermission = 'granted';
  static shown: string[] = [];
  static requestPermission() {
    Notices.permission = Notices.asked;
    return Promise.resolve(Notices.permission);
  }
  constructor(title: string, { body = '' }: NotificationOptions) {
    super();
    Notices.shown.push(`${title}: ${body}`);
  }
}

beforeEach(() => {
  vi.stubGlobal('Notification', Notices);
  vi.stubGlobal('isSecureContext', true);
  Notices.shown = [];
  Notices.permission = 'default';
});

afterEach(() => {
  vi.unstubAllGlobals();
  useNoticeSwitch.getState().turn(false);
});

async function openInbox() {
  signedInAs(member());
  server.use(get('/api/admin/inbox', () => success({ data: [], unread: 0 })));
  const user = await openApp('/admin');
  await user.click(await screen.findByRole('button', { name: /^Inbox/ }));
  const box = within(screen.getByRole('dialog')).getByRole('checkbox', {
    name: 'Notify me when this window is hidden',
  });
  return { user, box };
}

test('a notice names the order and the colleague alone, once the member asked for notices', async () => {
  notifyOfInbox(UNREAD);
  expect(Notices.shown).toEqual([]);
  Notices.asked = 'granted';
  const { user, box } = await openInbox();
  await user.click(box);
  await vi.waitFor(() => expect(box).toBeChecked());
  notifyOfInbox(UNREAD);
  expect(Notices.shown).toEqual(['Visadesk: Budi Santoso mentioned you in order VD-100234']);
  await user.click(box);
  await vi.waitFor(() => expect(box).not.toBeChecked());
  notifyOfInbox(UNREAD);
  expect(Notices.shown).toHaveLength(1);
});

test('a browser that refuses notices says so, and stays as it was', async () => {
  Notices.asked = 'denied';
  const { user, box } = await openInbox();
  await user.click(box);
  expect(await screen.findByText(/^This browser does not allow it/)).toBeVisible();
  expect(box).not.toBeChecked();
  notifyOfInbox(UNREAD);
  expect(Notices.shown).toEqual([]);
});
