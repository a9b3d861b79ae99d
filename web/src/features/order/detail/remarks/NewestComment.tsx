import type { OrderDetails } from '@/api/types';
import classes from './NewestComment.module.css';
import { FLAGS, UsTime } from './CommentHistory';

/** The newest remark of the team, where the next one is written. */
export function NewestComment({ of: remark }: { of: OrderDetails['remark'][number] }) {
  const set = FLAGS.filter(([, field]) => remark[field] === 'Y').map(([label]) => label);
  return (
    <section className={classes.comment} aria-label="Newest comment">
      <p className={classes.about}>
        <bdi>{remark.remark_name}</bdi>, <UsTime remark={remark} />
        {set.length > 0 && ` · ${set.join(', ')}`}
      </p>
      <p dir="auto">{remark.remark}</p>
    </section>
  );
}
