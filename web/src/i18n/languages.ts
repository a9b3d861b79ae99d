/** The languages of the public pages, by the names that their readers call them. */
export const LANGUAGES = {
  en: { name: 'English', direction: 'ltr' },
  id: { name: 'Bahasa Indonesia', direction: 'ltr' },
  'zh-Hans': { name: '简体中文', direction: 'ltr' },
  'zh-Hant': { name: '繁體中文', direction: 'ltr' },
  hi: { name: 'हिन्दी', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
  ja: { name: '日本語', direction: 'ltr' },
  ko: { name: '한국어', direction: 'ltr' },
  fr: { name: 'Français', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  ru: { name: 'Русский', direction: 'ltr' },
} as const;

/** A language of the public pages, as `lang` and the cookie have it. */
export type Language = keyof typeof LANGUAGES;

export const languages = Object.keys(LANGUAGES) as Language[];

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text);
}
