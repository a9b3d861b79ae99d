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
    <button type="submit" className="button" data-kind="primary" aria-disabled={isBusy}>
      {label}
    </button>
  );
  if (!onCancel) return submit;
  return (
    <DialogActions>
      <button type="button" className="button" onClick={onCancel}>
        Cancel
      </button>
      {submit}
    </DialogActions>
  );
}
