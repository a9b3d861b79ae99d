import type { ActionResult } from './orderCalls';

/** One message for the results of several batches: counts are added up, other messages are listed once each. */
export function mergeMessages(results: readonly ActionResult[]): string {
  const sum = (key: 'refunded' | 'already_refunded') =>
    results.reduce((total, result) => total + (result[key] ?? 0), 0);
  if (results.length > 1 && results.every(({ refunded }) => refunded !== undefined)) {
    const counts = `${sum('refunded')} refunded, ${sum('already_refunded')} already refunded`;
    const waiting = results.reduce((total, { approval }) => total + (approval?.orders ?? 0), 0);
    return waiting === 0
      ? counts
      : `${counts}; ${waiting} wait for approval by another Admin or Manager`;
  }
  return [...new Set(results.map(({ message }) => message))].join('; ');
}
