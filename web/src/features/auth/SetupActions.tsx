import { Button } from '@/ui/Button';
import { DialogActions } from '@/ui/Dialog';

interface SetupActionsProps {
  /** The text of the button that submits. */
  label: string;
  isBusy: boolean;
  /** Closes the dialog. Undefined when the form is part of a page. */
  onCancel: (() => void) | undefined;
}

/** The buttons of a form that sets up a second factor. */
export function SetupActions({ label, isBusy, onCancel }: SetupActionsProps) {
  const submit = (
    <Button type="submit" kind="primary" busy={isBusy}>
      {label}
    </Button>
  );
  if (!onCancel) return submit;
  return (
    <DialogActions>
      <Button onClick={onCancel}>Cancel</Button>
      {submit}
    </DialogActions>
  );
}
