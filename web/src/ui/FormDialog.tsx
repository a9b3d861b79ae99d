import { Button } from './Button';
import { Dialog, DialogActions } from './Dialog';
import { Form, SubmitButton, type FormProps } from './Form';
import classes from './FormDialog.module.css';

interface FormDialogProps extends Omit<FormProps, 'card' | 'className'> {
  title: string;
  wide?: boolean;
  /** The button that saves. */
  save: string;
  onClose: () => void;
}

/** A dialog that is a form, with its fields below each other. */
export function FormDialog({ title, wide, save, onClose, children, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} wide={wide} onClose={onClose}>
      <Form {...form} aria-label={title} className={classes.form}>
        {children}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>{save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
