import { Dialog } from './Dialog';
import classes from './Dialog.module.css';

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
      <p className={classes.text}>{question.text}</p>
      <div className={classes.actions}>
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
      </div>
    </Dialog>
  );
}
