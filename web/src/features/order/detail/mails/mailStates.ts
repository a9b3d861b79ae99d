import type { SentMail } from '@/api/types';
import type { Tone } from '@/ui/Chip';

/** The state of a mail: a word, its colour, and a note where action may be needed. */
export function stateOf(mail: Pick<SentMail, 'state' | 'failure' | 'attempts'>): {
  word: string;
  tone: Tone;
  note?: string;
} {
  switch (mail.state) {
    case 'queued':
      return { word: 'Queued', tone: 'info', note: waitingNote(mail.attempts) };
    case 'sent':
      return { word: 'Sent', tone: 'done' };
    case 'written':
      return {
        word: 'Written to a file',
        tone: 'warn',
        note: 'No email provider is set up, so it was not sent.',
      };
    case 'stopped':
      return { word: 'Stopped', tone: 'warn', note: mail.failure ?? undefined };
    case 'failed':
      return { word: 'Failed', tone: 'danger', note: mail.failure ?? undefined };
    default:
      return {
        word: 'Unknown',
        tone: 'warn',
        note: 'It may have arrived: the connection broke while it was being sent. Ask the customer, or send it again.',
      };
  }
}

function waitingNote(attempts: SentMail['attempts']): string | undefined {
  const last = attempts.at(-1);
  if (!last) return undefined;
  if (last.outcome === null || last.outcome === undefined) return 'Sending';
  const tries = attempts.length === 1 ? 'Tried once' : `Tried ${attempts.length} times`;
  return `${tries}, will be retried${last.answer ? `: ${last.answer}` : ''}`;
}

const SECOND_MS = 1000;
/** The interval grows with the age of the youngest queued mail. */
const SHORTEST_MS = 2 * SECOND_MS;
const LONGEST_MS = 60 * SECOND_MS;

/** After how many milliseconds to poll the state of the mails again; false when all are settled. */
export function mailPollInterval(
  mails: readonly Pick<SentMail, 'state' | 'create_ts'>[],
  now: Date,
): number | false {
  const waiting = mails.filter(({ state }) => state === 'queued');
  if (waiting.length === 0) return false;
  const youngest = Math.min(
    ...waiting.map(({ create_ts }) => now.getTime() - Date.parse(create_ts)),
  );
  return Math.min(Math.max(youngest / 10, SHORTEST_MS), LONGEST_MS);
}
