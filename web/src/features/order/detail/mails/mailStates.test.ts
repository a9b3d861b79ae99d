import { expect, test } from 'vitest';
import type { SentMail } from '@/api/types';
import { mailPollInterval, stateOf } from './mailStates';

const at = '2026-11-20T09:00:00Z';
const attempt = (
  outcome: SentMail['attempts'][number]['outcome'],
  answer: string | null = null,
) => ({
  at,
  ended_at: at,
  outcome,
  answer,
});

test('a queued mail shows the error of its last attempt', () => {
  expect(stateOf({ state: 'queued', attempts: [] })).toEqual({ word: 'Queued', tone: 'info' });
  const once = [attempt('put off', '421 Try again later')];
  expect(stateOf({ state: 'queued', attempts: once }).note).toBe(
    'Tried once, will be retried: 421 Try again later',
  );
  expect(stateOf({ state: 'queued', attempts: [...once, attempt('put off')] }).note).toBe(
    'Tried 2 times, will be retried',
  );
  expect(stateOf({ state: 'queued', attempts: [attempt(null)] }).note).toBe('Sending');
});

test('a failed mail shows the reason, an unknown one what to do', () => {
  expect(stateOf({ state: 'failed', failure: '550 No such mailbox', attempts: [] })).toEqual({
    word: 'Failed',
    tone: 'danger',
    note: '550 No such mailbox',
  });
  const unknown = stateOf({ state: 'unknown', attempts: [] });
  expect(unknown).toMatchObject({ word: 'Unknown', tone: 'warn' });
  expect(unknown.note).toContain('send it again');
});

test('a mail that was written to a file went to nobody', () => {
  expect(stateOf({ state: 'written', failure: null, attempts: [] })).toEqual({
    word: 'Written to a file',
    tone: 'warn',
    note: 'No email provider is set up, so it was not sent.',
  });
});

test('a stopped mail shows why', () => {
  expect(stateOf({ state: 'stopped', failure: 'Stopped by Budi', attempts: [] })).toEqual({
    word: 'Stopped',
    tone: 'warn',
    note: 'Stopped by Budi',
  });
});

test('the order is polled while a mail is queued, less often over time', () => {
  const now = (seconds: number) => new Date(Date.parse(at) + seconds * 1000);
  const queued = [{ state: 'queued' as const, create_ts: at }];
  expect(mailPollInterval([{ state: 'sent', create_ts: at }], now(0))).toBe(false);
  expect(mailPollInterval(queued, now(0))).toBe(2_000);
  expect(mailPollInterval(queued, now(100))).toBe(10_000);
  expect(mailPollInterval(queued, now(86_400))).toBe(60_000);
  const younger = { state: 'queued' as const, create_ts: '2026-11-20T09:10:00Z' };
  expect(mailPollInterval([...queued, younger], now(700))).toBe(10_000);
});
