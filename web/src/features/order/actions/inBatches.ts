import type { ActionResult } from './orderCalls';

const BATCH_SIZE = 500;

/** What a change of orders did. */
export interface OrdersOutcome {
  /** The ids of the successful batches. */
  done: number[];
  /** Their results. */
  results: ActionResult[];
}

/** The refusal of a batch; no batch is sent after it. */
export class BatchRefused extends Error implements OrdersOutcome {
  override name = 'BatchRefused';

  constructor(
    /** The server's refusal. */
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

/** Sends `ids` in batches of `size`, by default the most that the server accepts, one after another. Throws a [`BatchRefused`] at the first refusal. */
export async function inBatches(
  ids: readonly number[],
  send: (batch: number[]) => Promise<ActionResult>,
  size = BATCH_SIZE,
): Promise<OrdersOutcome> {
  const done: number[] = [];
  const results: ActionResult[] = [];
  for (let from = 0; from < ids.length; from += size) {
    const batch = ids.slice(from, from + size);
    try {
      results.push(await send(batch));
      done.push(...batch);
    } catch (error) {
      throw new BatchRefused(error, done, results);
    }
  }
  return { done, results };
}
