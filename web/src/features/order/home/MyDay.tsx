import { Link } from 'react-router';
import type { HomeData } from '@/api/types';
import { Card } from '@/ui/Card';
import { formatCount } from '@/ui/numbers';
import { folders } from '../folders';
import classes from './MyDay.module.css';

/** The member's own orders: open now, and completed today. */
export function MyDay({ day }: { day: HomeData['my_day'] }) {
  return (
    <Card as="section" className={classes.card} aria-labelledby="my-day">
      <h2 id="my-day">My day</h2>
      <ul className={classes.counts}>
        <li>
          <Link to={folders.myOrder.path} className={classes.count}>
            <strong>{formatCount(day.open)}</strong> open
          </Link>
        </li>
        <li className={classes.count}>
          <strong>{formatCount(day.completed_today)}</strong> done today
        </li>
      </ul>
    </Card>
  );
}
