import type { PaperCheck, PaperFinding } from '@/api/types';
import type { Tone } from '@/ui/Chip';
import { plainDate } from '@/ui/times';

/** The fields that are compared with a limit, and not with what was typed. */
const LIMITED: ReadonlySet<string> = new Set([
  'validity',
  'format',
  'pixels',
  'file_size',
  'aspect',
  'colour',
  'sharpness',
  'border',
]);

/** Returns true if the field is compared with a limit, and not with the typed value. */
export const isLimited = ({ field }: Pick<PaperFinding, 'field'>): boolean => LIMITED.has(field);

/** Returns the text of a finding in its row: a word and its colour. */
export function wordOf(row: PaperFinding): { word: string; tone: Tone } {
  const { finding, verdict } = row;
  if (verdict === 'same') return { word: 'checked', tone: 'done' };
  if (verdict) return { word: isLimited(row) ? 'checked' : 'kept as typed', tone: 'done' };
  switch (finding) {
    case 'same':
      return { word: isLimited(row) ? 'fine' : 'same', tone: 'done' };
    case 'differs':
      return { word: isLimited(row) ? 'not allowed' : 'differs', tone: 'danger' };
    case 'look':
      return { word: 'check', tone: 'warn' };
    case 'not_typed':
      return { word: 'not typed', tone: 'neutral' };
    default:
      return { word: 'not readable', tone: 'neutral' };
  }
}

/** Returns true if the finding needs a review that no member has made yet. */
export const isOpen = ({ finding, verdict }: PaperFinding): boolean =>
  !verdict && (finding === 'differs' || finding === 'look');

/** Returns true if a value of a finding is a date. */
export const isDate = (value: string | null | undefined): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(value ?? '');

/** A value of a finding; dates as everywhere in the app. */
export function valueOf(value: string | null | undefined): string {
  if (!value) return '–';
  return isDate(value) ? plainDate(value) : value;
}

/** Returns true if no field of the paper could be read. */
export const isUnread = ({ findings }: Pick<PaperCheck, 'findings'>): boolean =>
  findings.length > 0 && findings.every(({ finding }) => finding === 'not_readable');

/** The counts of a check: `6 same · 1 differs · 2 to check`. */
export function countsOf({ findings, paper }: Pick<PaperCheck, 'findings' | 'paper'>): string {
  const isPassport = paper === 'passport';
  const open = findings.filter(isOpen);
  const counts: [number, string][] = [
    [findings.filter(({ finding }) => finding === 'same').length, isPassport ? 'same' : 'fine'],
    [
      open.filter(({ finding }) => finding === 'differs').length,
      isPassport ? 'differs' : 'not allowed',
    ],
    [open.filter(({ finding }) => finding === 'look').length, 'to check'],
    [findings.filter(({ finding }) => finding === 'not_readable').length, 'not readable'],
  ];
  return counts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(' · ');
}
