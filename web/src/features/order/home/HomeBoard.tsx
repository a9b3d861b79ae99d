import { queryOptions, useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { ListNotice } from '@/ui/ListNotice';
import { ORDER } from '../orderQueries';
import { DaysChart } from './DaysChart';
import classes from './HomeBoard.module.css';
import { HomeSkeleton } from './HomeSkeleton';
import { MyDay } from './MyDay';
import { NeedsAttention } from './NeedsAttention';

const MINUTE_MS = 60_000;

/** The home screen below its tiles. The server reads it once a minute; so does the screen, while it is visible. */
const homeQuery = queryOptions({
  queryKey: [...ORDER, 'home'],
  queryFn: async ({ signal }) => (await answer(api.GET('/api/admin/home', { signal }))).data,
  refetchInterval: MINUTE_MS,
});

/** The home screen below its tiles: orders that need a member of staff, the last 30 days, and one's own day. */
export function HomeBoard({ zone }: { zone: string }) {
  const { data, error, refetch } = useQuery(homeQuery);
  if (error && !data) {
    return <ListNotice text={error.message} onRetry={() => void refetch()} />;
  }
  if (!data) return <HomeSkeleton />;
  return (
    <div className={classes.board}>
      <NeedsAttention groups={data.groups} asOf={data.as_of} zone={zone} />
      <div className={classes.side}>
        {data.numbers && <DaysChart numbers={data.numbers} />}
        <MyDay day={data.my_day} />
      </div>
    </div>
  );
}
