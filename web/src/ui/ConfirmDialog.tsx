import { Dialog, DialogActions, DialogText } from './Dialog';
import { Button } from './Button';

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
        <Button onClick={() => onAnswer(false)}>Cancel</Button>
        <Button
          kind={question.danger ? 'danger' : 'primary'}
          focusFirst
          onClick={() => onAnswer(true)}
        >
          {question.yes}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
