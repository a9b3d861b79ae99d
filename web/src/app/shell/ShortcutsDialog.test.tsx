import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { allFolders } from '@/features/order/folders';
import { openApp } from '@/testing/openApp';
import { member, signedInAs } from '@/testing/server';
import { KEY_HELP, MOD_KEY } from '@/ui/keys';

/** The sources that bind keys. */
const bindings = Object.entries(
  import.meta.glob<string>(['/src/**/*.ts', '/src/**/*.tsx', '!/src/**/*.test.*'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
)
  .filter(
    ([path, source]) =>
      source.includes('useHotkeys(') || /\/(orderActions|views|deskWords)\.ts$/.test(path),
  )
  .map(([, source]) => source)
  .join('\n');

// The type of bindings refuses a key that the help does not show.
test('each key that the help shows is bound', () => {
  const shown: string[] = KEY_HELP.flatMap(([keys]) => keys);
  const names = bindings.matchAll(/(?:^\s*|[{,] )'?(?<key>[^'\s]+|\$mod\+\w+|g h)'?: [\w(]/gm);
  const values = bindings.matchAll(/(?:_KEY =|key:) '(?<key>[^']+)'/g);
  const bound = new Set([...names, ...values].map(({ groups }) => groups?.['key']));
  expect(shown.filter((key) => !bound.has(key))).toEqual([]);
});

test('the help names the keys as they are typed, and those of the folders that one sees', async () => {
  signedInAs(member({}));
  const user = await openApp('/admin');
  await screen.findByRole('link', { name: /^Refunds/ });
  await user.keyboard('?');
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  const keys = dialog.getAllByRole('term').map(({ textContent }) => textContent);
  expect(keys.slice(0, KEY_HELP.length)).toEqual([
    `${MOD_KEY} K`,
    'j / k',
    'x',
    'Enter / o',
    'a',
    't',
    'm',
    'd',
    'f',
    'c',
    `${MOD_KEY} Enter`,
    'v',
    '1 / 2 / 3 / 4',
    'n',
    'u',
    '/',
    's',
    '[ / ]',
    ', / .',
    'z / Z / r',
    '< / >',
    '?',
    'g h',
  ]);
  expect(keys.slice(KEY_HELP.length)).toEqual(
    allFolders
      .filter(({ seenWith }) => seenWith === undefined)
      .map(({ shortcut }) => `g ${shortcut}`),
  );
});
