import { summedUp } from './summedUp';

const BATCH_SIZE = 500;

export interface BatchesOutcome {
  /** The ids of the batches that went through. */
  done: number[];
  /** What their answers say together. */
  message: string;
  /** Why the first refused batch was refused; nothing was sent after it. */
  refusal: unknown;
}

/** Sends `ids` in batches the server accepts, one after the other, up to the first refusal. */
export async function inBatches(
  ids: readonly number[],
  send: (batch: number[]) => Promise<string>,
): Promise<BatchesOutcome> {
  const done: number[] = [];
  const messages: string[] = [];
  let refusal: unknown = null;
  for (let from = 0; from < ids.length && refusal === null; from += BATCH_SIZE) {
    const batch = ids.slice(from, from + BATCH_SIZE);
    try {
      messages.push(await send(batch));
      done.push(...batch);
    } catch (error) {
      refusal = error;
    }
  }
  return { done, message: summedUp(messages), refusal };
}
