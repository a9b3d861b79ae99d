import { describe, expect, it } from 'vitest';
import type { DeskPaper, PaperReason } from '@/api/types';
import { isToAsk, nextToCheck, reasonOf, reasonsFor, wordOfPaper } from './deskWords';

const paper = (change: Partial<DeskPaper>): DeskPaper => ({
  kind: 'recent_photo',
  label: 'Recent colour photograph',
  is_required: true,
  state: 'received',
  ...change,
});

const reason = (code: string, state: PaperReason['state'], kinds: string[] = []): PaperReason => ({
  code,
  state,
  kinds,
  texts: { en: code },
  is_built_in: true,
  is_own: false,
  is_archived: false,
});

const REASONS = [
  reason('too_small', 'wrong'),
  reason('face', 'wrong', ['recent_photo']),
  reason('balance_too_low', 'wrong', ['bank_statement']),
  reason('blurred', 'unreadable'),
  { ...reason('torn', 'unreadable'), is_archived: true },
];

describe('the papers of the desk', () => {
  it('ask for what is missing or not fine, and not for what only some applicants need', () => {
    const asked = (change: Partial<DeskPaper>) => isToAsk(paper(change));
    expect(asked({ state: 'missing' })).toBe(true);
    expect(asked({ state: 'missing', is_required: false })).toBe(false);
    expect(asked({ state: 'wrong', is_required: false })).toBe(true);
    expect(asked({ state: 'received' })).toBe(false);
    expect(asked({ state: 'fine' })).toBe(false);
    expect(wordOfPaper(paper({ state: 'missing', is_required: false })).word).toBe('not given');
  });

  it('offer the reasons that fit, those of the paper first, and none that is archived', () => {
    const codes = (state: DeskPaper['state']) =>
      reasonsFor(REASONS, 'recent_photo', state).map(({ code }) => code);
    expect(codes('wrong')).toEqual(['face', 'too_small']);
    expect(codes('unreadable')).toEqual(['blurred']);
    expect(reasonOf(REASONS, paper({ state: 'wrong', reason: 'too_small' }))?.code).toBe(
      'too_small',
    );
    expect(reasonOf(REASONS, paper({ state: 'wrong' }))?.code).toBe('face');
    expect(reasonOf(REASONS, paper({ state: 'fine' }))).toBeUndefined();
  });

  it('lead to the next one that a member should still check', () => {
    const papers = [
      paper({ kind: 'passport', state: 'fine', suggested: 'wrong' }),
      paper({ kind: 'photo', state: 'missing' }),
      paper({ kind: 'ticket', state: 'fine' }),
      paper({ kind: 'statement', state: 'received' }),
    ];
    expect(nextToCheck(papers, 'passport')?.kind).toBe('statement');
    expect(nextToCheck(papers, 'statement')?.kind).toBe('passport');
    expect(nextToCheck(papers, undefined)?.kind).toBe('passport');
    expect(nextToCheck(papers.slice(1, 3), 'photo')).toBeUndefined();
  });
});
