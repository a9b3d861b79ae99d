import * as z from 'zod/mini';
import type { OrderDetails } from '@/api/types';
import { useDraftedForm } from './useDraftedForm';

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

export type TransactionFields = z.infer<typeof transactionForm>;

/** The form of the transaction that paid the order. Its draft is kept until it is saved. */
export function useTransactionForm(staffId: number, order: OrderDetails) {
  const { transaction_id: transactionId, merchant_name: merchantName } = order;
  return useDraftedForm<TransactionFields>({
    kind: 'transaction',
    staffId,
    orderId: order.order_id,
    schema: transactionForm,
    saved: { transactionId: transactionId ?? '', merchantName: merchantName ?? '' },
  });
}

export type TransactionForm = ReturnType<typeof useTransactionForm>;
