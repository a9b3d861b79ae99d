import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { answer, api } from '@/api/client';
import { Button } from '@/ui/Button';
import { Dialog, DialogActions, DialogText } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { takeBackRefund } from '../actions/orderActions';
import { reasonForm } from './reasonForm';
import { useOrderPost } from './useOrderPost';
import classes from './TakeBackRefund.module.css';

interface TakeBackRefundProps {
  orderId: number;
  onClose: () => void;
}

/** Takes a mistaken mark of a refund back, with the reason. */
export function TakeBackRefund({ orderId, onClose }: TakeBackRefundProps) {
  const { register, handleSubmit, formState } = useForm({
    mode: 'onTouched',
    resolver: zodResolver(reasonForm),
    defaultValues: { reason: '' },
  });
  const { errors, isSubmitting } = formState;
  const post = useOrderPost();
  const save = async ({ reason }: { reason: string }) => {
    if (await post(reason, () => takeBack(orderId, reason))) onClose();
  };
  return (
    <Dialog title={takeBackRefund.label} onClose={onClose}>
      <form
        className={classes.form}
        aria-label={takeBackRefund.label}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSubmitting) void handleSubmit(save)(event);
        }}
      >
        <DialogText>
          Order {orderId} can then be marked as refunded once more. If the email about the refund
          has left, the customer gets a correction. This moves no money.
        </DialogText>
        <TextField
          label="Reason"
          dir="auto"
          rows={4}
          focusFirst
          readOnly={isSubmitting}
          error={errors.reason?.message}
          {...register('reason')}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="danger" busy={isSubmitting}>
            Take it back
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

async function takeBack(orderId: number, reason: string): Promise<string> {
  const body = { orderId, reason };
  return (await answer(api.PUT('/api/admin/take-back-refund', { body }))).message;
}
