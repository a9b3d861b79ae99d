const BATCH_SIZE = 500;

export interface BatchesOutcome {
  /** The ids of the batches that went through. */
  done: number[];
  /** The answer to the last of them. */
  message: string;
  /** Why the first refused batch was refused; nothing was sent after it. */
  refusal: unknown;
}

/** Sends `ids` in batches the server accepts, one after the other, up to the first refusal. */
export async function inBatches(
  ids: readonly number[],
  send: (batch: number[]) => Promise<string>,
): Promise<BatchesOutcome> {
  const outcome: BatchesOutcome = { done: [], message: '', refusal: null };
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    const batch = ids.slice(from, from + BATCH_SIZE);
    try {
      outcome.message = await send(batch);
    } catch (refusal) {
      return { ...outcome, refusal };
    }
    outcome.done.push(...batch);
  }
  return outcome;
}
