import { now } from './clock';
import { dateAndTime, timeAgo, zoneName } from './times';
import classes from './Time.module.css';

/** An instant as `DD-MM-YYYY HH:mm:ss` with its zone; relative and local time in the tooltip. */
export function Time({ iso, zone }: { iso: string; zone: string }) {
  const instant = new Date(iso);
  return (
    <time dateTime={iso} title={`${timeAgo(iso, now())} · ${instant.toLocaleString()} local time`}>
      {dateAndTime(iso, zone)} <span className={classes.zone}>{zoneName(iso, zone)}</span>
    </time>
  );
}
