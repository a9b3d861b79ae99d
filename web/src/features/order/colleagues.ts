import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, dataOf } from '@/api/client';
import { IN_BACKGROUND, type ColleagueAtOrder, type OrderActivity } from '@/api/liveCalls';
import { useLive } from '@/session/live';
import type { Question } from '@/ui/ConfirmDialog';

/** The active members. */
export const colleaguesQuery = queryOptions({
  queryKey: ['colleagues'],
  queryFn: ({ signal }) => {
    const options = { signal, headers: IN_BACKGROUND };
    return dataOf(api.GET('/api/admin/colleagues', options));
  },
});

type Members = Awaited<ReturnType<NonNullable<(typeof colleaguesQuery)['queryFn']>>>;

/** Names change rarely, and lists ask for them again and again. */
const NAMES_FRESH_MS = 5 * 60_000;
const namesQuery = { ...colleaguesQuery, staleTime: NAMES_FRESH_MS };

/** A colleague who has an order open. */
export interface ColleagueHere {
  id: number;
  name: string;
  activity: OrderActivity;
  /** Such as `Budi Santoso is typing`. */
  text: string;
}

const DOING: Record<OrderActivity, string> = {
  viewing: 'has this order open',
  typing: 'is typing',
  delivering: 'is delivering a visa',
  refunding: 'is marking it as refunded',
};

/** The colleagues who have the order open, for as long as the server says so. */
export function useColleaguesAt(orderId: number): ColleagueHere[] {
  const here = useLive((live) => live.colleagues.get(orderId));
  const { data } = useQuery({ ...namesQuery, enabled: here !== undefined });
  return (here ?? []).map(({ staff_id: id, activity }) => {
    const name = nameOf(data, id);
    return { id, name, activity, text: `${name} ${DOING[activity]}` };
  });
}

const nameOf = (members: Members | undefined, id: number) =>
  members?.find(({ staff_id }) => staff_id === id)?.name ?? 'A colleague';

const BESIDE: Partial<Record<OrderActivity, { doing: string; text: string; yes: string }>> = {
  delivering: {
    doing: 'delivering a visa of',
    text: 'Ask your colleague first if you can: the applicant would get two emails.',
    yes: 'Deliver anyway',
  },
  refunding: {
    doing: 'marking as refunded',
    text: 'Ask your colleague first if you can: a refund that both of you pay is paid twice.',
    yes: 'Continue anyway',
  },
};

/**
 * Gives a function that asks before an action that colleagues have begun on the same orders. It returns false if the member leaves
 * the action to them.
 */
export function useGoOnBeside(ask: (question: Question) => Promise<boolean>) {
  const queries = useQueryClient();
  return useCallback(
    async (ids: readonly number[], activity: OrderActivity): Promise<boolean> => {
      const question = await questionBeside(queries, ids, activity);
      return question === null || ask(question);
    },
    [queries, ask],
  );
}

/** The question; null: no colleague has begun the action. */
async function questionBeside(
  queries: QueryClient,
  ids: readonly number[],
  activity: OrderActivity,
): Promise<Question | null> {
  const { colleagues } = useLive.getState();
  const all = ids.flatMap((id) => colleagues.get(id) ?? []);
  const beside = all.filter((one) => one.activity === activity);
  const words = BESIDE[activity];
  if (beside.length === 0 || !words) return null;
  const members = await queries.fetchQuery(namesQuery).catch(() => undefined);
  return { title: titleOf(beside, words.doing, members), text: words.text, yes: words.yes };
}

function titleOf(
  beside: readonly ColleagueAtOrder[],
  doing: string,
  members: Members | undefined,
): string {
  const names = [...new Set(beside.map(({ staff_id: id }) => nameOf(members, id)))];
  const orders = [...new Set(beside.map(({ order_id: id }) => id))];
  const what = orders.length === 1 ? `order ${orders[0]}` : `${orders.length} of these orders`;
  return `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} ${doing} ${what}`;
}
