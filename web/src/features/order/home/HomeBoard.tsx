import { queryOptions, useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { ListNotice } from '@/ui/ListNotice';
import { ORDER } from '../orderQueries';
import { DaysChart } from './DaysChart';
import classes from './HomeBoard.module.css';
import { FirstRun } from './FirstRun';
import { HomeSkeleton } from './HomeSkeleton';
import { MyDay } from './MyDay';
import { NeedsAttention } from './NeedsAttention';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** The home screen below its tiles. The server reads it once a minute; while it is visible, the screen asks for each reading. */
const homeQuery = queryOptions({
  queryKey: [...ORDER, 'home'],
  queryFn: async ({ signal }) => {
    const call = api.GET('/api/admin/home', { signal });
    const { data } = await answer(call);
    const { response } = await call;
    return { ...data, freshForMs: freshFor(data.as_of, response.headers.get('Date')) };
  },
  refetchInterval: ({ state }) => state.data?.freshForMs ?? MINUTE_MS,
});

/**
 * Returns the time for which the server still keeps a reading, by its own clock: that of the
 * browser may be wrong.
 */
function freshFor(asOf: string, sentAt: string | null): number {
  const ageMs = sentAt === null ? 0 : Date.parse(sentAt) - Date.parse(asOf);
  return Math.min(MINUTE_MS, Math.max(SECOND_MS, MINUTE_MS - ageMs));
}

/** The home screen below its tiles: orders that need a member of staff, the last 30 days, and one's own day. */
export function HomeBoard() {
  const { data, error, refetch } = useQuery(homeQuery);
  if (error && !data) {
    return <ListNotice text={error.message} onRetry={() => void refetch()} />;
  }
  if (!data) return <HomeSkeleton />;
  return (
    <div className={classes.board}>
      <FirstRun steps={data.first_run} />
      <NeedsAttention groups={data.groups} asOf={data.as_of} />
      <div className={classes.side}>
        {data.numbers && <DaysChart numbers={data.numbers} />}
        <MyDay day={data.my_day} />
      </div>
    </div>
  );
}
