import { createContext, useContext } from 'react';
import type english from './en.json';
import type { Language } from './languages';

/** Every text of the public pages in one language. A count has as many forms as the language does. */
export type Texts = Omit<typeof english, 'downloads'> & {
  downloads: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
};

/** The lazy files, one for each language. A catalog that lacks a text does not compile. */
const catalogs: Record<Language, () => Promise<{ default: Texts }>> = {
  en: () => import('./en.json'),
  id: () => import('./id.json'),
  'zh-Hans': () => import('./zh-Hans.json'),
  'zh-Hant': () => import('./zh-Hant.json'),
  hi: () => import('./hi.json'),
  ar: () => import('./ar.json'),
  ja: () => import('./ja.json'),
  ko: () => import('./ko.json'),
  fr: () => import('./fr.json'),
  de: () => import('./de.json'),
  es: () => import('./es.json'),
  ru: () => import('./ru.json'),
};

export async function textsIn(language: Language): Promise<Texts> {
  return (await catalogs[language]()).default;
}

export interface Locale {
  language: Language;
  texts: Texts;
}

export const LocaleContext = createContext<Locale | null>(null);

/** The language and the texts of the page. */
export function useTexts(): Locale {
  const locale = useContext(LocaleContext);
  if (!locale) throw new Error('LocaleContext is missing');
  return locale;
}
