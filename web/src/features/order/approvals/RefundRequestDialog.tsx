import { useEffect } from 'react';
import { Link } from 'react-router';
import * as z from 'zod/mini';
import type { RefundRequest } from '@/api/types';
import { fromOrigin } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';
import { announce } from '@/session/presence';
import { useChange } from '@/session/useChange';
import { useDraftedForm } from '@/session/useDraftedForm';
import { Button, type ButtonKind } from '@/ui/Button';
import { Dialog, DialogActions } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { RestoredNote } from '@/ui/Form';
import { formatCount } from '@/ui/numbers';
import { Time } from '@/ui/Time';
import { useConfirm } from '@/ui/useConfirm';
import { useGoOnBeside } from '../colleagues';
import { longText } from '../longText';
import { ORDER } from '../orderQueries';
import { approve, decline, withdraw } from './approvalCalls';
import classes from './RefundRequestDialog.module.css';
import { sumsText } from './sumsText';

const noteForm = z.object({ note: longText('The note') });

const NO_NOTE = { note: '' };

type EndRequest = (note: string) => Promise<{ message: string }>;

interface RefundRequestDialogProps {
  request: RefundRequest;
  onClose: () => void;
}

/** A request for a refund with its orders, and what the member may do with it. */
export function RefundRequestDialog({ request, onClose }: RefundRequestDialogProps) {
  const { approval_id: id, allowed, order_ids: orderIds, changed_order_ids: changed } = request;
  // After a refusal too, another member may have decided meanwhile.
  const { send } = useChange({
    run: (call: () => Promise<{ message: string }>) => call(),
    stale: ORDER,
  });
  const [ask, question] = useConfirm();
  const goesOnBeside = useGoOnBeside(ask);
  const isApprovable = allowed.decide && changed.length === 0;
  useEffect(
    () => (isApprovable ? announce(orderIds, 'refunding') : undefined),
    [isApprovable, orderIds],
  );
  const form = useDraftedForm<z.infer<typeof noteForm>>({
    name: 'approval-note',
    about: id,
    schema: noteForm,
    saved: NO_NOTE,
  });
  const { register, handleSubmit, resetTo, restored, formState } = form;
  const { errors, isSubmitting } = formState;
  const end = (call: EndRequest, refunds: boolean) =>
    handleSubmit(async ({ note }) => {
      if (refunds && !(await goesOnBeside(orderIds, 'refunding'))) return;
      if (!(await send(() => call(note)))) return;
      resetTo();
      onClose();
    });
  const button = (label: string, call: EndRequest, kind: ButtonKind, refunds = false) => (
    <Button kind={kind} busy={isSubmitting} onClick={() => void end(call, refunds)()}>
      {label}
    </Button>
  );
  const state = { origin: { label: 'Back to list', path: paths.refundApprovals, scrollKey: '' } };
  return (
    <Dialog title={`Refund of ${ordersText(orderIds.length)}`} wide onClose={onClose}>
      <div className={classes.form}>
        <p>
          Requested by <bdi>{request.requested_by}</bdi> <Time iso={request.requested_at} />.{' '}
          {sumsText(request)}
        </p>
        <Ending request={request} />
        {changed.length > 0 && (
          <p className={classes.warning} role="alert">
            {changedText(changed)} refunded or left Refunds since. The request cannot be approved.
          </p>
        )}
        <ul className={classes.orders} aria-label="Orders">
          {orderIds.map((orderId) => (
            <li key={orderId}>
              <Link to={paths.viewOrder(orderId)} state={fromOrigin(state.origin)}>
                {orderId}
              </Link>
            </li>
          ))}
        </ul>
        {allowed.decide && restored && <RestoredNote {...restored} />}
        {allowed.decide && (
          <TextField
            label="Note"
            dir="auto"
            rows={3}
            readOnly={isSubmitting}
            hint="Optional. The member who made the request sees it."
            error={errors.note?.message}
            {...register('note')}
          />
        )}
      </div>
      <DialogActions>
        <Button focusFirst onClick={onClose}>
          Close
        </Button>
        {allowed.withdraw && button('Withdraw', () => withdraw(id), 'danger')}
        {allowed.decide && button('Decline', (note) => decline(id, note), 'danger')}
        {isApprovable && button('Approve and refund', (note) => approve(id, note), 'primary', true)}
      </DialogActions>
      {question}
    </Dialog>
  );
}

/** Until when the request waits, or how it ended. */
function Ending({ request }: { request: RefundRequest }) {
  const { state, decided_by: by, decided_at: at, expires_at: expires, note } = request;
  if (!at) {
    return (
      <p>
        {state === 'Expired' ? 'Expired' : 'Waits until'} <Time iso={expires} />
      </p>
    );
  }
  return (
    <>
      <p>
        {state} by <bdi>{by}</bdi> <Time iso={at} />
      </p>
      {note && (
        <p className={classes.note} dir="auto">
          {note}
        </p>
      )}
    </>
  );
}

export function ordersText(count: number): string {
  return count === 1 ? '1 order' : `${formatCount(count)} orders`;
}

/** The number of ids that a text names. */
const NAMED = 5;

function changedText(ids: readonly number[]): string {
  if (ids.length === 1) return `Order ${ids[0]} was`;
  const others = ids.length - NAMED;
  const rest = others > 0 ? ` and ${formatCount(others)} more` : '';
  return `Orders ${ids.slice(0, NAMED).join(', ')}${rest} were`;
}
