import type { OrderSummary } from '@/api/types';
import { statusLabel } from '@/i18n/statusLabel';
import { findingsOf } from './findings';

/** The width of the statuses of some rows, in CSS pixels. */
export interface StatusWidth {
  /** With what is wrong beside the status. */
  oneLinePx: number;
  /** With the worst of it below. */
  twoLinesPx: number;
}

/** The width of a column whose words are short, and of its heading. */
const LEAST_PX = 88;
const PADDING_PX = 16;
const DOT_PX = 15;
const GAP_PX = 8;

/** The width of a text in Inter, by its length and rather too wide. Measuring it would lay out every row twice. */
const wordPx = (text: string) => 10 + 6.7 * text.length;
const chipPx = (text: string) => 18 + 6.3 * text.length;

/** The width where the statuses are not known. */
export const ANY_STATUS: StatusWidth = { oneLinePx: 270, twoLinesPx: 146 };

/** The width that the statuses of these orders need. */
export function statusWidth(rows: readonly OrderSummary[]): StatusWidth {
  let [oneLinePx, twoLinesPx] = [LEAST_PX, LEAST_PX];
  for (const row of rows) {
    const word = DOT_PX + wordPx(statusLabel(row.process_status));
    const chips = findingsOf(row).map(({ text, more = '' }) => chipPx(text + more));
    const beside = chips.reduce((sum, chip) => sum + GAP_PX + chip, word);
    oneLinePx = Math.max(oneLinePx, Math.ceil(PADDING_PX + beside));
    twoLinesPx = Math.max(twoLinesPx, Math.ceil(PADDING_PX + Math.max(word, chips[0] ?? 0)));
  }
  return { oneLinePx, twoLinesPx };
}
