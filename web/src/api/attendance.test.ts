import { expect, test, vi } from 'vitest';
import { get, member, server, success } from '@/testing/server';
import { answer, api } from './client';

const load = () => answer(api.GET('/api/user_info'));

test('requests are marked while nobody uses the screen', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const marks: (string | null)[] = [];
  server.use(
    get('/api/user_info', ({ request }) => {
      marks.push(request.headers.get('x-background'));
      return success({ data: member() });
    }),
  );
  window.dispatchEvent(new Event('keydown'));
  await load();
  vi.setSystemTime(Date.now() + 30_000);
  await load();
  window.dispatchEvent(new Event('pointermove'));
  await load();
  expect(marks).toEqual([null, '1', null]);
});
