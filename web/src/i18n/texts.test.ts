import { expect, test } from 'vitest';
import { languages } from './languages';
import { type Texts, textsIn } from './texts';

/** Texts that are the same in another language: names and loanwords. */
const ALIKE = new Set(['id: menu', 'fr: menu', 'de: browser']);

/** Every text under its dotted name; counted ones apart, because languages count differently. */
function leaves(texts: Texts): Map<string, string> {
  const found = new Map<string, string>();
  const collect = (value: unknown, name: string) => {
    if (typeof value === 'string') found.set(name, value);
    else
      for (const [key, inner] of Object.entries(value as object)) collect(inner, `${name}.${key}`);
  };
  for (const [key, value] of Object.entries(texts)) {
    if (key !== 'downloads') collect(value, key);
  }
  return found;
}

/** Returns the placeholders of each text. */
function places(texts: Map<string, string>): [name: string, places: string[]][] {
  return [...texts].map(([name, text]) => [name, (text.match(/\{\w+\}/g) ?? []).toSorted()]);
}

test('there are twelve languages', () => {
  const names = 'en id zh-Hans zh-Hant hi ar ja ko fr de es ru';
  expect(languages.join(' ')).toBe(names);
});

test.each(languages)('%s has every text, with the same placeholders', async (language) => {
  const english = leaves(await textsIn('en'));
  const own = leaves(await textsIn(language));
  expect([...own.keys()]).toEqual([...english.keys()]);
  const empty = [...own].filter(([, text]) => text.trim() === '' || text !== text.trim());
  expect(empty).toEqual([]);
  expect(places(own)).toEqual(places(english));
});

test.each(languages.filter((language) => language !== 'en'))(
  '%s leaves nothing in English',
  async (language) => {
    const english = leaves(await textsIn('en'));
    const own = leaves(await textsIn(language));
    const alike = [...own].filter(([name, text]) => text === english.get(name));
    const names = alike.map(([name]) => `${language}: ${name}`);
    expect(names).toEqual([...ALIKE].filter((name) => name.startsWith(`${language}: `)));
  },
);

test.each(languages)('%s has every plural form', async (language) => {
  const { downloads } = await textsIn(language);
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  expect(Object.keys(downloads).toSorted()).toEqual(pluralCategories.toSorted());
  for (const form of Object.values(downloads)) expect(form.trim()).not.toBe('');
});
