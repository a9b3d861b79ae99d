import type { QueryClient } from '@tanstack/react-query';
import type { LiveChanges } from '@/api/liveCalls';
import type { FolderCounts } from '@/api/types';
import { refundApprovalCountsQuery, refundApprovalsQuery } from './approvals/approvalCalls';
import { allFolders, folders } from './folders';
import { ORDER } from './orderQueries';

type Listener = (changes: LiveChanges) => void;

const listeners = new Set<Listener>();

/** Hands over the changes of orders until the returned function is called. */
export function onOrdersChanged(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Brings the counts, the open order and the shown lists up to date. */
export function takeChanges(queries: QueryClient, changes: LiveChanges): void {
  setCounts(queries, changes.counts);
  if (changes.all) {
    void queries.invalidateQueries({ queryKey: ORDER });
    return;
  }
  const changed = new Set(changes.orders.map(({ order_id: id }) => id));
  void queries.invalidateQueries({
    predicate: ({ queryKey: [root, , about] }) =>
      root === ORDER[0] && typeof about === 'number' && changed.has(about),
  });
  if (changes.orders.some((order) => order.folders.includes(folders.refundOrder.orderName))) {
    void queries.invalidateQueries(refundApprovalCountsQuery);
    void queries.invalidateQueries(refundApprovalsQuery);
  }
  listeners.forEach((listener) => listener(changes));
}

function setCounts(queries: QueryClient, counts: LiveChanges['counts']): void {
  queries.setQueriesData<FolderCounts>({ queryKey: [...ORDER, 'counts'] }, (known) => {
    if (!known) return known;
    const told = allFolders.flatMap(({ orderName, countKey }) => {
      const count = counts[orderName];
      return count === undefined ? [] : [[countKey, count] as const];
    });
    return { ...known, ...Object.fromEntries(told) };
  });
}
