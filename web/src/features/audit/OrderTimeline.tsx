import { useState } from 'react';
import { Link } from 'react-router';
import type { OrderDetails, UserInfo } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Time } from '@/ui/Time';
import { changeText, eventLabel, eventTone } from './auditEvents';
import classes from './OrderTimeline.module.css';

const SHOWN_AT_FIRST = 8;

/** The audit events of the order, newest first. */
export function OrderTimeline({ order, me }: { order: OrderDetails; me: UserInfo }) {
  const [isWhole, setWhole] = useState(false);
  // The oldest event keeps its number when one is added.
  const timeline = order.timeline.map((event, index, { length }) => ({
    ...event,
    number: length - index,
  }));
  const shown = isWhole ? timeline : timeline.slice(0, SHOWN_AT_FIRST);
  return (
    <Card as="section" className={classes.timeline} aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      {timeline.length === 0 && <p>No activity yet.</p>}
      <ol>
        {shown.map((event) => (
          <li key={event.number} data-tone={eventTone(event)}>
            <strong>{eventLabel(event.action)}</strong> <span dir="auto">{changeText(event)}</span>
            <p>
              <bdi>{event.actor}</bdi>, <Time iso={event.at} zone={me.agency_time_zone} />
            </p>
          </li>
        ))}
      </ol>
      {shown.length < timeline.length && (
        <Button small onClick={() => setWhole(true)}>
          Show all {timeline.length}
        </Button>
      )}{' '}
      {me.may.see_audit && <Link to={paths.auditOfOrder(order.order_id)}>Audit of this order</Link>}
    </Card>
  );
}
