import { zodResolver } from '@hookform/resolvers/zod';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '@/ui/Button';
import { Dialog, DialogActions, DialogText } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import classes from './VisaReason.module.css';
import { deliveryReason } from './visaUpload';

interface VisaReasonProps {
  title: string;
  /** The differences. */
  children: ReactNode;
  /** The other way out. */
  instead: { label: string; onClick: () => void };
  onSend: (reason: string) => void;
  onClose: () => void;
}

/** Asks for the reason to deliver a visa that differs from its order. It may stand in a form, so it is none. */
export function VisaReason({ title, children, instead, onSend, onClose }: VisaReasonProps) {
  const { register, handleSubmit, formState } = useForm({
    mode: 'onSubmit',
    resolver: zodResolver(deliveryReason),
    defaultValues: { reason: '' },
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={classes.content}>
        <DialogText role="alert">{children}</DialogText>
        <TextField
          label="Reason"
          hint="Why this is the right visa although it differs. It goes into the audit."
          dir="auto"
          rows={2}
          error={formState.errors.reason?.message}
          {...register('reason')}
        />
      </div>
      <DialogActions>
        <Button kind="primary" focusFirst onClick={instead.onClick}>
          {instead.label}
        </Button>
        <Button kind="danger" onClick={() => void handleSubmit(({ reason }) => onSend(reason))()}>
          Send anyway
        </Button>
      </DialogActions>
    </Dialog>
  );
}
