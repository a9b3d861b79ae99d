import { useTexts } from '@/i18n/texts';
import { usePaperTexts } from './paperTexts';
import type { PaperItem } from './usePaperUpload';

/** The name of a paper; in English as the server calls it, and so too where a newer server asks for one that this page does not know. */
export function PaperName({ item: { kind, label } }: { item: Pick<PaperItem, 'kind' | 'label'> }) {
  const { language } = useTexts();
  const words = usePaperTexts();
  if (kind === 'passport') return words.passport;
  if (kind === 'recent_photo') return words.photograph;
  const known = language !== 'en' && (words.names as Partial<Record<string, string>>)[kind];
  return known || <bdi lang="en">{label}</bdi>;
}
