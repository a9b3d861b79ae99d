import { Button } from '@/ui/Button';
import { DialogActions } from '@/ui/Dialog';
import { SubmitButton } from '@/ui/Form';

interface SetupActionsProps {
  /** The text of the button that submits. */
  label: string;
  /** Closes the dialog. Undefined when the form is part of a page. */
  onCancel: (() => void) | undefined;
}

/** The buttons of a form that sets up a second factor. */
export function SetupActions({ label, onCancel }: SetupActionsProps) {
  const submit = <SubmitButton>{label}</SubmitButton>;
  if (!onCancel) return submit;
  return (
    <DialogActions>
      <Button onClick={onCancel}>Cancel</Button>
      {submit}
    </DialogActions>
  );
}
