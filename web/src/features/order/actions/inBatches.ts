import type { ActionResult } from './orderCalls';

/** The most orders of one call. */
const MAX_BATCH = 500;

/** The outcome of a change of orders. */
export interface OrdersOutcome {
  /** The ids of the successful batches. */
  done: number[];
  results: ActionResult[];
}

/** The refusal of a batch; no batch is sent after it. */
export class BatchRefused extends Error implements OrdersOutcome {
  override name = 'BatchRefused';

  constructor(
    readonly refusal: unknown,
    readonly done: number[],
    readonly results: ActionResult[],
  ) {
    super('A batch was refused', { cause: refusal });
  }
}

/** Any error as the refusal of a batch; without more known, of the first one. */
export function asRefused(error: unknown): BatchRefused {
  return error instanceof BatchRefused ? error : new BatchRefused(error, [], []);
}

/**
 * Sends `ids` in batches of `size` at most, by default what the server accepts, one after another. Throws a [`BatchRefused`] at the first
 * refusal.
 *
 * The batches differ in size by one at most: of 501 orders, a last batch of one would be treated as a small change, whose mails do not wait.
 */
export async function inBatches(
  ids: readonly number[],
  send: (batch: number[]) => Promise<ActionResult>,
  size = MAX_BATCH,
): Promise<OrdersOutcome> {
  const done: number[] = [];
  const results: ActionResult[] = [];
  const count = Math.ceil(ids.length / size);
  const startOf = (place: number) => Math.floor((place * ids.length) / count);
  for (let place = 0; place < count; place += 1) {
    const batch = ids.slice(startOf(place), startOf(place + 1));
    try {
      results.push(await send(batch));
      done.push(...batch);
    } catch (error) {
      throw new BatchRefused(error, done, results);
    }
  }
  return { done, results };
}
