import type { Texts } from '@/i18n/texts';
import type { PageName } from './place';

/** The product's name, the same in every language. */
export const PRODUCT = 'Visadesk';

/** The title of the browser tab. It names no order and no person, because histories keep titles. */
export function titleOf(page: PageName, texts: Texts): string {
  return `${page === 'download' ? texts.detailsTitle : texts.trackTitle} · ${PRODUCT}`;
}
