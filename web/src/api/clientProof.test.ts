import { expect, onTestFinished, test, vi } from 'vitest';
import { post, refusal, server, success } from '@/testing/server';
import { answer, api, onConfirmationRequired } from './client';

const PATH = '/api/admin/change-password';
const asksForProof = () => refusal(403, 'Please confirm who you are', 'confirmation_required');
const change = () => answer(api.POST(PATH, { body: { newPassword: 'long enough' } }));

/** Asks the member for a proof with `ask`, during this test. */
function askWith(ask: () => Promise<boolean>) {
  const asked = vi.fn<() => Promise<boolean>>(ask);
  onTestFinished(onConfirmationRequired(asked));
  return asked;
}

test('a call that needs a proof is sent again as it was, once the proof is given', async () => {
  const sent: unknown[] = [];
  server.use(
    post(PATH, async ({ request }) => {
      sent.push([request.headers.get('Idempotency-Key'), await request.text()]);
      return sent.length === 1 ? asksForProof() : success({}, 'Changed');
    }),
  );
  const asked = askWith(() => Promise.resolve(true));
  expect(await change()).toMatchObject({ message: 'Changed' });
  expect(asked).toHaveBeenCalledOnce();
  expect(sent).toEqual([sent[0], sent[0]]);
  expect(sent[0]).toEqual([expect.any(String), '{"newPassword":"long enough"}']);
});

test('without the proof the refusal stands', async () => {
  let calls = 0;
  server.use(
    post(PATH, () => {
      calls += 1;
      return asksForProof();
    }),
  );
  askWith(() => Promise.resolve(false));
  await expect(change()).rejects.toMatchObject({ status: 403, code: 'confirmation_required' });
  expect(calls).toBe(1);
});

test('a call that is forbidden for another reason asks for no proof', async () => {
  server.use(post(PATH, () => refusal(403, 'You may not do this', 'forbidden')));
  const asked = askWith(() => Promise.resolve(true));
  await expect(change()).rejects.toMatchObject({ code: 'forbidden' });
  expect(asked).not.toHaveBeenCalled();
});

test('calls that wait for a proof ask once together, and a later call asks again', async () => {
  let calls = 0;
  let isProved = false;
  server.use(
    post(PATH, () => {
      calls += 1;
      return isProved ? success({}) : asksForProof();
    }),
  );
  const asked = askWith(async () => {
    await vi.waitFor(() => expect(calls).toBe(2));
    isProved = true;
    return true;
  });
  await Promise.all([change(), change()]);
  expect(asked).toHaveBeenCalledOnce();
  expect(calls).toBe(4);
  isProved = false;
  calls = 1;
  await change();
  expect(asked).toHaveBeenCalledTimes(2);
});

test('a proof that was never given holds up no later call', async () => {
  let isProved = false;
  server.use(post(PATH, () => (isProved ? success({}, 'Changed') : asksForProof())));
  const asked = vi.fn<() => Promise<boolean>>(() => new Promise(() => {}));
  const unset = onConfirmationRequired(asked);
  void change().catch(() => undefined);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
  unset();
  askWith(() => {
    isProved = true;
    return Promise.resolve(true);
  });
  expect(await change()).toMatchObject({ message: 'Changed' });
});
