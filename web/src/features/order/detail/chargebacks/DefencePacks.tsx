import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderDetails, UserInfo } from '@/api/types';
import { defencePacksQuery, type PackType } from './chargebackCalls';
import classes from './chargebacks.module.css';
import { Evidence } from './Evidence';
import { MadePacks } from './MadePacks';
import { TransactionDialog } from './TransactionDialog';
import { useMakePack } from './useMakePack';
import { useTransactionForm } from './useTransactionForm';

const PACKS: readonly (readonly [PackType, what: string])[] = [
  [1, 'The defence letter with the download history'],
  [2, 'The email history'],
];

/** The evidence of the packs, and the buttons that generate them. */
export function DefencePacks({ order, me }: { order: OrderDetails; me: UserInfo }) {
  const { order_id: orderId } = order;
  const { data: facts, error, isPending, refetch } = useQuery(defencePacksQuery(orderId));
  const { make, busy } = useMakePack(orderId);
  const form = useTransactionForm(me.id, order);
  const [isOpen, setOpen] = useState(false);
  return (
    <section
      className={`card ${classes.card}`}
      aria-labelledby="defence-packs"
      aria-busy={busy}
      data-waiting={isPending || undefined}
    >
      <div className={classes.head}>
        <h2 id="defence-packs">Defence Packs</h2>
      </div>
      <div className={classes.buttons}>
        {PACKS.map(([type, what]) => (
          <button
            key={type}
            type="button"
            className="button"
            data-small
            data-kind="primary"
            title={`${what}, as a PDF in a new window`}
            aria-disabled={busy}
            onClick={() => !busy && void make(type)}
          >
            Defence Pack {type}
          </button>
        ))}
        {order.allowed.edit_transaction && (
          <button type="button" className="button" data-small onClick={() => setOpen(true)}>
            Enter Transaction Details
          </button>
        )}
      </div>
      {error && !facts && (
        <p className={classes.missing} role="alert">
          {error.message}{' '}
          <button type="button" className="button" data-small onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      )}
      {facts && <Evidence facts={facts} zone={me.agency_time_zone} />}
      {facts && <MadePacks orderId={orderId} packs={facts.packs} zone={me.agency_time_zone} />}
      {isOpen && <TransactionDialog orderId={orderId} form={form} onClose={() => setOpen(false)} />}
    </section>
  );
}
