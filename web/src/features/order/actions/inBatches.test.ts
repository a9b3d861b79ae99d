import { expect, test, vi } from 'vitest';
import { type BatchRefused, inBatches } from './inBatches';
import type { ActionResult } from './orderCalls';

const ids = Array.from({ length: 1200 }, (_, index) => index);

test('more than 500 orders go in batches of 500 at most', async () => {
  const send = vi
    .fn<(batch: number[]) => Promise<ActionResult>>()
    .mockResolvedValue({ message: 'Done' });
  const { done, results } = await inBatches(ids, send);
  expect(send.mock.calls.map(([batch]) => batch.length)).toEqual([400, 400, 400]);
  expect(done).toEqual(ids);
  expect(results).toHaveLength(3);
});

test.each([
  [0, []],
  [1, [1]],
  [500, [500]],
  [501, [250, 251]],
  [510, [255, 255]],
  [1001, [333, 334, 334]],
])('%i orders go in batches of nearly equal size', async (count, sizes) => {
  const send = vi
    .fn<(batch: number[]) => Promise<ActionResult>>()
    .mockResolvedValue({ message: 'Done' });
  const orders = Array.from({ length: count }, (_, index) => index);
  const { done } = await inBatches(orders, send);
  expect(send.mock.calls.map(([batch]) => batch.length)).toEqual(sizes);
  expect(done).toEqual(orders);
});

test('the first refused batch is the last one sent', async () => {
  const no = new Error('Nothing was changed');
  const send = vi
    .fn<(batch: number[]) => Promise<ActionResult>>()
    .mockResolvedValueOnce({ message: 'Done' })
    .mockRejectedValueOnce(no);
  const refused = await inBatches(ids, send).catch((error: unknown) => error as BatchRefused);
  expect(send).toHaveBeenCalledTimes(2);
  expect(refused.done).toHaveLength(400);
  expect(refused).toMatchObject({ refusal: no, results: [{ message: 'Done' }] });
});
