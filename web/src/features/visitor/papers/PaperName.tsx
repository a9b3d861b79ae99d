import { usePaperTexts } from './paperTexts';
import type { AskedItem } from './usePaperUpload';

/** What a paper is called. The catalogue of rarer ones is English. */
export function PaperName({ item: { kind, label } }: { item: AskedItem }) {
  const words = usePaperTexts();
  if (kind === 'passport') return words.passport;
  if (kind === 'recent_photo') return words.photograph;
  return <bdi lang="en">{label}</bdi>;
}
