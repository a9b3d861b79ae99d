import { usePaperTexts } from './paperTexts';
import type { PaperItem } from './usePaperUpload';

/** The name of a paper. The catalogue of rarer ones is English. */
export function PaperName({ item: { kind, label } }: { item: PaperItem }) {
  const words = usePaperTexts();
  if (kind === 'passport') return words.passport;
  if (kind === 'recent_photo') return words.photograph;
  return <bdi lang="en">{label}</bdi>;
}
