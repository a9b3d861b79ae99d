import type { Texts } from '@/i18n/texts';
import type { PageName } from './place';

/** What the product is called, in every language. */
export const PRODUCT = 'Visadesk';

/** What the browser's tab says. No order, no name: titles stay in histories. */
export function titleOf(page: PageName, texts: Texts): string {
  return `${page === 'download' ? texts.detailsTitle : texts.trackTitle} · ${PRODUCT}`;
}
