import { screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { textsIn } from '@/i18n/texts';
import { post, refusal, server, success } from '@/testing/server';
import { openVisitorPage, readyOrder } from '@/testing/visitor';

const TRACK = '/track-order/MjAwMDAy';
const DETAILS = '/get-new-order-details/MjAwMDAy';

const address = () => location.pathname + location.search + location.hash;
const email = (name = 'Email') => screen.findByRole('textbox', { name });

beforeEach(() => {
  document.cookie = 'visadesk_language=; Max-Age=0; Path=/';
  document.documentElement.lang = 'en';
});

test('an applicant who is stopped gets in with a mailed code', async () => {
  const asked: unknown[] = [];
  const take = async ({ request }: { request: Request }) => asked.push(await request.json());
  server.use(
    post('/api/front/track-order', () => refusal(429, 'Too many tries', 'too_many_failures')),
    post('/api/front/send-tracking-code', async (call) => {
      await take(call);
      return success({ codeToken: 'ticket' });
    }),
    post('/api/front/confirm-tracking-code', async (call) => {
      await take(call);
      return asked.length === 2
        ? refusal(404, 'This code is wrong', 'tracking_code_wrong')
        : success({ visitorToken: 'grant' });
    }),
    post('/api/front/get-download-history', () => success(readyOrder())),
  );
  const user = await openVisitorPage(TRACK);
  await user.type(await email(), 'w@post.example');
  await user.click(screen.getByRole('button', { name: 'TRACK ORDER' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Too many tries');
  await user.click(screen.getByRole('button', { name: 'Send me a code by email' }));
  const code = await screen.findByRole('textbox', { name: 'Code from the email' });
  expect(code).toHaveFocus();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Code from the email');
  expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  expect(screen.getByText(/a six-digit code is on its way/)).toBeVisible();
  await user.type(code, '12{Enter}');
  expect(screen.getByText('Please enter the six digits')).toBeVisible();
  await user.clear(code);
  await user.type(code, '123 456{Enter}');
  expect(await screen.findByText('This code is wrong')).toBeVisible();
  await user.type(code, '{Enter}');
  expect(await screen.findByText('Your e-visa is ready')).toHaveFocus();
  expect(asked).toEqual([
    { orderId: '100001', email: 'w@post.example' },
    { orderId: '100001', code: '123456' },
    { orderId: '100001', code: '123456' },
  ]);
  expect(address()).toBe(DETAILS);
});

test('the code is still asked for after a reload, and the email is one click away', async () => {
  server.use(post('/api/front/send-tracking-code', () => success({ codeToken: 'ticket' })));
  const user = await openVisitorPage(TRACK);
  await user.type(await email(), 'w@post.example');
  await user.click(screen.getByRole('button', { name: 'Send me a code by email' }));
  expect(await screen.findByRole('textbox', { name: 'Code from the email' })).toBeVisible();
  expect(history.state).toBe('code');
  await user.click(screen.getByRole('button', { name: 'Enter the email instead' }));
  expect(await email()).toHaveValue('w@post.example');
  expect(history.state).toBeNull();
});

test('a mailed link opens the order without typing, and its key leaves the address and the history', async () => {
  const asked: unknown[] = [];
  server.use(
    post('/api/front/open-mailed-link', async ({ request }) => {
      asked.push(await request.json());
      return success({ visitorToken: 'grant' });
    }),
    post('/api/front/get-download-history', () => success(readyOrder())),
  );
  await openVisitorPage(`${TRACK}#key=aB-_9`);
  expect(await screen.findByText('Your e-visa is ready')).toBeVisible();
  expect(asked).toEqual([{ orderId: '100001', key: 'aB-_9' }]);
  expect(address()).toBe(DETAILS);
  history.back();
  await waitFor(() => expect(address()).toBe(TRACK));
});

test('a mailed link keeps its key until the server has answered, so that a reload tries it again', async () => {
  server.use(post('/api/front/open-mailed-link', () => HttpResponse.error()));
  const { offline } = await textsIn('en');
  const user = await openVisitorPage(`${TRACK}#key=aB-_9`);
  expect(await screen.findByText(offline)).toBeVisible();
  expect(address()).toBe(`${TRACK}#key=aB-_9`);

  server.use(
    post('/api/front/track-order', () => success({ visitorToken: 'grant' })),
    post('/api/front/get-download-history', () => success(readyOrder())),
  );
  await user.type(await email(), 'w@post.example{Enter}');
  expect(await screen.findByText('Your e-visa is ready')).toBeVisible();
  history.back();
  await waitFor(() => expect(address()).toBe(TRACK));
});

test('an old link says so and asks for the email', async () => {
  server.use(
    post('/api/front/open-mailed-link', () => refusal(404, 'Old link', 'mailed_link_invalid')),
  );
  const german = await textsIn('de');
  await openVisitorPage(`${TRACK}#key=aB-_9`, 'de');
  expect(await screen.findByText(german.linkInvalid)).toBeVisible();
  expect(await email(german.email)).toBeVisible();
  expect(location.hash).toBe('');
});
