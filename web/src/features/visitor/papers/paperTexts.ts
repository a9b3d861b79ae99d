import { use, useContext, useDeferredValue } from 'react';
import type { Language } from '@/i18n/languages';
import { useTexts } from '@/i18n/texts';
import { loadChunk } from '@/ui/loadChunk';
import { PartAttempt } from '../lazyPart';
import type english from './texts/en.json';

/** Every text about the papers that visitors are asked for, in one language. */
export type PaperTexts = typeof english;

/** The lazy files, one for each language, apart from the texts that every visitor loads. */
const catalogs: Record<Language, () => Promise<{ default: PaperTexts }>> = {
  en: () => import('./texts/en.json'),
  id: () => import('./texts/id.json'),
  'zh-Hans': () => import('./texts/zh-Hans.json'),
  'zh-Hant': () => import('./texts/zh-Hant.json'),
  hi: () => import('./texts/hi.json'),
  ar: () => import('./texts/ar.json'),
  ja: () => import('./texts/ja.json'),
  ko: () => import('./texts/ko.json'),
  fr: () => import('./texts/fr.json'),
  de: () => import('./texts/de.json'),
  es: () => import('./texts/es.json'),
  ru: () => import('./texts/ru.json'),
};

const loaded = new Map<string, Promise<PaperTexts>>();

/** Loads the texts of a language, once in each attempt. */
export function paperTextsIn(language: Language, attempt = 0): Promise<PaperTexts> {
  const key = `${language} ${attempt}`;
  const known = loaded.get(key);
  if (known) return known;
  const texts = loadChunk(`papers ${language}`, catalogs[language]).then(
    (catalog) => catalog.default,
  );
  loaded.set(key, texts);
  return texts;
}

/** The texts in the page's language; those of the former language while the new ones are on their way. */
export function usePaperTexts(): PaperTexts {
  const { language } = useTexts();
  const attempt = useContext(PartAttempt);
  return use(paperTextsIn(useDeferredValue(language), attempt));
}
