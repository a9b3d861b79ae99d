import { useMe } from '@/features/auth/me';
import { FolderTiles } from '@/features/order/FolderTiles';
import classes from './HomePage.module.css';
import { dateAndTime } from '@/ui/times';

export function HomePage() {
  const me = useMe();
  const now = new Date();
  const zone = me.agency_time_zone;
  const weekday = now.toLocaleDateString('en', { weekday: 'long', timeZone: zone });
  return (
    <>
      <header className={classes.head}>
        <h1>Dashboard</h1>
        <time dateTime={now.toISOString()} className={classes.day}>
          {weekday}, {dateAndTime(now.toISOString(), zone).slice(0, 10)}
        </time>
      </header>
      <FolderTiles userName={me.name} />
    </>
  );
}
