import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { AuditEvent } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { Card } from '@/ui/Card';
import { Folded } from '@/ui/Folded';
import { formatCount } from '@/ui/numbers';
import { ShowOlder, type OlderEntries } from '@/ui/ShowOlder';
import { Time } from '@/ui/Time';
import { useMe } from '@/session/me';
import { changeText, eventLabel, eventTone } from './auditEvents';
import classes from './OrderTimeline.module.css';

const SHOWN_AT_FIRST = 8;

interface OrderTimelineProps {
  orderId: number;
  /** The loaded events, newest first. */
  events: { rows: readonly AuditEvent[]; older: OlderEntries };
  /** It is folded until a member opens it. */
  folds: boolean;
}

/** The audit events of the order, newest first. */
export function OrderTimeline({ orderId, events: { rows, older }, folds }: OrderTimelineProps) {
  const { may } = useMe();
  const [isFolded, setFolded] = useState(true);
  const list = useRef<HTMLOListElement>(null);
  const folded = isFolded ? rows.slice(SHOWN_AT_FIRST) : [];
  const shown = isFolded ? rows.slice(0, SHOWN_AT_FIRST) : rows;
  const unfold = () => {
    setFolded(false);
    return Promise.resolve(folded.length);
  };
  const isFoldedOnly = folded.length > 0 && !older.exist;
  return (
    <Card as="section" className={classes.timeline} aria-labelledby="timeline">
      <Folded
        title="Timeline"
        titleId="timeline"
        note={`${formatCount(rows.length)}${older.exist ? '+' : ''}`}
        folds={folds}
      >
        {rows.length === 0 && <p>No activity yet.</p>}
        <ol ref={list} tabIndex={-1}>
          {shown.map((event) => (
            <li key={event.id} data-tone={eventTone(event)}>
              <strong>{eventLabel(event.action)}</strong>{' '}
              <span dir="auto">{changeText(event)}</span>
              <p>
                <bdi>{event.actor}</bdi>, <Time iso={event.at} />
              </p>
            </li>
          ))}
        </ol>
        <ShowOlder
          label={isFoldedOnly ? `Show all ${rows.length}` : undefined}
          older={folded.length > 0 ? { exist: true, busy: false, add: unfold } : older}
          shown={shown.length}
          list={list}
        />{' '}
        {may.see_audit && <Link to={paths.auditOfOrder(orderId)}>Audit of this order</Link>}
      </Folded>
    </Card>
  );
}
