import * as z from 'zod/mini';
import type { OrderDetails } from '@/api/types';
import { useDraftedForm } from '@/session/useDraftedForm';
import { Field } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { useOrderPost } from '../useOrderPost';

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
    <FormDialog title="Enter Transaction Details" save="Save" onClose={onClose} {...formOf(save)}>
      <Field label="Transaction Id" focusFirst {...fieldOf('transactionId')} />
      <Field
        label="Merchant Name"
        hint="As it stands on the customer’s card statement."
        {...fieldOf('merchantName')}
      />
    </FormDialog>
  );
}
