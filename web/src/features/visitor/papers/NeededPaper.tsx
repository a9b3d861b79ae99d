import { use, useContext } from 'react';
import { PartAttempt } from '../lazyPart';
import { PaperName } from './PaperName';
import { paperTextsIn } from './paperTexts';

/** The name of a paper that the server names by its English label alone. */
export function NeededPaper({ label }: { label: string }) {
  const { names } = use(paperTextsIn('en', useContext(PartAttempt)));
  const known = Object.entries(names).find(([, name]) => name === label)?.[0];
  return <PaperName item={{ kind: known ?? KINDS[label] ?? '', label }} />;
}

/** The papers whose cards have names of their own. */
const KINDS: Record<string, string> = {
  Passport: 'passport',
  'Recent colour photograph': 'recent_photo',
};
