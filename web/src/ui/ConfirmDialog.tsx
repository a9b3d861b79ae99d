import { Dialog, DialogActions, DialogText } from './Dialog';

export interface Question {
  title: string;
  text: string;
  /** The label of the confirming button, such as "Yes, delete". */
  yes: string;
  danger?: boolean;
}

interface ConfirmDialogProps {
  question: Question;
  onAnswer: (confirmed: boolean) => void;
}

export function ConfirmDialog({ question, onAnswer }: ConfirmDialogProps) {
  return (
    <Dialog title={question.title} onClose={() => onAnswer(false)}>
      <DialogText>{question.text}</DialogText>
      <DialogActions>
        <button type="button" className="button" onClick={() => onAnswer(false)}>
          Cancel
        </button>
        <button
          type="button"
          className="button"
          data-kind={question.danger ? 'danger' : 'primary'}
          data-autofocus
          onClick={() => onAnswer(true)}
        >
          {question.yes}
        </button>
      </DialogActions>
    </Dialog>
  );
}
