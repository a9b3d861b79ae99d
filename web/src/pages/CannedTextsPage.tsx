import { CannedTexts } from '@/features/order/cannedTexts/CannedTexts';

/** The texts that members use often, in comments and in messages to applicants. */
export function CannedTextsPage() {
  return <CannedTexts />;
}
