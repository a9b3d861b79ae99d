import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderDetails } from '@/api/types';
import { Button } from '@/ui/Button';
import { TryAgain } from '@/ui/TryAgain';
import { Card } from '@/ui/Card';
import { useDelayed } from '@/ui/useDelayed';
import { defencePacksQuery, type PackType } from './chargebackCalls';
import classes from './chargebacks.module.css';
import { Evidence } from './Evidence';
import { MadePacks } from './MadePacks';
import { TransactionDialog } from './TransactionDialog';
import { useMakePack } from './useMakePack';

const PACKS: readonly (readonly [PackType, what: string])[] = [
  [1, 'The defence letter with the download history'],
  [2, 'The email history'],
];

const LOADING_AFTER_MS = 150;

/** The evidence of the packs, and the buttons that generate them. */
export function DefencePacks({ order }: { order: OrderDetails }) {
  const { order_id: orderId } = order;
  const { data: facts, error, isPending, refetch } = useQuery(defencePacksQuery(orderId));
  const { make, busy } = useMakePack(orderId);
  const [isOpen, setOpen] = useState(false);
  const isSlow = useDelayed(isPending, LOADING_AFTER_MS);
  return (
    <Card as="section" className={classes.card} aria-labelledby="defence-packs" aria-busy={busy}>
      <div className={classes.head}>
        <h2 id="defence-packs">Defence Packs</h2>
      </div>
      <div className={classes.buttons}>
        {PACKS.map(([type, what]) => (
          <Button
            key={type}
            small
            kind="primary"
            title={`${what}, as a PDF in a new window`}
            busy={busy}
            onClick={() => !busy && void make(type)}
          >
            Defence Pack {type}
          </Button>
        ))}
        {order.allowed.edit_transaction && (
          <Button small onClick={() => setOpen(true)}>
            Enter Transaction Details
          </Button>
        )}
      </div>
      {isSlow && <p className={classes.soft}>Loading the evidence…</p>}
      {error && !facts && (
        <p className={classes.missing} role="alert">
          {error.message} <TryAgain small onClick={() => void refetch()} />
        </p>
      )}
      {facts && <Evidence facts={facts} folds={order.process_status !== 'ChargeBack'} />}
      {facts && <MadePacks orderId={orderId} packs={facts.packs} />}
      {isOpen && <TransactionDialog order={order} onClose={() => setOpen(false)} />}
    </Card>
  );
}
