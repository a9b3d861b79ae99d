import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '@/api/ApiError';
import { answer, api, dataOf } from '@/api/client';
import { IN_BACKGROUND } from '@/api/liveCalls';
import { Button } from '@/ui/Button';
import { ORDER } from '../../orderQueries';
import { AskReason } from '../AskReason';
import { useOrderPost } from '../useOrderPost';
import classes from './filing.module.css';

/** A claim lasts for 90 seconds. */
const RENEW_EVERY_MS = 30_000;

/** The query that claims an order, and claims it again before the claim ends. */
function claimQuery(orderId: number) {
  return queryOptions({
    queryKey: [...ORDER, 'filing claim', orderId],
    queryFn: ({ signal }) => {
      const body = { orderId };
      const options = { body, headers: IN_BACKGROUND, signal };
      return dataOf(api.PUT('/api/admin/claim-filing', options));
    },
    refetchInterval: RENEW_EVERY_MS,
    refetchIntervalInBackground: true,
    gcTime: 0,
    retry: false,
  });
}

interface FilingClaimProps {
  orderId: number;
  /** The claim of a colleague was taken over. */
  onTaken: () => void;
}

/** Claims the order while the filing view is open, and says when a colleague is filing it. */
export function FilingClaim({ orderId, onTaken }: FilingClaimProps) {
  const queries = useQueryClient();
  const { error } = useQuery(claimQuery(orderId));
  const [isAsking, setAsking] = useState(false);
  const { submit } = useOrderPost();
  useEffect(
    () => () => {
      const options = { body: { orderId }, headers: IN_BACKGROUND };
      // A claim that is not released ends by itself.
      void answer(api.PUT('/api/admin/release-filing', options)).catch(() => undefined);
    },
    [orderId],
  );
  if (!(error instanceof ApiError) || error.code !== 'filing_claimed') return null;
  const takeOver = async (reason: string) => {
    const body = { orderId, takeOver: reason };
    const isTaken = await submit(body, () => answer(api.PUT('/api/admin/claim-filing', { body })));
    if (isTaken) void queries.invalidateQueries(claimQuery(orderId)).then(onTaken);
    return isTaken;
  };
  return (
    <section className={classes.claimed} role="alert" aria-label="Filed by a colleague">
      <p>{error.message}.</p>
      <Button small kind="danger" onClick={() => setAsking(true)}>
        Take over
      </Button>
      {isAsking && (
        <AskReason
          name="filing-claim"
          about={orderId}
          title={`Take over the filing of order ${orderId}`}
          answers={[{ label: 'Take over', kind: 'danger', send: takeOver }]}
          onClose={() => setAsking(false)}
        >
          Ask your colleague first if you can: an application that both of you file is paid twice.
          They are told at once, with your reason in the timeline.
        </AskReason>
      )}
    </section>
  );
}
