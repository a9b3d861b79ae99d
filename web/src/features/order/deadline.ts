import type { ChargebackDeadline } from '@/api/types';
import type { Tone } from '@/ui/Chip';

type Deadline = Pick<ChargebackDeadline, 'days_left' | 'urgency'>;

/** The time left to answer a chargeback, as in `4 days left · Soon`; once decided, its outcome. */
export function deadlineText(deadline: Deadline): string {
  return deadlineParts(deadline).join('');
}

/** That text in two parts; the first is enough where there is no room for both. */
export function deadlineParts({ days_left: days, urgency }: Deadline): [string, string] {
  if (days === null || days === undefined || days === 0) return [urgency, ''];
  return days < 0 ? [urgency, ` by ${inDays(-days)}`] : [`${inDays(days)} left`, ` · ${urgency}`];
}

const TONES: Record<string, Tone> = {
  Overdue: 'danger',
  'Due today': 'danger',
  Urgent: 'danger',
  Soon: 'warn',
  'In time': 'done',
  Won: 'done',
};

export function deadlineTone({ urgency }: Pick<Deadline, 'urgency'>): Tone {
  return TONES[urgency] ?? 'neutral';
}

/** `1 day`, `12 days`. */
export function inDays(days: number): string {
  return `${days} ${days === 1 ? 'day' : 'days'}`;
}
