import { useQuery } from '@tanstack/react-query';
import type { BackupState } from '@/api/types';
import { now } from '@/ui/clock';
import { StateLine } from '@/ui/StateLine';
import { useFirstRunSwitch } from '@/ui/storedSwitch';
import { Time } from '@/ui/Time';
import { timeAgo } from '@/ui/times';
import { backupsQuery } from './backupsQuery';

/**
 * When the last backup was made, with a warning if it is too old or if the last attempt failed. Nothing while the list of first steps
 * says that none is set up.
 */
export function BackupStatus() {
  const { data, error } = useQuery(backupsQuery);
  const { on: isListed } = useFirstRunSwitch();
  if (error && !data) return <StateLine>Last backup: {error.message}</StateLine>;
  if (!data) return <StateLine aria-busy="true" />;
  if (isListed && isUnused(data)) return null;
  const warning = warningOf(data);
  return (
    <StateLine isWarning={warning !== undefined} aria-label="Backups">
      {data.last_finished_at ? (
        <p>
          Last backup: {timeAgo(data.last_finished_at, now())}, <Time iso={data.last_finished_at} />
        </p>
      ) : (
        <p>There is no backup yet.</p>
      )}
      {warning && <p>{warning}</p>}
    </StateLine>
  );
}

/** Returns true if no backup was ever set up or made. */
function isUnused({ place, attempts, last_finished_at }: BackupState): boolean {
  return place === null && attempts.length === 0 && last_finished_at === null;
}

/** Returns the problem with the backups and its remedy; undefined if there is none. */
function warningOf({ attempts, is_overdue, place, every_hours }: BackupState): string | undefined {
  const [last] = attempts;
  if (last?.state === 'failed') return `The last attempt failed: ${last.failure}`;
  if (last?.failure) return `The last backup is incomplete: ${last.failure}`;
  if (!is_overdue) return undefined;
  if (place === null || every_hours === null) {
    return 'No backup is set up. Ask the person who runs the server.';
  }
  return `A backup to ${place} is due every ${every_hours} hours. Check that visadesk is running with its background jobs.`;
}
