import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Hotkeys, KeyScope } from './keyRegistry';
import { MenuButton } from './Menu';
import { useShortcutSwitch } from './storedSwitch';
import { useHotkeys } from './useHotkeys';

const done: string[] = [];

function Keys({ hotkeys, scope }: { hotkeys: readonly string[]; scope?: KeyScope }) {
  const bound = hotkeys.map((key) => [key, () => done.push(`${scope ?? 'screen'} ${key}`)]);
  useHotkeys(Object.fromEntries(bound) as Hotkeys, scope);
  return null;
}

const press = (key: string, more: KeyboardEventInit = {}, target: Element = document.body) =>
  fireEvent.keyDown(target, { key, ...more });

function openKeys() {
  done.length = 0;
  return render(
    <>
      <Keys hotkeys={['c', 'j']} scope="view" />
      <Keys hotkeys={['g m', 'g c', 'u']} scope="app" />
      <Keys hotkeys={['m', 'c', 'r', 'u']} />
      <Keys hotkeys={['$mod+K']} scope="always" />
      <Keys hotkeys={['$mod+Enter']} scope="form" />
      <textarea />
      <MenuButton label="Account" items={[{ key: 'help', label: 'Help' }]}>
        Ayu
      </MenuButton>
    </>,
  );
}

test('a sequence runs alone: neither its keys nor a wrong end act by themselves', () => {
  openKeys();
  for (const key of ['g', 'm', 'g', 'c', 'g', 'r', 'm']) press(key);
  expect(done).toEqual(['app g m', 'app g c', 'screen m']);
});

test('a finished sequence leaves none of its siblings begun', () => {
  openKeys();
  for (const key of ['g', 'm', 'c']) press(key);
  expect(done).toEqual(['app g m', 'view c']);
});

test('a modifier does not end a sequence, a pause of a second does', () => {
  openKeys();
  for (const key of ['g', 'Shift', 'm']) press(key);
  expect(done).toEqual(['app g m']);
  press('g');
  const later = new KeyboardEvent('keydown', { key: 'm', bubbles: true });
  Object.defineProperty(later, 'timeStamp', { value: later.timeStamp + 1100 });
  fireEvent(document.body, later);
  expect(done).toEqual(['app g m', 'screen m']);
});

test('the key of an inner scope wins, whichever was bound first', () => {
  const { rerender } = openKeys();
  press('c');
  press('u');
  rerender(<Keys hotkeys={['c']} />);
  press('c');
  expect(done).toEqual(['view c', 'screen u', 'screen c']);
});

test('a held key acts once, and goes on where it moves', () => {
  openKeys();
  press('u');
  press('u', { repeat: true });
  press('j');
  press('j', { repeat: true });
  expect(done).toEqual(['screen u', 'view j', 'view j']);
});

test('no key acts under a dialog or a menu, but the one that sends a form', () => {
  openKeys();
  const dialog = document.createElement('dialog');
  document.body.append(dialog);
  dialog.open = true;
  press('u');
  press('k', { ctrlKey: true });
  press('Enter', { ctrlKey: true });
  dialog.remove();
  expect(done).toEqual(['form $mod+Enter']);

  fireEvent.click(screen.getByRole('button', { name: 'Ayu' }));
  press('u', {}, screen.getByRole('menuitem', { name: 'Help' }));
  expect(done).toEqual(['form $mod+Enter']);
});

test('in a field and while keys are switched off only combinations act', () => {
  openKeys();
  press('u', {}, screen.getByRole('textbox'));
  press('k', { ctrlKey: true }, screen.getByRole('textbox'));
  useShortcutSwitch.getState().turn(false);
  press('u');
  press('k', { ctrlKey: true });
  expect(done).toEqual(['always $mod+K', 'always $mod+K']);
});

test('a key that something else has used, or that composes a letter, does not act', () => {
  openKeys();
  const used = new KeyboardEvent('keydown', { key: 'u', bubbles: true, cancelable: true });
  used.preventDefault();
  fireEvent(document.body, used);
  press('u', { isComposing: true });
  expect(done).toEqual([]);
});

const ofKeys = ([type]: unknown[]) => type === 'keydown';

test('one listener serves all keys', () => {
  const add = vi.spyOn(window, 'addEventListener');
  const remove = vi.spyOn(window, 'removeEventListener');
  const { unmount } = openKeys();
  unmount();
  expect(add.mock.calls.filter(ofKeys)).toHaveLength(1);
  expect(remove.mock.calls.filter(ofKeys)).toHaveLength(1);
});
