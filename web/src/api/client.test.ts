import { expect, test, vi } from 'vitest';
import {
  counts as served,
  get,
  member,
  post,
  refusal,
  server,
  signedInAs,
  success,
} from '@/testing/server';
import { delay, HttpResponse } from 'msw';
import { ApiError } from './ApiError';
import { answer, api, fileAnswer, onSessionEnd } from './client';
import { storedLogin } from './storedLogin';

const counts = () => answer(api.GET('/api/admin/get-all-folder-count'));
const refused = (call: Promise<unknown>) => call.catch((error: unknown) => error as ApiError);

test('a call sends the token unchanged, and a POST its own idempotency key', async () => {
  signedInAs(member());
  const seen: Headers[] = [];
  server.use(
    post('/api/admin/sign-out', ({ request }) => {
      seen.push(request.headers);
      return success({});
    }),
  );
  await answer(api.POST('/api/admin/sign-out'));
  await answer(api.POST('/api/admin/sign-out'));
  expect(seen[0]?.get('Authorization')).toBe(storedLogin()?.accessToken);
  const keys = seen.map((headers) => headers.get('Idempotency-Key'));
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[0]).not.toBe(keys[1]);
});

test('a caller names the key and the sign-in of a call itself, and a GET has no key', async () => {
  signedInAs(member());
  const seen: Headers[] = [];
  const see = ({ request }: { request: Request }) => {
    seen.push(request.headers);
    return success({ data: served });
  };
  server.use(post('/api/admin/sign-out', see), get('/api/admin/get-all-folder-count', see));
  const headers = { 'Idempotency-Key': 'of the first try', Authorization: 'an earlier token' };
  await answer(api.POST('/api/admin/sign-out', { headers }));
  await counts();
  expect(seen.map((it) => it.get('Idempotency-Key'))).toEqual(['of the first try', null]);
  expect(seen[0]?.get('Authorization')).toBe('an earlier token');
});

test('a body is sent as JSON with its content type', async () => {
  const seen: unknown[] = [];
  server.use(
    post('/api/admin/change-password', async ({ request }) => {
      seen.push(request.headers.get('Content-Type'), await request.text());
      return success({});
    }),
  );
  await answer(api.POST('/api/admin/change-password', { body: { newPassword: 'long enough' } }));
  expect(seen).toEqual(['application/json', '{"newPassword":"long enough"}']);
});

test('status 0 is a refusal even with HTTP 200', async () => {
  server.use(get('/api/admin/get-all-folder-count', () => refusal(200, 'Not now')));
  expect(await refused(counts())).toMatchObject({ message: 'Not now', status: 200 });
});

test.each([
  [404, 'no_such_address'],
  [405, 'method_not_allowed'],
])('a call that a newer server no longer has asks for a reload (%i)', async (status, code) => {
  server.use(
    get('/api/admin/get-all-folder-count', () => refusal(status, 'There is nothing', code)),
  );
  const message = 'Visadesk was updated while this page was open. Please reload the page.';
  expect(await refused(counts())).toMatchObject({ message, status, code });
});

test.each([200, 201, 299])('HTTP %i with status 1 is a success', async (status) => {
  const body = { status: 1, message: '', data: { newOrdersCount: 3 } };
  server.use(get('/api/admin/get-all-folder-count', () => HttpResponse.json(body, { status })));
  expect(await counts()).toMatchObject({ data: { newOrdersCount: 3 } });
});

test.each([300, 400, 404, 503])('HTTP %i is a failure, whatever its body says', async (status) => {
  const body = { status: 1, message: 'Fine' };
  server.use(get('/api/admin/get-all-folder-count', () => HttpResponse.json(body, { status })));
  expect(await refused(counts())).toMatchObject({ message: 'Fine', status });
});

test('a call has no timeout', async () => {
  vi.useFakeTimers();
  // Its timers run although those of the test do not.
  const limited = vi.spyOn(AbortSignal, 'timeout');
  server.use(
    get('/api/admin/get-all-folder-count', async () => {
      await delay(3_600_000);
      return success({ data: served });
    }),
  );
  const call = counts();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(await call).toMatchObject({ data: served });
  expect(limited).not.toHaveBeenCalled();
  vi.useRealTimers();
});

test('a refusal has a reason and the order that caused it', async () => {
  const taken = { order_id: 100234 };
  server.use(
    get('/api/admin/get-all-folder-count', () =>
      refusal(409, 'Taken', 'order_already_assigned', taken),
    ),
  );
  expect(await refused(counts())).toMatchObject({
    status: 409,
    code: 'order_already_assigned',
    data: { order_id: 100234 },
  });
});

test('a missing or unreadable answer has its own message', async () => {
  server.use(get('/api/admin/get-all-folder-count', () => HttpResponse.error()));
  expect(await refused(counts())).toMatchObject({
    status: 0,
    message: expect.stringContaining('cannot be reached') as string,
  });
  server.use(get('/api/admin/get-all-folder-count', () => HttpResponse.json({}, { status: 502 })));
  expect(await refused(counts())).toMatchObject({
    status: 502,
    message: expect.stringContaining('could not be read') as string,
  });
  server.use(get('/api/admin/get-all-folder-count', () => HttpResponse.html('<p>502</p>')));
  const unreadable = await refused(counts());
  expect(unreadable).toBeInstanceOf(ApiError);
  expect(unreadable).toHaveProperty('message', expect.stringContaining('could not be read'));
});

test('a cancelled call ends as cancelled, not as a failure', async () => {
  server.use(
    get('/api/admin/get-all-folder-count', async () => {
      await delay('infinite');
      return success({ data: served });
    }),
  );
  const cancel = new AbortController();
  const call = answer(api.GET('/api/admin/get-all-folder-count', { signal: cancel.signal }));
  cancel.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});

test('a file has the name that the server gives it, and a refusal its message', async () => {
  const path = '/api/admin/future-orders-csv';
  const call = () =>
    fileAnswer(api.GET(path, { params: { query: { year: 2027 } }, parseAs: 'blob' }));
  const named = { 'Content-Disposition': 'attachment; filename="2027.csv"' };
  server.use(get(path, () => HttpResponse.text('January', { headers: named })));
  const file = await call();
  expect(file.name).toBe('2027.csv');
  expect(await file.content.text()).toBe('January');
  server.use(get(path, () => HttpResponse.text('January')));
  expect(await call()).toMatchObject({ name: 'download' });
  server.use(get(path, () => refusal(403, 'You may not do this', 'forbidden')));
  expect(await refused(call())).toMatchObject({
    status: 403,
    code: 'forbidden',
    message: 'You may not do this',
  });
});

test('a 401 ends the session it was asked with, and no other', async () => {
  signedInAs(member());
  const ended = vi.fn<(message: string) => void>();
  onSessionEnd(ended);
  server.use(get('/api/admin/get-all-folder-count', () => refusal(401, 'Please sign in again')));
  await refused(counts());
  expect(ended).toHaveBeenCalledExactlyOnceWith('Please sign in again');
  const headers = { Authorization: 'an earlier token' };
  await refused(answer(api.GET('/api/admin/get-all-folder-count', { headers })));
  expect(ended).toHaveBeenCalledTimes(1);
});

test('a 401 without a readable reason ends the session, too', async () => {
  signedInAs(member());
  const ended = vi.fn<(message: string) => void>();
  onSessionEnd(ended);
  server.use(
    get('/api/admin/get-all-folder-count', () => HttpResponse.html('<p>401</p>', { status: 401 })),
  );
  await refused(counts());
  expect(ended).toHaveBeenCalledExactlyOnceWith('Your session has ended. Please sign in again.');
});
