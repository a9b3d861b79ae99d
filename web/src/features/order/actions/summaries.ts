import { formatCount } from '@/ui/numbers';
import type { ActionResult } from './orderCalls';

type Count = 'changed' | 'refunded' | 'already_refunded';

const sum = (results: readonly ActionResult[], key: Count) =>
  results.reduce((total, result) => total + (result[key] ?? 0), 0);

/**
 * Returns one message for the results of several calls: each text once, and the number that they
 * changed together.
 */
export function summaryOf(results: readonly ActionResult[]): string {
  const texts = [...new Set(results.map(({ message }) => message))].join('; ');
  const isCounted = results.length > 1 && results.every(({ changed }) => changed !== undefined);
  return isCounted ? `${texts} (${formatCount(sum(results, 'changed'))})` : texts;
}

/** The same for refunds, which are counted in two ways and may wait for approval. */
export function refundsSummary(results: readonly ActionResult[]): string {
  if (results.length <= 1) return summaryOf(results);
  const counts = `${sum(results, 'refunded')} refunded, ${sum(results, 'already_refunded')} already refunded`;
  const waiting = results.reduce((total, { approval }) => total + (approval?.orders ?? 0), 0);
  return waiting === 0
    ? counts
    : `${counts}; ${waiting} ${waiting === 1 ? 'waits' : 'wait'} for approval by another Admin or Manager`;
}

/** The same for emails that were stopped or sent, such as `700 emails stopped`. */
export function mailsSummary(what: string): (results: readonly ActionResult[]) => string {
  return (results) =>
    results.length <= 1
      ? summaryOf(results)
      : `${formatCount(sum(results, 'changed'))} emails ${what}`;
}
