import { expect, test } from 'vitest';
import type { UserInfo } from '@/api/types';
import { allFolders } from '@/features/order/folders';
import { paths } from '@/paths/staffPaths';
import { storedLogin } from '@/api/storedLogin';
import { useLastChange } from '@/features/order/actions/lastChange';
import { counts, member, post, server, signedInAs, success } from '@/testing/server';
import { actionEntries, matching, screenEntries, type Entry } from './entries';

const titled = (...titles: string[]): Entry[] => titles.map((title) => ({ id: title, title }));
const found = (typed: string, ...titles: string[]) =>
  matching(titled(...titles), typed).map(({ title }) => title);

const addSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

const screens = (me: UserInfo) =>
  screenEntries({ me, folders: [] }, undefined).map(({ path }) => path);

test('an entry matches when each word begins one of its words, in any order and case', () => {
  const all = ['New Orders', 'Priority Orders', 'Order History'];
  expect(found('', ...all)).toEqual(all);
  expect(found('ORD', ...all)).toEqual(all);
  expect(found('ord new', ...all)).toEqual(['New Orders']);
  expect(found('new hist', ...all)).toEqual([]);
  expect(found('rders', ...all)).toEqual([]);
  expect(found('  hist ', ...all)).toEqual(['Order History']);
});

test('signs separate words and match nothing alone', () => {
  expect(found('in-sec', 'Sign-in Security', 'Audit')).toEqual(['Sign-in Security']);
  expect(found('–', 'Sign-in Security')).toEqual([]);
  expect(found('übersicht', 'Übersicht 2027', 'Audit')).toEqual(['Übersicht 2027']);
  expect(found('2027', 'Übersicht 2027', 'Audit')).toEqual(['Übersicht 2027']);
});

test('a person is offered the screens of everyone and those with their permission', () => {
  const everyone = [
    paths.home,
    paths.refundApprovals,
    paths.countryOrder,
    paths.changePassword,
    paths.security,
    paths.cannedTexts,
  ];
  expect(screens(member({}))).toEqual(everyone);
  expect(screens(member({ see_audit: true })).toSorted()).toEqual(
    [...everyone, paths.audit].toSorted(),
  );
});

test('a folder has the name and the count of the sidebar, and its keys', () => {
  const [, ...folders] = screenEntries({ me: member({}), folders: allFolders }, counts);
  for (const [index, folder] of allFolders.entries()) {
    expect(folders[index]).toEqual({
      id: folder.path,
      path: folder.path,
      title: folder.linkLabel ?? folder.title,
      keys: ['g', folder.shortcut],
      count: counts[folder.countKey],
    });
  }
});

const actions = () => actionEntries({ onUndo: () => {}, onTakeNext: () => {}, onHelp: () => {} });

test('Undo is offered as long as the server takes it back', () => {
  const change = { events: [4711], message: 'Order has been assigned successfully' };
  const titlesUntil = (until: Date) => {
    useLastChange.setState({ last: { ...change, until: until.toISOString() } });
    return actions().map(({ title }) => title);
  };
  expect(titlesUntil(addSeconds(60))).toContain('Undo');
  expect(titlesUntil(addSeconds(-1))).not.toContain('Undo');
});

test('Logout ends the session', () => {
  signedInAs(member());
  server.use(post('/api/admin/sign-out', () => success({})));
  actions()
    .find(({ title }) => title === 'Logout')
    ?.run?.();
  expect(storedLogin()).toBeNull();
});
