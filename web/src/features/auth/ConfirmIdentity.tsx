import { Suspense, useEffect, useRef, useState } from 'react';
import { onConfirmationRequired } from '@/api/client';
import { Dialog, DialogText } from '@/ui/Dialog';
import { lazyComponent } from '@/ui/loadChunk';

const ConfirmForm = lazyComponent('ConfirmForm', () => import('./ConfirmForm'));

/**
 * Asks the member to confirm who they are whenever a call asks for it. The call is sent again afterwards, and refused
 * if the dialog goes away unanswered, for example because the session ended.
 */
export function ConfirmIdentity() {
  const [isOpen, setOpen] = useState(false);
  const answer = useRef<(confirmed: boolean) => void>(undefined);
  useEffect(() => {
    const unset = onConfirmationRequired(
      () =>
        new Promise((resolve) => {
          answer.current = resolve;
          setOpen(true);
        }),
    );
    return () => {
      unset();
      answer.current?.(false);
    };
  }, []);
  if (!isOpen) return null;
  const close = (confirmed: boolean) => {
    setOpen(false);
    answer.current?.(confirmed);
  };
  return (
    <Dialog title="Confirm that it is you" onClose={() => close(false)}>
      <Suspense fallback={<DialogText>Loading…</DialogText>}>
        <ConfirmForm onClose={close} />
      </Suspense>
    </Dialog>
  );
}
