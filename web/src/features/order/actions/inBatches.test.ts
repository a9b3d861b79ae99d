import { expect, test, vi } from 'vitest';
import { type BatchRefused, inBatches } from './inBatches';
import type { ActionResult } from './orderCalls';

const ids = Array.from({ length: 1200 }, (_, index) => index);

test('more than 500 orders go in batches of 500', async () => {
  const send = vi
    .fn<(batch: number[]) => Promise<ActionResult>>()
    .mockResolvedValue({ message: 'Done' });
  const { done, results } = await inBatches(ids, send);
  expect(send.mock.calls.map(([batch]) => batch.length)).toEqual([500, 500, 200]);
  expect(done).toEqual(ids);
  expect(results).toHaveLength(3);
});

test('no empty batch is sent', async () => {
  const send = vi
    .fn<(batch: number[]) => Promise<ActionResult>>()
    .mockResolvedValue({ message: 'Done' });
  await inBatches(ids.slice(0, 1000), send);
  expect(send).toHaveBeenCalledTimes(2);
  await inBatches([], send);
  expect(send).toHaveBeenCalledTimes(2);
});

test('the first refused batch is the last one sent', async () => {
  const no = new Error('Nothing was changed');
  const send = vi
    .fn<(batch: number[]) => Promise<ActionResult>>()
    .mockResolvedValueOnce({ message: 'Done' })
    .mockRejectedValueOnce(no);
  const refused = await inBatches(ids, send).catch((error: unknown) => error as BatchRefused);
  expect(send).toHaveBeenCalledTimes(2);
  expect(refused.done).toHaveLength(500);
  expect(refused).toMatchObject({ refusal: no, results: [{ message: 'Done' }] });
});
