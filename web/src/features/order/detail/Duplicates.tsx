import { queryOptions, useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { api, dataOf } from '@/api/client';
import type { Duplicate } from '@/api/types';
import { statusLabel } from '@/i18n/statusLabel';
import { fromOrder } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';
import { Button } from '@/ui/Button';
import { dateAndTime } from '@/ui/times';
import { useMedia } from '@/ui/useMedia';
import { useZone } from '@/ui/zone';
import { ORDER } from '../orderQueries';
import classes from './Duplicates.module.css';

/** Orders of the strongest reason that are shown before all are. */
const MAX_FOLDED = 2;

function duplicatesQuery(orderId: number) {
  return queryOptions({
    queryKey: [...ORDER, 'duplicates', orderId],
    queryFn: ({ signal }) => {
      const params = { path: { orderId: String(orderId) } };
      return dataOf(api.GET('/api/admin/order-duplicates/{orderId}', { params, signal }));
    },
    staleTime: 60_000,
  });
}

/** The other orders that share a passport, email, phone, device or card with the order, by what is the same. */
export function Duplicates({ orderId }: { orderId: number }) {
  const { data, error } = useQuery(duplicatesQuery(orderId));
  const [isOpen, setOpen] = useState(false);
  const state = fromOrder(useLocation(), orderId);
  const isNarrow = useMedia('(max-width: 767px)');
  if (!data) {
    const text = error && `Couldn’t look for orders of the same person. ${error.message}`;
    return (
      <p className={classes.line} aria-busy={!error}>
        {text}
      </p>
    );
  }
  const groups = bySharedFacts(data.orders);
  const [first] = groups;
  if (!first) {
    return (
      <p className={classes.line}>
        No other order has the same passport, email, phone, device or card.
      </p>
    );
  }
  // Two lines on a phone, for which there is room while it is loading. One order with up to two facts fits in them.
  const fits = data.orders.length === 1 && (first.orders[0]?.same.length ?? 0) < 3;
  const max = isNarrow && !fits ? 0 : MAX_FOLDED;
  const folded = { ...first, orders: first.orders.slice(0, max) };
  const hidden = data.orders.length - folded.orders.length;
  return (
    <section className={classes.notice} aria-label="Similar orders">
      {(isOpen ? groups : [folded]).map((group) => (
        <Group key={group.facts} {...group} count={countOf(groups, group.facts)} state={state} />
      ))}
      {isOpen && data.more && <p>There are more, older orders.</p>}
      {hidden > 0 && (
        <Button small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show fewer' : `Show ${hidden}${max > 0 ? ' more' : ''}`}
        </Button>
      )}
    </section>
  );
}

interface SharedFacts {
  /** The values that are the same: `passport and email`. */
  facts: string;
  orders: Duplicate[];
}

interface GroupProps extends SharedFacts {
  count: number;
  /** The navigation state of the links. */
  state: object | null;
}

function Group({ facts, orders, count, state }: GroupProps) {
  const zone = useZone();
  return (
    <p>
      <strong>
        Same {facts} in {count} other {count === 1 ? 'order' : 'orders'}
        {orders.length > 0 && ':'}
      </strong>{' '}
      {orders.map((order, place) => (
        <Fragment key={order.order_id}>
          {place > 0 && ' · '}
          <Link to={paths.viewOrder(order.order_id)} state={state}>
            {order.order_id}
          </Link>{' '}
          {statusLabel(order.process_status)},{' '}
          <time dateTime={order.created_at}>
            {dateAndTime(order.created_at, zone).slice(0, 10)}
          </time>
        </Fragment>
      ))}
    </p>
  );
}

/** The orders by what is the same, those with the most facts first. */
export function bySharedFacts(orders: readonly Duplicate[]): SharedFacts[] {
  const groups = new Map<string, Duplicate[]>();
  for (const order of orders) {
    const facts = words(order.same);
    groups.set(facts, [...(groups.get(facts) ?? []), order]);
  }
  const sorted = [...groups].toSorted(
    ([, [one]], [, [other]]) => (other?.same.length ?? 0) - (one?.same.length ?? 0),
  );
  return sorted.map(([facts, orders]) => ({ facts, orders }));
}

function countOf(groups: readonly SharedFacts[], facts: string): number {
  return groups.find((group) => group.facts === facts)?.orders.length ?? 0;
}

/** `passport`, `passport and email`, `passport, email and phone`. */
function words(same: readonly string[]): string {
  const last = same.at(-1) ?? '';
  return same.length < 2 ? last : `${same.slice(0, -1).join(', ')} and ${last}`;
}
