import { mergeMessages } from './mergeMessages';
import type { ActionResult } from './orderCalls';

const BATCH_SIZE = 500;

export interface BatchesOutcome {
  /** The ids of the successful batches. */
  done: number[];
  /** Their results. */
  results: ActionResult[];
  /** The merged message of their results. */
  message: string;
  /** The error of the first refused batch; no batch is sent after it. */
  refusal: unknown;
}

/** Sends `ids` in batches that the server accepts, one after another, up to the first refusal. */
export async function inBatches(
  ids: readonly number[],
  send: (batch: number[]) => Promise<ActionResult>,
): Promise<BatchesOutcome> {
  const done: number[] = [];
  const results: ActionResult[] = [];
  let refusal: unknown = null;
  for (let from = 0; from < ids.length && refusal === null; from += BATCH_SIZE) {
    const batch = ids.slice(from, from + BATCH_SIZE);
    try {
      results.push(await send(batch));
      done.push(...batch);
    } catch (error) {
      refusal = error;
    }
  }
  return { done, results, message: mergeMessages(results), refusal };
}
