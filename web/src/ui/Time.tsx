import { now } from './clock';
import { dateAndTime, timeAgo, zoneName } from './times';
import { useZone } from './zone';
import classes from './Time.module.css';

interface TimeProps {
  iso: string;
}

/** An instant as `DD-MM-YYYY HH:mm:ss` with the agency's zone; relative and local time in the tooltip. */
export function Time({ iso }: TimeProps) {
  const zone = useZone();
  return <FormattedTime iso={iso} text={dateAndTime(iso, zone)} zone={zoneName(iso, zone)} />;
}

interface FormattedTimeProps {
  iso: string;
  /** The formatted instant. */
  text: string;
  /** The name of the zone that `text` is in, unless it is named beside. */
  zone?: string;
}

/** An instant as `DD-MM-YYYY HH:mm:ss`, where the zone is named beside; the same tooltip. */
export function TimeWithoutZone({ iso }: TimeProps) {
  return <FormattedTime iso={iso} text={dateAndTime(iso, useZone())} />;
}

/** An instant in the caller's format, with its zone and the same tooltip. */
export function FormattedTime({ iso, text, zone }: FormattedTimeProps) {
  const title = () => `${timeAgo(iso, now())} · ${new Date(iso).toLocaleString()} local time`;
  return (
    <time
      dateTime={iso}
      title={title()}
      // The tooltip of a page that was left open would be out of date.
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = title();
      }}
    >
      {text}
      {zone && <span className={classes.zone}> {zone}</span>}
    </time>
  );
}
