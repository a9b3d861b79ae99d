import { expect, test } from 'vitest';
import { languages } from '@/i18n/languages';
import { type PaperTexts, paperTextsIn } from './paperTexts';

/** Every text under its dotted name. */
function leaves({ faults, ...texts }: PaperTexts): [name: string, text: string][] {
  const inner = Object.entries(faults).map(([name, text]) => [`faults.${name}`, text] as const);
  return [...Object.entries(texts), ...inner].map(([name, text]) => [name, text]);
}

const places = (texts: [string, string][]) =>
  texts.map(([name, text]) => [name, text.match(/\{\w+\}/g) ?? []]);

test.each(languages)('%s has every text about papers, with the same placeholders', async (name) => {
  const english = leaves(await paperTextsIn('en'));
  const own = leaves(await paperTextsIn(name));
  expect(places(own)).toEqual(places(english));
  expect(own.filter(([, text]) => text === '' || text !== text.trim())).toEqual([]);
});

test.each(languages.filter((name) => name !== 'en'))(
  '%s leaves nothing in English',
  async (name) => {
    const english = new Map(leaves(await paperTextsIn('en')));
    const own = leaves(await paperTextsIn(name));
    expect(own.filter(([name, text]) => text === english.get(name))).toEqual([]);
  },
);
