import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { languages } from '@/i18n/languages';
import { countryIn, deviceWordIn } from './recordedWords';

const COUNTRIES = JSON.parse(readFileSync('../server/src/places/countries.json', 'utf8')) as Record<
  string,
  string
>;

test('every country that the server records is known in every language', () => {
  for (const language of languages) {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const [code, country] of Object.entries(COUNTRIES)) {
      expect([country, countryIn(country, language)]).toEqual([country, names.of(code)]);
    }
  }
});

test('a place that is no country is shown as it was recorded', () => {
  expect(countryIn('Unknown', 'de')).toBeUndefined();
});

test('words for devices are translated, and names of products are not', () => {
  expect(deviceWordIn('Computer', 'ja')).toBe('パソコン');
  expect(deviceWordIn('Unknown', 'ru')).toBe('Неизвестно');
  expect(deviceWordIn('iPhone', 'de')).toBeUndefined();
  for (const language of languages.filter((one) => one !== 'en')) {
    expect(deviceWordIn('Bot', language)).toBeTruthy();
  }
});
