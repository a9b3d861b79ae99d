import type { Language } from '@/i18n/languages';

const YEAR_SECONDS = 31_536_000;

/** Remembers the language for a year, where the server reads it too: the next page is born in it. */
export function remember(language: Language): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `visadesk_language=${language}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
}
