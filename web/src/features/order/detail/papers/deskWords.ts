import type { DeskPaper, PaperReason } from '@/api/types';
import type { Tone } from '@/ui/Chip';

export type PaperState = DeskPaper['state'];

/** The states that a member can give a paper, each with its key. */
export const SAID = [
  { said: 'fine', key: '1' },
  { said: 'unreadable', key: '2' },
  { said: 'wrong', key: '3' },
  { said: 'expired', key: '4' },
] as const;

const WORDS: Record<PaperState, { word: string; tone: Tone }> = {
  missing: { word: 'missing', tone: 'danger' },
  received: { word: 'received', tone: 'neutral' },
  fine: { word: 'fine', tone: 'done' },
  unreadable: { word: 'unreadable', tone: 'danger' },
  wrong: { word: 'wrong', tone: 'danger' },
  expired: { word: 'expired', tone: 'danger' },
};

/**
 * Returns the word of the list for a paper and its colour. A paper that only some applicants need
 * does not count as missing.
 */
export function wordOfPaper({ state, is_required }: DeskPaper): { word: string; tone: Tone } {
  if (state === 'missing' && !is_required) return { word: 'not given', tone: 'neutral' };
  return WORDS[state];
}

/**
 * Returns true if the applicant should send the paper, as long as the member does not choose
 * otherwise.
 */
export function isToAsk({ state, is_required }: DeskPaper): boolean {
  if (state === 'missing') return is_required;
  return state === 'unreadable' || state === 'wrong' || state === 'expired';
}

/** The reasons that can be chosen for a paper in a state. */
export function reasonsFor(
  reasons: readonly PaperReason[],
  kind: string,
  state: PaperState,
): PaperReason[] {
  const offered = reasons.filter((reason) => !reason.is_archived && reason.state === state);
  const fitting = offered.filter(({ kinds }) => kinds.length === 0 || kinds.includes(kind));
  // Those that are about this paper alone come first.
  return fitting.toSorted((a, b) => Number(a.kinds.length === 0) - Number(b.kinds.length === 0));
}

/** The reason with which a paper is asked for: the chosen one, else the first that fits. */
export function reasonOf(
  reasons: readonly PaperReason[],
  { kind, state, reason }: DeskPaper,
): PaperReason | undefined {
  const fitting = reasonsFor(reasons, kind, state);
  return fitting.find(({ code }) => code === reason) ?? fitting[0];
}

/** Returns the next paper after that of `kind`, past the end from the beginning, that a member should still check. */
export function nextToCheck(
  papers: readonly DeskPaper[],
  kind: string | undefined,
): DeskPaper | undefined {
  const after = papers.findIndex((paper) => paper.kind === kind) + 1;
  return [...papers.slice(after), ...papers.slice(0, after)].find(
    ({ state, suggested }) => state === 'received' || suggested,
  );
}
