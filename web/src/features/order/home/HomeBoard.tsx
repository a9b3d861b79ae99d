import { useQuery } from '@tanstack/react-query';
import { ListNotice } from '@/ui/ListNotice';
import { DaysChart } from './DaysChart';
import classes from './HomeBoard.module.css';
import { homeQuery } from './homeQuery';
import { HomeSkeleton } from './HomeSkeleton';
import { MyDay } from './MyDay';
import { NeedsAttention } from './NeedsAttention';

/** The home screen below its tiles: orders that need a member of staff, the last 30 days, and one's own day. */
export function HomeBoard({ zone }: { zone: string }) {
  const { data, error, refetch } = useQuery(homeQuery);
  if (error && !data) {
    return (
      <ListNotice
        text={error.message}
        action={{ label: 'Try again', onClick: () => void refetch() }}
      />
    );
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
