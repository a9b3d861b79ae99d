import { expect, test, vi } from 'vitest';
import { inBatches } from './inBatches';
import type { ActionResult } from './orderCalls';

const ids = Array.from({ length: 1200 }, (_, index) => index);

test('more than 500 orders go in batches of 500', async () => {
  const send = vi
    .fn<(batch: number[]) => Promise<ActionResult>>()
    .mockResolvedValue({ message: 'Done' });
  const { done, message, refusal } = await inBatches(ids, send);
  expect(send.mock.calls.map(([batch]) => batch.length)).toEqual([500, 500, 200]);
  expect(done).toEqual(ids);
  expect(message).toBe('Done');
  expect(refusal).toBeNull();
});

test('the first refused batch is the last one sent', async () => {
  const no = new Error('Nothing was changed');
  const send = vi
    .fn<(batch: number[]) => Promise<ActionResult>>()
    .mockResolvedValueOnce({ message: 'Done' })
    .mockRejectedValueOnce(no);
  const { done, refusal } = await inBatches(ids, send);
  expect(send).toHaveBeenCalledTimes(2);
  expect(done).toHaveLength(500);
  expect(refusal).toBe(no);
});
