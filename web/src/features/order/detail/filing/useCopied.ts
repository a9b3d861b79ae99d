import { useState } from 'react';
import { draftOf, keepDraft } from '@/session/drafts';

/** The fields of an order that were copied for the portal, in this tab, until its application is filed. */
export function useCopied(staffId: number, orderId: number) {
  const [copied, setCopied] = useState<readonly string[]>(
    () => draftOf<string[]>('copied', staffId, orderId) ?? [],
  );
  const keep = (fields: readonly string[]) => {
    keepDraft('copied', staffId, orderId, fields.length > 0 ? fields : null);
    setCopied(fields);
  };
  return { copied, keep };
}
