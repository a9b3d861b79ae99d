import * as z from 'zod/mini';
import type { OrderDetails } from '@/api/types';
import { useDraftedForm } from '@/session/useDraftedForm';
import { Button } from '@/ui/Button';
import { Dialog, DialogActions } from '@/ui/Dialog';
import { Field } from '@/ui/Field';
import { Form, SubmitButton } from '@/ui/Form';
import { useOrderPost } from '../useOrderPost';
import classes from './chargebacks.module.css';

const transactionForm = z.object({
  transactionId: z
    .string()
    .check(z.trim(), z.minLength(1, 'Please enter your Transaction Id'), atMost('Transaction Id')),
  merchantName: z
    .string()
    .check(z.trim(), z.minLength(1, 'Please enter your Merchant Name'), atMost('Merchant Name')),
});

function atMost(what: string) {
  return z.maxLength(200, `${what} must be at most 200 characters`);
}

type TransactionFields = z.infer<typeof transactionForm>;

interface TransactionDialogProps {
  order: OrderDetails;
  onClose: () => void;
}

/** The transaction as the bank knows it. The packs quote it. */
export function TransactionDialog({ order, onClose }: TransactionDialogProps) {
  const { order_id: orderId, transaction_id: transactionId, merchant_name: merchantName } = order;
  const form = useDraftedForm<TransactionFields>({
    name: 'transaction',
    about: orderId,
    schema: transactionForm,
    saved: { transactionId: transactionId ?? '', merchantName: merchantName ?? '' },
  });
  const { formOf, fieldOf, resetTo } = form;
  const { post } = useOrderPost();
  const save = async (fields: TransactionFields) => {
    if (!(await post('/api/admin/save-transaction-details', { orderId, ...fields }))) return;
    resetTo(fields);
    onClose();
  };
  return (
    <Dialog title="Enter Transaction Details" onClose={onClose}>
      <Form className={classes.stack} aria-label="Enter Transaction Details" {...formOf(save)}>
        <Field label="Transaction Id" focusFirst {...fieldOf('transactionId')} />
        <Field
          label="Merchant Name"
          hint="As it stands on the customer’s card statement."
          {...fieldOf('merchantName')}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>Save</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
