import { answer, api } from '@/api/client';
import { takeBackRefund } from '../actions/orderActions';
import { AskReason } from './AskReason';
import { useOrderPost } from './useOrderPost';

/** Takes a mistaken mark of a refund back, with the reason. */
export function TakeBackRefund({ orderId, onClose }: { orderId: number; onClose: () => void }) {
  const { submit } = useOrderPost();
  const send = (reason: string) => {
    const body = { orderId, reason };
    return submit(body, () => answer(api.PUT('/api/admin/take-back-refund', { body })));
  };
  return (
    <AskReason
      name="refund-mark"
      about={orderId}
      title={takeBackRefund.label}
      answers={[{ label: 'Take it back', kind: 'danger', send }]}
      onClose={onClose}
    >
      Order {orderId} can then be marked as refunded once more. If the email about the refund has
      left, the customer gets a correction. This moves no money.
    </AskReason>
  );
}
