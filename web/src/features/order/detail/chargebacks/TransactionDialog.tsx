import { Button } from '@/ui/Button';
import { Dialog, DialogActions } from '@/ui/Dialog';
import { Field } from '@/ui/Field';
import { useOrderPost } from '../useOrderPost';
import { saveTransaction } from './chargebackCalls';
import classes from './chargebacks.module.css';
import type { TransactionFields, TransactionForm } from './useTransactionForm';

interface TransactionDialogProps {
  orderId: number;
  form: TransactionForm;
  onClose: () => void;
}

/** The transaction as the bank knows it. The packs quote it. */
export function TransactionDialog({ orderId, form, onClose }: TransactionDialogProps) {
  const { register, handleSubmit, resetTo, formState } = form;
  const { errors, isSubmitting } = formState;
  const post = useOrderPost();
  const save = async (fields: TransactionFields) => {
    if (!(await post(fields, (key) => saveTransaction(orderId, fields, key)))) return;
    resetTo(fields);
    onClose();
  };
  return (
    <Dialog title="Enter Transaction Details" onClose={onClose}>
      <form
        className={classes.stack}
        aria-label="Enter Transaction Details"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSubmitting) void handleSubmit(save)(event);
        }}
      >
        <Field
          label="Transaction Id"
          autoComplete="off"
          focusFirst
          readOnly={isSubmitting}
          error={errors.transactionId?.message}
          {...register('transactionId')}
        />
        <Field
          label="Merchant Name"
          autoComplete="off"
          hint="As it stands on the customer’s card statement."
          readOnly={isSubmitting}
          error={errors.merchantName?.message}
          {...register('merchantName')}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={isSubmitting}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
