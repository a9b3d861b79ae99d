import type { SentMail } from '@/api/types';
import type { Tone } from '@/ui/Chip';

/** What became of a mail: a word, its colour, and what to know or do about it. */
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
    case 'failed':
      return { word: 'Failed', tone: 'danger', note: mail.failure ?? undefined };
    default:
      return {
        word: 'Unknown',
        tone: 'warn',
        note: 'It may have arrived: the connection broke as it was handed over. Ask the customer, or send it again.',
      };
  }
}

function waitingNote(attempts: SentMail['attempts']): string | undefined {
  const last = attempts.at(-1);
  if (!last) return undefined;
  if (last.outcome === null || last.outcome === undefined) return 'It is being sent';
  const tries = attempts.length === 1 ? 'Tried once' : `Tried ${attempts.length} times`;
  return `${tries}, will be tried again${last.answer ? `: ${last.answer}` : ''}`;
}

const SECOND_MS = 1000;
/** While a mail is on its way this often; one that waits for long is asked for less and less. */
const SHORTEST_MS = 2 * SECOND_MS;
const LONGEST_MS = 60 * SECOND_MS;

/** After how many milliseconds to ask again what became of the mails; false: nothing will. */
export function nextLook(
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
