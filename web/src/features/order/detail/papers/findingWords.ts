import type { PaperCheck, PaperFinding } from '@/api/types';
import type { Tone } from '@/ui/Chip';
import { plainDate } from '@/ui/times';

/** What a finding says in its row: a word and its colour. */
export function wordOf({ finding, field, verdict }: PaperFinding): { word: string; tone: Tone } {
  if (verdict) return { word: verdict === 'same' ? 'looked at: same' : 'typed kept', tone: 'done' };
  switch (finding) {
    case 'same':
      return { word: field === 'validity' ? 'long enough' : 'same', tone: 'done' };
    case 'differs':
      return { word: field === 'validity' ? 'too short' : 'differs', tone: 'danger' };
    case 'look':
      return { word: 'please look', tone: 'warn' };
    case 'not_typed':
      return { word: 'not typed', tone: 'neutral' };
    default:
      return { word: 'not readable', tone: 'neutral' };
  }
}

/** Whether a person should look at the finding, and nobody has. */
export const isOpen = ({ finding, verdict }: PaperFinding): boolean =>
  !verdict && (finding === 'differs' || finding === 'look');

/** A value of a finding; dates as everywhere in the app. */
export function valueOf(value: string | null | undefined): string {
  if (!value) return '–';
  return /^\d{4}-\d\d-\d\d$/.test(value) ? plainDate(value) : value;
}

/** The counts of a check: `6 same · 1 differs · 2 to look at`. */
export function countsOf({ findings }: Pick<PaperCheck, 'findings'>): string {
  const open = findings.filter(isOpen);
  const counts: [number, string][] = [
    [findings.filter(({ finding }) => finding === 'same').length, 'same'],
    [open.filter(({ finding }) => finding === 'differs').length, 'differs'],
    [open.filter(({ finding }) => finding === 'look').length, 'to look at'],
  ];
  return counts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(' · ');
}
