import { useCallback, useState, type ReactNode } from 'react';
import { ConfirmDialog, type Question } from './ConfirmDialog';

interface Asked {
  question: Question;
  resolve: (confirmed: boolean) => void;
}

/** Gives a function that asks and waits for the answer, and the dialog to render. */
export function useConfirm(): [ask: (question: Question) => Promise<boolean>, dialog: ReactNode] {
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = useCallback(
    (question: Question) =>
      new Promise<boolean>((resolve) => {
        setAsked({ question, resolve });
      }),
    [],
  );
  const dialog = asked && (
    <ConfirmDialog
      question={asked.question}
      onAnswer={(confirmed) => {
        setAsked(null);
        asked.resolve(confirmed);
      }}
    />
  );
  return [ask, dialog];
}
