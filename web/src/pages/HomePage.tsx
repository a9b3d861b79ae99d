import { useMe } from '@/features/auth/me';
import { FolderTiles } from '@/features/order/FolderTiles';
import classes from './HomePage.module.css';
import { now } from '@/ui/clock';
import { dateAndTime } from '@/ui/times';

export function HomePage() {
  const me = useMe();
  const today = now();
  const zone = me.agency_time_zone;
  const weekday = today.toLocaleDateString('en', { weekday: 'long', timeZone: zone });
  return (
    <>
      <header className={classes.head}>
        <h1>Dashboard</h1>
        <time dateTime={today.toISOString()} className={classes.day}>
          {weekday}, {dateAndTime(today.toISOString(), zone).slice(0, 10)}
        </time>
      </header>
      <FolderTiles userName={me.name} />
    </>
  );
}
