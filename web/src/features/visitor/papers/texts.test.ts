import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Refusal } from '@/api/Refusal';
import { languages } from '@/i18n/languages';
import { textsIn } from '@/i18n/texts';
import { paperFailureText } from './paperFailureText';
import { type PaperTexts, paperTextsIn } from './paperTexts';

/** Every text under its dotted name. */
function leaves({ faults, names, ...texts }: PaperTexts): [name: string, text: string][] {
  const inner = Object.entries({ faults, names }).flatMap(([group, words]) =>
    Object.entries(words).map(([name, text]) => [`${group}.${name}`, text] as const),
  );
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

interface Catalogue {
  documents: Record<string, { label: string }>;
}

test('every paper of the catalogue has a name, in English the one of the server', async () => {
  const { documents } = JSON.parse(
    readFileSync('../server/src/visas/catalogue.json', 'utf8'),
  ) as Catalogue;
  const { passport, recent_photo: photograph, ...others } = documents;
  expect([passport?.label, photograph?.label]).toEqual(['Passport', 'Recent colour photograph']);
  const labels = Object.entries(others).map(([kind, { label }]) => [kind, label]);
  expect((await paperTextsIn('en')).names).toEqual(Object.fromEntries(labels));
});

/** The calls of the applicant's pages. */
const CALLS = [
  'confirm_tracking_code',
  'download_history',
  'download_visa',
  'open_mailed_link',
  'send_paper_anyway',
  'send_tracking_code',
  'track_order',
  'upload_paper',
];

/** Refusals of requests that this page never sends. */
const NEVER = [
  'form_text_too_long',
  'invalid_characters',
  'malformed_form',
  'not_multipart',
  'repeated_form_part',
  'too_many_form_parts',
];

test.each(languages)(
  '%s has a text of its own for every refusal of these pages',
  async (language) => {
    const errors = JSON.parse(readFileSync('../contract/errors.json', 'utf8')) as Record<
      string,
      Record<string, string[]>
    >;
    const locale = { language, texts: await textsIn(language) };
    const words = await paperTextsIn(language);
    const refusals = CALLS.flatMap((call) => Object.entries(errors[call] ?? {})).flatMap(
      ([status, codes]) => codes.map((code) => new Refusal(Number(status), code, '')),
    );
    expect(refusals.length).toBeGreaterThan(25);
    const { unexpected, checkEntries } = locale.texts;
    const untold = refusals
      .filter((error) =>
        [unexpected, checkEntries].includes(paperFailureText(error, locale, words)),
      )
      .map(({ code }) => code);
    expect([...new Set(untold)].toSorted()).toEqual(NEVER);
  },
);
