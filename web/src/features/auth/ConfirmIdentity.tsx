import { lazy, Suspense, useEffect, useState } from 'react';
import { onConfirmationRequired } from '@/api/client';
import { Dialog, DialogText } from '@/ui/Dialog';
import { loadChunk } from '@/ui/loadChunk';

const ConfirmForm = lazy(async () => ({
  default: (await loadChunk('confirm-identity', () => import('./ConfirmForm'))).ConfirmForm,
}));

/** Asks the member to confirm who they are whenever a call asks for it. The call is sent again afterwards. */
export function ConfirmIdentity() {
  const [answers, setAnswers] = useState<{ resolve: (confirmed: boolean) => void } | null>(null);
  useEffect(
    () => onConfirmationRequired(() => new Promise((resolve) => setAnswers({ resolve }))),
    [],
  );
  if (answers === null) return null;
  const close = (confirmed: boolean) => {
    setAnswers(null);
    answers.resolve(confirmed);
  };
  return (
    <Dialog title="Confirm that it is you" onClose={() => close(false)}>
      <Suspense fallback={<DialogText>Loading…</DialogText>}>
        <ConfirmForm onClose={close} />
      </Suspense>
    </Dialog>
  );
}
